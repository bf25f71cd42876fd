"""Two reports compared: the versioned types behind `crimes diff --format json`, and how they are built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import filterfalse

from msgspec import Struct
from msgspec.structs import replace

from crimes import __version__
from crimes.model.report import Crime, Gate, Ignore, Lines, Report, Tool
from crimes.model.severity import Severity
from crimes.model.trust import Share, Trust
from crimes.tracking.matching import compare, side_of
from crimes.workflows.rank_changes import RankChange, comparison_fault, rank_changes

SCHEMA_VERSION = "1.1"
WORK_TREE = "the work tree"
_TIME_REASON = "it is based on history, and the change touched none of its files"
_WORST_FIRST = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


class State(Struct, frozen=True):
    """One of the two: what it was called, and its commit; the work tree has that of HEAD, if there is one."""

    name: str  # what it was called, such as a branch
    commit: str  # its commit; of the work tree, that of HEAD


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


class Unclear(Struct, frozen=True):
    """A finding that only one state has, because the other was not looked at in the same way, or because time passed."""

    finding: Crime  # a finding that only one state has
    state: str  # the state that has it: `base` or `head`
    why: str  # why nothing is concluded from it


class ChangeVerdict(Struct, frozen=True):
    """The comparison in a word, in a line, and what it rests on."""

    verdict: str  # `better`, `worse`, `mixed`, `unchanged`; `unknown` where trust forbids a comparison
    line: str  # the verdict in one line
    why: tuple[str, ...]  # what it rests on


class VerdictReport(Struct, frozen=True):
    """The type behind `crimes verdict --format json`."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    base: State  # the earlier state
    head: State  # the later state
    verdict: str  # `better`, `worse`, `mixed`, `unchanged`; `unknown` where trust forbids a comparison
    line: str  # the verdict in one line
    why: tuple[str, ...]  # what it rests on
    gate: Gate | None  # how the gate ended; null when none was asked for


class Totals(Struct, frozen=True):
    """How many findings became what."""

    new: int  # findings only the later state has
    fixed: int  # findings only the earlier state has
    moved: int  # findings with another place or name
    unchanged: int  # findings both states have
    unclear: int  # findings nothing is concluded from
    raised: int  # moved or unchanged findings that became more severe
    lowered: int  # moved or unchanged findings that became less severe


