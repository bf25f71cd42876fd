"""Whether a version lies in a range, in the dialects that package managers write ranges in.

What cannot be told with certainty (addresses, tags, unusual operators, versions before a release) is None: nobody is accused
on a guess.
"""

from __future__ import annotations

import re

from msgspec import Struct

from crimes.model.lazy_regex import regex

Numbers = tuple[int, ...]

_VERSION = regex(r"[v=\s]*(\d+(?:\.\d+)*)(?P<rest>[^\s]*)")
_PLAIN_REST = regex(r"(?:\.[x*])*(?:\+[\w.-]+)?(?:\.post\d+)?")
_TERM = regex(r"\s*(?P<op>\^|~>|~=|~|={1,3}|!=|>=|<=|>|<)?\s*(?P<version>v?\d[\w.+*-]*|[x*](?:\.[x*])*)\s*")
_HYPHEN = regex(r"\s*(v?\d[\w.]*)\s+-\s+(v?\d[\w.]*)\s*")
_GIVEN = regex(r"v?(\d+(?:\.\d+)*)(.*)")
_MOST_NUMBERS = 6
_LONGEST = 200


class Dialect(Struct, frozen=True):
    """How ranges are written."""

    separator: str  # between terms that must all hold
    either: str = ""  # between ranges of which one must hold
    bare: str = "="  # the operator of a version without one
    short_is_open: bool = False  # `=1.2` is every 1.2.x
    tilde_keeps_minor: bool = False  # `~1.2` stays below 1.3; elsewhere it stays below 2


NPM = Dialect(r"[\s,]+", r"\s*\|\|\s*", short_is_open=True, tilde_keeps_minor=True)
CARGO = Dialect(r"\s*,\s*", bare="^", short_is_open=True, tilde_keeps_minor=True)
POETRY = Dialect(r"\s*,\s*", r"\s*\|\|?\s*", tilde_keeps_minor=True)
PEP440 = Dialect(r"\s*,\s*")
COMPOSER = Dialect(r"[\s,]+", r"\s*\|\|?\s*")
GEM = Dialect(r"\s*,\s*")


def allows(asked: str, version: str, dialect: Dialect) -> bool | None:
    """Whether a range allows a version; None where it cannot be told."""
    found = _numbers(version) if max(len(asked), len(version)) <= _LONGEST else None
    if found is None:
        return None
    ranges = re.split(dialect.either, asked) if dialect.either else [asked]
    answers = [_all_hold(one.strip(), found, dialect) for one in ranges]
    if True in answers:
        return True
    return None if None in answers else False


def _all_hold(asked: str, version: Numbers, dialect: Dialect) -> bool | None:
    if asked in ("", "*", "x"):
        return True
    if hyphen := _HYPHEN.fullmatch(asked):
        asked = f">={hyphen[1]} <={hyphen[2]}"
    asked = re.sub(r"(?<=[<>=~^!])\s+", "", asked)
    answers: list[bool | None] = []
    for text in filter(None, re.split(dialect.separator, asked)):
        term = _TERM.fullmatch(text)
        answers.append(
            _holds(term["op"] or dialect.bare, term["version"], version, dialect) if term else None
        )
    return None if not answers or None in answers else all(answers)


def _holds(op: str, written: str, version: Numbers, dialect: Dialect) -> bool | None:
    given = _GIVEN.fullmatch(written)
    if given is None:
        return True  # a star
    if not _PLAIN_REST.fullmatch(given[2]):
        return None
    numbers = tuple(int(part) for part in given[1].split(".")[:_MOST_NUMBERS])
    is_open = given[2].startswith((".x", ".*")) or (dialect.short_is_open and len(numbers) < 3)
    order = _compare(version, numbers)
    cut = _compare(version[: len(numbers)], numbers) if is_open else order  # of 1.2.9 and `1.2`: none
    if op == "^":
        return order >= 0 and _compare(version, _next_breaking(numbers)) < 0
    if op.startswith("~"):
        keeps_minor = dialect.tilde_keeps_minor and op == "~"
        kept = min(len(numbers), 2) if keeps_minor else max(len(numbers) - 1, 1)
        return order >= 0 and _compare(version, _raised(numbers, kept)) < 0
    if op in ("=", "==", "==="):
        return cut == 0
    return {"!=": cut != 0, ">": cut > 0, ">=": order >= 0, "<": order < 0, "<=": cut <= 0}[op]


def _next_breaking(numbers: Numbers) -> Numbers:
    """A caret keeps everything up to the first number that is not zero; of zeros, what is written."""
    first = next((n for n, number in enumerate(numbers) if number), len(numbers) - 1)
    return _raised(numbers, first + 1)


def _raised(numbers: Numbers, length: int) -> Numbers:
    return (*numbers[: length - 1], numbers[length - 1] + 1)


def _compare(one: Numbers, other: Numbers) -> int:
    one, other = _padded(one), _padded(other)
    return (one > other) - (one < other)


def _padded(numbers: Numbers) -> Numbers:
    return (*numbers, *(0,) * (_MOST_NUMBERS - len(numbers)))[:_MOST_NUMBERS]


def _numbers(version: str) -> Numbers | None:
    """The numbers of a release; None for what comes before one, or is something else."""
    found = _VERSION.fullmatch(version)
    if found is None or not _PLAIN_REST.fullmatch(found["rest"]):
        return None
    return tuple(int(part) for part in found[1].split(".")[:_MOST_NUMBERS])
