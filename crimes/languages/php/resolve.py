"""How a PHP name finds its file: by the namespaces of composer.json, or by who defines it. Each answer is a look-up.

A class is loaded when it is first used, so `use` puts nothing in order. Names of the same namespace need no `use`.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping

from crimes.languages.php.manifests import manifests
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import EdgeKind, FileFacts, Import


def php_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's PHP files."""
    return PhpResolver(given)


class PhpResolver:
    """Looks names up in what the files define; where two files define one, the namespace's folder decides."""

    def __init__(self, given: ResolveInput) -> None:
        self._paths = given.paths
        self._facts = given.facts
        self._composers = manifests(given.paths, given.read)
        self._defined = _defined(given.facts)
        self._namespaces = frozenset(
            name.lower() for facts in given.facts.values() for name in facts.packages
        )
        self._required = frozenset(
            word
            for composer in self._composers
            for name in composer.requires
            for word in _words(name.partition("/")[2])
        )

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where a `use` or an include of the file `path` leads."""
        if item.kind is not EdgeKind.LINKED:
            return self._included(path, item.target)
        found: dict[str, set[str]] = {}
        known = False
        for imported in item.names:
            dotted = f"{item.target}.{imported.name}" if item.target else imported.name
            file = self._file(path, dotted)
            if file:
                found.setdefault(file, set()).add(imported.name)
            known = known or dotted.lower() in self._namespaces
        if found:
            return Resolution(
                tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(found.items()))
            )
        package = (item.target or item.names[0].name).partition(".")[0]
        words = f"{item.target}.{item.names[0].name}".lower().strip(".").split(".")
        return Resolution(external=not known and self._is_outside(words), package=package, known=known)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Classes of the same namespace, names below an imported one, and names written out in full."""
        facts = self._facts[path]
        here = facts.packages or ("",)
        bound = {one.alias: f"{item.target}.{one.name}" for item in facts.imports for one in item.names}
        found: dict[str, tuple[set[str], int]] = {}
        for reference in facts.references:
            first, _, rest = reference.name.replace("\\", ".").partition(".")
            if not rest and first in bound:
                continue  # the import is the edge
            if not first:
                wanted = [rest]
            elif first in bound:
                wanted = [f"{bound[first]}.{rest}"]
            else:
                name = f"{first}.{rest}" if rest else first
                wanted = [f"{package}.{name}".strip(".") for package in here]
            for file in filter(None, (self._file(path, dotted) for dotted in wanted)):
                names, line = found.get(file, (set(), reference.line))
                names.add(reference.name.rpartition("\\")[2])
                found[file] = (names, min(line, reference.line))
        for file, (names, line) in sorted(found.items()):
            if file != path:
                yield ImplicitUse(file, tuple(sorted(names)), line)

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """The file of a class that a string names with its namespace."""
        if "\\" not in value:
            return ()
        file = self._file(path, value.replace("\\\\", "\\").strip("\\").replace("\\", "."))
        return (file,) if file else ()

    def _included(self, path: str, target: str) -> Resolution:
        """A file by its path: from the file's own folder, or from where a program usually starts."""
        folder = posixpath.dirname(path)
        starts = (
            [folder] if target.startswith(".") else [folder, "", *(one.folder for one in self._composers)]
        )
        for start in starts:
            joined = posixpath.normpath(posixpath.join(start, target))
            if joined in self._paths:
                return Resolution((Resolved(joined),))
        installed = "vendor/" in target or target.endswith("autoload.php")
        return Resolution(external=installed, package="vendor" if installed else "")

    def _file(self, path: str, dotted: str) -> str:
        files = self._defined.get(dotted.lower(), ())
        if len(files) < 2:
            return files[0] if files else ""
        if path in files:
            return path
        stated = self._stated(dotted)
        near = sorted(
            files, key=lambda file: (file not in stated, -len(posixpath.commonpath([file, path])), file)
        )
        return near[0]

    def _stated(self, dotted: str) -> frozenset[str]:
        """Where composer.json says the file of a class is."""
        found = set()
        for composer in self._composers:
            for prefix, folder in composer.prefixes:
                if dotted.startswith(prefix):
                    found.add(_below(folder, dotted[len(prefix) :].replace(".", "/")))
            for prefix, folder in composer.flat:
                if dotted.startswith(prefix):
                    namespace, _, name = dotted.rpartition(".")
                    place = "/".join(filter(None, (namespace.replace(".", "/"), name.replace("_", "/"))))
                    found.add(_below(folder, place))
        return frozenset(found)

    def _is_outside(self, words: list[str]) -> bool:
        """Whether a name that is not there comes from elsewhere.

        A namespace that this tree claims may be shared with a package it requires: `Acme\\Log` with acme/log.
        """
        for composer in self._composers:
            claimed = max(
                (_claimed(prefix, words) for prefix, _ in composer.prefixes + composer.flat), default=0
            )
            if claimed:
                return not self._required.isdisjoint(words[claimed:])
        return True


def _words(package: str) -> set[str]:
    """What a package's namespace may be called: `ca-bundle` is CaBundle, `promises` is Promise."""
    joined = package.replace("-", "")
    return {*package.split("-"), joined, joined.removesuffix("s")}


def _claimed(prefix: str, words: list[str]) -> int:
    """How many words of a dotted name a prefix of ours covers; 0 when it is another's."""
    own = prefix.lower().strip(".").split(".") if prefix.strip(".") else []
    return len(own) if words[: len(own)] == own else 0


def _below(folder: str, place: str) -> str:
    return f"{folder}/{place}.php" if folder else f"{place}.php"


def _defined(facts: Mapping[str, FileFacts]) -> Mapping[str, tuple[str, ...]]:
    """Files by the dotted names they define, in lower case: PHP does not care."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path, known in sorted(facts.items()):
        for package in known.packages or ("",):
            for name in known.definitions:
                if not name.startswith("$"):
                    found[f"{package}.{name}".strip(".").lower()].append(path)
    return {name: tuple(files) for name, files in found.items()}
