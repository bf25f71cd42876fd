"""What is measured on labels, as the files that ship in the package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from benchmarks.precision.labels import precision_of
from benchmarks.precision.signal_fit import Sample, signal_table
from crimes.workflows.precision import Precision


def precision_by_detector(detectors: Iterable[str]) -> dict[str, Precision]:
    """The precision of the detectors that were measured, by id."""
    measured = {id_: precision for id_ in detectors if (precision := precision_of(id_)) is not None}
    return {
        id_: Precision(
            findings=precision.findings,
            judged=precision.read,
            worth_acting=precision.acting,
            worth_knowing=precision.knowing,
            noise=precision.noise,
            wrong=precision.false,
            repositories=precision.repositories,
        )
        for id_, precision in measured.items()
    }


def precision_table(detectors: Iterable[str]) -> str:
    """The measured precision of detectors as JSON, for `crimes explain`."""
    table = precision_by_detector(detectors)
    return msgspec.json.format(msgspec.json.encode(table), indent=2).decode() + "\n"


def signal_values_table(samples: Sequence[Sample]) -> str:
    """What each signal of a detector is worth as JSON, for the confidence of findings."""
    return msgspec.json.format(msgspec.json.encode(signal_table(samples)), indent=2).decode() + "\n"
