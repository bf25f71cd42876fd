"""A command that runs some tests, and where a test's runner is looked for."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname

from msgspec import Struct

MOST = 5  # test files in one command


class Command(Struct, frozen=True):
    """A shell command, run from the root, and how many of the tests it runs."""

    text: str = ""
    runs: int = 0


def upward(path: str) -> Iterator[str]:
    """The folder of a file, and those above it, down to the root, which is empty."""
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""
