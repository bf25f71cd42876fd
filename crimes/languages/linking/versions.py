"""Whether a version lies in a range, in the dialects that package managers write ranges in.

What cannot be decided with certainty (addresses, tags, unusual operators, pre-releases) is None, so that no finding rests on
a guess.
"""

from __future__ import annotations

import re

from msgspec import Struct

from crimes.model.lazy_regex import regex

Numbers = tuple[int, ...]

_VERSION = regex(r"[v=\s]*(\d+(?:\.\d+)*)(?P<rest>[^\s]*)")
_PLAIN_REST = regex(r"(?:\.[x*])*(?:\+[\w.-]+)?(?:\.post\d+)?")
_TERM = regex(
    r"\s*+(?P<op>\^|~>|~=|~|={1,3}|!=|>=|<=|>|<)?\s*+(?P<version>v?\d[\w.+*-]*+|[x*](?:\.[x*])*+)\s*+"
)
_HYPHEN = regex(r"\s*(v?\d[\w.]*)\s+-\s+(v?\d[\w.]*)\s*")
_WRITTEN = regex(r"v?(\d+(?:\.\d+)*)(.*)")
_MAX_NUMBERS = 6
_MAX_CHARS = 200


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


def allows(constraint: str, version: str, dialect: Dialect) -> bool | None:
    """Whether a range allows a version; None where that is uncertain."""
    numbers = _numbers(version) if max(len(constraint), len(version)) <= _MAX_CHARS else None
    if numbers is None:
        return None
    ranges = re.split(dialect.either, constraint) if dialect.either else [constraint]
    answers = [_all_hold(alternative.strip(), numbers, dialect) for alternative in ranges]
    if True in answers:
        return True
    return None if None in answers else False


def _all_hold(terms: str, version: Numbers, dialect: Dialect) -> bool | None:
    if terms in ("", "*", "x"):
        return True
    if hyphen := _HYPHEN.fullmatch(terms):
        terms = f">={hyphen[1]} <={hyphen[2]}"
    terms = re.sub(r"(?<=[<>=~^!])\s+", "", terms)
    answers: list[bool | None] = []
    for text in filter(None, re.split(dialect.separator, terms)):
        term = _TERM.fullmatch(text)
        answers.append(
            _holds(term["op"] or dialect.bare, term["version"], version, dialect) if term else None
        )
    return None if not answers or None in answers else all(answers)


def _holds(op: str, written: str, version: Numbers, dialect: Dialect) -> bool | None:
    match = _WRITTEN.fullmatch(written)
    if match is None:
        return True  # a star
    if not _PLAIN_REST.fullmatch(match[2]):
        return None
    numbers = tuple(int(part) for part in match[1].split(".")[:_MAX_NUMBERS])
    is_open = match[2].startswith((".x", ".*")) or (dialect.short_is_open and len(numbers) < 3)
    order = _compare(version, numbers)
    # `=1.2` means any 1.2.x: compare only the parts written.
    cut = _compare(version[: len(numbers)], numbers) if is_open else order
    if op == "^":
        return order >= 0 and _compare(version, _next_breaking(numbers)) < 0
    if op.startswith("~"):
        keeps_minor = dialect.tilde_keeps_minor and op == "~"
        length = min(len(numbers), 2) if keeps_minor else max(len(numbers) - 1, 1)
        return order >= 0 and _compare(version, _bump(numbers, length)) < 0
    if op in ("=", "==", "==="):
        return cut == 0
    return {"!=": cut != 0, ">": cut > 0, ">=": order >= 0, "<": order < 0, "<=": cut <= 0}[op]


def _next_breaking(numbers: Numbers) -> Numbers:
    """The first version outside a caret range: the first non-zero number, or the last one written, goes up."""
    first = next((n for n, number in enumerate(numbers) if number), len(numbers) - 1)
    return _bump(numbers, first + 1)


def _bump(numbers: Numbers, length: int) -> Numbers:
    return (*numbers[: length - 1], numbers[length - 1] + 1)


def _compare(left: Numbers, right: Numbers) -> int:
    left, right = _pad(left), _pad(right)
    return (left > right) - (left < right)


def _pad(numbers: Numbers) -> Numbers:
    return (*numbers, *(0,) * (_MAX_NUMBERS - len(numbers)))[:_MAX_NUMBERS]


def _numbers(version: str) -> Numbers | None:
    """The numbers of a release; None for a pre-release or anything else."""
    match = _VERSION.fullmatch(version)
    if match is None or not _PLAIN_REST.fullmatch(match["rest"]):
        return None
    return tuple(int(part) for part in match[1].split(".")[:_MAX_NUMBERS])
