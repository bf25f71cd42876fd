"""A command that runs some tests, and the folders in which its runner is searched."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from posixpath import dirname

from msgspec import Struct

from crimes.model.lazy_regex import regex

MAX_TEST_FILES = 5  # in one command
_ONE_TARGET = "--test"  # of cargo
_LIST_OF_CLASSES = ("-Dtest=", "FullyQualifiedName~")  # in one word: of Maven and of .NET
_BETWEEN_CLASSES = regex(r"[=,|]")


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
    """The commands, without those that run only a part of what another one runs."""
    texts = tuple(dict.fromkeys(filter(None, commands)))
    return tuple(text for text in texts if not any(_covers(other, text) for other in texts if other != text))


def runs_all_of(commands: Iterable[str], command: str) -> bool:
    """Whether one of the commands runs everything that `command` runs."""
    return any(other == command or _covers(other, command) for other in commands)


def _covers(whole: str, part: str) -> bool:
    """Whether a command runs more than another of the same runner in the same folder."""
    more, less = _words(whole), _words(part)
    if more[:2] != less[:2]:
        return False
    if _ONE_TARGET in {*more} ^ {*less}:  # cargo runs every target of the package unless it is told which
        return _ONE_TARGET in less and {*more} < {*less}
    return {*less} < {*more}


def _words(command: str) -> list[str]:
    """The words of a command; a list of test classes in one word is several."""
    return [
        name
        for word in shlex.split(command)
        for name in (_BETWEEN_CLASSES.split(word) if word.startswith(_LIST_OF_CLASSES) else (word,))
    ]
