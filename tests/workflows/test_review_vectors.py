"""Reviews against the vectors of the specification."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any

import pytest

from crimes.model.errors import UsageError
from crimes.workflows.review.own import Grounds, judged
from crimes.workflows.review.policy import parse_threshold, place
from crimes.workflows.review.reading import read_records
from crimes.workflows.review.record import Evidence, Kind, Record, ReviewVerdict, Visibility
from crimes.workflows.review.table import score_record
from tests.kit.paths import TESTS
from tests.kit.reviews import given, places, raw, record

FOLDER = TESTS / "vectors"
REVIEW = json.loads((FOLDER / "review.json").read_text())
TABLE = json.loads((FOLDER / "review_table.json").read_text())
OWN = json.loads((FOLDER / "joint.json").read_text())["own_finding_to_review"]

SEVERITIES = ("low", "medium", "high")
DISTANT = {0: ("low", "low"), 1: ("low", "medium"), 2: ("low", "high")}


@pytest.mark.parametrize("vector", REVIEW["worked"], ids=lambda vector: vector["id"])
def test_placement_matches_the_worked_example(vector: dict[str, Any]) -> None:
    fields = {name: value for name, value in vector["input"].items() if not name.startswith("_")}
    made = place(record(**fields), parse_threshold(vector["input"].get("_threshold")).score)
    assert {
        "score": made.points.score,
        "band": made.points.band,
        "disposition": made.disposition,
        "forced": made.forced,
        "subtotal": made.points.subtotal,
        "concordance": made.points.concordance,
        "gate": made.points.gate,
    } == vector["expected"]


@pytest.mark.parametrize("vector", REVIEW["batches"], ids=lambda vector: vector["note"])
def test_placements_match_the_batch(vector: dict[str, Any]) -> None:
    names = {"threshold": "min_score"}
    options = {names.get(name, name): value for name, value in vector["options"].items()}
    assert places(list(given(*vector["records"]).records), **options) == vector["expected"]


@pytest.mark.parametrize("vector", REVIEW["thresholds"], ids=lambda vector: repr(vector["input"]))
def test_threshold_matches_the_vector(vector: dict[str, Any]) -> None:
    made = parse_threshold(vector["input"])
    assert {"score": made.score, "band": made.band, "recognized": made.recognized} == vector["expected"]


@pytest.mark.parametrize("vector", REVIEW["validation"], ids=lambda vector: vector["note"])
def test_validation_errors_match_the_vector(vector: dict[str, Any]) -> None:
    made = given(vector["record"])
    errors = [error for refused in made.refused for error in refused.errors]
    assert len(errors) == len(vector["expected_errors"])
    for error, expected in zip(errors, vector["expected_errors"], strict=True):
        assert error.startswith(expected)
    assert len(made.records) == (not errors)


@pytest.mark.parametrize("vector", REVIEW["top_level"], ids=lambda vector: repr(vector["input"])[:30])
def test_top_level_must_be_an_array(vector: dict[str, Any]) -> None:
    data = json.dumps(vector["input"]).encode()
    if vector["ok"]:
        assert len(read_records(data, "records.json").records) == len(vector["input"])
    else:
        with pytest.raises(UsageError, match=r"records\.json: the top level must be an array"):
            read_records(data, "records.json")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['verdict']}-{row['evidence']}-{row['context']}")
@pytest.mark.parametrize("distance", DISTANT)
def test_score_matches_the_table(row: dict[str, Any], distance: int) -> None:
    for drafter, verifier in (DISTANT[distance], DISTANT[distance][::-1]):
        made = score_record(
            record(
                verdict=row["verdict"],
                evidence_strength=row["evidence"],
                context_completeness=row["context"],
                drafter_severity=drafter,
                verifier_severity=verifier,
            )
        )
        assert made.subtotal == row["subtotal"]
        assert (made.score, made.band) == (row[f"d{distance}"], row[f"d{distance}_band"])


@pytest.mark.parametrize("vector", REVIEW["visibility_inversions"])
def test_a_higher_severity_can_cost_the_agreement(vector: dict[str, Any]) -> None:
    made = [
        place(
            record(
                verdict=vector["verdict"],
                evidence_strength=vector["evidence"],
                context_completeness=vector["context"],
                drafter_severity=vector["drafter"],
                verifier_severity=verifier,
            ),
            55,
        )
        for verifier in vector["change"].split("->")
    ]
    assert [item.points.score for item in made] == vector["scores"]
    assert [item.disposition for item in made] == vector["dispositions"]


def test_dispositions_of_all_non_security_records_match_the_table() -> None:
    choices = product(
        ("CONFIRMED", "LIKELY"),
        ("direct", "circumstantial", "speculative"),
        ("full", "partial", "none"),
        SEVERITIES,
        SEVERITIES,
    )
    names = ("verdict", "evidence_strength", "context_completeness", "drafter_severity", "verifier_severity")
    made = [record(**dict(zip(names, choice, strict=True))) for choice in choices]
    counts = Counter(place(each, 55).disposition for each in made)
    assert dict(counts) == REVIEW["disposition_distribution_non_security"]


@pytest.mark.parametrize("vector", OWN, ids=lambda vector: vector["note"])
def test_own_finding_matches_the_vector(vector: dict[str, Any]) -> None:
    told = dict(vector["input"])
    for name in ("confidence", "syntax_value"):
        told[name] = round(told[name] * 100)
    verdict, evidence, context = judged(Grounds(**told))
    fields = raw()
    own = Record(
        file=fields["file"],
        line=fields["line"],
        category=Kind.MAINTAINABILITY,
        verdict=verdict,
        evidence=evidence,
        context=context,
        drafter=None,
        verifier=record().verifier,
        in_diff=True,
        in_changed_code=True,
    )
    made = place(own, 55)
    assert {
        "verdict": verdict,
        "evidence_strength": evidence,
        "context_completeness": context,
        "score": made.points.score,
        "band": made.points.band,
        "disposition": made.disposition,
    } == vector["expected"]


def test_the_vectors_cover_every_row_of_the_table() -> None:
    rows = {(row["verdict"], row["evidence"], row["context"]) for row in TABLE}
    assert rows == set(product((ReviewVerdict.CONFIRMED, ReviewVerdict.LIKELY), Evidence, Visibility))
