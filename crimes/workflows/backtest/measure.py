"""The files of a cut and their later fixes, measured: edit risk beside file length and LOC x churn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from crimes.analyses.edit_risk import FileRisk
from crimes.analyses.history.later_fixes import LaterFix
from crimes.model.edit_risk import HORIZON_DAYS, Band
from crimes.model.wording import count
from crimes.workflows.backtest.metrics import differences, first_files, quality_of, shares_by_tenth
from crimes.workflows.backtest.result import (
    AVERAGE_PRECISION,
    EDIT_RISK,
    FILE_LENGTH,
    LOC_CHURN,
    ROC_AUC,
    BandCheck,
    Cut,
    Difference,
    FixSubject,
    MeanQuality,
    PastFile,
    RankingQuality,
)

MIN_FIXED_FILES = 15
FIRST_FILES = 10
_SUBJECTS = 5
_DECIMALS = 4


class Outcome(NamedTuple):
    """A file as it was ranked at the cut, and how many fixes changed it in the window."""

    risk: FileRisk
    commits_90d: int
    fixes: int


def scores_of(outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """The scores that are compared, by ranking; edit risk first."""
    return {
        EDIT_RISK: [outcome.risk.risk for outcome in outcomes],
        FILE_LENGTH: [outcome.risk.lines for outcome in outcomes],
        # 1 is added so that files without a commit in these days keep the order of their length.
        LOC_CHURN: [outcome.risk.lines * (1 + outcome.commits_90d) for outcome in outcomes],
    }


def rank_quality(ranking: str, scores: Sequence[float], fixes: Sequence[int]) -> RankingQuality:
    """How well these scores put the fixed files first. ValueError without both fixed and unfixed files."""
    quality = quality_of(scores, [number > 0 for number in fixes])
    if quality is None:
        raise ValueError("there are no fixed and unfixed files to tell apart")
    return RankingQuality(
        ranking=ranking,
        roc_auc=round(quality.roc_auc, _DECIMALS),
        average_precision=round(quality.average_precision, _DECIMALS),
        first_ten_fixed=sum(fixes[at] > 0 for at in first_files(scores, FIRST_FILES)),
        tenths=tuple(round(share, _DECIMALS) for share in shares_by_tenth(scores, fixes)),
    )


def with_measures(cut: Cut, outcomes: Sequence[Outcome], days: int) -> Cut:
    """The cut with all measures, or with the reason why there are none. `outcomes` are in the order of paths.

    Files with equal scores keep that order, which favours no ranking.
    """
    stopped = _too_few(outcomes)
    if stopped:
        return replace(cut, stopped=stopped)
    fixes = [outcome.fixes for outcome in outcomes]
    scores = scores_of(outcomes)
    riskiest = sorted(outcomes, key=lambda outcome: outcome.risk.rank)
    return replace(
        cut,
        rankings=tuple(rank_quality(ranking, values, fixes) for ranking, values in scores.items()),
        differences=tuple(_differences(scores, fixes)),
        bands=tuple(_bands(outcomes)) if days == HORIZON_DAYS else (),
        first_ten=tuple(_past_file(outcome) for outcome in riskiest[:FIRST_FILES]),
    )


def spread_subjects(fixes: Sequence[LaterFix]) -> tuple[FixSubject, ...]:
    """Five of the fixes, or all if there are fewer, evenly spread from the first to the last."""
    shown = min(len(fixes), _SUBJECTS)
    places = [at * (len(fixes) - 1) // max(shown - 1, 1) for at in range(shown)]
    return tuple(
        FixSubject(fix.sha, f"{fix.when:%Y-%m-%d}", fix.subject) for fix in map(fixes.__getitem__, places)
    )


def mean_qualities(cuts: Sequence[Cut]) -> tuple[MeanQuality, ...]:
    """Each ranking over the cuts that were measured; empty without one."""
    measured = [cut.rankings for cut in cuts if cut.rankings]
    return tuple(
        _mean([rankings[0] for rankings in measured], column) for column in zip(*measured, strict=True)
    )


def _mean(ours: Sequence[RankingQuality], others: Sequence[RankingQuality]) -> MeanQuality:
    def mean(values: Sequence[float]) -> float:
        return round(sum(values) / len(values), _DECIMALS)

    pairs = list(zip(ours, others, strict=True))
    return MeanQuality(
        ranking=others[0].ranking,
        roc_auc=mean([quality.roc_auc for quality in others]),
        average_precision=mean([quality.average_precision for quality in others]),
        first_ten_fixed=mean([quality.first_ten_fixed for quality in others]),
        first_tenth=mean([quality.tenths[0] for quality in others]),
        behind_in_roc_auc=sum(own.roc_auc > other.roc_auc for own, other in pairs),
        behind_in_average_precision=sum(
            own.average_precision > other.average_precision for own, other in pairs
        ),
    )


def _too_few(outcomes: Sequence[Outcome]) -> str:
    fixed = sum(outcome.fixes > 0 for outcome in outcomes)
    if fixed < MIN_FIXED_FILES:
        files = f"only {count(fixed, 'file was fixed', 'files were fixed')}" if fixed else "no file was fixed"
        return f"{files} in the window; under {MIN_FIXED_FILES} a comparison says nothing"
    return (
        "every file was fixed in the window, so there is nothing to tell apart"
        if fixed == len(outcomes)
        else ""
    )


def _differences(scores: Mapping[str, Sequence[float]], fixes: Sequence[int]) -> Iterator[Difference]:
    by_ranking = differences(scores, [number > 0 for number in fixes], EDIT_RISK)
    for ranking, intervals in by_ranking.items():
        for measure, interval in zip((ROC_AUC, AVERAGE_PRECISION), intervals, strict=True):
            yield Difference(
                than=ranking,
                measure=measure,
                value=round(interval.value, _DECIMALS),
                low=round(interval.low, _DECIMALS),
                high=round(interval.high, _DECIMALS),
                distinguishable=interval.excludes_zero,
            )


def _bands(outcomes: Sequence[Outcome]) -> Iterator[BandCheck]:
    for band in Band:
        files = [outcome for outcome in outcomes if outcome.risk.band is band]
        if files:
            yield BandCheck(
                band=band.text,
                files=len(files),
                predicted=round(sum(file.risk.probability for file in files), 1),
                fixed=sum(file.fixes > 0 for file in files),
            )


def _past_file(outcome: Outcome) -> PastFile:
    risk = outcome.risk
    return PastFile(
        file=risk.path,
        rank=risk.rank,
        edit_risk=risk.risk,
        band=risk.band.text if risk.band is not None else "",
        fixes=outcome.fixes,
    )
