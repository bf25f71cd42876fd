"""Verdicts of people as evidence: for the finding itself, and weaker for its detector in this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.judging.feedback_evidence import feedback_evidence
from crimes.model.report import Crime, Report
from crimes.tracking.feedback import PATH, Feedback, FeedbackVerdict, append_feedback, feedback_on
from tests.kit.gitrepo import GitRepo

RIGHT, WRONG = FeedbackVerdict.TP, FeedbackVerdict.FP
TANGLED = "def {name}(a):\n" + "".join(
    f"{'    ' * depth}if a > {depth}:\n{'    ' * (depth + 1)}a += 1\n" for depth in range(1, 12)
)
NAMES = ("first", "second", "third", "fourth")


def verdict_on(number: int, verdict: FeedbackVerdict, type_: str = "god_function") -> Feedback:
    return Feedback(
        version=1,
        id=f"{number:012x}",
        fingerprint=f"{number:032x}",
        type=type_,
        confidence=0.8,
        band="strong",
        verdict=verdict,
        note="",
        tool="0",
        commit="",
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    repo = GitRepo(tmp_path)
    repo.commit({f"shop/{name}.py": TANGLED.replace("{name}", name) for name in NAMES}, "Begin")
    return tmp_path


def made(root: Path) -> Report:
    return scan(root, Config()).report


def finding(report: Report, name: str) -> Crime:
    crimes = (*report.findings, *report.hidden)
    return next(crime for crime in crimes if crime.type == "god_function" and crime.symbol == name)


def test_a_verdict_moves_the_finding_it_is_about(root: Path) -> None:
    before = made(root)
    for name, verdict in (("first", RIGHT), ("second", WRONG)):
        append_feedback(root, feedback_on(finding(before, name), before, verdict, ""))
    after = made(root)
    assert finding(after, "first").scores.confidence > finding(before, "first").scores.confidence
    assert finding(after, "second").scores.confidence < finding(before, "second").scores.confidence
    signal = finding(after, "second").confidence_signals[-1]
    assert (signal.category, signal.value, signal.reason) == ("review", 0.05, "a person called it wrong")
    assert finding(after, "third").scores == finding(before, "third").scores  # two verdicts say nothing yet


def test_verdicts_on_a_detector_move_its_other_findings_less(root: Path) -> None:
    before = made(root)
    for name in NAMES[:3]:
        append_feedback(root, feedback_on(finding(before, name), before, WRONG, ""))
    after = made(root)
    own, other = finding(after, "first"), finding(after, "fourth")
    assert own.scores.confidence < other.scores.confidence < finding(before, "fourth").scores.confidence
    assert other.confidence_signals[-1].reason == (
        "people called 0 of 3 findings of this detector right in this repository"
    )


def test_the_last_verdict_counts() -> None:
    evidence = feedback_evidence([verdict_on(1, WRONG), verdict_on(1, RIGHT)])
    (signal,) = evidence.signals("god_function", f"{1:032x}")
    assert signal.value == 95


@pytest.mark.parametrize(("right", "total", "value"), [(0, 3, 35), (3, 3, 65), (10, 10, 71), (5, 10, 50)])
def test_a_detector_is_judged_by_its_share_and_less_by_few(right: int, total: int, value: int) -> None:
    verdicts = [verdict_on(number, RIGHT if number < right else WRONG) for number in range(total)]
    (signal,) = feedback_evidence(verdicts).signals("god_function", "another")
    assert signal.value == value
    assert feedback_evidence(verdicts).signals("import_cycle", "another") == ()


def test_feedback_that_cannot_be_read_is_a_warning(root: Path) -> None:
    (root / PATH).parent.mkdir()
    (root / PATH).write_text("no verdict\n")
    assert any(warning.startswith("feedback was not used: ") for warning in made(root).warnings)
