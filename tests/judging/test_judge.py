"""From a finding to a crime: confidence, caps, risk and the raw evidence beside them."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from msgspec.structs import replace

from crimes.analyses.history.history import HISTORY, FileHistory, History
from crimes.config.schema import Config
from crimes.detection.context import Context, Pass
from crimes.detection.detector import Detector, Provider
from crimes.judging.judge import Judged, judge
from crimes.model.errors import Unavailable
from crimes.model.facts import Role
from crimes.model.finding import Category, Effort, Finding, Measure, Place, Related, Signal, fingerprint
from crimes.model.report import Crime, Lines, MeasureOut, RelatedOut, SignalOut
from crimes.model.scores import COMPONENTS, Scores, WeightsConfig
from crimes.model.severity import Severity
from tests.kit.built_repo import context, edge, file, outside
from tests.kit.reports import scores

DETECTOR = Detector(
    id="god_function",
    title="God function",
    category="structure",
    doc="",
    languages=("*",),
    max_severity=Severity.HIGH,
    effort=Effort.HOURS,
    detect=lambda scan, options: (),
    examples=(),
)
SYNTAX = Signal("complexity", Category.SYNTAX, 88, "three facts agree")
GRAPH = Signal("imports", Category.GRAPH, 80, "two indexes agree")
HERE = Place("core.py", 3, 9, "Core.run")
FINDING = Finding(HERE, Severity.HIGH, "does too much", (SYNTAX,))


def with_history(made: Context, commits: int) -> Context:
    """The history a repository with these commits would have; git itself is tested elsewhere."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    past = FileHistory(commits, commits + 1, commits + 2, (), (), None, {})
    made._results[HISTORY.name] = History({"core.py": past}, {}, {}, now, "", commits, None, False, "")
    return made


def without(made: Context, *analyses: str) -> Context:
    made._results.update((name, Unavailable("not here")) for name in analyses)
    return made


def users(count: int) -> Context:
    """core.py, imported by so many files."""
    names = [f"user{number:02}.py" for number in range(count)]
    return context(map(file, ["core.py", *names]), [edge(name, "core.py") for name in names])


def judged(made: Context, finding: Finding = FINDING) -> Crime:
    return judge(made, DETECTOR, finding, Config()).crime


def specified(scores: Scores) -> dict[str, float | None]:
    """The six numbers that the specification is about."""
    names = ("severity", "confidence", "churn", "test_gap", "blast_radius", "agent_risk")
    return {name: getattr(scores, name) for name in names}


def test_scores_match_the_numbers_of_the_specification() -> None:
    crime = judged(with_history(users(12), 7))
    assert specified(crime.scores) == specified(
        scores(severity=0.9, confidence=0.88, churn=0.35, test_gap=1.0, blast_radius=0.24, agent_risk=0.76)
    )
    assert crime.risk_trace.startswith("0.76 = 0.40 x 0.90 severity + ")
    raw = crime.risk_evidence
    assert (raw.commits_90d, raw.commits_365d, raw.commits_3y) == (7, 8, 9)
    assert (raw.importers_direct, raw.importers_sure, raw.importers_possible) == (12, 12, 12)


def test_configured_weights_are_used() -> None:
    weights = WeightsConfig(
        **{component.name: 100 * (component.name == "severity") for component in COMPONENTS}
    )
    crime = judge(without(users(0), "history"), DETECTOR, FINDING, Config(weights=weights)).crime
    assert crime.scores.agent_risk == 0.9


def test_crime_carries_all_fields_of_the_finding() -> None:
    other = Place("other.py", 1, 2, "g")
    crime = judged(
        without(users(0), "history"),
        replace(
            FINDING,
            signals=(SYNTAX, GRAPH),
            evidence={"complexity": Measure(60, 25), "heaviest": Measure(("if", "for"))},
            related=(Related(other, "its twin"),),
            discriminator="x",
            notes=("lowered one step",),
        ),
    )
    assert crime.fingerprint == fingerprint("god_function", replace(FINDING, discriminator="x"))
    assert crime.id == crime.fingerprint[:12]
    assert (crime.type, crime.title, crime.category, crime.effort) == (
        *("god_function", "God function", "structure", "hours"),
    )
    assert (crime.file, crime.symbol, crime.lines, crime.role) == (
        "core.py",
        "Core.run",
        Lines(3, 9),
        Role.SOURCE,
    )
    assert crime.confidence_signals == (
        SignalOut("complexity", "syntax", "core.py#Core.run", 0.88, "three facts agree"),
        SignalOut("imports", "graph", "core.py#Core.run", 0.8, "two indexes agree"),
    )
    assert crime.confidence_trace == "0.97 = 0.84 x 1.15: syntax and graph agree"
    assert crime.confidence_band == "strong"
    assert crime.evidence == {"complexity": MeasureOut(60, 25), "heaviest": MeasureOut(("if", "for"))}
    assert crime.related == (RelatedOut("other.py", Lines(1, 2), "g", "its twin"),)
    assert crime.notes == ("lowered one step",)


