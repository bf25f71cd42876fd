"""What is coupled to a file: files that use its names, files that change with it, copies of its code."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from crimes.analyses.clones import CLONES
from crimes.analyses.history.cochange import NO_COMPANIONS, Companions
from crimes.analyses.history.history import History
from crimes.analyses.import_graph import ImportGraph
from crimes.analyses.test_map import TestMap
from crimes.detection.context import Context
from crimes.model.facts import Class, Function, Role
from crimes.model.repository import File
from crimes.workflows.briefing.copies import group_copies
from crimes.workflows.briefing.known_names import Known, private_names
from crimes.workflows.briefing.record import Clone, CopyGroup, Symbol, User

_MAX_USERS = 400
_MAX_COMPANIONS = 10
# How much more a common commit says of two files that something else joins: a test named after the other file, an import.
_TEST_NAMED_AFTER_IT = 20.0
_IMPORTS_IT = 1.5
_MAX_COPIES = 6


class Coupling:
    """The coupling of each file of a scan."""

    def __init__(
        self,
        context: Context,
        graph: ImportGraph | None,
        history: History | None,
        test_map: TestMap | None,
    ) -> None:
        self._context = context
        self._graph = graph
        self._history = history
        self._test_map = test_map

    def users(self, path: str) -> tuple[User, ...]:
        """Who imports the file, those that use most names of it first, tests last."""
        names: dict[str, set[str]] = {}
        for edge in self._graph.importers.get(path, ()) if self._graph else ():
            if edge.source != path:
                names.setdefault(edge.source, set()).update(edge.names)
        users = [User(source, tuple(sorted(used)), self.is_test(source)) for source, used in names.items()]
        users.sort(key=lambda user: (user.test, -len(user.names), user.file))
        return tuple(users[:_MAX_USERS])

    def companions(self, path: str) -> Companions:
        """The files that are likely to change with this one, by history first, then by tests and imports."""
        if self._history is None:
            return NO_COMPANIONS
        return self._history.changes.companions(path, self._ties(path), _MAX_COMPANIONS)

    def _ties(self, path: str) -> dict[str, float]:
        """By file that is joined to this one: how much more a common commit says of it."""
        ties = {
            edge.source: _IMPORTS_IT for edge in (self._graph.importers.get(path, ()) if self._graph else ())
        }
        tests = self._test_map.of.get(path) if self._test_map else None
        named = (*(tests.by_name if tests else ()), *self._named_by_test.get(path, ()))
        return {**ties, **dict.fromkeys(named, _TEST_NAMED_AFTER_IT)}

    @cached_property
    def _named_by_test(self) -> dict[str, list[str]]:
        """By test: the files it is named after."""
        named: dict[str, list[str]] = {}
        for path, tests in self._test_map.of.items() if self._test_map else ():
            for test in tests.by_name:
                named.setdefault(test, []).append(path)
        return named

    def clones(self, path: str) -> tuple[Clone, ...]:
        """Lines of the file that are duplicated elsewhere."""
        return tuple(self._clones.get(path, ()))

    def copies(self, path: str) -> tuple[CopyGroup, ...]:
        """The groups of functions that repeat code of the file."""
        return self._copies.get(path, ())

    @cached_property
    def _copies(self) -> dict[str, tuple[CopyGroup, ...]]:
        return group_copies(self._context[CLONES].classes, self._context.repo.files)

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


def symbols_of(file: File | None, known: Mapping[str, Known]) -> tuple[Symbol, ...]:
    """The functions and classes of a file that have a name; `known` says where names of the file are known."""
    if file is None:
        return ()
    facts, private = file.facts, private_names(file)
    named: list[Class | Function] = [
        *facts.classes,
        *(item for item in facts.functions if not item.is_anonymous),
    ]
    bodies = sorted((item.start, item.end) for item in facts.functions if item.parent < 0)
    symbols = []
    for item in named:
        is_public = item.qualname.partition(".")[0] not in private and not _is_local(item, bodies)
        at = (item.qualname, item.start, item.end, "")
        symbols.append(Symbol(*at, *known.get(item.qualname, Known()), public=is_public))
    return tuple(sorted(symbols, key=lambda symbol: (symbol.start, -symbol.end, symbol.name)))


def _is_local(item: Class | Function, bodies: Sequence[tuple[int, int]]) -> bool:
    """Whether a definition stands inside a function, of which `bodies` has the lines: only that can use it."""
    if isinstance(item, Function):
        return item.parent >= 0
    before = bisect_right(bodies, (item.start, item.end)) - 1
    return before >= 0 and bodies[before][0] < item.start and item.end <= bodies[before][1]
