"""Gates on reports: what hits, what never does, and which gate decides."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from crimes.config.schema import Config, DetectorConfig
from crimes.detection.context import Context
from crimes.detection.registry import catalogue
from crimes.discovery.discover import discover
from crimes.engine.read_files import read_all
from crimes.engine.report_builder import build_report
from crimes.engine.scan import detect
from crimes.incremental.scan_cache import no_cache
from crimes.judging.gates import deciding_gate, risk_gate, severity_gate
from crimes.judging.judge import judge
from crimes.languages import by_id
from crimes.languages.linking.link import link
from crimes.model.codec import encode
from crimes.model.report import Crime, Report
from crimes.model.severity import Severity
from tests.kit.gitrepo import GitRepo
from tests.kit.reports import TRUST, crime, report
from tests.kit.reports import scores as reported_scores


def risky(line: int, severity: Severity, agent_risk: float | None, type_: str = "god_function") -> Crime:
    scores = reported_scores(
        severity=0.7, confidence=0.8, churn=0.2, blast_radius=0.14, agent_risk=agent_risk
    )
    return crime(line=line, severity=severity, scores=scores, type=type_)


def weak(**changes: Any) -> Any:
    return msgspec.structs.replace(TRUST, **changes)


each_severity = st.sampled_from(list(Severity))
crimes_ = st.lists(st.tuples(each_severity, st.integers(0, 100)), max_size=6).map(
    lambda rows: tuple(
        risky(line, severity, risk / 100) for line, (severity, risk) in enumerate(rows, start=1)
    )
)


@pytest.mark.parametrize(
    ("least", "exit_", "hits"), [(Severity.LOW, 1, 2), (Severity.MEDIUM, 1, 1), (Severity.HIGH, 0, 0)]
)
def test_severity_gate_fails_on_the_severity_or_worse(least: Severity, exit_: int, hits: int) -> None:
    made = report(risky(1, Severity.LOW, 0.4), risky(2, Severity.MEDIUM, 0.5))
    gate = severity_gate(made, least, strict=False)
    assert (gate.metric, gate.threshold, gate.exit, gate.hits) == ("severity", str(least), exit_, hits)


@pytest.mark.parametrize(("least", "exit_"), [(0.0, 1), (0.57, 1), (0.58, 0), (1.0, 0)])
def test_risk_gate_fails_on_the_risk_or_more(least: float, exit_: int) -> None:
    gate = risk_gate(report(risky(1, Severity.LOW, 0.57)), least, strict=False)
    assert (gate.metric, gate.threshold, gate.exit) == ("agent_risk", least, exit_)


def test_a_withheld_score_reaches_no_threshold() -> None:
    assert risk_gate(report(risky(1, Severity.HIGH, None)), 0.0, strict=False).hits == 0


@given(crimes_, crimes_, each_severity, st.integers(0, 100), st.booleans())
def test_hidden_findings_never_gate(
    shown: tuple[Crime, ...], hidden: tuple[Crime, ...], least: Severity, risk: int, strict: bool
) -> None:
    with_, without = report(*shown, hidden=hidden), report(*shown)
    assert severity_gate(with_, least, strict=strict) == severity_gate(without, least, strict=strict)
    assert risk_gate(with_, risk / 100, strict=strict) == risk_gate(without, risk / 100, strict=strict)


@given(crimes_, st.randoms(use_true_random=False), each_severity, st.integers(0, 100))
def test_order_of_findings_does_not_change_the_gate(
    found: tuple[Crime, ...], random_: random.Random, least: Severity, risk: int
) -> None:
    shuffled = list(found)
    random_.shuffle(shuffled)
    made, mixed = report(*found), report(*shuffled)
    for gate, other in (
        (severity_gate(made, least, strict=True), severity_gate(mixed, least, strict=True)),
        (risk_gate(made, risk / 100, strict=True), risk_gate(mixed, risk / 100, strict=True)),
    ):
        assert sorted(gate.failed) == sorted(other.failed)
        assert replace(gate, failed=()) == replace(other, failed=())


def test_a_failed_gate_names_the_findings_that_failed_it_worst_first() -> None:
    made = report(risky(1, Severity.HIGH, 0.9), risky(2, Severity.LOW, 0.4), risky(3, Severity.HIGH, 0.8))
    ids = tuple(crime.id for crime in made.findings if crime.severity is Severity.HIGH)
    assert severity_gate(made, Severity.HIGH, strict=False).failed == ids
    assert severity_gate(report(), Severity.LOW, strict=False).failed == ()


def test_pass_on_weak_evidence_warns_and_is_no_pass_when_trust_is_required() -> None:
    shallow = weak(
        classification="directional",
        validity="partially_comparable",
        gates={"severity": (), "agent_risk": ("history",)},
    )
    made = report(trust=shallow)
    assert severity_gate(made, Severity.LOW, strict=True).outcome == "passed"
    warned = risk_gate(made, 0.5, strict=False)
    assert (warned.outcome, warned.exit, warned.why) == (
        *("passed_with_warning", 0, "a pass is not proven: history"),
    )
    assert risk_gate(made, 0.5, strict=True).exit == 2
    assert risk_gate(report(risky(1, Severity.LOW, 0.6), trust=shallow), 0.5, strict=True).exit == 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"classification": "abstained", "validity": "not_comparable"}, "abstained"),
        ({"classification": "directional", "validity": "not_comparable"}, "not_comparable"),
    ],
)
def test_gate_is_not_evaluated_when_the_report_is_not_comparable(changes: dict[str, str], why: str) -> None:
    made = report(risky(1, Severity.HIGH, 0.9), trust=weak(**changes))
    gate = severity_gate(made, Severity.LOW, strict=False)
    assert (gate.outcome, gate.exit, gate.why) == ("not_evaluated", 2, why)


def test_worse_of_two_gates_decides() -> None:
    made = report(risky(1, Severity.MEDIUM, 0.5))
    passed, failed = severity_gate(made, Severity.HIGH, strict=False), risk_gate(made, 0.5, strict=False)
    assert deciding_gate([passed, failed]) is deciding_gate([failed, passed]) is failed
    assert deciding_gate([passed]) is passed
    assert deciding_gate([]) is None


def test_order_of_judging_does_not_change_the_report(tmp_path: Path) -> None:
    """Findings in any order, files read in any order: the same bytes."""
    repo = GitRepo(tmp_path)
    circle = {f"pkg/m{n}.py": f"from pkg import m{(n + 1) % 4}\n" for n in range(4)}
    handlers = (
        "def f():\n    try:\n        orders.save(1)\n        send(2)\n    except Exception:\n        pass\n"
    )
    repo.commit(
        {**circle, "pkg/__init__.py": "", "a.py": handlers, "b.py": handlers, "c.py": handlers}, "Begin"
    )

    def made(seed: int) -> Report:
        shuffle = random.Random(seed).shuffle
        tree = discover(repo.path, Config(), by_id)
        facts, unread = read_all(tree, lambda *_: None, no_cache())
        paths = list(facts)
        shuffle(paths)
        shuffled = {path: facts[path] for path in paths}
        context = Context(link(repo.path, tree.files, shuffled, tree.paths, Config(), tree.read), Config())
        chosen = Config(detectors={"silent_failure": DetectorConfig(enabled=True)})
        detected = detect(context, catalogue(), chosen, lambda *_: None)
        shuffle(detected.findings)
        judged = [judge(context, detector, finding, Config()) for detector, finding in detected.findings]
        return build_report(tree, unread, context, detected.runs, judged, fits=())

    first = made(0)
    assert len(first.findings) >= 3
    assert {encode(made(seed)) for seed in range(1, 4)} == {encode(first)}
