"""A check as a page within a budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crimes.model.change import ChangeItem, Spot
from crimes.model.report import Crime
from crimes.model.wording import count
from crimes.render.fitted_page import FittedPage, fit_page
from crimes.render.fitting import File, Item, Name, Nested, Row, Sentence, command_row, tests_to_list
from crimes.render.risk_text import rank_change_text
from crimes.render.text import MIN_ID_CHARS
from crimes.workflows.check import Check

_ENDING_BYTES = 300  # kept for what was left out
_MAX_LINES_NAMED = 20  # besides the first, of one name in one file
_SHARES = {
    "Broken": 0.4,
    "Look at": 0.15,
    "New": 0.2,
    "Test": 0.15,
    "Usually edited too": 0.1,
    "Moved by edit risk": 0.0,
    "Fixed": 0.0,
    "Gone with their code": 0.0,
    "Warnings": 0.0,
}
_BROKEN, _LOOK, _NEW, _TEST, _FORGOTTEN, _RANK, _FIXED, _GONE, _WARNINGS = _SHARES


def fit_check(check: Check, budget: int, call: str = "crimes check") -> FittedPage:
    """The check within `budget` tokens; `call` is the command that made it."""
    return fit_page(
        _title(check),
        _rows(check),
        _SHARES,
        budget,
        _ENDING_BYTES,
        lambda needed: f"{call} --budget {needed}",
        check.trust if check.edited or check.look else "",
    )


def _title(check: Check) -> str:
    number, outside = len(check.edited), len(check.outside)
    if outside and not number:
        excluded = f"No edits to check: {count(outside, 'edited file is', 'edited files are')} excluded"
        elsewhere = f"No edits in {check.asked}: {count(outside, 'file')} edited elsewhere, not checked"
        problems = check.broken or check.look or check.new
        return f"{elsewhere if check.asked else excluded}{f'; {check.line}' if problems else '.'}"
    if not number and not outside and not check.look:
        return "No uncommitted changes: nothing to check."
    since = f"edited since {check.base[:12]}" if check.base else "before the first commit"
    where = f" ({outside} more {_outside(check)})" if outside else ""
    files = count(number, "file") if number else "No file"  # a submodule may differ, or files be left out
    return f"{files} {since}{where}; {check.line}"


def _outside(check: Check) -> str:
    return f"outside {check.asked}, not checked" if check.asked else "excluded"


def _rows(check: Check) -> Iterator[Row]:
    yield from _item_rows(_BROKEN, "broken references", check.broken)
    yield from _item_rows(_LOOK, "things to look at", check.look)
    for crime in check.new:
        yield Row(_NEW, "new findings", "", _finding(crime, _fact_and_fix(crime)))
    for crime in check.fixed:
        yield Row(_FIXED, "fixed findings", "", _finding(crime, crime.title))
    for change in check.rank_changes:
        yield Row(_RANK, "files moved", "", (Name(change.file), f": {rank_change_text(change)}"))
    for crime in check.gone:
        yield Row(_GONE, "findings in deleted code", "", _finding(crime, crime.title))
    looked_at = {place.file for item in check.look for place in item.places}
    for partner in check.forgotten:
        if partner.file in looked_at:
            continue
        often = f" changed in {partner.commits} of the last {partner.of} commits to "
        yield Row(_FORGOTTEN, "files not edited", "", (Name(partner.file), often, Name(partner.edited)))
    known = {*check.tests, *check.edited}
    for number, command in enumerate(check.commands):
        yield command_row(_TEST, command, known, needed=not number)
    other = "other " if check.commands else ""
    for test in tests_to_list(check.tests, check.tests_not_run, check.commands):
        yield Row(_TEST, "tests", f"{other}test files that reach the edit", (File(test),))
    for file in () if check.commands else check.own_tests:
        yield Row(_TEST, "tests", "edited files with their own tests", (File(file),))
    for file, reason in check.untested.items():
        text = (Name(file), ": ", Sentence(f"not sure which tests to run: {reason}"))
        yield Row(_TEST, "edited files without a test command", "", text)
    if check.edited and not (check.tests or check.own_tests or check.commands or check.untested):
        yield Row(_TEST, "tests", "", ("no known test reaches the edit",))
    for warning in check.warnings:
        yield Row(_WARNINGS, "warnings", "", (Sentence(warning),))


def _item_rows(section: str, kind: str, items: Sequence[ChangeItem]) -> Iterator[Row]:
    """Each item with its places below it."""
    for item in items:
        fix: Item = (" ", Sentence(item.fix)) if item.fix else ()
        fact = (Sentence(item.fact), *fix, f" [{item.id[:MIN_ID_CHARS]}]")
        yield Row(section, kind, "", fact, needed=item is items[0])
        if any(place.line for place in item.places):
            yield from (Row(section, "places", "", text) for text in _places(item.places))


def _places(places: Sequence[Spot]) -> Iterator[Item]:
    """One text for each file and name that is written there: its first line, and the others."""
    lines: dict[tuple[str, str], list[int]] = {}
    for place in places:
        lines.setdefault((place.file, place.name), []).append(place.line)
    for (file, text), (first, *others) in lines.items():
        name: Item = (": ", Name(text)) if text else ()
        yield (Nested(), Name(f"{file}:{first}"), *name, _other_lines(others))


def _other_lines(others: Sequence[int]) -> str:
    if not others:
        return ""
    more = len(others) - _MAX_LINES_NAMED
    numbers = ", ".join(map(str, others[:_MAX_LINES_NAMED])) + (f" and {more} more" if more > 0 else "")
    return f" (also on line{'s' if len(others) > 1 else ''} {numbers})"


def _fact_and_fix(crime: Crime) -> str:
    """What is there and what to do; a report of an older version has only the whole message."""
    return f"{crime.fact} {crime.fix}".rstrip() if crime.fact else crime.message


def _finding(crime: Crime, text: str) -> Item:
    place = f"{crime.file}:{crime.lines.start}:{crime.columns.start}"
    return (Name(place), f": {crime.severity} {crime.type} ", Sentence(text), f" [{crime.id[:MIN_ID_CHARS]}]")
