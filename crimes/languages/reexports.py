"""Names that a file passes on: who really provides what is imported from a barrel or a package file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from crimes.languages.spec import Resolution
from crimes.model import EdgeKind, FileFacts, Import

_DEPTH = 20  # a name is followed through so many files and no more
_WHOLE = ""  # in place of a name: the module itself


class Linked(Struct, frozen=True, gc=False):
    """An import with its final kind and where it leads."""

    item: Import
    kind: EdgeKind
    resolution: Resolution
    # The importing file itself, where it only passes the names on: a compiler looks through it, so nobody depends on
    # what a file passes on by depending on that file.
    through: str = ""


class Origin(Struct, frozen=True, gc=False):
    """A file behind the one a name was imported from."""

    path: str
    type_only: bool


class _Step(Struct, frozen=True, gc=False):
    target: str
    name: str  # what it is called there
    type_only: bool


class Reexports:
    """Follows names from file to file; each name of a file is followed once.

    Any import at module level counts: whoever imports the name from this file shows that it is passed on.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        linked: Mapping[str, Sequence[Linked]],
        stating: Collection[str] = (),
    ) -> None:
        """`stating` are the languages whose files pass on only what they say they export."""
        self._facts = facts
        self._stating = stating
        self._passed: dict[str, dict[str, list[_Step]]] = {}
        self._stars: dict[str, list[_Step]] = {}
        for path, imports in linked.items():
            self._passed[path], self._stars[path] = _steps(imports)
        self._renamed = {
            (path, export.name): export.local
            for path, known in facts.items()
            for export in known.exports
            if export.local and export.local != export.name
        }
        self._starred: dict[str, dict[str, list[_Step]]] = {}
        self._known: dict[tuple[str, str], tuple[Origin, ...]] = {}

    def behind(self, path: str, name: str, depth: int = 0) -> tuple[Origin, ...]:
        """Files that the name comes from when it is imported from `path`: every one on the way, in order."""
        asked = (path, name)
        if asked not in self._known:
            if depth == _DEPTH:
                return ()
            self._known[asked] = ()  # a name that leads back to itself ends there
            self._known[asked] = self._follow(path, name, depth)
        return self._known[asked]

    def _follow(self, path: str, name: str, depth: int) -> tuple[Origin, ...]:
        passed = self._passed.get(path, {})
        steps = passed.get(name) or passed.get(self._renamed.get((path, name), name))
        if steps is None:
            steps = self._through_stars(path, depth).get(name, [])
        found: dict[str, bool] = {}
        for step in steps:
            further = self.behind(step.target, step.name, depth + 1) if step.name != _WHOLE else ()
            for origin in (Origin(step.target, False), *further):
                # Two ways to one file, one of them real: it is real.
                erased = origin.type_only or step.type_only
                found[origin.path] = found.get(origin.path, True) and erased
        return tuple(Origin(target, type_only) for target, type_only in found.items())[:_DEPTH]

    def _through_stars(self, path: str, depth: int) -> dict[str, list[_Step]]:
        """Names that come by a star, with the file each star takes them from."""
        if path not in self._starred:
            if depth == _DEPTH:
                return {}
            names: dict[str, list[_Step]] = defaultdict(list)
            self._starred[path] = names  # stars in a circle find what is there so far
            own = set(self._own(path))
            for star in self._stars.get(path, ()):
                for name in {*self._own(star.target), *self._through_stars(star.target, depth + 1)} - own:
                    names[name].append(_Step(star.target, name, star.type_only))
        return self._starred[path]

    def _own(self, path: str) -> Iterable[str]:
        known = self._facts.get(path)
        if known is None:
            return ()
        exported = tuple(export.name for export in known.exports)
        if exported and known.language in self._stating:
            return exported
        return (*known.definitions, *exported, *self._passed.get(path, ()))


def _steps(imports: Sequence[Linked]) -> tuple[dict[str, list[_Step]], list[_Step]]:
    passed: dict[str, list[_Step]] = defaultdict(list)
    stars: list[_Step] = []
    for one in imports:
        if one.item.function != -1 or one.kind == EdgeKind.DYNAMIC:
            continue
        type_only = one.kind == EdgeKind.TYPE_ONLY
        targets = {name: found.path for found in one.resolution.targets for name in found.names}
        for imported in one.item.names:
            local = imported.alias or imported.name
            target = targets.get(imported.name)
            if target is None:
                continue
            if local == "*":
                stars.append(_Step(target, _WHOLE, type_only))
            else:
                name = _WHOLE if imported.name == "*" else imported.name
                passed[local].append(_Step(target, name, type_only))
        if one.item.alias and one.resolution.targets:
            passed[one.item.alias].append(_Step(one.resolution.targets[0].path, _WHOLE, type_only))
    return dict(passed), stars
