"""A scan compared with a baseline, for people: what is new, and what the baseline can drop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from crimes.model.wording import count
from crimes.render.lines import Line, Span, line
from crimes.render.text import risk, short_ids
from crimes.render.trust_text import gate_line
from crimes.tracking.baseline import BaselineCheck


def lines(check: BaselineCheck) -> Iterator[Line]:
    """One line per finding, the same on a terminal and elsewhere; then the totals."""
    short = short_ids(check.new)
    for crime in check.new:
        yield line(
            f"new: {crime.file}:{crime.lines.start}: ",
            Span(crime.severity, crime.severity),
            f" {crime.type} {risk(crime).strip()} [{short[crime.id]}] {crime.message}",
        )
    for stale in check.stale:
        symbol = f" {stale.symbol}" if stale.symbol else ""
        yield line(f"stale: {stale.file}: {stale.type}{symbol} is gone")
    for why, number in sorted(Counter(check.unclear.values()).items()):
        yield line(f"unclear: {count(number, 'finding')}: {why}")
    totals = f"{count(len(check.new), 'new finding')}, {check.known:,} known, {len(check.stale):,} stale"
    yield line(Span(f"{check.repository}: {totals}, compared with {check.baseline}.", "heading"))
    if check.stale:
        yield line("Run `crimes baseline save` to drop stale entries; it also records new findings as known.")
    for text in check.warnings:
        yield line(f"Warning: {text}")
    if check.gate is not None:
        yield line(gate_line(check.gate))
