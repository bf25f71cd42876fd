"""A command that runs some tests, and how its words are written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, splitext

from msgspec import Struct

from crimes.model import safe_parsing
from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo

MAX_TEST_FILES = 5  # in one command
_ONE_TARGET = "--test"  # of cargo
_LIST_OF_CLASSES = ("-Dtest=", "FullyQualifiedName~")  # in one word: of Maven and of .NET
_BETWEEN_CLASSES = regex(r"[=,|]")


class Command(Struct, frozen=True):
    """A shell command, run from the root, and how many of the tests it runs; without one, `note` says why."""

    text: str = ""
    runs: int = 0
    note: str = ""


def folders_upward(path: str) -> Iterator[str]:
    """The folder of a file, and those above it, up to the root, which is empty."""
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""


def nearest_folder(repo: Repo, path: str, *names: str) -> str | None:
    """The nearest folder above a file that holds one of these files."""
    return next((folder for folder in folders_upward(path) if holds_any(repo, folder, names)), None)


def holds_any(repo: Repo, folder: str, names: Iterable[str]) -> bool:
    return any(join(folder, name) in repo.paths for name in names)


def is_below(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def in_folder(folder: str, start: str, arguments: Iterable[str], runs: int) -> Command:
    """The command with its arguments quoted, started in a folder."""
    enter = f"cd {shlex.quote(folder)} && " if folder else ""
    return Command(enter + " ".join((start, *map(shlex.quote, arguments))), runs)


def file_arguments(names: Iterable[str]) -> list[str]:
    """Names of files, written so that none looks like an option."""
    return [f"./{name}" if name.startswith("-") else name for name in names]


def stem(path: str) -> str:
    return splitext(basename(path))[0]


def read_if_present(repo: Repo, path: str) -> bytes:
    return repo.read(path) if path in repo.paths else b""


def parse_json(manifest: bytes) -> object:
    """The content of a manifest; None when it is broken."""
    try:
        return json.loads(manifest)
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=256)
def parse_toml(manifest: bytes) -> Mapping[str, object]:
    """The manifest as tables, empty when it is broken; cached, since every file of a package needs it."""
    try:
        return safe_parsing.parse_toml(manifest.decode("utf-8", "replace"))
    except ValueError:
        return {}


def value_in(manifest: object, *keys: str) -> object:
    """The value below these keys, one table in another; None without one."""
    for key in keys:
        manifest = manifest.get(key) if isinstance(manifest, Mapping) else None
    return manifest


def text_in(manifest: object, *keys: str) -> str:
    """A text below these keys; empty without one."""
    value = value_in(manifest, *keys)
    return value if isinstance(value, str) else ""


def table_in(manifest: object, *keys: str) -> Mapping[str, object]:
    """A table below these keys; empty without one."""
    value = value_in(manifest, *keys)
    return value if isinstance(value, Mapping) else {}


def texts_in(manifest: object, *keys: str) -> tuple[str, ...]:
    """The texts below these keys, given as a list or as words; empty without any."""
    value = value_in(manifest, *keys)
    if isinstance(value, str):
        return tuple(value.split())
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


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


@lru_cache(maxsize=1024)  # each command is compared with each other
def _words(command: str) -> tuple[str, ...]:
    """The words of a command; a list of test classes in one word is several."""
    return tuple(
        name
        for word in shlex.split(command)
        for name in (_BETWEEN_CLASSES.split(word) if word.startswith(_LIST_OF_CLASSES) else (word,))
    )
