"""Which file a constant comes from: by where a loader looks for it, or by who defines it.

A name is looked up as Ruby does, from the modules around it outwards; which of a file's modules are around it is not
known, so all of them are tried, the deepest first. A module that only holds others is opened by every file inside it:
those do not count as its definition. A class that several files open is where its path says, or nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from crimes.languages.ruby.layout import Layout, is_test_path, is_visible, plain, shared
from crimes.model.facts import FileFacts


@cache
def _core() -> frozenset[str]:
    """Constants of the language and its library: to open one again is not to define it."""
    return frozenset((Path(__file__).parent / "core.txt").read_text(encoding="ascii").split())


class Constants:
    """The constants of a tree. Those of tests are seen by tests only."""

    def __init__(self, facts: Mapping[str, FileFacts], layout: Layout) -> None:
        self._loaded = _by_path(facts, layout.loaded)
        self._defined: dict[str, list[str]] = defaultdict(list)
        self._stated: set[tuple[str, str]] = (
            set()
        )  # names with the file that says what they are: a base, a value
        self._full: set[tuple[str, str]] = set()  # those, and classes with methods
        for path, known in sorted(facts.items()):
            for name in _defined(path, known):
                self._defined[name].append(path)
            for one in known.classes:
                name = one.qualname.replace("::", ".")
                if one.bases:
                    self._stated.add((name, path))
                if one.methods:
                    self._full.add((name, path))
            self._stated.update((name, path) for name in known.definitions if "." in name)
        self._full |= self._stated

    def files(self, written: str, around: tuple[str, ...], user: str, *, stated: bool = False) -> list[str]:
        """Files a constant as written may come from; of `A::B::NAME` the longest part that is known counts.

        `stated` says that it is one of ours, whatever it is called.
        """
        name = written.lstrip(":").replace("::", ".")
        if not name[:1].isupper():
            return []
        modules = ("",) if written.startswith("::") else (*around, "")
        core = not stated and name.partition(".")[0] in _core()
        names = [f"{module}.{name}".strip(".") for module in modules if module or not core]
        for full in names:
            if user in self._defined.get(full, ()):
                return []  # its own
            if found := self._files(full, user):
                return found
        # A name that something makes when it runs: the class it is made in is known.
        holders = (full.rpartition(".")[0] for full in names if "." in name)
        return next(filter(None, (self._files(full, user, whole=True) for full in holders)), [])

    def _files(self, name: str, user: str, *, whole: bool = False) -> list[str]:
        """Files of one full name; `whole` asks for a class with content, in a file of its name."""
        loaded = self._loaded.get(plain(name), "")
        known_there = loaded in self._defined.get(name, ())
        # Without its definition in sight, a name in capitals is rather a value than a class.
        if loaded and (known_there or not name.rpartition(".")[2].isupper()):
            return [loaded] if not whole or (name, loaded) in self._full else []
        folder = user.rpartition("/")[0]
        defined = self._defined.get(name, ())
        known = [
            path
            for path in defined
            if (not is_test_path(path) or is_visible(path, folder))
            and (not whole or (name, path) in self._full)
        ]
        fitting = [path for path in known if _fits(path, name.rpartition(".")[2])]
        fitting = [path for path in fitting if _fits(path, name)] or fitting
        if len(fitting) > 1:
            near = max(shared(path, folder) for path in fitting)
            fitting = [path for path in fitting if shared(path, folder) == near]
        if fitting or whole or len(known) != 1:
            return fitting if len(fitting) == 1 else []
        return known if self._is_ours(name, known[0]) else []

    def _is_ours(self, name: str, path: str) -> bool:
        """A class of a gem that is opened again states no base, and stands where the gem's name does not."""
        folders = plain(path[:-3]).split("/")
        beside = "." not in name or plain(name.partition(".")[0]) in folders
        return (beside and "config" not in folders) or (name, path) in self._stated


def around(facts: FileFacts) -> tuple[str, ...]:
    """Modules and classes that a file opens, the deepest first. `class A::B` opens A::B, not A."""
    found = {one.qualname.replace("::", ".") for one in facts.classes}
    return tuple(sorted(found, key=lambda name: (-name.count("."), name)))


def _defined(path: str, facts: FileFacts) -> Iterator[str]:
    names = {one.qualname.replace("::", "."): one for one in facts.classes}
    holders = {name.rpartition(".")[0] for name in names}
    for name, one in names.items():
        if name not in holders or one.methods or one.bases or _fits(path, name.rpartition(".")[2]):
            yield name
    yield from (name for name in facts.definitions if name[:1].isupper() and name not in names)


def _fits(path: str, name: str) -> bool:
    """Whether a path ends as a constant does."""
    return f"/{plain(path[:-3])}".endswith(f"/{plain(name)}")


def _by_path(facts: Mapping[str, FileFacts], roots: tuple[str, ...]) -> dict[str, str]:
    """Files of autoloaded folders by the constant their path stands for; the innermost folder decides."""
    found: dict[str, str] = {}
    inside = frozenset(roots)
    for path in sorted(facts):
        stem = path.removesuffix(".rb")
        root = stem.rpartition("/")[0]
        while root and root not in inside:
            root = root.rpartition("/")[0]
        if root and path.endswith(".rb"):
            found.setdefault(plain(stem[len(root) + 1 :]), path)
    return found
