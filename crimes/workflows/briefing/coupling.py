"""What has to be kept in step with a file: those that use its names, those that change with it, copies of its code."""

from __future__ import annotations

from functools import cached_property

from crimes.analyses.clones import CLONES
from crimes.analyses.history.history import History
from crimes.analyses.import_graph import ImportGraph
from crimes.detection.context import Context
from crimes.model.facts import Role
from crimes.model.repository import File
from crimes.workflows.briefing.record import Clone, Companion, Symbol, User

_USERS = 400
_LOOKED_AT = 120  # files that tend to change with it, among which those joined to it by an import move up
_COMPANIONS = 60
_COPIES = 6


class Coupling:
    """A scan that is asked about files."""

    def __init__(self, context: Context, graph: ImportGraph | None, history: History | None) -> None:
        self._context = context
        self._graph = graph
        self._history = history

    def users(self, path: str) -> tuple[User, ...]:
        """Who imports the file, those that use most names of it first, tests last."""
        names: dict[str, set[str]] = {}
        for edge in self._graph.importers.get(path, ()) if self._graph else ():
            if edge.source != path:
                names.setdefault(edge.source, set()).update(edge.names)
        users = [User(source, tuple(sorted(used)), self._is_test(source)) for source, used in names.items()]
        users.sort(key=lambda user: (user.test, -len(user.names), user.file))
        return tuple(users[:_USERS])

    def companions(self, path: str) -> tuple[Companion, ...]:
        """The files that are the most likely to change with this one, by history first and imports second."""
        if self._history is None:
            return ()
        found = self._history.changes.companions(path, _LOOKED_AT)
        nearness = self._nearness(path)
        places = sorted(range(len(found)), key=lambda at: ((5 + at) / nearness.get(found[at].path, 1), at))
        ranked = (found[at] for at in places[:_COMPANIONS])
        return tuple(Companion(one.path, one.commits, one.of) for one in ranked)

    def _nearness(self, path: str) -> dict[str, int]:
        """By file: 2 when an import joins it to this one, 4 when it is a test that imports this one."""
        if self._graph is None:
            return {}
        found = {edge.target: 2 for edge in self._graph.imports.get(path, ())}
        for edge in self._graph.importers.get(path, ()):
            found[edge.source] = 4 if self._is_test(edge.source) else 2
        return found

    def clones(self, path: str) -> tuple[Clone, ...]:
        """Lines of the file that stand elsewhere too."""
        return tuple(self._clones.get(path, ()))

    def _is_test(self, path: str) -> bool:
        files = self._context.repo.files
        return path in files and files[path].role is Role.TEST

    @cached_property
    def _clones(self) -> dict[str, list[Clone]]:
        found: dict[str, list[Clone]] = {}
        for one in self._context[CLONES].classes:
            for copy in one.copies:
                others = tuple(f"{c.path}:{c.start}-{c.end}" for c in one.copies if c is not copy)
                found.setdefault(copy.path, []).append(Clone(copy.start, copy.end, others[:_COPIES]))
        for clones in found.values():
            clones.sort(key=lambda clone: (clone.start, clone.end))
        return found


def symbols_of(file: File | None) -> tuple[Symbol, ...]:
    """The functions and classes of a file that have a name."""
    if file is None:
        return ()
    found = [Symbol(one.qualname, one.start, one.end) for one in file.facts.classes]
    found += [
        Symbol(one.qualname, one.start, one.end) for one in file.facts.functions if not one.is_anonymous
    ]
    return tuple(sorted(found, key=lambda one: (one.start, -one.end, one.name)))
