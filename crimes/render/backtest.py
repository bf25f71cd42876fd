"""A backtest for people: what was ranked, what was fixed later, and whether the ranking was better than file length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crimes.model.wording import count, cut_at_word
from crimes.render.lines import Line, Span, heading, line, table
from crimes.workflows.backtest.result import (
    EDIT_RISK,
    FILE_LENGTH,
    LOC_CHURN,
    ROC_AUC,
    Backtest,
    BandCheck,
    Cut,
    Difference,
    PastFile,
    RankingQuality,
)

MAX_SUBJECT_CHARS = 90
BAR_COLUMNS = 40  # for all fixes
SHOWN_TENTHS = 5
_NAMES = {EDIT_RISK: "edit risk", FILE_LENGTH: "file length", LOC_CHURN: "LOC x churn"}
_TITLES = ("ranking", "ROC-AUC", "average precision", "first ten fixed", "fixes in first tenth")


def lines(backtest: Backtest, *, terminal: bool) -> Iterator[Line]:
    """Each cut with its measures; of the newest that was measured also the picture, the bands and the first ten files."""
    detailed = next((cut for cut in backtest.cuts if not cut.stopped), None)
    for number, cut in enumerate(backtest.cuts):
        if number:
            yield line()
        yield from _cut(backtest, cut)
        if cut is detailed:
            yield from _picture(cut, terminal)
            yield from _bands(cut.bands, backtest.days)
            yield from _first_files(cut.first_ten)
    if len(backtest.cuts) > 1:
        yield from _means(backtest)
    if backtest.measured:
        yield line()
        yield line(
            "This checks the ranking and changes nothing. A fix is a commit that calls itself one; what is fixed without saying so, or "
            "has not been noticed yet, is missed."
        )


def _cut(backtest: Backtest, cut: Cut) -> Iterator[Line]:
    yield line(
        Span(backtest.repository, "heading"),
        f": {count(cut.files, 'file')} as of {cut.time[:10]} ({cut.commit[:12]}), checked against the fixes up to "
        f"{cut.until_time[:10]}.",
    )
    yield line(_fixes(cut))
    for subject in cut.subjects:
        text = cut_at_word(subject.subject, MAX_SUBJECT_CHARS)
        yield line(Span(f"{subject.commit}  {subject.date}  ", "dim"), text, indent=2, fixed=True)
    for doubt in cut.doubts:
        yield line(Span("Doubt: ", "warn"), f"at the cut, {doubt}.")
    if cut.stopped:
        yield line(Span("Not measured: ", "warn"), f"{cut.stopped}.")
        return
    yield line()
    yield from table(_TITLES, [_row(quality, cut.files) for quality in cut.rankings])
    yield line()
    for difference in cut.differences:
        yield line(_verdict(difference), hang=2)


def _fixes(cut: Cut) -> str:
    if not cut.fix_commits:
        return "No fix commit followed that changed one of these files."
    files = f"{cut.fixed_files:,} of these files ({_percent(cut.fixed_files / cut.files)})"
    return f"{count(cut.fix_commits, 'fix commit')} followed and changed {files}. For example:"


def _row(quality: RankingQuality, files: int) -> tuple[str, ...]:
    return (
        _NAMES[quality.ranking],
        _decimals(quality.roc_auc),
        _decimals(quality.average_precision),
        f"{quality.first_ten_fixed} of {min(10, files)}",
        _percent(quality.tenths[0]),
    )


def _verdict(difference: Difference) -> str:
    """Edit risk against another ranking: "ROC-AUC against file length: +.026 (95% interval +.010 to +.044), better"."""
    other = _NAMES[difference.than]
    measure = "ROC-AUC" if difference.measure == ROC_AUC else "Average precision"
    interval = f"95% interval {_signed(difference.low)} to {_signed(difference.high)}"
    if difference.distinguishable:
        verdict = "better" if difference.value > 0 else "worse"
    else:
        verdict = f"not distinguishable from {other} here"
    return f"{measure} against {other}: {_signed(difference.value)} ({interval}), {verdict}."


def _picture(cut: Cut, terminal: bool) -> Iterator[Line]:
    """Bars of the share of the fixes that the first files of a list hold, for edit risk and for file length."""
    marks = {EDIT_RISK: "█" if terminal else "#", FILE_LENGTH: "░" if terminal else "-"}
    yield from heading("Share of the fixes in the first files of the list")
    for tenth in range(SHOWN_TENTHS):
        for quality in (quality for quality in cut.rankings if quality.ranking in marks):
            ours, share = quality.ranking == EDIT_RISK, quality.tenths[tenth]
            label = f"first {(tenth + 1) * 10}%" if ours else ""
            yield line(
                f"{label:<10} {_NAMES[quality.ranking]:<11}  ",
                Span(marks[quality.ranking] * round(share * BAR_COLUMNS), "good" if ours else "dim"),
                f" {_percent(share)}",
                indent=2,
                fixed=True,
            )


def _bands(bands: Sequence[BandCheck], days: int) -> Iterator[Line]:
    yield from heading("Predicted and observed")
    if not bands:
        yield line(
            f"Bands are about 180 days, so fixes within {count(days, 'day')} cannot be held against them.",
            indent=2,
        )
        return
    rows = [
        (
            band.band,
            f"{band.files:,}",
            f"{band.predicted:,.0f} ({_percent(band.predicted / band.files)})",
            f"{band.fixed:,} ({_percent(band.fixed / band.files)})",
        )
        for band in reversed(bands)
    ]
    yield from table(("need a fix", "files", "predicted", "fixed"), rows)


def _first_files(files: Sequence[PastFile]) -> Iterator[Line]:
    yield from heading("First ten files at the cut")
    for file in files:
        outcome = (
            Span(f"  {count(file.fixes, 'fix', 'fixes')}", "mark")
            if file.fixes
            else Span("  not fixed", "dim")
        )
        yield line(f"{file.rank:>3}. ", Span(file.file, "path"), outcome, fixed=True)


def _means(backtest: Backtest) -> Iterator[Line]:
    if not backtest.means:
        return
    yield from heading(f"Mean of {backtest.measured} of {len(backtest.cuts)} cuts")
    rows = [
        (
            _NAMES[mean.ranking],
            _decimals(mean.roc_auc),
            _decimals(mean.average_precision),
            f"{mean.first_ten_fixed:.1f}",
            _percent(mean.first_tenth),
        )
        for mean in backtest.means
    ]
    yield from table(_TITLES, rows)
    for mean in backtest.means[1:]:
        yield line(
            f"Edit risk is ahead of {_NAMES[mean.ranking]} in ROC-AUC in {mean.behind_in_roc_auc} of {count(backtest.measured, 'cut')}, "
            f"in average precision in {mean.behind_in_average_precision}."
        )


def _decimals(share: float) -> str:
    """A share without the leading zero: .83."""
    return f"{share:.3f}".removeprefix("0")


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("0.", ".", 1)


def _percent(share: float) -> str:
    return f"{share * 100:.0f}%"
