"""What a backtest found: the versioned types behind `crimes backtest --format json`."""

from __future__ import annotations

from msgspec import Struct

from crimes.model.report import Tool
from crimes.model.trust import Share

SCHEMA_VERSION = "1.0"
EDIT_RISK, FILE_LENGTH, LOC_CHURN = "edit_risk", "file_length", "loc_x_churn"
ROC_AUC, AVERAGE_PRECISION = "roc_auc", "average_precision"


class RankingQuality(Struct, frozen=True):
    """How well one ranking put the files that were fixed later first."""

    ranking: str  # `edit_risk`, `file_length` (lines of code) or `loc_x_churn` (lines of code x (1 + commits of 90 days))
    roc_auc: Share  # share of the pairs of a fixed and an unfixed file in which the fixed one is ranked higher; 0.5 is chance
    average_precision: (
        Share  # mean share of fixed files down to each fixed file; chance is the share of fixed files
    )
    first_ten_fixed: int  # files fixed later among the first ten
    # share of the fixes in the first tenth of the files, in the first two tenths, and so on; a fix of three files counts three times
    tenths: tuple[Share, ...]


class Difference(Struct, frozen=True):
    """A measure of edit risk minus that of another ranking."""

    than: str  # the other ranking
    measure: str  # `roc_auc` or `average_precision`
    value: float  # above 0: edit risk is ahead
    low: float  # lower end of the 95 % bootstrap interval, from 1,000 resamples of the files
    high: float  # upper end of the interval
    distinguishable: bool  # whether the interval leaves out zero


class BandCheck(Struct, frozen=True):
    """The files of one band: how many should have needed a fix, and how many did."""

    band: str  # predicted share of files that need a fix within 180 days
    files: int  # files in this band at the cut
    predicted: float  # files expected to need a fix: the sum of their probabilities
    fixed: int  # files that were fixed


class PastFile(Struct, frozen=True):
    """A file at the cut, and what became of it."""

    file: str  # path from the root at the cut
    rank: int  # by edit risk at the cut, from 1
    edit_risk: float  # edit risk at the cut
    band: str  # predicted share of files like this that need a fix within 180 days
    fixes: int  # fix commits that changed it in the window


class FixSubject(Struct, frozen=True):
    """A commit that counts as a fix."""

    commit: str  # abbreviated to twelve
    date: str  # day it was committed
    subject: str  # its first line


class Cut(Struct, frozen=True):
    """The ranking at one commit, checked against the fixes that followed."""

    commit: str  # the tree that was ranked; nothing later was read for the ranking
    time: str  # when it was committed
    until: str  # the last commit of the window
    until_time: str  # when that was committed
    files: int  # ranked files
    fix_commits: int  # fix commits in the window that changed a ranked file
    fixed_files: int  # ranked files that a fix changed
    fixes: int  # pairs of a fix commit and a ranked file it changed
    subjects: tuple[FixSubject, ...]  # five of the fix commits, spread over the window
    doubts: tuple[str, ...]  # reasons to doubt that there was enough history at the cut
    stopped: str  # why nothing was measured; empty when it was
    rankings: tuple[RankingQuality, ...] = ()  # edit risk first
    differences: tuple[Difference, ...] = ()  # edit risk minus each of the others
    bands: tuple[
        BandCheck, ...
    ] = ()  # lowest first; empty unless the window has the 180 days that bands are about
    first_ten: tuple[PastFile, ...] = ()  # the riskiest files at the cut


class MeanQuality(Struct, frozen=True):
    """One ranking over all cuts that could be measured."""

    ranking: str  # as in `rankings` of a cut
    roc_auc: Share  # mean
    average_precision: Share  # mean
    first_ten_fixed: float  # mean number of files fixed later among the first ten
    first_tenth: Share  # mean share of the fixes in the first tenth of the files
    behind_in_roc_auc: int  # cuts in which edit risk has the higher ROC-AUC
    behind_in_average_precision: int  # cuts in which edit risk has the higher average precision


class Backtest(Struct, frozen=True):
    """Edit risk as it was, checked against the fixes that followed. Nothing is tuned by it."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    days: int  # length of each window
    cuts: tuple[Cut, ...]  # newest first; the window of each ends where that of the one before begins
    measured: int  # cuts with enough fixed files to measure
    means: tuple[MeanQuality, ...]  # over these; edit risk first
