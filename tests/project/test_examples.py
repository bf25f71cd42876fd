"""Every example of every detector: exactly what it promises is found, and said well."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crimes.detection.detector import Detector, Example
from crimes.detection.registry import catalogue
from crimes.model.kind import Kind
from crimes.model.severity import Severity
from tests.kit.examples import run

QUOTED = re.compile(r"“[^”]*”|`[^`]*`")
MAX_SHORT_CHARS = 120  # several stand in one row
ORDER = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)


def is_one_sentence(text: str) -> bool:
    """Whether a text ends with its only full stop; what it quotes does not count."""
    own = QUOTED.sub("", text)
    return own.endswith(".") and not re.search(r"[.!?]\s", own)


@pytest.mark.parametrize(
    ("detector", "example"),
    [
        pytest.param(detector, example, id=f"{detector.id}: {example.title}")
        for detector in catalogue().values()
        for example in detector.examples
    ],
)
def test_detector_reports_exactly_what_its_example_promises(
    detector: Detector, example: Example, tmp_path: Path
) -> None:
    report = run(detector, example, tmp_path / "repo")

    status = {run.id: (run.status, run.reason) for run in report.detectors}
    assert status[detector.id] == ("ran", ""), "an example must let its detector run"
    crimes = report.findings
    assert sorted(f"{crime.file}:{crime.lines.start}" for crime in crimes) == sorted(example.finds)
    for crime in report.hidden:
        assert "second pass" in crime.confidence_trace, "hidden is only what a second pass may raise"
    for crime in (*crimes, *report.hidden):
        assert crime.type == detector.id
        assert crime.severity == (example.severity or crime.severity)
        assert ORDER.index(crime.severity) <= ORDER.index(detector.max_severity)
        assert "\n" not in crime.message
        assert crime.message.endswith(".")
        assert is_one_sentence(crime.fact), crime.fact
        assert bool(crime.short) == (detector.kind is Kind.PLACE), (
            "only a fact about a place has a short form"
        )
        assert len(crime.short) <= MAX_SHORT_CHARS
        assert crime.evidence, "the facts a finding rests on are in its evidence"
        measured = [measure.value for measure in crime.evidence.values() if measure.limit and measure.value]
        assert not measured or any(str(value) in crime.fact for value in measured), (
            f"the fact names none of {measured}: {crime.fact}"
        )
