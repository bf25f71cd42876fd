"""How much a file deserves a briefing before an edit, from 0 to 1."""

from __future__ import annotations

from typing import Any

THRESHOLD = 0.5
_MIN_SHARED_COMMITS = 3
_NEVER_EDITED = ("generated", "vendored")


def relevance(briefing: Any) -> float:
    """The highest of: its findings, what depends on it, what changes with it; 1 if the next build undoes the edit."""
    if is_never_edited(briefing):
        return 1.0
    risks = [crime.scores.agent_risk or 0.0 for crime in briefing.findings]
    profile = briefing.profile
    spread = 0.6 * profile.blast_radius + 0.2 * profile.churn + 0.2 * profile.test_gap if profile else 0.0
    shares = ((companion.commits, companion.of) for companion in briefing.companions)
    tied = any(commits >= _MIN_SHARED_COMMITS and 2 * commits >= of for commits, of in shares)
    return float(max(*risks, spread, 0.6 if tied else 0.0, 0.0))


def is_never_edited(briefing: Any) -> bool:
    return briefing.role in _NEVER_EDITED
