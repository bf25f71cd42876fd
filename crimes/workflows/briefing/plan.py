"""A planned change of several files: reading order, users that may break, what changes too, what to test.

All of it follows from the briefings of the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct

from crimes.model.edit_risk import RankedFile
from crimes.model.kind import Kind
from crimes.model.report import code_only
from crimes.workflows.briefing.command import drop_subsumed
from crimes.workflows.briefing.record import Briefing, User
from crimes.workflows.briefing.tests_to_run import tests_not_run, tests_of
from crimes.workflows.riskiest_files import short_fact

SCHEMA_VERSION = "1.3"
_MAX_COMPANIONS = 30


class Reading(Struct, frozen=True):
    """A file of the plan: what to know of it first, its worst finding and the facts about it; the parts that are meant, if not all."""

    file: str  # path from the root
    why: str  # what to know before reading it
    finding: str  # its worst finding about code; empty without one
    parts: tuple[str, ...] = ()  # the symbols or lines that are meant; empty for the whole file
    places: tuple[str, ...] = ()  # facts about the file, in short
    edit_risk: RankedFile | None = (
        None  # how likely it is to need the next fix; null for a file that is not ranked
    )


class Breaking(Struct, frozen=True):
    """A file outside of the plan that uses files of it, each with the names it uses."""

    file: str  # a file outside of the plan
    uses: dict[str, tuple[str, ...]]  # names it uses, by file of the plan
    test: bool  # whether it is a test


class Plan(Struct, frozen=True):
    """`reading` is in order: what others of the plan rest on comes first."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    reading: tuple[Reading, ...]  # files in the order to read them
    breaks: tuple[Breaking, ...]  # files that use the plan, those that use most first, tests last
    changes_too: tuple[str, ...]  # files outside of the plan that usually change with it, most likely first
    copies: tuple[str, ...]  # duplicated code: "file:first-last = file:first-last"
    commands: tuple[str, ...]  # commands that run the tests
    tests: tuple[str, ...]  # test files that reach the plan, whether or not the commands run them
    limits: tuple[str, ...]  # what is not known, and why
    ranked_files: int = 0  # files that were ranked by edit risk
    tests_not_run: tuple[str, ...] = ()  # those of `tests` that no command runs
    trust: str = ""  # class and main reason of a scan that is not trusted; empty for one that is

    def by_risk(self) -> list[RankedFile]:
        """The ranked files of the plan, the riskiest first."""
        ranked = [step.edit_risk for step in self.reading if step.edit_risk]
        return sorted(ranked, key=lambda file: file.rank)


def build_plan(
    briefings: Sequence[Briefing], commands_of: Callable[[Sequence[str]], Mapping[str, str]] = lambda _: {}
) -> Plan:
    """The plan for changing these files together; `commands_of` returns the command that runs each of some tests alone."""
    files, parts = _by_file(briefings)
    order = reading_order(_imports(files))
    tests = tests_of(files[file] for file in order)
    commands = drop_subsumed(files[file].tests.command for file in order)
    return Plan(
        schema_version=SCHEMA_VERSION,
        reading=tuple(_reading(files[file], parts[file]) for file in order),
        breaks=_breaks(files),
        changes_too=_changes_too(files),
        copies=tuple(
            f"{file}:{clone.start}-{clone.end} = {copy}"
            for file in order
            for clone in files[file].clones
            for copy in clone.copies
            if copy.rpartition(":")[0] != file
        ),
        commands=commands,
        tests=tests,
        limits=(
            *dict.fromkeys(limit for briefing in briefings for limit in briefing.limits),
            *_untested(files),
        ),
        ranked_files=max((briefing.ranked_files for briefing in briefings), default=0),
        tests_not_run=tests_not_run(commands, tests, commands_of),
        trust=next((briefing.trust for briefing in briefings), ""),
    )


def _untested(files: Mapping[str, Briefing]) -> list[str]:
    """Why no test command is named for some of the files."""
    return [
        f"{file}: not sure which tests to run: {briefing.tests.command_note}"
        for file, briefing in sorted(files.items())
        if briefing.tests.command_note
    ]


