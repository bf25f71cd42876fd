"""Files that a change moves in the ranking: which moves are much, and how diff and check tell of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crimes.model.edit_risk import RankedFiles
from crimes.render.risk_text import rank_change_text
from crimes.workflows.comparing import compare_states, parse_range
from crimes.workflows.comparison import Comparison
from crimes.workflows.rank_changes import RankChange, rank_changes
from crimes.workflows.session import Session
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.reports import ranked_file, ranked_files
from tests.kit.sample_code import PLAIN, tangled

NAMES = [f"src/f{number}.py" for number in range(100)]


def moved(name: str, to: int, touched: set[str] | None = None) -> list[tuple[str, int, int]]:
    """File, place before and place now of what counts when one file takes another place."""
    names = [other for other in NAMES if other != name]
    names.insert(to - 1, name)
    changes = rank_changes(ranked_files(*NAMES), ranked_files(*names), touched or {name}, {})
    return [(change.file, change.was.rank if change.was else 0, change.now.rank) for change in changes]


def test_move_of_a_twentieth_counts_when_one_end_is_in_the_first_fifth() -> None:
    assert moved(NAMES[24], to=20) == [(NAMES[24], 25, 20)]
    assert moved(NAMES[23], to=20) == []
    assert moved(NAMES[19], to=60) == [(NAMES[19], 20, 60)]
    assert moved(NAMES[60], to=21) == []


def test_small_repository_needs_three_places() -> None:
    before, now = ranked_files(*"abcde"), ranked_files(*"dabce")
    assert [change.file for change in rank_changes(before, now, set("abcde"), {})] == ["d"]


def test_files_that_the_change_did_not_touch_are_left_out() -> None:
    assert moved(NAMES[60], to=1, touched={NAMES[3]}) == []


def test_renamed_file_is_compared_with_its_former_self() -> None:
    before, now = ranked_files(*"abcde"), ranked_files("a", "x", "b", "c", "d")
    assert rank_changes(before, now, {"x"}, {"x": "b"}) == ()


def test_new_file_counts_among_the_first_fifth() -> None:
    before = ranked_files(*NAMES)
    for place, number in ((20, 1), (30, 0)):
        now = ranked_files(*NAMES[: place - 1], "new.py", *NAMES[place - 1 :])
        assert len(rank_changes(before, now, {"new.py"}, {})) == number


def test_nothing_is_compared_where_history_is_limited() -> None:
    names = [NAMES[50], *NAMES[:50], *NAMES[51:]]
    limited = ranked_files(*names, history_limited="shallow clone")
    assert rank_changes(ranked_files(*NAMES), limited, set(NAMES), {}) == ()


def test_text_names_both_places_and_what_changed() -> None:
    was = ranked_file("a.py", 40, lines=400, complexity=100)
    now = ranked_file("a.py", 12, lines=900, complexity=100, fixes_365d=13)
    assert rank_change_text(RankChange("a.py", was, now, 215)) == (
        "from 40th to 12th of 215 files by edit risk: 400 to 900 lines, 12 to 13 fixes in the year before the last commit"
    )
    assert rank_change_text(RankChange("a.py", None, now, 215)) == (
        "new, 12th of 215 files by edit risk: 46 commits, 13 of them fixes, in the year before the last commit; complexity 100 in 900 lines of code"
    )


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    files = {f"shop/f{number}.py": PLAIN * (12 - number) for number in range(8)}
    made.commit(files, "Begin", days_ago=300)
    made.commit({"README.md": "# Shop\n"}, "Describe", days_ago=200)
    return made


def comparison_of(repo: GitRepo, *ranges: str) -> Comparison:
    return compare_states(Session(repo.path), parse_range(ranges, "")).comparison


def test_check_and_diff_tell_of_a_file_that_an_edit_makes_the_riskiest(repo: GitRepo) -> None:
    repo.write({"shop/f6.py": PLAIN * 6 + tangled("total")})
    (change,) = comparison_of(repo).rank_changes
    assert (change.file, change.was and change.was.rank, change.now.rank) == ("shop/f6.py", 7, 1)
    text = run_crimes(repo.path, "check", "--format", "md").stdout
    assert "## Moved by edit risk\n- `shop/f6.py`: from 7th to 1st of 8 files by edit risk: 12 to " in text
    assert json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)["rank_changes"]
    assert "# shop/f6.py: from 7th to 1st of 8 files by edit risk" in run_crimes(repo.path, "diff").stdout
    assert "7th to 1st" not in run_crimes(repo.path, "diff", "shop/f1.py").stdout


def test_edit_that_moves_no_rank_is_not_mentioned(repo: GitRepo) -> None:
    repo.write({"shop/f6.py": PLAIN * 6 + "VALUE = 1\n"})
    assert comparison_of(repo).rank_changes == ()


def test_shallow_clone_says_why_edit_risk_is_not_compared(repo: GitRepo, tmp_path: Path) -> None:
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=1")
    clone.write({"shop/f6.py": PLAIN * 6 + tangled("total")})
    comparison = comparison_of(clone)
    assert comparison.rank_changes == ()
    assert [
        text for text in comparison.warnings if text.startswith("edit risk is not compared: trust is too low")
    ]


def test_ranking_without_files_changes_nothing() -> None:
    assert rank_changes(RankedFiles(), RankedFiles(), {"a.py"}, {}) == ()
