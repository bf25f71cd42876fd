"""A plan as text within a budget: markdown, and lines for a person."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

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
from crimes.workflows.briefing.plan import Plan

_FOR_THE_END = 400
_LONGEST_CALL = 160
_SHARES = {"Read in this order": 0.3, "Who breaks": 0.25, "Changes too": 0.25, "Test": 0.2, "Not known": 0.0}


def markdown(plan: Plan, budget: int) -> str:
    """The plan as markdown of at most `budget` tokens."""
    fitted, end = _chosen(plan, budget)
    return "\n".join([_title(plan), *section_rows(fitted.sections), *(["", end] if end else [])]) + "\n"


def lines(plan: Plan, budget: int) -> Iterator[Line]:
    """The plan for a person."""
    fitted, end = _chosen(plan, budget)
    yield line(Span(_title(plan).removeprefix("# "), "path"))
    for title, items in fitted.sections:
        yield from heading(title)
        for item in items:
            yield bullet(*_texts(item), fixed=item[0] == "run ")
    if end:
        yield line()
        yield line(end)


def _title(plan: Plan) -> str:
    number = len(plan.reading)
    return f"# Plan for {number} file{'' if number == 1 else 's'}"


def _chosen(plan: Plan, budget: int) -> tuple[Fitted, str]:
    fitted = fit(list(_rows(plan)), _SHARES, budget * BYTES - _FOR_THE_END)
    if not fitted.left_out:
        return fitted, ""
    needed = -(-(fitted.whole + _FOR_THE_END) // (100 * BYTES)) * 100
    files = " ".join(
        shlex.quote(f"{one.file}:{part}" if part else one.file)
        for one in plan.reading
        for part in one.parts or ("",)
    )
    call = f"crimes plan {files} --budget {needed}"
    if len(call) > _LONGEST_CALL:
        call = f"the same call with --budget {needed}"
    return fitted, f"{left_out_text(fitted.left_out)}All of it: {safe(call)}"


def _rows(plan: Plan) -> Iterator[Row]:
    for one in plan.reading:
        parts: list[str | Name | Sentence] = [
            Name(":".join((one.file, *filter(None, (", ".join(one.parts),)))))
        ]
        if one.finding:
            parts += [" (", Sentence(one.finding), ")"]
        if one.why:
            parts += [": ", Sentence(one.why)]
        yield Row("Read in this order", "files to read", "", tuple(parts))
    for user in plan.breaks:
        names = sorted({name for used in user.uses.values() for name in used})
        said: Item = (" (", Sentence(", ".join(names[:4])), ")") if names else ()
        yield Row("Who breaks", "uses it", "tests" if user.test else "uses it", (Name(user.file), *said))
    for copy in plan.copies:
        yield Row("Changes too", "copies", "same code", (Name(copy),))
    for file in plan.changes_too:
        yield Row("Changes too", "may change with it", "may change with it", (File(file),))
    known = {*plan.tests, *plan.changes_too, *(one.file for one in plan.reading)}
    for number, command in enumerate(plan.commands):
        yield command_row("Test", command, known, needed=not number)
    for test in plan.tests:
        yield Row("Test", "tests", "reach it", (File(test),))
    for limit in plan.limits:
        yield Row("Not known", "limits", "", (Sentence(limit),))


def _texts(item: Item) -> Iterator[str]:
    for part in item:
        yield part if isinstance(part, str) else "".join(part)
