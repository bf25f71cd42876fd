"""A command that runs some tests, and where a test's runner is looked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def without_parts(commands: Iterable[str]) -> tuple[str, ...]:
    """The commands, without those that only run a part of what another one runs in the same place."""
    words = {text: text.split() for text in commands if text}
    return tuple(
        text
        for text, own in words.items()
        if not any(own[:2] == other[:2] and set(own) < set(other) for other in words.values())
    )
