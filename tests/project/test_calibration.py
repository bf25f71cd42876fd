"""Values of signals are fitted to the labels, and judged on labels that were not used for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.precision.calibration import Prediction, calibration_error, held_out, next_round, report
from benchmarks.precision.labels import Label, encode_label
from benchmarks.precision.signal_fit import Sample, confidence, fit, load_samples, signal_table
from crimes.detection.registry import builtin
from crimes.judging.confidence import band

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
    assert 50 < value < 80, "one useless finding is not a share of 0"


def test_finding_that_is_no_longer_reported_counts_half() -> None:
    present = [sample(1.0, n, LONG) for n in range(100)]
    values = fit([*present, *(sample(0.0, n, LONG, gone=True) for n in range(100))])["god_function"]
    assert abs(values[LONG] - 67) <= 1


def test_unknown_signals_and_detectors_are_left_out() -> None:
    samples = [sample(1.0, n, LONG) for n in range(20)]
    new = sample(0.0, 20, "docs: never seen")._replace(round=2)
    assert next_round([*samples, new], 2) == []
    assert fit([sample(1.0, 1)]) == {"god_function": {}}, "a label without signals"
    assert signal_table([sample(1.0, 1)]) == {}


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