def _by_file(briefings: Sequence[Briefing]) -> tuple[dict[str, Briefing], dict[str, tuple[str, ...]]]:
    """One briefing for each file, merged from those of its parts, and the parts."""
    files: dict[str, Briefing] = {}
    parts: dict[str, tuple[str, ...]] = {}
    for briefing in briefings:
        file = briefing.file
        before = files.get(file, briefing)
        whole = briefing if not briefing.focus else before if not before.focus else None
        parts[file] = () if whole else tuple(dict.fromkeys((*parts.get(file, ()), briefing.focus)))
        files[file] = whole or msgspec.structs.replace(
            before,
            findings=tuple({crime.id: crime for crime in (*before.findings, *briefing.findings)}.values()),
            clones=tuple(dict.fromkeys((*before.clones, *briefing.clones))),
            users=_merge_users(before.users, briefing.users),
        )
    return files, parts


def _merge_users(first: Sequence[User], second: Sequence[User]) -> tuple[User, ...]:
    """The users of either part. A user without names uses all of it."""
    users: dict[str, User] = {}
    for user in (*first, *second):
        known = users.get(user.file, user)
        names = sorted({*known.names, *user.names}) if known.names and user.names else ()
        users[user.file] = User(user.file, tuple(names), user.test)
    return tuple(users.values())


def _imports(files: Mapping[str, Briefing]) -> dict[str, list[str]]:
    """By file: the files it imports, also through a package that re-exports their names."""
    users = {file: {user.file for user in briefing.users} for file, briefing in files.items()}
    return {
        file: [*briefing.imports.internal, *(other for other in files if file in users[other])]
        for file, briefing in files.items()
    }


def reading_order(imports: Mapping[str, Sequence[str]]) -> list[str]:
    """Imported files before their importers; in a cycle, those that need fewest others first, then the most needed."""
    left = {
        file: {target for target in targets if target in imports and target != file}
        for file, targets in imports.items()
    }
    order: list[str] = []
    while left:
        needed = Counter(target for targets in left.values() for target in targets)
        following = min(left, key=lambda file: (len(left[file] & left.keys()), -needed[file], file))
        order.append(following)
        del left[following]
    return order


def _reading(briefing: Briefing, parts: tuple[str, ...]) -> Reading:
    """The worst finding, and the first advice that is neither about it nor about the tests, which are shown elsewhere."""
    worst = next(iter(code_only(briefing.findings)), None)
    shown_elsewhere = [text for text in (worst.id if worst else "", briefing.tests.command) if text]
    advice = [
        sentence for sentence in briefing.advice if not any(text in sentence for text in shown_elsewhere)
    ]
    place = f"{worst.symbol or 'line'} {worst.lines.start}" if worst else ""
    return Reading(
        briefing.file,
        advice[0] if advice else "",
        f"{worst.severity} {worst.type} at {place}" if worst else "",
        parts,
        tuple(short_fact(crime) for crime in briefing.findings if crime.kind is Kind.PLACE),
        briefing.edit_risk,
    )


def _breaks(files: Mapping[str, Briefing]) -> tuple[Breaking, ...]:
    uses: dict[str, dict[str, tuple[str, ...]]] = {}
    tests = set()
    for file, briefing in sorted(files.items()):
        for user in briefing.users:
            if user.file not in files:
                uses.setdefault(user.file, {})[file] = user.names
                if user.test:
                    tests.add(user.file)
    breaks = [Breaking(file, used, file in tests) for file, used in uses.items()]
    return tuple(sorted(breaks, key=lambda user: (user.test, -len(user.uses), user.file)))


def _changes_too(files: Mapping[str, Briefing]) -> tuple[str, ...]:
    """Companions by their rank with each file of the plan."""
    weights: dict[str, float] = {}
    for briefing in files.values():
        for rank, companion in enumerate(briefing.companions):
            if companion.file not in files:
                weights[companion.file] = weights.get(companion.file, 0.0) + 1 / (2 + rank)
    return tuple(sorted(weights, key=lambda file: (-weights[file], file))[:_MAX_COMPANIONS])
