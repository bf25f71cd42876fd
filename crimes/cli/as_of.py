"""The moment `--as-of` names: now, a date, or the time of a commit."""

from __future__ import annotations

from datetime import UTC, datetime, time
from pathlib import Path

from crimes.errors import Unavailable, UsageError


def moment(text: str, root: Path) -> datetime | None:
    """None stands for the last commit's own time. A date without a time means the end of that day, in UTC."""
    if not text:
        return None
    if text == "now":
        return datetime.now(UTC)
    try:
        named = datetime.fromisoformat(text)
    except ValueError:
        return _of_revision(text, root)
    if len(text) <= len("2026-01-31"):
        named = datetime.combine(named, time.max)
    return named if named.tzinfo else named.replace(tzinfo=UTC)


def _of_revision(revision: str, root: Path) -> datetime:
    from crimes.git import find, run

    try:
        told = run(find(root), "rev-list", "-1", "--timestamp", "--end-of-options", revision, "--")
        return datetime.fromtimestamp(int(told.split()[0]), UTC)
    except Unavailable as reason:
        wanted = "it is neither now, nor a date like 2026-01-31, nor a commit"
        raise UsageError(f"--as-of {revision}: {wanted} ({reason})") from reason
