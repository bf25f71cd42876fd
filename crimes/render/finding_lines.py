"""Findings for a person at a terminal: one row each where the width allows, else the fact below its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from crimes.model.report import Crime
from crimes.model.sanitize import safe
from crimes.render.lines import Line, Link, Span, line, no_link
from crimes.render.text import fact_of, risk

_DEFAULT_COLUMNS = 100
_NARROW_COLUMNS = 80  # below that the fact begins further left


class Layout(Struct, frozen=True):
    """How findings are laid out: room, links, short ids, and the mark of those that failed a gate."""

    short: Mapping[str, str]
    columns: int = _DEFAULT_COLUMNS
    link: Link = no_link
    failed: Collection[str] = ()
    fail_mark: str = "✗"

    @property
    def fact_indent(self) -> int:
        """The columns before a fact on a row of its own: below the place, or below the risk where room is scarce."""
        before = self._mark_columns + len("severity  ")
        return before if self.columns < _NARROW_COLUMNS else before + len("0.00  ")

    @property
    def _mark_columns(self) -> int:
        return len(self.fail_mark) + 1 if self.failed else 0

    def rows(
        self, crime: Crime, *, in_file: bool = False, note: str = "", gone: bool = False
    ) -> Iterator[Line]:
        """The finding. `in_file` leaves out its path, which a heading names; `gone` is for code that is not there any more."""
        place = f"line {crime.lines.start}" if in_file else f"{crime.file}:{crime.lines.start}"
        head: tuple[str | Span, ...] = (
            *self._mark(crime),
            Span(f"{crime.severity:8}", crime.severity),
            f"  {risk(crime)}  ",
            Span(place, "path", "" if gone else self.link(crime.file, crime.lines.start)),
        )
        symbol = Span(f"  {crime.symbol}" if crime.symbol else "", "path")
        fact = f"{note}: {fact_of(crime)}" if note else fact_of(crime)
        label = f"{crime.type} {self.short[crime.id]}"
        id_ = Span(f"  {label}", "dim")
        if self._fits(*head, symbol, "  ", fact, id_):
            yield line(*head, symbol, "  ", fact, id_, fixed=True)
            return
        if self._fits(*head, symbol, id_):
            yield line(*head, symbol, id_, fixed=True)
        else:
            yield line(*head, fixed=True)
            below = (Span(crime.symbol, "path"), id_) if crime.symbol else (Span(label, "dim"),)
            yield line(*below, indent=self.fact_indent)
        yield line(fact, indent=self.fact_indent)

    def header(self, place: str, note: str = "") -> Line:
        """The names of what a row holds, with a note where it fits. They are no headings of columns: rows have no columns
        beyond the second, and `agent_risk` is wider than its values."""
        texts = [
            f"severity, agent_risk{scale}, {place}, symbol, type, id{order}"
            for scale in (" (0 to 1, ranks findings)", " (0 to 1)")
            for order in (note, "")
        ]
        return line(Span(next(filter(self._fits, texts), texts[-1]), "dim"))

    def aside(self, text: str, brief: str, indent: int) -> Line:
        """A remark on a finding: on one row where it fits, else in `brief`, wrapped as prose."""
        fits = self._fits(" " * indent, text)
        return line(Span(text if fits else brief, "dim"), indent=indent, fixed=fits)

    def _mark(self, crime: Crime) -> tuple[Span, ...]:
        if not self.failed:
            return ()
        mark = self.fail_mark if crime.id in self.failed else " " * len(self.fail_mark)
        return (Span(f"{mark} ", "mark"),)

    def _fits(self, *parts: str | Span) -> bool:
        from rich.cells import cell_len

        texts = (part.text if isinstance(part, Span) else part for part in parts)
        return sum(cell_len(safe(text)) for text in texts) <= self.columns
