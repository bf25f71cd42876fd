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
_Z = Decimal("1.96")  # 95 % of the time the interval holds the true precision
_HUNDREDTH = Decimal("0.01")
_ENOUGH = 5  # verdicts before a comparison means anything


class Row(Struct, frozen=True):
    """Verdicts on findings of one kind. `low` and `high` are the ends of the 95 % Wilson interval."""

    n: int
    tp: int
    stated: Share  # the mean confidence
    precision: Share  # the share of true positives
    low: Share
    high: Share
    agrees: str  # yes, stated_too_high, stated_too_low, or too_few to say


class Banded(Struct, frozen=True):
    band: str
    row: Row


class DetectorCalibration(Struct, frozen=True):
    type: str
    all: Row
    bands: tuple[Banded, ...]  # those with verdicts, the surest first


class Calibration(Struct, frozen=True):
    """Detectors are sorted by name; `all` is None without a verdict."""

    schema_version: str
    all: Row | None
    bands: tuple[Banded, ...]
    detectors: tuple[DetectorCalibration, ...]


def calibrate(verdicts: Iterable[Feedback]) -> Calibration:
    """The table; each finding should be in there once."""
    verdicts = tuple(verdicts)
    types = sorted({verdict.type for verdict in verdicts})
    by_type = {type_: tuple(one for one in verdicts if one.type == type_) for type_ in types}
    return Calibration(
        schema_version=SCHEMA_VERSION,
        all=_row(verdicts) if verdicts else None,
        bands=_banded(verdicts),
        detectors=tuple(
            DetectorCalibration(type_, _row(own), _banded(own)) for type_, own in by_type.items()
        ),
    )


def _banded(verdicts: tuple[Feedback, ...]) -> tuple[Banded, ...]:
    rows = ((band, tuple(one for one in verdicts if one.band == band)) for band in BANDS)
    return tuple(Banded(band, _row(own)) for band, own in rows if own)


def _row(verdicts: tuple[Feedback, ...]) -> Row:
    n = len(verdicts)
    tp = sum(one.verdict is FeedbackVerdict.TP for one in verdicts)
    stated = half_up(sum(round(one.confidence * 100) for one in verdicts), n)
    low, high = wilson(tp, n)
    if n < _ENOUGH:
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
