"""The sections of the map page below the map. Their tables stand behind the pictures, and are all there is without scripts."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.analyses.folder_graph import Folder, FolderGraph
from crimes.model.report import Crime, Report
from crimes.model.wording import count
from crimes.render.html.elements import Html, prose, table, tag
from crimes.render.html.map_data import MapModel
from crimes.render.html.page_top import section_head
from crimes.render.html.pictures import folder_graph, trend_chart
from crimes.render.summary import coverage_data, omitted_findings, scan_gaps, totals
from crimes.render.text import fact_of, short_ids
from crimes.workflows.repository_map import RepositoryMap
from crimes.workflows.trend import Point

_MAX_STATIC_FILES = 100
_MAX_STATIC_FINDINGS = 200


def files_section(report: Report, model: MapModel) -> Html | None:
    """The table behind the treemap; scripts fill in the rest of it."""
    if not model.files:
        return None
    ranked = model.ranked
    order = sorted(
        model.files,
        key=lambda file: (
            ranked[file.path].rank if file.path in ranked else len(ranked) + 1,
            -file.lines,
            file.path,
        ),
    )[:_MAX_STATIC_FILES]
    rows = []
    for file in order:
        entry = ranked.get(file.path)
        rows.append(
            (
                tag("span", file.path, class_="path"),
                f"{entry.edit_risk:.1f}" if entry else "",
                entry.band if entry else "",
                f"{file.lines:,}",
                f"{file.complexity:,}",
                "" if file.commits_90d is None else f"{file.commits_90d:,}",
                "" if file.fixes_365d is None else f"{file.fixes_365d:,}",
            )
        )
    titles = (
        "File",
        "Edit risk",
        "Fix within six months",
        "Lines",
        "Complexity",
        "Recent commits",
        "Recent fixes",
    )
    caption = f"The first {len(rows):,} of {count(len(model.files), 'file')}, {'by edit risk' if ranked else 'the largest first'}"
    note = "The same files as on the map."
    if ranked:
        note += " Edit risk ranks source files and scripts."
    if model.reference:
        note += f" Recent are commits in the 90 days, and fixes in the year before {model.reference[:10]}."
    static = tag("div", table(caption, titles, rows, "files"), class_="card scroll", id="files-table")
    return tag("div", section_head("files", "Files", note), static)


def findings_section(report: Report) -> Html:
    text = totals(report)
    remarks = [*omitted_findings(report, verbose=False, hints=False), *coverage_data(report)]
    head = section_head("findings", "Findings", ". ".join((text[:1].upper() + text[1:], *remarks)) + ".")
    findings = report.code_findings
    if not findings:
        nothing = (
            "Nothing to list." if report.trust.is_collapsed or not report.trust.finished else "No findings."
        )
        return tag(
            "div",
            head,
            tag("div", tag("p", nothing, class_="empty"), class_="card"),
            tag("div", id="findings-list"),
        )
    short = short_ids((*report.findings, *report.hidden))
    rows = [_finding_row(crime, short[crime.id]) for crime in findings[:_MAX_STATIC_FINDINGS]]
    caption = f"{len(rows):,} of {count(len(findings), 'finding')}, the worst first"
    static = table(caption, ("Place", "Severity", "Type", "What is there", "agent_risk", "Id"), rows)
    return tag("div", head, tag("div", tag("div", static, class_="card scroll"), id="findings-list"))


def _finding_row(crime: Crime, short: str) -> tuple[str, ...]:
    risk = crime.scores.agent_risk
    return (
        tag("span", f"{crime.file}:{max(crime.lines.start, 1)}", class_="path"),
        str(crime.severity),
        crime.type,
        prose(fact_of(crime)),
        "" if risk is None else f"{risk:.2f}",
        tag("code", short),
    )


def imports_section(graph: FolderGraph | None, map_: RepositoryMap) -> Html | None:
    if map_.folders is None:
        return None
    if graph is None:
        nothing = tag("div", tag("p", "No folder imports another.", class_="empty"), class_="card")
        return tag("div", section_head("imports", "Imports between folders"), nothing)
    cycles = max((folder.cycle for folder in graph.folders), default=0)
    alone = f" {count(graph.alone, 'folder')} without imports to others left out." if graph.alone else ""
    note = (
        f"{count(len(graph.folders), 'folder')} of source files and scripts; a folder stands above those it imports. "
        f"{count(cycles, 'cycle') if cycles else 'No cycles'}"
        f"{', drawn dashed: their folders import each other when they are loaded.' if cycles else '.'}"
        f"{alone}"
    )
    rows = [_folder_row(graph, at, folder) for at, folder in enumerate(graph.folders)]
    titles = ("Folder", "Imported by", "Imports", "Files", "Lines", "Cycle")
    caption = "The folders of the picture, those that most others import first"
    details = tag(
        "details",
        tag("summary", "As a table"),
        tag("div", table(caption, titles, rows), class_="scroll"),
    )
    picture = tag("div", folder_graph(graph), class_="graph-room scroll")
    return tag(
        "div",
        section_head("imports", "Imports between folders", note),
        tag("div", picture, details, class_="card"),
    )


def _folder_row(graph: FolderGraph, at: int, folder: Folder) -> tuple[str, ...]:
    imports = [graph.folders[edge.target].path for edge in graph.edges if edge.source == at]
    inside = f" with {count(folder.folded, 'folder')} in it" if folder.folded else ""
    others = [
        other.path
        for other in graph.folders
        if folder.cycle and other.cycle == folder.cycle and other is not folder
    ]
    return (
        tag("span", f"{folder.path}{inside}", class_="path"),
        f"{folder.importers:,}",
        ", ".join(imports),
        f"{folder.files:,}",
        f"{folder.lines:,}",
        f"with {', '.join(others)}" if others else "",
    )


def trend_section(points: tuple[Point, ...]) -> Html:
    if len(points) < 2:
        text = "One scan is recorded so far." if points else "No scan is recorded."
        hint = tag(
            "p",
            text,
            " ",
            tag("code", "crimes trend --backfill 12"),
            " scans one commit a month of the past year.",
            class_="empty",
        )
        return tag("div", section_head("trend", "Trend"), tag("div", hint, class_="card"))
    rows = [
        (
            point.time[:10],
            point.commit[:9],
            f"{point.findings:,}",
            f"{point.high:,}",
            f"{point.medium:,}",
            f"{point.low:,}",
            f"{point.lines:,}",
            f"{1000 * point.findings / point.lines:.2f}" if point.lines else "",
        )
        for point in reversed(points)
    ]
    titles = ("Date", "Commit", "Findings", "High", "Medium", "Low", "Lines of code", "Per 1,000 lines")
    details = tag(
        "details",
        tag("summary", "As a table"),
        tag("div", table("Recorded scans, the newest first", titles, rows), class_="scroll"),
    )
    kinds = {point.detectors for point in points}
    note = "Findings of the recorded scans by severity."
    if len(kinds) > 1:
        note += " Not all scans ran the same detectors."
    key = tag(
        "p",
        *(
            tag("span", tag("span", class_=f"swatch level-{level}"), f" {level}", class_="entry")
            for level in ("high", "medium", "low")
        ),
        class_="legend small",
    )
    return tag(
        "div",
        section_head("trend", "Trend", note),
        tag("div", trend_chart(points), key, details, class_="card trend-room"),
    )


def unread_section(report: Report, model: MapModel) -> Html:
    gaps = [*scan_gaps(report, verbose=False), *model.missing]
    lists = list(_unread_lists(report))
    if not gaps:
        return tag(
            "div",
            section_head("unread", "What was not read"),
            tag("div", tag("p", "Every file was read.", class_="empty"), class_="card"),
        )
    items = tag("ul", *(tag("li", gap) for gap in gaps), class_="plain-list")
    return tag(
        "div", section_head("unread", "What was not read"), tag("div", items, *lists, class_="card padded")
    )


def _unread_lists(report: Report) -> Iterator[Html]:
    files = report.files
    for title, skipped in (("Files not read", files.skipped), ("Files read in part", files.partial)):
        if skipped:
            rows = [(tag("span", item.path, class_="path"), item.reason) for item in skipped[:500]]
            caption = f"{len(rows):,} of {count(len(skipped), 'file')}"
            yield tag(
                "details",
                tag("summary", title),
                tag("div", table(caption, ("File", "Reason"), rows), class_="scroll"),
            )
    if files.not_supported:
        ordered = sorted(files.not_supported.items(), key=lambda item: (-item[1], item[0]))
        counts = [(name or "no extension", f"{number:,}") for name, number in ordered[:100]]
        kinds = table("Files that no detector reads, by extension", ("Extension", "Files"), counts)
        yield tag(
            "details", tag("summary", "Files that no detector reads"), tag("div", kinds, class_="scroll")
        )
