"""Scans about a few files, on real git repositories: which files, what is reported, and gates on that."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from crimes.model.report import Report
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import PLAIN, tangled


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """Four modules in a row, three of them with a finding."""
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    files = {
        "shop/__init__.py": "",
        "shop/a.py": "from shop import b\n\n\n" + tangled("in_a"),
        "shop/b.py": "from shop import c\n\n\n" + tangled("in_b").replace("+=", "-="),
        "shop/c.py": "from shop import d\n\n\n" + PLAIN,
        "shop/d.py": tangled("in_d").replace("+=", "*="),
        "tests/test_a.py": "from shop.a import in_a\n\n\ndef test():\n    assert not in_a(0)\n",
    }
    made.commit(files, "Begin", days_ago=300)
    return made


def json_report(repo: GitRepo, *arguments: str) -> dict[str, Any]:
    done = run_crimes(repo.path, "scan", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(made, msgspec.json.schema(Report))
    return made


def files_with_findings(report: dict[str, Any]) -> set[str]:
    assert report["summary"]["findings"] == len(report["findings"])
    return {crime["file"] for crime in report["findings"]}


def test_changed_reports_findings_of_changed_files_only(repo: GitRepo) -> None:
    assert files_with_findings(json_report(repo, "--changed")) == set()
    repo.write({"shop/a.py": "x = 1\n\n\n" + tangled("in_a"), "shop/new.py": PLAIN, "shop/d.py": None})
    made = json_report(repo, "--changed")
    assert made["working_set"] == {
        "kind": "changed",
        "base": repo.git("rev-parse", "HEAD"),
        "files": ["shop/a.py", "shop/new.py"],
        "unmatched": [],
        "notes": [],
    }
    assert files_with_findings(made) == {"shop/a.py"}
    assert made["files"]["read"] == 6  # all of the repository was looked at
    whole = json_report(repo)
    assert whole["working_set"] is None
    assert files_with_findings(whole) == {"shop/a.py", "shop/b.py"}


def test_changed_with_a_base_covers_only_the_own_branch(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "work")
    repo.commit({"shop/b.py": "y = 2\n\n\n" + tangled("in_b")})
    repo.git("checkout", "-q", "main")
    repo.commit({"shop/d.py": PLAIN})
    repo.git("checkout", "-q", "work")
    made = json_report(repo, "--changed", "--base", "main")
    assert made["working_set"]["files"] == ["shop/b.py"]
    assert files_with_findings(made) == {"shop/b.py"}


def test_staged_reports_findings_of_staged_files(repo: GitRepo) -> None:
    repo.write({"shop/a.py": "x = 1\n\n\n" + tangled("in_a"), "shop/b.py": "y = 2\n\n\n" + tangled("in_b")})
    repo.git("add", "shop/a.py")
    repo.write({"shop/a.py": "x = 3\n\n\n" + tangled("in_a")})
    made = json_report(repo, "--staged")
    assert made["working_set"]["files"] == ["shop/a.py"]
    assert "shop/a.py has unstaged changes, which were scanned too" in made["warnings"]


def test_staged_sees_the_files_of_git_commit_all(repo: GitRepo, tmp_path: Path) -> None:
    """While `git commit -a` runs its hook, what it commits is in an index of its own."""
    out = tmp_path / "out.json"
    hook = repo.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m crimes scan --staged --format json -o '{out}'\n")
    hook.chmod(0o755)
    repo.write({"shop/c.py": PLAIN + "x = 1\n"})
    repo.git("commit", "-q", "-a", "-m", "All")
    assert json.loads(out.read_text())["working_set"]["files"] == ["shop/c.py"]


def test_files_option_takes_files_and_folders(repo: GitRepo) -> None:
    made = json_report(repo, "--files", "shop/a.py,shop/typo.py", "--files", "tests")
    assert made["working_set"]["files"] == ["shop/a.py", "tests/test_a.py"]
    assert made["working_set"]["unmatched"] == ["shop/typo.py"]
    assert "shop/typo.py is not a file in the repository" in made["warnings"]
    inside = run_crimes(repo.path / "shop", "scan", "--files", "d.py", "--format", "json")
    assert json.loads(inside.stdout)["working_set"]["files"] == ["shop/d.py"]


def test_related_files_are_included_in_both_directions(repo: GitRepo) -> None:
    made = json_report(repo, "--related-to", "shop/b.py")
    assert made["working_set"]["files"] == ["shop/a.py", "shop/b.py", "shop/c.py"]
    made = json_report(repo, "--related-to", "shop/b.py", "--depth", "2")
    assert made["working_set"]["files"] == [
        "shop/a.py",
        "shop/b.py",
        "shop/c.py",
        "shop/d.py",
        "tests/test_a.py",
    ]
    assert json_report(repo, "--related-to", "shop/b.py", "--depth", "0")["working_set"]["files"] == [
        "shop/b.py"
    ]
    done = run_crimes(repo.path, "scan", "--related-to", "shop/none.py")
    assert done.returncode == 2
    assert "--related-to: 'shop/none.py' was not read" in done.stderr


def test_unparsable_file_blocks_the_gate_only_in_its_working_set(repo: GitRepo) -> None:
    repo.write({"shop/broken.py": "def (((:\n" * 20})
    assert json_report(repo)["trust"]["validity"] == "partially_comparable"
    assert json_report(repo, "--files", "shop/a.py")["trust"]["validity"] == "partially_comparable"
    done = run_crimes(repo.path, "scan", "--changed", "--fail-on", "low")
    assert done.returncode == 2
    assert "Gate not evaluated: the scan cannot be compared with another" in done.stdout


def test_working_set_scan_does_not_replace_the_stored_scan(repo: GitRepo) -> None:
    whole = json_report(repo)
    json_report(repo, "--files", "shop/a.py")
    other = next(crime["id"] for crime in whole["findings"] if crime["file"] == "shop/d.py")
    assert run_crimes(repo.path, "explain", other).returncode == 0
    assert json_report(repo) == whole


def test_two_working_sets_are_refused(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "--changed", "--staged")
    assert (done.returncode, "cannot be combined; use one of them" in done.stderr) == (2, True)


def test_gates_apply_to_the_working_set(repo: GitRepo) -> None:
    repo.write({"shop/c.py": PLAIN})
    assert run_crimes(repo.path, "scan", "--changed", "--fail-on", "low").returncode == 0
    assert run_crimes(repo.path, "scan", "--files", "shop/a.py", "--fail-on", "low").returncode == 1


def test_fail_on_new_gates_on_new_findings_only(repo: GitRepo) -> None:
    repo.write({"shop/c.py": tangled("in_c").replace("+=", "/=")})
    done = run_crimes(repo.path, "scan", "--fail-on-new", "--base", "HEAD")
    assert done.returncode == 1, done.stderr
    assert "Gate failed: 1 new finding: " in done.stdout
    assert run_crimes(repo.path, "scan", "--fail-on-new", "--changed").returncode == 1
    assert (
        run_crimes(repo.path, "scan", "--fail-on-new", "--base", "HEAD", "--files", "shop/a.py").returncode
        == 0
    )
    repo.commit({})
    assert run_crimes(repo.path, "scan", "--fail-on-new", "--base", "HEAD").returncode == 0
    done = run_crimes(repo.path, "scan", "--fail-on-new")
    assert done.returncode == 2
    assert "no baseline at" in done.stderr


def test_copy_in_the_working_set_is_new_beside_the_original(repo: GitRepo) -> None:
    repo.write({"shop/copy.py": (repo.path / "shop/d.py").read_text()})
    done = run_crimes(repo.path, "scan", "--changed", "--fail-on-new")
    assert done.returncode == 1, done.stdout


def test_text_report_names_the_working_set(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "--files", "shop/a.py")
    assert "# Only findings that concern 1 file (files)\n# Read 6 files" in done.stdout
