"""Fixes that followed a commit, in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.analyses.history.later_fixes import LaterFix, later_fixes
from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.model.repository import File
from crimes.system import git
from tests.kit.gitrepo import GitRepo

CODE = "def area(width, height):\n    return width * height\n"
BOT = "dependabot[bot] <bot@example.org>"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "repo")
    made.commit({f"shop/{name}.py": f"NAME = '{name}'\n{CODE}" for name in "abc"}, "Start", days_ago=300)
    return made


class Since:
    """The repository at this point; later, the fixes since."""

    def __init__(self, repo: GitRepo) -> None:
        self.repo = repo
        self.commit = repo.git("rev-parse", "HEAD")
        self.files: dict[str, File] = dict(scan(repo.path, Config()).context.repo.files)

    def fixes(self, root: Path | None = None) -> tuple[LaterFix, ...]:
        return later_fixes(git.find(root or self.repo.path), self.commit, "HEAD", self.files)

    def files_fixed(self) -> list[tuple[str, ...]]:
        return [fix.files for fix in self.fixes()]


def test_only_commits_after_the_cut_that_call_themselves_fixes_count(repo: GitRepo) -> None:
    repo.commit({"shop/a.py": CODE}, "Fix a before the cut", days_ago=250)
    since = Since(repo)
    repo.commit({"shop/a.py": CODE * 2}, "Add a feature", days_ago=100)
    repo.commit({"shop/a.py": CODE * 3, "shop/b.py": CODE}, "Fix area of nothing", days_ago=90)
    repo.commit({"shop/b.py": CODE * 2}, "fix: area of nothing", days_ago=80, author=BOT)
    repo.commit({"shop/c.py": CODE * 2}, "Fix typo in docs", days_ago=70)
    repo.commit({"shop/new.py": CODE}, "Fix a file that is new", days_ago=60)
    (fix,) = since.fixes()
    assert fix.files == ("shop/a.py", "shop/b.py")
    assert (fix.subject, f"{fix.when:%Y-%m-%d}") == ("Fix area of nothing", "2025-03-03")


def test_renamed_file_keeps_the_name_of_the_cut(repo: GitRepo) -> None:
    since = Since(repo)
    repo.rename("shop/a.py", "store/a.py", days_ago=100)
    repo.rename("store/a.py", "store/area.py", days_ago=90)
    repo.commit({"store/area.py": CODE * 2}, "Fix area", days_ago=80)
    assert since.files_fixed() == [("shop/a.py",)]


def test_deleted_file_keeps_the_fixes_it_had_and_the_one_that_deleted_it(repo: GitRepo) -> None:
    since = Since(repo)
    repo.commit({"shop/a.py": CODE * 2}, "Fix area", days_ago=100)
    repo.delete("shop/a.py", days_ago=90)
    repo.delete("shop/b.py", "Fix a leak by removing b", days_ago=80)
    assert since.files_fixed() == [("shop/a.py",), ("shop/b.py",)]


def test_fix_merged_after_the_cut_counts_though_it_is_older(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"shop/a.py": CODE * 2}, "Fix area on a branch", days_ago=250)
    repo.git("checkout", "-q", "main")
    repo.commit({"shop/b.py": CODE * 2}, "Go on", days_ago=200)
    since = Since(repo)
    repo.git("merge", "-q", "--no-ff", "-m", "Fix: merge side", "side")
    assert [fix.subject for fix in since.fixes()] == ["Fix area on a branch"]


def test_commit_listed_in_blame_ignore_revs_is_no_fix(repo: GitRepo) -> None:
    since = Since(repo)
    sha = repo.commit({"shop/a.py": CODE * 2}, "Fix area", days_ago=100)
    assert len(since.fixes()) == 1
    repo.commit({".git-blame-ignore-revs": f"{sha}\n"}, "Skip it", days_ago=90)
    assert since.fixes() == ()


def test_fix_of_more_than_thirty_source_files_does_not_count(repo: GitRepo) -> None:
    repo.commit({f"m{number}.py": CODE for number in range(31)}, "More", days_ago=200)
    since = Since(repo)
    repo.commit({f"m{number}.py": CODE * 2 for number in range(31)}, "Fix all", days_ago=100)
    repo.commit({f"m{number}.py": CODE * 3 for number in range(30)}, "Fix most", days_ago=90)
    assert [fix.subject for fix in since.fixes()] == ["Fix most"]


def test_files_of_a_folder_are_named_from_it(repo: GitRepo) -> None:
    since = Since(repo)
    since.files = dict(scan(repo.path / "shop", Config()).context.repo.files)
    repo.commit({"shop/a.py": CODE * 2}, "Fix area", days_ago=100)
    assert [fix.files for fix in since.fixes(repo.path / "shop")] == [("a.py",)]
