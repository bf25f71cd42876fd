"""Resolve names of Java, Kotlin and Scala to files, by package and top-level name.

A wildcard import leads to the files that define the names used, not to the whole package. Names of the same package
need no import. An import of a package of the tree of which nothing is used leads to no file, and is marked as known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crimes.languages.jvm.index import Index, packages_of
from crimes.languages.jvm.manifests import read_dependencies
from crimes.languages.jvm.names import Names
from crimes.languages.linking.names_by_file import NamesByFile
from crimes.languages.spec import ImplicitUse, Resolution, ResolveInput, Resolver
from crimes.model.facts import Import
from crimes.model.lazy_regex import regex

_STANDARD = regex(
    r"(?:java|javax|jdk|sun|com\.sun|kotlin|scala|sbt|android|dalvik|org\.w3c\.dom|org\.xml\.sax|org\.ietf\.jgss|org\.omg)(?:\.|$)"
)
_TYPE_IN_PACKAGE = regex(r"[a-z]\w*(?:\.\w+)*\.[A-Z]\w*")
# Types that the build of an Android project generates from its resources and settings.
_GENERATED_BY_BUILD = regex(r"\.(?:R|BuildConfig|BR|databinding)(?:\.|$)")
_JVM_NAME = regex(rb'@file:\s*(?:\[\s*)?JvmName\(\s*"(\w+)"')
_MAX_HEAD_BYTES = 4000
_MAX_TLD_LENGTH = 3  # a first word this short is a top-level domain: the next word names the owner


class JvmResolver(Resolver):
    """Looks names up in the packages of the tree; for others, build files tell external from missing ones."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._facts = inputs.facts
        self._names = Names(inputs.facts)
        self._index = Index(inputs.facts)
        self._dependencies = read_dependencies(inputs.paths, inputs.read)
        self._read = inputs.read
        self._facades_by_package: dict[str, dict[str, tuple[str, ...]]] = {}

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        names_by_file = NamesByFile()
        known = False
        for imported in item.names:
            for target, inside in self._names.meanings(path, item.target):
                files, is_known = self._targets(path, target, inside, imported.name)
                known = known or is_known
                for file, name in files:
                    if file == path:
                        known = True  # its own
                    else:
                        names_by_file.add(file, name)
                if files or is_known:
                    break
        if targets := names_by_file.targets():
            return Resolution(targets)
        known = known or self._is_known(path, item)
        target = item.target.removeprefix("_root_.")
        external = not known and self._is_external(target)
        return Resolution(external=external, package=self._owner(target), known=known)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of names in the same package, and of types written with their package."""
        packages = packages_of(self._facts[path])
        bound = self._names.bound(path)
        names = NamesByFile()
        for used, line, on_object in self._names.used(path):
            first, _, rest = used.partition(".")
            if first in bound:
                continue
            files = next(filter(None, (self._index.find(path, package, first) for package in packages)), ())
            if on_object:
                files = tuple(file for file in files if not self._names.is_type(file, first))
            if not files and rest and _TYPE_IN_PACKAGE.match(used):
                meanings = self._names.meanings(path, used)
                files = next(filter(None, (self._index.locate(path, *meaning) for meaning in meanings)), ())
                first = used.rpartition(".")[2]
            for file in files:
                names.add(file, first, line)
        return names.uses(path)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Files of a type that a string names with its package."""
        if not _TYPE_IN_PACKAGE.fullmatch(value):
            return ()
        package, _, name = value.rpartition(".")
        return self._index.find(path, package, name)

    def _targets(self, path: str, target: str, inside: str, name: str) -> tuple[list[tuple[str, str]], bool]:
        """The files of one imported name, and whether it is known even if there are none."""
        package = f"{inside}.{target}" if inside and target else inside or target
        if name == "*":
            return list(self._wildcard(path, target, inside)), self._index.has_package(package)
        name = name.rstrip("$")  # how Java writes a Scala object
        dotted = f"{target}.{name}" if target else name
        files = self._index.locate(path, dotted, inside) or self._facades(package).get(name, ())
        if not files and self._index.has_package(f"{package}.{name}"):
            return [], True
        return [(file, name) for file in files or self._package_objects(package)], False

    def _wildcard(self, path: str, target: str, inside: str) -> Iterator[tuple[str, str]]:
        """Files of the names that a wildcard provides: used in the file, and not bound nearer; or the type whose members it imports."""
        package = f"{inside}.{target}" if inside else target
        names, bound = self._index.names_in(package), self._names.bound(path)
        nearer = [self._index.names_in(own) for own in packages_of(self._facts[path])]
        is_empty = True
        for used, _, on_object in self._names.used(path):
            first = used.partition(".")[0]
            if first in names and first not in bound and not any(first in own for own in nearer):
                for file in self._index.find(path, package, first):
                    if not on_object or not self._names.is_type(file, first):
                        is_empty = False
                        yield file, first
        for file in self._index.locate(path, target, inside):
            is_empty = False
            yield file, target.rpartition(".")[2]
        if is_empty:
            for file in self._package_objects(package):
                yield file, "*"

    def _package_objects(self, package: str) -> tuple[str, ...]:
        """Package objects: they may provide more names than they define, by inheritance and implicits."""
        files = {file for files in self._index.names_in(package).values() for file in files}
        return tuple(
            file
            for file in sorted(files)
            if file.endswith("/package.scala") and packages_of(self._facts[file])[0] == package
        )

    def _facades(self, package: str) -> dict[str, tuple[str, ...]]:
        """Kotlin files of a package by the class name that `@JvmName` gives them for Java."""
        if package not in self._facades_by_package:
            facades: dict[str, tuple[str, ...]] = {}
            for path in sorted({file for files in self._index.names_in(package).values() for file in files}):
                if path.endswith(".kt"):
                    for name in _JVM_NAME.findall(self._read(path)[:_MAX_HEAD_BYTES]):
                        facades[name.decode()] = (*facades.get(name.decode(), ()), path)
            self._facades_by_package[package] = facades
        return self._facades_by_package[package]

    def _is_known(self, path: str, item: Import) -> bool:
        """Whether an import names something of the file itself, or that the build generates."""
        if item.target.partition(".")[0] in self._names.own(path):
            return True
        return any(_GENERATED_BY_BUILD.search(f"{item.target}.{imported.name}") for imported in item.names)

    def _is_external(self, target: str) -> bool:
        """Whether a name that the tree does not define is of a library: declared, or not below a package of the tree."""
        if _STANDARD.match(target):
            return True
        parts = target.split(".")
        if any(".".join(parts[:end]) in self._dependencies.groups for end in range(len(parts), 1, -1)):
            return True
        ours = next(
            (end for end in range(len(parts), 0, -1) if self._index.has_package(".".join(parts[:end]))), 0
        )
        return not ours or not self._dependencies.words.isdisjoint({*parts[ours:], parts[-1]})

    def _owner(self, target: str) -> str:
        """The owner of an external name: the longest declared group it starts with, else the start of its package."""
        parts = target.split(".")
        for end in range(len(parts), 1, -1):
            if ".".join(parts[:end]) in self._dependencies.groups:
                return ".".join(parts[:end])
        return ".".join(parts[: 2 if len(parts[0]) <= _MAX_TLD_LENGTH else 1])