@pytest.mark.parametrize(
    ("missing", "scores"),
    [
        (
            ("history",),
            scores(severity=0.9, confidence=0.88, test_gap=1.0, blast_radius=0.24, agent_risk=0.71),
        ),
        (("import_graph",), scores(severity=0.9, confidence=0.88, churn=0.35, agent_risk=0.59)),
        (("history", "import_graph"), scores(severity=0.9, confidence=0.88, agent_risk=0.54)),
    ],
)
def test_unavailable_analyses_score_zero(missing: tuple[str, ...], scores: Scores) -> None:
    assert specified(judged(without(with_history(users(12), 7), *missing)).scores) == specified(scores)


def test_importing_tests_are_counted_and_five_are_named() -> None:
    names = [f"test_{letter}.py" for letter in "gfedcba"]
    files = [file("core.py"), *(file(name, Role.TEST) for name in names)]
    crime = judged(without(context(files, [edge(name, "core.py") for name in names]), "history"))
    assert crime.scores.test_gap == 0.0
    assert crime.risk_evidence.tests_importing == tuple(sorted(names))[:5]
    assert crime.risk_evidence.tests_importing_count == 7


def test_test_matched_by_name_only_halves_the_gap() -> None:
    crime = judged(without(context([file("core.py"), file("test_core.py", Role.TEST)]), "history"))
    assert (crime.scores.test_gap, crime.risk_evidence.tests_by_name) == (0.5, ("test_core.py",))


@pytest.mark.parametrize(
    ("path", "role"),
    [("test_x.py", Role.TEST), ("AGENTS.md", Role.DOCS), ("package.json", Role.CONFIG)],
)
def test_tests_documents_and_manifests_have_no_test_gap(path: str, role: Role) -> None:
    files = [file("core.py"), file("test_x.py", Role.TEST), file("AGENTS.md", Role.DOCS, "markdown")]
    crime = judged(without(context(files), "history"), replace(FINDING, place=Place(path, 1, 1)))
    assert (crime.scores.test_gap, crime.role) == (0.0, role)
    assert crime.confidence_signals[0].target == path


@pytest.mark.parametrize(
    ("errors", "place", "signal", "capped"),
    [
        ((5,), HERE, SYNTAX, True),
        ((20,), HERE, SYNTAX, False),
        ((20,), Place("core.py", 1, 1), SYNTAX, True),
        ((5,), HERE, GRAPH, False),
        ((), HERE, SYNTAX, False),
    ],
)
def test_syntax_errors_cap_the_confidence(
    errors: tuple[int, ...], place: Place, signal: Signal, capped: bool
) -> None:
    made = without(context([file("core.py", errors=errors)]), "history")
    crime = judged(made, replace(FINDING, place=place, signals=(signal,)))
    assert (crime.scores.confidence == 0.6) == capped
    assert [cap.split(":")[0] for cap in crime.confidence_caps] == ["parse_fallback"] * capped


@pytest.mark.parametrize(
    ("gone", "signal", "capped"), [(2, GRAPH, True), (1, GRAPH, False), (2, SYNTAX, False)]
)
def test_unresolved_imports_cap_the_confidence(gone: int, signal: Signal, capped: bool) -> None:
    left = [outside("core.py", f"gone{number}", external=False) for number in range(gone)]
    made = without(context(map(file, ["core.py", "a.py"]), [edge("core.py", "a.py")], left), "history")
    crime = judged(made, replace(FINDING, signals=(signal,)))
    assert (crime.scores.confidence == 0.55) == capped
    assert [cap.split(":")[0] for cap in crime.confidence_caps] == ["graph_fallback"] * capped


