"""Edit risk in words."""

from __future__ import annotations

import pytest

from crimes.model.edit_risk import Band
from crimes.model.wording import ordinal
from crimes.render.brief import markdown
from crimes.render.plan import fit_plan
from crimes.render.risk_text import counts_text, risk_sentence, share_text
from crimes.workflows.briefing.plan import build_plan
from tests.kit.briefings import briefing
from tests.kit.reports import ranked_file

RISKY = ranked_file("a.py", 4, lines=5385, complexity=500)
SENTENCE = (
    "4th of 902 files; about 1 in 2 files like this needs a fix within six months: 46 commits, 12 of them fixes, in the past year; "
    "complexity 500 in 5,385 lines of code"
)


def test_sentence_has_place_share_and_raw_counts() -> None:
    assert risk_sentence(RISKY, 902) == SENTENCE


def test_sentence_without_history_has_no_share() -> None:
    limited = ranked_file("a.py", 4, band="", commits_365d=0, fixes_365d=0)
    assert risk_sentence(limited, 902) == (
        "4th of 902 files by size, complexity and visible commits (history is limited): complexity 125 in 1,250 lines of code"
    )


def test_counts_name_only_what_is_there() -> None:
    quiet = ranked_file("a.py", complexity=0, lines=1, commits_365d=0, fixes_365d=0)
    assert counts_text(quiet) == "no commits in the past year; 1 line of code"
    assert counts_text(ranked_file("a.py", commits_365d=1, fixes_365d=0)) == (
        "1 commit in the past year; complexity 500 in 5,000 lines of code"
    )


def test_each_band_agrees_in_number() -> None:
    assert [share_text(band.text) for band in Band] == [
        "fewer than 1 in 20 files like this need a fix",
        "about 1 in 10 files like this needs a fix",
        "about 1 in 4 files like this needs a fix",
        "about 1 in 2 files like this needs a fix",
        "about 3 in 4 files like this need a fix",
    ]


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (1022, "1,022nd")],
)
def test_ordinal(number: int, text: str) -> None:
    assert ordinal(number) == text


def test_briefing_opens_with_edit_risk_and_does_not_repeat_the_year() -> None:
    rows = markdown([briefing("a.py", edit_risk=RISKY, ranked_files=902)]).splitlines()
    assert rows[:2] == ["# `a.py`", f"Edit risk: {SENTENCE}"]
    assert "in the 90 days before 2025-06-01" in rows[2]
    assert "in the past year" not in rows[2]


def test_briefing_of_a_file_that_is_not_ranked_has_its_year() -> None:
    rows = markdown([briefing("test_a.py")]).splitlines()
    assert "Edit risk" not in rows[1]
    assert "in the past year" in rows[1]


def test_plan_opens_with_the_riskiest_of_its_files() -> None:
    plan = build_plan(
        [
            briefing("b.py", edit_risk=ranked_file("b.py", 30), ranked_files=902),
            briefing("a.py", edit_risk=RISKY, ranked_files=902),
            briefing("test_a.py", ranked_files=902),
        ]
    )
    rows = fit_plan(plan, 1_500).markdown().splitlines()
    assert rows[2:4] == [
        "## Edit risk",
        f"- `a.py`: {SENTENCE.replace('the past year', 'the year before the last commit')}",
    ]
    assert rows[4].startswith("- `b.py`: 30th of 902 files; ")
    assert "test_a.py" not in "".join(rows[2:5])
