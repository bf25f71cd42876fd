"""A check as text within a budget: markdown, and lines for a person."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime
from crimes.model.sanitize import safe
from crimes.render.fitting import (
    BYTES_PER_TOKEN,
    File,
    Fitted,
    Item,
    Name,
    Row,
    Sentence,
    budget_for,
    command_row,
    fit,
    left_out_text,
    page,
)
from crimes.render.lines import Line, Span, line, section_lines
from crimes.workflows.check import Check

_ENDING_BYTES = 300  # kept for what was left out
_SHARES = {"New": 0.45, "Fixed": 0.1, "Not edited, though it usually is": 0.2, "Test": 0.25, "Mind": 0.0}
_NEW, _FIXED, _FORGOTTEN, _TEST, _MIND = _SHARES


def markdown(check: Check, budget: int) -> str:
    """The check as markdown of at most `budget` tokens."""
    fitted, end = _fit(check, budget)
    return page(f"# {safe(_title(check))}", fitted.sections, end)


def lines(check: Check, budget: int) -> Iterator[Line]:
    """The check for a person."""
    fitted, end = _fit(check, budget)
    yield line(Span(_title(check), "path"))
    yield from section_lines(fitted.sections)
    if end:
        yield line()
        yield line(end)


def _title(check: Check) -> str:
    number = len(check.edited)
    if not number:
        return "Nothing differs from HEAD"
    return f"{number} file{'' if number == 1 else 's'} edited since {check.base[:12]}; {check.line}"


def _fit(check: Check, budget: int) -> tuple[Fitted, str]:
    """What fits, and a last line on what was left out."""
    fitted = fit(list(_rows(check)), _SHARES, budget * BYTES_PER_TOKEN - _ENDING_BYTES)
    if not fitted.left_out:
        return fitted, ""
    needed = budget_for(fitted.total_bytes + _ENDING_BYTES)
    return fitted, f"{left_out_text(fitted.left_out)}All of it: crimes check --budget {needed}"


def _rows(check: Check) -> Iterator[Row]:
    for crime in check.new:
        yield Row(_NEW, "new findings", "", _finding(crime, crime.message))
    for crime in check.fixed:
        yield Row(_FIXED, "fixed findings", "", _finding(crime, crime.title))
    for partner in check.forgotten:
        often = f" changed in {partner.commits} of the last {partner.of} commits of "
        yield Row(_FORGOTTEN, "files not edited", "", (Name(partner.file), often, Name(partner.edited)))
    known = {*check.tests, *check.edited}
    for number, command in enumerate(check.commands):
        yield command_row(_TEST, command, known, needed=not number)
    for test in check.tests:
        yield Row(_TEST, "tests", "reach the edit", (File(test),))
    if check.edited and not check.tests and not check.commands:
        yield Row(_TEST, "tests", "", ("no test is known to reach the edit",))
    for warning in check.warnings:
        yield Row(_MIND, "warnings", "", (Sentence(warning),))


def _finding(crime: Crime, text: str) -> Item:
    place = f"{crime.file}:{crime.lines.start}"
    return (f"{crime.severity} {crime.type} [{crime.id[:7]}] ", Name(place), " ", Sentence(text))
