"""A check as text within a budget: markdown, and lines for a person."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime
from crimes.model.sanitize import safe
from crimes.render.fitting import (
    BYTES,
    File,
    Fitted,
    Item,
    Name,
    Row,
    Sentence,
    command_row,
    fit,
    left_out_text,
    section_rows,
)
from crimes.render.lines import Line, Span, bullet, heading, line
from crimes.workflows.check import Check

_FOR_THE_END = 300
_SHARES = {"New": 0.45, "Fixed": 0.1, "Not edited, though it usually is": 0.2, "Test": 0.25, "Mind": 0.0}
_NEW, _FIXED, _FORGOTTEN, _TEST, _MIND = _SHARES


def markdown(check: Check, budget: int) -> str:
    """The check as markdown of at most `budget` tokens."""
    fitted, end = _chosen(check, budget)
    return (
        "\n".join([f"# {safe(_title(check))}", *section_rows(fitted.sections), *(["", end] if end else [])])
        + "\n"
    )


def lines(check: Check, budget: int) -> Iterator[Line]:
    """The check for a person."""
    fitted, end = _chosen(check, budget)
    yield line(Span(_title(check), "path"))
    for title, items in fitted.sections:
        yield from heading(title)
        for item in items:
            yield bullet(*_texts(item), fixed=item[0] == "run ")
    if end:
        yield line()
        yield line(end)


def _title(check: Check) -> str:
    number = len(check.edited)
    if not number:
        return "Nothing differs from HEAD"
    return f"{number} file{'' if number == 1 else 's'} edited since {check.base[:12]}; {check.line}"


def _chosen(check: Check, budget: int) -> tuple[Fitted, str]:
    fitted = fit(list(_rows(check)), _SHARES, budget * BYTES - _FOR_THE_END)
    if not fitted.left_out:
        return fitted, ""
    needed = -(-(fitted.whole + _FOR_THE_END) // (100 * BYTES)) * 100
    return fitted, f"{left_out_text(fitted.left_out)}All of it: crimes check --budget {needed}"


def _rows(check: Check) -> Iterator[Row]:
    for crime in check.new:
        yield Row(_NEW, "new findings", "", _told(crime, crime.message))
    for crime in check.fixed:
        yield Row(_FIXED, "fixed findings", "", _told(crime, crime.title))
    for one in check.forgotten:
        often = f" changed in {one.commits} of the last {one.of} commits of "
        yield Row(_FORGOTTEN, "files not edited", "", (Name(one.file), often, Name(one.edited)))
    known = {*check.tests, *check.edited}
    for number, command in enumerate(check.commands):
        yield command_row(_TEST, command, known, needed=not number)
    for test in check.tests:
        yield Row(_TEST, "tests", "reach the edit", (File(test),))
    if check.edited and not check.tests and not check.commands:
        yield Row(_TEST, "tests", "", ("no test is known to reach the edit",))
    for warning in check.warnings:
        yield Row(_MIND, "warnings", "", (Sentence(warning),))


def _told(crime: Crime, said: str) -> Item:
    place = f"{crime.file}:{crime.lines.start}"
    return (f"{crime.severity} {crime.type} [{crime.id[:7]}] ", Name(place), " ", Sentence(said))


def _texts(item: Item) -> Iterator[str]:
    for part in item:
        yield part if isinstance(part, str) else "".join(part)
