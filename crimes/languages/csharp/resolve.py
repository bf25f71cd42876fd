"""How a C# name finds its file: by the namespaces in sight and the types they define. Each answer is a look-up.

`using A.B` leads to the files that define the types of A.B which the file names, not to the whole namespace. A type of the same
namespace, of one around it, or of a namespace that the whole project uses needs no `using`. A partial type is all its files.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from crimes.languages.csharp.projects import projects
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex

GLOBAL = "global"  # the alias of a using that counts for the whole project
_STANDARD = regex(r"(?:System|Microsoft|Windows|Mono|Xamarin|MS)(?:\.|$)")


def csharp_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's C# files."""
    return CSharpResolver(given)


class CSharpResolver:
    """Looks types up in the namespaces of the tree; of two with one name the nearest counts."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        self._projects = projects(given.paths, given.read)
        self._types = _types(given.facts)
        self._tops = frozenset(name.partition(".")[0] for name in self._types)
        self._names = {
            path: {reference.name.partition(".")[0] for reference in facts.references}
            for path, facts in given.facts.items()
        }
        self._wide: defaultdict[str, set[str]] = defaultdict(set)
        for path, facts in given.facts.items():
            for item in facts.imports:
                if item.alias == GLOBAL and item.names[0].name == "*":
                    self._wide[self._projects.of(path)].add(item.target)
        for folder, names in self._projects.usings.items():
            self._wide[folder].update(names)

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where a using directive of the file `path` leads."""
        found: dict[str, set[str]] = {}
        imported = item.names[0].name
        spaces = [
            ".".join(filter(None, (around, item.target))) for around in ("", *_around(self._facts[path]))
        ]
        if imported == "*":
            types = next((self._types[space] for space in spaces if space in self._types), {})
            known = bool(types) or any(map(self._is_around, spaces))
            wanted = self._names[path] & types.keys()
        else:
            types = next(
                (self._types[space] for space in spaces if imported in self._types.get(space, ())), {}
            )
            known = False
            wanted = {imported} & types.keys()
        for name in wanted:
            for file in self._nearest(path, types[name]):
                found.setdefault(file, set()).add(name)
        if found:
            return Resolution(
                tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(found.items()))
            )
        return Resolution(
            external=not known and self._is_outside(item.target),
            package=".".join(item.target.split(".")[:2]),
            known=known,
        )

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Types of the namespaces in sight without a using, and names written out with their namespace."""
        facts = self._facts[path]
        bound = {one.alias for item in facts.imports for one in item.names} | {
            one.name for one in facts.classes
        }
        in_sight = list(dict.fromkeys(self._in_sight(path, facts)))
        found: dict[str, tuple[set[str], int]] = {}
        for reference in facts.references:
            first, _, rest = reference.name.partition(".")
            if first in bound:
                continue
            for file, name in self._locate(path, in_sight, first, rest):
                names, line = found.get(file, (set(), reference.line))
                names.add(name)
                found[file] = (names, min(line, reference.line))
        for file, (names, line) in sorted(found.items()):
            if file != path:
                yield ImplicitUse(file, tuple(sorted(names)), line)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """The file of a type that a string names with its namespace."""
        namespace, _, name = value.rpartition(".")
        return self._nearest(path, self._types.get(namespace, {}).get(name, ()))

    def _in_sight(self, path: str, facts: FileFacts) -> Iterator[str]:
        """The file's own namespaces and those around them, then what its project brings, then the nameless one."""
        yield from _around(facts)
        folder = self._projects.of(path)
        while True:
            yield from sorted(self._wide.get(folder, ()))
            if not folder:
                break
            folder = posixpath.dirname(folder)
        yield ""

    def _locate(self, path: str, in_sight: list[str], first: str, rest: str) -> Iterator[tuple[str, str]]:
        for namespace in in_sight:
            files = self._types.get(namespace, {}).get(first)
            if files:
                yield from ((file, first) for file in self._nearest(path, files))
                return
        words = [first, *rest.split(".")] if rest else []
        for end in range(len(words) - 1, 0, -1):  # a namespace written out, whole or from one in sight
            for namespace in ("", *in_sight):
                types = self._types.get(".".join(filter(None, (namespace, *words[:end]))), {})
                if words[end] in types:
                    yield from ((file, words[end]) for file in self._nearest(path, types[words[end]]))
                    return

    def _nearest(self, path: str, files: tuple[str, ...]) -> tuple[str, ...]:
        """Of several definitions those of the own project, else those that share most of the path."""
        if len(files) < 2:
            return files
        project = self._projects.of(path)
        own = tuple(file for file in files if self._projects.of(file) == project)
        if own:
            return own
        by_project: dict[str, list[str]] = {}
        for file in files:
            by_project.setdefault(self._projects.of(file), []).append(file)
        best = max(
            sorted(by_project), key=lambda folder: len(posixpath.commonpath([f"/{folder}", f"/{path}"]))
        )
        return tuple(by_project[best])

    def _is_around(self, namespace: str) -> bool:
        return any(name.startswith(f"{namespace}.") for name in self._types)

    def _is_outside(self, target: str) -> bool:
        """Whether a namespace that is not there comes from elsewhere."""
        top = target.partition(".")[0]
        if _STANDARD.match(target) or top not in self._tops:
            return True
        words = target.lower().split(".")
        return any(".".join(words[:end]) in self._projects.packages for end in range(1, len(words) + 1))


def _around(facts: FileFacts) -> Iterator[str]:
    """The namespaces of a file, each with those around it, innermost first."""
    for package in facts.packages:
        while package:
            yield package
            package = package.rpartition(".")[0]


def _types(facts: Mapping[str, FileFacts]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Files by namespace and the name of a type in it."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path, known in sorted(facts.items()):
        for package in known.packages or ("",):
            for name in known.definitions:
                found[package][name].append(path)
    return {space: {name: tuple(files) for name, files in names.items()} for space, names in found.items()}
