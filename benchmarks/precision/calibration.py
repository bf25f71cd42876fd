"""Stated confidence against the share of findings that readers called useful, on labels that were not used for the fit.

python benchmarks/precision/calibration.py        prints the part of docs/precision.md that `make docs` writes
"""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.precision.signal_fit import Sample, confidence, fit, load_samples, signal_table
from crimes.detection.registry import builtin
from crimes.judging.confidence import band
from crimes.judging.signal_values import SignalValue
from crimes.model.hundredths import two_decimals

FOLDS = 5
BANDS = ("strong", "moderate", "weak", "negligible")
_Z = 1.96  # 95% of the time the interval holds the true share


class Prediction(NamedTuple):
    """A stated confidence, in hundredths, and the share of readers who called the finding useful."""

    stated: int
    useful: float
    gone: bool


def held_out(samples: Sequence[Sample]) -> list[Prediction]:
    """Each blind label judged by values fitted without the labels of its repository, nor of others in its fold."""
    predictions: list[Prediction] = []
    for fold in range(FOLDS):
        values = fit([sample for sample in samples if _fold(sample.repository) != fold])
        predictions += _predicted((s for s in samples if _fold(s.repository) == fold), values)
    return predictions


def next_round(samples: Sequence[Sample], round_: int) -> list[Prediction]:
    """The labels of a blind round, judged by values fitted to the rounds before it."""
    values = fit([sample for sample in samples if sample.round < round_ or not sample.blind])
    return _predicted((sample for sample in samples if sample.round == round_), values)


def as_stated(samples: Iterable[Sample], round_: int) -> list[Prediction]:
    """The labels of a blind round with the confidence that the report of that day stated."""
    return [
        Prediction(round(100 * sample.stated), sample.useful, sample.gone)
        for sample in samples
        if sample.blind and sample.round == round_
    ]


def calibration_error(predictions: Sequence[Prediction]) -> float:
    """The expected calibration error: how far stated and observed are apart, tenth by tenth, weighted by findings."""
    tenths = _grouped(predictions, lambda prediction: str(min(prediction.stated // 10, 9)))
    gaps = (abs(sum(p.stated / 100 - p.useful for p in group)) for group in tenths.values())
    return sum(gaps) / len(predictions) if predictions else 0.0


@cache
def report(samples: tuple[Sample, ...]) -> str:
    """The tables for people."""
    blind = [sample for sample in samples if sample.blind]
    predictions = held_out(samples)
    present = [prediction for prediction in predictions if not prediction.gone]
    rounds = sorted({sample.round for sample in blind})
    lines = [
        f"{len(blind)} findings with blind verdicts, from {len({s.repository for s in blind})} repositories; "
        f"{sum(not sample.gone for sample in blind)} of them are still reported. Each is judged by values that were fitted without its repository.",
        "",
        "| band | labels | findings | stated | observed | 95% interval |",
        "|---|---|---:|---:|---:|---|",
        *_band_rows("still reported", present),
        *_band_rows("as judged", predictions),
        *_band_rows(f"round {rounds[-1]}, values of the rounds before it", next_round(samples, rounds[-1])),
        *_band_rows(f"round {rounds[-1]}, as stated that day", as_stated(blind, rounds[-1])),
        "",
        "| labels | findings | expected calibration error |",
        "|---|---:|---:|",
        _error_row("still reported, by repository", present),
        _error_row("as judged, by repository", predictions),
    ]
    for number, round_ in enumerate(rounds, 1):
        lines.append(_error_row(f"blind round {round_}, as stated that day", as_stated(blind, round_)))
        if number > 1:
            lines.append(
                _error_row(
                    f"blind round {round_}, values of the rounds before it", next_round(samples, round_)
                )
            )
    lines += ["", *_value_rows(signal_table(samples))]
    return "\n".join(lines) + "\n"


def _predicted(samples: Iterable[Sample], values: Mapping[str, Mapping[str, int]]) -> list[Prediction]:
    """Those of the blind samples whose signals all have a value."""
    return [
        Prediction(confidence(sample.signals, values[sample.detector]), sample.useful, sample.gone)
        for sample in samples
        if sample.blind and sample.signals and set(sample.signals) <= values.get(sample.detector, {}).keys()
    ]


def _fold(repository: str) -> int:
    return int(hashlib.sha256(repository.encode()).hexdigest(), 16) % FOLDS


def _grouped(
    predictions: Iterable[Prediction], key: Callable[[Prediction], str]
) -> dict[str, list[Prediction]]:
    groups: dict[str, list[Prediction]] = defaultdict(list)
    for prediction in predictions:
        groups[key(prediction)].append(prediction)
    return groups


def _band_rows(labels: str, predictions: Sequence[Prediction]) -> Iterator[str]:
    bands = _grouped(predictions, lambda prediction: band(prediction.stated))
    for name in BANDS:
        group = bands.get(name, [])
        if group:
            stated = sum(prediction.stated for prediction in group) / len(group)
            observed = sum(prediction.useful for prediction in group) / len(group)
            low, high = _interval(observed, len(group))
            yield (
                f"| {name} | {labels} | {len(group)} | {stated / 100:.2f} | {observed:.2f} "
                f"| {low:.2f} to {high:.2f} |"
            )


def _interval(observed: float, findings: int) -> tuple[float, float]:
    """The Wilson interval of a share; two readings of one finding count as one."""
    middle = observed + _Z**2 / (2 * findings)
    spread = _Z * (observed * (1 - observed) / findings + (_Z / (2 * findings)) ** 2) ** 0.5
    scale = 1 + _Z**2 / findings
    return (middle - spread) / scale, (middle + spread) / scale


def _error_row(name: str, predictions: Sequence[Prediction]) -> str:
    return f"| {name} | {len(predictions)} | {calibration_error(predictions):.3f} |"


def _value_rows(table: Mapping[str, Mapping[str, SignalValue]]) -> Iterator[str]:
    yield "| detector | signal | value | findings | repositories |"
    yield "|---|---|---:|---:|---:|"
    for detector, signals in table.items():
        for signal, worth in signals.items():
            yield f"| {detector} | {signal} | {two_decimals(worth.value)} | {worth.findings} | {worth.repositories} |"


if __name__ == "__main__":
    print(report(load_samples(builtin())), end="")
