"""Parts of a briefing that each follow from one analysis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from crimes.analyses.coverage.analysis import COVERAGE, FileRun
from crimes.analyses.history.history import FileHistory, History
from crimes.analyses.import_graph import ImportGraph
from crimes.analyses.test_map import TestMap
from crimes.detection.context import Context
from crimes.judging.judge import risk_evidence
from crimes.model.errors import Unavailable
from crimes.model.facts import SURE_KINDS, Role
from crimes.model.hundredths import share
from crimes.model.repository import ExternalImport, File, Repo
from crimes.model.scores import blast_radius, churn
from crimes.workflows.briefing.record import (
    Author,
    Function,
    Importers,
    Imports,
    Partner,
    Profile,
    RanUnderTests,
)

_MAX_CLOSEST = 8  # importers
_MAX_PARTNERS = 5
_MAX_IDLE_FUNCTIONS = 8
_MAX_AUTHORS = 3
_ACTIVE_WITHIN = timedelta(days=365)
_MIN_PARTNER_SHARE = 0.1  # of the commits


def importers_of(path: str, repo: Repo, graph: ImportGraph | None) -> Importers:
    """Who imports the file; of those equally close, code is named before tests."""
    if graph is None:
        return Importers(direct=0, sure=0, possible=0, closest=())
    direct = frozenset(graph.direct(path))
    near = graph.closest_importers(path, max(_MAX_CLOSEST, len(direct)))
    near = tuple(sorted(near, key=lambda file: (file not in direct, repo.files[file].role is Role.TEST)))
    return Importers(len(direct), graph.sure.get(path, 0), graph.possible.get(path, 0), near[:_MAX_CLOSEST])


def imports_of(path: str, graph: ImportGraph | None, external: Sequence[ExternalImport]) -> Imports:
    edges = [edge for edge in graph.imports.get(path, ()) if not edge.via] if graph else []
    at_load = {edge.target for edge in edges if edge.kind in SURE_KINDS}
    return Imports(
        internal=_unique_sorted(edge.target for edge in edges),
        external=_unique_sorted(item.package or item.target for item in external if item.external),
        unresolved=_unique_sorted(item.target for item in external if not item.external),
        not_at_load=_unique_sorted(edge.target for edge in edges if edge.target not in at_load),
    )


def coverage_of(context: Context, file: File | None) -> RanUnderTests | None:
    """How much of the file ran, and the functions that did not; None where nothing was measured."""
    try:
        run = context[COVERAGE].files.get(file.path) if file else None
    except Unavailable:
        return None
    if run is None or file is None or not run.lines:
        return None
    idle = _never_ran(file, run)
    return RanUnderTests(run.ran.covered, run.ran.total, run.stale, idle[:_MAX_IDLE_FUNCTIONS], len(idle))


def _never_ran(file: File, run: FileRun) -> tuple[Function, ...]:
    """Functions of which no line ran, without those nested in one of them."""
    functions = file.facts.functions
    idle = {
        index
        for index, function in enumerate(functions)
        if (body := run.body(function)).total and not body.covered
    }
    return tuple(
        Function(functions[index].qualname, functions[index].start)
        for index in sorted(idle)
        if functions[index].parent not in idle
    )


def profile_of(context: Context, path: str, test_map: TestMap | None) -> Profile:
    evidence = risk_evidence(context, path)
    return Profile(
        churn=share(churn(evidence.commits_90d)),
        test_gap=share(test_map.gap(path)) if test_map else 0.0,
        blast_radius=share(blast_radius(evidence.importers_possible)),
        evidence=evidence,
    )


def partners_of(path: str, history: History | None) -> tuple[Partner, ...]:
    if history is None:
        return ()
    own = history.pair_commits.get(path, 0)
    return tuple(
        Partner(other, commits, own, round(commits / own, 2))
        for other, commits in history.partners(path, _MAX_PARTNERS)
        if commits > 1 and commits >= _MIN_PARTNER_SHARE * own
    )


def authors_of(past: FileHistory | None, history: History | None) -> tuple[Author, ...]:
    """The authors of most commits; only those still active, if there are any."""
    if past is None or history is None:
        return ()
    total = sum(commits for _, commits in past.authors)
    last_seen = past.author_last_seen
    since = history.reference_time - _ACTIVE_WITHIN
    active = [author for author in past.authors if last_seen[author[0]] >= since]
    return tuple(
        Author(name, commits, round(commits / total, 2), last_seen[name].date().isoformat())
        for name, commits in (active or past.authors)[:_MAX_AUTHORS]
    )


def _unique_sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
