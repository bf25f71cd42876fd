"""`crimes backtest` on real repositories with known later fixes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from crimes.analyses.history.later_fixes import LaterFix
from crimes.render.backtest import lines
from crimes.render.lines import plain
from crimes.workflows.backtest.measure import spread_subjects
from crimes.workflows.backtest.result import Backtest
from crimes.workflows.backtest.run import run_backtest
from crimes.workflows.session import Session
from tests.kit.command import run_crimes
from tests.kit.gitrepo import NOW, GitRepo
from tests.kit.hostile_text import HOSTILE, is_clean
from tests.workflows.test_backtest_metrics import auc_by_pairs, precision_by_thresholds

FILES = 24
# By file: how many fixes follow. 15 are fixed, most of them long ones.
LATER_FIXES = [0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 2, 3, 1]


def code(lines: int) -> str:
    return "".join(f"VALUE_{number} = {number}\n" for number in range(lines))


def name(number: int) -> str:
    return f"shop/part_{number:02}.py"


def start(path: Path) -> GitRepo:
    """File 0 has 5 lines, each further one 3 more; file 2 was fixed before the cut, and the cut is 181 days before HEAD."""
    repo = GitRepo(path, past=False)
    repo.commit({name(number): code(5 + 3 * number) for number in range(FILES)}, "Start", days_ago=400)
    repo.commit({name(2): code(11) + "# fixed\n"}, "Fix an early fault", days_ago=300)
    repo.commit({"README.md": "Shop\n"}, "Describe", days_ago=181)
    return repo


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    made = start(tmp_path_factory.mktemp("repos") / "shop")
    day = 170
    for number, fixes in enumerate(LATER_FIXES):
        for round_ in range(fixes):
            # Fixed files grow, the short ones most: today's tree would give the answer away.
            grown = code(300 - number + round_)
            made.commit({name(number): grown}, f"Fix fault {round_} of part {number}", days_ago=day)
            day -= 5
    made.commit({"README.md": "The shop\n"}, "Describe more", days_ago=0)
    return made


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


def backtest_json(path: Path, *arguments: str) -> Any:
    done = run_crimes(path, "backtest", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    jsonschema.validate(made, msgspec.json.schema(Backtest))
    return made


def test_measures_equal_those_computed_by_hand(repo: GitRepo) -> None:
    (cut,) = backtest_json(repo.path)["cuts"]
    assert cut["commit"] == repo.git("rev-list", "-1", "--grep=^Describe$", "HEAD")
    assert cut["until"] == repo.git("rev-parse", "HEAD")
    assert (cut["files"], cut["fixed_files"], cut["fix_commits"], cut["fixes"]) == (24, 15, 18, 18)
    fixed = [number > 0 for number in LATER_FIXES]
    length = [5 + 3 * number for number in range(FILES)]
    by_name = {quality["ranking"]: quality for quality in cut["rankings"]}
    measured = by_name["file_length"]
    assert measured["roc_auc"] == pytest.approx(auc_by_pairs(length, fixed), abs=1e-4)
    assert measured["average_precision"] == pytest.approx(precision_by_thresholds(length, fixed), abs=1e-4)
    assert measured["first_ten_fixed"] == 9
    assert measured["tenths"][0] == pytest.approx(6 / 18, abs=1e-4)  # the three longest files
    # The early fix puts file 2 first, and nothing else tells edit risk from length: no file has a function, and all are of one day.
    risk = [0 if number != 2 else 1000 for number in range(FILES)]
    ours = [above + below for above, below in zip(risk, length, strict=True)]
    assert by_name["edit_risk"]["roc_auc"] == pytest.approx(auc_by_pairs(ours, fixed), abs=1e-4)
    assert by_name["edit_risk"]["average_precision"] == pytest.approx(
        precision_by_thresholds(ours, fixed), abs=1e-4
    )


def test_ranks_the_tree_as_it_was_and_marks_what_was_fixed(repo: GitRepo) -> None:
    (cut,) = backtest_json(repo.path)["cuts"]
    assert [(file["file"], file["rank"], file["fixes"]) for file in cut["first_ten"][:4]] == [
        (name(2), 1, 0),
        (name(23), 2, 1),
        (name(22), 3, 3),
        (name(21), 4, 2),
    ]
    assert sum(band["files"] for band in cut["bands"]) == FILES
    assert sum(band["fixed"] for band in cut["bands"]) == 15
    assert [subject["subject"] for subject in cut["subjects"]][::4] == [
        "Fix fault 0 of part 3",
        "Fix fault 0 of part 23",
    ]


def test_ranking_that_is_no_better_is_called_not_distinguishable(repo: GitRepo) -> None:
    text = run_crimes(repo.path, "backtest").stdout
    assert "24 files as of 2024-12-02" in text
    assert "18 fix commits followed and changed 15 of these files (62%)" in text
    assert "not distinguishable from file length here" in text
    assert f"1. {name(2)}  not fixed" in text
    assert f"3. {name(22)}  3 fixes" in text
    assert "first 10%  edit risk" in text
    assert "####" in text
    assert "changes nothing" in text


def test_output_is_the_same_with_and_without_cache_and_in_a_terminal_it_has_bars(repo: GitRepo) -> None:
    first = run_crimes(repo.path, "backtest", "--format", "json").stdout
    assert run_crimes(repo.path, "backtest", "--format", "json").stdout == first
    assert run_crimes(repo.path, "backtest", "--format", "json", "--no-cache").stdout == first
    assert "████" in run_crimes(repo.path, "backtest", "--color", PYTHONIOENCODING="utf-8").stdout


def test_work_tree_is_neither_read_nor_touched(repo: GitRepo, tmp_path: Path) -> None:
    clone = GitRepo.clone(repo, tmp_path / "shop")
    expected = backtest_json(clone.path)
    for number in range(FILES):
        (clone.path / name(number)).write_text(code(3))
    before = clone.git("status", "--porcelain")
    assert backtest_json(clone.path) == expected
    assert clone.git("status", "--porcelain") == before


def test_bands_are_withheld_for_another_window(repo: GitRepo) -> None:
    (cut,) = backtest_json(repo.path, "--days", "175")["cuts"]
    assert cut["bands"] == []
    assert cut["rankings"]
    assert "Bands are about 180 days" in run_crimes(repo.path, "backtest", "--days", "175").stdout


def test_windows_of_several_cuts_follow_each_other(repo: GitRepo) -> None:
    made = backtest_json(repo.path, "--days", "100", "--cuts", "2")
    newest, older = made["cuts"]
    assert older["until"] == newest["commit"]
    assert newest["fix_commits"] + older["fix_commits"] == 18
    assert "only" in newest["stopped"]
    assert (made["measured"], made["means"]) == (0, [])
    both = backtest_json(repo.path, "--days", "180", "--cuts", "2")
    assert both["measured"] == 1
    assert [mean["ranking"] for mean in both["means"]] == ["edit_risk", "file_length", "loc_x_churn"]
    assert both["means"][0]["roc_auc"] == both["cuts"][0]["rankings"][0]["roc_auc"]
    assert "Mean of 1 of 2 cuts" in run_crimes(repo.path, "backtest", "--cuts", "2").stdout


def test_under_fifteen_fixed_files_it_says_so_and_stops(tmp_path: Path) -> None:
    repo = start(tmp_path / "shop")
    for number in range(14):
        repo.commit({name(number): code(100)}, f"Fix part {number}", days_ago=100 - number)
    repo.commit({"README.md": "The shop\n"}, "Describe more", days_ago=0)
    (cut,) = backtest_json(repo.path)["cuts"]
    assert "only 14 files were fixed" in cut["stopped"]
    assert (cut["rankings"], cut["bands"], cut["first_ten"]) == ([], [], [])
    done = run_crimes(repo.path, "backtest")
    assert done.returncode == 0
    assert "Not measured: only 14 files were fixed in the window" in done.stdout
    assert "ROC-AUC" not in done.stdout


def test_shallow_clone_is_refused(repo: GitRepo, tmp_path: Path) -> None:
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=3")
    done = run_crimes(clone.path, "backtest")
    assert done.returncode == 2
    assert "shallow clone; run `git fetch --unshallow`" in done.stderr


def test_folder_without_git_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(code(3))
    done = run_crimes(tmp_path, "backtest", "--root", tmp_path)
    assert done.returncode == 2
    assert "cannot check the past: not a git repository" in done.stderr


def test_repository_without_a_commit_is_refused(tmp_path: Path) -> None:
    done = run_crimes(GitRepo(tmp_path / "shop", past=False).path, "backtest")
    assert done.returncode == 2
    assert "there are no commits yet" in done.stderr


def test_history_shorter_than_the_windows_is_refused(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "backtest", "--cuts", "3")
    assert done.returncode == 2
    assert "history goes back 400 days, too short for 3 windows of 180 days" in done.stderr


def test_window_beyond_all_time_is_refused_like_any_other(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "backtest", "--days", "99999999")
    assert done.returncode == 2
    assert "too short for 1 window of 99,999,999 days" in done.stderr


def test_little_history_before_the_cut_is_a_doubt(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop", past=False)
    repo.commit({name(0): code(5)}, "Start", days_ago=190)
    repo.commit({name(1): code(5)}, "More", days_ago=0)
    (cut,) = backtest_json(repo.path)["cuts"]
    assert cut["doubts"] == ["history goes back only 0 days"]


def test_five_subjects_are_spread_from_the_first_to_the_last() -> None:
    fixes = [LaterFix(f"{number:012}", NOW, f"Fix {number}", ()) for number in range(21)]
    assert [subject.subject for subject in spread_subjects(fixes)] == [
        "Fix 0",
        "Fix 5",
        "Fix 10",
        "Fix 15",
        "Fix 20",
    ]
    assert [subject.subject for subject in spread_subjects(fixes[:2])] == ["Fix 0", "Fix 1"]
    assert spread_subjects([]) == ()


def test_hostile_subjects_and_names_do_nothing_to_a_terminal(repo: GitRepo) -> None:
    result = run_backtest(Session(repo.path))
    (cut,) = result.cuts
    text = " ".join(HOSTILE)
    subject = msgspec.structs.replace(cut.subjects[0], subject=text)
    file = msgspec.structs.replace(cut.first_ten[0], file=text)
    tainted = msgspec.structs.replace(cut, subjects=(subject,), first_ten=(file,))
    made = msgspec.structs.replace(result, cuts=(tainted,), repository=text)
    assert is_clean(plain(lines(made, terminal=False)))


def test_files_of_equal_length_favour_no_ranking(tmp_path: Path) -> None:
    """All files are equally long, and the ten fixed before the cut, last by path, are fixed again: length must not profit."""
    repo = GitRepo(tmp_path / "shop", past=False)
    repo.commit({name(number): code(5) for number in range(30)}, "Start", days_ago=400)
    for number in range(20, 30):
        repo.commit({name(number): code(5) + f"# {number}\n"}, f"Fix part {number}", days_ago=300 - number)
    repo.commit({"README.md": "Shop\n"}, "Describe", days_ago=181)
    for number in range(14, 30):
        repo.commit({name(number): code(6)}, f"Fix part {number} again", days_ago=100 - number)
    repo.commit({"README.md": "The shop\n"}, "Describe more", days_ago=0)
    (cut,) = backtest_json(repo.path)["cuts"]
    risk, length, _ = cut["rankings"]
    assert (risk["first_ten_fixed"], length["first_ten_fixed"]) == (10, 0)
    assert (risk["tenths"][0], length["tenths"][0]) == (0.1875, 0)
    assert length["roc_auc"] == 0.5
