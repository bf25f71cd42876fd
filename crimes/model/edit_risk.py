"""Edit risk: how likely a file is to need the next fix, from its size, its complexity and its past. The formula alone.

    risk = log2(1 + LOC) + log2(1 + cognitive) + 2 log2(1 + C) + 2 log2(1 + F)

LOC are the lines of code, cognitive is the complexity of the functions, C the commits and F the fix commits, each weighing less the
older it is. Twice as long or twice as complex adds 1, twice the recent changes or twice the past fixes adds 2. A file's risk does
not depend on other files; its rank and the probability of a fix do. `docs/scoring.md` says what the formula was measured to do.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum
from math import exp, fsum, log, log2, sqrt

from msgspec import Struct

from crimes.model.trust import Share

COMMIT_HALF_LIFE_DAYS = 180
FIX_HALF_LIFE_DAYS = 730
HORIZON_DAYS = 180  # that the probability looks ahead, and the base rate looks back

_COMMITS_WEIGHT = _FIXES_WEIGHT = 2
_INTERCEPT, _RISK_SLOPE, _BASE_RATE_SLOPE = -0.81, 1.27, 0.78
_OPENING_LINES = (
    30  # read before the first line of a file tells anything: keeps tiny files from leading per line
)


class RiskTerms(Struct, frozen=True):
    """The four terms of edit risk, each with two decimals. `risk` is their sum."""

    lines: float  # log2(1 + lines of code)
    complexity: float  # log2(1 + cognitive complexity)
    commits: float  # 2 x log2(1 + commits, each weighing half after 180 days)
    fixes: float  # 2 x log2(1 + fix commits, each weighing half after 730 days)

    @property
    def risk(self) -> float:
        """The edit risk: the four terms as they are shown, added up."""
        return round(self.lines + self.complexity + self.commits + self.fixes, 2)


class Band(IntEnum):
    """The probability that a file needs a fix within 180 days, as coarse as it is known."""

    UNDER_1_IN_20 = 0
    ABOUT_1_IN_10 = 1
    ABOUT_1_IN_4 = 2
    ABOUT_1_IN_2 = 3
    ABOUT_3_IN_4 = 4

    @property
    def text(self) -> str:
        """The band in words: "about 1 in 4"."""
        return self.name.lower().replace("_", " ")


# By band: the probability it ends at. Above the first, the nearest of 1/10, 1/4, 1/2 and 3/4 is chosen.
_BAND_ENDS = (0.05, 0.175, 0.375, 0.625)


def age_weight(age_days: float, half_life_days: int) -> float:
    """What a commit of this age counts for: 1 today, half after the half-life. One from the future counts as of today."""
    return float(0.5 ** (max(age_days, 0) / half_life_days))


def risk_terms(lines: int, complexity: int, commits: float, fixes: float) -> RiskTerms:
    """The terms of a file with these lines of code, this cognitive complexity, and these weighted commits and fix commits."""
    return RiskTerms(
        lines=round(log2(1 + lines), 2),
        complexity=round(log2(1 + complexity), 2),
        commits=round(_COMMITS_WEIGHT * log2(1 + commits), 2),
        fixes=round(_FIXES_WEIGHT * log2(1 + fixes), 2),
    )


class RiskScale(Struct, frozen=True):
    """What turns a risk into a probability: the ranked files of a repository, and how many of them were fixed lately."""

    files: int = 0  # ranked files
    fixed: int = 0  # of these, changed by a fix in the last 180 days
    mean: float = 0.0  # of their risks
    deviation: float = 0.0  # standard deviation of their risks; 0 when all are equal

    def probability(self, risk: float) -> float:
        """The probability that a file of this risk needs a fix in the next 180 days."""
        z = (risk - self.mean) / self.deviation if self.deviation else 0.0
        base_rate = (self.fixed + 1) / (self.files + 2)
        logit = _INTERCEPT + _RISK_SLOPE * z + _BASE_RATE_SLOPE * log(base_rate / (1 - base_rate))
        return 1 / (1 + exp(-logit))


def risk_scale(risks: Collection[float], fixed: int) -> RiskScale:
    """The scale of a repository whose ranked files have these risks; `fixed` of them were fixed in the last 180 days."""
    if not risks:
        return RiskScale()
    mean = fsum(risks) / len(risks)  # exact: `sum` differs between versions of Python
    deviation = sqrt(fsum((risk - mean) ** 2 for risk in risks) / len(risks))
    return RiskScale(len(risks), fixed, mean, deviation if deviation > 1e-9 else 0.0)


def band_of(probability: float) -> Band:
    """The band that a probability is shown as."""
    return Band(sum(probability >= end for end in _BAND_ENDS))


def probability_per_line(probability: float, lines: int) -> float:
    """The probability of a fix per line that has to be read, for the second ranking; rounded, so that machines agree."""
    return round(probability / (lines + _OPENING_LINES), 10)


class RankedFile(Struct, frozen=True):
    """A file with its edit risk, all that the number rests on, and the three scores that say what an edit meets there."""

    file: str  # path from the root
    edit_risk: float  # the sum of the four terms, for ranking
    rank: int  # from 1, the riskiest first
    rank_per_line: int  # from 1, by the probability of a fix per line that has to be read
    # how many of the files like this need a fix within 180 days: `under 1 in 20`, `about 1 in 10`, `about 1 in 4`, `about 1 in 2` or
    # `about 3 in 4`; empty where history is limited
    band: str
    terms: RiskTerms  # the four terms
    lines: int  # lines of code
    complexity: int  # cognitive complexity, summed over its functions
    commits_365d: int  # commits in the 365 days before the reference time, without those of bots
    fixes_365d: int  # of these, commits that call themselves a fix and changed at most 30 source files
    weighted_commits: float  # all commits, each weighing half after 180 days
    weighted_fixes: float  # all fix commits, each weighing half after 730 days
    churn: Share  # how often it changes; full at 20 commits in 90 days
    test_gap: Share  # 1 without tests, 0.5 with a test of its name, 0 when a test imports it
    blast_radius: Share  # how many files reach it; full at 50


class UnrankedFile(Struct, frozen=True):
    """The size of a file whose rank is withheld."""

    file: str  # path from the root
    lines: int  # lines of code
    complexity: int  # cognitive complexity, summed over its functions


class RankedFiles(Struct, frozen=True):
    """Edit risk of all source files and scripts."""

    ranked: int = 0  # files that were ranked
    fixed_180d: int = 0  # of these, changed by a fix in the last 180 days
    # why history is missing or incomplete, so that ranks rest on less and must not be compared; empty when it is neither
    history_limited: str = ""
    files: tuple[RankedFile, ...] = ()  # the riskiest first
    withheld: str = ""  # why no file is ranked; empty when files are
    unranked: tuple[UnrankedFile, ...] = ()  # where ranks are withheld: the same files, the largest first

    @property
    def is_calm(self) -> bool:
        """Whether nothing stands out: even for the riskiest file a fix is less likely than 1 in 10."""
        return bool(self.files) and self.files[0].band == Band.UNDER_1_IN_20.text
