"""`crimes triage`: decide about findings, one after the other at a terminal, or all at once from a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import PathOption
from crimes.cli.output import notice, session_for, show, terminal_style
from crimes.model.errors import UsageError

if TYPE_CHECKING:
    from crimes.model.report import Crime, Report
    from crimes.tracking.triage import Decision, DecisionRequest

_KEYS = {"n": "fix_now", "c": "this_change", "l": "later", "w": "wont_fix", "f": "false_alarm"}
_QUESTION = "[n] fix now  [c] this change  [l] later  [w] won't fix  [f] false alarm  [s] skip  [q] quit > "


def triage(
    path: PathOption = None,
    apply: Annotated[
        str, typer.Option("--apply", metavar="FILE|-", help="Take decisions from JSON instead of asking.")
    ] = "",
    owner: Annotated[
        str, typer.Option("--owner", metavar="NAME", help="Whose decisions these are, unless one says.")
    ] = "",
) -> None:
    """Walk the findings: fix now, this change, later, won't fix, false alarm. Kept in .crimes/triage.jsonl."""
    from crimes.model.wording import count
    from crimes.workflows.find_finding import check_id, find_one

    session = session_for(path)
    root = session.root
    if apply:
        requests = _read_requests(apply)
        report = session.report()
        matched = [(find_one(report, check_id(request.id)), request) for request in requests]
        for crime, request in matched:
            _decide(root, report, crime, request, owner)
        notice(f"{count(len(matched), 'decision')} kept in .crimes/triage.jsonl")
        return
    if sys.stdin is None or not sys.stdin.isatty() or not sys.stdout.isatty():
        raise UsageError("triage asks at a terminal; elsewhere --apply FILE takes decisions as JSON")
    _walk(root, session.report(), owner)


def _read_requests(source: str) -> tuple[DecisionRequest, ...]:
    from crimes.tracking.triage import parse_requests

    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    return parse_requests(data, "stdin" if source == "-" else source)


def _walk(root: Path, report: Report, owner: str) -> None:
    from crimes.render.triage import decisions_left, question
    from crimes.tracking.triage import SET_ASIDE, Choice, DecisionRequest

    pending = _undecided(root, report)
    for number, crime in enumerate(pending, 1):
        show(question(crime, number, len(pending)), terminal_style())
        key = _ask(_QUESTION, lambda text: text in {*_KEYS, "s", "q"})
        if key == "q":
            break
        if key == "s":
            continue
        choice = Choice(_KEYS[key])
        reason = _ask("Why? ", bool) if choice in SET_ASIDE else _ask("Why? (may be empty) ")
        owner = _ask(f"Whose is it? [{owner}] ") or owner
        _decide(root, report, crime, DecisionRequest(crime.fingerprint, choice, owner, reason), owner)
    show(decisions_left(len(_undecided(root, report))), terminal_style())


def _ask(question: str, fits: Callable[[str], object] = lambda text: True) -> str:
    """A line from the terminal, asked for until it fits. The end of input ends the command."""
    while True:
        try:
            text = input(question).strip()
        except EOFError as error:
            raise typer.Exit from error
        if fits(text):
            return text


def _undecided(root: Path, report: Report) -> list[Crime]:
    """Findings nobody decided about since their file was touched."""
    from crimes.tracking.triage import digest_content

    decided = {decision.finding.fingerprint: decision for decision in _load_decisions(root)}
    pending = []
    for crime in report.findings:
        decision = decided.get(crime.fingerprint)
        if decision is None or digest_content(_read_content(root, crime.file)) != decision.content:
            pending.append(crime)
    return pending


def _load_decisions(root: Path) -> tuple[Decision, ...]:
    from crimes.system.safe_files import read_own_file
    from crimes.tracking.triage import PATH, parse_decisions

    parsed = parse_decisions(read_own_file(root, PATH) or b"")
    if parsed.fault:
        raise UsageError(f"{PATH} is not touched: {parsed.fault}")
    return parsed.decisions


def _read_content(root: Path, path: str) -> bytes:
    from crimes.system.safe_files import read_inside

    try:
        return read_inside(root.resolve(), path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read, so no decision about it can be kept: {error}") from error


def _decide(root: Path, report: Report, crime: Crime, request: DecisionRequest, owner: str) -> None:
    """Keep a decision; a false alarm is feedback to the detector, too."""
    from crimes.system.safe_files import write_own_file
    from crimes.tracking.feedback import FeedbackVerdict, append_feedback, feedback_on
    from crimes.tracking.identity import identity_of
    from crimes.tracking.triage import PATH, Choice, Decision, digest_content, encode_decisions

    decision = Decision(
        version=1,
        finding=identity_of(crime),
        decision=request.decision,
        owner=request.owner or owner,
        reason=request.reason.strip(),
        content=digest_content(_read_content(root, crime.file)),
        commit=report.history.head,
    )
    others = [other for other in _load_decisions(root) if other.finding.fingerprint != crime.fingerprint]
    write_own_file(root, PATH, encode_decisions([*others, decision]))
    if request.decision is Choice.FALSE_ALARM:
        append_feedback(root, feedback_on(crime, report, FeedbackVerdict.FP, request.reason.strip()))
