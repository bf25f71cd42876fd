"""How a name of Java, Kotlin or Scala finds its file: by package and top-level name. Each answer is a look-up.

A wildcard import leads to the files that define the names used, not to the whole package. So does the use of a
neighbour in the same package, which needs no import. A package that is known but of which nothing is used has no
file to point at; it counts as known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crimes.languages.jvm.index import Index, packages_of
from crimes.languages.jvm.manifests import declared
from crimes.languages.jvm.names import Names
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import Import
from crimes.model.lazy_regex import regex

_STANDARD = regex(
    r"(?:java|javax|jdk|sun|com\.sun|kotlin|scala|sbt|android|dalvik|org\.w3c\.dom|org\.xml\.sax|org\.ietf\.jgss|org\.omg)(?:\.|$)"
)
_TYPE_IN_PACKAGE = regex(r"[a-z]\w*(?:\.\w+)*\.[A-Z]\w*")
# Types that the build of an Android project makes from its resources and settings.
_MADE_BY_BUILD = regex(r"\.(?:R|BuildConfig|BR|databinding)(?:\.|$)")
_JVM_NAME = regex(rb'@file:\s*(?:\[\s*)?JvmName\(\s*"(\w+)"')
_HEAD = 4000
_DOMAIN = 3  # a first word this short is the top of a domain name: the next one tells who


def jvm_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's Java, Kotlin and Scala files."""
    return JvmResolver(given)


class JvmResolver:
    """Looks names up in the packages of the tree; what is not there is told apart by what the build declares."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        self._names = Names(given.facts)
        self._index = Index(given.facts)
        self._declared = declared(given.paths, given.read)
        self._read = given.read
        self._renamed: dict[str, dict[str, tuple[str, ...]]] = {}

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        found: dict[str, set[str]] = {}
        known = False
        for imported in item.names:
            for target, inside in self._names.meanings(path, item.target):
                files, is_known = self._targets(path, target, inside, imported.name)
                known = known or is_known
                for file, name in files:
                    found.setdefault(file, set()).add(name)
                if files or is_known:
                    break
        known = found.pop(path, None) is not None or known
        if found:
            return Resolution(
                tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(found.items()))
            )
        known = known or self._is_known(path, item)
        target = item.target.removeprefix("_root_.")
        return Resolution((), not known and self._is_external(target), self._package(target), known)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Neighbours in the same package, and types written out with their package."""
        packages = packages_of(self._facts[path])
        taken = self._names.taken(path)
        found: dict[str, tuple[set[str], int]] = {}
        for used, at, on_object in self._names.used(path):
            first, _, rest = used.partition(".")
            if first in taken:
                continue
            files = next(filter(None, (self._index.find(path, package, first) for package in packages)), ())
            if on_object:
                files = tuple(file for file in files if not self._names.is_type(file, first))
            if not files and rest and _TYPE_IN_PACKAGE.match(used):
                meant = self._names.meanings(path, used)
                files = next(filter(None, (self._index.locate(path, *meaning) for meaning in meant)), ())
                first = used.rpartition(".")[2]
            for file in files:
                names, line = found.get(file, (set(), at))
                names.add(first)
                found[file] = (names, min(line, at))
        for file, (names, line) in sorted(found.items()):
            if file != path:
                yield ImplicitUse(file, tuple(sorted(names)), line)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """The file of a type that a string names with its package."""
        if not _TYPE_IN_PACKAGE.fullmatch(value):
            return ()
        package, _, name = value.rpartition(".")
        return self._index.find(path, package, name)

    def _targets(self, path: str, target: str, inside: str, name: str) -> tuple[list[tuple[str, str]], bool]:
        """Files that one imported name leads to, and whether it is known all the same when there are none."""
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
        """Names of a package that the file uses and that nothing nearer explains; or a type, for its members."""
        package = f"{inside}.{target}" if inside else target
        names, taken = self._index.names_in(package), self._names.taken(path)
        nearer = [self._index.names_in(own) for own in packages_of(self._facts[path])]
        nothing = True
        for used, _, on_object in self._names.used(path):
            first = used.partition(".")[0]
            if first in names and first not in taken and not any(first in own for own in nearer):
                for file in self._index.find(path, package, first):
                    if not on_object or not self._names.is_type(file, first):
                        nothing = False
                        yield file, first
        for file in self._index.locate(path, target, inside):
            nothing = False
            yield file, target.rpartition(".")[2]
        if nothing:
            for file in self._package_objects(package):
                yield file, "*"

    def _package_objects(self, package: str) -> tuple[str, ...]:
        """Files that may give a package more than they show: what a package object inherits, and what is implicit."""
        files = {file for files in self._index.names_in(package).values() for file in files}
        return tuple(
            file
            for file in sorted(files)
            if file.endswith("/package.scala") and packages_of(self._facts[file])[0] == package
        )

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

    def _is_known(self, path: str, item: Import) -> bool:
        """Something of the file itself, or something that the build makes."""
        if item.target.partition(".")[0] in self._names.own(path):
            return True
        return any(_MADE_BY_BUILD.search(f"{item.target}.{imported.name}") for imported in item.names)

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
        return not ours or not self._declared.words.isdisjoint({*parts[ours:], parts[-1]})

    def _package(self, target: str) -> str:
        """Whose it is: the declared group with the longest name, or the beginning of the package."""
        parts = target.split(".")
        for end in range(len(parts), 1, -1):
            if ".".join(parts[:end]) in self._declared.groups:
                return ".".join(parts[:end])
        return ".".join(parts[: 2 if len(parts[0]) <= _DOMAIN else 1])
