"""Write the JSON Schemas of what crimes prints: `python docs/schema.py`, or `--check` that they are fresh.

The description of a property is the comment beside its field in the struct, or the `description` of its `Meta`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

sys.path.insert(0, str(Path(__file__).parents[1]))

from crimes.model.report import Report
from crimes.render.claims import ClaimsReport
from crimes.render.trust import TrustReport
from crimes.tracking.baseline import BaselineCheck
from crimes.workflows.backtest.result import Backtest
from crimes.workflows.briefing.plan import Plan
from crimes.workflows.briefing.record import Briefing
from crimes.workflows.calibration import Calibration
from crimes.workflows.check import Check
from crimes.workflows.comparison import Comparison, VerdictReport
from crimes.workflows.explanation import Explanation
from crimes.workflows.fleet.diff import FleetDiff
from crimes.workflows.fleet.report import FleetReport
from crimes.workflows.hotspots import Hotspots
from crimes.workflows.replay import Replay
from crimes.workflows.review.record_schema import DRAFT, record_schema
from crimes.workflows.review.result import Review
from crimes.workflows.trend import Trend
from crimes.workflows.triage import PastDecisions
from docs.generators.field_comments import field_comments

ADDRESS = "https://github.com/crimes-cli/crimes/blob/main/docs"
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
    "backtest.schema.json": Backtest,
    "review.schema.json": Review,
    "replay.schema.json": Replay,
    "trust.schema.json": TrustReport,
    "calibration.schema.json": Calibration,
    "explain.schema.json": Explanation,
    "triage.schema.json": PastDecisions,
    "fleet.schema.json": FleetReport,
    "fleet-diff.schema.json": FleetDiff,
}


RECORDS = "records.schema.json"  # of what `crimes review` reads; it comes from the constants of the reader


def schema(name: str) -> str:
    """The schema in this file, as the text of the file."""
    if name == RECORDS:
        return json.dumps({"$schema": DRAFT, "$id": f"{ADDRESS}/{name}", **record_schema()}, indent=2) + "\n"
    type_ = SCHEMAS[name]
    body = msgspec.json.schema(type_)
    for class_ in {class_.__name__: class_ for class_ in structs_in(inspect.type_info(type_))}.values():
        _describe(body["$defs"][class_.__name__]["properties"], class_)
    head = {"$schema": DRAFT, "$id": f"{ADDRESS}/{name}"}
    return json.dumps({**head, **body}, indent=2, sort_keys=True) + "\n"


def _describe(properties: dict[str, Any], class_: type[msgspec.Struct]) -> None:
    """Adds the comment of each field to its property, unless the field's `Meta` describes it."""
    comments = field_comments(class_)
    for field in msgspec.structs.fields(class_):
        if field.name in comments:
            properties[field.encode_name].setdefault("description", comments[field.name])


def structs_in(type_: inspect.Type) -> Iterator[type[msgspec.Struct]]:
    """Every struct that values of this type can hold; one that is used twice comes twice."""
    if isinstance(type_, inspect.StructType):
        yield type_.cls
        for field in type_.fields:
            yield from structs_in(field.type)
    elif isinstance(type_, inspect.UnionType):
        for member in type_.types:
            yield from structs_in(member)
    elif isinstance(type_, inspect.DictType):
        yield from structs_in(type_.value_type)
    elif isinstance(type_, inspect.VarTupleType):
        yield from structs_in(type_.item_type)
    elif isinstance(type_, inspect.Metadata):
        yield from structs_in(type_.type)


def main(arguments: Sequence[str]) -> int:
    """Write the files, or list those that are not fresh and return 1."""
    stale = [
        name
        for name in (*SCHEMAS, RECORDS)
        if not (FOLDER / name).is_file() or (FOLDER / name).read_text("utf-8") != schema(name)
    ]
    if "--check" in arguments:
        for name in stale:
            print(f"docs/{name} is not fresh; run `python docs/schema.py`")
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(schema(name), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
