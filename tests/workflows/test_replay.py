"""`crimes replay`: which merged changes a gate stops, and what followed them, in real repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from crimes.workflows.replay import Replay
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import tangled

CART = "def total(items):\n    return sum(items)\n"
TILL = "from shop.cart import total\n\n\ndef pay(items):\n    return total(items)\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop", past=False)
    made.commit({"shop/__init__.py": "", "shop/cart.py": CART, "shop/till.py": TILL}, "Begin", days_ago=90)
    return made


def replayed(repo: GitRepo, *options: str, root: str = ".") -> dict[str, Any]:
    done = run_crimes(repo.path / root, "replay", "--format", "json", "--quiet", "--root", ".", *options)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(result, msgspec.json.schema(Replay))
    return result


def stopped(result: dict[str, Any]) -> list[str]:
    return [change["subject"] for change in result["changes"] if change["outcome"] == "stopped"]


def test_a_change_that_broke_an_import_is_stopped_and_its_fix_is_named(repo: GitRepo) -> None:
    broken = repo.commit({"shop/cart.py": CART.replace("total", "sum_of_all")}, "Rename total", days_ago=60)
    repo.commit({"shop/other.py": "LIMIT = 3\n"}, "Fix something else", days_ago=55)
    fix = repo.commit({"shop/cart.py": CART}, "Fix the name that the till imports", days_ago=50)
    result = replayed(repo)
    (change,) = [change for change in result["changes"] if change["outcome"] == "stopped"]
    assert change["commit"] == broken
    assert change["broken"][0]["places"][0] == {"file": "shop/till.py", "line": 1, "name": "total"}
    (later,) = change["followed_by"]
    assert (later["commit"], later["kind"], later["same_lines"]) == (fix, "fix", True)
    assert result["summary"] == {
        "changes": 3, "passed": 2, "stopped": 1, "broken": 1, "followed": 1, "not_judged": 0,
    }  # fmt: skip
    text = run_crimes(repo.path, "replay").stdout
    assert "broken: `total` is gone from shop/cart.py, but 1 place in 1 file still uses it." in text
    assert f"followed by a fix of the same lines, 10 days later: {fix[:12]}" in text
    assert "stops 1 (1 broken, 1 followed by a fix or a revert of the same lines) and passes 2." in text


def test_a_fix_of_other_lines_in_the_file_does_not_count_as_one_of_the_change(repo: GitRepo) -> None:
    repo.commit({"shop/cart.py": CART.replace("total", "sum_of_all")}, "Rename total", days_ago=60)
    repo.commit(
        {"shop/till.py": TILL.replace("def pay(items):", "def pay(items, tip=0):")}, "Fix tips", days_ago=50
    )
    result = replayed(repo)
    (change,) = [change for change in result["changes"] if change["outcome"] == "stopped"]
    assert [later["same_lines"] for later in change["followed_by"]] == [False]
    assert result["summary"]["followed"] == 0


def test_a_merge_is_one_change_and_a_revert_of_its_commit_is_named(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    deleted = repo.commit({"shop/cart.py": None}, "Delete the cart", days_ago=60)
    repo.commit({"shop/notes.py": "A = 1\n"}, "More", days_ago=59)
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge topic", "topic")
    body = f'Revert "Delete the cart"\n\nThis reverts commit {deleted}.'
    repo.commit({"shop/cart.py": CART}, body, days_ago=0)
    result = replayed(repo, "--broken-only")
    assert [change["subject"] for change in result["changes"]] == ['Revert "Delete the cart"', "Merge topic"]
    (change,) = [change for change in result["changes"] if change["outcome"] == "stopped"]
    assert change["merge"]
    assert [later["kind"] for later in change["followed_by"]] == ["revert"]


def test_the_gate_decides_which_findings_stop_a_change(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "grown")  # a gate needs a past
    repo.commit({"shop/__init__.py": "", "shop/cart.py": CART, "shop/till.py": TILL}, "Begin", days_ago=90)
    repo.commit({"shop/tangle.py": tangled("first")}, "Add a tangle", days_ago=60)
    repo.commit({"shop/notes.py": "A = 1\n"}, "Add notes", days_ago=50)
    result = replayed(repo, "--fail-on-new")
    assert stopped(result) == ["Add a tangle"]
    assert [crime["symbol"] for change in result["changes"] for crime in change["new"]] == ["first"]
    assert result["gate"] == "something broken or any new finding"
    assert stopped(replayed(repo, "--broken-only")) == []
    assert run_crimes(repo.path, "replay", "--broken-only", "--fail-on", "low").returncode == 2


def test_edits_in_the_work_tree_change_nothing_and_a_second_run_is_the_same(repo: GitRepo) -> None:
    repo.commit({"shop/cart.py": CART.replace("total", "sum_of_all")}, "Rename total", days_ago=60)
    first = replayed(repo)
    repo.write({"shop/till.py": None, "shop/new.py": "from shop.cart import nothing\n"})
    assert replayed(repo) == first
    assert stopped(first) == ["Rename total"]
    assert replayed(repo, "--last", "1", "--broken-only")["changes"] == first["changes"]


def test_a_folder_of_a_repository_has_its_own_changes(repo: GitRepo) -> None:
    repo.commit({"web/index.js": "export const a = 1;\n"}, "Add a page", days_ago=60)
    repo.commit({"shop/cart.py": CART.replace("total", "sum_of_all")}, "Rename total", days_ago=50)
    result = replayed(repo, root="web")
    assert [change["subject"] for change in result["changes"]] == ["Add a page"]
    assert result["warnings"] == ["the history here has 1 of the 40 changes that were asked for"]


def test_a_repository_without_commits_has_nothing_to_replay(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "empty", past=False)
    done = run_crimes(repo.path, "replay")
    assert done.returncode == 2
    assert "there is nothing to replay" in done.stderr
    repo.commit({"a.py": "A = 1\n"}, "Begin")
    done = run_crimes(repo.path, "replay")
    assert (done.returncode, done.stdout) == (0, "empty: no merged changes to replay.\n")


def test_a_shallow_clone_without_a_past_is_refused(repo: GitRepo, tmp_path: Path) -> None:
    shallow = tmp_path / "shallow"
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(shallow))
    done = run_crimes(shallow, "replay")
    assert done.returncode == 2
    assert "a shallow clone without earlier commits" in done.stderr


@pytest.mark.parametrize("options", [(), ("--broken-only",)], ids=["whole gate", "broken only"])
def test_a_change_that_git_cannot_read_is_not_judged_and_the_others_are(
    repo: GitRepo, options: tuple[str, ...]
) -> None:
    repo.commit({"shop/cart.py": CART.replace("total", "sum_of_all")}, "Rename total", days_ago=60)
    blob = repo.git("rev-parse", "HEAD:shop/cart.py")
    repo.commit({"shop/cart.py": CART}, "Fix the name", days_ago=50)
    repo.commit({"shop/till.py": "LIMIT = 3\n"}, "Empty the till", days_ago=40)
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    result = replayed(repo, *options)
    assert [(change["subject"], change["outcome"]) for change in result["changes"]] == [
        ("Empty the till", "passed"),
        ("Fix the name", "not_judged"),
        ("Rename total", "not_judged"),
    ]
    assert all("is missing in this clone" in change["why"] for change in result["changes"][1:])
