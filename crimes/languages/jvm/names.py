"""The names of each file: those it uses, defines and imports, and what a relative path may mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crimes.languages.jvm.index import packages_of
from crimes.model.facts import FileFacts

_TYPES_ONLY = frozenset({"java"})  # languages whose packages contain only types
_RELATIVE_IMPORTS = frozenset({"scala"})  # languages whose imports may start at any visible name
# Methods that any object may have: a call does not reveal the file.
_COMMON_METHODS = frozenset(
    {"toString", "hashCode", "equals", "eq", "ne", "copy", "apply", "invoke", "get", "set", "map", "flatMap"}
)


class Names:
    """The names of each file, read once."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        self._facts = facts
        self._own: dict[str, frozenset[str]] = {}
        self._types: dict[str, frozenset[str]] = {}
        self._bound: dict[str, frozenset[str]] = {}
        self._imported: dict[str, dict[str, str]] = {}

    def used(self, path: str) -> Iterator[tuple[str, int, bool]]:
        """Names that may be defined elsewhere, each with its line and whether it is called on an object.

        A name called on an object may be a function of a package, but not a type.
        """
        facts = self._facts[path]
        for reference in facts.references:
            yield reference.name, reference.line, False
        if facts.language not in _TYPES_ONLY:
            own = {function.name for function in facts.functions}
            for call in facts.calls:
                owner, _, name = call.target.rpartition(".")
                if name[:1].islower() and name not in _COMMON_METHODS and (owner or name not in own):
                    yield name, call.line, bool(owner)

    def own(self, path: str) -> frozenset[str]:
        """Names that the file defines itself, including nested types."""
        if path not in self._own:
            facts = self._facts[path]
            self._own[path] = frozenset(facts.definitions) | {class_.name for class_ in facts.classes}
        return self._own[path]

    def is_type(self, path: str, name: str) -> bool:
        """Whether a name that a file defines is a class, an object or the like."""
        if path not in self._types:
            self._types[path] = frozenset(class_.name for class_ in self._facts[path].classes)
        return name in self._types[path]

    def bound(self, path: str) -> frozenset[str]:
        """Names that the file defines or imports itself: they do not mean a neighbour."""
        if path not in self._bound:
            self._bound[path] = self.own(path) | self._imports(path).keys()
        return self._bound[path]

    def meanings(self, path: str, target: str) -> Iterator[tuple[str, str]]:
        """What the path of an import may mean, nearest first, as (path, package it is relative to)."""
        facts = self._facts[path]
        if facts.language not in _RELATIVE_IMPORTS or target.startswith("_root_."):
            yield target.removeprefix("_root_."), ""
            return
        first, _, rest = target.partition(".")
        full = self._imports(path).get(first)
        if full is not None and full != target:
            yield f"{full}.{rest}" if rest else full, ""
        for package in packages_of(facts):
            if package:
                yield target, package
        yield target, ""

    def _imports(self, path: str) -> dict[str, str]:
        """Qualified names by the names they are imported as."""
        if path not in self._imported:
            self._imported[path] = {
                imported.alias or imported.name: f"{item.target}.{imported.name}".lstrip(".")
                for item in self._facts[path].imports
                for imported in item.names
            }
        return self._imported[path]
