"""A comparison of two scans for people: what is new first, then what is fixed and what moved."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from crimes.model.change import ChangeItem, Spot
from crimes.model.report import Crime, Ignore
from crimes.model.trust import Trust
from crimes.model.wording import count
from crimes.render.change_parts import LEVEL_STYLE
from crimes.render.finding_lines import Layout
from crimes.render.lines import Line, Link, Span, bullet, heading, line, no_link
from crimes.render.risk_text import rank_change_text
from crimes.render.text import finding_row, short_ids
from crimes.render.trust_text import GATE_STYLE, TRUST_STYLE, gate_line
from crimes.workflows.change_verdict import MatchedFinding
from crimes.workflows.comparison import Comparison, states_text

_MAX_PLACES = 20  # of one item

_MAX_RANK_CHANGES = 10


def lines(
    comparison: Comparison,
    *,
    terminal: bool,
    all: bool,
    quiet: bool = False,
    link: Link = no_link,
    columns: int | None = None,
    group_by: str = "",
) -> Iterator[Line]:
    """The whole comparison; `all` lists unchanged findings too. `quiet` leaves only findings, ignores and a gate that
    did not pass. `group_by` ("file", "type") groups the findings of each status."""
    rows = list(_rows(comparison, all))
    items = (*comparison.broken, *comparison.look)
    short = short_ids((*items, *(crime for _, crime, _ in rows)))
    if terminal:
        if not quiet:
            yield from _beginning(comparison)
            yield line(Span(comparison.verdict.line, "heading"))
        width = columns or shutil.get_terminal_size().columns
        failed = frozenset(comparison.gate.failed) if comparison.gate else frozenset()
        layout = Layout(short, width, link, failed)
        yield from _items_for_people(comparison, layout)
        yield from _for_people(rows, layout, group_by)
    else:
        if not quiet:
            yield line(f"# {comparison.trust.label}")
            yield line(f"# {comparison.verdict.line}")
            yield line(f"# {states_text(comparison)}")
        yield from _item_rows(items, short)
        for status, crime, note in _grouped(rows, group_by):
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
    """The files whose place by edit risk moved a lot."""
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
        Span(trust.label, TRUST_STYLE.get(trust.classification, "bad")),
        Span(f"  {states_text(comparison)}", "dim"),
    )
    yield line()


def _doubted(comparison: Comparison) -> Trust:
    """The trust that keeps a gate from being evaluated: of the later scan, unless only the earlier one is in doubt."""
    return comparison.base_trust if comparison.trust.can_compare else comparison.trust


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


def _item_rows(items: Iterable[ChangeItem], short: Mapping[str, str]) -> Iterator[Line]:
    """A line for each place of what is broken or worth a look, for a pipe."""
    for item in items:
        for place in item.places or (Spot(item.file, 1),):
            path = f"./{place.file}" if place.file.startswith("#") else place.file
            message = " ".join(filter(None, (f"{item.level}: {item.fact}", item.fix, f"[{short[item.id]}]")))
            yield line(f"{path}:{max(place.line, 1)}:1: {item.level.severity} {item.kind} {message}")


def _items_for_people(comparison: Comparison, layout: Layout) -> Iterator[Line]:
    """What is broken, then what to look at, each with its places."""
    for title, items in (("Broken", comparison.broken), ("Look at", comparison.look)):
        if items:
            yield line(Span(title, "heading"))
        for item in items:
            id_ = Span(f"  {item.kind} {layout.short[item.id]}", "dim")
            yield line(Span(item.fact, LEVEL_STYLE[item.level]), f" {item.fix}".rstrip(), id_, indent=2)
            shown = [place for place in item.places if place.line]
            for place in shown[:_MAX_PLACES]:
                where = Span(f"{place.file}:{place.line}", "path", layout.link(place.file, place.line))
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


_Row = tuple[str, Crime, str]  # status, finding, note
_KEYS: Mapping[str, Callable[[Crime], str]] = {
    "file": lambda crime: crime.file,
    "type": lambda crime: crime.type,
}


def _grouped(rows: Sequence[_Row], group_by: str) -> list[_Row]:
    """The rows of each status with those of one file or type together, in the order of their first."""
    if not group_by:
        return list(rows)
    first: dict[tuple[str, str], int] = {}
    statuses: dict[str, int] = {}
    for number, (status, crime, _) in enumerate(rows):
        statuses.setdefault(status, number)
        first.setdefault((status, _KEYS[group_by](crime)), number)
    return sorted(rows, key=lambda row: (statuses[row[0]], first[row[0], _KEYS[group_by](row[1])]))


def _for_people(rows: Sequence[_Row], layout: Layout, group_by: str) -> Iterator[Line]:
    """The findings under a heading for each status, and one for each file or type if they are grouped."""
    last = group = ""
    for status, crime, note in _grouped(rows, group_by):
        if status != last:
            yield from (line(),) if last else ()
            yield line(Span(status.capitalize(), "heading"))
            group = ""
        last = status
        if group_by and _KEYS[group_by](crime) != group:
            group = _KEYS[group_by](crime)
            yield line(Span(group, "path"), fixed=True)
        gone = status in ("fixed", "gone")
        yield from layout.rows(crime, note=note, gone=gone, in_file=group_by == "file")


def summary_line(comparison: Comparison) -> str:
    """The totals, for a notice that the comparison was written to a file."""
    totals = comparison.summary
    return f"{count(totals.new, 'new finding')}, {totals.fixed:,} fixed"
