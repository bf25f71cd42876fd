"""A plan as a page within a budget."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from crimes.render.fitted_page import FittedPage, fit_page
from crimes.render.fitting import File, Item, Name, Row, Sentence, command_row, tests_to_list
from crimes.render.risk_text import YEAR, risk_sentence
from crimes.workflows.briefing.plan import Plan

_ENDING_BYTES = 400  # kept for what was left out
_MAX_CALL_CHARS = 160
_SHARES = {
    "Edit risk": 0.15,
    "Read in this order": 0.25,
    "Used by": 0.2,
    "May change too": 0.2,
    "Test": 0.2,
    "Not known": 0.0,
}


def fit_plan(plan: Plan, budget: int, place: str = "") -> FittedPage:
    """The plan within `budget` tokens; `place` is the option that names the repository, where one is needed."""
    number = len(plan.reading)
    title = f"Plan for {number} file{'' if number == 1 else 's'}"
    return fit_page(
        title,
        _rows(plan),
        _SHARES,
        budget,
        _ENDING_BYTES,
        lambda needed: _call(plan, needed, place),
        plan.trust,
    )


def _call(plan: Plan, budget: int, place: str) -> str:
    files = " ".join(
        shlex.quote(f"{step.file}:{part}" if part else step.file)
        for step in plan.reading
        for part in step.parts or ("",)
    )
    call = f"crimes plan {files} --budget {budget}{place}"
    return call if len(call) <= _MAX_CALL_CHARS else f"the same command with --budget {budget}"


def _rows(plan: Plan) -> Iterator[Row]:
    for number, ranked in enumerate(plan.by_risk()):
        text = (Name(ranked.file), f": {risk_sentence(ranked, plan.ranked_files, YEAR)}")
        yield Row("Edit risk", "ranked files", "", text, needed=not number)
    for step in plan.reading:
        place = f"{step.file}:{', '.join(step.parts)}" if any(step.parts) else step.file
        parts: list[str | Name | Sentence] = [Name(place)]
        if facts := "; ".join(filter(None, (step.finding, *step.places))):
            parts += [" (", Sentence(facts), ")"]
        if step.why:
            parts += [": ", Sentence(step.why)]
        yield Row("Read in this order", "files to read", "", tuple(parts))
    for user in plan.breaks:
        names = sorted({name for uses in user.uses.values() for name in uses})
        used: Item = (" (", Sentence(", ".join(names[:4])), ")") if names else ()
        yield Row("Used by", "uses it", "tests" if user.test else "uses it", (Name(user.file), *used))
    for copy in plan.copies:
        yield Row("May change too", "copies", "same code", (Name(copy),))
    for file in plan.changes_too:
        yield Row("May change too", "may change with it", "may change with it", (File(file),))
    known = {*plan.tests, *plan.changes_too, *(step.file for step in plan.reading)}
    other = "other " if plan.commands else ""
    for number, command in enumerate(plan.commands):
        yield command_row("Test", command, known, needed=not number)
    for test in tests_to_list(plan.tests, plan.tests_not_run, plan.commands):
        yield Row("Test", "tests", f"{other}test files that reach it", (File(test),))
    for limit in plan.limits:
        yield Row("Not known", "limits", "", (Sentence(limit),))
