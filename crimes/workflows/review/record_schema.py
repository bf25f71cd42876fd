"""The JSON Schema of records: what `reading` accepts, made from the same constants."""

from __future__ import annotations

from typing import Any

from crimes.workflows.review.reading import ENUMS, FLAGS, MAX_CHARS, MAX_LINE_NUMBER, REQUIRED, TEXTS
from crimes.workflows.review.record import Evidence, Visibility

DRAFT = "https://json-schema.org/draft/2020-12/schema"

MEANINGS = {
    "file": "path from the root of the repository, with `/`; not absolute, no `..`",
    "line": "a line of the new side that the diff shows, from 1",
    "category": "what the record is about; security is always posted",
    "verdict": "what the verifier makes of the draft",
    "evidence_strength": "how directly the evidence shows the problem",
    "context_completeness": "how much of the code around it the verifier has read",
    "drafter_severity": "how bad the drafter thought it is",
    "verifier_severity": "how bad the verifier thinks it is",
    "in_diff": "whether the line is shown by the diff",
    "in_changed_code": "whether the change brought the problem in",
    "id": "the reviewer's own id",
    "title": "the problem in a few words",
    "message": "the comment as it is to be posted",
}
# What a verifier must not claim: evidence read straight from code that nobody has read.
FORBIDDEN = {
    "evidence_strength": str(Evidence.DIRECT),
    "context_completeness": str(Visibility.NONE),
}


def record_schema() -> dict[str, Any]:
    """The schema of an array of records."""
    properties: dict[str, Any] = {
        "file": {"type": "string", "minLength": 1, "maxLength": MAX_CHARS["file"]},
        "line": {"type": "integer", "minimum": 1, "maximum": MAX_LINE_NUMBER},
        **{name: {"enum": [str(member) for member in kind]} for name, kind in ENUMS.items()},
        **{name: {"type": "boolean"} for name in FLAGS},
        **{name: {"type": "string", "maxLength": MAX_CHARS[name]} for name in TEXTS},
    }
    for name, described in properties.items():
        described["description"] = MEANINGS[name]
    forbidden = {name: {"const": value} for name, value in FORBIDDEN.items()}
    return {
        "type": "array",
        "items": {
            "type": "object",
            "properties": properties,
            "required": list(REQUIRED),
            "not": {"properties": forbidden, "required": list(forbidden)},
        },
    }
