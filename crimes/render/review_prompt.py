"""What a verifying agent has to know to write records: fields, values, points and where each record goes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from crimes.judging.confidence import BANDS
from crimes.workflows.review.policy import SUMMARY_FROM, Threshold
from crimes.workflows.review.reading import ENUMS, FLAGS, REQUIRED, TEXTS
from crimes.workflows.review.record import Kind, ReviewVerdict
from crimes.workflows.review.record_schema import FORBIDDEN, MEANINGS, record_schema
from crimes.workflows.review.table import CONCORDANCE, CONTEXT, EVIDENCE, VERDICT


def prompt(threshold: Threshold, cap: int) -> str:
    """The instructions as markdown, with the schema of records at the end."""
    return "\n".join(_rows(threshold, cap)) + "\n"


def _rows(threshold: Threshold, cap: int) -> Iterator[str]:
    yield from ("# Verify a review of a change", "")
    yield "You get a diff and a draft of review comments. Check each comment against the code and print one JSON array"
    yield "of records, one for each comment, and nothing else. Never drop a comment: what is wrong is DISMISSED."
    yield from ("", "## Fields", "")
    for name in (*REQUIRED, *TEXTS):
        need = "" if name in REQUIRED else ", optional"
        yield f"- `{name}`{need}: {MEANINGS[name]}{_values(name)}"
    claims = " with ".join(f"`{name}: {value}`" for name, value in FORBIDDEN.items())
    yield from ("", f"Never {claims}: who has not read the code around it has no direct evidence.")
    yield from ("", "## Score", "", "| part | points |", "|---|---|")
    yield f"| verdict | {_points(VERDICT)}, {ReviewVerdict.DISMISSED} scores 0 |"
    yield f"| evidence_strength | {_points(EVIDENCE)} |"
    yield f"| context_completeness | {_points(CONTEXT)} |"
    equal, one, two = CONCORDANCE
    yield f"| the two severities | equal {equal:+d}, one step apart {one:+d}, two steps {two:+d} |"
    bands = ", ".join(f"{name} from {minimum}" for minimum, name in BANDS)
    yield from ("", f"The sum is limited to 0 and 100: {bands}, negligible below.")
    yield from ("", "## Where a record goes, by the first rule that fits", "")
    rules = (
        "not `in_diff` or not `in_changed_code`: dropped",
        f"{ReviewVerdict.DISMISSED}: dropped; {Kind.SECURITY} is listed for a person to audit",
        f"{Kind.SECURITY}: a comment on its line, whatever the score",
        "`verifier_severity` high: a comment on its line, whatever the score",
        f"a score of {threshold.score} or more: a comment on its line, at most {cap} of these; the rest goes to the summary",
        f"a score of {SUMMARY_FROM} or more, or `verifier_severity` medium: the summary",
        "anything else: dropped",
    )
    yield from (f"{number}. {rule}" for number, rule in enumerate(rules, 1))
    yield from ("", "## JSON Schema", "", "```json", json.dumps(record_schema(), indent=2), "```")


def _values(name: str) -> str:
    if name in FLAGS:
        return " (`true` or `false`)"
    kind: type[StrEnum] | None = ENUMS.get(name)
    return f" ({', '.join(f'`{member}`' for member in kind)})" if kind else ""


def _points(table: Mapping[Any, int]) -> str:
    return ", ".join(f"{name} {points:+d}" for name, points in table.items())
