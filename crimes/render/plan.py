"""A plan as text within a budget: markdown, and lines for a person."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

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
from crimes.workflows.briefing.plan import Plan

_ENDING_BYTES = 400  # kept for what was left out
_MAX_CALL_CHARS = 160
_SHARES = {"Read in this order": 0.3, "Who breaks": 0.25, "Changes too": 0.25, "Test": 0.2, "Not known": 0.0}


def markdown(plan: Plan, budget: int) -> str:
    """The plan as markdown of at most `budget` tokens."""
    fitted, end = _fit(plan, budget)
    return page(f"# {_title(plan)}", fitted.sections, end)


def lines(plan: Plan, budget: int) -> Iterator[Line]:
    """The plan for a person."""
    fitted, end = _fit(plan, budget)
    yield line(Span(_title(plan), "path"))
    yield from section_lines(fitted.sections)
    if end:
        yield line()
        yield line(end)


def _title(plan: Plan) -> str:
    number = len(plan.reading)
    return f"Plan for {number} file{'' if number == 1 else 's'}"


def _fit(plan: Plan, budget: int) -> tuple[Fitted, str]:
    """What fits, and a last line on what was left out."""
    fitted = fit(list(_rows(plan)), _SHARES, budget * BYTES_PER_TOKEN - _ENDING_BYTES)
    if not fitted.left_out:
        return fitted, ""
    needed = budget_for(fitted.total_bytes + _ENDING_BYTES)
    files = " ".join(
        shlex.quote(f"{step.file}:{part}" if part else step.file)
        for step in plan.reading
        for part in step.parts or ("",)
    )
    call = f"crimes plan {files} --budget {needed}"
    if len(call) > _MAX_CALL_CHARS:
        call = f"the same call with --budget {needed}"
    return fitted, f"{left_out_text(fitted.left_out)}All of it: {safe(call)}"


def _rows(plan: Plan) -> Iterator[Row]:
    for step in plan.reading:
        place = f"{step.file}:{', '.join(step.parts)}" if any(step.parts) else step.file
        parts: list[str | Name | Sentence] = [Name(place)]
        if step.finding:
            parts += [" (", Sentence(step.finding), ")"]
        if step.why:
            parts += [": ", Sentence(step.why)]
        yield Row("Read in this order", "files to read", "", tuple(parts))
    for user in plan.breaks:
        names = sorted({name for uses in user.uses.values() for name in uses})
        used: Item = (" (", Sentence(", ".join(names[:4])), ")") if names else ()
        yield Row("Who breaks", "uses it", "tests" if user.test else "uses it", (Name(user.file), *used))
    for copy in plan.copies:
        yield Row("Changes too", "copies", "same code", (Name(copy),))
    for file in plan.changes_too:
        yield Row("Changes too", "may change with it", "may change with it", (File(file),))
    known = {*plan.tests, *plan.changes_too, *(step.file for step in plan.reading)}
    for number, command in enumerate(plan.commands):
        yield command_row("Test", command, known, needed=not number)
    for test in plan.tests:
        yield Row("Test", "tests", "reach it", (File(test),))
    for limit in plan.limits:
        yield Row("Not known", "limits", "", (Sentence(limit),))
