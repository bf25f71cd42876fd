"""Parsers for text that a repository chose: as the standard library's, without its inputs that take the square of their length."""

from __future__ import annotations

from typing import Any

from crimes.model.lazy_regex import regex

MAX_KEY_PARTS = 100
MAX_COMMAND_CHARS = 20_000
_KEY_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DEEP_KEY = regex(rf"(?<![\w-]){_KEY_PART}(?:[ \t]*+\.[ \t]*+{_KEY_PART}){{{MAX_KEY_PARTS}}}")
_DEFAULT_SECTION = "DEFAULT"

Ini = dict[str, dict[str, str]]


class TooDeep(ValueError):
    """A document is nested more deeply than it can be read."""


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML document. Raises ValueError, also for a key that `tomllib` would copy once for each of its parts."""
    if _DEEP_KEY.search(text):
        raise ValueError(f"a key has more than {MAX_KEY_PARTS} parts")
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise TooDeep("nested too deeply") from None


def split_command(text: str) -> list[str]:
    """The words of a command line. Raises ValueError, also for one so long that `shlex` would copy its words again and again."""
    if len(text) > MAX_COMMAND_CHARS:
        raise ValueError("too long for a command")
    import shlex

    return shlex.split(text)


def parse_ini(text: str) -> Ini:
    """Options by section, in the order and spelling that `configparser` gives them. Raises ValueError at the first broken line.

    `configparser` itself takes the square of a long line of spaces, and of the number of broken lines.
    """
    sections: dict[str, dict[str, list[str]]] = {_DEFAULT_SECTION: {}}
    section: dict[str, list[str]] | None = None
    value: list[str] | None = None
    indent = 0
    for line in text.splitlines():
        written = line.strip()
        if written.startswith(("#", ";")):
            continue
        depth = len(line) - len(line.lstrip())
        if value is not None and (not written or depth > indent):
            value.append(written)
        elif written.startswith("[") and "]" in written[2:]:
            section, value = sections.setdefault(written[1 : written.rindex("]")], {}), None
        elif written:
            if section is None:
                raise ValueError("a line before the first section")
            name, _, first = written.partition(":" if _colon_first(written) else "=")
            if not name.strip() or len(name) == len(written):
                raise ValueError("a line is neither a section nor an option")
            value = section[name.strip().lower()] = [first.strip()]
            indent = depth
    defaults = sections.pop(_DEFAULT_SECTION)
    return {
        name: {option: "\n".join(lines).rstrip() for option, lines in {**defaults, **options}.items()}
        for name, options in sections.items()
    }


def _colon_first(line: str) -> bool:
    colon, equals = line.find(":"), line.find("=")
    return colon >= 0 and not 0 <= equals < colon
