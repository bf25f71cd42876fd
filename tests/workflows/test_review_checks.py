"""Records held against a real diff: claims that do not hold are overridden, and the record says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.system.git_diff import Difference, difference
from crimes.workflows.review.assemble import assemble
from crimes.workflows.review.checks import check_claims
from crimes.workflows.review.own import OwnReview
from crimes.workflows.review.policy import parse_threshold
from tests.kit.gitrepo import GitRepo
from tests.kit.reviews import given, raw, record

LONG = "".join(f"line {number}\n" for number in range(1, 41))


@pytest.fixture
def diff(tmp_path: Path) -> Difference:
    """a.py changed at lines 5 and 30, gone.py deleted, old.py moved and changed, picture.png replaced."""
    repo = GitRepo(tmp_path / "repo")
    base = repo.commit({"a.py": LONG, "gone.py": "x\n", "old.py": LONG, "same.py": "x\n", "p.png": b"\0"})
    repo.git("mv", "old.py", "new.py")
    changed = LONG.replace("line 5\n", "five\n").replace("line 30\n", "thirty\n")
    repo.write({"a.py": changed, "gone.py": None, "new.py": LONG + "more\n", "p.png": b"\0\1"})
    return difference(repo.path, base)


@pytest.mark.parametrize(
    ("file", "line", "told"),
    [
        ("a.py", 20, "line 20 is outside the lines the diff shows: 2-8, 27-33"),
        ("a.py", 812, "line 812 is outside the lines the diff shows"),
        ("a.py", 1, "line 1 is outside"),
        ("gone.py", 1, "the diff deletes this file"),
        ("old.py", 41, "the file is now called new.py"),
        ("p.png", 1, "the diff shows no lines of this file"),
        ("same.py", 1, "the diff does not touch this file"),
        ("invented.py", 3, "the diff does not touch this file"),
    ],
)
def test_a_claim_to_be_in_the_diff_is_overridden(diff: Difference, file: str, line: int, told: str) -> None:
    made = check_claims(record(file=file, line=line), diff)
    assert (made.in_diff, made.placed) == (False, False)
    (check,) = made.checks
    assert check.startswith("in_diff overridden: ")
    assert told in check


@pytest.mark.parametrize(("file", "line"), [("a.py", 5), ("a.py", 30), ("new.py", 41)])
def test_correct_claim_adds_no_note(diff: Difference, file: str, line: int) -> None:
    made = check_claims(record(file=file, line=line), diff)
    assert (made.in_diff, made.placed, made.checks) == (True, True, ())


def test_a_line_beside_changed_ones_can_be_commented_on(diff: Difference) -> None:
    made = check_claims(record(file="a.py", line=7), diff)
    assert (made.in_diff, made.placed) == (True, True)
    assert made.checks == ("line 7 is in the diff, but unchanged",)


def test_claim_to_be_outside_the_diff_is_not_overridden(diff: Difference) -> None:
    made = check_claims(record(file="a.py", line=5, in_diff=False), diff)
    assert (made.in_diff, made.placed) == (False, True)
    assert "left unchanged" in made.checks[0]


def test_the_override_drops_the_record_and_is_counted(diff: Difference) -> None:
    records = given(
        raw(file="a.py", line=5),
        raw(file="a.py", line=812, category="security", verifier_severity="high", odd=1),
        raw(file="a.py", line=6, in_diff=False),
    )
    made = assemble(records, diff, OwnReview(), parse_threshold("moderate"), 5)
    assert [item.record for item in made.inline] == [0]
    assert [item.record for item in made.dropped] == [1, 2]
    assert made.counts.overridden == 1
    (unknown, override) = made.dropped[0].checks
    assert "odd" in unknown
    assert "overridden" in override
    assert (made.dropped[0].gate, made.dropped[0].in_diff, made.dropped[0].forced) == ("scope", False, False)


def test_without_a_base_claims_are_taken_as_they_are() -> None:
    made = assemble(given(raw(line=812)), None, OwnReview(), parse_threshold("moderate"), 5)
    assert (made.inline[0].in_diff, made.inline[0].placed, made.base) == (True, None, "")
    assert made.counts.overridden == 0
