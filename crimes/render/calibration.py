"""Verdicts on findings, and how they compare with stated confidence, for people."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime
from crimes.model.wording import count
from crimes.render.lines import Line, Span, line
from crimes.tracking.feedback import PATH, Feedback, FeedbackVerdict
from crimes.workflows.calibration import Banded, Calibration, Row

_TITLES = ("detector", "band", "verdicts", "stated", "observed", "95 % interval", "")
_WORDS = {
    "too_few": "too few to say",
    "yes": "agrees",
    "stated_too_high": "stated too high",
    "stated_too_low": "stated too low",
}
_VERDICTS = {FeedbackVerdict.TP: "real", FeedbackVerdict.FP: "not real"}


def noted(crime: Crime, record: Feedback) -> Iterator[Line]:
    """One line after a verdict was kept."""
    stated = f"stated confidence {record.confidence:.2f}, {record.band}"
    yield line(
        f"Noted as {_VERDICTS[record.verdict]}: {crime.type} {crime.id} {crime.file}:{crime.lines.start} ({stated})."
    )
    yield line(f"It stands in {PATH}; `crimes calibration` compares.")


def lines(table: Calibration) -> Iterator[Line]:
    """The table: all findings, then each detector."""
    if table.all is None:
        yield line(f"No verdicts in {PATH}. `crimes feedback tp ID` or `fp ID` gives one.")
        return
    rows = list(_rows(table, table.all))
    widths = [max(len(row[column]) for row in (_TITLES, *rows)) for column in range(len(_TITLES))]
    for row in (_TITLES, *rows):
        cells = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield line(Span(cells.rstrip(), "heading" if row is _TITLES else ""), fixed=True)
    yield line()
    yield line(
        f"{count(table.all.n, 'finding')} judged, the last verdict on each counts. Stated: the mean confidence. Observed: the "
        "share that was real. Where stated lies outside of the interval, confidence is off."
    )


def _rows(table: Calibration, everything: Row) -> Iterator[tuple[str, ...]]:
    yield from _group("all", everything, table.bands)
    for detector in table.detectors:
        yield from _group(detector.type, detector.all, detector.bands)


def _group(name: str, everything: Row, bands: tuple[Banded, ...]) -> Iterator[tuple[str, ...]]:
    """All bands in one row, then each; a single band needs no sum."""
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
