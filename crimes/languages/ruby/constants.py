"""The file that defines a constant: the one an autoloader would load, or one that is seen to define it.

Names are looked up as in Ruby, from the enclosing modules outwards; which of a file's modules enclose a name is not
known, so all of them are tried, deepest first. A module that only contains others is opened by every file inside it,
and these do not define it. A class that several files open belongs to the file whose path fits its name, if any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from crimes.languages.linking.tree_paths import nearest_paths
from crimes.languages.ruby.layout import Layout, inflection_key, is_test_path, is_visible
from crimes.model.facts import FileFacts


@cache
def core_constants() -> frozenset[str]:
    """Constants of Ruby and its standard library: reopening one does not define it."""
    return frozenset((Path(__file__).parent / "core.txt").read_text(encoding="ascii").split())


class Constants:
    """The constants of a tree. Those of tests are visible only to tests."""

    def __init__(self, facts: Mapping[str, FileFacts], layout: Layout) -> None:
        self._autoloaded = _autoloaded_files(facts, layout.autoloaded)
        self._defined: dict[str, list[str]] = defaultdict(list)
        # Names with the file that gives them a base or a value, and those plus classes with methods.
        self._with_base: set[tuple[str, str]] = set()
        self._with_content: set[tuple[str, str]] = set()
        for path, file_facts in sorted(facts.items()):
            for name in _defined_constants(path, file_facts):
                self._defined[name].append(path)
            for class_ in file_facts.classes:
                name = class_.qualname.replace("::", ".")
                if class_.bases:
                    self._with_base.add((name, path))
                if class_.methods:
                    self._with_content.add((name, path))
            self._with_base.update((name, path) for name in file_facts.definitions if "." in name)
        self._with_content |= self._with_base

    def files(self, written: str, opened: tuple[str, ...], user: str, *, is_ours: bool = False) -> list[str]:
        """Files that may define a constant; of `A::B::NAME` the longest known part counts.

        `opened` are the modules that the file `user` opens. `is_ours` rules out a core constant of that name.
        """
        name = written.lstrip(":").replace("::", ".")
        if not name[:1].isupper():
            return []
        modules = ("",) if written.startswith("::") else (*opened, "")
        is_core = not is_ours and name.partition(".")[0] in core_constants()
        names = [f"{module}.{name}".strip(".") for module in modules if module or not is_core]
        for full in names:
            if user in self._defined.get(full, ()):
                return []  # defined in the file itself
            if files := self._files(full, user):
                return files
        # A constant defined at run time: the class that contains it is known.
        holders = (full.rpartition(".")[0] for full in names if "." in name)
        return next(filter(None, (self._files(full, user, needs_content=True) for full in holders)), [])

    def _files(self, name: str, user: str, *, needs_content: bool = False) -> list[str]:
        """Files of one full name; `needs_content` asks for a class with content, in a file of its name."""
        autoloaded = self._autoloaded.get(inflection_key(name), "")
        defined = self._defined.get(name, ())
        # A name in capitals without a visible definition is more likely a value than a class.
        if autoloaded and (autoloaded in defined or not name.rpartition(".")[2].isupper()):
            return [autoloaded] if not needs_content or (name, autoloaded) in self._with_content else []
        folder = user.rpartition("/")[0]
        visible = [
            path
            for path in defined
            if (not is_test_path(path) or is_visible(path, folder))
            and (not needs_content or (name, path) in self._with_content)
        ]
        fitting = [path for path in visible if _path_fits(path, name.rpartition(".")[2])]
        fitting = [path for path in fitting if _path_fits(path, name)] or fitting
        fitting = nearest_paths(fitting, folder)
        if fitting or needs_content or len(visible) != 1:
            return fitting if len(fitting) == 1 else []
        return visible if self._is_ours(name, visible[0]) else []

    def _is_ours(self, name: str, path: str) -> bool:
        """Whether a file defines a class, and does not reopen that of a gem: it gives a base, or its path has the top module."""
        folders = inflection_key(path[:-3]).split("/")
        in_top_module = "." not in name or inflection_key(name.partition(".")[0]) in folders
        return (in_top_module and "config" not in folders) or (name, path) in self._with_base


def opened_modules(facts: FileFacts) -> tuple[str, ...]:
    """Modules and classes that a file opens, deepest first. `class A::B` opens A::B, not A."""
    names = {class_.qualname.replace("::", ".") for class_ in facts.classes}
    return tuple(sorted(names, key=lambda name: (-name.count("."), name)))


def _defined_constants(path: str, facts: FileFacts) -> Iterator[str]:
    classes = {class_.qualname.replace("::", "."): class_ for class_ in facts.classes}
    holders = {name.rpartition(".")[0] for name in classes}
    for name, class_ in classes.items():
        if name not in holders or class_.methods or class_.bases or _path_fits(path, name.rpartition(".")[2]):
            yield name
    yield from (name for name in facts.definitions if name[:1].isupper() and name not in classes)


def _path_fits(path: str, name: str) -> bool:
    """Whether a path ends like the name of a constant."""
    return f"/{inflection_key(path[:-3])}".endswith(f"/{inflection_key(name)}")


def _autoloaded_files(facts: Mapping[str, FileFacts], roots: tuple[str, ...]) -> dict[str, str]:
    """Files of autoloaded folders by the key of the constant their path gives; the innermost folder decides."""
    files: dict[str, str] = {}
    folders = frozenset(roots)
    for path in sorted(facts):
        stem = path.removesuffix(".rb")
        root = stem.rpartition("/")[0]
        while root and root not in folders:
            root = root.rpartition("/")[0]
        if root and path.endswith(".rb"):
            files.setdefault(inflection_key(stem[len(root) + 1 :]), path)
    return files
