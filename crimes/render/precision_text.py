"""Measured precision in a sentence."""

from __future__ import annotations

from crimes.model.wording import count
from crimes.workflows.precision import Precision

_SMALL_SAMPLE = 20  # findings: below that a share means little


def precision_text(precision: Precision | None) -> str:
    """How often findings of a detector were worth knowing, with the size of the sample."""
    if precision is None:
        return "Not measured: nobody has judged a sample of its findings yet."
    times, repositories = (
        count(precision.judged, "time"),
        count(precision.repositories, "repository", "repositories"),
    )
    small = ", a small sample" if precision.judged < _SMALL_SAMPLE else ""
    return (
        f"Judged {times} in {repositories}{small}: {precision.useful_percent} % worth knowing, "
        f"{precision.wrong_percent} % wrong."
    )
