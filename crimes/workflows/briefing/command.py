"""A command that runs some tests, and the folders in which its runner is searched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from posixpath import dirname

from msgspec import Struct

MAX_TEST_FILES = 5  # in one command


class Command(Struct, frozen=True):
    """A shell command, run from the root, and how many of the tests it runs."""

    text: str = ""
    runs: int = 0


def folders_upward(path: str) -> Iterator[str]:
    """The folder of a file, and those above it, up to the root, which is empty."""
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""


def parse_json(manifest: bytes) -> object:
    """The content of a manifest; None when it is broken."""
    try:
        return json.loads(manifest)
    except (ValueError, RecursionError):
        return None


def drop_subsumed(commands: Iterable[str]) -> tuple[str, ...]:
    """The commands, without those that run only a part of what another one runs in the same folder."""
    words = {text: text.split() for text in commands if text}
    return tuple(
        text
        for text, own in words.items()
        if not any(own[:2] == other[:2] and set(own) < set(other) for other in words.values())
    )
