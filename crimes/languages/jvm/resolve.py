"""How a name of Java, Kotlin or Scala finds its file: by package and top-level name. Each answer is a look-up.

A wildcard import leads to the files that define the names used, not to the whole package. So does the use of a
neighbour in the same package, which needs no import. A package that is known but of which nothing is used has no
file to point at; it counts as known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from crimes.languages.jvm.index import Index, package_of
from crimes.languages.jvm.manifests import declared
from crimes.languages.spec import Resolution, Resolved, ResolveInput, Resolver, Use
from crimes.model import FileFacts, Import

_STANDARD = re.compile(
    r"(?:java|javax|jdk|sun|com\.sun|kotlin|scala|android|dalvik|org\.w3c\.dom|org\.xml\.sax|org\.ietf\.jgss|org\.omg)(?:\.|$)"
)
_TYPE_IN_PACKAGE = re.compile(r"[a-z]\w*(?:\.\w+)*\.[A-Z]\w*")
# Types that the build of an Android project makes from its resources and settings.
_MADE_BY_BUILD = re.compile(r"\.(?:R|BuildConfig|BR|databinding)(?:\.|$)")
_JVM_NAME = re.compile(rb'@file:\s*(?:\[\s*)?JvmName\(\s*"(\w+)"')
_HEAD = 4000
_TYPES_ONLY = frozenset({"java"})  # languages whose packages hold nothing but types
_DOMAIN = 3  # a first word this short is the top of a domain name: the next one tells who


def jvm_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's Java, Kotlin and Scala files."""
    return JvmResolver(given)


class JvmResolver:
    """Looks names up in the packages of the tree; what is not there is told apart by what the build declares."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        self._index = Index(given.facts)
        self._declared = declared(given.paths, given.read)
        self._read = given.read
        self._renamed: dict[str, dict[str, tuple[str, ...]]] = {}
        self._bound: dict[str, frozenset[str]] = {}

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        found: dict[str, set[str]] = {}
        known = (
            _MADE_BY_BUILD.search(f"{item.target}.{item.names[0].name}") is not None if item.names else False
        )
        for imported in item.names:
            if imported.name == "*":
                known = known or self._index.has_package(item.target)
                targets = self._wildcard(path, item.target)
            else:
                dotted = f"{item.target}.{imported.name}" if item.target else imported.name
                files = self._index.locate(path, dotted) or self._facades(item.target).get(imported.name, ())
                targets = ((file, imported.name) for file in files)
            for file, name in targets:
                found.setdefault(file, set()).add(name)
        if found:
            return Resolution(
                tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(found.items()))
            )
        return Resolution(
            external=not known and self._is_external(item.target),
            package=self._package(item.target),
            known=known,
        )

    def uses(self, path: str) -> Iterable[Use]:
        """Neighbours in the same package, and types written out with their package."""
        package = package_of(self._facts[path])
        found: dict[str, tuple[set[str], int]] = {}
        for used, at in _used(self._facts[path]):
            first, _, rest = used.partition(".")
            if first in self._taken(path):
                continue
            files = self._index.find(path, package, first)
            if not files and rest and _TYPE_IN_PACKAGE.match(used):
                files = self._index.locate(path, used)
                first = used.rpartition(".")[2]
            for file in files:
                names, line = found.get(file, (set(), at))
                names.add(first)
                found[file] = (names, min(line, at))
        for file, (names, line) in sorted(found.items()):
            if file != path:
                yield Use(file, tuple(sorted(names)), line)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """The file of a type that a string names with its package."""
        if not _TYPE_IN_PACKAGE.fullmatch(value):
            return ()
        package, _, name = value.rpartition(".")
        return self._index.find(path, package, name)

    def _wildcard(self, path: str, target: str) -> Iterator[tuple[str, str]]:
        """Names of a package that the file uses and that nothing nearer explains; or a type, for its members."""
        facts = self._facts[path]
        names = self._index.names_in(target)
        nearer = self._index.names_in(package_of(facts))
        for used, _ in _used(facts):
            first = used.partition(".")[0]
            if first in names and first not in nearer and first not in self._taken(path):
                for file in self._index.find(path, target, first):
                    yield file, first
        for file in self._index.locate(path, target):
            yield file, target.rpartition(".")[2]

    def _facades(self, package: str) -> dict[str, tuple[str, ...]]:
        """Kotlin files of a package by the names they give themselves for Java."""
        if package not in self._renamed:
            found: dict[str, tuple[str, ...]] = {}
            for path in sorted({file for files in self._index.names_in(package).values() for file in files}):
                if path.endswith(".kt"):
                    for name in _JVM_NAME.findall(self._read(path)[:_HEAD]):
                        found[name.decode()] = (*found.get(name.decode(), ()), path)
            self._renamed[package] = found
        return self._renamed[package]

    def _taken(self, path: str) -> frozenset[str]:
        """Names that the file defines itself or imports one by one: no neighbour is meant."""
        if path not in self._bound:
            self._bound[path] = frozenset(_names_of(self._facts[path]))
        return self._bound[path]

    def _is_external(self, target: str) -> bool:
        """Whether a name that is not there comes from outside: not below a package of ours, or declared."""
        if _STANDARD.match(target):
            return True
        parts = target.split(".")
        if any(".".join(parts[:end]) in self._declared.groups for end in range(len(parts), 1, -1)):
            return True
        ours = next(
            (end for end in range(len(parts), 0, -1) if self._index.has_package(".".join(parts[:end]))), 0
        )
        return not ours or not self._declared.words.isdisjoint(parts[ours:])

    def _package(self, target: str) -> str:
        """Whose it is: the declared group with the longest name, or the beginning of the package."""
        parts = target.split(".")
        for end in range(len(parts), 1, -1):
            if ".".join(parts[:end]) in self._declared.groups:
                return ".".join(parts[:end])
        return ".".join(parts[: 2 if len(parts[0]) <= _DOMAIN else 1])


def _used(facts: FileFacts) -> Iterator[tuple[str, int]]:
    """Names that may stand for something elsewhere: types, and functions that are called, also on an object."""
    for reference in facts.references:
        yield reference.name, reference.line
    if facts.language not in _TYPES_ONLY:
        own = {function.name for function in facts.functions}
        for call in facts.calls:
            owner, _, name = call.target.rpartition(".")
            if name[:1].islower() and (owner or name not in own):
                yield name, call.line


def _names_of(facts: FileFacts) -> Iterator[str]:
    yield from facts.definitions
    for one in facts.classes:
        yield one.name
    for item in facts.imports:
        for imported in item.names:
            yield imported.alias or imported.name
