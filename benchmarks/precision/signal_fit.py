"""What each signal of a detector is worth: values that, combined as the product combines them, give the share of findings that readers called useful.

A finding counts as right if a reader would act on it or wants to know it (`acting`, `knowing`); of two readers each has half a say.
Small samples say little, so shares are shrunk: that of findings with the same signals towards the other findings of the detector,
and those towards all findings.
"""

from __future__ import annotations

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.precision.labels import FOLDER, USEFUL, Label, load_labels
from crimes.detection.registry import builtin
from crimes.judging.confidence import Witness, combine
from crimes.judging.signal_values import SignalValue
from crimes.model.finding import Category

MIN_BLIND_FINDINGS = 10  # of a detector; with fewer, verdicts of people who knew the rule count as well
KNOWN_RULE_WEIGHT = 0.25  # of such a verdict: people who know the rule are kinder to it
EVENNESS = 0.25  # how many findings the wish for equal values of a detector's signals counts as
MIN_VALUE, MAX_VALUE = 2, 98
MAX_SWEEPS = 20

Signals = tuple[str, ...]
Values = dict[str, int]  # hundredths by signal


class Doubt(NamedTuple):
    """How far labels are believed: `calibration.py constants` compares choices on rounds that were not used for the fit."""

    prior_findings: float = 8.0  # how many findings the share that a sample is shrunk towards counts as
    # of a finding the rules no longer report: they were changed because of it, but other repositories have mistakes of their own
    gone_weight: float = 0.25


DOUBT = Doubt()


class Sample(NamedTuple):
    """A labelled finding. `useful` is the share of its readers who call it so."""

    detector: str
    repository: str
    round: int
    signals: Signals  # empty where the label does not have them
    useful: float
    blind: bool
    gone: bool
    stated: float  # confidence in the report that was read

    def weight(self, doubt: Doubt) -> float:
        return (1.0 if self.blind else KNOWN_RULE_WEIGHT) * (doubt.gone_weight if self.gone else 1.0)


class _Share(NamedTuple):
    useful: float
    weight: float

    def towards(self, prior: float, findings: float) -> float:
        """The share, shrunk as if so many more findings had been read and `prior` of them were useful."""
        return (self.useful + findings * prior) / (self.weight + findings)


def load_samples(detectors: Iterable[str], folder: Path = FOLDER) -> tuple[Sample, ...]:
    """The labelled findings of these detectors, of every blind round; where those are few, also the last other round."""
    samples: list[Sample] = []
    for detector in sorted(detectors):
        readings = defaultdict(list)
        for label in load_labels(detector, folder):
            readings[label.round, label.repository, label.fingerprint].append(label)
        own = [_sample(detector, group) for group in readings.values()]
        blind = [sample for sample in own if sample.blind]
        informed = [sample for sample in own if not sample.blind]
        last = max((sample.round for sample in informed), default=0)
        samples += blind
        if len(blind) < MIN_BLIND_FINDINGS:
            samples += [sample for sample in informed if sample.round == last]
    return tuple(samples)


def _sample(detector: str, readings: Sequence[Label]) -> Sample:
    first = readings[0]
    return Sample(
        detector=detector,
        repository=first.repository,
        round=first.round,
        signals=tuple(sorted(first.signals)),
        useful=sum(label.label in USEFUL for label in readings) / len(readings),
        blind=bool(first.severity_verdict),
        gone=first.gone,
        stated=first.confidence,
    )


def fit(samples: Sequence[Sample], doubt: Doubt = DOUBT) -> dict[str, Values]:
    """The value of each signal of each detector."""
    everything = _share((sample for sample in samples if sample.blind), doubt)
    pooled = everything.useful / everything.weight if everything.weight else 0.5
    by_detector = defaultdict(list)
    for sample in samples:
        by_detector[sample.detector].append(sample)
    return {detector: _fit_detector(own, pooled, doubt) for detector, own in by_detector.items()}


def signal_table(samples: Sequence[Sample]) -> dict[str, dict[str, SignalValue]]:
    """The fitted values with the sample each rests on, sorted. Signals of old labels that nothing emits any more are left out."""
    table = {
        detector: {
            signal: SignalValue(
                value=value,
                findings=len(
                    having := [s for s in samples if s.detector == detector and signal in s.signals]
                ),
                repositories=len({sample.repository for sample in having}),
            )
            for signal, value in sorted(values.items())
            if is_emitted(detector, signal)
        }
        for detector, values in sorted(fit(samples).items())
    }
    return {detector: signals for detector, signals in table.items() if signals}


def is_emitted(detector: str, signal: str) -> bool:
    """Whether a detector can still give a signal: one that it can has its name as a string in the detector's module."""
    return signal.partition(": ")[2] in _strings_of(detector)


@cache
def _strings_of(detector: str) -> frozenset[str]:
    module = inspect.getmodule(builtin()[detector].detect)
    assert module is not None
    constants = (
        node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Constant)
    )
    return frozenset(node.value for node in constants if isinstance(node.value, str))


def confidence(signals: Signals, values: Mapping[str, int]) -> int:
    """The confidence the product states for a finding with these signals, in hundredths; nothing caps it."""
    witnesses = (Witness(Category(name.partition(":")[0]), values[name], target="") for name in signals)
    return combine("", witnesses).value


def _share(samples: Iterable[Sample], doubt: Doubt) -> _Share:
    weights = [(sample.weight(doubt), sample.useful) for sample in samples]
    return _Share(sum(weight * useful for weight, useful in weights), sum(weight for weight, _ in weights))


def _fit_detector(samples: Sequence[Sample], pooled: float, doubt: Doubt) -> Values:
    """Coordinate descent over whole hundredths, from the one value that suits all signals best."""
    goals = {}
    for signals in sorted({sample.signals for sample in samples if sample.signals}):
        own = _share((sample for sample in samples if sample.signals == signals), doubt)
        others = _share((sample for sample in samples if sample.signals != signals), doubt)
        prior = others.towards(pooled, doubt.prior_findings)
        goals[signals] = (100 * own.towards(prior, doubt.prior_findings), own.weight)
    names = sorted({name for signals in goals for name in signals})

    def miss(values: Mapping[str, int]) -> float:
        return sum(w * (confidence(signals, values) - goal) ** 2 for signals, (goal, w) in goals.items())

    def best(options: Iterable[Values]) -> Values:
        return min(options, key=lambda values: (miss(values) + _unevenness(values, even), *values.values()))

    every = range(MIN_VALUE, MAX_VALUE + 1)
    even = min(every, key=lambda value: (miss(_alike(names, value)), value))
    values = _alike(names, even)
    for _ in range(MAX_SWEEPS):
        before = values
        for name in names:
            values = best({**values, name: value} for value in every)
        if values == before:
            break
    return values


def _alike(names: Iterable[str], value: int) -> Values:
    return dict.fromkeys(names, value)


def _unevenness(values: Mapping[str, int], even: int) -> float:
    return EVENNESS * sum((value - even) ** 2 for value in values.values())
