"""Values of signals are fitted to the labels, and judged on labels that were not used for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.precision.blind import labels_of
from benchmarks.precision.calibration import (
    Prediction,
    as_stated,
    calibration_error,
    error_by_chance,
    error_interval,
    held_out,
    next_round,
    report,
    round_predictions,
    round_report,
)
from benchmarks.precision.labels import Label, blind_number, encode_label
from benchmarks.precision.signal_fit import Sample, confidence, fit, is_emitted, load_samples, signal_table
from crimes.detection.registry import builtin
from crimes.judging.confidence import band
from crimes.judging.signal_values import signal_values

LONG, FIXES = "syntax: tangled and long", "history: fixes"


def sample(useful: float, number: int, *signals: str, blind: bool = True, gone: bool = False) -> Sample:
    return Sample(
        detector="god_function",
        repository=f"owner/{number}",
        round=1,
        signals=tuple(sorted(signals)),
        useful=useful,
        blind=blind,
        gone=gone,
        stated=0.88,
    )


def test_values_combine_to_the_observed_share() -> None:
    samples = [sample(float(n % 10 < 6), n, LONG) for n in range(200)]
    samples += [sample(float(n % 10 < 9), n, LONG, FIXES) for n in range(200)]
    values = fit(samples)["god_function"]
    assert abs(confidence((LONG,), values) - 60) <= 1
    assert abs(confidence((FIXES, LONG), values) - 90) <= 1


def test_small_sample_is_shrunk_towards_all_findings() -> None:
    others = [sample(1.0, n, LONG) for n in range(100)]
    one = sample(0.0, 1, "syntax: caught before")._replace(detector="unreachable_handler")
    value = fit([*others, one])["unreachable_handler"]["syntax: caught before"]
    assert 85 < value < 90, "one useless finding beside eight of all findings"


def test_finding_that_is_no_longer_reported_counts_a_quarter() -> None:
    present = [sample(1.0, n, LONG) for n in range(100)]
    values = fit([*present, *(sample(0.0, n, LONG, gone=True) for n in range(100))])["god_function"]
    assert abs(values[LONG] - 80) <= 1


def test_unknown_signals_and_detectors_are_left_out() -> None:
    samples = [sample(1.0, n, LONG) for n in range(20)]
    new = sample(0.0, 20, "docs: never seen")._replace(round=2)
    assert next_round([*samples, new], 2) == []
    chosen = sample(0.5, 20)._replace(round=2, stated=0.51)
    assert next_round([*samples, chosen], 2) == [Prediction(51, 0.5, gone=False, repository="owner/20")]
    assert fit([sample(1.0, 1)]) == {"god_function": {}}, "a label without signals"
    assert signal_table([sample(1.0, 1)]) == {}


def test_signal_that_nothing_emits_any_more_is_not_in_the_table() -> None:
    samples = [sample(1.0, n, LONG) for n in range(20)]
    old = [sample(0.0, n, "syntax: whole file") for n in range(20)]
    assert list(signal_table([*samples, *old])["god_function"]) == [LONG]
    assert signal_table(old) == {}


def test_every_signal_in_the_table_is_emitted() -> None:
    for detector, signals in signal_values().items():
        assert [signal for signal in signals if not is_emitted(detector, signal)] == []


def test_repository_is_not_judged_by_its_own_labels() -> None:
    own = [sample(0.0, 1, LONG) for _ in range(50)]
    others = [sample(1.0, n, LONG) for n in range(2, 30)]
    by_itself = [prediction for prediction in held_out([*own, *others]) if prediction.useful == 0]
    assert len(by_itself) == 50
    assert all(prediction.stated >= 90 for prediction in by_itself), "the others were all useful"


def test_calibration_error_is_the_distance_in_each_tenth() -> None:
    right = [Prediction(80, 1.0, gone=False)] * 8 + [Prediction(80, 0.0, gone=False)] * 2
    assert calibration_error(right) == pytest.approx(0)
    wrong = [Prediction(90, 0.0, gone=False)] * 10
    assert calibration_error([*right, *wrong]) == pytest.approx(0.45)


def test_interval_and_chance_of_the_error_are_the_same_every_time() -> None:
    predictions = [
        Prediction(80, float(n % 7 > 1), gone=False, repository=f"owner/{n % 13}") for n in range(60)
    ]
    low, high = error_interval(predictions)
    assert low <= calibration_error(predictions) + 0.05
    assert low < high
    assert (low, high) == error_interval(predictions[::-1])
    assert 0 < error_by_chance(predictions) == error_by_chance(predictions[::-1]) < 0.10
    assert error_by_chance(predictions) > error_by_chance(predictions * 50), "more findings, less chance"


VERDICTS = (
    {"repository": "shop", "id": "aa", "verdict": "acting", "reader": 1, "confidence": 0.81},
    {"repository": "shop", "id": "aa", "verdict": "noise", "reader": 2, "confidence": 0.81},
    {"repository": "shop", "id": "bb", "verdict": "knowing", "reader": 1, "confidence": 0.52},
)
STATED = [
    Prediction(81, 0.5, gone=False, repository="shop"),
    Prediction(52, 1.0, gone=False, repository="shop"),
]


def test_new_round_is_measured_from_a_file_of_verdicts(tmp_path: Path) -> None:
    path = tmp_path / "round_8.jsonl"
    path.write_text("".join(json.dumps(verdict) + "\n" for verdict in VERDICTS))
    assert round_predictions(path) == STATED
    assert "| strong | as stated | 1 | 0.81 | 0.50 |" in round_report(STATED)
    assert "| weak | as stated | 1 | 0.52 | 1.00 |" in round_report(STATED)


def test_new_round_is_measured_from_the_folder_that_was_drawn(tmp_path: Path) -> None:
    entry = {"repository": "shop", "commit": "c", "type": "god_function", "severity": "low", "first": True}
    key = {
        f"shop {id_}": entry | {"fingerprint": id_ * 16, "confidence": confidence, "signals": [LONG]}
        for id_, confidence in (("aa", 0.81), ("bb", 0.52))
    }
    (tmp_path / "key.json").write_text(json.dumps(key))
    (tmp_path / "verdicts").mkdir()
    for reader in (1, 2):
        rows = (
            verdict | {"reason": "r", "severity_verdict": "right", "text": "clear"}
            for verdict in VERDICTS
            if verdict["reader"] == reader
        )
        (tmp_path / "verdicts" / f"{reader}_list_1.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows)
        )
    assert round_predictions(tmp_path) == STATED
    assert [label.round for label in labels_of(tmp_path, round_=14)["god_function"]] == [14, 14, 14]
    assert [blind_number(round_) for round_ in (10, 11, 13, 14)] == [3, 5, 7, 8]


def test_readers_who_knew_the_rule_count_only_where_blind_labels_are_few(tmp_path: Path) -> None:
    def labels(number: int, verdict: str) -> list[Label]:
        return [Label("a/b", "c", f"{n:032}", "acting", "r", severity_verdict=verdict) for n in range(number)]

    informed = [Label("a/b", "c", f"{n:032}", "acting", "r", round=2) for n in range(3)]
    for blind, expected in ((9, 12), (10, 10)):
        lines = (encode_label(label) + "\n" for label in [*labels(blind, "right"), *informed])
        (tmp_path / "god_function.jsonl").write_text("".join(lines))
        assert len(load_samples(["god_function"], tmp_path)) == expected


def test_confidence_is_calibrated_on_labels_that_were_not_used() -> None:
    samples = load_samples(builtin())
    present = [prediction for prediction in held_out(samples) if not prediction.gone]
    assert calibration_error(present) < 0.10
    assert {band(prediction.stated) for prediction in present} >= {"strong", "moderate", "weak"}
    assert "| strong | still reported |" in report(samples)


def test_confidence_was_calibrated_on_the_next_blind_round() -> None:
    samples = load_samples(builtin())
    stated = as_stated(samples, 13)
    assert len(stated) == 74
    assert calibration_error(stated) < 0.10
    assert {band(prediction.stated) for prediction in stated} == {"strong", "moderate", "weak"}
    for round_ in (11, 12, 13):
        assert calibration_error(next_round(samples, round_)) < 0.10, round_
