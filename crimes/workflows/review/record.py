"""A record: one finding of a reviewer, human or model, as it enters the scoring."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from crimes.model.severity import Severity


class Kind(StrEnum):
    """What a record is about. Only security is treated in a way of its own."""

    SECURITY = "security"
    LOGIC_ERROR = "logic_error"
    ERROR_HANDLING = "error_handling"
    CONCURRENCY = "concurrency"
    DATA_INTEGRITY = "data_integrity"
    RESOURCE_LEAK = "resource_leak"
    API_CONTRACT = "api_contract"
    PERFORMANCE = "performance"
    TESTING = "testing"
    MAINTAINABILITY = "maintainability"
    DOCUMENTATION = "documentation"
    STYLE = "style"


class ReviewVerdict(StrEnum):
    """What the verifier made of the draft; in the order of the posting."""

    CONFIRMED = "CONFIRMED"
    LIKELY = "LIKELY"
    DISMISSED = "DISMISSED"


class Evidence(StrEnum):
    """How directly the evidence shows the problem; the strongest first."""

    DIRECT = "direct"
    CIRCUMSTANTIAL = "circumstantial"
    SPECULATIVE = "speculative"


class Visibility(StrEnum):
    """How much of the surrounding code the reviewer saw; the most first."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


class Record(Struct, frozen=True):
    """One finding. `drafter` is None when crimes was the only assessor."""

    file: str
    line: int
    category: Kind
    verdict: ReviewVerdict
    evidence: Evidence
    context: Visibility
    drafter: Severity | None
    verifier: Severity
    in_diff: bool
    in_changed_code: bool
    title: str = ""
    message: str = ""
    id: str = ""  # the reviewer's own id, or the id of crimes' own finding
    number: int | None = None  # its place in the input, from 0; None for crimes' own findings
    checks: tuple[str, ...] = ()  # results of checking its claims against the repository
    placed: bool | None = None  # whether the diff shows its line; None when there was no diff
