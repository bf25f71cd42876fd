"""Shared analyses of one scan: each a typed token, computed once, on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct, field

from crimes.config.schema import Config
from crimes.incremental.query import MemoStore
from crimes.model.errors import Unavailable
from crimes.model.facts import Role
from crimes.model.line_coverage import CoverageFile
from crimes.model.repository import File, Repo
from crimes.system.allowance import Exceeded, allowance
from crimes.system.git import WorkTree

# Of processor time; some fifty times what the slowest step takes on large repositories.
MAX_STEP_SECONDS = 60.0
MAX_STEP_SECONDS_PER_FILE = 0.02

ANY = ("*",)  # every language that has the facts

T = TypeVar("T")


def exceeded_reason(what: str) -> str:
    """Why something was skipped that was stopped."""
    return f"{what} took too long on this repository and was stopped"


class Analysis(Struct, Generic[T], frozen=True):
    """A typed token: `scan[IMPORT_GRAPH]` is an ImportGraph. `build` may raise Unavailable."""

    name: str
    build: Callable[[Context], T]


class Context(Struct):
    """The repository and the analyses of it made so far."""

    repo: Repo
    config: Config
    as_of: datetime | None = None  # the reference time when it is not HEAD's own
    coverage: tuple[CoverageFile, ...] = ()  # given by the user; empty: the usual places are searched
    # Lists the commits behind HEAD, where some of them are cached.
    commits: Callable[[WorkTree], Iterator[Any]] | None = None
    memory: MemoStore | None = None
    exceeded: list[str] = field(default_factory=list)  # analyses and detectors that were stopped
    _results: dict[str, object] = field(default_factory=dict)

    @property
    def max_seconds(self) -> float:
        """The processor time that one analysis or one detector may take."""
        return MAX_STEP_SECONDS + MAX_STEP_SECONDS_PER_FILE * len(self.repo.files)

    def __getitem__(self, analysis: Analysis[T]) -> T:
        if analysis.name not in self._results:
            try:
                with allowance(self.max_seconds):
                    self._results[analysis.name] = analysis.build(self)
            except Unavailable as reason:
                self._results[analysis.name] = reason
            except Exceeded:
                self.exceeded.append(analysis.name)
                self._results[analysis.name] = Unavailable(exceeded_reason(f"the analysis {analysis.name!r}"))
        result = self._results[analysis.name]
        if isinstance(result, Unavailable):
            raise result.with_traceback(None)  # raised many times: its traceback would grow with every raise
        return cast(T, result)

    def put(self, analysis: Analysis[T], value: T) -> None:
        """Set the result of an analysis that was made before from the same inputs."""
        self._results[analysis.name] = value

    def peek(self, analysis: Analysis[T]) -> T | None:
        """The result of an analysis that has already been made, None without one."""
        result = self._results.get(analysis.name)
        return None if isinstance(result, Unavailable) else cast(T | None, result)


class Pass(Struct, frozen=True):
    """What one detector sees: the repository, and only the analyses it declared.

    `scan[A]` for an analysis it needs (it does not run without), `scan.get(A)` for one it can do without.
    """

    context: Context
    needs: tuple[Analysis[Any], ...]
    wants: tuple[Analysis[Any], ...] = ()
    languages: tuple[str, ...] = ANY

    @property
    def repo(self) -> Repo:
        return self.context.repo

    def files(self, *roles: Role) -> Iterator[File]:
        """Files of these roles in the languages that the detector covers, by path."""
        every = ANY[0] in self.languages
        for file in self.repo.files.values():
            if file.role in roles and (every or file.language in self.languages):
                yield file

    def __getitem__(self, analysis: Analysis[T]) -> T:
        if analysis not in self.needs:
            raise LookupError(f"the analysis {analysis.name!r} is used but not declared in needs")
        return self.context[analysis]

    def get(self, analysis: Analysis[T]) -> T | None:
        """An analysis of `wants`, or None where it cannot be made."""
        if analysis not in self.wants:
            raise LookupError(f"the analysis {analysis.name!r} is used but not declared in wants")
        try:
            return self.context[analysis]
        except Unavailable:
            return None
