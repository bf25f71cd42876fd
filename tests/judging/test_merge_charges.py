"""One problem, one charge: the strongest of a family stands on a target, and names the others."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from crimes.detection.detector import Detector
from crimes.detection.registry import catalogue
from crimes.judging.merge_charges import merge_charges
from crimes.model.kind import Kind
from crimes.model.report import Crime, Lines
from crimes.model.severity import Severity
from crimes.render.explain import lines
from crimes.render.lines import plain
from crimes.workflows.explanation import FindingDetails
from crimes.workflows.source_lines import Source
from tests.kit import reports

FAMILIES = {
    "structure",
    "dependencies",
    "duplication",
    "correctness",
    "tests",
    "history",
    "agents",
    "security",
}
LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH


def crime(type_: str, severity: Severity = MEDIUM, confidence: float = 0.8, **changes: Any) -> Crime:
    made = reports.crime(type=type_, severity=severity, **changes)
    return msgspec.structs.replace(made, scores=msgspec.structs.replace(made.scores, confidence=confidence))


def types(crimes: list[Crime]) -> list[tuple[str, tuple[str, ...]]]:
    return [(crime.type, tuple(also.type for also in crime.also)) for crime in crimes]


def test_every_detector_has_a_known_category() -> None:
    assert {detector.category for detector in catalogue().values()} <= FAMILIES


def test_detector_is_subsumed_only_by_one_of_its_category() -> None:
    def family(detector: Detector) -> str:
        return catalogue()[detector.subsumed_by].category if detector.subsumed_by else detector.category

    assert all(family(detector) == detector.category for detector in catalogue().values())


def test_more_severe_charge_stands_and_names_the_other() -> None:
    weak, strong = crime("identical_branches", LOW), crime("god_function", HIGH)
    [only] = merge_charges([weak, strong], {})
    assert types([only]) == [("god_function", ("identical_branches",))]
    other = only.also[0]
    assert (other.fingerprint, other.severity, other.confidence) == (weak.fingerprint, LOW, 0.8)
    assert (other.lines, other.message, other.title) == (weak.lines, weak.message, weak.title)
    assert msgspec.structs.replace(only, also=()) == strong


def test_more_confident_charge_stands_at_equal_severity() -> None:
    crimes = [crime("identical_branches", confidence=0.7), crime("god_function", confidence=0.9)]
    assert types(merge_charges(crimes, {})) == [("god_function", ("identical_branches",))]


def test_subsumed_type_never_stands_before_its_subsuming_type() -> None:
    crimes = [crime("small_function", MEDIUM, 0.9), crime("god_function", LOW, 0.8)]
    subsumed = {"small_function": "god_function"}
    assert types(merge_charges(crimes, subsumed)) == [("god_function", ("small_function",))]
    assert types(merge_charges(crimes, {})) == [("small_function", ("god_function",))]
    assert types(merge_charges(crimes[:1], subsumed)) == [("small_function", ())]


def test_several_charges_of_one_type_in_one_symbol_stay() -> None:
    crimes = [crime("silent_failure", line=line) for line in (10, 20)]
    assert merge_charges(crimes, {}) == crimes


def test_the_strongest_of_a_type_names_the_rest_once() -> None:
    crimes = [
        crime("silent_failure", MEDIUM, line=10),
        crime("silent_failure", HIGH, line=20),
        crime("identical_branches", LOW),
    ]
    assert types(merge_charges(crimes, {})) == [
        ("silent_failure", ()),
        ("silent_failure", ("identical_branches",)),
    ]


def test_charges_of_another_category_file_or_symbol_stay_separate() -> None:
    crimes = [
        crime("god_function"),
        crime("silent_failure", category="correctness"),
        crime("identical_branches", file="src/other.py"),
        crime("identical_branches", symbol="Core.stop"),
    ]
    assert merge_charges(crimes, {}) == crimes


def test_charges_without_a_symbol_merge_by_lines() -> None:
    crimes = [
        crime("load_bearing_file", symbol="", lines=Lines(1, 1)),
        crime("other_file", LOW, symbol="", lines=Lines(1, 1)),
        crime("another_file", symbol="", lines=Lines(7, 7)),
    ]
    assert types(merge_charges(crimes, {})) == [("load_bearing_file", ("other_file",)), ("another_file", ())]


@given(
    st.permutations(
        [
            crime("a", LOW, 0.9),
            crime("b", HIGH, 0.6),
            crime("b", HIGH, 0.6, line=30),
            crime("c", HIGH, 0.6),
            crime("c", LOW, 0.6, symbol="Core.stop"),
            crime("d", MEDIUM, 0.6, symbol="Core.stop"),
        ]
    )
)
def test_order_of_the_input_does_not_change_the_charges(crimes: list[Crime]) -> None:
    settled = sorted(types(merge_charges(crimes, {})))
    assert settled == [("b", ()), ("b", ("c", "a")), ("d", ("c",))]


def test_explain_lists_the_merged_charges() -> None:
    [only] = merge_charges([crime("small_function", LOW, title="Small function"), crime("god_function")], {})
    text = plain(lines(FindingDetails(only, None, Source(()), reports.report().history)))
    assert "Also found here" in text
    assert "low  Small function (small_function): run has" in text
    assert "Also found here" not in plain(
        lines(FindingDetails(crime("god_function"), None, Source(()), reports.report().history))
    )


def test_place_facts_and_code_findings_do_not_stand_for_each_other() -> None:
    code = crime("import_cycle", LOW, category="dependencies", symbol="", lines=Lines(1, 1))
    place: dict[str, Any] = {
        "kind": Kind.PLACE,
        "category": "dependencies",
        "symbol": "",
        "lines": Lines(1, 1),
    }
    facts = [crime("load_bearing_file", HIGH, **place), crime("hidden_coupling", **place)]
    assert types(merge_charges([*facts, code], {})) == [
        ("load_bearing_file", ()),
        ("hidden_coupling", ()),
        ("import_cycle", ()),
    ]
