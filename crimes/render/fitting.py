"""Rows of text, the most useful first, as many as a budget allows, and their markdown. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from crimes.model.lazy_regex import regex
from crimes.model.sanitize import safe

BYTES_PER_TOKEN = 4
_MAX_TEXT_CHARS = 300  # of one text from the repository
_MAX_NAME_CHARS = 1_000  # longer than a text: somebody may copy it
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
    """A path in a list of paths, with a note; those of one folder are written as `folder/{first, second}`."""

    path: str
    note: str = ""


class Names(NamedTuple):
    """Several paths of one folder."""

    text: str


class Nested(NamedTuple):
    """The first part of a line that belongs to the one above it, and is indented under it."""

    text: str = ""


Part = str | Name | Quote | Sentence | File | Names | Nested
Item = tuple[Part, ...]


class Row(NamedTuple):
    """One piece of text. Rows with the same label become one line, in order."""

    section: str
    kind: str  # what it is called when it is left out
    label: str  # "" for a line of its own
    parts: Item
    needed: bool = False  # taken before all others, if it takes no more than a third of the room
    short: Item = ()  # used instead of `parts` where those do not fit
    names: tuple[str, ...] = ()  # paths it mentions: lists of paths leave them out


class Fitted(NamedTuple):
    """Sections of lines that fit, how many rows of each kind were left out, and the bytes that all rows would take."""

    sections: tuple[tuple[str, tuple[Item, ...]], ...]
    left_out: dict[str, int]
    total_bytes: int


def command_row(section: str, command: str, known: Container[str], *, needed: bool) -> Row:
    """A command that runs tests; its short form runs only the first of the test files in it."""
    words = () if command.startswith("cd ") else tuple(command.split())
    tests = tuple(word for word in words if word in known)
    first = " ".join(word for word in words if word not in tests[1:])
    short: Item = ("run ", Name(first)) if tests[1:] else ()
    return Row(section, "test commands", "", ("run ", Name(command)), needed, short, tests)


def tests_to_list(tests: Sequence[str], not_run: Sequence[str], commands: Sequence[str]) -> Iterator[str]:
    """The tests to list beside the commands: those that none runs, and those that only its long form may name."""
    named = {word for command in commands for word in command.split()}
    left_out = {*not_run}
    return (test for test in tests if test in left_out or test in named)


def fit(rows: Sequence[Row], shares: Mapping[str, float], room: int) -> Fitted:
    """The rows that fit into `room` bytes: needed ones, each section up to its share, then the rest from the top."""
    filling = _Filling(rows)
    filling.take(dict.fromkeys(shares, room / 3), room, needed=True)
    filling.take({title: share * room for title, share in shares.items()}, room)
    filling.take(dict.fromkeys(shares, room), room)
    left: dict[str, int] = {}
    for index, row in enumerate(rows):
        if index not in filling.taken and not filling.is_redundant(row):
            left[row.kind] = left.get(row.kind, 0) + 1
    sections = tuple(_sections([filling.taken[index] for index in sorted(filling.taken)], shares))
    endless = sum(filling.costs) + sum(len(row.section) + len(row.label) + 10 for row in rows)
    filling.take(dict.fromkeys(shares, endless), endless)
    return Fitted(sections, left, filling.used)


def budget_for(size: int) -> int:
    """The tokens that hold so many bytes, in full hundreds."""
    return -(-size // (100 * BYTES_PER_TOKEN)) * 100


class _Filling:
    """The rows taken so far, and the bytes they need as markdown."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self.costs = [len(to_markdown(row.parts).encode()) for row in rows]
        self._folders = [_folder(row) for row in rows]
        self._opened: dict[tuple[str, ...], int] = {}
        self._named: set[str] = set()  # paths in taken commands
        self._listed: set[tuple[str, str]] = set()  # section and path of taken rows
        self._spent: dict[str, int] = {}
        self.taken: dict[int, Row] = {}  # by index; in the short form where only that fits
        self.used = 0

    def take(self, limits: Mapping[str, float], room: int, *, needed: bool = False) -> None:
        """Take rows from the top; a section ends with the first row that exceeds its limit."""
        full: set[str] = set()
        for index, row in enumerate(self._rows):
            if index in self.taken or row.section in full or row.needed < needed or self.is_redundant(row):
                continue
            spent = self._spent.get(row.section, 0)
            free = min(room - self.used, limits[row.section] - spent)
            cost, taken = self._cost(index, self.costs[index]), row
            if cost > free and row.short:
                taken = row._replace(parts=row.short, names=row.names[:1])
                cost = self._cost(index, len(to_markdown(row.short).encode()))
            if cost > free:
                full.add(row.section)
                continue
            self.used += cost
            self._spent[row.section] = spent + cost
            for place in self._places(index):
                self._opened[place] = self._opened.get(place, 0) + 1
            self._named.update(taken.names)
            self._listed.update((row.section, part.path) for part in taken.parts if isinstance(part, File))
            self.taken[index] = taken

    def is_redundant(self, row: Row) -> bool:
        """Whether the row is a bare path that a command names, or a taken row of its section."""
        part = row.parts[0]
        if not isinstance(part, File) or part.note:
            return False
        return part.path in self._named or (row.section, part.path) in self._listed

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
        """The bytes a row adds: its own, its separator, and the section, label or braces that it opens."""
        row, folder = self._rows[index], self._folders[index]
        section, line, group = (*self._places(index), (), ())[:3]
        cost = own + (2 if row.label else 3)
        if section not in self._opened:
            cost += len(row.section) + 5
        if row.label and line not in self._opened:
            cost += len(row.label) + 3
        if group and group in self._opened:
            # A group takes only the bare name, without backticks; its second member adds the braces.
            cost -= len(safe(folder).encode()) + 3 - 2 * (self._opened[group] == 1)
        return cost


