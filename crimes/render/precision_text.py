"""Measured precision in a sentence."""

from __future__ import annotations

from crimes.model.kind import Kind
from crimes.model.wording import count
from crimes.workflows.precision import Precision

_SMALL_SAMPLE = 20  # findings: below that a share means little


def precision_text(precision: Precision | None, kind: Kind = Kind.CODE) -> str:
    """How often findings of a detector, or cautions, were useful, with the size of the sample. Its page has the same sentence."""
    if precision is None:
        return "Not measured yet."
    noun = "finding" if kind is Kind.CODE else "caution"
    findings, verb = count(precision.findings, f"{noun} was", f"{noun}s were").rsplit(" ", 1)
    repositories = count(precision.repositories, "public repository", "public repositories")
    small = ", a small sample" if precision.findings < _SMALL_SAMPLE else ""
    several = precision.judged > precision.findings
    readers = " by two readers" if several else ""
    verdicts = f" of their {precision.judged:,} verdicts say" if several else ""
    return (
        f"{findings} in {repositories} {verb} checked against the code{readers}{small}: {precision.useful_percent}%{verdicts} useful (worth acting on or knowing before an edit), "
        f"{precision.minor_percent}% true but not worth reporting, {precision.wrong_percent}% wrong."
    )
