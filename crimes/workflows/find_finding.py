"""The finding a command is about, and the report it is in."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.model.errors import UsageError
from crimes.model.lazy_regex import regex
from crimes.model.wording import closest

if TYPE_CHECKING:
    from crimes.model.change import ChangeItem
    from crimes.model.report import Crime, Report
    from crimes.workflows.last_scan import StoredChange
    from crimes.workflows.session import Session

_MIN_ID_CHARS = 4
_MAX_CANDIDATES = 10
_STDIN = Path("-")
_HEX = regex("[0-9a-fA-F]+")


def load_report(session: Session, file: Path | None) -> tuple[Report, float]:
    """The report to look in and when it was made: from a file, the last scan, or a new one."""
    if file is not None:
        return read_report(file), time.time() if file == _STDIN else file.stat().st_mtime
    stored = session.last()
    if stored is not None:
        return stored.report, stored.scanned_at
    session.listener.notice(f"no stored scan of {session.root}: scanning now")
    return session.scan().report, time.time()


def read_report(file: Path) -> Report:
    """A report that was saved as JSON; `-` is stdin."""
    from crimes.model.codec import decode

    name = "stdin" if file == _STDIN else str(file)
    if file.is_dir():
        raise UsageError(f"{name} is a folder; give a report that `crimes scan --format json` wrote")
    try:
        return decode(sys.stdin.buffer.read() if file == _STDIN else file.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{name} {error}") from error


def check_id(prefix: str) -> str:
    """The id, or the beginning of one, when it is long enough to mean anything."""
    if len(prefix) < _MIN_ID_CHARS:
        raise UsageError(f"'{prefix}' is too short; give at least {_MIN_ID_CHARS} characters of the id")
    return prefix.lower()


def check_is_id(text: str, detectors: Iterable[str]) -> None:
    """UsageError for a text that is neither a detector nor can be the beginning of an id."""
    if _HEX.fullmatch(text):
        return
    near = closest(text.lower().replace("-", "_"), detectors)
    hint = (
        f"; did you mean '{near}'?"
        if near
        else "; run `crimes scan` for findings or `crimes detectors` for detectors"
    )
    raise UsageError(f"'{text}' is not a finding id or a detector{hint}")


def find_items(change: StoredChange | None, prefix: str) -> tuple[ChangeItem, ...]:
    """What the last comparison said is broken or worth a look, with an id that begins like this."""
    return tuple(item for item in change.items if item.id.startswith(prefix)) if change else ()


def find_matches(report: Report, prefix: str) -> list[Crime]:
    """The finding whose id or fingerprint begins like this; more than one only where they share their id."""
    from crimes.model.sanitize import safe

    crimes = (*report.findings, *report.hidden, *report.ignored)
    exact = [crime for crime in crimes if prefix in (crime.id, crime.fingerprint)]
    matches = exact or [
        crime for crime in crimes if crime.id.startswith(prefix) or crime.fingerprint.startswith(prefix)
    ]
    if len({crime.id for crime in matches}) == 1:
        return matches
    if not matches and report.trust.is_collapsed:
        raise UsageError(f"findings are withheld: {report.trust.withheld['findings']}")
    if not matches:
        raise UsageError(
            f"'{prefix}' is not a finding in the last scan of {report.repository}; run `crimes scan` for current findings, "
            "or choose another repository with --root"
        )
    listed = [
        safe(f"  {crime.id}  {crime.type}  {crime.file}:{crime.lines.start}")
        for crime in matches[:_MAX_CANDIDATES]
    ]
    if len(matches) > _MAX_CANDIDATES:
        listed.append(f"  and {len(matches) - _MAX_CANDIDATES} more")
    raise UsageError("\n".join((f"{len(matches)} findings have an id that begins with {prefix}:", *listed)))


def find_one(report: Report, prefix: str) -> Crime:
    """The one finding that matches; several that share an id are a UsageError."""
    matches = find_matches(report, prefix)
    if len(matches) > 1:
        fingerprints = ", ".join(crime.fingerprint for crime in matches[:_MAX_CANDIDATES])
        raise UsageError(
            f"{len(matches)} findings share the id {matches[0].id}: use a full id, one of {fingerprints}"
        )
    return matches[0]
