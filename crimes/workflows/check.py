"""What an edit did: findings that are new or gone, files that usually change with the edited ones and did not, tests that reach it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import filterfalse

from msgspec import Struct
from msgspec.structs import replace

from crimes.model.change import ChangeItem
from crimes.model.report import Crime, Gate
from crimes.workflows.briefing.command import drop_subsumed
from crimes.workflows.briefing.record import Briefing
from crimes.workflows.briefing.tests_to_run import tests_not_run, tests_of
from crimes.workflows.comparing import SINCE_HEAD, compare_states
from crimes.workflows.comparison import Comparison, suggestions_fault
from crimes.workflows.gating import Gates
from crimes.workflows.rank_changes import RankChange
from crimes.workflows.selection import EVERYTHING, Selection
from crimes.workflows.session import Session

SCHEMA_VERSION = "1.4"
_MIN_COMMITS_TOGETHER = 3
_MIN_SHARE_TOGETHER = 0.4  # of the commits of an edited file
_MAX_FORGOTTEN = 12


class Forgotten(Struct, frozen=True):
    """A file that was not edited, though it changed in `commits` of the last `of` commits of one that was."""

    file: str  # a file that was not edited
    edited: str  # the edited file it usually changes with
    commits: int  # commits that changed both
    of: int  # the last commits of the edited file that were looked at


class Check(Struct, frozen=True):
    """The work tree against HEAD. Lists are sorted worst or most likely first."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    base: str  # the commit the work tree was compared with
    line: str  # the verdict in one line
    edited: tuple[str, ...]  # files that differ, of those that were asked about
    new: tuple[Crime, ...]  # new findings, worst first
    fixed: tuple[Crime, ...]  # fixed findings
    forgotten: tuple[Forgotten, ...]  # files that usually change with the edited ones and did not
    commands: tuple[str, ...]  # commands that run the tests
    tests: tuple[str, ...]  # test files that reach the edit, whether or not the commands run them
    warnings: tuple[str, ...]  # anything else a reader should know
    gate: Gate | None  # how the gate ended
    # edited files whose place by edit risk moved a lot: a twentieth of all, one end among the riskiest fifth
    rank_changes: tuple[RankChange, ...] = ()
    verdict: str = "unknown"  # `safe`, `look` or `broken`; `unknown` where trust forbids a comparison
    why: tuple[str, ...] = ()  # what the verdict rests on
    broken: tuple[ChangeItem, ...] = ()  # what the edit broke: references that no longer resolve
    look: tuple[ChangeItem, ...] = ()  # what is worth a look: forgotten copies and companions, weakened tests
    gone: tuple[Crime, ...] = ()  # findings whose file or function was deleted: not fixed
    tests_not_run: tuple[str, ...] = ()  # those of `tests` that no command runs
    own_tests: tuple[str, ...] = ()  # edited files that hold their own tests
    untested: dict[str, str] = {}  # edited files without a test command, and why they have none
    outside: tuple[str, ...] = ()  # files that differ and were not asked about: not checked
    trust: str = ""  # class and main reason of a scan that is not trusted; empty for one that is
    asked: str = ""  # the paths that were asked about, in words; empty for the whole repository


def check_work_tree(session: Session, selection: Selection = EVERYTHING) -> Check:
    """The work tree compared with HEAD, as far as the selected findings go."""
    begun = time.time_ns()
    compared = compare_states(session, SINCE_HEAD)
    session.remember_change(compared.comparison)
    chosen = selection.apply_to_comparison(compared.comparison)
    edited, keeps = compared.edited, selection.keeps_file()
    # Without an edit there is nothing that a gate could judge, however little is known of the repository.
    gated = Gates(fail_on_new=True).apply_to_new(chosen, compared.now) if edited or chosen.look else chosen
    check = build_check(
        gated,
        edited,
        lambda files: session.briefings_of(files, begun=begun),
        keeps,
        lambda tests: session.test_commands(tests, begun=begun),
    )
    return replace(check, asked=selection.paths_text())


def build_check(
    comparison: Comparison,
    edited: Sequence[str],
    briefings_of: Callable[[Sequence[str]], Mapping[str, Briefing]],
    keeps: Callable[[str], bool] = lambda file: True,
    commands_of: Callable[[Sequence[str]], Mapping[str, str]] = lambda _: {},
) -> Check:
    """The check of these edits; `briefings_of` returns the briefings of those files that were read.

    `keeps` says whether a file was asked about; `commands_of` returns the command that runs each of some tests alone.
    """
    chosen = tuple(filter(keeps, edited))
    by_file = briefings_of(chosen)
    briefings = [by_file[file] for file in chosen if file in by_file]
    tests = tests_of(briefings)
    commands = drop_subsumed(briefing.tests.command for briefing in briefings)
    return Check(
        schema_version=SCHEMA_VERSION,
        base=comparison.base.commit,
        line=comparison.verdict.line,
        edited=chosen,
        new=comparison.new,
        fixed=comparison.fixed,
        forgotten=() if suggestions_fault(comparison.trust) else _forgotten(briefings, set(edited)),
        commands=commands,
        tests=tests,
        warnings=comparison.warnings,
        gate=comparison.gate,
        rank_changes=comparison.rank_changes,
        verdict=comparison.verdict.state,
        why=comparison.verdict.why,
        broken=comparison.broken,
        look=comparison.look,
        gone=comparison.gone,
        tests_not_run=tests_not_run(commands, tests, commands_of),
        own_tests=tuple(briefing.file for briefing in briefings if briefing.tests.own),
        untested={
            briefing.file: briefing.tests.command_note
            for briefing in briefings
            if briefing.tests.command_note and not briefing.tests.command
        },
        outside=tuple(filterfalse(keeps, edited)),
        trust=comparison.trust.caveat,
    )


def _forgotten(briefings: Sequence[Briefing], edited: set[str]) -> tuple[Forgotten, ...]:
    forgotten: dict[str, Forgotten] = {}
    for briefing in briefings:
        for companion in briefing.companions:
            file, commits, of = companion.file, companion.commits, companion.of
            if commits < _MIN_COMMITS_TOGETHER or commits < _MIN_SHARE_TOGETHER * of or file in edited:
                continue
            previous = forgotten.get(file)
            if previous is None or commits * previous.of > previous.commits * of:
                forgotten[file] = Forgotten(file, briefing.file, commits, of)
    ranked = sorted(forgotten.values(), key=lambda file: (-file.commits / file.of, -file.commits, file.file))
    return tuple(ranked[:_MAX_FORGOTTEN])