class Comparison(Struct, frozen=True):
    """Two scans of one repository. Lists are sorted worst first."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    base: State  # the earlier state
    head: State  # the later state
    verdict: ChangeVerdict  # the comparison in a word
    summary: Totals  # totals
    new: tuple[Crime, ...]  # findings only the later state has, worst first
    fixed: tuple[Crime, ...]  # findings only the earlier state has
    moved: tuple[MatchedFinding, ...]  # findings with another place or name
    unchanged: tuple[MatchedFinding, ...]  # findings both states have
    unclear: tuple[Unclear, ...]  # findings nothing is concluded from
    grown: tuple[str, ...]  # fingerprints of new findings that were there with fewer copies of the code
    ignores: tuple[Ignore, ...]  # ignores that were added; what they leave out is in none of the lists
    warnings: tuple[str, ...]  # anything else a reader should know
    base_trust: Trust  # trust in the earlier scan
    trust: Trust  # trust in the later scan
    gate: Gate | None = None  # how the gate ended; null when none was asked for
    # files of the change whose place by edit risk moved by much: a twentieth of all, one end among the riskiest fifth
    rank_changes: tuple[RankChange, ...] = ()

    def crimes(self) -> Iterator[Crime]:
        """Every finding of both states."""
        yield from (*self.new, *self.fixed)
        yield from (pair.finding for pair in (*self.moved, *self.unchanged))
        yield from (entry.finding for entry in self.unclear)


def compare_reports(
    before: Report,
    now: Report,
    renamed: Mapping[str, str],
    base: State,
    head: State,
    warnings: Iterable[str] = (),
    by_time: Callable[[Crime], bool] = lambda crime: False,
    touched: Collection[str] = (),
) -> Comparison:
    """Compare the findings about code of two reports. `renamed` maps the present name of a file to its former one.

    `by_time` says whether a finding comes and goes as time passes, whatever the change did. `touched` are the files of the
    change.
    """
    matches = compare(side_of(before), side_of(now), renamed)
    earlier = {crime.fingerprint: crime for crime in before.code_findings}
    later = {crime.fingerprint: crime for crime in now.code_findings}
    came = [later[fingerprint] for fingerprint in matches.new]
    went = [earlier[fingerprint] for fingerprint in matches.fixed]

    def in_both(fingerprints: tuple[str, ...]) -> tuple[MatchedFinding, ...]:
        pairs = ((later[key], earlier.get(matches.previous[key])) for key in fingerprints)
        return tuple(MatchedFinding(crime, _previous(former)) for crime, former in pairs)

    moved, unchanged = in_both(matches.moved), in_both(matches.unchanged)
    new, fixed = tuple(filterfalse(by_time, came)), tuple(filterfalse(by_time, went))
    unclear = (
        *(
            Unclear(crime, "head", f"it appeared over time: {_TIME_REASON}")
            for crime in filter(by_time, came)
        ),
        *(
            Unclear(crime, "base", f"it disappeared over time: {_TIME_REASON}")
            for crime in filter(by_time, went)
        ),
        *(Unclear(later[fingerprint], "head", why) for fingerprint, why in matches.unclear.items()),
        *(Unclear(earlier[fingerprint], "base", why) for fingerprint, why in matches.lost.items()),
    )
    totals = _totals(new, fixed, moved, unchanged, unclear)
    fault = comparison_fault(before.edit_risk, now.edit_risk) if touched else ""
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
        grown=tuple(fingerprint for fingerprint in matches.new if fingerprint in matches.grown),
        ignores=_added_ignores(before, now),
        warnings=(*warnings, *([fault] if fault else ())),
        base_trust=before.trust,
        trust=now.trust,
        rank_changes=rank_changes(before.edit_risk, now.edit_risk, touched, renamed),
    )


def narrow_comparison(
    comparison: Comparison, keep: Callable[[Crime], bool], keeps_file: Callable[[str], bool]
) -> Comparison:
    """The comparison of some findings and files, with the verdict on them."""
    new, fixed = tuple(filter(keep, comparison.new)), tuple(filter(keep, comparison.fixed))
    moved = tuple(pair for pair in comparison.moved if keep(pair.finding))
    unchanged = tuple(pair for pair in comparison.unchanged if keep(pair.finding))
    unclear = tuple(entry for entry in comparison.unclear if keep(entry.finding))
    totals = _totals(new, fixed, moved, unchanged, unclear)
    return replace(
        comparison,
        verdict=_verdict(comparison.base_trust, comparison.trust, totals, new, fixed, (*moved, *unchanged)),
        summary=totals,
        new=new,
        fixed=fixed,
        moved=moved,
        unchanged=unchanged,
        unclear=unclear,
        rank_changes=tuple(change for change in comparison.rank_changes if keeps_file(change.file)),
    )


def _totals(
    new: tuple[Crime, ...],
    fixed: tuple[Crime, ...],
    moved: tuple[MatchedFinding, ...],
    unchanged: tuple[MatchedFinding, ...],
    unclear: tuple[Unclear, ...],
) -> Totals:
    severity_changes = [_severity_change(pair) for pair in (*moved, *unchanged)]
    return Totals(
        new=len(new),
        fixed=len(fixed),
        moved=len(moved),
        unchanged=len(unchanged),
        unclear=len(unclear),
        raised=sum(change > 0 for change in severity_changes),
        lowered=sum(change < 0 for change in severity_changes),
    )


def compare_with_nothing(now: Report) -> Comparison:
    """The report of a repository without commits: all that is there came with the work tree."""
    before = replace(now, findings=(), hidden=(), ignored=(), ignores=())
    return compare_reports(before, now, {}, State("nothing", ""), State(WORK_TREE, ""))


def verdict_report(comparison: Comparison) -> VerdictReport:
    """The verdict alone."""
    verdict = comparison.verdict
    return VerdictReport(
        schema_version=comparison.schema_version,
        tool=comparison.tool,
        repository=comparison.repository,
        base=comparison.base,
        head=comparison.head,
        verdict=verdict.verdict,
        line=verdict.line,
        why=verdict.why,
        gate=comparison.gate,
    )


def _added_ignores(before: Report, now: Report) -> tuple[Ignore, ...]:
    """Ignores that the earlier state does not have; lines may shift."""
    there = Counter(_ignore_key(ignore) for ignore in before.ignores)
    added = []
    for ignore in now.ignores:
        if there[_ignore_key(ignore)]:
            there[_ignore_key(ignore)] -= 1
        else:
            added.append(ignore)
    return tuple(added)


def _ignore_key(ignore: Ignore) -> tuple[object, ...]:
    place = ignore.place.rpartition(":")[0] or ignore.place
    return place, ignore.kind, ignore.types, ignore.target, ignore.reason, ignore.until


def _previous(crime: Crime | None) -> EarlierFinding | None:
    if crime is None:
        return None
    return EarlierFinding(
        crime.fingerprint, crime.file, crime.symbol, crime.lines, crime.severity, crime.scores.agent_risk
    )


def _severity_change(pair: MatchedFinding) -> int:
    """Above 0 for a finding that became more severe, below for one that became less."""
    if pair.was is None:
        return 0
    return _WORST_FIRST.index(pair.was.severity) - _WORST_FIRST.index(pair.finding.severity)


def _verdict(
    before: Trust,
    now: Trust,
    totals: Totals,
    new: tuple[Crime, ...],
    fixed: tuple[Crime, ...],
    persisting: tuple[MatchedFinding, ...],
) -> ChangeVerdict:
    reasons = [
        f"{name} cannot be compared: {_trust_reasons(trust)}"
        for name, trust in (("the base", before), ("the head", now))
        if not trust.can_compare
    ]
    if reasons:
        return ChangeVerdict("unknown", f"unknown: {reasons[0]}", tuple(reasons))
    worse = totals.new + totals.raised
    better = totals.fixed + totals.lowered
    word = "mixed" if worse and better else "worse" if worse else "better" if better else "unchanged"
    parts = [_count_by_severity(new, "new"), _count_by_severity(fixed, "fixed")]
    if totals.raised:
        parts.append(f"{totals.raised} more severe than before")
    if totals.lowered:
        parts.append(f"{totals.lowered} less severe than before")
    same = len(persisting) - totals.raised - totals.lowered
    parts.append(f"{same} unchanged" + (f" ({totals.moved} moved)" if totals.moved else ""))
    why = (
        *(f"new: {_describe(crime)}" for crime in new),
        *(f"fixed: {_describe(crime)}" for crime in fixed),
        *(f"more severe: {_describe_change(pair)}" for pair in persisting if _severity_change(pair) > 0),
        *(f"less severe: {_describe_change(pair)}" for pair in persisting if _severity_change(pair) < 0),
    )
    return ChangeVerdict(word, f"{word}: {', '.join(parts)}", why)


def _trust_reasons(trust: Trust) -> str:
    """Why a scan cannot be compared, without the areas its reasons begin with."""
    texts = [reason.partition(": ")[2] or reason for reason in trust.reasons]
    return "; ".join(texts) or trust.validity.replace("_", " ")


def _count_by_severity(crimes: tuple[Crime, ...], word: str) -> str:
    if not crimes:
        return f"0 {word}"
    levels = Counter(crime.severity for crime in crimes)
    shares = ", ".join(f"{levels[level]} {level}" for level in _WORST_FIRST if levels[level])
    return f"{len(crimes)} {word} ({shares})"


def _describe(crime: Crime) -> str:
    symbol = f" {crime.symbol}" if crime.symbol else ""
    return f"{crime.severity} {crime.type} in {crime.file}:{crime.lines.start}{symbol}"


def _describe_change(pair: MatchedFinding) -> str:
    return f"{_describe(pair.finding)}, was {pair.was.severity}" if pair.was else _describe(pair.finding)
