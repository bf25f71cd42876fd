"""Briefings for a person: the same text as the markdown, styled for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crimes.render.brief import DEFAULT_BUDGET, fit_briefings
from crimes.render.lines import Line, Span, line, section_lines
from crimes.workflows.briefing.record import Briefing


def lines(briefings: Sequence[Briefing], budget: int = DEFAULT_BUDGET) -> Iterator[Line]:
    """The briefings of some files."""
    fitted, end = fit_briefings(briefings, budget)
    for number, briefing in enumerate(briefing for briefing in fitted if briefing.title):
        if number:
            yield line()
        yield line(Span(briefing.title, "path"), fixed=True)
        *risk, facts = briefing.facts
        yield from map(line, risk)
        yield line(Span(facts, "dim"))
        yield from section_lines(briefing.sections)
    if end:
        yield line()
        yield line(*map("".join, end))
