"""Things to say, the most useful first, and as many of them as a budget allows; as markdown. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from crimes.views.safe import safe

BYTES = 4  # counted as one token
_LONGEST = 300  # characters of one text from the repository
_LONGEST_NAME = 1_000  # which somebody may copy
_IN_BACKTICKS = re.compile("(?<!`)`([^`]+)`(?!`)")
# An underscore inside a word means nothing, and names are full of them.
_SPECIAL = re.compile(r"([\\`*\[\]<>&@])")


class Name(NamedTuple):
    """Text of the repository that is a name: a path, a symbol, a command."""

    text: str


class Quote(NamedTuple):
    """Text of the repository: a commit's subject, a person's name."""

    text: str


class Sentence(NamedTuple):
    """A sentence of ours about the repository; names stand in backticks."""

    text: str


class File(NamedTuple):
    """A path in a list of them: those of one folder are written as `folder/{one, other}`."""

    path: str


Part = str | Name | Quote | Sentence | File
Item = tuple[Part, ...]


class Row(NamedTuple):
    """One thing to say. Those with the same label become one line, in order."""

    section: str
    kind: str  # what it is called when it is left out
    label: str  # "" for a line of its own
    parts: Item
    needed: bool = False  # said before all others, if it takes no more than a third of the room


class Fitted(NamedTuple):
    """What fits: sections of lines, how many of which kind were left out, the bytes it takes and those all would."""

    sections: tuple[tuple[str, tuple[Item, ...]], ...]
    left_out: dict[str, int]
    used: int
    whole: int


def fit(rows: Sequence[Row], shares: Mapping[str, float], room: int) -> Fitted:
    """The rows that fit into so many bytes: what is needed, each section within its share, then what is left goes from the top."""
    costs = [len(written(row.parts).encode()) + 4 for row in rows]
    folders = [_folder(row) for row in rows]
    free = room
    taken: set[int] = set()
    opened: set[str] = set()
    spent = dict.fromkeys(shares, 0.0)

    def take(limits: Mapping[str, float], *, needed: bool = False) -> None:
        nonlocal free
        full: set[str] = set()
        for index, row in enumerate(rows):
            if index in taken or row.section in full or row.needed < needed:
                continue
            new = {row.section, f"{row.section}/{row.label}"} - opened
            cost = costs[index] + sum(len(name) + 4 for name in new)
            folder = folders[index]
            if folder and f"{row.label}/{folder}" in opened:
                cost -= len(folder.encode()) + 1
            elif folder:
                new.add(f"{row.label}/{folder}")
            if cost > min(free, limits[row.section] - spent[row.section]):
                full.add(row.section)
                continue
            free -= cost
            spent[row.section] += cost
            opened.update(new)
            taken.add(index)

    take(dict.fromkeys(shares, room / 3), needed=True)
    take({title: share * room for title, share in shares.items()})
    take(dict.fromkeys(shares, room))
    left: dict[str, int] = {}
    for index, row in enumerate(rows):
        if index not in taken:
            left[row.kind] = left.get(row.kind, 0) + 1
    said = tuple(_sections([rows[index] for index in sorted(taken)], shares))
    return Fitted(said, left, room - free, sum(costs) + 60 * len(shares))


def _sections(rows: Sequence[Row], titles: Iterable[str]) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """By title: lines, of which each holds the rows with its label."""
    for title in titles:
        lines: dict[str, list[Row]] = {}
        for number, row in enumerate(row for row in rows if row.section == title):
            lines.setdefault(row.label or f" {number}", []).append(row)
        if lines:
            yield title, tuple(_line(together) for together in lines.values())


def _line(rows: Sequence[Row]) -> Item:
    """Rows with one label as one line."""
    label = rows[0].label
    pieces = list(_grouped(rows))
    joined = [part for piece in pieces for part in (", ", *piece)][1:]
    return (f"{label}: ", *joined) if label else tuple(joined)


def _grouped(rows: Sequence[Row]) -> Iterator[Item]:
    """The parts of each row; paths of one folder as one, where the first of them stands."""
    folders: dict[str, list[str]] = {}
    for row in rows:
        if folder := _folder(row):
            folders.setdefault(folder, []).append(_path(row).removeprefix(f"{folder}/"))
    for row in rows:
        folder = _folder(row)
        if not folder:
            path = _path(row)
            yield (Name(path),) if path else row.parts
        elif names := folders.pop(folder, None):
            inner = names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
            yield (Name(f"{folder}/{inner}"),)


def _path(row: Row) -> str:
    return row.parts[0].path if isinstance(row.parts[0], File) else ""


def _folder(row: Row) -> str:
    """The folder of a path that can be grouped; nothing for other rows, and for names that would be misread."""
    folder, _, name = _path(row).rpartition("/")
    return "" if set("{},") & set(name) else folder


def section_rows(sections: Iterable[tuple[str, tuple[Item, ...]]]) -> Iterator[str]:
    """Sections as lines of markdown."""
    for title, items in sections:
        yield from ("", f"## {title}", *("- " + written(item) for item in items))


def left_out_text(left: Mapping[str, int]) -> str:
    return "Left out: " + ", ".join(f"{kind} ({number})" for kind, number in left.items()) + ". "


def count(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def written(item: Iterable[Part]) -> str:
    """A line as markdown."""
    return "".join(_marked(part) for part in item)


def _marked(part: Part) -> str:
    match part:
        case Name(text) | File(text):
            return code(text)
        case Quote(text):
            return _SPECIAL.sub(r"\\\1", _clipped(text))
        case Sentence(text):
            pieces = enumerate(_IN_BACKTICKS.split(_clipped(text)))
            return "".join(_marked(Name(piece) if at % 2 else Quote(piece)) for at, piece in pieces)
        case _:
            return part


def code(text: str) -> str:
    """A code span, with a fence longer than any run of backticks inside it."""
    shown = _clipped(text, _LONGEST_NAME)
    if "`" not in shown:
        return f"`{shown}`"
    fence = "`" * (max(len(run) for run in re.findall("`+", shown)) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _clipped(text: str, longest: int = _LONGEST) -> str:
    shown = safe(text)
    return shown if len(shown) <= longest else shown[: longest - 3] + "..."
