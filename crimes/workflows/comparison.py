"""Two reports compared: the versioned types behind `crimes diff --format json`, and how they are built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import filterfalse

from msgspec import Struct
from msgspec.structs import replace

from crimes import __version__
from crimes.judging.gates import broken_gate
from crimes.model.change import CHANGE_KINDS, NOT_COMPARED, ChangeItem, Level
from crimes.model.report import Crime, Gate, Ignore, Report, Tool
from crimes.model.trust import Trust, Withheld
from crimes.tracking.matching import compare, side_of
from crimes.tracking.suppress import UNTESTED, USED
from crimes.workflows.change_verdict import (
    ChangeVerdict,
    EarlierFinding,
    MatchedFinding,
    Outcome,
    Totals,
    totals_of,
    verdict_on,
)
from crimes.workflows.rank_changes import RankChange, comparison_fault, rank_changes

SCHEMA_VERSION = "1.2"
WORK_TREE = "the working tree"
_TIME_REASON = "it is based on history, and the change touched none of its files"


class State(Struct, frozen=True):
    """One of the two: what it was called, and its commit; the work tree has that of HEAD, if there is one."""

    name: str  # what it was called, such as a branch
    commit: str  # its commit; of the work tree, that of HEAD


class Unclear(Struct, frozen=True):
    """A finding that only one state has, because the other was not looked at in the same way, or because time passed."""

    finding: Crime  # a finding that only one state has
    state: str  # the state that has it: `base` or `head`
    why: str  # why nothing is concluded from it


class VerdictReport(Struct, frozen=True):
    """The type behind `crimes verdict --format json`."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    base: State  # the earlier state
    head: State  # the later state
    # what became of the findings: `better`, `worse`, `mixed`, `unchanged`; `unknown` where trust forbids a comparison
    verdict: str
    line: str  # the verdict in one line
    why: tuple[str, ...]  # what it rests on
    gate: Gate | None  # how the gate ended; null when none was asked for and nothing is broken
    state: str = "unknown"  # `safe`, `look` or `broken`; `unknown` where trust forbids a comparison


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
    gate: Gate | None = None  # how the gate ended; null when none was asked for and nothing is broken
    broken: tuple[ChangeItem, ...] = ()  # what the change broke: references that no longer resolve
    look: tuple[ChangeItem, ...] = ()  # what is worth a look: forgotten copies and companions, weakened tests
    gone: tuple[Crime, ...] = ()  # findings whose file or function was deleted: not fixed
    # files of the change whose place by edit risk moved a lot: a twentieth of all, one end among the riskiest fifth
    rank_changes: tuple[RankChange, ...] = ()

    def crimes(self) -> Iterator[Crime]:
        """Every finding of both states."""
        yield from (*self.new, *self.fixed, *self.gone)
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
    is_gone: Callable[[Crime], bool] = lambda crime: False,
    items: Collection[ChangeItem] = (),
    touched: Collection[str] = (),
) -> Comparison:
    """Compare the findings about code of two reports. `renamed` maps the present name of a file to its former one.

    `by_time` says whether a finding comes and goes as time passes, whatever the change did; `is_gone` whether the code of a
    finding was deleted; `items` are what the change broke or forgot, `touched` its files.
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
    new, left = tuple(filterfalse(by_time, came)), tuple(filterfalse(by_time, went))
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
    ignores = _item_ignores(now, items)
    items = [item for item in items if item.id not in ignores]
    fault = comparison_fault(before.edit_risk, now.edit_risk) if touched else ""
    unsuggested = suggestions_fault(now.trust)
    items = tuple(without_advice(item, now.trust) for item in items)
    outcome = Outcome(
        new=new,
        fixed=tuple(filterfalse(is_gone, left)),
        gone=tuple(filter(is_gone, left)),
        moved=moved,
        unchanged=unchanged,
        unclear=len(unclear),
        broken=tuple(item for item in items if item.level is Level.BROKEN),
        look=tuple(item for item in items if item.level is Level.LOOK and _may_show(item, unsuggested)),
    )
    comparison = Comparison(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        repository=now.repository,
        base=base,
        head=head,
        verdict=verdict_on(before.trust, now.trust, outcome, has_base=bool(base.commit)),
        summary=totals_of(outcome),
        new=new,
        fixed=outcome.fixed,
        moved=moved,
        unchanged=unchanged,
        unclear=unclear,
        grown=tuple(fingerprint for fingerprint in matches.new if fingerprint in matches.grown),
        ignores=_added_ignores(before, now, ignores),
        warnings=(
            *warnings,
            *filter(None, (fault, unsuggested if items or touched else "")),
            *(
                f"ignored in {ignore.place}: {ignore.types[0]} {id_} ({ignore.reason})"
                for id_, ignore in ignores.items()
            ),
        ),
        base_trust=before.trust,
        trust=now.trust,
        broken=outcome.broken,
        look=outcome.look,
        gone=outcome.gone,
        rank_changes=rank_changes(before.edit_risk, now.edit_risk, touched, renamed),
    )
    reasons = (trust.withheld.get(Withheld.FINDINGS) for trust in (before.trust, now.trust))
    reason = next(filter(None, reasons), "")
    return _without_lists(comparison, reason) if reason else comparison


def without_advice(item: ChangeItem, trust: Trust) -> ChangeItem:
    """The item as it may be shown: without saying what to do where too little was seen."""
    return replace(item, fix="", likely="") if Withheld.ACTIONS in trust.withheld else item


def _without_lists(comparison: Comparison, reason: str) -> Comparison:
    """The comparison with a scan that collapsed, which saw too little to call anything new, fixed or broken."""
    nothing = Outcome(new=(), fixed=(), gone=(), moved=(), unchanged=(), unclear=0)
    trusts = (comparison.trust, comparison.base_trust)
    return replace(
        comparison,
        summary=totals_of(nothing),
        new=(),
        fixed=(),
        moved=(),
        unchanged=(),
        unclear=(),
        grown=(),
        broken=(),
        look=(),
        gone=(),
        warnings=(*comparison.warnings, f"findings are not compared: {reason}"),
        gate=broken_gate(len(comparison.broken), trusts) if comparison.broken else None,
    )


def suggestions_fault(trust: Trust) -> str:
    """Why nothing is suggested to look at; empty when something may be."""
    reason = trust.withheld.get(Withheld.SUGGESTIONS, "")
    return f"nothing is suggested to look at: {reason}" if reason else ""


def _may_show(item: ChangeItem, unsuggested: str) -> bool:
    """What was not compared is said in any case: it is a limit of the comparison, and no suggestion."""
    return not unsuggested or item.kind == NOT_COMPARED


def narrow_comparison(
    comparison: Comparison,
    keep: Callable[[Crime], bool],
    keep_item: Callable[[ChangeItem], bool] = lambda item: True,
    keep_file: Callable[[str], bool] = lambda file: True,
) -> Comparison:
    """The comparison of some findings, items and files, with the verdict on them."""
    unclear = tuple(entry for entry in comparison.unclear if keep(entry.finding))
    outcome = Outcome(
        new=tuple(filter(keep, comparison.new)),
        fixed=tuple(filter(keep, comparison.fixed)),
        gone=tuple(filter(keep, comparison.gone)),
        moved=tuple(pair for pair in comparison.moved if keep(pair.finding)),
        unchanged=tuple(pair for pair in comparison.unchanged if keep(pair.finding)),
        unclear=len(unclear),
        broken=tuple(filter(keep_item, comparison.broken)),
        look=tuple(filter(keep_item, comparison.look)),
    )
    return replace(
        comparison,
        verdict=verdict_on(
            comparison.base_trust, comparison.trust, outcome, has_base=bool(comparison.base.commit)
        ),
        summary=totals_of(outcome),
        new=outcome.new,
        fixed=outcome.fixed,
        gone=outcome.gone,
        moved=outcome.moved,
        unchanged=outcome.unchanged,
        unclear=unclear,
        broken=outcome.broken,
        look=outcome.look,
        rank_changes=tuple(change for change in comparison.rank_changes if keep_file(change.file)),
    )


def compare_with_nothing(now: Report) -> Comparison:
    """The report of a repository without commits: all that is there came with the work tree."""
    before = replace(now, findings=(), hidden=(), ignored=(), ignores=())
    return compare_reports(before, now, {}, State("nothing", ""), State(WORK_TREE, ""))


def states_text(comparison: Comparison) -> str:
    """Which states are compared, as people name them."""
    return f"{_state_text(comparison.base)} to {_state_text(comparison.head)}"


def _state_text(state: State) -> str:
    """A state with its commit, unless it is the working tree, which differs from any commit."""
    has_commit = state.commit and state.name != WORK_TREE
    return f"{state.name} ({state.commit[:12]})" if has_commit else state.name


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
        state=verdict.state,
    )


def _item_ignores(now: Report, items: Collection[ChangeItem]) -> dict[str, Ignore]:
    """The ignores of what the change broke or forgot, by the id of the item. A scan cannot tell whether they match anything."""
    ids = {item.id for item in items}
    return {
        ignore.target: replace(ignore, status=USED, findings=1)
        for ignore in now.ignores
        if ignore.status == UNTESTED and ignore.target in ids and CHANGE_KINDS.keys() & ignore.types
    }


def _added_ignores(before: Report, now: Report, of_items: Mapping[str, Ignore]) -> tuple[Ignore, ...]:
    """Ignores that the earlier state does not have; lines may shift. `of_items` are those that a scan could not apply."""
    there = Counter(_ignore_key(ignore) for ignore in before.ignores)
    added = []
    for ignore in now.ignores:
        if there[_ignore_key(ignore)]:
            there[_ignore_key(ignore)] -= 1
        else:
            added.append(of_items.get(ignore.target, ignore))
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
