"""The map of a repository: what a page shows of every file besides its report, and how folders import each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from msgspec import Struct

from crimes.analyses.edit_risk import RANKED_ROLES
from crimes.analyses.folder_graph import FolderGraph, FolderImports, build_folder_graph
from crimes.model.edit_risk import RankedFile, UnrankedFile
from crimes.model.errors import EnvironmentFault
from crimes.model.facts import Role
from crimes.model.report import Report
from crimes.model.scores import FULL_BLAST_IMPORTERS, FULL_CHURN_COMMITS
from crimes.workflows.briefing.record import Briefing, Companion, Fix, Months, Owners, ReachingTests
from crimes.workflows.session import Session
from crimes.workflows.trend import Point, load_points

_NO_TESTS = ReachingTests((), (), 0, "", 0)
_NO_OWNERS = Owners((), ())
_ONLY_REPORT = (
    "This page was made from a report alone: it has the source files and scripts, without owners, ages, languages, imports, companions, tests "
    f"and commits by month. Recent commits are counted up to {FULL_CHURN_COMMITS}, dependents up to {FULL_BLAST_IMPORTERS}. `crimes map` in the repository shows all of it."
)


class MapFile(Struct, frozen=True):
    """A file of the map. What is None or empty is not known."""

    path: str
    role: Role | None
    lines: int  # of code
    complexity: int  # cognitive, summed over its functions
    language: str = ""
    commits_90d: int | None = None
    fixes_365d: int | None = None  # of the fixes that edit risk counts
    test_gap: float | None = None  # of source files and scripts
    dependents: int | None = None  # files that reach it over imports
    last_change: str = ""  # a date
    months: Months = Months()
    imports: tuple[str, ...] = ()
    companions: tuple[Companion, ...] = ()
    tests: ReachingTests = _NO_TESTS
    owners: Owners = _NO_OWNERS
    fixes: tuple[Fix, ...] = ()

    @property
    def owner(self) -> str:
        """Who owns it: the first that CODEOWNERS names, else the author of most commits; empty when nobody is known."""
        if self.owners.codeowners:
            return self.owners.codeowners[0]
        return self.owners.authors[0].name if self.owners.authors else ""

    def age_days(self, reference: str) -> int | None:
        """Days from its last change to the reference time."""
        if not self.last_change or not reference:
            return None
        return max((date.fromisoformat(reference[:10]) - date.fromisoformat(self.last_change)).days, 0)


class RepositoryMap(Struct, frozen=True):
    """All files that have lines of code, by path."""

    files: tuple[MapFile, ...]
    folders: FolderGraph | None = None  # None where imports are not known
    points: tuple[Point, ...] = ()  # the recorded scans, oldest first
    missing: tuple[str, ...] = ()  # what is not on the map, and why


def map_of(briefings: Iterable[Briefing], report: Report, points: Sequence[Point] = ()) -> RepositoryMap:
    """The map of a repository that was just scanned."""
    files = tuple(
        _file_of(briefing, history=bool(report.history.head)) for briefing in briefings if briefing.lines
    )
    code = {file.path: file.lines for file in files if file.role in RANKED_ROLES}
    late = {briefing.file: frozenset(briefing.imports.not_at_load) for briefing in briefings}
    imports = (
        FolderImports(file.path, target, at_load=target not in late[file.path])
        for file in files
        for target in file.imports
    )
    unseen = report.files.read - len(files)
    missing = (
        f"{unseen:,} of {report.files.read:,} files are not on the map: they have no lines of code, or a name that is not UTF-8.",
    )
    return RepositoryMap(
        files, build_folder_graph(code, imports), tuple(points), missing if unseen > 0 else ()
    )


def scan_map(session: Session, report: Report) -> RepositoryMap | None:
    """The map of what a session has just scanned; None for a scan that did not finish. Recorded scans that cannot be read fail nothing."""
    if not report.trust.finished:
        return None
    briefings = session.all_briefings()
    try:
        points = load_points(session.root)
    except EnvironmentFault as fault:
        session.listener.notice(str(fault))
        points = []
    return map_of(briefings, report, points)


def map_of_report(report: Report) -> RepositoryMap:
    """What a report alone says of its files."""
    ranking = report.edit_risk
    files = (*map(_ranked_file, ranking.files), *map(_unranked_file, ranking.unranked))
    return RepositoryMap(tuple(sorted(files, key=lambda file: file.path)), missing=(_ONLY_REPORT,))


def _file_of(briefing: Briefing, *, history: bool) -> MapFile:
    """The file of a briefing; without a history, commits and fixes are not known, which is not the same as none."""
    profile = briefing.profile
    return MapFile(
        path=briefing.file,
        role=briefing.role,
        lines=briefing.lines,
        complexity=briefing.complexity,
        language=briefing.language,
        commits_90d=profile.evidence.commits_90d if profile and history else None,
        fixes_365d=sum(briefing.months.fixes) if history else None,
        test_gap=profile.test_gap if profile and briefing.role in RANKED_ROLES else None,
        dependents=profile.evidence.importers_possible if profile else None,
        last_change=briefing.last_change,
        months=briefing.months,
        imports=briefing.imports.internal,
        companions=briefing.companions,
        tests=briefing.tests,
        owners=briefing.owners,
        fixes=briefing.fixes,
    )


def _ranked_file(file: RankedFile) -> MapFile:
    return MapFile(
        path=file.file,
        role=None,
        lines=file.lines,
        complexity=file.complexity,
        commits_90d=round(FULL_CHURN_COMMITS * file.churn),
        fixes_365d=file.fixes_365d,
        test_gap=file.test_gap,
        dependents=round(FULL_BLAST_IMPORTERS * file.blast_radius),
    )


def _unranked_file(file: UnrankedFile) -> MapFile:
    return MapFile(path=file.file, role=None, lines=file.lines, complexity=file.complexity)
