"""What `check` and `diff` say of a change: broken first, then what to look at, one verdict everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from crimes.detection.registry import catalogue
from crimes.workflows.check import Check
from crimes.workflows.comparison import Comparison
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import PLAIN, tangled

USER = "from shop.core import first\n\n\ndef use(a):\n    return first(a)\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    files = {"shop/__init__.py": "", "shop/core.py": tangled("first") + PLAIN, "shop/user.py": USER}
    made.commit(files, "Begin", days_ago=300)
    return made


def test_a_deleted_file_with_users_is_broken_and_its_finding_gone(repo: GitRepo) -> None:
    repo.write({"shop/core.py": None})
    done = run_crimes(repo.path, "check", "--format", "json")
    assert done.returncode == 1, done.stderr
    check = json.loads(done.stdout)
    jsonschema.validate(check, msgspec.json.schema(Check))
    assert check["verdict"] == "broken"
    assert check["line"] == (
        "broken: 1 reference leads nowhere, in 1 file; 0 new, 0 fixed, 1 gone with their code, 0 unchanged"
    )
    (item,) = check["broken"]
    assert item["places"] == [{"file": "shop/user.py", "line": 1, "name": "first"}]
    assert (check["fixed"], [crime["symbol"] for crime in check["gone"]]) == ([], ["first"])
    assert check["gate"]["metric"] == "broken"


def test_the_verdict_is_the_same_in_check_diff_verdict_and_hook(repo: GitRepo) -> None:
    repo.write({"shop/core.py": PLAIN})
    line = "broken: 1 reference leads nowhere, in 1 file; 0 new, 0 fixed, 1 gone with their code, 0 unchanged"
    check = run_crimes(repo.path, "check")
    assert check.returncode == 1
    assert line in check.stdout.splitlines()[0]
    diff = run_crimes(repo.path, "diff")
    assert diff.returncode == 1
    assert f"# {line}" in diff.stdout
    assert run_crimes(repo.path, "verdict").stdout.splitlines()[0] == line
    hook = run_crimes(repo.path, "check", "--hook", stdin="{}")
    assert hook.returncode == 2
    assert line in hook.stderr
    github = run_crimes(repo.path, "diff", "--format", "github")
    assert github.returncode == 1
    assert f"crimes: {line}" in github.stdout
    assert "::error title=broken_reference" in github.stdout
    assert "file=shop/user.py,line=1" in github.stdout
    repo.commit({})
    committed = run_crimes(repo.path, "diff", "HEAD~1...HEAD", "--format", "json")
    assert committed.returncode == 1
    made = json.loads(committed.stdout)
    jsonschema.validate(made, msgspec.json.schema(Comparison))
    assert (made["verdict"]["state"], made["verdict"]["line"]) == ("broken", line)
    assert made["verdict"]["verdict"] == "worse"


def test_check_prints_what_is_broken_before_all_else(repo: GitRepo) -> None:
    repo.write({"shop/core.py": PLAIN, "shop/other.py": tangled("other").replace("a", "b")})
    rows = run_crimes(repo.path, "check").stdout.splitlines()
    assert rows.index("Broken") < rows.index("New")
    assert rows[rows.index("Broken") + 1].strip().startswith("- `first` is gone from shop/core.py")


def test_a_safe_change_says_so(repo: GitRepo) -> None:
    repo.write({"shop/user.py": USER.replace("first(a)", "first(a) + 1")})
    done = run_crimes(repo.path, "check", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["line"] == "safe: 0 new, 0 fixed, 1 unchanged"


def test_an_edited_copy_leaves_the_others_to_look_at(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "copies")
    code = catalogue()["cloned_logic"].examples[0].files["sales.py"]
    limits = "[detectors.cloned_logic]\nmin_lines = 10\nmin_tokens = 50\nmin_decisions = 1\n"
    repo.commit({"crimes.toml": limits, "shop/one.py": code, "shop/two.py": "import os\n\n\n" + code})
    repo.write({"shop/one.py": code.replace("continue", "break", 1)})
    done = run_crimes(repo.path, "check", "--format", "json")
    check = json.loads(done.stdout)
    assert check["verdict"] == "look", check["line"]
    (item,) = [item for item in check["look"] if item["name"]]
    assert item["fact"] == "`total_sale` in shop/one.py was edited, but 1 copy of it was not."
    assert [(place["file"], place["line"]) for place in item["places"]] == [("shop/two.py", 5)]


def test_a_companion_of_half_the_commits_is_named_with_its_odds(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "pair")
    for n in range(6):
        repo.commit({"one.py": f"ONE = {n}\n", "two.py": f"TWO = {n}\n"}, f"Both {n}", days_ago=60 - n)
    repo.commit({"one.py": "ONE = 7\n"}, "One", days_ago=40)
    assert run_crimes(repo.path, "scan").returncode == 0
    repo.write({"one.py": "ONE = 8\n"})
    check = json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)
    assert [item["fact"] for item in check["look"]] == [
        "two.py changed in 6 of the last 7 commits to one.py, but not now."
    ]
    assert check["verdict"] == "look"
