"""What a command line in a document needs to exist: a file, a make target, a recipe, a package script."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct

from crimes.model.lazy_regex import regex
from crimes.model.safe_parsing import MAX_COMMAND_CHARS


class NeedKind(StrEnum):
    """What a document can name in a repository, in the words of a message."""

    FILE = "file or folder"
    SCRIPT = "package script"
    TARGET = "make target"
    RECIPE = "recipe"


class Need(Struct, frozen=True):
    """Something that must exist for a command to work."""

    kind: NeedKind
    name: str


PLACEHOLDER = regex(r"<[\w -]+>|\[[\w -]+\]|\{[\w -]+\}|\.\.\.|…")  # for the reader to fill in
SCRIPT_NAME = regex(r".*\.(sh|bash|py|[cm]?[jt]s|rb|ps1)$")
LOCATION_SUFFIX = regex(r"(::|[#?]).*$")
PUNCTUATION = frozenset(";&|()<>")

INTERPRETERS = frozenset({"python", "python3", "node", "bash", "sh", "source", "tsx", "ts-node", "pytest"})
LAUNCHERS = frozenset({"sudo", "time", "env", "npx", "exec", "uv", "poetry", "pipenv", "pdm", "run"})
NO_SCRIPT_OPTIONS = frozenset({"-m", "-c", "-e"})  # for an interpreter: a module or code instead of a file
# For make and just: another file than the nearest.
OTHER_FILE_OPTIONS = ("-C", "-f", "--directory", "--file", "--justfile")
MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
VALUE_OPTIONS = frozenset({"-w", "-F", "-C", "--filter", "--workspace", "--prefix", "--dir", "--cwd"})
# Names no installed program has: `yarn NAME` and `pnpm NAME` can only mean a script.
SCRIPT_WORDS = frozenset({"build", "dev", "format", "lint", "start", "test", "typecheck", "type-check"})
PROSE = frozenset({"a", "and", "it", "make", "or", "sure", "the", "then"})  # "make a or make b", "make sure"


def needs(command: str) -> Iterator[Need]:
    """What a command line certainly needs."""
    if PLACEHOLDER.search(command):
        return
    for words in _simple_commands(command):
        tool, rest = words[0], words[1:]
        plain = [word for word in rest if word and not word.startswith("-") and "=" not in word]
        if tool in MANAGERS:
            yield from _scripts(tool, rest)
        elif tool in ("make", "just"):
            yield from _recipes(tool, rest, plain)
        elif tool in INTERPRETERS:
            path = LOCATION_SUFFIX.sub("", plain[0]) if plain else ""
            if path and NO_SCRIPT_OPTIONS.isdisjoint(rest):
                yield Need(NeedKind.FILE, path)
        elif tool == "cd":
            yield from (Need(NeedKind.FILE, word) for word in plain[:1] if not word.startswith("."))
        elif SCRIPT_NAME.match(tool):
            yield Need(NeedKind.FILE, tool)


def _simple_commands(text: str) -> Iterator[list[str]]:
    """The commands of a line as words, without launchers and redirections."""
    if len(text) > MAX_COMMAND_CHARS:  # the lexer copies a word for each of its characters
        return
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:  # an open quote: not a whole command
        return
    simple: list[str] = []
    redirected = False
    for word in (*words, ";"):
        if word and PUNCTUATION.issuperset(word):
            if simple and not redirected:
                yield simple
            simple, redirected = [], word[0] in "<>"
        elif simple or not (word in LAUNCHERS or "=" in word):
            simple.append(word)


def _recipes(tool: str, rest: list[str], plain: list[str]) -> Iterator[Need]:
    if any(word.startswith(OTHER_FILE_OPTIONS) for word in rest):
        return
    jobs = {after for word, after in pairwise(rest) if word == "-j"}
    wanted = [word for word in plain if word not in jobs and word not in PROSE]
    if tool == "make":
        yield from (Need(NeedKind.TARGET, word) for word in wanted)
    else:
        yield from (Need(NeedKind.RECIPE, word) for word in wanted[:1])  # the rest are its arguments


def _scripts(tool: str, rest: list[str]) -> Iterator[Need]:
    """`npm run x` needs a script; `yarn x` may run an installed program, unless no program has such a name."""
    plain = [
        word
        for before, word in pairwise(("", *rest))
        if not word.startswith("-") and before not in VALUE_OPTIONS
    ]
    if tool == "yarn" and plain[:1] == ["workspace"]:
        plain = plain[2:]
    is_run = plain[:1] in (["run"], ["run-script"])
    name = "".join(plain[1:2] if is_run else plain[:1])
    if not name or "/" in name or "." in name:
        return
    is_certain = (is_run and tool in ("npm", "pnpm")) or ":" in name or name == "test"
    if is_certain or (tool in ("yarn", "pnpm") and name in SCRIPT_WORDS):
        yield Need(NeedKind.SCRIPT, name)
