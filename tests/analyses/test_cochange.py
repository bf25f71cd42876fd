"""Files that change in the same commits: of any kind, over all of history, with the folder's past for new files."""

from __future__ import annotations

from pathlib import Path

from crimes.analyses.history.cochange import Companion, build_change_sets
from crimes.analyses.history.history import HISTORY
from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.workflows.briefing.build import brief
from tests.kit.gitrepo import GitRepo


def test_companions_of_frequent_small_commits_come_first() -> None:
    changes = build_change_sets(
        [["a", "b"], ["a", "b"], ["a", "c", "d", "e"], ["a", "c", "d", "e"], ["x", "y"]],
    )
    assert [companion.path for companion in changes.companions("a", 9)][:2] == ["b", "c"]
    assert changes.companions("a", 1) == (Companion("b", 2, 4),)


def test_a_new_commit_counts_for_more_than_an_old_one() -> None:
    old = [["a", "old"]] * 40
    assert build_change_sets([["a", "new"]] * 30 + old).companions("a", 1)[0].path == "new"


def test_file_without_history_gets_the_companions_of_its_folder() -> None:
    changes = build_change_sets([["app/one.py", "docs/api.md"], ["app/two.py", "docs/api.md"]])
    assert changes.companions("app/three.py", 1) == (Companion("docs/api.md", 0, 0),)
    assert changes.companions("other/three.py", 9) == ()


def test_files_of_no_language_count_and_renames_are_followed(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"app/old.py": "x = 1\n" * 9, "data.json": "{}"})
    repo.commit({"app/old.py": None, "app/new.py": "x = 1\n" * 9})
    repo.commit({"app/new.py": "x = 2\n", "data.json": "[]"})
    history = scan(repo.path, Config()).context[HISTORY]
    assert history.changes.companions("app/new.py", 9) == (Companion("data.json", 2, 3),)
    assert set(history.files) == {"app/new.py"}


def test_commits_of_bots_and_of_many_files_create_no_coupling(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({f"f{number}.py": "x = 1\n" for number in range(31)})
    assert scan(repo.path, Config()).context[HISTORY].changes.sets == ()


def test_a_test_that_only_changes_with_a_file_is_run_too(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    for number in range(3):
        repo.commit(
            {
                "core.py": f"x = {number}\n",
                "test_core.py": "import core\n\n\ndef test_it():\n    assert core.x\n",
                "test_whole.py": f"def test_all():\n    assert {number + 1}\n",
                "pytest.ini": "",
            },
            days_ago=3 - number,
        )
    made = brief(scan(repo.path, Config()), "core.py")
    assert made.tests.importing == ("test_core.py",)
    assert made.tests.command == "python -m pytest test_core.py test_whole.py"
