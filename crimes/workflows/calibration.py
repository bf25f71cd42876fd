"""Stated confidence against observed precision: do findings turn out real as often as they claim?"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from msgspec import Struct

from crimes.model.hundredths import half_up, share
from crimes.model.report import Share
from crimes.tracking.feedback import Feedback, FeedbackVerdict

SCHEMA_VERSION = "1.0"
BANDS = ("strong", "moderate", "weak", "negligible")
_Z = Decimal("1.96")  # 95% of the time the interval holds the true precision
_HUNDREDTH = Decimal("0.01")
_MIN_VERDICTS = 5  # verdicts before a comparison means anything


class Row(Struct, frozen=True):
    """Verdicts on findings of one kind. `low` and `high` are the ends of the 95% Wilson interval."""

    n: int  # number of verdicts
    tp: int  # verdicts that say the finding is right
    stated: Share  # mean confidence
    precision: Share  # share of findings that are right
    low: Share  # lower end of the 95% Wilson interval
    high: Share  # upper end of the interval
    agrees: str  # `yes`, `stated_too_high`, `stated_too_low` or `too_few`


class BandRow(Struct, frozen=True):
    """Verdicts on findings of one confidence band."""

    band: str  # confidence band
    row: Row  # verdicts on findings in this band


class DetectorCalibration(Struct, frozen=True):
    """Verdicts on findings of one detector."""

    type: str  # id of the detector
    all: Row  # all verdicts on its findings
    bands: tuple[BandRow, ...]  # bands with verdicts, the surest first


class Calibration(Struct, frozen=True):
    """Detectors are sorted by name; `all` is None without a verdict."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    all: Row | None  # all verdicts; null without one
    bands: tuple[BandRow, ...]  # all verdicts by band, the surest first
    detectors: tuple[DetectorCalibration, ...]  # each detector with verdicts, by name


def calibrate(verdicts: Iterable[Feedback]) -> Calibration:
    """The table of verdicts; each finding should have one."""
    verdicts = tuple(verdicts)
    types = sorted({feedback.type for feedback in verdicts})
    by_type = {type_: tuple(feedback for feedback in verdicts if feedback.type == type_) for type_ in types}
    return Calibration(
        schema_version=SCHEMA_VERSION,
        all=_row(verdicts) if verdicts else None,
        bands=_by_band(verdicts),
        detectors=tuple(
            DetectorCalibration(type_, _row(own), _by_band(own)) for type_, own in by_type.items()
        ),
    )


def _by_band(verdicts: tuple[Feedback, ...]) -> tuple[BandRow, ...]:
    rows = ((band, tuple(feedback for feedback in verdicts if feedback.band == band)) for band in BANDS)
    return tuple(BandRow(band, _row(own)) for band, own in rows if own)


def _row(verdicts: tuple[Feedback, ...]) -> Row:
    n = len(verdicts)
    tp = sum(feedback.verdict is FeedbackVerdict.TP for feedback in verdicts)
    stated = half_up(sum(round(feedback.confidence * 100) for feedback in verdicts), n)
    low, high = wilson(tp, n)
    if n < _MIN_VERDICTS:
        agrees = "too_few"
    else:
        agrees = "stated_too_high" if stated > high else "stated_too_low" if stated < low else "yes"
    return Row(n, tp, share(stated), share(half_up(100 * tp, n)), share(low), share(high), agrees)


def wilson(successes: int, n: int) -> tuple[int, int]:
    """The ends of the Wilson score interval in hundredths, rounded half up."""
    p, square = Decimal(successes) / n, _Z * _Z
    middle = p + square / (2 * n)
    spread = _Z * (p * (1 - p) / n + square / (4 * n * n)).sqrt()
    ends = ((middle - spread) / (1 + square / n), (middle + spread) / (1 + square / n))
    low, high = (int(end.quantize(_HUNDREDTH, ROUND_HALF_UP) * 100) for end in ends)
    return max(low, 0), min(high, 100)
