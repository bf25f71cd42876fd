"""Edit risk of every source file and script: its place among the others, what it was computed from, and the band of a fix.

Tests, generated and vendored files, examples and documents are not ranked. Without history, or with a part of it, what is left is
size, complexity and the commits that are visible; then `limited` says why, no file has a band, and nothing may be compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from crimes.analyses.function_totals import TOTALS, Totals
from crimes.analyses.history.history import HISTORY, History
from crimes.analyses.history.past_edits import NO_EDITS, PastEdits
from crimes.detection.context import Analysis, Context
from crimes.model.edit_risk import (
    Band,
    RiskScale,
    RiskTerms,
    band_of,
    probability_per_line,
    risk_scale,
    risk_terms,
)
from crimes.model.errors import Unavailable
from crimes.model.facts import Role

RANKED_ROLES = frozenset({Role.SOURCE, Role.SCRIPT})


class FileRisk(Struct, frozen=True):
    """Edit risk of one file, with its raw counts."""

    path: str
    risk: float
    rank: int  # from 1, the riskiest first; of equals, by path
    probability: float  # of a fix in the next 180 days; for arithmetic, never shown
    band: Band | None  # None where history is limited
    terms: RiskTerms
    lines: int  # of code
    complexity: int  # cognitive, summed over its functions
    edits: PastEdits

    @property
    def per_line(self) -> float:
        """The probability of a fix per line that has to be read."""
        return probability_per_line(self.probability, self.lines)


class EditRisk(Struct, frozen=True):
    """Edit risk of all ranked files."""

    files: Mapping[str, FileRisk]  # by path, the riskiest first
    scale: RiskScale
    limited: str = ""  # why history is missing or incomplete; empty when it is neither

    def per_line(self) -> list[FileRisk]:
        """The files by the probability of a fix per line that has to be read, highest first."""
        return sorted(self.files.values(), key=lambda file: (-file.per_line, file.path))


def build(context: Context) -> EditRisk:
    """Edit risk of the ranked files. It never fails: what is missing is stated in `limited`."""
    try:
        history = context[HISTORY]
    except Unavailable as reason:
        return _rank(context, {}, str(reason))
    return _rank(context, _edits(history), history.reason if history.limited else "")


def _edits(history: History) -> Mapping[str, PastEdits]:
    return {path: past.edits for path, past in history.files.items()}


def _rank(context: Context, edits: Mapping[str, PastEdits], limited: str) -> EditRisk:
    totals, nothing = context[TOTALS], Totals()
    terms: dict[str, RiskTerms] = {}
    for path, file in context.repo.files.items():
        if file.role in RANKED_ROLES:
            past = edits.get(path, NO_EDITS)
            complexity = totals.get(path, nothing).cognitive
            terms[path] = risk_terms(file.facts.logic_lines, complexity, past.commits, past.fixes)
    risks = {path: term.risk for path, term in terms.items()}
    fixed = sum(edits.get(path, NO_EDITS).fixes_180d > 0 for path in terms)
    scale = risk_scale(risks.values(), fixed)
    ranked: dict[str, FileRisk] = {}
    for rank, path in enumerate(sorted(risks, key=lambda path: (-risks[path], path)), 1):
        probability = scale.probability(risks[path])
        ranked[path] = FileRisk(
            path=path,
            risk=risks[path],
            rank=rank,
            probability=probability,
            band=None if limited else band_of(probability),
            terms=terms[path],
            lines=context.repo.files[path].facts.logic_lines,
            complexity=totals.get(path, nothing).cognitive,
            edits=edits.get(path, NO_EDITS),
        )
    return EditRisk(ranked, scale, limited)


EDIT_RISK = Analysis("edit_risk", build)
