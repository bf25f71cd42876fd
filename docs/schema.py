"""Write the JSON Schemas of what crimes prints: `python docs/schema.py`, or `--check` that they are fresh."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from crimes.model.report import Report
from crimes.render.claims import ClaimsReport
from crimes.render.trust import TrustReport
from crimes.tracking.baseline import BaselineCheck
from crimes.workflows.briefing.plan import Plan
from crimes.workflows.briefing.record import Briefing
from crimes.workflows.calibration import Calibration
from crimes.workflows.check import Check
from crimes.workflows.comparison import Comparison, VerdictReport
from crimes.workflows.explanation import Explanation
from crimes.workflows.hotspots import Hotspots
from crimes.workflows.review.result import Review
from crimes.workflows.trend import Trend
from crimes.workflows.triage import PastDecisions

FOLDER = Path(__file__).parent
SCHEMAS: dict[str, type[msgspec.Struct]] = {
    "report.schema.json": Report,
    "context.schema.json": Briefing,
    "plan.schema.json": Plan,
    "check.schema.json": Check,
    "claims.schema.json": ClaimsReport,
    "diff.schema.json": Comparison,
    "verdict.schema.json": VerdictReport,
    "baseline.schema.json": BaselineCheck,
    "hotspots.schema.json": Hotspots,
    "trend.schema.json": Trend,
    "review.schema.json": Review,
    "trust.schema.json": TrustReport,
    "calibration.schema.json": Calibration,
    "explain.schema.json": Explanation,
    "triage.schema.json": PastDecisions,
}


def schema(type_: type[msgspec.Struct]) -> str:
    """The schema of one type, as the text of its file."""
    body = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(type_)}
    return json.dumps(body, indent=2, sort_keys=True) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the files, or list those that are not fresh and return 1."""
    stale = [
        name
        for name, type_ in SCHEMAS.items()
        if not (FOLDER / name).is_file() or (FOLDER / name).read_text("utf-8") != schema(type_)
    ]
    if "--check" in arguments:
        for name in stale:
            print(f"docs/{name} is not fresh; run `python docs/schema.py`")
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(schema(SCHEMAS[name]), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
