"""Measured precision in a sentence."""

from __future__ import annotations

from crimes.model.wording import count
from crimes.workflows.precision import Precision

_SMALL_SAMPLE = 20  # findings: below that a share means little


def precision_text(precision: Precision | None) -> str:
    """How often findings of a detector were useful, with the size of the sample."""
    if precision is None:
        return "Not measured: nobody has checked a sample of its findings yet."
    findings = count(precision.findings, "finding was", "findings were").split(" ")
    repositories = count(precision.repositories, "repository", "repositories")
    small = ", a small sample" if precision.findings < _SMALL_SAMPLE else ""
    readers = " by two readers" if precision.judged > precision.findings else ""
    return (
        f"{findings[0]} {findings[1]} in {repositories} {findings[2]} checked against the code{readers}{small}: {precision.useful_percent}% useful, "
        f"{precision.minor_percent}% noise, {precision.wrong_percent}% wrong."
    )
