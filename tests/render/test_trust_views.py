"""Trust, gates and withheld numbers as people read them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crimes.detection.registry import catalogue
from crimes.judging.trust.assess import no_trust
from crimes.model.report import Diagnostic, Gate, Report
from crimes.model.trust import Bottleneck, DetectorFit, RepositoryProfile, Trust, TrustSignal
from crimes.render import explain
from crimes.render import trust as trust_view
from crimes.render.formats import human, plain
from crimes.render.lines import Line, Span
from crimes.render.lines import plain as as_text
from crimes.render.trust_text import gate_line, trust_lines
from crimes.workflows.explanation import FindingDetails
from crimes.workflows.source_lines import Source
from tests.kit.reports import TRUST, crime, report

SHALLOW = Bottleneck(
    "history_depth", 0.1, "shallow clone: 0 days are visible", "check out with fetch-depth: 0"
)


def changed(**changes: Any) -> Trust:
    return msgspec.structs.replace(TRUST, **changes)


DIRECTIONAL = changed(
    classification="directional", composite=0.35, reasons=("history: shallow clone",), bottlenecks=(SHALLOW,)
)


ADVICE = "Weakest: history_depth 0.10, shallow clone: 0 days are visible. To improve it: check out with fetch-depth: 0."


def shown(made: Report, **options: Any) -> list[str]:
    chosen = {"top": None, "always_profile": False, "verbose": False, "columns": 200, **options}
    return as_text(human.lines(made, **chosen)).splitlines()


def test_a_trusted_scan_says_so_in_one_green_word() -> None:
    assert list(trust_lines(report())) == [
        "Trusted: enough of the code and its history was read to compare scores and to gate a build."
    ]
    assert shown(report())[0] == "shop: 1,200 files, 45,000 lines of code, trusted"
    first = next(human.lines(report(), top=None, always_profile=False, verbose=False))
    assert [span for span in first.spans if span.style == "good"] == [Span("trusted", "good")]


def test_a_scan_that_is_not_trusted_states_its_reason_and_what_to_do() -> None:
    assert list(trust_lines(report(trust=DIRECTIONAL))) == ["Directional: shallow clone.", ADVICE]
    assert shown(report(trust=DIRECTIONAL))[:2] == [
        "shop: 1,200 files, 45,000 lines of code, directional: shallow clone",
        ADVICE,
    ]


@pytest.mark.parametrize(
    ("trust", "reason"),
    [
        (changed(), ""),
        (DIRECTIONAL, "shallow clone"),
        (changed(reasons=("history: cut", "graph: none")), "cut, and 1 more reason"),
        (changed(reasons=("a: b", "c: d", "e: f")), "b, and 2 more reasons"),
        (no_trust("timeout"), "the scan ran out of time"),
    ],
)
def test_the_main_reason_comes_with_the_number_of_others(trust: Trust, reason: str) -> None:
    assert trust.main_reason == reason


def test_trust_comes_before_the_findings() -> None:
    rows = shown(report(crime(), trust=DIRECTIONAL))
    assert "directional" in rows[0]
    assert [number for number, row in enumerate(rows) if "src/core.py" in row] == [4]


def test_reason_for_a_stopped_scan_is_shown() -> None:
    late = Diagnostic("timeout", "reading", "no result within 2 seconds")
    stopped = report(trust=no_trust("timeout"), diagnostics=(late,))
    assert stopped.trust.label == "abstained: the scan ran out of time"
    for view in (human.lines, plain.lines):
        text = as_text(view(stopped, top=None, always_profile=False, verbose=False))
        assert "the scan did not finish, so its findings are unknown" in text.lower()
        assert "timeout: no result within 2 seconds (reading)" in text
        assert "no findings" not in text


@pytest.mark.parametrize(
    ("gate", "text"),
    [
        (
            Gate("severity", "high", "failed", 1, "threshold met", 2, failed=("aaaa", "bbbb")),
            "Gate failed: 2 findings at high or above: aaaa, bbbb",
        ),
        (
            Gate("new", "any", "failed", 1, "threshold met", 1, new=("aaaa",), failed=("aaaa",)),
            "Gate failed: 1 new finding: aaaa",
        ),
        (
            Gate("severity", "high", "passed", 0, "sufficient evidence for this gate", 0),
            "Gate passed: no findings at high or above",
        ),
        (Gate("new", "any", "passed", 0, "", 0), "Gate passed: no new findings"),
        (
            Gate("agent_risk", 0.7, "passed_with_warning", 0, "a pass is not proven: history", 0),
            "Gate passed with a warning: no findings with agent_risk 0.7 or more, but too little is known of history to be sure",
        ),
        (
            Gate("agent_risk", 0.7, "not_evaluated", 2, "a pass is not proven: graph", 0),
            "Gate not evaluated: no findings with agent_risk 0.7 or more, but too little is known of graph to be sure (--require-trusted)",
        ),
        (
            Gate("agent_risk", 0.7, "not_evaluated", 2, "not_comparable", 3),
            "Gate not evaluated: the scan cannot be compared with another",
        ),
        (
            Gate("severity", "low", "not_evaluated", 2, "abstained", 0),
            "Gate not evaluated: too little was seen to decide",
        ),
    ],
)
def test_gate_is_described_in_one_line(gate: Gate, text: str) -> None:
    assert gate_line(gate) == text
    assert text in shown(report(gate=gate))


def test_gate_of_a_comparison_is_about_new_findings() -> None:
    gate = Gate("severity", "high", "passed", 0, "", 0)
    assert gate_line(gate, only_new=True) == "Gate passed: no new findings at high or above"


def test_gate_names_ten_ids_at_most_and_as_they_are_listed() -> None:
    ids = tuple(f"{number:012}" for number in range(12))
    gate = Gate("severity", "high", "failed", 1, "threshold met", 12, failed=ids)
    line = gate_line(gate, {id_: id_[-3:] for id_ in ids})
    assert line.startswith("Gate failed: 12 findings at high or above: 000, 001, ")
    assert line.endswith(", 009 and 2 more")


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
        assert ("n/a" in text) == (view is human.lines)  # a pipe has no scores
        assert "Withheld: scores, advice (too little was seen)." in text
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
        dimensions={"parse_coverage": 1.0, "history_depth": 0.1, "churn": 0.1},
        signals={"history_depth": (TrustSignal("git", 0.1, "shallow clone with 0 days of history"),)},
        mean=0.55,
        level="low",
        composite_reasons=("0.6 x 0.10, the weakest dimension: history_depth",),
        applicability=(
            DetectorFit("god_function", "applicable", ""),
            DetectorFit("hidden_coupling", "not_applicable", "no git history"),
            DetectorFit("silent_failure", "not_applicable", "off by default"),
        ),
        profile=RepositoryProfile("Python", "TypeScript", 0.82),
    )
    told = text(list(trust_view.lines("shop", trust)))
    for part in (
        "shop: mostly Python, with 0.82 times as much TypeScript, scan trusted",
        "\nEnough of the code and its history was read to compare scores and to gate a build.\n",
        "fully comparable",
        "parse_coverage  1.00",
        "history_depth   0.10  shallow clone with 0 days of history (for churn)",
        "mean            0.55",
        "composite       0.35  low: 0.6 x 0.10, the weakest dimension: history_depth",
        "history_depth 0.10: shallow clone: 0 days are visible; check out with fetch-depth: 0",
        "Withheld: advice (too little was seen).",
        "1 detector applicable: god_function",
        "hidden_coupling: not applicable, no git history",
        "1 detector off by default or in crimes.toml: silent_failure",
    ):
        assert part in told, part


def test_diagnostics_are_escaped_for_the_terminal() -> None:
    nasty = Diagnostic("evidence", "god_function", "on \x1b]0;owned\x07.py")
    assert "\x1b" not in as_text(
        human.lines(report(diagnostics=(nasty,)), top=None, always_profile=False, verbose=False)
    )


def test_trust_of_a_folder_without_source_files_is_one_sentence() -> None:
    told = text(list(trust_view.lines("shop", changed(degraded_category="no-files"))))
    assert told == "No source files found in shop.\n"
