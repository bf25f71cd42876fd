"""A comparison of two scans for people: what is new first, then what is fixed and what moved."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping

from crimes.model.change import Level, Spot
from crimes.model.report import Crime, Ignore
from crimes.model.trust import Trust
from crimes.model.wording import count
from crimes.render.finding_lines import Layout
from crimes.render.lines import Line, Link, Span, bullet, heading, line, no_link
from crimes.render.risk_text import rank_change_text
from crimes.render.text import finding_row, short_ids
from crimes.render.trust_text import GATE_STYLE, TRUST_STYLE, gate_line, headline
from crimes.workflows.change_verdict import MatchedFinding
from crimes.workflows.comparison import WORK_TREE, Comparison, State

_MAX_PLACES = 20  # of one item
_STYLES = {Level.BROKEN: "bad", Level.LOOK: "warn"}

_MAX_RANK_CHANGES = 10


def lines(
    comparison: Comparison,
    *,
    terminal: bool,
    all: bool,
    quiet: bool = False,
    link: Link = no_link,
    columns: int | None = None,
) -> Iterator[Line]:
    """The whole comparison; `all` lists unchanged findings too. `quiet` leaves only findings, ignores and a gate that
    did not pass."""
    rows = list(_rows(comparison, all))
    short = short_ids([crime for _, crime, _ in rows])
    if terminal:
        if not quiet:
            yield from _beginning(comparison)
            yield line(Span(comparison.verdict.line, "heading"))
        width = columns or shutil.get_terminal_size().columns
        yield from _items_for_people(comparison, link)
        failed = frozenset(comparison.gate.failed) if comparison.gate else frozenset()
        yield from _for_people(rows, Layout(short, width, link, failed))
    else:
        if not quiet:
            yield line(f"# Trust: {headline(comparison.trust)}")
            yield line(f"# {comparison.verdict.line}")
            yield line(f"# {_states(comparison)}")
        yield from _item_rows(comparison)
        for status, crime, note in rows:
            yield line(finding_row(crime, short[crime.id], f"{status}, {note}" if note else status))
    remark = "" if terminal else "# "
    for ignore in comparison.ignores:
        yield line(f"{remark}{ignore_added(ignore)}")
    if quiet:
        yield from (line(f"{remark}{text}") for text in _endings(comparison, short))
        return
    yield from _rank_changes(comparison, terminal)
    if comparison.gate is not None:
        if terminal:
            yield line()
        style = GATE_STYLE.get(comparison.gate.outcome, "bad")
        yield line(
            remark, Span(gate_line(comparison.gate, short, only_new=True, trust=_doubted(comparison)), style)
        )
    if comparison.warnings:
        yield from heading("Warnings") if terminal else ()
        for text in comparison.warnings:
            yield bullet(text) if terminal else line(f"# Warning: {text}")


def _rank_changes(comparison: Comparison, terminal: bool) -> Iterator[Line]:
    """The files whose place by edit risk moved by much."""
    changes = comparison.rank_changes
    if changes and terminal:
        yield from heading("Edit risk")
    for change in changes[:_MAX_RANK_CHANGES]:
        text = f": {rank_change_text(change)}"
        yield line(Span(change.file, "path"), text, indent=2) if terminal else line(f"# {change.file}{text}")
    if len(changes) > _MAX_RANK_CHANGES:
        more = f"{count(len(changes) - _MAX_RANK_CHANGES, 'more file')} moved by edit risk"
        yield line(more, indent=2) if terminal else line(f"# {more}")


def _beginning(comparison: Comparison) -> Iterator[Line]:
    """The repository, how far to trust the later scan, and which states are compared."""
    trust = comparison.trust
    yield line(
        Span(comparison.repository, "heading"),
        "  ",
        Span(headline(trust), TRUST_STYLE.get(trust.classification, "bad")),
        Span(f"  {_states(comparison)}", "dim"),
    )
    yield line()


def _doubted(comparison: Comparison) -> Trust:
    """The trust that keeps a gate from being evaluated: of the later scan, unless only the earlier one is in doubt."""
    return comparison.base_trust if comparison.trust.can_compare else comparison.trust


def _states(comparison: Comparison) -> str:
    return f"{_state(comparison.base)} to {_state(comparison.head)}"


def _state(state: State) -> str:
    """A state as people name it, with its commit unless it is the working tree, which differs from any commit."""
    has_commit = state.commit and state.name != WORK_TREE
    return f"{state.name} ({state.commit[:12]})" if has_commit else state.name


def _endings(comparison: Comparison, short: Mapping[str, str]) -> Iterator[str]:
    """What nobody may miss: that a scan did not finish, and that a gate did not pass."""
    if comparison.verdict.verdict == "unknown":
        yield comparison.verdict.line
    if comparison.gate is not None and comparison.gate.exit:
        yield gate_line(comparison.gate, short, only_new=True, trust=_doubted(comparison))


def ignore_added(ignore: Ignore) -> str:
    """An ignore that came with the change, and what it does."""
    effect = f"ignores {count(ignore.findings, 'finding')}" if ignore.findings else ignore.status
    what = f"{', '.join(ignore.types)} {ignore.target[:12]}".rstrip()
    return f"Ignore added at {ignore.place}: {what} ({effect}): {ignore.reason or 'no reason given'}"


def verdict_lines(comparison: Comparison, *, why: bool) -> Iterator[Line]:
    """The verdict in one line; `why` adds the reasons."""
    yield line(comparison.verdict.line)
    for text in comparison.verdict.why if why else ():
        yield bullet(text)
    if comparison.gate is not None:
        yield line(gate_line(comparison.gate, only_new=True, trust=_doubted(comparison)))


def _rows(comparison: Comparison, all: bool) -> Iterator[tuple[str, Crime, str]]:
    """Status, finding, and a note."""
    for crime in comparison.new:
        yield "new", crime, "one more copy" if crime.fingerprint in comparison.grown else ""
    for crime in comparison.fixed:
        yield "fixed", crime, ""
    for crime in comparison.gone:
        yield "gone", crime, "its code was deleted"
    for match in comparison.moved:
        yield "moved", match.finding, _former_place(match)
    for match in comparison.unchanged:
        changed = match.was is not None and match.was.severity != match.finding.severity
        if all or changed:
            yield "unchanged", match.finding, f"was {match.was.severity}" if changed and match.was else ""
    for unclear in comparison.unclear:
        yield "unclear", unclear.finding, f"only in {unclear.state}: {unclear.why}"


def _item_rows(comparison: Comparison) -> Iterator[Line]:
    """A line for each place of what is broken or worth a look, for a pipe."""
    for item in (*comparison.broken, *comparison.look):
        for place in item.places or (Spot(item.file, 1),):
            path = f"./{place.file}" if place.file.startswith("#") else place.file
            yield line(
                f"{path}:{max(place.line, 1)}:1: {item.level.severity} {item.kind} {item.level}: {item.fact} {item.fix}".rstrip()
            )


def _items_for_people(comparison: Comparison, link: Link) -> Iterator[Line]:
    """What is broken, then what to look at, each with its places."""
    for title, items in (("Broken", comparison.broken), ("Look at", comparison.look)):
        if items:
            yield line(Span(title, "heading"))
        for item in items:
            yield line(Span(item.fact, _STYLES[item.level]), " ", item.fix, indent=2)
            shown = [place for place in item.places if place.line]
            for place in shown[:_MAX_PLACES]:
                where = Span(f"{place.file}:{place.line}", "path", link(place.file, place.line))
                yield line("    ", where, f"  {place.name}", fixed=True)
            if len(shown) > _MAX_PLACES:
                yield line(f"    {count(len(shown) - _MAX_PLACES, 'more place')}")
        if items:
            yield line()


def _former_place(match: MatchedFinding) -> str:
    """Where a finding was before it moved, and its severity if that differed."""
    was = match.was
    if was is None:
        return ""
    severity = f", {was.severity}" if was.severity != match.finding.severity else ""
    return f"was {was.file}:{was.lines.start} {was.symbol}".rstrip() + severity


def _for_people(rows: Iterable[tuple[str, Crime, str]], layout: Layout) -> Iterator[Line]:
    """The findings under a heading for each status."""
    last = ""
    for status, crime, note in rows:
        if status != last:
            yield from (line(),) if last else ()
            yield line(Span(status.capitalize(), "heading"))
        last = status
        yield from layout.rows(crime, note=note, gone=status in ("fixed", "gone"))


def summary_line(comparison: Comparison) -> str:
    """The totals, for a notice that the comparison was written to a file."""
    totals = comparison.summary
    return f"{count(totals.new, 'new finding')}, {totals.fixed:,} fixed"
