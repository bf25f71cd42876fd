"""Parses `--as-of`: a moment up to which history counts, or a commit to be scanned as it was."""

from __future__ import annotations

from datetime import UTC, datetime, time
from pathlib import Path

from crimes.model.errors import Unavailable, UsageError


def parse_as_of(text: str, root: Path) -> datetime | str | None:
    """A moment, the id of a commit, or None: the tree as it is, up to the last commit's own time.

    A date without a time means the end of that day, in UTC.
    """
    if not text:
        return None
    if text == "now":
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _resolve_commit(text, root)
    if len(text) <= len("2026-01-31"):
        moment = datetime.combine(moment, time.max)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _resolve_commit(revision: str, root: Path) -> str:
    from crimes.system.git import find
    from crimes.system.git_objects import commit_of

    try:
        return commit_of(find(root), revision)
    except Unavailable as reason:
        raise UsageError(
            f"--as-of '{revision}' is not valid; use `now`, a date such as 2026-01-31, or a commit"
        ) from reason
