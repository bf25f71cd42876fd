"""What a detector says: a place, a message, the numbers, and the signals that it is real."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from crimes.model.facts import Function
from crimes.model.repository import File
from crimes.model.severity import Severity


class Category(StrEnum):
    """Where a signal comes from. Agreement across categories is what makes a finding sure."""

    SYNTAX = "syntax"
    GRAPH = "graph"
    TESTS = "tests"
    DOCS = "docs"
    HISTORY = "history"
    REVIEW = "review"


class Effort(StrEnum):
    """How long a fix takes."""

    MINUTES = "minutes"
    HOURS = "hours"
    DAYS = "days"


class Signal(Struct, frozen=True):
    """One reason to believe (or, under .50, to doubt) that a finding is real. `value` is in hundredths: 80 is .80.

    `target` is "path" or "path#qualified.symbol", empty for the finding's own. What is said of another target is
    shown and does not count. A detector gives the value to start with; where labelled findings had a signal of this category
    and source, what those were worth replaces it, and `measured_on` says how many they were.
    """

    source: str
    category: Category
    value: int
    reason: str
    target: str = ""
    measured_on: int = 0


class Place(Struct, frozen=True):
    """A location in the repository. Lines are 1-based; `symbol` is the qualified name, empty for a whole file."""

    path: str
    start: int
    end: int
    symbol: str = ""


def at_file(file: File) -> Place:
    """The whole file, anchored on its first line."""
    return Place(file.path, 1, 1)


def at_function(file: File, function: Function) -> Place:
    """A function of a file."""
    return Place(file.path, function.start, function.end, function.qualname)


class Related(Struct, frozen=True):
    """Another place a reader should look at, and why."""

    place: Place
    note: str


class Measure(Struct, frozen=True):
    """A number in the evidence and the limit it is compared with; `limit` is None for a plain fact.

    `items` holds the same as values where `value` is text for people: one mapping for each text.
    """

    value: int | float | str | tuple[str, ...]
    limit: int | float | None = None
    items: tuple[Mapping[str, int | float | str], ...] = ()


class Finding(Struct, frozen=True):
    """One charge. `fact` is one sentence: what is there, with its number.

    `why` it hurts and the `fix` are given only where this code needs other words than the detector's own documentation.
    `discriminator` tells apart two findings of one type in one symbol; it must not hold line numbers.
    """

    place: Place
    severity: Severity
    fact: str
    signals: tuple[Signal, ...]
    evidence: Mapping[str, Measure] = field(default_factory=dict)
    related: tuple[Related, ...] = ()
    discriminator: str = ""
    notes: tuple[str, ...] = ()  # what moved the severity: "a comment states the reason: lowered one step"
    undersampled: tuple[str, ...] = ()  # for statistics: each reason to doubt that the sample is large enough
    why: str = ""
    fix: str = ""
    short: str = (
        ""  # of a fact about a place: its numbers in a few words, "5 fixes in the year before 2026-08-19"
    )


class Excused(Struct, frozen=True):
    """A place that looks like a finding and is none: an idiom the detector accepts, or a reason somebody wrote down."""

    place: Place
    reason: str


def fingerprint(type_: str, finding: Finding) -> str:
    """Stable over moved lines, reformatting and edits elsewhere: type, path, symbol and what tells two apart."""
    return _digest(type_, finding.place.path, finding.place.symbol, finding.discriminator)


def fingerprint_within_file(type_: str, finding: Finding) -> str:
    """The same without the path: it identifies a finding after its file was renamed."""
    return _digest(type_, finding.place.symbol, finding.discriminator)[:16]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
