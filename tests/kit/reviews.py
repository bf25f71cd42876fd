"""Records built by hand, for tests of reviews."""

from __future__ import annotations

import json
from typing import Any

from crimes.workflows.review.policy import arrange
from crimes.workflows.review.reading import Input, read_records
from crimes.workflows.review.record import Record

PLAIN: dict[str, Any] = {
    "file": "pkg/app/handler.go",
    "line": 42,
    "category": "logic_error",
    "verdict": "CONFIRMED",
    "evidence_strength": "direct",
    "context_completeness": "full",
    "drafter_severity": "medium",
    "verifier_severity": "medium",
    "in_diff": True,
    "in_changed_code": True,
}


def raw(**changes: Any) -> dict[str, Any]:
    """A valid record as it comes in."""
    return {**PLAIN, **changes}


def given(*records: Any) -> Input:
    """What reading these gives."""
    return read_records(json.dumps(list(records)).encode(), "records.json")


def record(**changes: Any) -> Record:
    """One record, read."""
    return given(raw(**changes)).records[0]


def places(records: list[Record], **options: int) -> dict[str, list[int | None]]:
    """The numbers of the records in each list."""
    arranged = arrange(records, **options)
    return {
        name: [item.record.number for item in getattr(arranged, name)]
        for name in ("inline", "summary", "audit", "dropped")
    }
