"""Briefings for a person: the same text as the markdown, styled for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crimes.render.brief import BUDGET, chosen
from crimes.render.fitting import Item
from crimes.render.lines import Line, Span, bullet, heading, line
from crimes.workflows.briefing.record import Briefing

_RUN = "run "  # before a command, which a terminal must not break: somebody will copy it


def lines(briefings: Sequence[Briefing], budget: int = BUDGET) -> Iterator[Line]:
    """The briefings of some files."""
    shown, end = chosen(briefings, budget)
    for number, one in enumerate(one for one in shown if one.title):
        if number:
            yield line()
        yield line(Span(one.title, "path"), fixed=True)
        yield line(Span(one.kind, "dim"))
        for title, items in one.sections:
            yield from heading(title)
            for item in items:
                yield bullet(*_texts(item), fixed=item[0] == _RUN)
    if end:
        yield line()
        yield line(*_texts(end))


def _texts(item: Item) -> Iterator[str]:
    for part in item:
        yield part if isinstance(part, str) else "".join(part)