def _sections(rows: Sequence[Row], titles: Iterable[str]) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Each title with its lines; a line joins the rows of one label."""
    for title in titles:
        lines: dict[str, list[Row]] = {}
        for number, row in enumerate(row for row in rows if row.section == title):
            lines.setdefault(row.label or f" {number}", []).append(row)
        if lines:
            yield title, tuple(_line(labelled) for labelled in lines.values())


def _line(rows: Sequence[Row]) -> Item:
    """Rows with one label as one line."""
    label = rows[0].label
    joined = [part for item in _group_paths(rows) for part in (", ", *item)][1:]
    return (f"{label}: ", *joined) if label else tuple(joined)


def _group_paths(rows: Sequence[Row]) -> Iterator[Item]:
    """The parts of each row; paths of one folder become one item, in the place of the first."""
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
    """The folder of a path that can be grouped; empty for other rows, and for names that braces would garble."""
    path = row.parts[0].path if isinstance(row.parts[0], File) else ""
    folder, _, name = path.rpartition("/")
    return "" if set("{},") & set(name) or "`" in path or len(path) > _MAX_TEXT_CHARS else folder


def section_rows(sections: Iterable[tuple[str, tuple[Item, ...]]]) -> Iterator[str]:
    """Sections as lines of markdown."""
    for title, items in sections:
        yield from ("", f"## {title}", *map(_markdown_bullet, items))


def _markdown_bullet(item: Item) -> str:
    return f"{'  ' if isinstance(item[0], Nested) else ''}- {to_markdown(item).lstrip(' ')}"


def page(title: str, sections: Iterable[tuple[str, tuple[Item, ...]]], end: str) -> str:
    """A page of markdown: title, sections, and a last paragraph unless it is empty."""
    return "\n".join([title, *section_rows(sections), *(["", end] if end else [])]) + "\n"


def left_out_text(left: Mapping[str, int]) -> str:
    return "Not shown: " + ", ".join(f"{kind} ({number})" for kind, number in left.items()) + ". "


def to_markdown(item: Iterable[Part]) -> str:
    """A line as markdown."""
    return "".join(_part_markdown(part) for part in item)


def _part_markdown(part: Part) -> str:
    match part:
        case Name(text):
            return code_span(text)
        case File(path, note):
            return code_span(path) + note
        case Names(text):  # fitted to the room already: not clipped
            return f"`{safe(text)}`"
        case Nested():
            return "  "  # the indentation of its bullet
        case Quote(text):
            return _SPECIAL.sub(r"\\\1", _clip(text))
        case Sentence(text):
            pieces = enumerate(_IN_BACKTICKS.split(_clip(text)))
            return "".join(_part_markdown(Name(piece) if at % 2 else Quote(piece)) for at, piece in pieces)
        case _:
            return part


def code_span(text: str) -> str:
    """A code span, with a fence longer than any run of backticks inside it."""
    shown = _clip(text, _MAX_NAME_CHARS)
    if "`" not in shown:
        return f"`{shown}`"
    fence = "`" * (max(len(run) for run in re.findall("`+", shown)) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _clip(text: str, max_chars: int = _MAX_TEXT_CHARS) -> str:
    shown = safe(text)
    return shown if len(shown) <= max_chars else shown[: max_chars - 3] + "..."
