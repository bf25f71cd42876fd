"""What every reader of a file may answer instead of facts."""

from __future__ import annotations


class Unreadable(Exception):
    """A file that has no facts to read; the message says why."""
