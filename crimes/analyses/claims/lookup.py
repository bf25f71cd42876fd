"""Looks up what markers name in a repository: paths, lines of files, symbols."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field

from crimes.analyses.claims.markers import Marker, MarkerKind
from crimes.model.facts import FileFacts

_RECEIVERS = ("self.", "cls.", "this.")


class Names(Struct, frozen=True, dict=True):
    """The names of a repository: every path, and every symbol alone, in its class, and after its file's name."""

    paths: frozenset[str] = frozenset()
    symbols: frozenset[str] = frozenset()

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        by_name = defaultdict(list)
        for path in sorted(self.paths):
            by_name[posixpath.basename(path)].append(path)
        return by_name

    def ending(self, path: str) -> list[str]:
        """The paths that end in this one, sorted."""
        namesakes = self._by_name.get(posixpath.basename(path), ())
        return [other for other in namesakes if other.endswith("/" + path)]

    def has_symbol(self, text: str) -> bool:
        """Whether a name as a text writes it is defined; of a dotted name, at least the last two parts."""
        name = text.removesuffix("()").replace("::", ".").replace("#", ".")
        name = next((name.removeprefix(own) for own in _RECEIVERS if name.startswith(own)), name)
        parts = name.split(".")
        ends = (".".join(parts[at:]) for at in range(max(len(parts) - 1, 1)))
        return any(end in self.symbols for end in ends)


Defined = tuple[tuple[str, str], ...]  # name and qualified name


def defined_in(facts: FileFacts) -> Defined:
    """The names that a file defines."""
    functions = ((fact.name, fact.qualname) for fact in facts.functions if not fact.is_anonymous)
    classes = ((fact.name, fact.qualname) for fact in facts.classes)
    return (*functions, *classes, *((name, name) for name in facts.definitions))


def symbols_of(defined: Mapping[str, Defined]) -> Iterator[str]:
    """Every symbol that files define, under each name a text may use. Some come twice."""
    for path, named in defined.items():
        stem = posixpath.basename(path).partition(".")[0]
        for name, qualname in named:
            yield from (name, qualname, f"{stem}.{qualname}")


class DefinedNames(Struct, frozen=True):
    """What the names of a repository are made of: every path, and by file the names it defines."""

    paths: frozenset[str]
    by_file: Mapping[str, Defined]

    def names(self) -> Names:
        """All names, without the few that hold a line break."""
        symbols = (name for name in symbols_of(self.by_file) if "\n" not in name)
        return Names(frozenset(path for path in self.paths if "\n" not in path), frozenset(symbols))


class Repository(Struct, frozen=True):
    """A repository as markers see it. Paths are relative to the root, with slashes."""

    exists: Callable[[str], bool]  # a file or a folder
    read: Callable[[str], bytes]  # OSError when it is not a readable file
    ending: Callable[[str], list[str]]  # as in Names, called only when a marker needs it
    has_symbol: Callable[[str], bool]
    root: str = ""  # its absolute path, for markers that begin with it
    folder: str = ""  # of the text: it may name paths relative to it
    _answers: dict[tuple[str, str, int], bool] = field(default_factory=dict)

    def verifies(self, marker: Marker) -> bool:
        """Whether what a marker names exists."""
        key = (marker.kind, marker.text, marker.line)
        if key not in self._answers:
            if marker.kind is MarkerKind.SYMBOL:
                self._answers[key] = self.has_symbol(marker.text)
            else:
                self._answers[key] = any(
                    self._has_line(path, marker.line) for path in self._candidates(marker.text)
                )
        return self._answers[key]

    def _candidates(self, text: str) -> Iterator[str]:
        """The paths that a path in a text may mean: relative to the root or the text's folder, or an ending."""
        if self.root and text.startswith(self.root + "/"):
            text = text[len(self.root) + 1 :]
        if text.startswith(("/", "~")):
            return
        places = dict.fromkeys(
            (posixpath.normpath(text), posixpath.normpath(posixpath.join(self.folder, text)))
        )
        existing = [path for path in places if not path.startswith("..") and self.exists(path)]
        yield from existing or self.ending(posixpath.normpath(text))

    def _has_line(self, path: str, line: int) -> bool:
        if not line:
            return self.exists(path)
        try:
            data = self.read(path)
        except OSError:  # a folder, or deleted
            return False
        return line <= data.count(b"\n") + (not data.endswith(b"\n"))
