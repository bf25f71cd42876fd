"""Names that a file passes on: who really provides what is imported from a barrel or a package file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from crimes.languages.spec import Resolution
from crimes.model.facts import EdgeKind, FileFacts, Import

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


class _Passing(Struct, frozen=True, gc=False):
    """What one file passes on."""

    names: dict[str, list[_Step]]
    stars: list[_Step]
    renamed: dict[str, str]  # what an exported name is called in the file


class Reexports:
    """Follows names from file to file; each name of a file is followed once.

    Any import at module level counts: whoever imports the name from this file shows that it is passed on.

    Where names lead in circles, or too far, an answer may depend on what was asked before: `was_cut` and `too_far` tell.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        linked: Callable[[str], Sequence[Linked]],
        stating: Collection[str] = (),
    ) -> None:
        """`stating` are the languages whose files pass on only what they say they export."""
        self.was_cut = self.too_far = False
        self._facts = facts
        self._linked = linked
        self._stating = stating
        self._passing: dict[str, _Passing] = {}
        self._starred: dict[str, dict[str, list[_Step]]] = {}
        self._known: dict[tuple[str, str], tuple[Origin, ...]] = {}
        self._open: set[tuple[str, str] | str] = set()  # what is being followed

    def behind(self, path: str, name: str, depth: int = 0) -> tuple[Origin, ...]:
        """Files that the name comes from when it is imported from `path`: every one on the way, in order."""
        asked = (path, name)
        if asked not in self._known:
            if depth == _DEPTH:
                self.was_cut = self.too_far = True
                return ()
            self._known[asked] = ()  # a name that leads back to itself ends there
            self._open.add(asked)
            self._known[asked] = self._follow(path, name, depth)
            self._open.remove(asked)
        elif asked in self._open:
            self.was_cut = True
        return self._known[asked]

    def _follow(self, path: str, name: str, depth: int) -> tuple[Origin, ...]:
        passing = self._of(path)
        passed = passing.names
        steps = passed.get(name) or passed.get(passing.renamed.get(name, name))
        if steps is None:
            steps = self._through_stars(path, depth).get(name, [])
        found: dict[str, bool] = {}
        for step in steps:
            further = self.behind(step.target, step.name, depth + 1) if step.name != _WHOLE else ()
            for origin in (Origin(step.target, False), *further):
                # Two ways to one file, one of them real: it is real.
                erased = origin.type_only or step.type_only
                found[origin.path] = found.get(origin.path, True) and erased
        self.too_far |= len(found) > _DEPTH
        return tuple(Origin(target, type_only) for target, type_only in found.items())[:_DEPTH]

    def _through_stars(self, path: str, depth: int) -> dict[str, list[_Step]]:
        """Names that come by a star, with the file each star takes them from."""
        if path not in self._starred:
            if depth == _DEPTH:
                self.was_cut = self.too_far = True
                return {}
            names: dict[str, list[_Step]] = defaultdict(list)
            self._starred[path] = names  # stars in a circle find what is there so far
            self._open.add(path)
            own = set(self._own(path))
            for star in self._of(path).stars:
                for name in {*self._own(star.target), *self._through_stars(star.target, depth + 1)} - own:
                    names[name].append(_Step(star.target, name, star.type_only))
            self._open.remove(path)
        elif path in self._open:
            self.was_cut = True
        return self._starred[path]

    def _of(self, path: str) -> _Passing:
        if path not in self._passing:
            names, stars = _steps(self._linked(path))
            known = self._facts.get(path)
            renamed = {
                export.name: export.local
                for export in (known.exports if known else ())
                if export.local and export.local != export.name
            }
            self._passing[path] = _Passing(names, stars, renamed)
        return self._passing[path]

    def _own(self, path: str) -> Iterable[str]:
        known = self._facts.get(path)
        if known is None:
            return ()
        exported = tuple(export.name for export in known.exports)
        if exported and known.language in self._stating:
            return exported
        return (*known.definitions, *exported, *self._of(path).names)


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
