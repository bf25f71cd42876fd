"""The files of a report where the next fix is most likely, with the facts about each."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from crimes.model.edit_risk import Band, RankedFile
from crimes.model.report import Crime, Report

MAX_RISKIEST_FILES = 5


class RiskyFile(NamedTuple):
    """A ranked file and the facts about it, in the order of the report."""

    ranked: RankedFile
    facts: tuple[Crime, ...]

    @property
    def facts_text(self) -> str:
        """All of its facts in short."""
        return "; ".join(short_fact(fact) for fact in self.facts)


def riskiest_files(report: Report, limit: int = MAX_RISKIEST_FILES) -> list[RiskyFile]:
    """The files with the highest edit risk, highest first, without those in the lowest band and those without code."""
    lowest = Band.UNDER_1_IN_20.text
    risky = (file for file in report.edit_risk.files if file.band != lowest and file.lines)
    facts: dict[str, list[Crime]] = {}
    for fact in report.place_facts:
        facts.setdefault(fact.file, []).append(fact)
    return [RiskyFile(ranked, tuple(facts.get(ranked.file, ()))) for ranked in islice(risky, limit)]


def short_fact(fact: Crime) -> str:
    """A fact about a place in a few words."""
    return fact.short or fact.title
