"""Findings that were asked to be left out, told from the others; and what became of each ignore."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date

import msgspec
from msgspec import Struct

from crimes.incremental.query import MemoStore
from crimes.model.report import Crime, Ignore, Ignored
from crimes.model.repository import Repo
from crimes.model.wording import closest
from crimes.tracking import triage
from crimes.tracking.ignores import PATH, Directive, Entry, Listed, directives
from crimes.tracking.matching import known_crime, match
from crimes.tracking.triage import Decided, Decision

USED, RETURNED, UNUSED, EXPIRED, UNKNOWN, INVALID, UNTESTED = (
    "used",
    "returned",
    "unused",
    "expired",
    "unknown",
    "invalid",
    "untested",
)


class Suppression(Struct, frozen=True):
    """The findings that stay, those that are left out, every ignore, and warnings about some of them."""

    kept: tuple[Crime, ...]
    ignored: tuple[Crime, ...]
    ignores: tuple[Ignore, ...]
    warnings: tuple[str, ...]


def suppress(
    crimes: Sequence[Crime],
    repo: Repo,
    listed: Listed,
    decided: Decided,
    *,
    types: Collection[str],
    ran: Collection[str],
    today: date,
    memory: MemoStore | None = None,
) -> Suppression:
    """Apply all ignores. `types` are those of the catalogue, `ran` those that were looked for."""
    gone: dict[str, Ignored] = {}
    ignores = [
        *_by_comment(crimes, repo, types, ran, gone, memory),
        *_by_list(crimes, listed, types, ran, today, gone),
        *_by_triage(crimes, repo, decided, gone),
    ]
    warnings = [f"{one.place}: {one.note}" for one in ignores if one.note]
    if listed.fault:
        warnings.append(f"{PATH} is not used: {listed.fault}")
    if decided.fault:
        warnings.append(f"{triage.PATH} is not used: {decided.fault}")
    return Suppression(
        tuple(crime for crime in crimes if crime.fingerprint not in gone),
        tuple(
            msgspec.structs.replace(crime, ignored=gone[crime.fingerprint])
            for crime in crimes
            if crime.fingerprint in gone
        ),
        tuple(sorted(ignores, key=lambda one: (one.place, one.types, one.target))),
        tuple(warnings),
    )


def _by_comment(
    crimes: Sequence[Crime],
    repo: Repo,
    types: Collection[str],
    ran: Collection[str],
    gone: dict[str, Ignored],
    memory: MemoStore | None,
) -> Iterable[Ignore]:
    by_file: dict[str, list[Crime]] = {}
    for crime in crimes:
        by_file.setdefault(crime.file, []).append(crime)
    for one in directives(repo.files.values(), memory):
        place = f"{one.file}:{one.line}"
        kind = "file-comment" if one.whole_file else "comment"
        hits = [
            crime
            for crime in by_file.get(one.file, ())
            if one.reason and crime.type in one.types and (one.whole_file or _on(one, crime, repo))
        ]
        for crime in hits:
            gone[crime.fingerprint] = Ignored(kind, one.reason, place, "")
        status, note = _status(one.types, one.reason, len(hits), types, ran)
        yield Ignore(place, kind, one.types, "", one.reason, "", status, len(hits), note)


def _on(one: Directive, crime: Crime, repo: Repo) -> bool:
    """Whether a comment stands on the line of a finding or right above it; other comments and decorators may be between."""
    start = crime.lines.start
    if one.line <= start <= one.end:
        return True
    if not one.own_line or start < one.end:
        return False
    facts = repo.files[one.file].facts
    taken = {line for other in facts.comments if other.own_line for line in range(other.line, other.end + 1)}
    gap = [line for line in range(one.end + 1, start) if line not in taken]
    decorators = max((len(made.decorators) for made in facts.functions if made.start == start), default=0)
    return len(gap) <= decorators


def _by_list(
    crimes: Sequence[Crime],
    listed: Listed,
    types: Collection[str],
    ran: Collection[str],
    today: date,
    gone: dict[str, Ignored],
) -> Iterable[Ignore]:
    live = [one for one in listed.entries if one.until is None or one.until >= today]
    pairs = match([one.known for one in live], [known_crime(crime) for crime in crimes], {}, edited=False)
    reasons = {one.known.fingerprint: one for one in live}
    hit: set[str] = set()
    copies = {crime.fingerprint: known_crime(crime).copies for crime in crimes}
    for mark, old in pairs.items():
        if copies[mark] > old.copies > 0:  # one more copy is a finding nobody has seen
            continue
        entry = reasons[old.fingerprint]
        gone.setdefault(mark, Ignored("list", entry.reason, PATH, _day(entry)))
        hit.add(old.fingerprint)
    for entry in listed.entries:
        known = entry.known
        status, note = _status((known.type,), entry.reason, known.fingerprint in hit, types, ran)
        if entry not in live:
            status, note = EXPIRED, f"the ignore of {known.fingerprint[:12]} ended on {_day(entry)}"
        elif status == UNUSED:
            note = f"the ignore of {known.fingerprint[:12]} ({known.type} in {known.file}) is unused: {note}"
        yield Ignore(
            PATH,
            "list",
            (known.type,),
            known.fingerprint,
            entry.reason,
            _day(entry),
            status,
            int(known.fingerprint in hit),
            note,
        )


def _by_triage(
    crimes: Sequence[Crime], repo: Repo, decided: Decided, gone: dict[str, Ignored]
) -> Iterable[Ignore]:
    """Decisions that set a finding aside, while its file is what it was. One that is over is nothing to warn about."""
    by_mark = {crime.fingerprint: crime for crime in crimes}
    for one in decided.decisions:
        if one.decision not in triage.SET_ASIDE:
            continue
        known = one.finding
        status, place = UNUSED, f"{triage.PATH} ({one.decision}, {one.owner or 'nobody'})"
        if known.fingerprint in by_mark:
            grown = known_crime(by_mark[known.fingerprint]).copies > known.copies > 0
            status = USED if holds(one, repo) and not grown else RETURNED
        if status == USED:
            gone.setdefault(known.fingerprint, Ignored("triage", one.reason, place, ""))
        yield Ignore(
            place, "triage", (known.type,), known.fingerprint, one.reason, "", status, int(status == USED), ""
        )


def holds(decision: Decision, repo: Repo) -> bool:
    """Whether the file of a decision is what it was."""
    try:
        return triage.content_mark(repo.read(decision.finding.file)) == decision.content
    except (OSError, KeyError):
        return False


def _day(entry: Entry) -> str:
    return entry.until.isoformat() if entry.until else ""


def _status(
    named: tuple[str, ...], reason: str, hits: int, types: Collection[str], ran: Collection[str]
) -> tuple[str, str]:
    """What became of an ignore, and what is to be said of it; nothing when all is well."""
    if not named:
        return INVALID, "the ignore names no type: write `crimes: ignore[type] reason`"
    if not reason:
        return INVALID, "the ignore gives no reason, so it is not used"
    strange = [name for name in named if name not in types]
    if strange:
        return UNKNOWN, f"the ignore names {', '.join(strange)}{_suggestion(strange[0], types)}"
    if hits:
        return USED, ""
    if not set(named) & set(ran):
        return UNTESTED, ""  # nothing was looked for that it could be about
    return UNUSED, f"nothing is left for ignore[{', '.join(named)}] to be about"


def _suggestion(name: str, types: Collection[str]) -> str:
    close = closest(name, types)
    return f", which is no type of finding{f'; did you mean {close}?' if close else ''}"
