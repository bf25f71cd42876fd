"""How Ruby files find each other: by `require`, by `autoload`, and by the constants they name.

A required name is searched on the load paths; one that is not found there belongs to a gem or to Ruby itself, unless its
first part is a name of this tree. A constant leads to its file with or without a loader: whoever names a class depends on it,
also where one file at the top requires all others.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable

from crimes.languages.ruby.constants import Constants, around
from crimes.languages.ruby.layout import Layout, plain
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import Import
from crimes.model.lazy_regex import regex

_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = (".rb", "", ".so", ".bundle", ".c", ".rs", ".java")  # sources of compiled extensions last


def ruby_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's Ruby files."""
    return RubyResolver(given)


class RubyResolver:
    """Looks names up on load paths, and constants among those the tree defines."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        self._paths = given.paths
        self._layout = Layout(given)
        self._constants = Constants(given.facts, self._layout)
        self._found: dict[tuple[tuple[str, ...], str], str] = {}

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where a `require`, `load` or `autoload` of the file `path` leads."""
        target = item.target
        names = tuple(name.name for name in item.names)
        if target.startswith(":"):
            beside = self._file(f"{path[:-3]}/{_underscored(target[1:])}")
            known = around(self._facts[path])
            files = [beside] if beside else self._constants.files(target[1:], known, path, stated=True)
            return Resolution(tuple(Resolved(file, names) for file in files if file != path))
        if target.startswith(("./", "../")):
            file = self._relative(path, target)
            return Resolution((Resolved(file, names),) if file else ())
        found = self._search(path, target)
        if found:
            return Resolution((Resolved(found, names),))
        top, gem = target.partition("/")[0], self._layout.gem(target)
        missing = plain(top) in self._layout.owned and "/" in target and not gem
        return Resolution(external=not missing, package=gem or top)

    def _relative(self, path: str, target: str) -> str:
        """Beside the file; and a plain `require "./x"` counts from where the program was started."""
        for folder in (path.rpartition("/")[0], ""):
            joined = posixpath.normpath(posixpath.join(folder, target))
            if not joined.startswith("..") and (file := self._file(joined)):
                return file
        return ""

    def _search(self, path: str, target: str) -> str:
        roots = self._layout.search(path.rpartition("/")[0])
        asked = (roots, target)
        if asked not in self._found:
            joined = (posixpath.normpath(posixpath.join(root, target)) for root in roots)
            inside = (name for name in joined if not name.startswith(("..", "/")))
            self._found[asked] = next(filter(None, map(self._file, inside)), "")
        found = self._found[asked]
        return "" if found == path else found  # a file cannot mean itself: it names a gem

    def _file(self, name: str) -> str:
        return next((name + end for end in _ENDINGS if name + end in self._paths), "")

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Strings name no files that would be loaded."""
        return ()

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files whose constants this one names."""
        facts = self._facts[path]
        modules = around(facts)
        found: dict[str, dict[str, int]] = defaultdict(dict)
        for one in facts.references:
            for file in self._constants.files(one.name, modules, path):
                if file != path:
                    found[file][one.name] = one.line
        for file, names in sorted(found.items()):
            yield ImplicitUse(file, tuple(sorted(names)), min(names.values()))


def _underscored(name: str) -> str:
    """`HTMLParser` -> `html_parser`."""
    return _HUMP.sub("_", name).lower()
