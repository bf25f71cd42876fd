"""Things to say, the most useful first, and as many of them as a budget allows; as markdown. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from crimes.model.lazy_regex import regex
from crimes.model.sanitize import safe

BYTES = 4  # counted as one token
_LONGEST = 300  # characters of one text from the repository
_LONGEST_NAME = 1_000  # which somebody may copy
_IN_BACKTICKS = regex("(?<!`)`([^`]+)`(?!`)")
# An underscore inside a word means nothing, and names are full of them.
_SPECIAL = regex(r"([\\`*\[\]<>&@])")


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
    """A path in a list of them, and a word on it: those of one folder are written as `folder/{one, other}`."""

    path: str
    note: str = ""


class Names(NamedTuple):
    """Several paths of one folder."""

    text: str


Part = str | Name | Quote | Sentence | File | Names
Item = tuple[Part, ...]


class Row(NamedTuple):
    """One thing to say. Those with the same label become one line, in order."""

    section: str
    kind: str  # what it is called when it is left out
    label: str  # "" for a line of its own
    parts: Item
    needed: bool = False  # said before all others, if it takes no more than a third of the room
    short: Item = ()  # how to say it where there is no room for all of it
    names: tuple[str, ...] = ()  # paths that a reader finds in it: a list of them need not say them again


class Fitted(NamedTuple):
    """What fits: sections of lines, how many of which kind were left out, the bytes it takes and those all would."""

    sections: tuple[tuple[str, tuple[Item, ...]], ...]
    left_out: dict[str, int]
    used: int
    whole: int


def command_row(section: str, command: str, known: Container[str], *, needed: bool) -> Row:
    """A command that runs tests. Where it is too long, it runs the first of those that it names from the root."""
    words = () if command.startswith("cd ") else tuple(command.split())
    tests = tuple(word for word in words if word in known)
    first = " ".join(word for word in words if word not in tests[1:])
    short: Item = ("run ", Name(first)) if tests[1:] else ()
    return Row(section, "test commands", "", ("run ", Name(command)), needed, short, tests)


def fit(rows: Sequence[Row], shares: Mapping[str, float], room: int) -> Fitted:
    """The rows that fit into so many bytes: what is needed, each section within its share, then what is left goes from the top."""
    filling = _Filling(rows)
    filling.take(dict.fromkeys(shares, room / 3), room, needed=True)
    filling.take({title: share * room for title, share in shares.items()}, room)
    filling.take(dict.fromkeys(shares, room), room)
    left: dict[str, int] = {}
    for index, row in enumerate(rows):
        if index not in filling.taken and not filling.is_said(row):
            left[row.kind] = left.get(row.kind, 0) + 1
    said = tuple(_sections([filling.taken[index] for index in sorted(filling.taken)], shares))
    used = filling.used
    endless = sum(filling.costs) + sum(len(row.section) + len(row.label) + 10 for row in rows)
    filling.take(dict.fromkeys(shares, endless), endless)
    return Fitted(said, left, used, filling.used)


class _Filling:
    """Rows that were taken, and the bytes that they take as markdown."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self.costs = [len(written(row.parts).encode()) for row in rows]
        self._folders = [_folder(row) for row in rows]
        self._opened: dict[tuple[str, ...], int] = {}
        self._named: set[str] = set()
        self._spent: dict[str, int] = {}
        self.taken: dict[int, Row] = {}  # as they are said
        self.used = 0

    def take(self, limits: Mapping[str, float], room: int, *, needed: bool = False) -> None:
        """Take from the top what fits into the limit of its section; a section ends with the first that does not."""
        full: set[str] = set()
        for index, row in enumerate(self._rows):
            if index in self.taken or row.section in full or row.needed < needed or self.is_said(row):
                continue
            spent = self._spent.get(row.section, 0)
            free = min(room - self.used, limits[row.section] - spent)
            cost, said = self._cost(index, self.costs[index]), row
            if cost > free and row.short:
                said = row._replace(parts=row.short, names=())
                cost = self._cost(index, len(written(row.short).encode()))
            if cost > free:
                full.add(row.section)
                continue
            self.used += cost
            self._spent[row.section] = spent + cost
            for place in self._places(index):
                self._opened[place] = self._opened.get(place, 0) + 1
            self._named.update(said.names, (part.path for part in said.parts if isinstance(part, File)))
            self.taken[index] = said

    def is_said(self, row: Row) -> bool:
        """Whether all that a row would tell is a path, and another one names it."""
        part = row.parts[0]
        return isinstance(part, File) and not part.note and part.path in self._named

    def _places(self, index: int) -> tuple[tuple[str, ...], ...]:
        """The section, the line and the group of paths that a row is written in."""
        row, folder = self._rows[index], self._folders[index]
        places: tuple[tuple[str, ...], ...] = (
            (row.section,),
            (row.section, row.label),
            (row.section, row.label, folder),
        )
        return places[: 1 if not row.label else 3 if folder else 2]

    def _cost(self, index: int, own: int) -> int:
        """What a row adds to the text: its own bytes, what parts it from the one before, and what it is the first to open."""
        row, folder = self._rows[index], self._folders[index]
        section, line, group = (*self._places(index), (), ())[:3]
        cost = own + (2 if row.label else 3)
        if section not in self._opened:
            cost += len(row.section) + 5
        if row.label and line not in self._opened:
            cost += len(row.label) + 3
        if group and group in self._opened:
            # Only its name goes into the group, without backticks; the second one brings the braces.
            cost -= len(safe(folder).encode()) + 3 - 2 * (self._opened[group] == 1)
        return cost


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
    folders: dict[str, list[File]] = {}
    for row in rows:
        if (folder := _folder(row)) and isinstance(row.parts[0], File):
            folders.setdefault(folder, []).append(row.parts[0])
    for row in rows:
        folder = _folder(row)
        if not folder:
            yield row.parts
        elif files := folders.pop(folder, None):
            names = [f"{file.path.removeprefix(f'{folder}/')}{file.note}" for file in files]
            yield (Names(f"{folder}/{{{', '.join(names)}}}"),) if len(names) > 1 else (files[0],)


def _folder(row: Row) -> str:
    """The folder of a path that can be grouped; nothing for other rows, and for names that would be misread."""
    path = row.parts[0].path if isinstance(row.parts[0], File) else ""
    folder, _, name = path.rpartition("/")
    return "" if set("{},") & set(name) or "`" in path or len(path) > _LONGEST else folder


def section_rows(sections: Iterable[tuple[str, tuple[Item, ...]]]) -> Iterator[str]:
    """Sections as lines of markdown."""
    for title, items in sections:
        yield from ("", f"## {title}", *("- " + written(item) for item in items))


def left_out_text(left: Mapping[str, int]) -> str:
    return "Left out: " + ", ".join(f"{kind} ({number})" for kind, number in left.items()) + ". "


def written(item: Iterable[Part]) -> str:
    """A line as markdown."""
    return "".join(_marked(part) for part in item)


def _marked(part: Part) -> str:
    match part:
        case Name(text):
            return code(text)
        case File(path, note):
            return code(path) + note
        case Names(text):  # as many as there is room for: none is cut
            return f"`{safe(text)}`"
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
