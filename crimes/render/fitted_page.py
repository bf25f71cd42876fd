"""A page of sections within a budget of tokens: as markdown, and as lines for a person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from crimes.model.sanitize import safe
from crimes.render.fitting import BYTES_PER_TOKEN, Item, Row, budget_for, fit, left_out_text, page
from crimes.render.lines import Line, Span, line, section_lines
from crimes.render.trust_text import TRUST_STYLE


class FittedPage(NamedTuple):
    """A title, how far to trust the scan unless it is trusted, what fits of the rows, and a last line on what was left out."""

    title: str
    sections: tuple[tuple[str, tuple[Item, ...]], ...]
    ending: str
    trust: str = ""

    def markdown(self) -> str:
        trust = f"\nTrust: {safe(self.trust)}" if self.trust else ""
        return page(f"# {safe(self.title)}{trust}", self.sections, self.ending)

    def lines(self) -> Iterator[Line]:
        yield line(Span(self.title, "path"))
        if self.trust:
            yield line("Trust: ", Span(self.trust, TRUST_STYLE.get(self.trust.partition(":")[0], "bad")))
        yield from section_lines(self.sections)
        if self.ending:
            yield line()
            yield line(self.ending)


def fit_page(
    title: str,
    rows: Iterable[Row],
    shares: Mapping[str, float],
    budget: int,
    ending_bytes: int,
    call_for: Callable[[int], str],
    trust: str = "",
) -> FittedPage:
    """The page within `budget` tokens. `shares` are those of the sections; `call_for` names the call with a larger budget."""
    trust_bytes = len(trust.encode())
    fitted = fit(list(rows), shares, budget * BYTES_PER_TOKEN - ending_bytes - trust_bytes)
    if not fitted.left_out:
        return FittedPage(title, fitted.sections, "", trust)
    call = call_for(budget_for(fitted.total_bytes + ending_bytes + trust_bytes))
    return FittedPage(
        title, fitted.sections, f"{left_out_text(fitted.left_out)}Show all: {safe(call)}", trust
    )
