"""`crimes triage`: decide about findings one by one at a terminal, or all at once from a file."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import FormatOption, RootOption
from crimes.cli.output import notice, print_result, root_option, session_for, show, terminal_style
from crimes.model.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from crimes.model.report import Crime, Report
    from crimes.tracking.triage import DecisionRequest

_KEYS = {"n": "fix_now", "c": "this_change", "l": "later", "w": "wont_fix", "f": "false_alarm"}
_OTHER_KEYS = "eobdsq"
_QUESTION = """\
[n] fix now  [c] this change  [l] later  [w] won't fix  [f] false alarm
[e] explain  [o] open in editor  [b] back  [d] past decisions  [s] skip  [q] quit > """


def triage(
    apply: Annotated[
        str,
        typer.Option(
            "--apply",
            metavar="FILE|-",
            help='Take decisions from JSON instead of asking: [{"id": …, "decision": …, "reason": …}, …].',
        ),
    ] = "",
    owner: Annotated[
        str, typer.Option("--owner", metavar="NAME", help="Who decides, where a decision does not say.")
    ] = "",
    list_: Annotated[bool, typer.Option("--list", help="Print past decisions and ask nothing.")] = False,
    format: FormatOption = "human",
    root: RootOption = None,
) -> None:
    """Decide about findings one by one.

    Decisions are fix now, this change, later, won't fix and false alarm; they are saved in .crimes/triage.jsonl.
    """
    session = session_for(root)
    if list_ and apply:
        raise UsageError("use either --list or --apply, not both")
    if format != "human" and not list_:
        raise UsageError("--format works only with --list")
    if list_:
        _list(session.root, format)
        return
    if apply:
        _apply(session.root, _read_requests(apply), session.report, owner)
        return
    if sys.stdin is None or not sys.stdin.isatty() or not sys.stdout.isatty():
        raise UsageError(
            "triage needs a terminal; without one, use --apply FILE (see `crimes triage --help`)"
        )
    _Walk(session.root, session.report(), owner).run()


def _list(root: Path, format_: str) -> None:
    from crimes.render.triage import past_lines
    from crimes.workflows.triage import load_past_decisions

    past = load_past_decisions(root)
    print_result(format_, past, past_lines(past))


def _apply(
    root: Path, requests: tuple[DecisionRequest, ...], make_report: Callable[[], Report], owner: str
) -> None:
    """Save all decisions of a file; none when one of them is about no finding."""
    import msgspec

    from crimes.model.wording import count
    from crimes.workflows.find_finding import check_id, find_one
    from crimes.workflows.triage import decide

    report = make_report()
    matched = [(find_one(report, check_id(request.id)), request) for request in requests]
    for crime, request in matched:
        owned = msgspec.structs.replace(request, owner=request.owner or owner)
        decide(root, report, crime, owned, _today())
    notice(f"{count(len(matched), 'decision')} saved in .crimes/triage.jsonl")


def _read_requests(source: str) -> tuple[DecisionRequest, ...]:
    from crimes.tracking.triage import parse_requests

    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    return parse_requests(data, "stdin" if source == "-" else source)


class _Walk:
    """The findings without a decision, one after the other, back and forth."""

    def __init__(self, root: Path, report: Report, owner: str) -> None:
        from crimes.workflows.triage import undecided

        self._root, self._report, self._owner = root, report, owner
        self._scanned_at = time.time()
        self._pending = undecided(root, report)
        self._index = 0

    def run(self) -> None:
        """Ask until every finding was shown, or the person quits."""
        from crimes.render.triage import decisions_left
        from crimes.workflows.triage import undecided

        while self._index < len(self._pending):
            crime = self._pending[self._index]
            self._show(crime)
            while (key := _ask_key()) in "eod":
                self._look(key, crime)
            if key == "q":
                break
            if key == "b":
                self._back()
                continue
            if key != "s":
                self._decide(crime, key)
            self._index += 1
        show(decisions_left(len(undecided(self._root, self._report))), terminal_style())

    def _show(self, crime: Crime) -> None:
        from crimes.render.triage import code, question
        from crimes.workflows.source_lines import read_source
        from crimes.workflows.triage import load_past_decisions

        past = {decision.fingerprint: decision for decision in load_past_decisions(self._root).decisions}
        before = past.get(crime.fingerprint)
        show(question(crime, self._index + 1, len(self._pending), before), terminal_style())
        show(code(crime, read_source(self._root, crime.file, self._scanned_at)), terminal_style())

    def _look(self, key: str, crime: Crime) -> None:
        """Show more about a finding; nothing is decided."""
        if key == "d":
            _list(self._root, "human")
        elif key == "e":
            self._explain(crime)
        else:
            self._open(crime)

    def _explain(self, crime: Crime) -> None:
        from crimes.detection.registry import catalogue
        from crimes.render.explain import lines
        from crimes.workflows.explanation import finding_details

        place = root_option(self._root)
        details = finding_details(self._root, self._report, crime, self._scanned_at, catalogue(), place)
        show(lines(details), terminal_style())

    def _open(self, crime: Crime) -> None:
        from crimes.system.editor import editor_command, run_editor
        from crimes.workflows.explanation import blamed_lines
        from crimes.workflows.source_lines import read_source

        source = read_source(self._root, crime.file, self._scanned_at)
        if not source.lines:  # gone, or not a file inside the repository
            notice(f"{crime.file} cannot be opened: {source.note}")
            return
        file = self._root.resolve() / crime.file
        try:
            run_editor(editor_command(os.environ, file, blamed_lines(crime)[0]))
        except EnvironmentFault as fault:
            notice(str(fault))

    def _back(self) -> None:
        if self._index == 0:
            notice("this is the first finding")
        self._index = max(self._index - 1, 0)

    def _decide(self, crime: Crime, key: str) -> None:
        from crimes.tracking.triage import SET_ASIDE, Choice, DecisionRequest
        from crimes.workflows.triage import decide

        choice = Choice(_KEYS[key])
        reason = _ask("Why? ", bool) if choice in SET_ASIDE else _ask("Why? (optional) ")
        self._owner = _ask(f"Who decides?{f' [{self._owner}]' if self._owner else ''} ") or self._owner
        request = DecisionRequest(crime.fingerprint, choice, self._owner, reason)
        decide(self._root, self._report, crime, request, _today())


def _ask_key() -> str:
    """The key of a decision or a command; asked for until it is one."""
    while True:
        key = _ask(_QUESTION).lower()
        if len(key) == 1 and (key in _KEYS or key in _OTHER_KEYS):
            return key
        notice(f"'{key}' is not one of the keys")


def _ask(question: str, fits: Callable[[str], object] = lambda text: True) -> str:
    """A line from the terminal, asked for until it fits. The end of input ends the command."""
    while True:
        try:
            text = input(question).strip()
        except EOFError as error:
            raise typer.Exit from error
        if fits(text):
            return text


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
