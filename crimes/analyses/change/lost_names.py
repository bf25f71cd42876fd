"""What a change took away: files that are gone or moved, and names that files no longer provide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from crimes.analyses.change.state import State, last_word, provided_names
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

# What binds a constant in a class: `static final int LIMIT =`, `const LIMIT`, `const LIMIT: usize =`, `Rate LIMIT =`, and a line
# that begins with capitals.
_CONSTANT = regex(
    r"\b(?:const|static)\s++([A-Za-z_]\w++)\s*+:(?!:)|\b(?:static|const|readonly)\b[^;=({]{0,100}?\b([A-Za-z_]\w++)\s*+[=;]|\bval\s++([A-Z]\w++)\s*+[:=]|^\s++(?:[\w<>\[\].,?]++\s++)*([A-Z][A-Z0-9_]{2,})\s*(?:[=(,;]|$)"
)
_OWN_MEMBERS = regex(r"impl(?:<[^{]*?>)?\s+(\w+)(?:<[^{]*>)?\s*(?:where\b|\{|$)", within=500)
_WORD = regex(r"\w+")


class ChangedFile(Struct, frozen=True):
    """A file that differs: its name in the earlier and in the later state, empty where it is not there."""

    old: str
    new: str


class Changes(Struct, frozen=True, dict=True):
    """All files that differ between two states."""

    files: tuple[ChangedFile, ...]

    @cached_property
    def new_names(self) -> Mapping[str, str]:
        """By earlier name the later one; empty for a deleted file."""
        return {file.old: file.new for file in self.files if file.old}

    @cached_property
    def touched(self) -> frozenset[str]:
        """Every name of either state."""
        return frozenset(name for file in self.files for name in (file.old, file.new) if name)

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Names that only the later state has, moved files included."""
        return tuple(sorted(file.new for file in self.files if file.new and file.old != file.new))

    def now(self, path: str) -> str:
        """What a file of the earlier state is called in the later one; empty if it is gone."""
        return self.new_names.get(path, path)


class Lost(Struct, frozen=True):
    """What others cannot take from a file any more."""

    path: str  # in the earlier state
    now: str  # in the later state; empty for a deleted file
    names: frozenset[str]  # all of them, if the file is gone or moved
    constants: frozenset[str] = frozenset()  # of classes, `Order.LIMIT`; none if the file is gone

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left under the earlier path."""
        return self.now != self.path


def find_lost(before: State, after: State, changes: Changes) -> dict[str, Lost]:
    """What each changed file lost, by its earlier path; files that lost nothing are left out."""
    lost = {}
    for file in changes.files:
        facts = before.facts(file.old) if file.old else None
        if facts is None or (file.new and file.new in after.paths and after.facts(file.new) is None):
            continue  # a file that is there and was not read may have everything
        now = after.facts(file.new) if file.new == file.old else None
        names = lost_names(facts, now)
        constants = lost_constants(facts, before.code(file.old), after.code(file.new)) if now else frozenset()
        if names or constants or file.new != file.old:
            lost[file.old] = Lost(file.old, file.new, names, constants)
    return lost


def lost_constants(facts: FileFacts, before: Sequence[str], after: Sequence[str]) -> frozenset[str]:
    """Constants and enum members that stood in a class and whose word is nowhere in the later code."""
    if not facts.classes:
        return frozenset()
    places = [
        (match[match.lastindex or 0], number)
        for number, line in enumerate(before, 1)
        for match in _CONSTANT.finditer(line)
    ]
    lost = {name for name, _ in places}
    for line in after:
        lost.difference_update(_WORD.findall(line))
        if not lost:
            return frozenset()
    return frozenset(
        f"{owner}.{name}"
        for name, number in places
        if name in lost and (owner := _class_at(facts, number) or _type_above(before[:number]))
    )


def _class_at(facts: FileFacts, line: int) -> str:
    """The innermost class around a line."""
    around = [class_ for class_ in facts.classes if class_.start <= line <= class_.end]
    return max(around, key=lambda class_: class_.start).name if around else ""


def _type_above(lines: Sequence[str]) -> str:
    """The type whose own members the last, indented line stands among, where these stand apart from it: `impl Cart {`."""
    if not lines[-1][:1].isspace():
        return ""
    opening = next((line for line in reversed(lines) if line[:1] not in ("", " ", "\t", "}")), "")
    match = _OWN_MEMBERS.match(opening)
    return match[1] if match else ""


def lost_names(before: FileFacts, after: FileFacts | None) -> frozenset[str]:
    """The names that a file no longer has; all of them without a later state.

    A file that is harder to parse than it was may have lost nothing.
    """
    if after is not None and len(after.errors) > len(before.errors):
        return frozenset()
    lost: set[str] = set()
    for names in (_taken_names, _defined_names):
        lost |= {*names(before)} - {*(names(after) if after else ())}
    return frozenset(lost)


def _taken_names(facts: FileFacts) -> Iterator[str]:
    """Names that an import can take."""
    yield from provided_names(facts).names


def _defined_names(facts: FileFacts) -> Iterator[str]:
    """Names that are defined: `Order`, and `Order.save` for a member of a class."""
    yield from map(last_word, facts.definitions)
    # A class without an outer one is among the definitions, unless the file only adds to it.
    yield from (class_.name for class_ in facts.classes if class_.qualname != class_.name)
    for owner, members in provided_names(facts).members.items():
        yield from (f"{owner}.{member}" for member in members)
