"""Resolve `require`, `autoload` and constants to Ruby files.

A required name is searched on the load paths; one that is not found there belongs to a gem or to Ruby itself, unless its
first part is a name of this tree. A constant leads to its file with or without an autoloader: a file that names a class
depends on it, even if one entry file requires all others.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from crimes.languages.linking.names_by_file import NamesByFile
from crimes.languages.ruby.constants import Constants, opened_modules
from crimes.languages.ruby.layout import Layout, inflection_key
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import Import
from crimes.model.lazy_regex import regex

_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = (".rb", "", ".so", ".bundle", ".c", ".rs", ".java")  # sources of compiled extensions last


class RubyResolver(Resolver):
    """Looks required names up on the load paths, and constants among those the tree defines."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._facts = inputs.facts
        self._paths = inputs.paths
        self._layout = Layout(inputs)
        self._constants = Constants(inputs.facts, self._layout)
        self._required: dict[tuple[tuple[str, ...], str], str] = {}

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where a `require`, `load` or `autoload` of the file `path` leads."""
        target = item.target
        names = tuple(name.name for name in item.names)
        if target.startswith(":"):
            beside = self._file(f"{path[:-3]}/{_underscored(target[1:])}")
            modules = opened_modules(self._facts[path])
            files = [beside] if beside else self._constants.files(target[1:], modules, path, is_ours=True)
            return Resolution(tuple(Resolved(file, names) for file in files if file != path))
        if target.startswith(("./", "../")):
            file = self._relative(path, target)
            return Resolution((Resolved(file, names),) if file else ())
        if file := self._search(path, target):
            return Resolution((Resolved(file, names),))
        top, gem = target.partition("/")[0], self._layout.gem_of(target)
        missing = inflection_key(top) in self._layout.own_names and "/" in target and not gem
        return Resolution(external=not missing, package=gem or top)

    def _relative(self, path: str, target: str) -> str:
        """Relative to the file, else to the root: `require "./x"` is relative to where the program was started."""
        for folder in (path.rpartition("/")[0], ""):
            joined = posixpath.normpath(posixpath.join(folder, target))
            if not joined.startswith("..") and (file := self._file(joined)):
                return file
        return ""

    def _search(self, path: str, target: str) -> str:
        roots = self._layout.load_paths(path.rpartition("/")[0])
        key = (roots, target)
        if key not in self._required:
            joined = (posixpath.normpath(posixpath.join(root, target)) for root in roots)
            inside = (name for name in joined if not name.startswith(("..", "/")))
            self._required[key] = next(filter(None, map(self._file, inside)), "")
        file = self._required[key]
        return "" if file == path else file  # a file cannot require itself: it means a gem

    def _file(self, name: str) -> str:
        return next((name + end for end in _ENDINGS if name + end in self._paths), "")

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files that define the constants used in this one."""
        facts = self._facts[path]
        modules = opened_modules(facts)
        names = NamesByFile()
        for reference in facts.references:
            for file in self._constants.files(reference.name, modules, path):
                names.add(file, reference.name, reference.line)
        return names.uses(path)


def _underscored(name: str) -> str:
    """`HTMLParser` -> `html_parser`."""
    return _HUMP.sub("_", name).lower()
