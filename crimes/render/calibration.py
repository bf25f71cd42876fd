"""Verdicts on findings, and how they compare with stated confidence, for people."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime
from crimes.model.wording import count
from crimes.render.lines import Line, line, table
from crimes.tracking.feedback import PATH, Feedback, FeedbackVerdict
from crimes.workflows.calibration import BandRow, Calibration, Row

_TITLES = ("detector", "band", "verdicts", "stated", "observed", "95% interval", "")
_WORDS = {
    "too_few": "too few verdicts",
    "yes": "agrees",
    "stated_too_high": "stated too high",
    "stated_too_low": "stated too low",
}
_VERDICTS = {FeedbackVerdict.TP: "right", FeedbackVerdict.FP: "wrong"}


def confirmation(crime: Crime, record: Feedback, place: str = "") -> Iterator[Line]:
    """What is shown after a verdict was saved; `place` is the option that names the repository, where one is needed."""
    yield line(
        f"Recorded as {_VERDICTS[record.verdict]}: {crime.type} {crime.id} at {crime.file}:{crime.lines.start}, "
        f"reported with confidence {record.confidence:.2f} ({record.band})."
    )
    yield line(
        f"Saved in {PATH}; the next scan counts it as evidence. Run `crimes calibration{place}` to compare verdicts with confidence."
    )


def lines(calibration: Calibration) -> Iterator[Line]:
    """The table: all findings, then each detector."""
    if calibration.all is None:
        yield line(
            f"No verdicts in {PATH} yet. Give one with `crimes feedback right ID` or `crimes feedback wrong ID`."
        )
        return
    yield from table(_TITLES, list(_rows(calibration, calibration.all)))
    yield line()
    yield line(
        f"{count(calibration.all.n, 'finding')} judged; the last verdict on each counts. Stated: mean confidence. Observed: share of "
        "findings that were right. If stated is outside the interval, the confidence is off."
    )


def _rows(calibration: Calibration, everything: Row) -> Iterator[tuple[str, ...]]:
    yield from _group("all", everything, calibration.bands)
    for detector in calibration.detectors:
        yield from _group(detector.type, detector.all, detector.bands)


def _group(name: str, everything: Row, bands: tuple[BandRow, ...]) -> Iterator[tuple[str, ...]]:
    """A row for all bands, then one for each; a single band needs no sum."""
    if len(bands) > 1:
        yield _cells(name, "all", everything)
        name = ""
    for banded in bands:
        yield _cells(name, banded.band, banded.row)


def _cells(name: str, band: str, row: Row) -> tuple[str, ...]:
    return (
        name,
        band,
        f"{row.n:,}",
        f"{row.stated:.2f}",
        f"{row.precision:.2f}",
        f"{row.low:.2f} to {row.high:.2f}",
        _WORDS[row.agrees],
    )
