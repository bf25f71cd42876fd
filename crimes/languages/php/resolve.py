"""Resolve PHP names to files, by their definitions and the namespaces of composer.json.

A class is loaded on first use, so `use` implies no load order. Names of the same namespace need no `use`.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping

from crimes.languages.linking.names_by_file import NamesByFile
from crimes.languages.php.manifests import load_manifests
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import EdgeKind, FileFacts, Import


class PhpResolver(Resolver):
    """Looks names up among the definitions of all files; of several, the folder of the namespace decides."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._paths = inputs.paths
        self._facts = inputs.facts
        self._composers = load_manifests(inputs.paths, inputs.read)
        self._definitions = _index_definitions(inputs.facts)
        self._namespaces = frozenset(
            name.lower() for facts in inputs.facts.values() for name in facts.packages
        )
        self._required_words = frozenset(
            word
            for composer in self._composers
            for name in composer.requires
            for word in _package_words(name.partition("/")[2])
        )

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where a `use` or an include of the file `path` leads."""
        if item.kind is not EdgeKind.LINKED:
            return self._resolve_include(path, item.target)
        names_by_file = NamesByFile()
        known = False
        for imported in item.names:
            dotted = f"{item.target}.{imported.name}" if item.target else imported.name
            if file := self._find(path, dotted):
                names_by_file.add(file, imported.name)
            known = known or dotted.lower() in self._namespaces
        if targets := names_by_file.targets():
            return Resolution(targets)
        package = (item.target or item.names[0].name).partition(".")[0]
        words = f"{item.target}.{item.names[0].name}".lower().strip(".").split(".")
        return Resolution(external=not known and self._is_external(words), package=package, known=known)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files of classes of the same namespace, of names below an imported one, and of fully qualified names."""
        facts = self._facts[path]
        namespaces = facts.packages or ("",)
        bound = {name.alias: f"{item.target}.{name.name}" for item in facts.imports for name in item.names}
        names = NamesByFile()
        for reference in facts.references:
            first, _, rest = reference.name.replace("\\", ".").partition(".")
            if not rest and first in bound:
                continue  # the import is the edge
            if not first:
                candidates = [rest]
            elif first in bound:
                candidates = [f"{bound[first]}.{rest}"]
            else:
                name = f"{first}.{rest}" if rest else first
                candidates = [f"{namespace}.{name}".strip(".") for namespace in namespaces]
            for file in filter(None, (self._find(path, dotted) for dotted in candidates)):
                names.add(file, reference.name.rpartition("\\")[2], reference.line)
        return names.uses(path)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """The file of a class that a string names with its namespace."""
        if "\\" not in value:
            return ()
        file = self._find(path, value.replace("\\\\", "\\").strip("\\").replace("\\", "."))
        return (file,) if file else ()

    def _resolve_include(self, path: str, target: str) -> Resolution:
        """The file that an include names, relative to the including file or to a folder that programs usually start in."""
        folder = posixpath.dirname(path)
        folders = [folder]
        if not target.startswith("."):
            folders += ["", *(composer.folder for composer in self._composers)]
        for start in folders:
            joined = posixpath.normpath(posixpath.join(start, target))
            if joined in self._paths:
                return Resolution((Resolved(joined),))
        installed = "vendor/" in target or target.endswith("autoload.php")
        return Resolution(external=installed, package="vendor" if installed else "")

    def _find(self, path: str, dotted: str) -> str:
        files = self._definitions.get(dotted.lower(), ())
        if len(files) < 2:
            return files[0] if files else ""
        if path in files:
            return path
        declared = self._declared_paths(dotted)
        return min(
            files, key=lambda file: (file not in declared, -len(posixpath.commonpath([file, path])), file)
        )

    def _declared_paths(self, dotted: str) -> frozenset[str]:
        """Where composer.json says that the file of a class is."""
        paths = set()
        for composer in self._composers:
            for prefix, folder in composer.psr4:
                if dotted.startswith(prefix):
                    paths.add(_php_file(folder, dotted[len(prefix) :].replace(".", "/")))
            for prefix, folder in composer.psr0:
                if dotted.startswith(prefix):
                    namespace, _, name = dotted.rpartition(".")
                    relative = "/".join(filter(None, (namespace.replace(".", "/"), name.replace("_", "/"))))
                    paths.add(_php_file(folder, relative))
        return frozenset(paths)

    def _is_external(self, words: list[str]) -> bool:
        """Whether a name that the tree does not define comes from a package.

        A package may share a namespace of the tree: `Acme\\Log` of acme/log.
        """
        for composer in self._composers:
            covered = max(
                (_words_covered(prefix, words) for prefix, _ in composer.psr4 + composer.psr0), default=0
            )
            if covered:
                return not self._required_words.isdisjoint(words[covered:])
        return True


def _package_words(package: str) -> set[str]:
    """Names that the namespace of a package may have: CaBundle for `ca-bundle`, Promise for `promises`."""
    joined = package.replace("-", "")
    return {*package.split("-"), joined, joined.removesuffix("s")}


def _words_covered(prefix: str, words: list[str]) -> int:
    """How many words of a dotted name a namespace prefix covers; 0 if it is not a prefix."""
    own = prefix.lower().strip(".").split(".") if prefix.strip(".") else []
    return len(own) if words[: len(own)] == own else 0


def _php_file(folder: str, relative: str) -> str:
    return f"{folder}/{relative}.php" if folder else f"{relative}.php"


def _index_definitions(facts: Mapping[str, FileFacts]) -> Mapping[str, tuple[str, ...]]:
    """Files by the dotted names they define, in lower case since PHP ignores case."""
    files_by_name: defaultdict[str, list[str]] = defaultdict(list)
    for path, file_facts in sorted(facts.items()):
        for namespace in file_facts.packages or ("",):
            for name in file_facts.definitions:
                if not name.startswith("$"):
                    files_by_name[f"{namespace}.{name}".strip(".").lower()].append(path)
    return {name: tuple(files) for name, files in files_by_name.items()}
