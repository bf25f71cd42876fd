"""A replay for people: the changes that the gate stops, why, and what followed them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from crimes.model.change import ChangeItem
from crimes.model.report import Crime
from crimes.model.wording import count
from crimes.render.lines import Line, Span, line
from crimes.workflows.replay import NOT_JUDGED, STOPPED, FollowUp, Replay, ReplayedChange

_MAX_PLACES = 3
_MAX_FINDINGS = 5
_MAX_FOLLOW_UPS = 3


def lines(replay: Replay) -> Iterator[Line]:
    """Every stopped change with its reasons, newest first, then the totals."""
    if not replay.changes:
        yield line(f"{replay.repository}: no merged changes to replay.")
        return
    for change in replay.changes:
        if change.outcome == STOPPED:
            yield from _stopped(change)
        elif change.outcome == NOT_JUDGED:
            yield line(*_head(change, "not judged", "warn"), fixed=True)
            yield line(change.why, indent=2)
    for warning in replay.warnings:
        yield line(Span("warning: ", "warn"), warning)
    yield line(_totals(replay))


def _head(change: ReplayedChange, word: str, style: str) -> tuple[Span, ...]:
    return (
        Span(word, style),
        Span(f"  {change.time[:10]}  "),
        Span(change.commit[:12], "path"),
        Span(f"  {change.subject}"),
    )


def _stopped(change: ReplayedChange) -> Iterator[Line]:
    yield line(*_head(change, STOPPED, "bad"), fixed=True)
    for item in change.broken:
        yield line(f"broken: {item.fact}", indent=2, hang=2)
        yield from _places(item)
    for crime in change.new[:_MAX_FINDINGS]:
        yield line(f"new: {_describe(crime)}", indent=2, hang=2)
    if len(change.new) > _MAX_FINDINGS:
        yield line(f"and {count(len(change.new) - _MAX_FINDINGS, 'more new finding')}", indent=2)
    # Those that edit the same lines first: they tell most.
    followed = sorted(change.followed_by, key=lambda commit: not commit.same_lines)
    for commit in followed[:_MAX_FOLLOW_UPS]:
        yield line(_follow_up(change, commit), indent=2, hang=2)
    if len(followed) > _MAX_FOLLOW_UPS:
        yield line(
            f"and {count(len(followed) - _MAX_FOLLOW_UPS, 'more later fix', 'more later fixes')}", indent=2
        )
    yield line()


def _places(item: ChangeItem) -> Iterator[Line]:
    for place in item.places[:_MAX_PLACES]:
        yield line(f"{place.file}:{place.line}  {place.name}", indent=4, fixed=True)
    if len(item.places) > _MAX_PLACES:
        yield line(f"and {count(len(item.places) - _MAX_PLACES, 'more place')}", indent=4)


def _describe(crime: Crime) -> str:
    symbol = f" {crime.symbol}" if crime.symbol else ""
    return f"{crime.severity} {crime.type} in {crime.file}:{crime.lines.start}{symbol}"


def _follow_up(change: ReplayedChange, commit: FollowUp) -> str:
    days = (datetime.fromisoformat(commit.time) - datetime.fromisoformat(change.time)).days
    later = "the same day" if days <= 0 else f"{count(days, 'day')} later"
    what = (
        "the change"
        if commit.kind == "revert"
        else "the same lines"
        if commit.same_lines
        else "the same files"
    )
    return f"followed by a {commit.kind} of {what}, {later}: {commit.commit[:12]} {commit.subject}"


def _totals(replay: Replay) -> str:
    totals = replay.summary
    followed = (
        f", {totals.followed} followed by a fix or a revert of the same lines" if totals.stopped else ""
    )
    broken = f" ({totals.broken} broken{followed})" if totals.stopped else ""
    not_judged = f", {totals.not_judged} not judged" if totals.not_judged else ""
    return (
        f"{replay.repository}: {count(totals.changes, 'change')} replayed; a gate on {replay.gate} stops {totals.stopped}{broken} "
        f"and passes {totals.passed}{not_judged}."
    )
