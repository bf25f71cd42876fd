"""Resolve C# names to files, by the namespaces visible to a file and the types they define.

`using A.B` leads to the files that define the types of A.B which the file names, not to the whole namespace. A type of the same
namespace, of an enclosing one, or of a namespace that the whole project uses needs no `using`. A partial type is all its files.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from crimes.languages.csharp.projects import load_projects
from crimes.languages.linking.names_by_file import NamesByFile
from crimes.languages.spec import ImplicitUse, Resolution, ResolveInput, Resolver
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex

GLOBAL = "global"  # the alias of a using that applies to the whole project
_STANDARD = regex(r"(?:System|Microsoft|Windows|Mono|Xamarin|MS)(?:\.|$)")


class CSharpResolver(Resolver):
    """Looks types up in the namespaces of the tree; of several with one name the nearest is meant."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._facts = inputs.facts
        self._projects = load_projects(inputs.paths, inputs.read)
        self._types = _index_types(inputs.facts)
        self._top_namespaces = frozenset(name.partition(".")[0] for name in self._types)
        self._names_used = {
            path: {reference.name.partition(".")[0] for reference in facts.references}
            for path, facts in inputs.facts.items()
        }
        self._global_usings: defaultdict[str, set[str]] = defaultdict(set)
        for path, facts in inputs.facts.items():
            for item in facts.imports:
                if item.alias == GLOBAL and item.names[0].name == "*":
                    self._global_usings[self._projects.folder_of(path)].add(item.target)
        for folder, names in self._projects.usings.items():
            self._global_usings[folder].update(names)

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where a using directive of the file `path` leads."""
        imported = item.names[0].name
        outer_namespaces = ("", *_enclosing_namespaces(self._facts[path]))
        namespaces = [".".join(filter(None, (outer, item.target))) for outer in outer_namespaces]
        candidates = [self._types[name] for name in namespaces if name in self._types]
        if imported == "*":
            types = candidates[0] if candidates else {}
            known = bool(types) or any(map(self._has_namespace_below, namespaces))
            wanted = self._names_used[path] & types.keys()
        else:
            known = False
            types = next((types for types in candidates if imported in types), {})
            wanted = {imported} & types.keys()
        names_by_file = NamesByFile()
        for name in wanted:
            for file in self._nearest(path, types[name]):
                names_by_file.add(file, name)
        if targets := names_by_file.targets():
            return Resolution(targets)
        return Resolution(
            external=not known and self._is_external(item.target),
            package=".".join(item.target.split(".")[:2]),
            known=known,
        )

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of types that are visible without a using, and of names written with their namespace."""
        facts = self._facts[path]
        bound = {imported.alias for item in facts.imports for imported in item.names}
        bound.update(class_.name for class_ in facts.classes)
        visible = list(dict.fromkeys(self._visible_namespaces(path, facts)))
        names = NamesByFile()
        for reference in facts.references:
            first, _, rest = reference.name.partition(".")
            if first in bound:
                continue
            for file, name in self._locate(path, visible, first, rest):
                names.add(file, name, reference.line)
        return names.uses(path)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Files of a type that a string names with its namespace."""
        namespace, _, name = value.rpartition(".")
        return self._nearest(path, self._types.get(namespace, {}).get(name, ()))

    def _visible_namespaces(self, path: str, facts: FileFacts) -> Iterator[str]:
        """The file's own namespaces and their parents, then the global usings of its project, then the global namespace."""
        yield from _enclosing_namespaces(facts)
        folder = self._projects.folder_of(path)
        while True:
            yield from sorted(self._global_usings.get(folder, ()))
            if not folder:
                break
            folder = posixpath.dirname(folder)
        yield ""

    def _locate(self, path: str, visible: list[str], first: str, rest: str) -> Iterator[tuple[str, str]]:
        for namespace in visible:
            files = self._types.get(namespace, {}).get(first)
            if files:
                yield from ((file, first) for file in self._nearest(path, files))
                return
        words = [first, *rest.split(".")] if rest else []
        # A qualified name, complete or relative to a visible namespace.
        for end in range(len(words) - 1, 0, -1):
            for namespace in ("", *visible):
                types = self._types.get(".".join(filter(None, (namespace, *words[:end]))), {})
                if words[end] in types:
                    yield from ((file, words[end]) for file in self._nearest(path, types[words[end]]))
                    return

    def _nearest(self, path: str, files: tuple[str, ...]) -> tuple[str, ...]:
        """Of several definitions those of the same project, else those of the project that shares most of the path."""
        if len(files) < 2:
            return files
        project = self._projects.folder_of(path)
        own = tuple(file for file in files if self._projects.folder_of(file) == project)
        if own:
            return own
        by_project: dict[str, list[str]] = {}
        for file in files:
            by_project.setdefault(self._projects.folder_of(file), []).append(file)
        best = max(
            sorted(by_project), key=lambda folder: len(posixpath.commonpath([f"/{folder}", f"/{path}"]))
        )
        return tuple(by_project[best])

    def _has_namespace_below(self, namespace: str) -> bool:
        return any(name.startswith(f"{namespace}.") for name in self._types)

    def _is_external(self, target: str) -> bool:
        """Whether a namespace that the tree does not define comes from a library."""
        top = target.partition(".")[0]
        if _STANDARD.match(target) or top not in self._top_namespaces:
            return True
        words = target.lower().split(".")
        return any(".".join(words[:end]) in self._projects.packages for end in range(1, len(words) + 1))


def _enclosing_namespaces(facts: FileFacts) -> Iterator[str]:
    """The namespaces of a file, each with its parents, innermost first."""
    for package in facts.packages:
        while package:
            yield package
            package = package.rpartition(".")[0]


def _index_types(facts: Mapping[str, FileFacts]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Files by namespace and type name."""
    types: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path, file_facts in sorted(facts.items()):
        for namespace in file_facts.packages or ("",):
            for name in file_facts.definitions:
                types[namespace][name].append(path)
    return {
        namespace: {name: tuple(files) for name, files in names.items()} for namespace, names in types.items()
    }
