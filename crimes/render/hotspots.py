"""Hotspots for people: two rankings of files, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.wording import count
from crimes.render.lines import Line, Span, heading, line
from crimes.workflows.hotspots import Hotspot, Hotspots


def lines(found: Hotspots, *, terminal: bool) -> Iterator[Line]:
    """Both rankings and what was ranked; piped, one file a line with the ranking before it."""
    rankings = (
        ("riskiest", "Riskiest", found.riskiest),
        ("per line", "Riskiest per line", found.riskiest_per_line),
    )
    for name, title, files in rankings:
        if terminal and files:
            yield line(Span(title, "heading"))
        for number, one in enumerate(files, 1):
            score = f"{one.score:,}" if name == "riskiest" else f"{one.per_line:,.1f}"
            if terminal:
                yield line(f"{number:>3}  {score:>9}  ", Span(one.file, "path"), fixed=True)
                yield line(_told(one), indent=16)
            else:
                yield line(f"{name} {number}: {one.file}: {score}; {_told(one)}")
        if terminal and files:
            yield line()
    floors = found.floors
    yield line(
        f"{found.repository}: {count(found.ranked, 'hotspot')} of {count(found.files, 'file')}, from {floors.commits_365d} "
        f"commits in a year and cognitive complexity {floors.complexity} on; per line from {floors.lines_per_line} lines on."
    )
    if found.history.limited:
        yield from heading("Not covered") if terminal else ()
        yield line(f"History is not whole, so files are missing here: {found.history.reason}.")


def _told(one: Hotspot) -> str:
    fixes = f" ({count(one.fixes_365d, 'fix') if one.fixes_365d == 1 else f'{one.fixes_365d} fixes'})"
    risk = f", worst {one.worst_risk:.2f}" if one.worst_risk is not None else ""
    return (
        f"{count(one.commits_365d, 'commit')} in a year{fixes if one.fixes_365d else ''}, complexity {one.complexity:,} "
        f"in {count(one.lines, 'line')}, most in {one.hardest}, {count(one.findings, 'finding')}{risk}"
    )
