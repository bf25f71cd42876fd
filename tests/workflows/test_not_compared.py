"""What could not be compared is said, and never called safe: links, folders, unreadable files, submodules, operations of git."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo

CORE = "def first(a):\n    return a\n"
USER = "from shop.core import first\n\n\ndef use(a):\n    return first(a)\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/__init__.py": "", "shop/core.py": CORE, "shop/user.py": USER})
    return made


def check(repo: GitRepo) -> dict[str, Any]:
    """The check of the work tree."""
    done = run_crimes(repo.path, "check", "--format", "json")
    assert done.returncode in (0, 1), done.stderr
    made = json.loads(done.stdout)
    assert isinstance(made, dict)
    return made


def _link(repo: GitRepo) -> None:
    (repo.path / "shop/core.py").unlink()
    (repo.path / "shop/core.py").symlink_to("nowhere.py")


def _bytes(repo: GitRepo) -> None:
    repo.write({"shop/core.py": b"\0\1\2"})


def _gibberish(repo: GitRepo) -> None:
    repo.write({"shop/core.py": "def (((:\n  ]]]\n"})


@pytest.mark.parametrize(
    ("edit", "fact"),
    [
        (_link, "shop/core.py was read before and cannot be now, so it was not compared."),
        (_bytes, "shop/core.py was read before and cannot be now, so it was not compared."),
        (_gibberish, "shop/core.py no longer parses at line 1, so what is missing from it was not compared."),
    ],
    ids=["link", "binary", "gibberish"],
)
def test_a_file_that_cannot_be_read_any_more_is_not_called_safe(
    repo: GitRepo, edit: Callable[[GitRepo], None], fact: str
) -> None:
    edit(repo)
    made = check(repo)
    assert made["verdict"] == "look"
    assert [item["fact"] for item in made["look"]] == [fact]
    verdict = run_crimes(repo.path, "verdict")
    assert verdict.stdout.startswith("1 thing to look at"), verdict.stderr


def test_a_file_replaced_by_a_folder_is_deleted(repo: GitRepo) -> None:
    repo.write({"shop/core.py": None})
    repo.write({"shop/core.py/notes.txt": "1\n"})
    made = check(repo)
    assert made["verdict"] == "broken"
    assert made["broken"][0]["fact"] == "shop/core.py was deleted, but 1 place in 1 file still uses it."


def test_a_module_replaced_by_a_package_of_its_name_breaks_nothing(repo: GitRepo) -> None:
    repo.write({"shop/core.py": None, "shop/core/__init__.py": CORE})
    assert check(repo)["broken"] == []


def test_a_file_deleted_from_the_disk_alone_is_broken_and_from_the_index_alone_is_not(repo: GitRepo) -> None:
    repo.git("rm", "-q", "--cached", "shop/core.py")
    assert check(repo)["verdict"] == "safe"
    repo.git("reset", "-q")
    repo.write({"shop/core.py": None})
    assert check(repo)["verdict"] == "broken"


@pytest.mark.parametrize("operation", ["rebase", "cherry-pick"])
def test_conflicts_are_refused_with_the_name_of_the_operation(repo: GitRepo, operation: str) -> None:
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({"shop/user.py": USER + "# other\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"shop/user.py": USER + "# main\n"})
    with pytest.raises(AssertionError, match=f"git {operation}"):
        repo.git(operation, "other")
    done = run_crimes(repo.path, "check")
    assert done.returncode == 2, done.stdout
    assert f"a {operation} is in progress: resolve the conflicts in shop/user.py first" in done.stderr


def test_edits_in_a_submodule_are_not_called_safe(repo: GitRepo, tmp_path: Path) -> None:
    library = GitRepo(tmp_path / "library")
    library.commit({"lib.py": "ONE = 1\n"})
    repo.git("submodule", "add", "-q", str(library.path), "lib")
    repo.commit({}, "Add the library")
    (repo.path / "lib/lib.py").write_text("TWO = 2\n")
    made = check(repo)
    assert made["verdict"] == "look"
    assert [item["fact"] for item in made["look"]] == [
        "The submodule lib has edits of its own, which were not compared."
    ]
    assert run_crimes(repo.path, "check").stdout.startswith("No file edited since ")


def test_edits_in_a_submodule_are_named_where_trust_allows_no_suggestion(tmp_path: Path) -> None:
    library = GitRepo(tmp_path / "library")
    library.commit({"lib.py": "ONE = 1\n"})
    repo = GitRepo(tmp_path / "small", past=False)
    repo.commit({"a.py": "x = 1\n"})
    repo.git("submodule", "add", "-q", str(library.path), "lib")
    repo.commit({}, "Add the library")
    (repo.path / "lib/lib.py").write_text("TWO = 2\n")
    done = run_crimes(repo.path, "check")
    assert done.returncode == 2
    assert "The submodule lib has edits of its own, which were not compared." in done.stdout


def test_before_the_first_commit_check_and_diff_agree(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "new")
    repo.write({"a.py": "x = 1\n", "b.py": "y = 1\n"})
    repo.git("add", "a.py")
    done = run_crimes(repo.path, "check", "--format", "json")
    made = json.loads(done.stdout)
    assert made["line"] == "unknown: there is no commit yet to compare with"
    assert (done.returncode, made["verdict"], made["edited"]) == (2, "unknown", ["a.py", "b.py"])
    assert f"2 files before the first commit; {made['line']}" in run_crimes(repo.path, "check").stdout
    assert made["line"] in run_crimes(repo.path, "verdict").stdout
    assert run_crimes(repo.path, "diff").returncode == 2
    assert (
        run_crimes(repo.path, "replay").stderr
        == "crimes: there is nothing to replay: there is no commit yet\n"
    )


def test_nothing_is_called_safe_before_the_first_commit(repo: GitRepo) -> None:
    """Also where a scan may be trusted."""
    repo.git("symbolic-ref", "HEAD", "refs/heads/new")
    done = run_crimes(repo.path, "check", "--format", "json")
    made = json.loads(done.stdout)
    assert (done.returncode, made["verdict"]) == (2, "unknown")
    assert made["gate"]["why"] == "there is no commit yet to compare with"


def test_a_bare_repository_is_named_as_such(repo: GitRepo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare"))
    done = run_crimes(tmp_path / "bare", "check")
    assert (done.returncode, done.stderr) == (
        2,
        "crimes: cannot compare: a bare repository has no files to look at; use a clone of it\n",
    )


def test_a_damaged_object_of_the_base_is_refused(repo: GitRepo) -> None:
    blob = repo.git("rev-parse", "HEAD:shop/core.py")
    stored = repo.path / ".git/objects" / blob[:2] / blob[2:]
    stored.chmod(0o644)
    stored.write_bytes(b"junk")
    repo.write({"shop/core.py": "x = 1\n"})
    for command in ("check", "diff", "verdict"):
        done = run_crimes(repo.path, command)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"unable to read {blob}" in done.stderr


def test_without_git_nothing_is_compared(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.py").write_text("x = 1\n")
    for command in ("check", "diff", "verdict"):
        done = run_crimes(tmp_path / "plain", command)
        assert (done.returncode, done.stdout) == (2, "")
        assert "not a git repository" in done.stderr


def test_a_shallow_clone_without_the_merge_base_is_refused_with_advice(repo: GitRepo, tmp_path: Path) -> None:
    repo.git("checkout", "-q", "-b", "other")
    repo.commit({"other.py": "x = 1\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"main.py": "x = 1\n"})
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=1", "--no-single-branch")
    for arguments in (("--base", "origin/other"), ("origin/other...HEAD",)):
        done = run_crimes(clone.path, "diff", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert "shallow clone" in done.stderr


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_deleted_file_that_git_does_not_look_at_is_broken(repo: GitRepo, flag: str) -> None:
    repo.git("update-index", flag, "shop/core.py")
    assert check(repo)["edited"] == []
    (repo.path / "shop/core.py").unlink()
    made = check(repo)
    assert (made["verdict"], made["edited"]) == ("broken", ["shop/core.py"])


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_an_edited_file_that_git_does_not_look_at_is_compared(repo: GitRepo, flag: str) -> None:
    repo.git("update-index", flag, "shop/core.py")
    repo.write({"shop/core.py": CORE.replace("first", "second")})
    assert check(repo)["verdict"] == "broken"
    done = run_crimes(repo.path, "scan", "--changed", "--format", "json")
    assert json.loads(done.stdout)["working_set"]["files"] == ["shop/core.py"]


def test_a_file_with_other_line_ends_that_git_does_not_look_at_is_not_edited(repo: GitRepo) -> None:
    repo.git("update-index", "--assume-unchanged", "shop/core.py")
    repo.write({"shop/core.py": CORE.replace("\n", "\r\n")})
    assert check(repo)["edited"] == []


def test_a_sparse_checkout_is_not_called_safe_after_an_edit(repo: GitRepo) -> None:
    repo.commit({"web/page.py": USER, "web/notes.md": "notes\n"})
    repo.git("sparse-checkout", "set", "--no-cone", "/shop/")
    assert not (repo.path / "web/page.py").exists()
    assert (check(repo)["verdict"], check(repo)["edited"]) == ("safe", [])
    repo.write({"shop/core.py": CORE + "\n\nLIMIT = 1\n"})
    made = check(repo)
    assert made["verdict"] == "look"
    assert [item["fact"] for item in made["look"]] == [
        "web/page.py is not checked out, so uses of the edited code there were not compared."
    ]


def test_commits_are_compared_whole_in_a_sparse_checkout(repo: GitRepo) -> None:
    repo.commit({"web/page.py": USER})
    repo.commit({"shop/core.py": CORE.replace("first", "second"), "shop/user.py": ""})
    repo.git("sparse-checkout", "set", "--no-cone", "/shop/")
    done = run_crimes(repo.path, "diff", "HEAD~1..HEAD", "--format", "json")
    broken = json.loads(done.stdout)["broken"]
    assert [place["file"] for item in broken for place in item["places"]] == ["web/page.py"]


def test_the_last_submodule_that_is_removed_is_not_called_safe(repo: GitRepo, tmp_path: Path) -> None:
    inner = GitRepo(tmp_path / "inner")
    inner.commit({"a.py": "x = 1\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "ext")
    repo.git("commit", "-qm", "add a submodule")
    repo.git("rm", "-q", "-f", "ext", ".gitmodules")
    fact = "The submodule ext is at another commit or gone, which was not compared."
    assert [item["fact"] for item in check(repo)["look"]] == [fact]
    repo.git("commit", "-qm", "remove it")
    done = run_crimes(repo.path, "diff", "HEAD~1..HEAD", "--format", "json")
    assert [item["fact"] for item in json.loads(done.stdout)["look"]] == [fact]
