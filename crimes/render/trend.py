"""Scans over time for people: a row per scan, then the counts of each detector and each folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from crimes.model.wording import count
from crimes.render.glyphs import sparkline
from crimes.render.lines import Line, Span, heading, line
from crimes.workflows.trend import Point, Trend


def lines(
    trend: Trend, *, last: int, terminal: bool, pictures: bool = False, place: str = ""
) -> Iterator[Line]:
    """The last scans, oldest first, and the change between the first and the last of them; a table on a terminal only.

    `pictures` adds sparklines; `place` is the option that names the repository, where one is needed.
    """
    points = trend.points[-last:]
    if not points:
        yield line(
            f"{trend.repository}: no recorded scans. Run `crimes scan{place}` to record one, or `crimes trend --backfill 12{place}` "
            "for one a month of the past year."
        )
        return
    if terminal:
        yield line(
            Span("date        commit        findings   high  medium    low  per 1,000 lines", "heading"),
            fixed=True,
        )
    for before, point in zip((None, *points), points, strict=False):
        yield line(_row(point, terminal) + _remark(before, point), fixed=True)
    first, now = points[0], points[-1]
    if pictures and len(points) > 1:
        yield from _sparklines(points)
    for kind, old, new in (
        ("detector", first.by_detector, now.by_detector),
        ("folder", first.by_folder, now.by_folder),
    ):
        if terminal:
            yield from heading(f"By {kind}")
        yield from _changes(old, new, "" if terminal else kind)
    if terminal:
        yield line()
    yield line(f"{trend.repository}: {count(len(trend.points), 'scan')}.")


def _sparklines(points: Sequence[Point]) -> Iterator[Line]:
    yield from heading("Over these scans")
    for name, values in (
        ("findings", [point.findings for point in points]),
        ("high and medium", [point.high + point.medium for point in points]),
        ("lines of code", [point.lines for point in points]),
    ):
        yield line(f"{name:<15}  {sparkline(values)}  {values[0]:,} to {values[-1]:,}", indent=2, fixed=True)


def _row(point: Point, terminal: bool) -> str:
    density = 1000 * point.findings / point.lines if point.lines else 0.0
    day, commit = point.time[:10], point.commit[:12]
    if terminal:
        return (
            f"{day}  {commit:<12}  {point.findings:>8,}  {point.high:>5,}  {point.medium:>6,}  "
            f"{point.low:>5,}  {density:>15.2f}"
        )
    levels = f"{point.high:,} high, {point.medium:,} medium, {point.low:,} low"
    return f"scan {day} {commit}: {count(point.findings, 'finding')}, {levels}, {density:.2f} per 1,000 lines"


def _remark(before: Point | None, now: Point) -> str:
    """What makes two scans hard to compare."""
    if before is None:
        return ""
    if before.detectors != now.detectors:
        return "  different detectors than before"
    return f"  crimes {now.tool}, was {before.tool}" if before.tool != now.tool else ""


def _changes(old: Mapping[str, int], new: Mapping[str, int], kind: str) -> Iterator[Line]:
    """Each name with its count and change; `kind` precedes the name where there is no heading."""
    names = sorted({*old, *new}, key=lambda name: (-new.get(name, 0), name))
    for name in names:
        was, now = old.get(name, 0), new.get(name, 0)
        change = f"{now - was:+,}" if now != was else "="
        yield line(
            f"{kind} {name}: {now:,} ({change})" if kind else f"{now:>8,}  {change:>6}  {name}", fixed=True
        )
    if not names and not kind:
        yield line("no findings", indent=2)
