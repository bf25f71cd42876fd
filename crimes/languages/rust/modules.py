"""Module trees: which file is which module of which crate.

A crate is named by the file it begins with. A module may stand in several files (one for each platform), and a file in
several crates (`mod common;` of many tests).
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from crimes.languages.rust.cargo import Package, holder
from crimes.model.facts import FileFacts, Import

MOST_OWNERS = 4
Path = tuple[str, ...]


class Place(Struct, frozen=True):
    """A module: the file its crate begins with, and the names on the way down."""

    crate: str
    path: Path = ()

    def child(self, *names: str) -> Place:
        return Place(self.crate, (*self.path, *names))

    def parent(self) -> Place:
        return Place(self.crate, self.path[:-1])


class Trees(Struct):
    """Files by module, and modules by file."""

    files: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, tuple[Place, ...]] = field(default_factory=dict)
    declared: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)  # by file and declaration

    def _add(self, place: Place, file: str) -> None:
        known = self.files.get(place, ())
        self.files[place] = known if file in known else (*known, file)

    def _own(self, file: str, place: Place) -> None:
        known = self.places.get(file, ())
        if place not in known and len(known) < MOST_OWNERS:
            self.places[file] = (*known, place)


def is_declaration(item: Import) -> bool:
    """`mod name;`, with or without a path of its own."""
    return item.target.startswith("mod ") or (bool(item.alias) and item.target.endswith(".rs"))


def is_inclusion(item: Import) -> bool:
    """`include!("file.rs")`."""
    return not item.alias and not item.names and item.target.endswith(".rs")


def trees(facts: Mapping[str, FileFacts], packages: Mapping[str, Package]) -> Trees:
    """All module trees: from the roots of the packages, then from what they do not reach."""
    made = Trees()
    for package in packages.values():
        for root in package.roots:
            _grow(made, facts, Place(root), root, posixpath.dirname(root))
    for path in sorted(facts, key=lambda path: (path.count("/"), not path.endswith("/lib.rs"), path)):
        if path not in made.places:
            place, folder = _guess(path, made, packages)
            _grow(made, facts, place, path, folder)
    return made


def _guess(path: str, made: Trees, packages: Mapping[str, Package]) -> tuple[Place, str]:
    """Where a file belongs that nothing declares: by its name below `src`, or else a crate of its own."""
    folder, name = posixpath.split(path)
    below = (
        folder
        if name in ("mod.rs", "lib.rs", "main.rs")
        else posixpath.join(folder, name.removesuffix(".rs"))
    )
    package = packages.get(holder(path, packages) or "")
    root = package.roots[0] if package is not None and package.roots else ""
    source = posixpath.dirname(root)
    if root and below.startswith(f"{source}/") and source.endswith("src"):
        place = Place(root, tuple(below[len(source) + 1 :].split("/")))
        if place not in made.files:
            return place, below
    return Place(path), folder


def _grow(made: Trees, facts: Mapping[str, FileFacts], place: Place, file: str, folder: str) -> None:
    """Follow declarations from a file; `folder` is where its modules lie. A crate takes in each file once."""
    made._add(place, file)
    seen = {file}
    ahead = deque([(place, file, folder)])
    while ahead:
        place, file, folder = ahead.popleft()
        made._own(file, place)
        for item in facts[file].imports if file in facts else ():
            if is_inclusion(item):
                for included in _existing((_join(posixpath.dirname(file), item.target),), facts):
                    made._own(included, place)
            elif is_declaration(item):
                names, options = _candidates(item, file, folder)
                for depth in range(1, len(names)):
                    made._add(place.child(*names[:depth]), file)  # an inline module around it
                found = _existing(options, facts)
                made.declared[file, item.target] = found
                for module in found:
                    made._add(place.child(*names), module)
                    if module not in seen:
                        seen.add(module)
                        ahead.append((place.child(*names), module, _folder_of(module, item)))


def _candidates(item: Import, file: str, folder: str) -> tuple[Path, tuple[str, ...]]:
    """The names of a declared module, and the files it may stand in."""
    if not item.target.startswith("mod "):
        return (item.alias,), (_join(posixpath.dirname(file), item.target), _join(folder, item.target))
    names = tuple(item.target[4:].split("::"))
    base = posixpath.join(folder, *names)
    return names, (f"{base}.rs", f"{base}/mod.rs")


def _folder_of(module: str, item: Import) -> str:
    """Where the modules of a module lie: beside a `mod.rs` and a file with a stated path, else in a folder of its name."""
    if module.endswith("/mod.rs") or not item.target.startswith("mod "):
        return posixpath.dirname(module)
    return module.removesuffix(".rs")


def _join(folder: str, written: str) -> str:
    return posixpath.normpath(posixpath.join(folder, written))


def _existing(options: Iterable[str], facts: Mapping[str, FileFacts]) -> tuple[str, ...]:
    return tuple(path for path in options if path in facts)[:1]
