"""Evidence in words: no key of the JSON reaches a reader as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crimes.model.report import MeasureOut
from crimes.render.evidence_text import evidence_label, evidence_value

DETECTORS = Path(__file__).parents[2] / "detectors" / "crimes_detectors"


def evidence_keys() -> set[str]:
    texts = (path.read_text("utf-8") for path in DETECTORS.glob("*.py"))
    return {key for text in texts for key in re.findall(r'"(\w+)": Measure\(', text)}


def test_every_key_of_the_detectors_reads_as_english() -> None:
    keys = evidence_keys()
    assert len(keys) > 50
    for key in keys:
        assert not re.search(
            r"_|\d[dy]\b|\bpercent\b|\b(cognitive|logic)$",
            evidence_label(key, "2025-06-01").removesuffix(" before 2025-06-01"),
        ), key


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("cuts_that_break_all", "imports to cut so that no cycle is left"),
        ("commits_90d", "commits in the 90 days before 2025-06-01"),
        ("fixes_365d", "fixes in the year before 2025-06-01"),
        ("edits_3y", "commits that changed it"),
        ("logic_lines", "lines of code"),
        ("most_imported_names", "most imported names"),
        ("parameters", "parameters"),  # of a plugin
    ],
)
def test_label(key: str, label: str) -> None:
    assert evidence_label(key, "2025-06-01") == label


@pytest.mark.parametrize(
    ("key", "measure", "text"),
    [
        ("similar_percent", MeasureOut(99, 60), "99% (limit 60%)"),
        ("nesting", MeasureOut(3, 4), "3 (below the limit of 4)"),
        ("fixes_365d", MeasureOut(3, 4), "3 (normally reported at 4 or more)"),
        ("fixes_365d", MeasureOut(5, 4), "5 (limit 4)"),
        ("lines_without_literals", MeasureOut(107, 120), "107 (long at 120 or more)"),
        ("lines_without_literals", MeasureOut(130, 120), "130 (long at 120 or more)"),
        ("tokens", MeasureOut(1_200, None), "1,200"),
        ("call", MeasureOut("time.sleep", None), "time.sleep"),
        ("names", MeasureOut(("a", "b"), None), "a, b"),
    ],
)
def test_value(key: str, measure: MeasureOut, text: str) -> None:
    assert evidence_value(key, measure) == text
