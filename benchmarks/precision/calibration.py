"""Stated confidence against the share of findings that readers called useful, on labels that were not used for the fit.

python benchmarks/precision/calibration.py               the part of docs/precision.md that `make docs` writes
python benchmarks/precision/calibration.py FOLDER        a round that is not among the labels yet: FOLDER is that of `blind.py draw`, with the verdicts in it
python benchmarks/precision/calibration.py FILE.jsonl    the same of a file with one verdict a line (repository, id, verdict, confidence, reader)
python benchmarks/precision/calibration.py constants     choices of `Doubt` in signal_fit.py, each judged on rounds it was not fitted to

The first question to a new round is the second command, before `blind.py collect`: what the readers' reports stated, against what the readers said. Nothing has been
fitted to it, so it is the honest figure. Then collect the verdicts and run `make docs`, which fits the values again.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.precision.blind import labels_of
from benchmarks.precision.labels import USEFUL, blind_number
from benchmarks.precision.signal_fit import (
    DOUBT,
    Doubt,
    Sample,
    confidence,
    fit,
    load_samples,
    signal_table,
)
from crimes.detection.registry import builtin
from crimes.judging.confidence import band
from crimes.judging.signal_values import SignalValue
from crimes.model.hundredths import two_decimals

FOLDS = 5
BANDS = ("strong", "moderate", "weak", "negligible")
_Z = 1.96  # 95% of the time the interval holds the true share
DRAWS = 400  # of the intervals and of chance; with a fixed seed, so that the page does not change by itself
_MIDDLE = slice(DRAWS // 40, -DRAWS // 40)  # 95% of the draws
DOUBTS = tuple(Doubt(prior, gone) for prior, gone in product((1, 2, 4, 8, 16), (0.125, 0.25, 0.5, 1)))


class Prediction(NamedTuple):
    """A stated confidence, in hundredths, and the share of readers who called the finding useful."""

    stated: int
    useful: float
    gone: bool
    repository: str = ""


def held_out(samples: Sequence[Sample]) -> list[Prediction]:
    """Each blind label judged by values fitted without the labels of its repository, nor of others in its fold."""
    predictions: list[Prediction] = []
    for fold in range(FOLDS):
        values = fit([sample for sample in samples if _fold(sample.repository) != fold])
        predictions += _predicted((s for s in samples if _fold(s.repository) == fold), values)
    return predictions


def next_round(samples: Sequence[Sample], round_: int, doubt: Doubt = DOUBT) -> list[Prediction]:
    """The labels of a blind round, judged by values fitted to the rounds before it."""
    values = fit([sample for sample in samples if sample.round < round_ or not sample.blind], doubt)
    return _predicted((sample for sample in samples if sample.round == round_), values)


def as_stated(samples: Iterable[Sample], round_: int) -> list[Prediction]:
    """The labels of a blind round with the confidence that the report of that day stated."""
    return [_stated(sample) for sample in samples if sample.blind and sample.round == round_]


def round_predictions(path: Path) -> list[Prediction]:
    """What a round that is not among the labels stated: a folder of `blind.py`, or a file with one verdict a line."""
    if path.is_dir():
        labels = [label for rows in labels_of(path, round_=0).values() for label in rows]
        rows = [
            (label.repository, label.fingerprint, label.confidence, label.label in USEFUL) for label in labels
        ]
    else:
        verdicts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        rows = [
            (row["repository"], row["id"], row["confidence"], row["verdict"] in USEFUL) for row in verdicts
        ]
    readings = defaultdict(list)
    for repository, finding, stated, useful in rows:
        readings[repository, finding, stated].append(useful)
    return [
        Prediction(round(100 * stated), sum(useful) / len(useful), gone=False, repository=repository)
        for (repository, _, stated), useful in readings.items()
    ]


def calibration_error(predictions: Sequence[Prediction]) -> float:
    """The expected calibration error: how far stated and observed are apart, tenth by tenth, weighted by findings."""
    tenths = _grouped(predictions, lambda prediction: str(min(prediction.stated // 10, 9)))
    gaps = (abs(sum(p.stated / 100 - p.useful for p in group)) for group in tenths.values())
    return sum(gaps) / len(predictions) if predictions else 0.0


def error_interval(predictions: Sequence[Prediction]) -> tuple[float, float]:
    """The expected calibration error of other repositories like these, 95 of 100 times: whole repositories are drawn again."""
    drawn = random.Random(0)
    repositories = list(_grouped(sorted(predictions), lambda prediction: prediction.repository).values())
    errors = sorted(
        calibration_error([p for group in drawn.choices(repositories, k=len(repositories)) for p in group])
        for _ in range(DRAWS)
    )[_MIDDLE]
    return errors[0], errors[-1]


def error_by_chance(predictions: Sequence[Prediction]) -> float:
    """The expected calibration error that so few findings would show if every stated confidence were exactly right."""
    drawn, ordered = random.Random(0), sorted(predictions)
    errors = (
        calibration_error(
            [p._replace(useful=float(drawn.random() < p.stated / 100)) for p in ordered],
        )
        for _ in range(DRAWS)
    )
    return sum(errors) / DRAWS


def squared_error(predictions: Sequence[Prediction]) -> float:
    """The mean squared distance of stated and observed; unlike the other error it also asks that findings be told apart."""
    return sum((p.stated / 100 - p.useful) ** 2 for p in predictions) / len(predictions)


def round_report(predictions: Sequence[Prediction]) -> str:
    """The tables of one round, as it was stated."""
    lines = [
        *_BAND_HEAD,
        *_band_rows("as stated", predictions),
        "",
        *_ERROR_HEAD,
        _error_row("as stated", predictions),
    ]
    return "\n".join(lines) + "\n"


def constants_report(samples: Sequence[Sample]) -> str:
    """Choices of `Doubt` on each round that has one before it; the last was not used for the choice."""
    rounds = sorted({sample.round for sample in samples if sample.blind})[1:]
    head = " | ".join(f"round {blind_number(round_)}: ECE, squared" for round_ in rounds)
    lines = [f"| prior findings | weight of gone | {head} | squared, all but the last |"]
    lines.append("|---:" * (len(rounds) + 3) + "|")
    for doubt in DOUBTS:
        judged = [next_round(samples, round_, doubt) for round_ in rounds]
        cells = " | ".join(f"{calibration_error(each):.3f}, {squared_error(each):.3f}" for each in judged)
        earlier = squared_error([prediction for each in judged[:-1] for prediction in each])
        mark = " (in use)" if doubt == DOUBT else ""
        lines.append(f"| {doubt.prior_findings:g} | {doubt.gone_weight:g}{mark} | {cells} | {earlier:.4f} |")
    return "\n".join(lines) + "\n"


@cache
def report(samples: tuple[Sample, ...]) -> str:
    """The tables for people."""
    blind = [sample for sample in samples if sample.blind]
    predictions = held_out(samples)
    present = [prediction for prediction in predictions if not prediction.gone]
    rounds = sorted({sample.round for sample in blind})
    last = blind_number(rounds[-1])
    lines = [
        f"{len(blind)} findings with blind verdicts, from {len({s.repository for s in blind})} repositories; "
        f"{sum(not sample.gone for sample in blind)} of them are still reported. Each is judged by values that were fitted without its repository.",
        "",
        *_BAND_HEAD,
        *_band_rows(f"round {last}, as stated that day", as_stated(blind, rounds[-1])),
        *_band_rows(f"round {last}, values of the rounds before it", next_round(samples, rounds[-1])),
        *_band_rows("still reported", present),
        *_band_rows("as judged", predictions),
        "",
        *_ERROR_HEAD,
        *(
            _error_row(f"round {blind_number(round_)}, as stated that day", as_stated(blind, round_))
            for round_ in rounds
        ),
        *(
            _error_row(
                f"round {blind_number(round_)}, values of the rounds before it", next_round(samples, round_)
            )
            for round_ in rounds[1:]
        ),
        _error_row("still reported, by repository", present),
        _error_row("as judged, by repository", predictions),
    ]
    lines += ["", *_value_rows(signal_table(samples))]
    return "\n".join(lines) + "\n"


def _predicted(samples: Iterable[Sample], values: Mapping[str, Mapping[str, int]]) -> list[Prediction]:
    """Those of the blind samples whose signals all have a value. A label without signals rests on a chosen value: it stays as stated."""
    predictions = []
    for sample in samples:
        own = values.get(sample.detector, {})
        if sample.blind and not sample.signals:
            predictions.append(_stated(sample))
        elif sample.blind and set(sample.signals) <= own.keys():
            predictions.append(_stated(sample)._replace(stated=confidence(sample.signals, own)))
    return predictions


def _stated(sample: Sample) -> Prediction:
    return Prediction(round(100 * sample.stated), sample.useful, sample.gone, sample.repository)


def _fold(repository: str) -> int:
    return int(hashlib.sha256(repository.encode()).hexdigest(), 16) % FOLDS


def _grouped(
    predictions: Iterable[Prediction], key: Callable[[Prediction], str]
) -> dict[str, list[Prediction]]:
    groups: dict[str, list[Prediction]] = defaultdict(list)
    for prediction in predictions:
        groups[key(prediction)].append(prediction)
    return groups


_BAND_HEAD = (
    "| band | labels | findings | stated | observed | 95% interval |",
    "|---|---|---:|---:|---:|---|",
)
_ERROR_HEAD = (
    "| labels | findings | expected calibration error | 95% interval | by chance alone |",
    "|---|---:|---:|---|---:|",
)


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
    low, high = error_interval(predictions)
    return (
        f"| {name} | {len(predictions)} | {calibration_error(predictions):.3f} | {low:.2f} to {high:.2f} "
        f"| {error_by_chance(predictions):.3f} |"
    )


def _value_rows(table: Mapping[str, Mapping[str, SignalValue]]) -> Iterator[str]:
    yield "| detector | signal | value | findings | repositories |"
    yield "|---|---|---:|---:|---:|"
    for detector, signals in table.items():
        for signal, worth in signals.items():
            yield f"| {detector} | {signal} | {two_decimals(worth.value)} | {worth.findings} | {worth.repositories} |"


if __name__ == "__main__":
    if sys.argv[1:] == ["constants"]:
        print(constants_report(load_samples(builtin())), end="")
    elif sys.argv[1:]:
        print(round_report(round_predictions(Path(sys.argv[1]))), end="")
    else:
        print(report(load_samples(builtin())), end="")
