"""Pictures drawn without scripts: the treemap, the graph of folders, the trend. Scripts on a page draw over the first and light up the second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2

from crimes.analyses.folder_graph import Folder, FolderGraph
from crimes.model.wording import count
from crimes.render.html.elements import Html, shortened, tag
from crimes.render.html.map_data import MapModel
from crimes.render.html.scales import OWNER, step_of
from crimes.render.html.treemap import GRID, shape_for
from crimes.workflows.trend import Point

MAP_WIDTH, MAP_HEIGHT = 1200, 680
_HEADER = 17  # height of a folder's name
_GAP = 1.5  # around what is in a folder
_MIN_HEADER_WIDTH, _MIN_HEADER_HEIGHT = 54, 44
_CHAR_WIDTH = 7.2  # of a label, at most

_NODE_WIDTH, _NODE_HEIGHT, _LAYER_HEIGHT, _COLUMN_WIDTH = 150, 34, 66, 172
_MAX_NODES_IN_ROW = 7

TREND_WIDTH, TREND_HEIGHT = 1200, 240
_LEVELS = ("high", "medium", "low")


class _Room:
    """A rectangle to draw in."""

    __slots__ = ("height", "width", "x", "y")

    def __init__(self, x: float, y: float, width: float, height: float) -> None:
        self.x, self.y, self.width, self.height = x, y, width, height


def treemap(model: MapModel, *, width: int = MAP_WIDTH, height: int = MAP_HEIGHT) -> Html:
    """The treemap of source files and scripts in its first colour."""
    cells = tag("g", *_cells(model, 0, _Room(0, 0, width, height)), class_="cells")
    return tag(
        "svg",
        cells,
        id="treemap",
        viewBox=f"0 0 {width} {height}",
        role="group",
        aria_label="Treemap of folders and files",
    )


def _cells(model: MapModel, folder: int, room: _Room) -> Iterator[Html]:
    layout = model.code.get(folder)
    if layout is None or room.width < 1 or room.height < 1:
        return
    boxes = layout.boxes[shape_for(room.width, room.height)]
    for child, (left, top, right, bottom) in zip(layout.children, boxes, strict=True):
        place = _Room(
            room.x + room.width * left / GRID,
            room.y + room.height * top / GRID,
            room.width * (right - left) / GRID,
            room.height * (bottom - top) / GRID,
        )
        if child >= 0:
            yield from _file_cell(model, child, place)
        else:
            yield from _folder_cell(model, -child - 1, place)


def _folder_cell(model: MapModel, folder: int, place: _Room) -> Iterator[Html]:
    name = model.tree.folders[folder].name
    named = place.width >= _MIN_HEADER_WIDTH and place.height >= _MIN_HEADER_HEIGHT
    yield _rect(place, "folder", tag("title", model.tree.folders[folder].path))
    if named:
        yield _label(place, name, "folder-name", 12)
    top = _HEADER if named else _GAP
    yield from _cells(
        model, folder, _Room(place.x + _GAP, place.y + top, place.width - 2 * _GAP, place.height - top - _GAP)
    )


def _file_cell(model: MapModel, file: int, place: _Room) -> Iterator[Html]:
    if place.width * place.height < 4:
        return
    entry, step = model.files[file], _step(model, file)
    yield _rect(place, f"file {step}", tag("title", f"{entry.path}: {count(entry.lines, 'line')}"))
    if place.width > 46 and place.height > 18:
        yield _label(place, entry.path.rpartition("/")[2], f"file-name on-{step}", 13)


def _step(model: MapModel, file: int) -> str:
    value = model.value(file, model.colouring)
    return "none" if value is None else f"step-{step_of(value, model.limits[model.colouring])}"


def _rect(place: _Room, class_: str, *content: Html) -> Html:
    sides = {
        "x": place.x,
        "y": place.y,
        "width": max(place.width - 1, 0.5),
        "height": max(place.height - 1, 0.5),
    }
    return tag("rect", *content, class_=class_, **{name: round(value, 1) for name, value in sides.items()})


def _label(place: _Room, text: str, class_: str, down: int) -> Html:
    most = int((place.width - 8) / _CHAR_WIDTH)
    shown = text if len(text) <= most else f"{text[: max(most - 1, 1)]}…"
    return tag("text", shown, class_=class_, x=round(place.x + 4, 1), y=round(place.y + down, 1))


def legend_text(colouring: str) -> str:
    """What the colours of the picture without scripts mean."""
    if colouring == OWNER:
        return ""
    what = "edit risk" if colouring == "risk" else "complexity"
    return f"Area is lines of code; the colour goes from low to high {what}."


def folder_graph(graph: FolderGraph) -> Html:
    """The folders in layers, those that others rest on at the bottom; imports that close a cycle are marked."""
    places, columns, height = _graph_places(graph.folders)
    edges = []
    for edge in sorted(graph.edges, key=lambda edge: (edge.in_cycle, edge.imports)):
        start, end = places[edge.source], places[edge.target]
        names = f"{graph.folders[edge.source].path} imports {graph.folders[edge.target].path}"
        edges.append(
            tag(
                "path",
                tag(
                    "title",
                    f"{names}: {count(edge.imports, 'import')}{', part of a cycle' if edge.in_cycle else ''}",
                ),
                d=_curve(start, end),
                class_="edge cyclic" if edge.in_cycle else "edge",
                data_from=edge.source,
                data_to=edge.target,
                stroke_width=round(1 + log2(edge.imports) / 3, 2),
            )
        )
    nodes = [_node(number, folder, *places[number]) for number, folder in enumerate(graph.folders)]
    return tag(
        "svg",
        tag("g", *edges, class_="edges"),
        tag("g", *nodes, class_="nodes"),
        id="graph",
        class_=f"columns-{columns}",  # how wide it is drawn
        viewBox=f"0 0 {columns * _COLUMN_WIDTH} {height}",
        role="group",
        aria_label="Imports between folders; the table below has the same",
    )


def _graph_places(folders: Sequence[Folder]) -> tuple[list[tuple[float, float]], int, int]:
    """The middle of each folder, and how many columns wide and how high the picture is. A layer with many folders takes several rows."""
    layers: dict[int, list[tuple[int, int]]] = {}
    for number, folder in enumerate(folders):
        layers.setdefault(folder.layer, []).append((folder.place, number))
    rows: list[list[int]] = []
    for _, layer in sorted(layers.items()):
        members = [number for _, number in sorted(layer)]
        size = -(-len(members) // -(-len(members) // _MAX_NODES_IN_ROW))
        rows += (members[start : start + size] for start in range(0, len(members), size))
    columns = max(map(len, rows), default=1)
    places: list[tuple[float, float]] = [(0.0, 0.0)] * len(folders)
    for number, row in enumerate(rows):
        y = _NODE_HEIGHT / 2 + 6 + number * _LAYER_HEIGHT
        for at, folder_number in enumerate(row):
            places[folder_number] = (columns * _COLUMN_WIDTH * (at + 0.5) / len(row), y)
    return places, columns, (len(rows) - 1) * _LAYER_HEIGHT + _NODE_HEIGHT + 14


def _curve(start: tuple[float, float], end: tuple[float, float]) -> str:
    """From the lower side of a folder to the upper side of one below it; the other way round where it goes up."""
    (x1, y1), (x2, y2) = start, end
    half = _NODE_HEIGHT / 2
    if y1 == y2:
        return f"M{x1:.0f} {y1 + half:.0f}Q{(x1 + x2) / 2:.0f} {y1 + half + 26:.0f} {x2:.0f} {y2 + half:.0f}"
    y1, y2 = (y1 + half, y2 - half) if y1 < y2 else (y1 - half, y2 + half)
    middle = (y1 + y2) / 2
    return f"M{x1:.0f} {y1:.0f}C{x1:.0f} {middle:.0f} {x2:.0f} {middle:.0f} {x2:.0f} {y2:.0f}"


def _node(number: int, folder: Folder, x: float, y: float) -> Html:
    *above, name = _two_parts(folder.path)
    place = f"{_fitted(above[0], 16)} · " if above else ""
    about = (
        f"{folder.path}: {count(folder.files, 'file')}, {count(folder.lines, 'line')} of code, imported by {count(folder.importers, 'folder')}"
        f"{', in a cycle' if folder.cycle else ''}"
    )
    left, top = round(x - _NODE_WIDTH / 2, 1), round(y - _NODE_HEIGHT / 2, 1)
    return tag(
        "g",
        tag("title", about),
        tag("rect", x=left, y=top, width=_NODE_WIDTH, height=_NODE_HEIGHT, rx=6),
        tag("text", _fitted(name, 21), class_="name", x=round(x, 1), y=top + 15, text_anchor="middle"),
        tag(
            "text",
            f"{place}{count(folder.lines, 'line')}",
            class_="size",
            x=round(x, 1),
            y=top + 27,
            text_anchor="middle",
        ),
        class_="node cyclic" if folder.cycle else "node",
        data_folder=number,
        aria_label=about,
    )


def _two_parts(path: str) -> tuple[str, ...]:
    """The last two names of a path, after the rest of it where there is more."""
    parts = path.split("/")
    return ("/".join(parts[:-2]), "/".join(parts[-2:])) if len(parts) > 2 else (path,)


def _fitted(name: str, most: int) -> str:
    return name if len(name) <= most else f"…{name[-most + 1 :]}"


def trend_chart(points: Sequence[Point]) -> Html:
    """Findings of the recorded scans by severity, one column a scan, with the lines of code above it."""
    most = max((point.findings for point in points), default=0) or 1
    left, bottom, top = 46, TREND_HEIGHT - 34, 14
    room = (TREND_WIDTH - left - 10) / len(points)
    width = min(room * 0.7, 56)
    parts = [
        tag("line", x1=left, x2=TREND_WIDTH - 10, y1=bottom, y2=bottom, class_="axis"),
        tag("text", f"{most:,}", class_="tick", x=left - 8, y=top + 4, text_anchor="end"),
        tag("text", "0", class_="tick", x=left - 8, y=bottom + 4, text_anchor="end"),
    ]
    every = max(1, round(90 / room))
    for number, point in enumerate(points):
        x, y = left + room * (number + 0.5), float(bottom)
        about = f"{point.time[:10]}, {point.commit[:9]}: {count(point.findings, 'finding')}, {point.high:,} high, {point.medium:,} medium, {point.low:,} low"
        columns = []
        for level in reversed(_LEVELS):
            height = (bottom - top) * getattr(point, level) / most
            y -= height
            if height:
                columns.append(
                    tag(
                        "rect",
                        x=round(x - width / 2, 1),
                        y=round(y, 1),
                        width=round(width, 1),
                        height=round(height, 1),
                        class_=f"level-{level}",
                    )
                )
        parts.append(tag("g", tag("title", about), *columns))
        if number % every == 0 or number == len(points) - 1:
            parts.append(
                tag(
                    "text", point.time[:10], class_="tick", x=round(x, 1), y=bottom + 18, text_anchor="middle"
                )
            )
    first, last = points[0], points[-1]
    label = f"Findings from {first.time[:10]} to {last.time[:10]}: {first.findings:,} to {last.findings:,}"
    return tag(
        "svg",
        *parts,
        viewBox=f"0 0 {TREND_WIDTH} {TREND_HEIGHT}",
        role="img",
        aria_label=shortened(label),
        class_="trend",
    )
