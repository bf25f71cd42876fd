"""Briefings for a person: the same text as the markdown, styled for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crimes.render.brief import DEFAULT_BUDGET, fit_briefings
from crimes.render.glyphs import sparkline
from crimes.render.lines import Line, Span, line, section_lines
from crimes.workflows.briefing.record import Briefing


def lines(
    briefings: Sequence[Briefing],
    budget: int = DEFAULT_BUDGET,
    *,
    pictures: bool = False,
    place: str = "",
) -> Iterator[Line]:
    """The briefings of some files; `pictures` adds a sparkline of a year of commits and fixes.

    `place` is the option that names the repository, where one is needed.
    """
    fitted, end = fit_briefings(briefings, budget, place)
    shown = [(whole, part) for whole, part in zip(briefings, fitted, strict=True) if part.title]
    for number, (whole, briefing) in enumerate(shown):
        if number:
            yield line()
        yield line(Span(briefing.title, "path"), fixed=True)
        if pictures:
            yield from _year(whole)
        *risk, facts = briefing.facts
        yield from map(line, risk)
        yield line(Span(facts, "dim"))
        yield from section_lines(briefing.sections)
    if end:
        yield line()
        yield line(*map("".join, end))


def _year(briefing: Briefing) -> Iterator[Line]:
    """Commits and fixes by month, the oldest first; nothing for a file without commits in a year."""
    months = briefing.months
    if not months.commits:
        return
    fixes = f"  fixes {sparkline(months.fixes)} {sum(months.fixes):,}" if months.fixes else ""
    yield line(
        Span(f"commits {sparkline(months.commits)} {sum(months.commits):,}{fixes}  in twelve months", "dim"),
        fixed=True,
    )
