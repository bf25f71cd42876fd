"""Resolve Go imports: an import names a package, and a package is a folder.

An import leads to the files of the package that define the names used through it: `shop.Total` to the file with `Total`.
A blank import leads to the files with an `init`. If no such file is found, it leads to all files of the package.
Files of one package use each other by name: calls and types, capitalised names, and methods of their own receiver.
What takes a type checker is not followed: the file of a method that is called on anything but the receiver.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from crimes.languages.go.modules import Modules
from crimes.languages.linking.names_by_file import NamesByFile
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex

_QUALIFIED = regex(r"([^\W\d]\w*)\.([^\W\d]\w*)")
_IGNORED = regex(r"//(?:go:build| ?\+build)[ \t]+ignore\b(?![ \t]*\|\|)")  # a build tag that nobody sets
_REPEATABLE = frozenset({"_", "init", "main"})  # a package may define these several times
_NO_NAMES: Mapping[str, int] = {}


class _Package(Struct):
    """The files of one package clause in one folder, and what they define. Only tests see what tests define."""

    name: str
    files: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    names: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    methods: defaultdict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, path: str, facts: FileFacts) -> None:
        (self.tests if _is_test(path) else self.files).append(path)
        for name in facts.definitions:
            if name not in _REPEATABLE:
                self.names[name].append(path)
        for type_ in facts.classes:
            for index in type_.methods:
                self.methods[type_.name, facts.functions[index].name].append(path)


class _NamesUsed(Struct, frozen=True):
    """Names a file uses, each with its first line: unqualified, and by the package or variable before the dot."""

    bare: Mapping[str, int]
    qualified: Mapping[str, Mapping[str, int]]


class GoResolver(Resolver):
    """Looks up folders, packages and the names they define."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._facts = inputs.facts
        imported = (item.target for facts in inputs.facts.values() for item in facts.imports)
        self._modules = Modules(inputs.paths, inputs.read, imported)
        self._folders: dict[str, dict[str, _Package]] = defaultdict(dict)
        for path, facts in sorted(inputs.facts.items()):
            name = facts.packages[0] if facts.packages else ""
            self._folders[_folder(path)].setdefault(name, _Package(name)).add(path, facts)
        self._last_names: tuple[str, _NamesUsed] = ("", _NamesUsed({}, {}))

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        here = _folder(path)
        folder = self._modules.folder_of(here, item.target)
        if folder is None:
            return Resolution(
                external=True,
                package=self._modules.package_of(here, item.target),
                undeclared=None if self._is_ignored(path) else self._modules.undeclared(here, item.target),
            )
        packages = [
            package
            for name, package in self._folders.get(folder, {}).items()
            if name != "main" and (package.files or folder == here) and not name.endswith("_test")
        ]
        targets = [target for package in packages for target in self._targets(path, item, package)]
        return Resolution(tuple(targets), package=item.target)

    def _is_ignored(self, path: str) -> bool:
        """Whether a file is no part of any build, by the tag `ignore`: it is run by itself, if at all."""
        return any(_IGNORED.match(comment.text) for comment in self._facts[path].comments)

    def _targets(self, path: str, item: Import, package: _Package) -> Iterator[Resolved]:
        visible = [*package.files, *(package.tests if _folder(path) == _folder_of(package) else ())]
        if item.alias == "_":
            initialisers = [file for file in visible if "init" in self._facts[file].definitions]
            yield from (Resolved(file) for file in initialisers or visible)
            return
        used = self._names_used(path)
        names = used.bare if item.alias == "." else used.qualified.get(item.alias or package.name, _NO_NAMES)
        names_by_file = NamesByFile()
        for name in names:
            for file in package.names.get(name, ()):
                if file in visible:
                    names_by_file.add(file, name)
        yield from names_by_file.targets() or map(Resolved, visible)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of the same package that define the names used in this one."""
        facts = self._facts[path]
        package = self._folders[_folder(path)][facts.packages[0] if facts.packages else ""]
        own = frozenset(facts.definitions)
        lines_by_file: dict[str, dict[str, int]] = defaultdict(dict)
        for name, line in self._names_used(path).bare.items():
            if name not in own:
                for file in package.names.get(name, ()):
                    lines_by_file[file][name] = line
        for method in facts.functions:
            if method.class_index >= 0:
                receiver = facts.classes[method.class_index].name
                for name in method.attributes:
                    for file in package.methods.get((receiver, name), ()):
                        lines_by_file[file].setdefault(name, method.start)
        for file, names in sorted(lines_by_file.items()):
            if file != path and (_is_test(path) or not _is_test(file)):
                yield ImplicitUse(file, tuple(sorted(names)), min(names.values()))

    def _names_used(self, path: str) -> _NamesUsed:
        """The names a file uses. Only the last file is cached: all questions about one file come in a row."""
        if self._last_names[0] != path:
            self._last_names = (path, _names_used(self._facts[path]))
        return self._last_names[1]


def _names_used(facts: FileFacts) -> _NamesUsed:
    bare: dict[str, int] = {}
    qualified: dict[str, dict[str, int]] = defaultdict(dict)
    uses = [(call.target, call.line) for call in facts.calls]
    uses += [(reference.name, reference.line) for reference in facts.references]
    for text, line in uses:
        if "." not in text:
            bare[text] = min(bare.get(text, line), line)
        elif match := _QUALIFIED.match(text):
            names = qualified[match.group(1)]
            names[match.group(2)] = min(names.get(match.group(2), line), line)
    return _NamesUsed(bare, qualified)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _folder_of(package: _Package) -> str:
    return _folder((package.files or package.tests)[0])


def _is_test(path: str) -> bool:
    return path.endswith("_test.go")
