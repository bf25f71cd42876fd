"""A number of commits says nothing without the day it is counted back from: every view names it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from crimes.lsp.service import file_facts, function_facts
from crimes.model.report import MeasureOut
from crimes.render import explain, html
from crimes.render.brief import markdown
from crimes.render.checkout import Checkout
from crimes.render.formats import NAMES, human, render
from crimes.render.lines import plain
from crimes.render.plan import fit_plan
from crimes.render.risk_text import rank_change_text
from crimes.workflows.briefing.plan import build_plan
from crimes.workflows.explanation import FindingDetails
from crimes.workflows.rank_changes import RankChange
from crimes.workflows.source_lines import Source
from tests.kit.briefings import briefing
from tests.kit.reports import crime, ranked_file, ranked_files, report

ENDS = ("before 2025-06-01", "before the last commit", "before ${UNTIL}")
COUNTED = {"commits_90d": 7, "fixes_365d": 3, "fixes_3y": 5}
FOUND = crime(evidence={key: MeasureOut(value) for key, value in COUNTED.items()})
RANKED = ranked_file("src/core.py")


def _views() -> Iterator[tuple[str, str]]:
    made = report(FOUND, edit_risk=ranked_files("src/core.py", "src/api.py"))
    for name in NAMES:
        if name != "human":
            yield f"scan as {name}", render(made, name, Checkout).decode()
    yield "scan --all", plain(human.lines(made, top=None, always_profile=True, verbose=True))
    details = FindingDetails(FOUND, None, Source(("x",) * 20), made.history)
    yield "explain", plain(explain.lines(details))
    brief = briefing("src/core.py", edit_risk=RANKED, ranked_files=9)
    yield "context", markdown([brief])
    yield "context of a file without a rank", markdown([briefing("src/core.py")])
    yield "plan", fit_plan(build_plan([brief]), 900).markdown()
    yield "a moved file", rank_change_text(RankChange("a.py", ranked_file("a.py", fixes_365d=1), RANKED, 9))
    yield "a new file", rank_change_text(RankChange("a.py", None, RANKED, 9))
    yield "lens of a file", file_facts(brief)
    yield "lens of a function", function_facts(FOUND, brief)
    for script in sorted((Path(html.__path__[0]) / "assets").glob("*.js")):
        yield script.name, script.read_text("utf-8")


VIEWS = dict(_views())


@pytest.mark.parametrize("view", VIEWS)
def test_a_period_ends_on_a_day_that_is_named(view: str) -> None:
    text = VIEWS[view]
    for period in re.finditer(r"\bin (?:the )?90 days\b|\b[Cc]ommits, 90 days\b", text):
        assert any(end in text[period.end() : period.end() + 60] for end in ENDS), text[period.start() :][:80]
    if re.search(r"\bin (a|the) year\b|\bin (the )?three years\b|\bFixes, year\b", text):
        assert any(end in text for end in ENDS)


def test_the_views_that_count_commits_are_among_them() -> None:
    counting = {view for view, text in VIEWS.items() if "90 days before" in text or "year before" in text}
    assert {
        "scan --all",
        "scan as html",
        "explain",
        "context",
        "plan",
        "lens of a file",
        "model.js",
    } <= counting
