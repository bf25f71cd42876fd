"""The verdict on a change in one word, one line, and what it rests on: safe, look or broken."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from crimes.model.change import ChangeItem
from crimes.model.report import Crime, Lines
from crimes.model.severity import Severity
from crimes.model.trust import Share, Trust, Withheld
from crimes.model.wording import count

SAFE, LOOK, BROKEN, UNKNOWN = "safe", "look", "broken", "unknown"
NO_BASE = "there is no commit yet to compare with"
# What the line of a verdict begins with: nothing found does not mean that the edit is safe.
_BEGINNINGS = {SAFE: "no problems found: ", LOOK: "", BROKEN: "broken: "}
_WORST_FIRST = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


class EarlierFinding(Struct, frozen=True):
    """What a finding was before."""

    fingerprint: str  # its identity then
    file: str  # its file then
    symbol: str  # its function or class then
    lines: Lines  # its lines then
    severity: Severity  # its severity then
    agent_risk: Share | None  # its agent_risk then; null where trust withheld scores


class MatchedFinding(Struct, frozen=True):
    """A finding that both states have."""

    finding: Crime  # the finding in the later state
    # the finding in the earlier state; null where it was hidden, or merged into a stronger one
    was: EarlierFinding | None


class ChangeVerdict(Struct, frozen=True):
    """The comparison in a word, in a line, and what it rests on."""

    # what became of the findings: `better`, `worse`, `mixed`, `unchanged`; `unknown` where trust forbids a comparison
    verdict: str
    line: str  # the verdict in one line
    why: tuple[str, ...]  # what it rests on
    # `safe`, `look` (new findings, or something to look at), `broken`; `unknown` where trust forbids a comparison
    state: str = "unknown"


class Totals(Struct, frozen=True):
    """How many findings became what."""

    new: int  # findings only the later state has
    fixed: int  # findings only the earlier state has
    moved: int  # findings with another place or name
    unchanged: int  # findings both states have
    unclear: int  # findings nothing is concluded from
    raised: int  # moved or unchanged findings that became more severe
    lowered: int  # moved or unchanged findings that became less severe
    gone: int = 0  # findings whose file or function was deleted: neither fixed nor there any more


class Outcome(Struct, frozen=True):
    """All that a verdict rests on: the findings of both states, and what the change broke or forgot."""

    new: tuple[Crime, ...]
    fixed: tuple[Crime, ...]
    gone: tuple[Crime, ...]
    moved: tuple[MatchedFinding, ...]
    unchanged: tuple[MatchedFinding, ...]
    unclear: int
    broken: tuple[ChangeItem, ...] = ()
    look: tuple[ChangeItem, ...] = ()

    @property
    def persisting(self) -> tuple[MatchedFinding, ...]:
        return (*self.moved, *self.unchanged)


def totals_of(outcome: Outcome) -> Totals:
    """How many findings became what."""
    severity_changes = [_severity_change(pair) for pair in outcome.persisting]
    return Totals(
        new=len(outcome.new),
        fixed=len(outcome.fixed),
        moved=len(outcome.moved),
        unchanged=len(outcome.unchanged),
        unclear=outcome.unclear,
        raised=sum(change > 0 for change in severity_changes),
        lowered=sum(change < 0 for change in severity_changes),
        gone=len(outcome.gone),
    )


def verdict_on(before: Trust, now: Trust, outcome: Outcome, *, has_base: bool = True) -> ChangeVerdict:
    """The verdict. A change that breaks something is never better, and what was not compared is never safe."""
    if not has_base:
        return ChangeVerdict(UNKNOWN, f"{UNKNOWN}: {NO_BASE}", (NO_BASE, *_why(outcome)), UNKNOWN)
    totals = totals_of(outcome)
    reasons = [
        f"{name} cannot be compared: {trust.main_reason or trust.validity.replace('_', ' ')}"
        for name, trust in (("the base", before), ("the head", now))
        if not trust.can_compare
    ]
    reasons += [
        f"{name}: {trust.withheld[Withheld.VERDICT]}"
        for name, trust in (("the base", before), ("the head", now))
        if trust.can_compare and Withheld.VERDICT in trust.withheld
    ]
    if before.is_collapsed or now.is_collapsed or (reasons and not outcome.broken):
        return ChangeVerdict(UNKNOWN, f"{UNKNOWN}: {reasons[0]}", tuple(reasons), UNKNOWN)
    worse = totals.new + totals.raised + len(outcome.broken)
    better = totals.fixed + totals.lowered
    word = "mixed" if worse and better else "worse" if worse else "better" if better else "unchanged"
    state = BROKEN if outcome.broken else LOOK if worse or outcome.look else SAFE
    line = f"{_BEGINNINGS[state]}{'; '.join(filter(None, (_headline(outcome), _counts(totals, outcome))))}"
    return ChangeVerdict(word, line, (*reasons, *_why(outcome)), state)


def _headline(outcome: Outcome) -> str:
    """What is broken, or how much there is to look at."""
    if outcome.broken:
        files = {place.file for item in outcome.broken for place in item.places}
        calls = sum(len(item.places) for item in outcome.broken if item.kind == "changed_signature")
        references = sum(len(item.places) for item in outcome.broken) - calls
        parts = [
            count(number, word) for number, word in ((references, "reference"), (calls, "call")) if number
        ]
        return f"{' and '.join(parts)} in {count(len(files), 'file')}"
    return f"{count(len(outcome.look), 'thing')} to look at" if outcome.look else ""


def _counts(totals: Totals, outcome: Outcome) -> str:
    """What became of the findings; what there is none of is left out, but for new ones."""
    same = len(outcome.persisting) - totals.raised - totals.lowered
    parts = (
        _count_by_severity(outcome.new, "new finding" if totals.new == 1 else "new findings")
        or "no new findings",
        _count_by_severity(outcome.fixed, "fixed"),
        count(totals.gone, "gone with its code", "gone with their code") if totals.gone else "",
        f"{totals.raised} more severe than before" if totals.raised else "",
        f"{totals.lowered} less severe than before" if totals.lowered else "",
        f"{same} unchanged" + (f" ({totals.moved} moved)" if totals.moved else "") if same else "",
    )
    return ", ".join(filter(None, parts))


def _why(outcome: Outcome) -> tuple[str, ...]:
    persisting = outcome.persisting
    return (
        *(f"{BROKEN}: {item.fact}" for item in outcome.broken),
        *(f"{LOOK}: {item.fact}" for item in outcome.look),
        *(f"new: {_describe(crime)}" for crime in outcome.new),
        *(f"fixed: {_describe(crime)}" for crime in outcome.fixed),
        *(f"gone: {_describe(crime)}" for crime in outcome.gone),
        *(f"more severe: {_describe_change(pair)}" for pair in persisting if _severity_change(pair) > 0),
        *(f"less severe: {_describe_change(pair)}" for pair in persisting if _severity_change(pair) < 0),
    )


def _severity_change(pair: MatchedFinding) -> int:
    """Above 0 for a finding that became more severe, below for one that became less."""
    if pair.was is None:
        return 0
    return _WORST_FIRST.index(pair.was.severity) - _WORST_FIRST.index(pair.finding.severity)


def _count_by_severity(crimes: tuple[Crime, ...], word: str) -> str:
    """How many findings, with their severities; empty for none."""
    if not crimes:
        return ""
    levels = Counter(crime.severity for crime in crimes)
    shares = ", ".join(f"{levels[level]} {level}" for level in _WORST_FIRST if levels[level])
    return f"{len(crimes)} {word} ({shares})"


def _describe(crime: Crime) -> str:
    symbol = f" {crime.symbol}" if crime.symbol else ""
    return f"{crime.severity} {crime.type} in {crime.file}:{crime.lines.start}{symbol}"


def _describe_change(pair: MatchedFinding) -> str:
    return f"{_describe(pair.finding)}, was {pair.was.severity}" if pair.was else _describe(pair.finding)
