"""Resolve Swift names to files, by the imported modules and the types they define.

`import X` leads to the files of the module X that define what the importing file names: types, functions it calls, and
extension members with a distinctive name. Files of one module see each other without an import. An import of a module of
the repository of which nothing is used is known, and no dependency.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator

from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput
from crimes.languages.swift.index import Index, build_indexes
from crimes.languages.swift.modules import NO_FOLDER, load_modules
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex

EXPORTED = "exported"  # the alias of an import that is re-exported
_MEMBER = regex(r"\.(?=([a-z]\w*))")
_PLAIN = regex(r"[a-z_]\w*")

NamesByFile = dict[str, tuple[set[str], int]]  # names used, and the first line


class SwiftResolver:
    """Looks names up in the modules of the tree; of several definitions the nearest is meant."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._facts = inputs.facts
        self._modules = load_modules(inputs.paths, inputs.read)
        self._indexes = build_indexes(inputs.facts, self._modules)
        self._reexported: defaultdict[str, set[str]] = defaultdict(set)
        for path, facts in inputs.facts.items():
            for item in facts.imports:
                if item.alias == EXPORTED:
                    self._reexported[self._modules.module_of(path)].add(item.target)

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        own = self._modules.module_of(path)
        modules = self._modules_named(path, item.target)
        if not modules:
            declared = item.target in self._modules.by_name
            return Resolution(external=not declared, package=item.target)
        uses: NamesByFile = {}
        for module in self._with_reexports(path, modules):
            if module != own:
                self._look_up(path, self._indexes.get(module, Index()), uses, own)
        targets = [Resolved(file, tuple(sorted(names))) for file, (names, _) in sorted(uses.items())]
        return Resolution(tuple(targets), known=not targets, package=item.target)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of the same module whose names the file uses."""
        uses: NamesByFile = {}
        own = self._modules.module_of(path)
        self._look_up(path, self._indexes[own], uses, own)
        for file, (names, line) in sorted(uses.items()):
            yield ImplicitUse(file, tuple(sorted(names)), line)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """None: strings load nothing."""
        return ()

    def _modules_named(self, path: str, name: str) -> list[str]:
        """The modules of that name: targets rather than project trees, and of several the nearest."""
        modules = [module for module in self._modules.by_name.get(name, ()) if module != NO_FOLDER]
        modules = [module for module in modules if not module.endswith("/")] or modules
        if len(modules) > 1:
            most = max(_shared_folders(module, path) for module in modules)
            modules = [module for module in modules if _shared_folders(module, path) == most]
        return modules

    def _with_reexports(self, path: str, modules: list[str]) -> list[str]:
        """The modules, and those they re-export."""
        visible = list(modules)
        for module in visible:  # grows while it is walked
            for name in sorted(self._reexported.get(module, ())):
                visible += [other for other in self._modules_named(path, name) if other not in visible]
        return visible

    def _look_up(self, path: str, index: Index, uses: NamesByFile, own: str) -> None:
        """Add the files of a module whose names the file `path` uses; names of its own module hide those of others."""
        facts = self._facts[path]
        defined = {class_.name for class_ in facts.classes if "." in class_.qualname} | set(facts.definitions)
        mentioned = frozenset({reference.name.partition(".")[0] for reference in facts.references})
        home = self._indexes[own]
        for reference in facts.references:
            name = reference.name
            first, _, rest = name.partition(".")
            if rest and first in self._modules.by_name and first not in home.names:
                name = first = rest  # `Module.Type`
            if first in defined or (index is not home and first.partition(".")[0] in home.names):
                continue
            self._add(path, index.locate(name, mentioned), reference.line, uses)
        functions = {function.name for function in facts.functions}
        for target, line in _called(facts):
            if target in functions:
                continue
            if target[:1] != ".":
                files = index.names.get(target, ())
                self._add(path, ((file, target) for file in files), line, uses)
            elif target[1:] not in functions and (member := index.members.get(target[1:])):
                self._add(path, [(member, target[1:])], line, uses)

    def _add(self, path: str, located: Iterable[tuple[str, str]], line: int, uses: NamesByFile) -> None:
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for file, name in located:
            by_name[name].append(file)
        for name, files in by_name.items():
            if path in files:
                continue
            most = max(_shared_folders(file, path) for file in files) if len(files) > 1 else -1
            for file in files:
                if len(files) == 1 or _shared_folders(file, path) == most:
                    names, first = uses.get(file, (set(), line))
                    uses[file] = (names | {name}, min(first, line))


def _called(facts: FileFacts) -> Iterator[tuple[str, int]]:
    """Functions that a file calls by plain name, and with a leading dot the members in other calls; with lines."""
    for call in facts.calls:
        if _PLAIN.fullmatch(call.target):
            yield call.target, call.line
        else:
            for name in _MEMBER.findall(call.target):
                yield f".{name}", call.line


def _shared_folders(folder: str, path: str) -> int:
    """How many leading folders two paths have in common."""
    return posixpath.commonpath([f"/{folder}", f"/{path}"]).rstrip("/").count("/")
