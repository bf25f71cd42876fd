"""Resolve Swift names to files, by the imported modules and the types they define.

`import X` leads to the files of the module X that define what the importing file names: types, functions it calls, and
extension members with a distinctive name. Files of one module see each other without an import. An import of a module of
the repository of which nothing is used is known, and no dependency.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from crimes.languages.linking.names_by_file import NamesByFile
from crimes.languages.linking.tree_paths import nearest_paths
from crimes.languages.spec import ImplicitUse, Resolution, ResolveInput, Resolver
from crimes.languages.swift.index import Index, build_indexes
from crimes.languages.swift.modules import NO_FOLDER, load_modules
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex

EXPORTED = "exported"  # the alias of an import that is re-exported
_MEMBER = regex(r"\.(?=([a-z]\w*))")
_PLAIN = regex(r"[a-z_]\w*")


class SwiftResolver(Resolver):
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
        names = NamesByFile()
        for module in self._with_reexports(path, modules):
            if module != own:
                self._look_up(path, self._indexes.get(module, Index()), names, own)
        targets = names.targets()
        return Resolution(targets, known=not targets, package=item.target)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of the same module whose names the file uses."""
        names = NamesByFile()
        own = self._modules.module_of(path)
        self._look_up(path, self._indexes[own], names, own)
        return names.uses(path)

    def _modules_named(self, path: str, name: str) -> list[str]:
        """The modules of that name: targets rather than project trees, and of several the nearest."""
        modules = [module for module in self._modules.by_name.get(name, ()) if module != NO_FOLDER]
        modules = [module for module in modules if not module.endswith("/")] or modules
        return nearest_paths(modules, path)

    def _with_reexports(self, path: str, modules: list[str]) -> list[str]:
        """The modules, and those they re-export."""
        visible = list(modules)
        for module in visible:  # grows while it is walked
            for name in sorted(self._reexported.get(module, ())):
                visible += [other for other in self._modules_named(path, name) if other not in visible]
        return visible

    def _look_up(self, path: str, index: Index, names: NamesByFile, own: str) -> None:
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
            self._add(path, index.locate(name, mentioned), reference.line, names)
        functions = {function.name for function in facts.functions}
        for target, line in _called(facts):
            if target in functions:
                continue
            if target[:1] != ".":
                files = index.names.get(target, ())
                self._add(path, ((file, target) for file in files), line, names)
            elif target[1:] not in functions and (member := index.members.get(target[1:])):
                self._add(path, [(member, target[1:])], line, names)

    def _add(self, path: str, located: Iterable[tuple[str, str]], line: int, names: NamesByFile) -> None:
        by_name: defaultdict[str, list[str]] = defaultdict(list)
        for file, name in located:
            by_name[name].append(file)
        for name, files in by_name.items():
            if path not in files:
                for file in nearest_paths(files, path):
                    names.add(file, name, line)


def _called(facts: FileFacts) -> Iterator[tuple[str, int]]:
    """Functions that a file calls by plain name, and with a leading dot the members in other calls; with lines."""
    for call in facts.calls:
        if _PLAIN.fullmatch(call.target):
            yield call.target, call.line
        else:
            for name in _MEMBER.findall(call.target):
                yield f".{name}", call.line
