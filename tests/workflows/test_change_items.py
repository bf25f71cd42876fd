"""What `check` and `diff` say of a change: broken first, then what to look at, one verdict everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from crimes.mcp.service import RepositoryService
from crimes.model.wording import capitalized
from crimes.workflows.check import Check
from crimes.workflows.comparison import Comparison
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import CLONED, PLAIN, tangled

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
    assert check["line"] == ("broken: 1 reference in 1 file; no new findings, 1 gone with its code")
    (item,) = check["broken"]
    assert item["places"] == [{"file": "shop/user.py", "line": 1, "name": "first"}]
    assert (check["fixed"], [crime["symbol"] for crime in check["gone"]]) == ([], ["first"])
    assert check["gate"]["metric"] == "broken"


def test_the_verdict_is_the_same_in_every_view(repo: GitRepo) -> None:
    repo.write({"shop/core.py": PLAIN})
    line = "broken: 1 reference in 1 file; no new findings, 1 gone with its code"
    check = run_crimes(repo.path, "check")
    assert check.returncode == 1
    assert line in check.stdout.splitlines()[0]
    diff = run_crimes(repo.path, "diff")
    assert diff.returncode == 1
    assert diff.stdout.splitlines()[1] == f"# {line}"
    assert run_crimes(repo.path, "verdict").stdout.splitlines()[0] == line
    hook = run_crimes(repo.path, "check", "--hook", stdin="{}")
    assert hook.returncode == 2
    assert line in hook.stderr
    github = run_crimes(repo.path, "diff", "--format", "github")
    assert github.returncode == 1
    assert github.stdout.splitlines()[0].endswith(f" {capitalized(line)}")
    assert "::error title=broken_reference" in github.stdout
    assert "file=shop/user.py,line=1" in github.stdout
    review = run_crimes(repo.path, "review", "--own", "--base", "HEAD")
    assert f"The change is {line}." in review.stdout.splitlines()
    assert (
        json.loads(run_crimes(repo.path, "review", "--own", "--base", "HEAD", "--format", "json").stdout)[
            "change"
        ]
        == line
    )
    assert line in RepositoryService(repo.path).check_change("full").text.splitlines()[0]
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
    assert json.loads(done.stdout)["line"] == "no problems found: no new findings, 1 unchanged"


def test_an_edited_copy_leaves_the_others_to_look_at(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "copies")
    repo.commit({"shop/one.py": CLONED, "shop/two.py": "import os\n\n\n" + CLONED})
    repo.write({"shop/one.py": CLONED.replace("continue", "break", 1)})
    done = run_crimes(repo.path, "check", "--format", "json")
    check = json.loads(done.stdout)
    assert check["verdict"] == "look", check["line"]
    (item,) = [item for item in check["look"] if item["name"]]
    assert item["fact"] == "`weighed` in shop/one.py was edited, but 1 copy of it was not."
    assert [(place["file"], place["line"]) for place in item["places"]] == [("shop/two.py", 4)]


def test_a_companion_of_half_the_commits_is_named_with_its_odds(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "pair")
    for n in range(6):
        repo.commit({"one.py": f"ONE = {n}\n", "two.py": f"TWO = {n}\n"}, f"Both {n}", days_ago=60 - n)
    repo.commit({"one.py": "ONE = 7\n"}, "One", days_ago=40)
    assert run_crimes(repo.path, "scan").returncode == 0
    repo.write({"one.py": "ONE = 8\n"})
    check = json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)
    assert [item["fact"] for item in check["look"]] == [
        "two.py usually changes with one.py (in 6 of its last 7 commits), but was not edited."
    ]
    assert check["verdict"] == "look"


# What cannot be compared is never called safe.


def test_a_merge_with_conflicts_is_refused(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({"shop/user.py": USER.replace("first(a)", "first(a) + 1")})
    repo.git("checkout", "-q", "main")
    repo.commit({"shop/user.py": USER.replace("first(a)", "first(a) + 2")})
    with pytest.raises(AssertionError, match="git merge"):
        repo.git("merge", "other")
    for command in ("check", "diff", "verdict"):
        done = run_crimes(repo.path, command)
        assert done.returncode == 2, done.stdout
        assert "a merge is in progress: resolve the conflicts in shop/user.py first" in done.stderr


def test_a_base_that_is_not_there_is_refused(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "diff", "nowhere...HEAD")
    assert done.returncode == 2
    assert "'nowhere' is not a commit in this repository" in done.stderr


def test_a_base_that_cannot_be_read_is_refused(repo: GitRepo) -> None:
    head, blob = repo.git("rev-parse", "HEAD", "HEAD:shop/core.py").split()
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    repo.write({"shop/core.py": PLAIN})
    done = run_crimes(repo.path, "check")
    assert done.returncode == 2, done.stdout
    assert f"{head[:12]} cannot be compared: unable to read {blob}" in done.stderr


def test_a_shallow_clone_without_the_base_is_refused_with_advice(repo: GitRepo, tmp_path: Path) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.commit({"shop/core.py": PLAIN})
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=1")
    done = run_crimes(clone.path, "diff", f"{first}...HEAD")
    assert done.returncode == 2
    assert "shallow clone; run `git fetch --unshallow`" in done.stderr


def test_a_changed_submodule_is_not_called_safe(repo: GitRepo, tmp_path: Path) -> None:
    library = GitRepo(tmp_path / "library")
    library.commit({"lib.py": "ONE = 1\n"})
    repo.git("submodule", "add", "-q", str(library.path), "lib")
    repo.commit({}, "Add the library")
    assert json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)["verdict"] == "safe"
    library.commit({"lib.py": "TWO = 2\n"})
    GitRepo.git(repo, "-C", "lib", "pull", "-q")
    check = json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)
    assert check["verdict"] == "look"
    assert [item["fact"] for item in check["look"]] == [
        "The submodule lib is at another commit or gone, which was not compared."
    ]
    repo.commit({}, "Newer library")
    made = json.loads(run_crimes(repo.path, "diff", "HEAD~1...HEAD", "--format", "json").stdout)
    assert made["verdict"]["state"] == "look"


def test_a_rename_of_case_only_is_a_move(repo: GitRepo) -> None:
    repo.git("mv", "shop/core.py", "shop/Core.py")
    check = json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)
    assert check["verdict"] == "broken"
    assert check["broken"][0]["likely"] == "shop/Core.py"


def test_a_new_required_parameter_breaks_the_calls_that_were_not_edited(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "till")
    repo.commit(
        {"till.py": "def pay(a):\n    return a\n", "user.py": "from till import pay\n\nprint(pay(1))\n"}
    )
    repo.write({"till.py": "def pay(a, b):\n    return a + b\n"})
    check = json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)
    assert check["line"].startswith("broken: 1 call in 1 file;")
    assert [(item["kind"], item["places"][0]["line"]) for item in check["broken"]] == [
        ("changed_signature", 3)
    ]


def test_a_method_that_is_gone_is_reported_once(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "till")
    cart = "class Cart:\n    def add(self, a):\n        return a\n"
    user = "from cart import Cart\n\ncart = Cart()\ncart.add(1)\nCart.add(cart, 2)\n"
    repo.commit({"cart.py": cart, "user.py": user})
    repo.write({"cart.py": cart.replace("add", "put")})
    check = json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)
    (item,) = check["broken"]
    assert [place["line"] for place in item["places"]] == [4, 5]
