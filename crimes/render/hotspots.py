"""Hotspots for people: files by edit risk, each with what its place rests on."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.edit_risk import UnrankedFile
from crimes.model.wording import count
from crimes.render.glyphs import bar
from crimes.render.lines import Line, Span, line
from crimes.render.risk_text import LIMITED, counts_text, edit_risk_text
from crimes.render.text import MIN_ID_CHARS
from crimes.workflows.hotspots import PER_LINE, HotFunction, Hotspot, Hotspots


def lines(hotspots: Hotspots, *, terminal: bool, pictures: bool = False) -> Iterator[Line]:
    """What the order means and the files in that order; piped, one file per line, remarks after `# `.

    One line is all when nothing stands out. `pictures` adds a bar of edit risk to each file.
    """
    yield from (line(text if terminal else f"# {text}") for text in remarks(hotspots))
    if pictures and len(hotspots.files) > 1 and not hotspots.calm:
        yield line("The bars compare edit risk with the highest here.")
    if not hotspots.calm:
        if terminal and (hotspots.files or hotspots.unranked):
            yield line()
        highest = max((spot.edit_risk for spot in hotspots.files), default=0) or 1
        for spot in hotspots.files:
            place = spot.rank_per_line if hotspots.order == PER_LINE else spot.rank
            risk = bar(spot.edit_risk / highest) if pictures else ""
            yield from _for_people(place, spot, risk) if terminal else _piped(place, spot)
        yield from (line(f"{'     ' if terminal else ''}{unranked_row(file)}") for file in hotspots.unranked)


def row(spot: Hotspot, place: int, *, brief: bool = False) -> str:
    """A file in one line, with its place in the whole repository; `brief` leaves out what was found in it."""
    text = counts_text(spot) if brief else _evidence(spot)
    return f"{place}. {spot.file}: {edit_risk_text(spot)}; {text}"


def unranked_row(file: UnrankedFile) -> str:
    """A file whose rank is withheld in one line."""
    complexity = f"complexity {file.complexity:,} in " if file.complexity else ""
    return f"{file.file}: {complexity}{count(file.lines, 'line')}"


def remarks(hotspots: Hotspots) -> Iterator[str]:
    """How far to trust the scan; what was ranked, by what, and how to read it; or that there is nothing to see."""
    if hotspots.trust:
        yield f"Trust: {hotspots.trust}"
    if hotspots.withheld:
        yield f"{hotspots.repository}: files are not ranked: {hotspots.withheld}."
        if hotspots.unranked:
            shown = f"{len(hotspots.unranked):,} of {count(hotspots.asked, 'file')}"
            yield f"{shown} listed, the largest first: size alone does not say which file will need the next fix."
        if hotspots.unranked and hotspots.history.limited:
            yield f"{LIMITED.capitalize()}: {hotspots.history.reason}."
        return
    if not hotspots.files:
        yield f"No source files to rank in {hotspots.repository}."
        return
    if hotspots.calm:
        first = min(hotspots.files, key=lambda spot: spot.rank)
        yield (
            f"{hotspots.repository}: nothing stands out in {count(hotspots.asked, 'file')}. Even of files like the riskiest, "
            f"{first.file}, fewer than 1 in 20 need a fix within six months."
        )
        return
    order = "fixes to expect per line read" if hotspots.order == PER_LINE else "edit risk"
    shown = f"{len(hotspots.files):,} of " if len(hotspots.files) < hotspots.asked else ""
    whole = f" ({hotspots.ranked:,} in the whole repository)" if hotspots.asked != hotspots.ranked else ""
    yield f"{hotspots.repository}: {shown}{count(hotspots.asked, 'file')}{whole}, ranked by {order}."
    if hotspots.history_limited:
        known = (
            ", complexity and the commits that are visible"
            if hotspots.history.commits
            else " and complexity alone"
        )
        yield f"{LIMITED.capitalize()}: {hotspots.history_limited}. The ranks rest on size{known}."
        return
    yield (
        "Each file has the share of similar files that needed a fix within six months. Commits and fixes are those of "
        f"the year before {hotspots.history.reference_time[:10]}."
    )
    if any(spot.functions for spot in hotspots.files):
        yield "Below a file are its functions, with their complexity and the fixes that changed them in the past three years."


def _for_people(place: int, spot: Hotspot, risk: str) -> Iterator[Line]:
    picture = (Span(f"{risk} ", "mark"),) if risk else ()
    yield line(f"{place:>3}. ", *picture, Span(spot.file, "path"), fixed=True)
    yield line(f"{edit_risk_text(spot)}; {_evidence(spot)}", indent=5)
    for function in spot.functions:
        yield line(f"lines {function.start}-{function.end}  {_function(function)}", indent=7, hang=2)


def _piped(place: int, spot: Hotspot) -> Iterator[Line]:
    yield line(row(spot, place))
    for function in spot.functions:
        yield line(f"  {spot.file}:{function.start}-{function.end}: {_function(function)}")


def _function(function: HotFunction) -> str:
    fixes = f", changed by {count(function.fixes, 'fix', 'fixes')}" if function.fixes else ""
    return f"{function.name}: complexity {function.complexity:,}{fixes}"


def _evidence(spot: Hotspot) -> str:
    worst = f"the worst {spot.worst_id[:MIN_ID_CHARS]}" if spot.findings > 1 else spot.worst_id[:MIN_ID_CHARS]
    findings = f"{count(spot.findings, 'finding')}, {worst}" if spot.findings else ""
    return "; ".join(filter(None, (counts_text(spot), findings, *spot.places)))
