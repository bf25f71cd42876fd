"""What is coupled to a file: files that use its names, files that change with it, copies of its code."""

from __future__ import annotations

from functools import cached_property

from crimes.analyses.clones import CLONES
from crimes.analyses.history.history import History
from crimes.analyses.import_graph import ImportGraph
from crimes.detection.context import Context
from crimes.model.facts import Class, Function, Role
from crimes.model.repository import File
from crimes.workflows.briefing.record import Clone, Companion, Symbol, User

_MAX_USERS = 400
_MAX_CANDIDATES = 120  # files that change with it, to be ranked by imports as well
_MAX_COMPANIONS = 60
_MAX_COPIES = 6


class Coupling:
    """The coupling of each file of a scan."""

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
        users = [User(source, tuple(sorted(used)), self.is_test(source)) for source, used in names.items()]
        users.sort(key=lambda user: (user.test, -len(user.names), user.file))
        return tuple(users[:_MAX_USERS])

    def companions(self, path: str) -> tuple[Companion, ...]:
        """The files that are the most likely to change with this one, by history first and imports second."""
        if self._history is None:
            return ()
        candidates = self._history.changes.companions(path, _MAX_CANDIDATES)
        nearness = self._nearness(path)
        ranked = sorted(enumerate(candidates), key=lambda item: (5 + item[0]) / nearness.get(item[1].path, 1))
        return tuple(Companion(item.path, item.commits, item.of) for _, item in ranked[:_MAX_COMPANIONS])

    def _nearness(self, path: str) -> dict[str, int]:
        """By file: 2 when an import joins it to this one, 4 when it is a test that imports this one."""
        if self._graph is None:
            return {}
        nearness = {edge.target: 2 for edge in self._graph.imports.get(path, ())}
        for edge in self._graph.importers.get(path, ()):
            nearness[edge.source] = 4 if self.is_test(edge.source) else 2
        return nearness

    def clones(self, path: str) -> tuple[Clone, ...]:
        """Lines of the file that are duplicated elsewhere."""
        return tuple(self._clones.get(path, ()))

    def is_test(self, path: str) -> bool:
        files = self._context.repo.files
        return path in files and files[path].role is Role.TEST

    @cached_property
    def _clones(self) -> dict[str, list[Clone]]:
        by_path: dict[str, list[Clone]] = {}
        for clone_class in self._context[CLONES].classes:
            for copy in clone_class.copies:
                others = tuple(f"{c.path}:{c.start}-{c.end}" for c in clone_class.copies if c is not copy)
                by_path.setdefault(copy.path, []).append(Clone(copy.start, copy.end, others[:_MAX_COPIES]))
        for clones in by_path.values():
            clones.sort(key=lambda clone: (clone.start, clone.end))
        return by_path


def symbols_of(file: File | None) -> tuple[Symbol, ...]:
    """The functions and classes of a file that have a name."""
    if file is None:
        return ()
    named: list[Class | Function] = [
        *file.facts.classes,
        *(item for item in file.facts.functions if not item.is_anonymous),
    ]
    symbols = [Symbol(item.qualname, item.start, item.end) for item in named]
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start, -symbol.end, symbol.name)))
