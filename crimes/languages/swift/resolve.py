"""How a Swift name finds its file: by the modules in sight and the types they define. Each answer is a look-up.

`import X` leads to the files of the module X that define what the importing file names: types, functions it calls, and
members of extensions that have a name of their own. Files of one module see each other without an import. An import of
a module of the repository of which nothing is named is known and no dependency.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator

from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.languages.swift.index import Index, indexes
from crimes.languages.swift.modules import modules_of
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex

EXPORTED = "exported"  # the alias of an import that is passed on
_MEMBER = regex(r"\.(?=([a-z]\w*))")
_PLAIN = regex(r"[a-z_]\w*")
_NOWHERE = "?"  # a target whose folder is not there

Found = dict[str, tuple[set[str], int]]


def swift_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's Swift files."""
    return SwiftResolver(given)


class SwiftResolver:
    """Looks names up in the modules of the tree; of several definitions the nearest counts."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        self._modules = modules_of(given.paths, given.read)
        self._indexes = indexes(given.facts, self._modules)
        self._passed_on: defaultdict[str, set[str]] = defaultdict(set)
        for path, facts in given.facts.items():
            for item in facts.imports:
                if item.alias == EXPORTED:
                    self._passed_on[self._modules.of(path)].add(item.target)

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        own = self._modules.of(path)
        places = self._places(path, item.target)
        if not places:
            stated = item.target in self._modules.by_name
            return Resolution(external=not stated, package=item.target)
        found: Found = {}
        for module in self._behind(path, places):
            if module != own:
                self._look_up(path, self._indexes.get(module, Index()), found, own)
        targets = [Resolved(file, tuple(sorted(names))) for file, (names, _) in sorted(found.items())]
        return Resolution(tuple(targets), known=not targets, package=item.target)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of the same module whose names the file uses."""
        found: Found = {}
        own = self._modules.of(path)
        self._look_up(path, self._indexes[own], found, own)
        for file, (names, line) in sorted(found.items()):
            yield ImplicitUse(file, tuple(sorted(names)), line)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Strings load no Swift files."""
        return ()

    def _places(self, path: str, name: str) -> list[str]:
        """Folders of the module of that name; a target before a tree, and of several packages the nearest."""
        places = [place for place in self._modules.by_name.get(name, ()) if place != _NOWHERE]
        places = [place for place in places if not place.endswith("/")] or places
        if len(places) > 1:
            best = max(_shared(place, path) for place in places)
            places = [place for place in places if _shared(place, path) == best]
        return places

    def _behind(self, path: str, places: list[str]) -> list[str]:
        """Modules, and those they pass on."""
        found = list(places)
        for module in found:
            for name in sorted(self._passed_on.get(module, ())):
                found += [place for place in self._places(path, name) if place not in found]
        return found

    def _look_up(self, path: str, index: Index, found: Found, own: str) -> None:
        """Add the files of a module that the file `path` names; names of its own module are nobody else's."""
        facts = self._facts[path]
        mine = {one.name for one in facts.classes if "." in one.qualname} | set(facts.definitions)
        seen = frozenset({reference.name.partition(".")[0] for reference in facts.references})
        home = self._indexes[own]
        for reference in facts.references:
            name = reference.name
            first, _, rest = name.partition(".")
            if rest and first in self._modules.by_name and first not in home.names:
                name = first = rest  # `Module.Type`
            if first in mine or (index is not home and first.partition(".")[0] in home.names):
                continue
            self._add(path, index.locate(name, seen), reference.line, found)
        functions = {one.name for one in facts.functions}
        for target, line in _called(facts):
            if target in functions:
                continue
            if target[:1] != ".":
                files = index.names.get(target, ())
                self._add(path, ((file, target) for file in files), line, found)
            elif target[1:] not in functions and (member := index.members.get(target[1:])):
                self._add(path, [(member, target[1:])], line, found)

    def _add(self, path: str, located: Iterable[tuple[str, str]], line: int, found: Found) -> None:
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for file, name in located:
            by_name[name].append(file)
        for name, files in by_name.items():
            if path in files:
                continue
            best = max(_shared(file, path) for file in files) if len(files) > 1 else -1
            for file in files:
                if len(files) == 1 or _shared(file, path) == best:
                    names, first = found.get(file, (set(), line))
                    found[file] = (names | {name}, min(first, line))


def _called(facts: FileFacts) -> Iterator[tuple[str, int]]:
    """Functions a file calls by name alone, and with a dot the members in what it calls."""
    for call in facts.calls:
        if _PLAIN.fullmatch(call.target):
            yield call.target, call.line
        else:
            for name in _MEMBER.findall(call.target):
                yield f".{name}", call.line


def _shared(folder: str, path: str) -> int:
    """How many folders two places have in common from the top."""
    return posixpath.commonpath([f"/{folder}", f"/{path}"]).rstrip("/").count("/")
