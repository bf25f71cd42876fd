"""The error of a file that has no facts."""

from __future__ import annotations


class Unreadable(Exception):
    """A file that has no facts to read; the message says why."""
