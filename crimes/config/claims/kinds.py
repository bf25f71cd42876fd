"""The kinds of claims a text can make without showing why."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What is wrong with a statement when nothing stands beside it."""

    SPECULATION = "speculation_language"
    CAUSALITY = "causality_language"
    QUANTITY = "pseudo_quantification"
    COMPLETENESS = "completeness_claim"
    EVALUATION = "evaluative_design_claim"
    CONTRADICTION = "internal_contradiction"
    ABSENCE = "unsupported_absence"
    BEHAVIOUR = "ungrounded_behavioral_claim"
