"""The page of a fleet, with the look of the map: a treemap of repositories, then the lists of the report. It needs no script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from crimes.model.wording import count, cut_at_word
from crimes.render.html.elements import Html, shortened, table, tag
from crimes.render.html.page_top import navigation, section_head
from crimes.render.html.scales import limits_of, step_of
from crimes.render.html.shell import page
from crimes.render.html.treemap import GRID, build_tree, lay_out, shape_for
from crimes.render.risk_text import YEAR_OF_EACH

if TYPE_CHECKING:
    from crimes.workflows.fleet.report import FleetReport, RankedRepository

_WIDTH, _HEIGHT = 1200, 520
_HEADER = 17  # height of a team's name
_CHAR_WIDTH = 6.4  # of a label, about
_MAX_REASON_CHARS = 200
_MAX_ROWS = 500  # of a list; the JSON has all
_SECTIONS = {
    "map": "Map",
    "repositories": "Repositories",
    "changes": "Changes",
    "files": "Files",
    "types": "Findings",
    "unranked": "Not ranked",
    "failed": "Not scanned",
}


def fleet_page(report: FleetReport) -> bytes:
    """The report on a run of a fleet as one page."""
    sections = {
        "map": _map(report),
        "repositories": _repositories(report),
        "changes": _changes(report),
        "files": _files(report),
        "types": _types(report),
        "unranked": _unranked(report),
        "failed": _failed(report),
    }
    shown = {key: content for key, content in sections.items() if content is not None}
    body = tag(
        "div",
        tag("a", "Skip to the lists", href="#repositories", class_="skip"),
        _top(report),
        navigation({key: _SECTIONS[key] for key in shown}),
        tag("main", *(_section(key, content) for key, content in shown.items()), class_="wide"),
        tag(
            "footer",
            tag(
                "div",
                f"Made by {report.tool.name} {report.tool.version}. This file makes no requests and sends nothing.",
                class_="wide",
            ),
        ),
    )
    return page(f"Fleet {report.run.id}", body, styles=("map.css",))


def _section(key: str, content: Html) -> Html:
    return tag("section", content, id=key, aria_labelledby=f"{key}-title")


def _top(report: FleetReport) -> Html:
    line = tag(
        "div",
        tag(
            "div",
            tag("p", "Fleet of repositories", class_="eyebrow"),
            tag("h1", f"Run {report.run.id}", class_="path-title"),
        ),
        tag("p", f"began {report.run.began}", class_="muted small"),
        class_="line",
    )
    figures = (
        ("Repositories", f"{report.run.repositories:,}", ""),
        ("Ranked", f"{len(report.repositories):,}", "trusted scans"),
        ("Not ranked", f"{len(report.unranked):,}", "saw too little"),
        ("Not scanned", f"{len(report.failed):,}", ""),
        ("Lines of code", f"{report.lines:,}", "in trusted scans"),
        ("Findings", f"{report.findings:,}", "in trusted scans"),
    )
    items = [
        tag("div", tag("dt", name), tag("dd", value, " " if note else "", tag("small", note)))
        for name, value, note in figures
    ]
    notes = [tag("p", note, class_="muted small") for note in report.notes]
    return tag("header", line, tag("dl", *items, class_="figures"), *notes, class_="top wide")


def _team(report: FleetReport, row: RankedRepository) -> str:
    return row.group if report.by == "group" else row.tags.get(report.by, "")


def _map(report: FleetReport) -> Html | None:
    rows = report.repositories
    if not rows:
        return None
    limits = limits_of([row.risk_per_kloc for row in rows])
    # A slash in a name would be a folder of its own: the only folders here are teams.
    names = [f"{_plain(_team(report, row) or 'none')}/{number}" for number, row in enumerate(rows)]
    tree = build_tree(names)
    layouts = lay_out(tree, {number: row.lines for number, row in enumerate(rows)})

    def cells(folder: int, x: float, y: float, width: float, height: float) -> Iterator[Html]:
        layout = layouts[folder]
        boxes = layout.boxes[shape_for(max(width, 1), max(height, 1))]
        for child, (left, top, right, bottom) in zip(layout.children, boxes, strict=True):
            room = (
                x + width * left / GRID,
                y + height * top / GRID,
                width * (right - left) / GRID,
                height * (bottom - top) / GRID,
            )
            if child < 0:
                path = tree.folders[-child - 1].path
                yield _rect(room, "folder", path)
                yield _label(room, path, "folder-name", 12)
                yield from cells(
                    -child - 1,
                    room[0] + 1.5,
                    room[1] + _HEADER,
                    max(room[2] - 3, 1),
                    max(room[3] - _HEADER - 1.5, 1),
                )
            else:
                row = rows[child]
                step = f"step-{step_of(row.risk_per_kloc, limits)}"
                text = f"{row.repository}: {row.risk_per_kloc:.2f} risk per 1,000 lines, {count(row.lines, 'line')}"
                yield _rect(room, f"file {step}", text)
                if room[2] > 46 and room[3] > 18:
                    yield _label(room, row.repository, f"file-name on-{step}", 13)

    picture = tag(
        "svg",
        tag("g", *cells(0, 0, 0, _WIDTH, _HEIGHT), class_="cells"),
        id="treemap",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        aria_label=f"Treemap of trusted repositories by {report.by}; the list below has the same numbers",
    )
    legend = f"Trusted scans by {report.by}. Area is lines of code; the colour goes from low to high risk per 1,000 lines."
    return tag("div", section_head("map", "Map", legend), tag("div", picture, class_="card"))


def _plain(name: str) -> str:
    return name.replace("/", "∕")


def _rect(room: tuple[float, float, float, float], class_: str, title: str) -> Html:
    x, y, width, height = room
    return tag(
        "rect",
        tag("title", title),
        class_=class_,
        x=round(x, 1),
        y=round(y, 1),
        width=round(max(width - 1, 0.5), 1),
        height=round(max(height - 1, 0.5), 1),
    )


def _label(room: tuple[float, float, float, float], text: str, class_: str, down: int) -> Html:
    most = int((room[2] - 8) / _CHAR_WIDTH)
    if most < 2:
        return Html("")
    shown = text if len(text) <= most else f"{text[: most - 1]}…"
    return tag("text", shown, class_=class_, x=round(room[0] + 4, 1), y=round(room[1] + down, 1))


def _list(
    key: str, caption: str, titles: Sequence[str], rows: Sequence[Sequence[str]], remark: str = ""
) -> Html | None:
    if not rows:
        return None
    more = f" The first {_MAX_ROWS:,} of {len(rows):,}; the JSON has all." if len(rows) > _MAX_ROWS else ""
    content = tag("div", table(caption, titles, rows[:_MAX_ROWS]), class_="card scroll")
    return tag("div", section_head(key, _SECTIONS[key], f"{remark}{more}".strip()), content)


def _repositories(report: FleetReport) -> Html | None:
    rows = [
        (
            row.repository,
            f"{row.rank:,}",
            _team(report, row),
            f"{row.risk_per_kloc:.2f}",
            f"{row.findings:,}",
            f"{row.high:,}",
            f"{row.findings_per_kloc:.2f}",
            f"{row.lines:,}",
            row.language,
        )
        for row in report.repositories
    ]
    titles = (
        "Repository",
        "Rank",
        report.by.capitalize(),
        "Risk per 1,000 lines",
        "Findings",
        "High",
        "Findings per 1,000 lines",
        "Lines",
        "Language",
    )
    return _list(
        "repositories", "Trusted repositories by risk", titles, rows, "Only trusted scans are ranked."
    )


def _changes(report: FleetReport) -> Html | None:
    rows = [
        (
            row.repository,
            f"{row.change.commit[:10]} to {row.commit[:10]}",
            f"{row.change.findings:+,}",
            f"{row.change.risk_per_kloc:+.2f}",
        )
        for row in sorted(
            (row for row in report.repositories if row.change),
            key=lambda row: (-(row.change.risk_per_kloc if row.change else 0.0), row.repository),
        )
        if row.change
    ]
    rows += [(name, "new in the fleet", "", "") for name in report.added]
    rows += [(name, "no longer in the fleet", "", "") for name in report.removed]
    titles = ("Repository", "Commits", "Findings", "Risk per 1,000 lines")
    return _list(
        "changes", f"Changes since run {report.previous}", titles, rows, "Most additional risk first."
    )


def _files(report: FleetReport) -> Html | None:
    rows = [
        (
            f"{row.repository} {row.file}",
            f"{row.edit_risk:.2f}",
            row.band,
            f"{row.lines:,}",
            f"{row.complexity:,}",
            f"{row.commits_365d:,}",
            f"{row.fixes_365d:,}",
        )
        for row in report.files
    ]
    titles = ("File", "Edit risk", "Files like it that need a fix", "Lines", "Complexity", "Commits", "Fixes")
    return _list(
        "files",
        "Files most likely to need a fix, of all trusted repositories",
        titles,
        rows,
        f"{YEAR_OF_EACH.capitalize()}.",
    )


def _types(report: FleetReport) -> Html | None:
    teams = [team.team for team in report.teams]
    rows = [
        (
            row.type,
            f"{row.findings:,}",
            f"{row.per_kloc:.2f}",
            f"{row.repositories:,}",
            *(f"{row.by_team.get(team, 0):,}" for team in teams),
        )
        for row in report.types
    ]
    titles = ("Type", "Findings", "Per 1,000 lines", "Repositories", *(team or "none" for team in teams))
    return _list("types", f"Findings by type and {report.by}, in trusted scans", titles, rows)


def _unranked(report: FleetReport) -> Html | None:
    rows = [
        (
            row.repository,
            row.trust,
            shortened(cut_at_word("; ".join(row.reasons), _MAX_REASON_CHARS)),
            f"{row.findings:,}",
            f"{row.lines:,}",
        )
        for row in report.unranked
    ]
    titles = ("Repository", "Trust", "Why", "Findings", "Lines")
    return _list("unranked", "Scans that saw too little to be compared", titles, rows)


def _failed(report: FleetReport) -> Html | None:
    rows = [(row.repository, row.status, row.reason) for row in report.failed]
    return _list("failed", "Repositories without a scan", ("Repository", "Status", "Why"), rows)
