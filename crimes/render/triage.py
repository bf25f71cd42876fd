"""Triage at a terminal: a finding to decide on, and how many are left."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime
from crimes.model.wording import count
from crimes.render.lines import Line, Span, line
from crimes.render.text import risk


def question(crime: Crime, number: int, total: int) -> Iterator[Line]:
    """What a person needs to decide."""
    yield line()
    yield line(
        f"{number} of {total}  ",
        Span(crime.severity, crime.severity),
        f"  {risk(crime).strip()}  {crime.type}  ",
        Span(f"{crime.file}:{crime.lines.start}", "path"),
        f"  {crime.symbol}" if crime.symbol else "",
        fixed=True,
    )
    yield line(crime.message, indent=2)


def decisions_left(left: int) -> Iterator[Line]:
    """How much is left to do."""
    yield line()
    yield line(f"{count(left, 'finding')} without a decision." if left else "Every finding has its decision.")
