"""Whether a file is worth a word before an edit, as a number from 0 to 1."""

from __future__ import annotations

from typing import Any

THRESHOLD = 0.5
_TIED = 3  # commits together
_NEVER_EDITED = ("generated", "vendored")


def relevance(briefing: Any) -> float:
    """The worst of: its findings, what hangs on it, what changes with it. An edit that the next build undoes is worth most."""
    if is_never_edited(briefing):
        return 1.0
    risks = [crime.scores.agent_risk or 0.0 for crime in briefing.findings]
    profile = briefing.profile
    spread = 0.6 * profile.blast_radius + 0.2 * profile.churn + 0.2 * profile.test_gap
    tied = any(one.commits >= _TIED and 2 * one.commits >= one.of for one in briefing.companions)
    return float(max(*risks, spread, 0.6 if tied else 0.0, 0.0))


def is_never_edited(briefing: Any) -> bool:
    return briefing.role in _NEVER_EDITED
