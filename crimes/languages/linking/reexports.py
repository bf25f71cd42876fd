"""Names that a file passes on: who really provides what is imported from a barrel or a package file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from crimes.languages.spec import Resolution
from crimes.model.facts import EdgeKind, FileFacts, Import

_MAX_DEPTH = 20  # files that a name is followed through
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


class _PassedOn(Struct, frozen=True, gc=False):
    """The names that one file passes on."""

    names: dict[str, list[_Step]]
    stars: list[_Step]
    renamed: dict[str, str]  # what an exported name is called in the file


class Reexports:
    """Follows names from file to file; each name of a file is followed once.

    Any import at module level counts: whoever imports the name from this file shows that it is passed on.

    Where names lead in circles, or too far, an answer may depend on earlier questions: `was_cut` and `too_far` say so.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        linked: Callable[[str], Sequence[Linked]],
        stating: Collection[str] = (),
    ) -> None:
        """`stating` are the languages whose files pass on only what they state as exports."""
        self.was_cut = self.too_far = False
        self._facts = facts
        self._linked = linked
        self._stating = stating
        self._passed: dict[str, _PassedOn] = {}
        self._starred: dict[str, dict[str, list[_Step]]] = {}
        self._known: dict[tuple[str, str], tuple[Origin, ...]] = {}
        self._open: set[tuple[str, str] | str] = set()  # being followed now

    def origins(self, path: str, name: str, depth: int = 0) -> tuple[Origin, ...]:
        """Files that a name imported from `path` comes from: every one on the way, in order."""
        key = (path, name)
        if key not in self._known:
            if depth == _MAX_DEPTH:
                self.was_cut = self.too_far = True
                return ()
            self._known[key] = ()  # a name that leads back to itself ends there
            self._open.add(key)
            self._known[key] = self._follow(path, name, depth)
            self._open.remove(key)
        elif key in self._open:
            self.was_cut = True
        return self._known[key]

    def _follow(self, path: str, name: str, depth: int) -> tuple[Origin, ...]:
        passed = self._passed_on(path)
        steps = passed.names.get(name) or passed.names.get(passed.renamed.get(name, name))
        if steps is None:
            steps = self._through_stars(path, depth).get(name, [])
        origins: dict[str, bool] = {}  # path -> whether every way to it is type-only
        for step in steps:
            further = self.origins(step.target, step.name, depth + 1) if step.name != _WHOLE else ()
            for origin in (Origin(step.target, False), *further):
                erased = origin.type_only or step.type_only
                origins[origin.path] = origins.get(origin.path, True) and erased
        self.too_far |= len(origins) > _MAX_DEPTH
        return tuple(Origin(target, type_only) for target, type_only in origins.items())[:_MAX_DEPTH]

    def _through_stars(self, path: str, depth: int) -> dict[str, list[_Step]]:
        """Names that come by a star, with the file each star takes them from."""
        if path not in self._starred:
            if depth == _MAX_DEPTH:
                self.was_cut = self.too_far = True
                return {}
            names: dict[str, list[_Step]] = defaultdict(list)
            self._starred[path] = names  # stars in a circle find what is there so far
            self._open.add(path)
            own = set(self._own_names(path))
            for star in self._passed_on(path).stars:
                for name in {
                    *self._own_names(star.target),
                    *self._through_stars(star.target, depth + 1),
                } - own:
                    names[name].append(_Step(star.target, name, star.type_only))
            self._open.remove(path)
        elif path in self._open:
            self.was_cut = True
        return self._starred[path]

    def _passed_on(self, path: str) -> _PassedOn:
        if path not in self._passed:
            names, stars = _steps(self._linked(path))
            facts = self._facts.get(path)
            renamed = {
                export.name: export.local
                for export in (facts.exports if facts else ())
                if export.local and export.local != export.name
            }
            self._passed[path] = _PassedOn(names, stars, renamed)
        return self._passed[path]

    def _own_names(self, path: str) -> Iterable[str]:
        facts = self._facts.get(path)
        if facts is None:
            return ()
        exported = tuple(export.name for export in facts.exports)
        if exported and facts.language in self._stating:
            return exported
        return (*facts.definitions, *exported, *self._passed_on(path).names)


def _steps(links: Sequence[Linked]) -> tuple[dict[str, list[_Step]], list[_Step]]:
    passed: dict[str, list[_Step]] = defaultdict(list)
    stars: list[_Step] = []
    for link in links:
        if link.item.function != -1 or link.kind == EdgeKind.DYNAMIC:
            continue
        type_only = link.kind == EdgeKind.TYPE_ONLY
        targets = {name: target.path for target in link.resolution.targets for name in target.names}
        for imported in link.item.names:
            local = imported.alias or imported.name
            target = targets.get(imported.name)
            if target is None:
                continue
            if local == "*":
                stars.append(_Step(target, _WHOLE, type_only))
            else:
                name = _WHOLE if imported.name == "*" else imported.name
                passed[local].append(_Step(target, name, type_only))
        if link.item.alias and link.resolution.targets:
            passed[link.item.alias].append(_Step(link.resolution.targets[0].path, _WHOLE, type_only))
    return dict(passed), stars
