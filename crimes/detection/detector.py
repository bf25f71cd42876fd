"""The shape of a detector: a value that holds everything about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from crimes.detection.context import Analysis, Context, Pass
from crimes.detection.doc_sections import first_sentence
from crimes.model.finding import Effort, Excused, Finding, Signal
from crimes.model.kind import Kind
from crimes.model.severity import Severity

MAX_DEFERRED_PROVIDERS = 3
SECURITY = "security"  # the category of what endangers whoever, or whatever, reads or runs the repository

# Finds evidence only for findings in doubt, in the second pass.
Provider = Callable[[Pass, Finding], Iterable[Signal]]


@dataclass(frozen=True)
class NoOptions:
    """For a detector without knobs."""


def option(default: Any, help: str) -> Any:
    """A documented option of a detector's Options dataclass."""
    return dataclasses.field(default=default, metadata={"help": help})


class Commit(Struct, frozen=True):
    """One commit of an example's history: files as they are after it (None deletes), made `days_ago` by `author`."""

    message: str
    files: Mapping[str, str | None]
    days_ago: int = 1
    author: str = "Ada <ada@example.org>"


class Example(Struct, frozen=True):
    """A tiny repository and what must (or must not) be found in it. Every example is a test and documentation.

    `finds` holds "path:line" of each expected finding, in any order; empty means the detector must stay silent.
    `history` is committed in order, oldest first, before `files` are written and committed as the last commit.
    """

    title: str
    files: Mapping[str, str]
    finds: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    history: tuple[Commit, ...] = ()
    severity: Severity | None = None  # when given, every finding must have it


class Detector(Struct, frozen=True):
    """Top to bottom: what, why (`doc`), knobs, logic, promise. `max_severity` is the worst it ever reports."""

    id: str
    title: str
    category: str
    doc: str
    languages: tuple[str, ...]
    max_severity: Severity
    effort: Effort
    detect: Callable[[Pass, Any], Iterable[Finding | Excused]]
    examples: tuple[Example, ...]
    needs: tuple[Analysis[Any], ...] = ()  # without these it is skipped
    wants: tuple[Analysis[Any], ...] = ()  # used where they can be made
    in_each_file: tuple[Analysis[Mapping[str, Any]], ...] = ()  # what it finds in each file by itself
    options: type[Any] = NoOptions
    default: bool = True
    deferred: tuple[Provider, ...] = ()  # at most three, run for findings under .50
    kind: Kind = Kind.CODE  # whether it finds code that can be fixed, or states a fact about a place
    subsumed_by: str = ""  # the detector whose finding on the same target always wins over one of this
    docs: str = ""  # the address of its page; detectors that come with crimes get theirs from the registry

    def __post_init__(self) -> None:
        if len(self.deferred) > MAX_DEFERRED_PROVIDERS:
            raise ValueError(
                f"{self.id} has {len(self.deferred)} deferred providers, at most {MAX_DEFERRED_PROVIDERS} are asked"
            )

    @property
    def off_reason(self) -> str:
        """Why it does not run, when it is off."""
        return "off in the settings" if self.default else "off by default"

    @property
    def why(self) -> str:
        """One sentence: how what it finds hurts the next edit."""
        return first_sentence(self.doc, "Why it matters")

    @property
    def fix(self) -> str:
        """One sentence: what to do about its findings, unless one says better."""
        return first_sentence(self.doc, "What to do")


def detector_view(context: Context, detector: Detector) -> Pass:
    """The view of a detector: what it declared, and nothing else."""
    return Pass(context, (*detector.needs, *detector.in_each_file), detector.wants, detector.languages)
