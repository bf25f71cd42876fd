"""The map page: trust first, then the treemap, files, findings, imports between folders, the trend, and what was not read.

Everything is there without scripts; with them the treemap zooms, tables sort and filter, and a file opens beside the map.
"""

from __future__ import annotations

from collections.abc import Mapping

from crimes.detection.detector import Detector
from crimes.model.report import Report
from crimes.render.html.elements import Html, tag
from crimes.render.html.findings_data import Read, findings_data
from crimes.render.html.map_data import MapModel, build_model, map_data
from crimes.render.html.map_sections import (
    files_section,
    findings_section,
    imports_section,
    trend_section,
    unread_section,
)
from crimes.render.html.page_top import footer, navigation, page_top, section_head
from crimes.render.html.pictures import legend_text, treemap
from crimes.render.html.shell import page
from crimes.workflows.repository_map import RepositoryMap

_STYLES = ("map.css",)
_SCRIPTS = (
    "model.js",
    "highlight.js",
    "treemap.js",
    "charts.js",
    "panel.js",
    "tables.js",
    "graph.js",
    "map.js",
)
_SECTIONS = {
    "map": "Map",
    "files": "Files",
    "findings": "Findings",
    "imports": "Imports",
    "trend": "Trend",
    "unread": "Not read",
}


def map_page(report: Report, map_: RepositoryMap, detectors: Mapping[str, Detector], read: Read) -> bytes:
    """The page of a report; `read` gives the bytes of a file for code frames, or None."""
    model = build_model(report, map_)
    number = {file.path: at for at, file in enumerate(model.files)}
    graph = map_.folders if map_.folders and map_.folders.edges else None
    data = {
        **map_data(model),
        **findings_data(report, number, detectors, read),
        "graph": [folder.path for folder in graph.folders] if graph else [],
        "reference": report.history.reference_time[:10],
        "withheld": report.trust.withheld,
    }
    sections = {
        "map": _map(report, model),
        "files": files_section(report, model),
        "findings": findings_section(report),
        "imports": imports_section(graph, map_) if model.files else None,
        "trend": trend_section(map_.points),
        "unread": unread_section(report, model),
    }
    shown = {key: content for key, content in sections.items() if content is not None}
    body = tag(
        "div",
        tag("a", "Skip to the map", href="#map", class_="skip"),
        page_top(report),
        navigation({key: title for key, title in _SECTIONS.items() if key in shown}),
        tag("main", *(_section(key, content) for key, content in shown.items()), class_="wide"),
        footer(report),
    )
    return page(f"{report.repository}: map", body, styles=_STYLES, scripts=_SCRIPTS, data=data)


def _section(key: str, content: Html) -> Html:
    return tag("section", content, id=key, aria_labelledby=f"{key}-title", tabindex=-1)


def _map(report: Report, model: MapModel) -> Html:
    if not model.files:
        nothing = "No source files found." if not report.files.read else "No file has lines of code to draw."
        if report.trust.is_collapsed or not report.trust.finished:
            nothing = "Too little was read to draw a map."
        return tag(
            "div", section_head("map", "Map"), tag("div", tag("p", nothing, class_="empty"), class_="card")
        )
    remark = legend_text(model.colouring)
    if report.edit_risk.withheld:
        remark = f"No edit risk: {report.edit_risk.withheld}. {remark}"
    picture = tag("div", treemap(model), id="treemap-room", class_="treemap-room")
    note = tag("p", remark, class_="muted small", id="map-remark")
    missing = tag("p", " ".join(model.missing), class_="muted small") if model.missing else Html()
    keys = "Click a folder to zoom in and a file to open it; or use the arrow keys, Enter, and Escape to go back."
    stage = tag(
        "div",
        tag("div", id="crumbs", class_="crumbs scripted-only"),
        picture,
        tag("div", _static_legend(), id="legend", class_="legend"),
        note,
        tag("p", keys, id="keys", class_="muted small scripted-only no-print"),
        missing,
        class_="stage",
    )
    panel = tag(
        "aside", id="panel", class_="panel card scripted-only", aria_label="The chosen file", tabindex=-1
    )
    return tag(
        "div",
        section_head("map", "Map"),
        _controls(model),
        tag("div", stage, panel, class_="map"),
        tag("p", id="announcement", class_="for-readers", role="status"),
    )


def _controls(model: MapModel) -> Html:
    """What the scripts fill in: colour, filters and search."""
    colours = [tag("option", colouring.title, value=colouring.key) for colouring in model.colourings()]
    return tag(
        "div",
        tag("label", "Colour", tag("select", *colours, id="colour"), class_="field"),
        tag("label", "Files", tag("select", id="role"), class_="field", id="role-field"),
        tag("label", "Language", tag("select", id="language"), class_="field", id="language-field"),
        tag("label", "With findings", tag("select", id="severity"), class_="field", id="severity-field"),
        tag(
            "label",
            "Search",
            tag("input", id="search", type="search", placeholder="part of a path", autocomplete="off"),
            class_="field grow",
        ),
        class_="controls scripted-only no-print",
        role="search",
        aria_label="What the map shows",
    )


def _static_legend() -> Html:
    swatches = [tag("span", class_=f"swatch step-{step}") for step in range(8)]
    return tag("span", "low ", *swatches, " high", class_="scale")
