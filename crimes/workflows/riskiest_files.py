"""The files of a report where the next fix is most likely, with the facts about each."""

from __future__ import annotations

from typing import NamedTuple

from crimes.model.edit_risk import RankedFile
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
    """The files with the highest edit risk, highest first; none when nothing stands out."""
    if report.edit_risk.is_calm:
        return []
    facts: dict[str, list[Crime]] = {}
    for fact in report.place_facts:
        facts.setdefault(fact.file, []).append(fact)
    return [RiskyFile(ranked, tuple(facts.get(ranked.file, ()))) for ranked in report.edit_risk.files[:limit]]


def short_fact(fact: Crime) -> str:
    """A fact about a place in a few words."""
    return fact.short or fact.title