# The second look.

DOUBTFUL = replace(FINDING, signals=(Signal("mention", Category.DOCS, 48, "a comment may mean it"),))


def confirming(scan: Pass, finding: Finding) -> list[Signal]:
    return [Signal("references", Category.GRAPH, 65, f"nothing refers to {finding.place.symbol}")]


def silent(scan: Pass, finding: Finding) -> list[Signal]:
    return []


def doubting(scan: Pass, finding: Finding) -> list[Signal]:
    return [Signal("log", Category.HISTORY, 30, "never changed")]


def about_another(scan: Pass, finding: Finding) -> list[Signal]:
    return [Signal("references", Category.GRAPH, 92, "said of the file", target="core.py")]


def broken(scan: Pass, finding: Finding) -> list[Signal]:
    raise KeyError("no such index")


def without_git(scan: Pass, finding: Finding) -> list[Signal]:
    return [Signal("log", Category.HISTORY, 75, str(scan[HISTORY].commits))]


def judge_with(*providers: Provider, finding: Finding = DOUBTFUL) -> Judged:
    detector = msgspec.structs.replace(DETECTOR, deferred=providers, needs=(HISTORY,))
    return judge(without(users(0), "history"), detector, finding, Config())


def test_deferred_evidence_raises_a_finding_in_doubt() -> None:
    crime, diagnostics = judge_with(confirming)
    assert (crime.scores.confidence, diagnostics) == (0.6, ())
    assert [signal.source for signal in crime.confidence_signals] == ["mention", "references"]
    assert crime.confidence_trace.endswith("; 0.48 before a second pass")


@pytest.mark.parametrize("provider", [silent, doubting, about_another])
def test_unconfirming_second_pass_leaves_confidence_unchanged(provider: Provider) -> None:
    crime, diagnostics = judge_with(provider)
    assert (crime.scores.confidence, diagnostics) == (0.48, ())
    assert crime.confidence_trace.endswith("; a second pass found no more evidence")


def test_confident_finding_gets_no_second_pass() -> None:
    crime, diagnostics = judge_with(broken, confirming, finding=FINDING)
    assert (crime.scores.confidence, diagnostics) == (0.88, ())


def test_failing_provider_is_neutral_and_reported() -> None:
    crime, diagnostics = judge_with(broken, without_git, confirming)
    assert crime.scores.confidence == 0.6
    assert [(diagnostic.kind, diagnostic.source) for diagnostic in diagnostics] == [
        ("evidence", "god_function")
    ] * 2
    assert "broken failed on core.py: KeyError" in diagnostics[0].message
    assert "without_git" in diagnostics[1].message


def test_provider_does_not_hide_a_memory_error() -> None:
    def starved(scan: Pass, finding: Finding) -> list[Signal]:
        raise MemoryError

    with pytest.raises(MemoryError):
        judge_with(starved)


def test_at_most_three_providers_can_be_declared() -> None:
    msgspec.structs.replace(DETECTOR, deferred=(silent,) * 3)
    with pytest.raises(ValueError, match="at most 3"):
        msgspec.structs.replace(DETECTOR, deferred=(silent,) * 4)


def test_a_signal_about_another_target_is_shown_and_does_not_count() -> None:
    said = Signal("fixes", Category.HISTORY, 75, "the file was fixed", target="core.py")
    crime = judged(without(users(0), "history"), replace(FINDING, signals=(SYNTAX, said)))
    assert crime.scores.confidence == 0.88
    assert [signal.target for signal in crime.confidence_signals] == ["core.py#Core.run", "core.py"]


@pytest.mark.parametrize(("reasons", "most"), [(1, 0.65), (2, 0.55), (3, 0.40), (5, 0.40)])
def test_small_sample_caps_the_confidence_with_its_reasons(reasons: int, most: float) -> None:
    doubts = tuple(f"reason {number}" for number in range(reasons))
    crime = judged(without(users(0), "history"), replace(FINDING, undersampled=doubts))
    assert crime.scores.confidence == most
    (cap,) = crime.confidence_caps
    assert cap.endswith(": " + "; ".join(doubts))
    assert crime.confidence_steps[-1].startswith(f"at most {most:.2f}: ")
