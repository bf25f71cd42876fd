"""How far a scan can be trusted: what it could read, resolve and remember, in a few exact numbers.

Trust rests on four dimensions: what was parsed, whose imports are known, how much of the past is visible, which tests
were found. The weakest of them counts most, and a scan of too little code or too short a past is never fully trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from crimes.judging.trust.sampling import (
    MAX_REASONS,
    Sample,
    Undersampling,
    code_reasons,
    past_reasons,
    step_of,
)

PARSE, IMPORTS, PAST, TESTS = "parse_coverage", "import_resolution", "history_depth", "test_discovery"

# The best a dimension can be: nothing but parsing is ever known for sure.
_MAX_DIMENSION = Fraction(95, 100)
_NO_GRAPH = Fraction(30, 100)
_NO_HISTORY = Fraction(10, 100)
_MAX_CUT_HISTORY = Fraction(60, 100)
_CHURN_DAYS = 90
_TESTS_RESOLVE, _TESTS_FOUND, _NO_TESTS = Fraction(90, 100), Fraction(50, 100), Fraction(40, 100)
_NO_TESTS_DISCOVERED = Fraction(10, 100)
_UNKNOWN = Fraction(80, 100)  # a dimension without a value, in the composite

HALF = Fraction(1, 2)
_NEARLY_ALL = Fraction(90, 100)
_COLLAPSED, _COMPARABLE_FROM, _ACTIONS_FROM = Fraction(20, 100), Fraction(30, 100), Fraction(40, 100)
_MAX_BOTTLENECKS = 5
_LEVELS = ((Fraction(80, 100), "high"), (HALF, "moderate"))  # of the composite; under all of them: low
NO_PAST = "no past"  # why history counts as cut where the clone is whole


class Status(StrEnum):
    """How the scan ended."""

    COMPLETE = "complete"
    DEGRADED = "degraded"
    UNSUPPORTED = "unsupported"


class Validity(StrEnum):
    """Whether the numbers can be compared with those of another scan."""

    NOT = "not_comparable"
    PARTIALLY = "partially_comparable"
    FULLY = "fully_comparable"


class Class(StrEnum):
    """What a reader may do with the result, least first."""

    ABSTAINED = "abstained"
    DIRECTIONAL = "directional"
    TRUSTED = "trusted"


class Applicability(StrEnum):
    """What a detector can say about this repository."""

    APPLICABLE = "applicable"
    WEAK = "applicable_but_weak"
    INSUFFICIENT = "insufficient_evidence"
    NOT = "not_applicable"


class Counts(Struct, frozen=True):
    """What trust is computed from. `cut` says why history is not whole: "shallow clone", say."""

    claimed: int  # source files that should have been parsed
    ok: int
    partial: int = 0  # parsed with places the grammar could not read
    resolved: int = 0
    unresolved: int = 0  # imports that should lead to a file of the repository
    graph: bool = True
    git: bool = True
    no_git: str = ""  # why there is no history
    cut: str = ""
    days: int = 0  # of history that are visible, when it is cut
    test_files: int = 0
    tests_resolving: int = 0  # test files with an import that leads to a file of the repository
    working_set_unparsed: int = 0
    working_set_partial: int = 0
    sample: Sample | None = None  # None where nobody counted it


class Reason(Struct, frozen=True):
    """What weakens a scan; `area` is parse, graph, history or sample."""

    area: str
    text: str


class TrustVerdict(Struct, frozen=True):
    """All that follows from the counts. Shares are exact; a report rounds them half up."""

    status: Status
    category: str  # of a scan that is not complete, else empty
    validity: Validity
    class_: Class
    reasons: tuple[Reason, ...]
    dimensions: Mapping[str, Fraction] = {}
    weighed: Mapping[str, Fraction | None] = {}  # the same as they count in the composite
    composite: Fraction | None = None
    mean: Fraction | None = None  # of the dimensions
    undersampling: Undersampling = Undersampling.NONE

    @property
    def can_compare(self) -> bool:
        return self.class_ is not Class.ABSTAINED and self.validity is not Validity.NOT

    @property
    def can_gate(self) -> bool:
        return self.class_ is Class.TRUSTED


def verdict(counts: Counts) -> TrustVerdict:
    """What the counts say of a scan that came to its end."""
    values, in_composite = dimensions(counts), weighed(counts)
    mean = sum(values.values(), Fraction()) / len(values)
    status, category = _status(counts, mean)
    reasons = tuple(_reasons(counts, status, category))
    step, limit = undersampling(counts)
    whole = composite(list(in_composite.values()))
    whole = whole if whole is None else min(whole, limit)
    validity = _validity(status, counts, reasons, mean)
    return TrustVerdict(
        status=status,
        category=category,
        validity=validity,
        class_=classify(status, validity, whole),
        dimensions=values,
        weighed=in_composite,
        composite=whole,
        mean=mean,
        reasons=reasons,
        undersampling=step,
    )


def stopped_verdict(category: str) -> TrustVerdict:
    """A scan that did not come to its end: out of time, out of memory. Nothing is known."""
    reason = Reason("parse", _status_text(Status.DEGRADED, category))
    return TrustVerdict(
        status=Status.DEGRADED,
        category=category,
        validity=Validity.NOT,
        class_=Class.ABSTAINED,
        reasons=(reason,),
    )


def dimensions(counts: Counts) -> dict[str, Fraction]:
    """What was seen, each from 0 to 1."""
    return {
        PARSE: _parsed(counts),
        IMPORTS: _MAX_DIMENSION * resolution(counts) if counts.graph else _NO_GRAPH,
        PAST: _history(counts),
        TESTS: _tests(counts, _NO_TESTS_DISCOVERED),
    }


def weighed(counts: Counts) -> dict[str, Fraction | None]:
    """The dimensions as they count in the composite: None where there is nothing to measure.

    A repository without tests may well have none: that takes less from agent_risk than tests that were missed would.
    """
    return {
        **dimensions(counts),
        PARSE: _parsed(counts) if counts.claimed else None,
        TESTS: _tests(counts, _NO_TESTS),
    }


def level(whole: Fraction | None) -> str:
    """A word for a composite; empty without one."""
    if whole is None:
        return ""
    return next((word for minimum, word in _LEVELS if whole >= minimum), "low")


def undersampling(counts: Counts) -> tuple[Undersampling, Fraction]:
    """How far the sample is too small, and the most that the composite can be; without anything read, as far as can be."""
    if counts.sample is None:
        return step_of(0)
    nothing_read = not counts.ok and not counts.partial
    reasons = (*code_reasons(counts.sample), *past_reasons(counts.sample))
    return step_of(MAX_REASONS if nothing_read else len(reasons))


def composite(values: Sequence[Fraction | None]) -> Fraction | None:
    """One number of all: the weakest counts for more than the mean. None without any value."""
    known = [_UNKNOWN if value is None else value for value in values]
    if not known:
        return None
    return Fraction(6, 10) * min(known) + Fraction(4, 10) * sum(known, Fraction()) / len(known)


def bottlenecks(values: Mapping[str, Fraction | None]) -> list[str]:
    """Dimensions under a half, the worst first, at most five; ties keep their order."""
    weak = [(value, name) for name, value in values.items() if value is not None and value < HALF]
    return [name for _, name in sorted(weak, key=lambda item: item[0])][:_MAX_BOTTLENECKS]


def is_collapsed(mean: Fraction) -> bool:
    """Whether so little was seen that no score means anything."""
    return mean < _COLLAPSED


def max_validity(mean: Fraction) -> Validity:
    """The most the mean of the summary allows."""
    if is_collapsed(mean):
        return Validity.NOT
    return Validity.PARTIALLY if mean < _COMPARABLE_FROM else Validity.FULLY


def withholds_actions(mean: Fraction) -> bool:
    """Whether too little was seen to say what to do."""
    return mean < _ACTIONS_FROM


def classify(status: Status, validity: Validity, whole: Fraction | None) -> Class:
    """What may be done with the result."""
    if status is not Status.COMPLETE:
        return Class.ABSTAINED
    weak = whole is not None and whole < HALF
    return Class.DIRECTIONAL if weak or validity is not Validity.FULLY else Class.TRUSTED


def applicability(
    evidence: Fraction, *, fallback: bool = False, weak: bool = False, off: bool = False
) -> Applicability:
    """What a detector can say, by the weakest dimension it rests on."""
    if off or evidence < _COMPARABLE_FROM:
        return Applicability.NOT
    if fallback or evidence < HALF:
        return Applicability.INSUFFICIENT
    return Applicability.WEAK if weak else Applicability.APPLICABLE


def second_language_weight(first: Fraction, second: Fraction) -> Fraction | None:
    """How much a second language weighs beside the first, when it is too large to be left out."""
    return min(Fraction(1), second / first) if second > _ACTIONS_FROM else None


def resolution(counts: Counts) -> Fraction:
    """The share of imports inside the repository that lead to a file."""
    total = counts.resolved + counts.unresolved
    return Fraction(counts.resolved, total) if total else Fraction(1)


def _parsed(counts: Counts) -> Fraction:
    return Fraction(2 * counts.ok + counts.partial, 2 * counts.claimed) if counts.claimed else Fraction()


def has_past(counts: Counts) -> bool:
    """Whether a repository was there for a day at least; one that was not is a clone without a past, shallow or not."""
    return counts.sample is None or counts.sample.span_days > 0


def _history(counts: Counts) -> Fraction:
    if not counts.git or not has_past(counts):
        return _NO_HISTORY
    if counts.cut:
        return max(_NO_HISTORY, min(_MAX_CUT_HISTORY, Fraction(counts.days, _CHURN_DAYS)))
    return _MAX_DIMENSION


def _tests(counts: Counts, none: Fraction) -> Fraction:
    if not counts.test_files:
        return none
    return _TESTS_RESOLVE if counts.tests_resolving else _TESTS_FOUND


def _status(counts: Counts, mean: Fraction) -> tuple[Status, str]:
    if not counts.claimed:
        return Status.UNSUPPORTED, "no-files"
    if not counts.ok and not counts.partial:
        return Status.DEGRADED, "no-parsable-source"
    return (Status.DEGRADED, "confidence-collapse") if is_collapsed(mean) else (Status.COMPLETE, "")


def _status_text(status: Status, category: str) -> str:
    return f"scan status {status}: {category}"


def _reasons(counts: Counts, status: Status, category: str) -> Iterator[Reason]:
    if status is not Status.COMPLETE:
        yield Reason("parse", _status_text(status, category))
    parsed = _parsed(counts)
    if counts.claimed and parsed < HALF:
        yield Reason("parse", "fewer than half of the source files were parsed")
    elif counts.claimed and parsed < _NEARLY_ALL:
        yield Reason("parse", "more than 10% of the source files were not parsed")
    if counts.working_set_unparsed:
        yield Reason("parse", f"{counts.working_set_unparsed} file(s) of the working set could not be parsed")
    if counts.working_set_partial:
        what = f"{counts.working_set_partial} file(s) of the working set could be parsed only in part"
        yield Reason("parse", what)
    if not counts.graph or resolution(counts) < HALF:
        yield Reason("graph", "import graph unavailable or mostly unresolved")
    if not counts.git:
        yield Reason("history", "no git history")
    elif counts.cut:
        yield Reason("history", counts.cut)
    elif not has_past(counts):
        yield Reason("history", f"{NO_PAST}: all commits are of one day")
    if counts.sample and (young := past_reasons(counts.sample)):
        yield Reason("history", f"too little history to judge: {'; '.join(young)}")
    if counts.sample and (small := code_reasons(counts.sample)):
        yield Reason("sample", f"too little code to judge: {'; '.join(small)}")


def _validity(status: Status, counts: Counts, reasons: tuple[Reason, ...], mean: Fraction) -> Validity:
    complete = status is Status.COMPLETE and counts.claimed and not counts.working_set_unparsed
    if not complete or _parsed(counts) < HALF or undersampling(counts)[0] is Undersampling.SEVERE:
        return Validity.NOT
    return Validity.PARTIALLY if reasons else max_validity(mean)
