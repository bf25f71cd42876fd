"""What came between two states of a repository: the versioned types behind `crimes diff --format json`, and how they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from crimes import __version__
from crimes.model.report import Crime, Gate, Ignore, Lines, Report, Tool
from crimes.model.severity import Severity
from crimes.model.trust import Share, Trust
from crimes.tracking.matching import compare, side_of

SCHEMA_VERSION = "1.0"
WORK_TREE = "the work tree"
_PASSED = "it rests on history, and the change touched none of its files"
_WORST_FIRST = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


class State(Struct, frozen=True):
    """One of the two: what it was called, and its commit; the work tree has that of HEAD, if there is one."""

    name: str
    commit: str


class Was(Struct, frozen=True):
    """What a finding was before."""

    fingerprint: str
    file: str
    symbol: str
    lines: Lines
    severity: Severity
    agent_risk: Share | None


class Again(Struct, frozen=True):
    """A finding that both states have."""

    finding: Crime
    was: Was | None  # null where it was hidden before, or behind a stronger charge


class Unclear(Struct, frozen=True):
    """A finding that only one state has, because the other was not looked at in the same way, or because time passed."""

    finding: Crime
    state: str  # the one that has it: base, head
    why: str


class ChangeVerdict(Struct, frozen=True):
    """The comparison in a word, in a line, and what it rests on."""

    verdict: str  # better, worse, mixed, unchanged; unknown where trust forbids to compare
    line: str
    why: tuple[str, ...]


class VerdictReport(Struct, frozen=True):
    """The type behind `crimes verdict --format json`."""

    schema_version: str
    tool: Tool
    repository: str
    base: State
    head: State
    verdict: str
    line: str
    why: tuple[str, ...]
    gate: Gate | None


class Totals(Struct, frozen=True):
    new: int
    fixed: int
    moved: int
    unchanged: int
    unclear: int
    raised: int  # moved or unchanged, and more severe than before
    lowered: int


class Comparison(Struct, frozen=True):
    """Two scans of one repository. Lists are sorted worst first."""

    schema_version: str
    tool: Tool
    repository: str
    base: State
    head: State
    verdict: ChangeVerdict
    summary: Totals
    new: tuple[Crime, ...]
    fixed: tuple[Crime, ...]
    moved: tuple[Again, ...]
    unchanged: tuple[Again, ...]
    unclear: tuple[Unclear, ...]
    grown: tuple[
        str, ...
    ]  # fingerprints of new findings that were there before, with fewer copies of the code
    ignores: tuple[Ignore, ...]  # that were added: what they leave out is in none of the lists
    warnings: tuple[str, ...]
    base_trust: Trust
    trust: Trust  # in the later scan
    gate: Gate | None = None  # null when no gate was asked for


def comparison(
    before: Report,
    now: Report,
    renamed: Mapping[str, str],
    base: State,
    head: State,
    warnings: Iterable[str] = (),
    by_time: Callable[[Crime], bool] = lambda crime: False,
) -> Comparison:
    """Hold two reports against each other. `renamed` maps the present name of a file to its former one.

    `by_time` tells findings that come and go as time passes, whatever the change did.
    """
    found = compare(side_of(before), side_of(now), renamed)
    earlier = {crime.fingerprint: crime for crime in before.findings}
    later = {crime.fingerprint: crime for crime in now.findings}
    came = [later[mark] for mark in found.new if by_time(later[mark])]
    went = [earlier[mark] for mark in found.fixed if by_time(earlier[mark])]

    def again(marks: tuple[str, ...]) -> tuple[Again, ...]:
        return tuple(Again(later[mark], _was(earlier.get(found.previous[mark]))) for mark in marks)

    moved, unchanged = again(found.moved), again(found.unchanged)
    new = tuple(later[mark] for mark in found.new if not by_time(later[mark]))
    fixed = tuple(earlier[mark] for mark in found.fixed if not by_time(earlier[mark]))
    unclear = (
        *(Unclear(crime, "head", f"it came with time: {_PASSED}") for crime in came),
        *(Unclear(crime, "base", f"it went with time: {_PASSED}") for crime in went),
        *(Unclear(later[mark], "head", why) for mark, why in found.unclear.items()),
        *(Unclear(earlier[mark], "base", why) for mark, why in found.lost.items()),
    )
    steps = [_step(one) for one in (*moved, *unchanged)]
    totals = Totals(
        new=len(new),
        fixed=len(fixed),
        moved=len(moved),
        unchanged=len(unchanged),
        unclear=len(unclear),
        raised=sum(step > 0 for step in steps),
        lowered=sum(step < 0 for step in steps),
    )
    return Comparison(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=now.repository,
        base=base,
        head=head,
        verdict=_verdict(before.trust, now.trust, totals, new, fixed, (*moved, *unchanged)),
        summary=totals,
        new=new,
        fixed=fixed,
        moved=moved,
        unchanged=unchanged,
        unclear=unclear,
        grown=tuple(mark for mark in found.new if mark in found.grown),
        ignores=_added(before, now),
        warnings=tuple(warnings),
        base_trust=before.trust,
        trust=now.trust,
    )


def since_nothing(now: Report) -> Comparison:
    """The report of a repository without commits: all that is there came with the work tree."""
    before = replace(now, findings=(), hidden=(), ignored=(), ignores=())
    return comparison(before, now, {}, State("nothing", ""), State(WORK_TREE, ""))


def verdict_report(made: Comparison) -> VerdictReport:
    """The verdict alone."""
    told = made.verdict
    return VerdictReport(
        schema_version=made.schema_version,
        tool=made.tool,
        repository=made.repository,
        base=made.base,
        head=made.head,
        verdict=told.verdict,
        line=told.line,
        why=told.why,
        gate=made.gate,
    )


def _added(before: Report, now: Report) -> tuple[Ignore, ...]:
    """Ignores that the earlier state does not have; lines may shift."""
    there = Counter(_same(one) for one in before.ignores)
    added = []
    for one in now.ignores:
        if there[_same(one)]:
            there[_same(one)] -= 1
        else:
            added.append(one)
    return tuple(added)


def _same(one: Ignore) -> tuple[object, ...]:
    place = one.place.rpartition(":")[0] or one.place
    return place, one.kind, one.types, one.target, one.reason, one.until


def _was(crime: Crime | None) -> Was | None:
    if crime is None:
        return None
    return Was(
        crime.fingerprint, crime.file, crime.symbol, crime.lines, crime.severity, crime.scores.agent_risk
    )


def _step(one: Again) -> int:
    """Above 0 for a finding that became more severe, below for one that became less."""
    if one.was is None:
        return 0
    return _WORST_FIRST.index(one.was.severity) - _WORST_FIRST.index(one.finding.severity)


def _verdict(
    before: Trust,
    now: Trust,
    totals: Totals,
    new: tuple[Crime, ...],
    fixed: tuple[Crime, ...],
    still: tuple[Again, ...],
) -> ChangeVerdict:
    reasons = [
        f"{name} cannot be compared: {'; '.join(trust.reasons) or trust.validity}"
        for name, trust in (("the base", before), ("the head", now))
        if not trust.can_compare
    ]
    if reasons:
        return ChangeVerdict("unknown", f"unknown: {reasons[0]}", tuple(reasons))
    worse = totals.new + totals.raised
    better = totals.fixed + totals.lowered
    word = "mixed" if worse and better else "worse" if worse else "better" if better else "unchanged"
    parts = [_counted(new, "new"), _counted(fixed, "fixed")]
    if totals.raised:
        parts.append(f"{totals.raised} more severe than before")
    if totals.lowered:
        parts.append(f"{totals.lowered} less severe than before")
    same = len(still) - totals.raised - totals.lowered
    parts.append(f"{same} as before" + (f" ({totals.moved} moved)" if totals.moved else ""))
    why = (
        *(f"new: {_told(crime)}" for crime in new),
        *(f"fixed: {_told(crime)}" for crime in fixed),
        *(f"more severe: {_told_again(one)}" for one in still if _step(one) > 0),
        *(f"less severe: {_told_again(one)}" for one in still if _step(one) < 0),
    )
    return ChangeVerdict(word, f"{word}: {', '.join(parts)}", why)


def _counted(crimes: tuple[Crime, ...], word: str) -> str:
    if not crimes:
        return f"none {word}"
    levels = Counter(crime.severity for crime in crimes)
    shares = ", ".join(f"{levels[level]} {level}" for level in _WORST_FIRST if levels[level])
    return f"{len(crimes)} {word} ({shares})"


def _told(crime: Crime) -> str:
    symbol = f" {crime.symbol}" if crime.symbol else ""
    return f"{crime.severity} {crime.type} in {crime.file}:{crime.lines.start}{symbol}"


def _told_again(one: Again) -> str:
    return f"{_told(one.finding)}, was {one.was.severity}" if one.was else _told(one.finding)
