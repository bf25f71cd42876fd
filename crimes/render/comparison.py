"""A comparison of two scans for people: what is new first, then what is fixed and what moved."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime, Ignore
from crimes.model.wording import count
from crimes.render.lines import Line, Link, Span, bullet, heading, line, no_link
from crimes.render.text import risk, short_ids
from crimes.render.trust_text import gate_line, headline
from crimes.workflows.comparison import Comparison, MatchedFinding, State


def lines(
    comparison: Comparison, *, terminal: bool, all: bool, quiet: bool = False, link: Link = no_link
) -> Iterator[Line]:
    """The whole comparison; `all` lists unchanged findings too. `quiet` leaves only findings, ignores and a gate that
    did not pass."""
    rows = list(_rows(comparison, all))
    short = short_ids([crime for _, crime, _ in rows])
    last = ""
    for status, crime, note in rows:
        if terminal and status != last:
            if last:
                yield line()
            yield line(Span(status.capitalize(), "heading"))
        last = status
        if terminal:
            yield from _for_people(status, crime, note, short[crime.id], link)
        else:
            yield from _for_pipes(status, crime, note, short[crime.id])
    for ignore in comparison.ignores:
        yield line(ignore_added(ignore))
    if quiet:
        yield from _endings(comparison)
        return
    if terminal and rows:
        yield line()
    yield line(Span(comparison.verdict.line, "heading"))
    yield line(f"From {_state(comparison.base)} to {_state(comparison.head)}.")
    yield line(headline(comparison.trust))
    if comparison.gate is not None:
        yield line(gate_line(comparison.gate))
    if comparison.warnings:
        yield from heading("To know") if terminal else ()
        for text in comparison.warnings:
            yield bullet(text) if terminal else line(f"Warning: {text}")


def _state(state: State) -> str:
    return f"{state.name} ({state.commit[:12]})" if state.commit else state.name


def _endings(comparison: Comparison) -> Iterator[Line]:
    """What nobody may miss: that a scan did not come to its end, and that a gate did not pass."""
    if comparison.verdict.verdict == "unknown":
        yield line(comparison.verdict.line)
    if comparison.gate is not None and comparison.gate.exit:
        yield line(gate_line(comparison.gate))


def ignore_added(ignore: Ignore) -> str:
    """An ignore that came with the change, and what it does."""
    effect = f"leaves out {count(ignore.findings, 'finding')}" if ignore.findings else ignore.status
    what = f"{', '.join(ignore.types)} {ignore.target[:12]}".rstrip()
    return f"ignore added: {ignore.place}: {what} ({effect}): {ignore.reason or 'no reason'}"


def verdict_lines(comparison: Comparison, *, why: bool) -> Iterator[Line]:
    """The verdict in one line; `why` adds the reasons."""
    yield line(comparison.verdict.line)
    for text in comparison.verdict.why if why else ():
        yield bullet(text)
    if comparison.gate is not None:
        yield line(gate_line(comparison.gate))


def _rows(comparison: Comparison, all: bool) -> Iterator[tuple[str, Crime, str]]:
    """Status, finding, and a note."""
    for crime in comparison.new:
        yield "new", crime, "one more copy" if crime.fingerprint in comparison.grown else ""
    for crime in comparison.fixed:
        yield "fixed", crime, ""
    for match in comparison.moved:
        yield "moved", match.finding, _former_place(match)
    for match in comparison.unchanged:
        changed = match.was is not None and match.was.severity != match.finding.severity
        if all or changed:
            yield "unchanged", match.finding, f"was {match.was.severity}" if changed and match.was else ""
    for unclear in comparison.unclear:
        yield "unclear", unclear.finding, f"only in {unclear.state}: {unclear.why}"


def _former_place(match: MatchedFinding) -> str:
    """Where a finding was before it moved, and its severity if that differed."""
    was = match.was
    if was is None:
        return ""
    severity = f", {was.severity}" if was.severity != match.finding.severity else ""
    return f"was {was.file}:{was.lines.start} {was.symbol}".rstrip() + severity


def _for_people(status: str, crime: Crime, note: str, short: str, link: Link) -> Iterator[Line]:
    target = "" if status == "fixed" else link(crime.file, crime.lines.start)
    yield line(
        Span(f"{crime.severity:6}", crime.severity),
        f"  {risk(crime)}  {crime.type}  ",
        Span(short, "dim"),
        "  ",
        Span(f"{crime.file}:{crime.lines.start}", "path", target),
        f"  {crime.symbol}" if crime.symbol else "",
        indent=2,
        fixed=True,
    )
    if note:
        yield line(note, indent=10)
    if status == "new":
        yield line(crime.message, indent=10)


def _for_pipes(status: str, crime: Crime, note: str, short: str) -> Iterator[Line]:
    remark = f" ({note})" if note else ""
    yield line(
        f"{status}: {crime.file}:{crime.lines.start}: {crime.severity} {crime.type} {risk(crime).strip()} "
        f"[{short}]{remark} {crime.message}"
    )


def summary_line(comparison: Comparison) -> str:
    """The totals, for a notice that the comparison was written to a file."""
    totals = comparison.summary
    return f"{count(totals.new, 'new finding')}, {totals.fixed:,} fixed"
