"""How bad a finding is."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is where it stands; the numbers are in crimes.model.scores."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
