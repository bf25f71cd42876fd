"""The files of a report that ask for most care, with what is known of each."""

from __future__ import annotations

from typing import NamedTuple

from crimes.model.report import Crime, Report

MAX_RISKIEST_FILES = 5


class RiskyFile(NamedTuple):
    """A file and the facts about it, the riskiest first."""

    file: str
    facts: tuple[Crime, ...]

    @property
    def text(self) -> str:
        """All of its facts in short."""
        return "; ".join(short_fact(fact) for fact in self.facts)


def riskiest_files(report: Report, limit: int = MAX_RISKIEST_FILES) -> list[RiskyFile]:
    """The files with facts about them, by the worst agent_risk of these; of equals, the one with more facts first."""
    facts: dict[str, list[Crime]] = {}
    for fact in sorted(report.place_facts, key=lambda fact: -_risk(fact)):
        facts.setdefault(fact.file, []).append(fact)
    files = [RiskyFile(file, tuple(own)) for file, own in facts.items()]
    return sorted(files, key=lambda risky: (-_risk(risky.facts[0]), -len(risky.facts), risky.file))[:limit]


def short_fact(fact: Crime) -> str:
    """A fact about a place in a few words."""
    return fact.short or fact.title


def _risk(fact: Crime) -> float:
    return fact.scores.agent_risk or 0.0
