"""Splits findings into those shown and those ignored, and says what became of each ignore."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from operator import attrgetter

import msgspec
from msgspec import Struct

from crimes.incremental.query import MemoStore
from crimes.model.change import CHANGE_KINDS
from crimes.model.report import Crime, Ignore, Ignored
from crimes.model.repository import Repo
from crimes.model.wording import closest
from crimes.tracking import triage
from crimes.tracking.identity import identity_of
from crimes.tracking.ignores import PATH, Directive, Entry, IgnoreList, directives
from crimes.tracking.matching import match
from crimes.tracking.triage import Decision, Decisions

USED, RETURNED, UNUSED, EXPIRED = "used", "returned", "unused", "expired"
UNKNOWN, INVALID, UNTESTED = "unknown", "invalid", "untested"


class Suppression(Struct, frozen=True):
    """The findings that stay, those that are left out, every ignore, and warnings about some of them."""

    kept: tuple[Crime, ...]
    ignored: tuple[Crime, ...]
    ignores: tuple[Ignore, ...]
    warnings: tuple[str, ...]


def suppress(
    crimes: Sequence[Crime],
    repo: Repo,
    listed: IgnoreList,
    decided: Decisions,
    *,
    types: Collection[str],
    ran: Collection[str],
    today: date,
    memory: MemoStore | None = None,
) -> Suppression:
    """Apply all ignores. `types` are those of the catalogue, `ran` those that were looked for."""
    ignored: dict[str, Ignored] = {}  # by fingerprint
    ignores = [
        *_apply_directives(crimes, repo, types, ran, ignored, memory),
        *_apply_list(crimes, listed, types, ran, today, ignored),
        *_apply_decisions(crimes, repo, decided, ignored),
    ]
    warnings = [f"{ignore.place}: {ignore.note}" for ignore in ignores if ignore.note]
    if listed.fault:
        warnings.append(f"{PATH} was not applied: {listed.fault}")
    if decided.fault:
        warnings.append(f"{triage.PATH} was not applied: {decided.fault}")
    return Suppression(
        kept=tuple(crime for crime in crimes if crime.fingerprint not in ignored),
        ignored=tuple(
            msgspec.structs.replace(crime, ignored=ignored[crime.fingerprint])
            for crime in crimes
            if crime.fingerprint in ignored
        ),
        ignores=tuple(sorted(ignores, key=attrgetter("place", "types", "target"))),
        warnings=tuple(warnings),
    )


def _apply_directives(
    crimes: Sequence[Crime],
    repo: Repo,
    types: Collection[str],
    ran: Collection[str],
    ignored: dict[str, Ignored],
    memory: MemoStore | None,
) -> Iterable[Ignore]:
    by_file: dict[str, list[Crime]] = {}
    for crime in crimes:
        by_file.setdefault(crime.file, []).append(crime)
    for directive in directives(repo.files.values(), memory):
        place, reason = f"{directive.file}:{directive.line}", directive.reason
        kind = "file-comment" if directive.whole_file else "comment"
        hits = [
            crime
            for crime in by_file.get(directive.file, ())
            if reason
            and crime.type in directive.types
            and (directive.whole_file or _covers(directive, crime, repo))
        ]
        cause = Ignored(kind, reason, place, until="")
        ignored.update((crime.fingerprint, cause) for crime in hits)
        status, note = _status(directive.types, reason, len(hits), types, ran)
        yield _ignore(cause, directive.types, status, len(hits), note=note)


def _covers(directive: Directive, crime: Crime, repo: Repo) -> bool:
    """Whether a comment stands on the line of a finding or right above it; other comments and decorators may be between."""
    start = crime.lines.start
    if directive.line <= start <= directive.end:
        return True
    if not directive.own_line or start < directive.end:
        return False
    facts = repo.files[directive.file].facts
    comments = (comment for comment in facts.comments if comment.own_line)
    commented = {line for comment in comments for line in range(comment.line, comment.end + 1)}
    gap = [line for line in range(directive.end + 1, start) if line not in commented]
    here = (function for function in facts.functions if function.start == start)
    return len(gap) <= max((len(function.decorators) for function in here), default=0)


def _apply_list(
    crimes: Sequence[Crime],
    listed: IgnoreList,
    types: Collection[str],
    ran: Collection[str],
    today: date,
    ignored: dict[str, Ignored],
) -> Iterable[Ignore]:
    live = [entry for entry in listed.entries if entry.until is None or entry.until >= today]
    present = {crime.fingerprint: identity_of(crime) for crime in crimes}
    pairs = match([entry.identity for entry in live], list(present.values()), {}, edited=False)
    entries = {entry.identity.fingerprint: entry for entry in live}
    used: set[str] = set()
    for fingerprint, old in pairs.items():
        if present[fingerprint].copies > old.copies > 0:  # one more copy is a finding nobody has seen
            continue
        ignored.setdefault(fingerprint, _listed_cause(entries[old.fingerprint]))
        used.add(old.fingerprint)
    for entry in listed.entries:
        identity, cause = entry.identity, _listed_cause(entry)
        hits = int(identity.fingerprint in used)
        # What a change broke or forgot is ignored where the change is compared: a scan has no such findings.
        status, note = _status((identity.type,), entry.reason, hits, {*types, *CHANGE_KINDS}, ran)
        if entry not in live:
            status, note = EXPIRED, f"the ignore of {identity.fingerprint[:12]} expired on {cause.until}"
        elif status == UNUSED:
            note = f"the ignore of {identity.fingerprint[:12]} ({identity.type} in {identity.file}) matches no finding"
        yield _ignore(cause, (identity.type,), status, hits, target=identity.fingerprint, note=note)


def _apply_decisions(
    crimes: Sequence[Crime], repo: Repo, decided: Decisions, ignored: dict[str, Ignored]
) -> Iterable[Ignore]:
    """Decisions that set a finding aside, while its file is unchanged. One that ended is nothing to warn about."""
    by_fingerprint = {crime.fingerprint: crime for crime in crimes}
    for decision in decided.decisions:
        if decision.decision not in triage.SET_ASIDE:
            continue
        identity = decision.finding
        status, place = UNUSED, f"{triage.PATH} ({decision.decision}, {decision.owner or 'nobody'})"
        if identity.fingerprint in by_fingerprint:
            grown = identity_of(by_fingerprint[identity.fingerprint]).copies > identity.copies > 0
            status = USED if still_holds(decision, repo) and not grown else RETURNED
        cause = Ignored("triage", decision.reason, place, until="")
        if status == USED:
            ignored.setdefault(identity.fingerprint, cause)
        yield _ignore(cause, (identity.type,), status, int(status == USED), target=identity.fingerprint)


def still_holds(decision: Decision, repo: Repo) -> bool:
    """Whether the file of a decision is unchanged."""
    try:
        return triage.digest_content(repo.read(decision.finding.file)) == decision.content
    except (OSError, KeyError):
        return False


def _listed_cause(entry: Entry) -> Ignored:
    return Ignored("list", entry.reason, PATH, entry.until.isoformat() if entry.until else "")


def _ignore(
    cause: Ignored, types: tuple[str, ...], status: str, findings: int, *, target: str = "", note: str = ""
) -> Ignore:
    return Ignore(
        place=cause.place,
        kind=cause.kind,
        types=types,
        target=target,
        reason=cause.reason,
        until=cause.until,
        status=status,
        findings=findings,
        note=note,
    )


def _status(
    named: tuple[str, ...], reason: str, hits: int, types: Collection[str], ran: Collection[str]
) -> tuple[str, str]:
    """What became of an ignore, and a note about it; empty when all is well."""
    if not named:
        return INVALID, "the ignore has no type; write `crimes: ignore[type] reason`"
    if not reason:
        return INVALID, "the ignore has no reason and no effect; write `crimes: ignore[type] reason`"
    unknown = [name for name in named if name not in types]
    if unknown:
        return (
            UNKNOWN,
            f"the ignore names {'an unknown type' if len(unknown) == 1 else 'unknown types'}: {', '.join(unknown)}{_suggestion(unknown[0], types)}",
        )
    if hits:
        return USED, ""
    if not set(named) & set(ran):
        return UNTESTED, ""  # no detector of its types ran
    return UNUSED, f"ignore[{', '.join(named)}] matches no finding"


def _suggestion(name: str, types: Collection[str]) -> str:
    close = closest(name, types)
    return f"; did you mean {close}?" if close else ""
