"""How Go files find each other: an import names a package, a package is a folder.

An import leads to the files of the package that define the names used through it: `shop.Total` to the file with `Total`.
A blank import leads to the files with an `init`. Where no name can be told, it leads to all files of the package.
Files of one package use each other by name: calls and types, capitalised names, and methods of their own receiver.
What only a type checker knows is not followed: the file of a method called on something else than the receiver.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from crimes.languages.go.modules import Modules
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex

_QUALIFIED = regex(r"([^\W\d]\w*)\.([^\W\d]\w*)")
_MANY = frozenset({"_", "init", "main"})  # a package may have several of these
_NO_NAMES: Mapping[str, int] = {}


class _Package(Struct):
    """The files of one package clause in one folder, and what they define. Tests see all of it, others not the tests'."""

    name: str
    files: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    names: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    methods: defaultdict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, path: str, facts: FileFacts) -> None:
        (self.tests if _is_test(path) else self.files).append(path)
        for name in facts.definitions:
            if name not in _MANY:
                self.names[name].append(path)
        for one in facts.classes:
            for index in one.methods:
                self.methods[one.name, facts.functions[index].name].append(path)


class _Names(Struct, frozen=True):
    """Names a file uses, each with its first line: alone, and by the package or variable before the dot."""

    bare: Mapping[str, int]
    qualified: Mapping[str, Mapping[str, int]]


def go_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's Go files."""
    return GoResolver(given)


class GoResolver:
    """Looks up folders, packages and the names they define."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        imported = (item.target for facts in given.facts.values() for item in facts.imports)
        self._modules = Modules(given.paths, given.read, imported)
        self._folders: dict[str, dict[str, _Package]] = defaultdict(dict)
        for path, facts in sorted(given.facts.items()):
            name = facts.packages[0] if facts.packages else ""
            self._folders[_folder(path)].setdefault(name, _Package(name)).add(path, facts)
        self._used: tuple[str, _Names] = ("", _Names({}, {}))

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        here = _folder(path)
        folder = self._modules.folder(here, item.target)
        if folder is None:
            return Resolution(
                external=True,
                package=self._modules.package(here, item.target),
                undeclared=self._modules.undeclared(here, item.target),
            )
        packages = [
            package
            for name, package in self._folders.get(folder, {}).items()
            if name != "main" and (package.files or folder == here) and not name.endswith("_test")
        ]
        targets = [target for package in packages for target in self._targets(path, item, package)]
        return Resolution(tuple(targets), package=item.target)

    def _targets(self, path: str, item: Import, package: _Package) -> Iterator[Resolved]:
        seen = [*package.files, *(package.tests if _folder(path) == _folder_of(package) else ())]
        if item.alias == "_":
            starting = [file for file in seen if "init" in self._facts[file].definitions]
            yield from (Resolved(file) for file in starting or seen)
            return
        used = self._names(path)
        names = used.bare if item.alias == "." else used.qualified.get(item.alias or package.name, _NO_NAMES)
        found: dict[str, list[str]] = defaultdict(list)
        for name in names:
            for file in package.names.get(name, ()):
                if file in seen:
                    found[file].append(name)
        for file in sorted(found) or seen:
            yield Resolved(file, tuple(sorted(found.get(file, ()))))

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Nothing is loaded by a string."""
        return ()

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of the same package that define what this one names."""
        facts = self._facts[path]
        package = self._folders[_folder(path)][facts.packages[0] if facts.packages else ""]
        own = frozenset(facts.definitions)
        found: dict[str, dict[str, int]] = defaultdict(dict)
        for name, line in self._names(path).bare.items():
            if name not in own:
                for file in package.names.get(name, ()):
                    found[file][name] = line
        for method in facts.functions:
            if method.class_index >= 0:
                of = facts.classes[method.class_index].name
                for name in method.attributes:
                    for file in package.methods.get((of, name), ()):
                        found[file].setdefault(name, method.start)
        for file, names in sorted(found.items()):
            if file != path and (_is_test(path) or not _is_test(file)):
                yield ImplicitUse(file, tuple(sorted(names)), min(names.values()))

    def _names(self, path: str) -> _Names:
        """The names of the file that is asked about; its questions come one after the other."""
        if self._used[0] != path:
            self._used = (path, _names(self._facts[path]))
        return self._used[1]


def _names(facts: FileFacts) -> _Names:
    bare: dict[str, int] = {}
    qualified: dict[str, dict[str, int]] = defaultdict(dict)
    written = [(call.target, call.line) for call in facts.calls]
    written += [(one.name, one.line) for one in facts.references]
    for text, line in written:
        if "." not in text:
            bare[text] = min(bare.get(text, line), line)
        elif match := _QUALIFIED.match(text):
            names = qualified[match.group(1)]
            names[match.group(2)] = min(names.get(match.group(2), line), line)
    return _Names(bare, qualified)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _folder_of(package: _Package) -> str:
    return _folder((package.files or package.tests)[0])


def _is_test(path: str) -> bool:
    return path.endswith("_test.go")
