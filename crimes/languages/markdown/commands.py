"""What a command line in a document needs to be there: a file, a make target, a recipe, a package script."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise

from msgspec import Struct

from crimes.model.lazy_regex import regex


class Thing(StrEnum):
    """What a document can name in a repository, in the words of a message."""

    FILE = "file or folder"
    SCRIPT = "package script"
    TARGET = "make target"
    RECIPE = "recipe"


class Need(Struct, frozen=True):
    """Something that must be there for a command to work."""

    thing: Thing
    name: str


OPEN = regex(r"<[\w -]+>|\[[\w -]+\]|\{[\w -]+\}|\.\.\.|…")  # the reader is to fill something in
SCRIPT_NAME = regex(r".*\.(sh|bash|py|[cm]?[jt]s|rb|ps1)$")
INSIDE_FILE = regex(r"(::|[#?]).*$")
PUNCTUATION = frozenset(";&|()<>")

INTERPRETERS = frozenset({"python", "python3", "node", "bash", "sh", "source", "tsx", "ts-node", "pytest"})
LAUNCHERS = frozenset({"sudo", "time", "env", "npx", "exec", "uv", "poetry", "pipenv", "pdm", "run"})
NO_SCRIPT = frozenset({"-m", "-c", "-e"})  # for an interpreter: a module or code instead of a file
ELSEWHERE = (
    "-C",
    "-f",
    "--directory",
    "--file",
    "--justfile",
)  # for make and just: another file than the nearest
MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
TAKES_VALUE = frozenset({"-w", "-F", "-C", "--filter", "--workspace", "--prefix", "--dir", "--cwd"})
# Names nobody gives to an installed program: `yarn NAME` and `pnpm NAME` can only mean a script.
SCRIPT_WORDS = frozenset({"build", "dev", "format", "lint", "start", "test", "typecheck", "type-check"})
PROSE = frozenset({"a", "and", "it", "make", "or", "sure", "the", "then"})  # "make a or make b", "make sure"


def needs(command: str) -> Iterator[Need]:
    """What a command line needs, as far as that is sure."""
    if OPEN.search(command):
        return
    for words in _simple_commands(command):
        tool, rest = words[0], words[1:]
        plain = [word for word in rest if word and not word.startswith("-") and "=" not in word]
        if tool in MANAGERS:
            yield from _scripts(tool, rest)
        elif tool in ("make", "just"):
            yield from _recipes(tool, rest, plain)
        elif tool in INTERPRETERS:
            path = INSIDE_FILE.sub("", plain[0]) if plain else ""
            if path and NO_SCRIPT.isdisjoint(rest):
                yield Need(Thing.FILE, path)
        elif tool == "cd":
            yield from (Need(Thing.FILE, word) for word in plain[:1] if not word.startswith("."))
        elif SCRIPT_NAME.match(tool):
            yield Need(Thing.FILE, tool)


def _simple_commands(text: str) -> Iterator[list[str]]:
    """The commands of a line as words, without what only launches them and without redirections."""
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
    if any(word.startswith(ELSEWHERE) for word in rest):
        return
    jobs = {after for word, after in pairwise(rest) if word == "-j"}
    wanted = [word for word in plain if word not in jobs and word not in PROSE]
    if tool == "make":
        yield from (Need(Thing.TARGET, word) for word in wanted)
    else:
        yield from (Need(Thing.RECIPE, word) for word in wanted[:1])  # the rest are its arguments


def _scripts(tool: str, rest: list[str]) -> Iterator[Need]:
    """`npm run x` needs a script; `yarn x` may run an installed program, unless nobody would call one so."""
    plain = [
        word
        for before, word in pairwise(("", *rest))
        if not word.startswith("-") and before not in TAKES_VALUE
    ]
    if tool == "yarn" and plain[:1] == ["workspace"]:
        plain = plain[2:]
    runs = plain[:1] in (["run"], ["run-script"])
    name = "".join(plain[1:2] if runs else plain[:1])
    if not name or "/" in name or "." in name:
        return
    sure = (runs and tool in ("npm", "pnpm")) or ":" in name or name == "test"
    if sure or (tool in ("yarn", "pnpm") and name in SCRIPT_WORDS):
        yield Need(Thing.SCRIPT, name)
