"""Hotspots for people: two rankings of files, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.wording import count
from crimes.render.lines import Line, Span, heading, line
from crimes.workflows.hotspots import Hotspot, Hotspots

_SCORE = "The score is commits in a year x cognitive complexity x (1 + the agent_risk of all findings in the file)."


def lines(hotspots: Hotspots, *, terminal: bool) -> Iterator[Line]:
    """Both rankings and what was ranked; piped, one file per line after the name of its ranking."""
    rankings = (
        ("risk", "Most risk", hotspots.riskiest),
        ("risk per line", "Most risk per line", hotspots.riskiest_per_line),
    )
    for name, title, files in rankings:
        if terminal and files:
            yield line(Span(title, "heading"))
        for number, hotspot in enumerate(files, 1):
            score = f"{hotspot.score:,}" if name == "risk" else f"{hotspot.per_line:,.1f} per line"
            if terminal:
                yield line(f"{number:>3}. ", Span(hotspot.file, "path"), f"  score {score}", fixed=True)
                yield line(_evidence(hotspot), indent=5)
            else:
                yield line(f"{name} {number}. {hotspot.file}: score {score}; {_evidence(hotspot)}")
        if terminal and files:
            yield line()
    floors = hotspots.floors
    remark = "" if terminal else "# "
    if hotspots.riskiest:
        yield line(f"{remark}{_SCORE}")
    yield line(
        f"{remark}{hotspots.repository}: {count(hotspots.ranked, 'hotspot')} in {count(hotspots.files, 'file')}. A hotspot has at "
        f"least {floors.commits_365d} commits in a year and a cognitive complexity of at least {floors.complexity}; the ranking per "
        f"line also needs at least {floors.lines_per_line} lines of code."
    )
    if hotspots.history.limited:
        yield from heading("Not analysed") if terminal else ()
        yield line(f"{remark}History is limited, so files are missing here: {hotspots.history.reason}.")


def _evidence(spot: Hotspot) -> str:
    fixes = f" ({spot.fixes_365d} fix{'' if spot.fixes_365d == 1 else 'es'})" if spot.fixes_365d else ""
    risk = f", the worst with agent_risk {spot.worst_risk:.2f}" if spot.worst_risk is not None else ""
    places = "".join(f"; {place}" for place in spot.places)
    return (
        f"{count(spot.commits_365d, 'commit')} in a year{fixes}, complexity {spot.complexity:,} "
        f"in {count(spot.lines, 'line')} of code, the largest share in {spot.hardest} ({spot.hardest_complexity:,}); "
        f"{count(spot.findings, 'finding')}{risk}{places}"
    )
