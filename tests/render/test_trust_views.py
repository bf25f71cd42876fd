"""Trust, gates and withheld numbers as people read them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crimes.detection.registry import catalogue
from crimes.judging.trust.assess import no_trust
from crimes.model.report import Diagnostic, Gate
from crimes.model.trust import Bottleneck, DetectorFit, RepositoryProfile, Trust
from crimes.render import explain
from crimes.render import trust as trust_view
from crimes.render.formats import human, plain
from crimes.render.lines import Line
from crimes.render.lines import plain as as_text
from crimes.render.trust_text import gate_line, headline, trust_lines
from crimes.workflows.explanation import FindingDetails
from crimes.workflows.source_lines import Source
from tests.kit.reports import TRUST, crime, report

SHALLOW = Bottleneck("churn", 0.1, "shallow clone: 0 days are visible", "check out with fetch-depth: 0")


def changed(**changes: Any) -> Trust:
    return msgspec.structs.replace(TRUST, **changes)


DIRECTIONAL = changed(
    classification="directional", composite=0.35, reasons=("history: shallow clone",), bottlenecks=(SHALLOW,)
)


def test_trust_takes_one_line_or_two() -> None:
    assert list(trust_lines(report())) == ["Trust 0.92: trusted, numbers may be compared and gated."]
    assert list(trust_lines(report(trust=DIRECTIONAL))) == [
        "Trust 0.35: directional, a direction, not a measure; history: shallow clone.",
        "Weakest is churn 0.10: shallow clone: 0 days are visible; check out with fetch-depth: 0.",
    ]


def test_reason_for_a_stopped_scan_is_shown() -> None:
    late = Diagnostic("timeout", "reading", "no result within 2 seconds")
    stopped = report(trust=no_trust("timeout"), diagnostics=(late,))
    assert headline(stopped.trust).startswith("Trust: abstained, nothing may be concluded from it")
    for view in (human.lines, plain.lines):
        text = as_text(view(stopped, top=None, always_profile=False, verbose=False))
        assert "the scan did not come to its end" in text
        assert "timeout: no result within 2 seconds (reading)" in text
        assert "no findings" not in text


@pytest.mark.parametrize(
    ("gate", "told"),
    [
        (
            Gate("severity", "high", "failed", 1, "threshold met", 2),
            "Gate --fail-on high: failed, 2 findings at or above it.",
        ),
        (
            Gate("agent_risk", 0.7, "passed_with_warning", 0, "a pass is not proven: history", 0),
            "Gate --fail-on-risk 0.7: passed with warning, a pass is not proven: history.",
        ),
        (
            Gate("agent_risk", 0.7, "not_evaluated", 2, "not_comparable", 3),
            "Gate --fail-on-risk 0.7: not evaluated, not comparable.",
        ),
    ],
)
def test_gate_is_described_in_one_line(gate: Gate, told: str) -> None:
    assert gate_line(gate) == told
    assert told in as_text(human.lines(report(gate=gate), top=None, always_profile=False, verbose=False))


def test_a_withheld_score_is_shown_as_such() -> None:
    found = crime()
    found = msgspec.structs.replace(
        found,
        scores=msgspec.structs.replace(found.scores, agent_risk=None),
        risk_trace="withheld: too little",
        fix="Move the loop.",
    )
    trust = changed(withheld={"scores": "too little was seen", "actions": "too little was seen"})
    made = report(found, trust=trust)
    for view in (human.lines, plain.lines):
        text = as_text(view(made, top=None, always_profile=True, verbose=True))
        assert "n/a" in text
        assert "Withheld: too little was seen." in text
    detector = catalogue()["god_function"]
    details = FindingDetails(found, detector, Source(()), made.history, withheld="too little was seen")
    told = as_text(explain.lines(details))
    assert "agent_risk n/a" in told
    assert "What to do\n  Withheld: too little was seen.\n\n" in told
    assert detector.fix not in told
    assert "Move the loop." not in told


def text(lines: list[Line]) -> str:
    return as_text(lines)


def test_trust_view_has_every_part() -> None:
    trust = changed(
        composite=0.35,
        bottlenecks=(SHALLOW,),
        withheld={"actions": "too little was seen"},
        dimensions={"parse": None, "churn": 0.1},
        applicability=(
            DetectorFit("god_function", "applicable", ""),
            DetectorFit("hidden_coupling", "not_applicable", "no git history"),
        ),
        profile=RepositoryProfile("Python", "TypeScript", 0.82),
    )
    told = text(list(trust_view.lines("shop", trust)))
    for part in (
        "shop: mostly Python and TypeScript (0.82 of it)",
        "fully comparable",
        "parse  not measured",
        "churn  0.10",
        "parse coverage     1.00",
        "churn 0.10: shallow clone: 0 days are visible; check out with fetch-depth: 0",
        "Withheld, actions: too little was seen.",
        "1 detector applicable: god_function",
        "hidden_coupling: not applicable, no git history",
    ):
        assert part in told, part


def test_diagnostics_are_escaped_for_the_terminal() -> None:
    nasty = Diagnostic("evidence", "god_function", "on \x1b]0;owned\x07.py")
    assert "\x1b" not in as_text(
        human.lines(report(diagnostics=(nasty,)), top=None, always_profile=False, verbose=False)
    )
