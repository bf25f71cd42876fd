"""The briefing of a file, from what the scan knows of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import msgspec

from crimes.analyses.function_totals import TOTALS, Totals
from crimes.analyses.history.cochange import Companions
from crimes.analyses.history.history import HISTORY
from crimes.analyses.import_graph import IMPORT_GRAPH, ImportGraph
from crimes.analyses.test_map import TEST_MAP, TestMap, Tests
from crimes.detection.context import Analysis, Context, T, exceeded_reason
from crimes.model.digests import digest_of
from crimes.model.errors import EnvironmentFault, Unavailable, UsageError
from crimes.model.facts import LOAD_KINDS
from crimes.model.trust import Withheld
from crimes.system.allowance import Exceeded, allowance
from crimes.workflows.briefing import advice
from crimes.workflows.briefing.check_commands import CheckCommands
from crimes.workflows.briefing.choose_tests import TestChooser
from crimes.workflows.briefing.codeowners import Codeowners
from crimes.workflows.briefing.coupling import Coupling, symbols_of
from crimes.workflows.briefing.instructions import Instructions
from crimes.workflows.briefing.known_names import KnownNames
from crimes.workflows.briefing.parts import (
    authors_of,
    coverage_of,
    importers_of,
    imports_of,
    partners_of,
    profile_of,
)
from crimes.workflows.briefing.record import (
    SCHEMA_VERSION,
    Briefing,
    Companion,
    Fix,
    Months,
    Owners,
    ReachingTests,
)
from crimes.workflows.briefing.role_note import role_note
from crimes.workflows.briefing.test_cases import TEST_CASES
from crimes.workflows.briefing.test_commands import Runners
from crimes.workflows.briefing.test_evidence import EvidenceOfTests

if TYPE_CHECKING:
    from crimes.engine.scan import Scan

G = TypeVar("G")

# What a briefing leaves out where trust is too low, as its limits call it.
_WITHHELD = {
    Withheld.FINDINGS: "findings",
    Withheld.SCORES: "scores",
    Withheld.ACTIONS: "advice",
    Withheld.EDIT_RISK: "edit risk",
    Withheld.SUGGESTIONS: "suggestions of what else to change",
}
_MAX_SEARCHED = 60  # direct importers, beyond which an edge far away changes nothing
_MAX_FIXES = 5
MAX_BRIEFING_SECONDS = 30.0  # of processor time, for one file


def brief(scan: Scan, path: str) -> Briefing:
    """All that is known of a file of the scanned repository; UsageError when it is not part of it."""
    return BriefingBuilder(scan).brief(path)


@contextmanager
def _within(seconds: float, what: str) -> Iterator[None]:
    """An allowance of processor time; EnvironmentFault when it is used up."""
    try:
        with allowance(seconds):
            yield
    except Exceeded as exceeded:
        raise EnvironmentFault(exceeded_reason(what)) from exceeded


class BriefingBuilder:
    """Builds the briefings of a scan; what all of them need is indexed once."""

    def __init__(self, scan: Scan) -> None:
        with _within(scan.context.max_seconds, "the index for briefings"):
            self._context, self._report = scan.context, scan.report
            self.consulted: dict[str, bytes] = {}  # manifests that were read, with digests of their content
            self._repo = msgspec.structs.replace(self._context.repo, read=self.consult)
            self._missing: list[str] = []  # limits: analyses that could not be made
            self._graph = _analysis_or_none(self._context, IMPORT_GRAPH, self._missing)
            self._history = _analysis_or_none(self._context, HISTORY, self._missing)
            self._test_map = _analysis_or_none(self._context, TEST_MAP, self._missing)
            self._findings = _group_by(self._report.findings, lambda crime: crime.file)
            self._ranked = {ranked.file: ranked for ranked in self._report.edit_risk.files}
            self._partial = _group_by(self._report.files.partial, lambda item: item.path)
            self._external = _group_by(self._repo.external, lambda item: item.source)
            self._cycle = _load_cycles(self._graph)
            self._with_tests = _files_with_tests(self._test_map)
            self._reached = self._graph.reached_by(self._with_tests) if self._graph else {}
            self._coupling = Coupling(self._context, self._graph, self._history, self._test_map)
            cases = self._context[TEST_CASES]
            self._runners = Runners(self._repo, cases)
            self._checks = CheckCommands(self._repo)
            self._instructions = Instructions(self._repo.paths, self._repo.read)
            self._chooser = TestChooser(self._repo, self._graph, self._test_map, cases)
            self._codeowners = Codeowners(self._repo.paths, self._repo.read)
            self._known_names = KnownNames(self._repo, self._graph)
            self._evidence = EvidenceOfTests(self._context, self._graph)

    def consult(self, path: str) -> bytes:
        """The content of a manifest, recorded in `consulted`; empty when it is missing or unreadable."""
        try:
            content = self._context.repo.read(path)
        except OSError:
            content = b""
        self.consulted[path] = digest_of(content)
        return content

    def own_inputs(self, path: str) -> tuple[object, ...]:
        """What only the briefing of this file depends on, besides its content, its tests and the edges near it."""
        graph = self._graph
        return (
            self._findings.get(path, ()),
            self._external.get(path, ()),
            self._coupling.clones(path),
            self._coupling.copies(path),
            sorted(self._known_names.of(path).items()),
            self._cycle.get(path, ()),
            (graph.sure.get(path, 0), graph.possible.get(path, 0)) if graph else (),
            self._reached.get(path, 0),
            self._ranked.get(path),  # an edit to another file can move its rank
        )

    def test_inputs(self, path: str) -> tuple[object, ...]:
        """The tests that its command may run: they depend on what other files import, and not only on those near it."""
        if self._chooser.is_own_test(path):
            return ()
        direct = self._chooser.direct(path)
        if direct and self._runners.command_for(direct, path).text:
            return direct
        companions = _companions(self._coupling.companions(path))
        return self._chooser.indirect(path, companions, self._reached.get(path, 0))

    def with_tests_that_may_change(self, edited: Iterable[str]) -> set[str]:
        """Files whose `test_inputs` may differ after edits to these, while all edges are the same.

        Which tests use a file is read from the files that import it, and where it has few users, from those that import these.
        """
        imports = self._graph.imports if self._graph else {}
        ring = {*edited}
        near = set(ring)
        for _ in range(2):
            ring = {edge.target for path in ring for edge in imports.get(path, ())}
            near |= ring
        return near

    def affected_by(self, edges: Collection[tuple[str, str]]) -> frozenset[str]:
        """Files whose briefing may depend on one of these edges, given by source and target.

        A briefing names the importers of its file ring by ring until there are enough, so an edge affects what its target
        imports, and so on, up to files with many direct importers.
        """
        affected = {end for edge in edges for end in edge}
        waiting = [target for _, target in edges]
        while waiting and self._graph:
            for edge in self._graph.imports.get(waiting.pop(), ()):
                if edge.target not in affected and len(self._graph.direct(edge.target)) < _MAX_SEARCHED:
                    affected.add(edge.target)
                    waiting.append(edge.target)
        return frozenset(affected)

    def brief(self, path: str) -> Briefing:
        """The briefing of one file; UsageError when it is not part of the repository, EnvironmentFault when it takes too long."""
        if path not in self._repo.paths:
            raise UsageError(
                f"{path} is not part of the repository: git ignores it, or the configuration excludes it"
            )
        with _within(MAX_BRIEFING_SECONDS, f"the briefing of {path}"):
            return self._brief(path)

    def _brief(self, path: str) -> Briefing:
        context, report, repo, history = self._context, self._report, self._repo, self._history
        file = repo.files.get(path)
        limits = [] if file else ["crimes does not read this kind of file, so only its history is known"]
        limits += self._missing
        changing = self._coupling.companions(path)
        companions = _companions(changing)
        past = history.files.get(path) if history else None
        if history and history.limited:
            limits.append(f"history is incomplete: {history.reason}")
        limits += [f"read in part: {item.reason}" for item in self._partial.get(path, ())]
        withheld = report.trust.withheld
        limits += [f"no {name}: {withheld[what]}" for what, name in _WITHHELD.items() if what in withheld]
        facts = Briefing(
            schema_version=SCHEMA_VERSION,
            tool=report.tool,
            repository=report.repository,
            file=path,
            language=file.language if file else "",
            role=file.role if file else None,
            role_note=role_note(file, context.repo),
            advice=(),
            findings=tuple(self._findings.get(path, ())),
            profile=None if Withheld.SCORES in withheld else profile_of(context, path, self._test_map),
            importers=importers_of(path, repo, self._graph),
            imports=imports_of(path, self._graph, self._external.get(path, ())),
            cycle=self._cycle.get(path, ()),
            tests=self._tests(path, companions, changing.ranked),
            together=() if Withheld.SUGGESTIONS in withheld else partners_of(path, history),
            fixes=tuple(
                Fix(fix.sha, fix.when.date().isoformat(), fix.author, fix.subject)
                for fix in (past.fixes[:_MAX_FIXES] if past else ())
            ),
            fixes_365d=len(past.fixes) if past else 0,
            owners=Owners(self._codeowners.of(path), authors_of(past, history)),
            history=report.history,
            limits=tuple(limits),
            coverage=coverage_of(context, file),
            users=self._coupling.users(path),
            companions=() if Withheld.SUGGESTIONS in withheld else companions,
            other_companions=0 if Withheld.SUGGESTIONS in withheld else changing.others,
            clones=self._coupling.clones(path),
            copies=self._coupling.copies(path),
            symbols=symbols_of(file, self._known_names.of(path)),
            edit_risk=self._ranked.get(path),
            ranked_files=report.edit_risk.ranked,
            checks=self._checks.for_file(path),
            instructions=self._instructions.of(path),
            lines=file.facts.logic_lines if file else 0,
            complexity=context[TOTALS].get(path, Totals()).cognitive,
            last_change=past.last.when.date().isoformat() if past and past.last else "",
            months=Months(past.edits.commits_by_month, past.edits.fixes_by_month) if past else Months(),
            trust=report.trust.caveat,
        )
        return facts if Withheld.ACTIONS in withheld else advice.with_advice(facts)

    def _tests(self, path: str, companions: Sequence[Companion], ranked: Sequence[str]) -> ReachingTests:
        """Tests that reach the file, those with its name first, then those that change with it; and the command."""
        test_map = self._test_map
        direct = test_map.of.get(path, Tests((), (), 0)) if test_map else Tests((), (), 0)
        rank = {other: number for number, other in enumerate(ranked)}
        importing = sorted(
            direct.importing, key=lambda test: (test not in direct.by_name, rank.get(test, len(rank)), test)
        )
        only_named = tuple(test for test in direct.by_name if test not in importing)
        transitive = self._reached.get(path, 0)
        chosen = self._chooser.choose(path, companions, transitive)
        command = self._runners.command_for(chosen.tests, path)
        if (
            chosen.tests and not command.text and not self._chooser.is_own_test(path)
        ):  # no runner takes them: others may be as good
            others = self._runners.command_for(
                self._chooser.indirect(path, companions, transitive).tests, path
            )
            command = others if others.text else command
        return ReachingTests(
            tuple(importing),
            only_named,
            transitive,
            command.text,
            command.runs,
            direct.own,
            self._evidence.of(path, direct, transitive, companions),
            "" if command.text else command.note or chosen.note,
        )


def _companions(changing: Companions) -> tuple[Companion, ...]:
    return tuple(Companion(item.path, item.commits, item.of) for item in changing.likely)


def _group_by(items: Iterable[G], key: Callable[[G], str]) -> dict[str, list[G]]:
    groups: dict[str, list[G]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _analysis_or_none(context: Context, analysis: Analysis[T], limits: list[str]) -> T | None:
    """The result of an analysis; where it is unavailable, None, with the reason added to `limits`."""
    try:
        return context[analysis]
    except Unavailable as reason:
        limits.append(f"no {analysis.name.replace('_', ' ')}: {reason}")
        return None


def _load_cycles(graph: ImportGraph | None) -> dict[str, tuple[str, ...]]:
    """By file: the import cycle it is in, where files load one after the other; compiled files have no load order."""
    cycles: dict[str, tuple[str, ...]] = {}
    for cycle in reversed(graph.cycles if graph else ()):
        if graph and any(edge.kind in LOAD_KINDS for edge in graph.imports[cycle[0]] if edge.target in cycle):
            cycles.update(dict.fromkeys(cycle, cycle))
    return cycles


def _files_with_tests(test_map: TestMap | None) -> frozenset[str]:
    """Files with tests in them: test files, and source files that hold their own."""
    if test_map is None:
        return frozenset()
    return frozenset(test_map.test_files) | {path for path, tests in test_map.of.items() if tests.own}
