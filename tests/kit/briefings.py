"""Briefings without a repository."""

from __future__ import annotations

from typing import Any

import msgspec

from crimes.engine.scan import Scan
from crimes.model.facts import Role
from crimes.model.report import Tool
from crimes.workflows.briefing import advice
from crimes.workflows.briefing.build import BriefingBuilder
from crimes.workflows.briefing.encoding import encode_briefings
from crimes.workflows.briefing.record import (
    SCHEMA_VERSION,
    Author,
    Briefing,
    CheckCommand,
    Clone,
    Companion,
    CopyGroup,
    CopyPlace,
    Fix,
    Importers,
    Imports,
    Owners,
    Partner,
    Profile,
    ReachingTests,
    Symbol,
    User,
)
from tests.kit.reports import EVIDENCE, crime, report


def briefing(name: str = "src/core.py", **changes: Any) -> Briefing:
    """A briefing with the name, or any text, wherever a repository can put one."""
    facts = Briefing(
        schema_version=SCHEMA_VERSION,
        tool=Tool("crimes", "0.1.0"),
        repository=name,
        file=name,
        language="python",
        role=Role.SOURCE,
        role_note="",
        advice=(),
        findings=(crime(name, symbol=name, message=f"{name} is too complex."),),
        profile=Profile(churn=0.2, test_gap=0.0, blast_radius=0.14, evidence=EVIDENCE),
        importers=Importers(direct=2, sure=5, possible=7, closest=(name, "src/api.py")),
        imports=Imports(internal=(name,), external=("requests",), unresolved=(name,)),
        cycle=(name, "src/other.py"),
        tests=ReachingTests((name,), (), 3, f"python -m pytest {name}", 1),
        together=(Partner(name, 4, 5, 0.8),),
        fixes=(Fix("0123456789ab", "2025-05-01", name, name), Fix("ba9876543210", "2025-04-01", name, name)),
        fixes_365d=2,
        owners=Owners((name,), (Author(name, 9, 0.9, "2025-05-01"),)),
        history=report().history,
        limits=(name,),
        users=(User(name, (name,)), User("src/api.py", ()), User("tests/test_core.py", ("total",), True)),
        companions=(Companion(name, 4, 5), Companion("docs/core.md", 4, 5)),
        clones=(Clone(3, 20, (f"{name}:30-47",)),),
        copies=(CopyGroup((CopyPlace(name, "", 3, 20), CopyPlace(name, "", 30, 47)), 2, 18, False),),
        checks=(CheckCommand("lint", f"ruff check {name}", "pyproject.toml"),),
        instructions=(name,),
        symbols=(Symbol(name, 1, 9), Symbol("Cart", 10, 40), Symbol("Cart.total", 12, 20)),
    )
    return advice.with_advice(msgspec.structs.replace(facts, **changes))


def encode_all(scan: Scan) -> dict[str, bytes]:
    """By path: the encoded briefing of every file that a scan read."""
    return encode_briefings(BriefingBuilder(scan), scan.context.repo.files)
