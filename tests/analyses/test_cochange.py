"""Files that change in the same commits: of any kind, over all of history, and only those that are likely to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from crimes.analyses.history.cochange import ChangeSets, Companion, build_change_sets
from crimes.analyses.history.history import HISTORY
from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.workflows.briefing.build import brief
from tests.kit.gitrepo import GitRepo

NO_TIES: Mapping[str, float] = MappingProxyType({})


def likely(changes: ChangeSets, path: str, ties: Mapping[str, float] = NO_TIES) -> list[str]:
    return [companion.path for companion in changes.companions(path, ties, 9).likely]


def test_companions_of_frequent_small_commits_come_first() -> None:
    changes = build_change_sets(
        [["a", "b"], ["a", "b"], ["a", "c", "d", "e"], ["a", "c", "d", "e"], ["x", "y"]],
    )
    assert likely(changes, "a")[:2] == ["b", "c"]
    assert changes.companions("a", {}, 1).likely == (Companion("b", 2, 4),)


def test_files_that_are_left_out_are_counted() -> None:
    changes = build_change_sets([["a", "b"]] * 6 + [["a", "c"]])
    assert likely(changes, "a") == ["b"]
    assert changes.companions("a", {}, 9).others == 1


def test_a_new_commit_counts_for_more_than_an_old_one() -> None:
    old = [["a", "old"]] * 30
    assert likely(build_change_sets([["a", "new"]] * 30 + old), "a")[0] == "new"


def test_no_file_is_named_that_changed_in_fewer_than_one_in_six_commits() -> None:
    """However much else joins the two: the odds are what a reader is told."""
    changes = build_change_sets([["a", "rare"]] + [["a", "often"]] * 6)
    assert likely(changes, "a", {"rare": 99.0}) == ["often"]
    changes = build_change_sets([["a", "rare"]] * 2 + [["a", "often"]] * 10)
    assert likely(changes, "a", {"rare": 20.0}) == ["rare", "often"]


def test_one_common_commit_of_a_large_change_is_too_little() -> None:
    """Two commits in doubt: a file with a short history has to show more than one with a long one."""
    crowd = [chr(number) for number in range(98, 110)]
    assert likely(build_change_sets([["a", *crowd]]), "a") == []
    assert likely(build_change_sets([["a", *crowd]] * 5), "a")[:2] == ["b", "c"]


def test_large_commits_alone_make_no_companions() -> None:
    crowd = [str(number) for number in range(29)]
    assert likely(build_change_sets([["a", *crowd]] * 9), "a") == []


def test_a_tie_alone_is_enough_for_a_file_with_few_commits() -> None:
    changes = build_change_sets([["a", "b"]] * 2)
    assert changes.companions("a", {"t": 20.0}, 9).likely == (Companion("b", 2, 2), Companion("t", 0, 2))
    assert likely(changes, "new", {"t": 20.0, "user": 2.0}) == ["t"]
    assert likely(build_change_sets([["a", "b"]] * 6), "a", {"t": 20.0}) == ["b"]


def test_files_of_no_language_count_and_renames_are_followed(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"app/old.py": "x = 1\n" * 9, "data.json": "{}"})
    repo.commit({"app/old.py": None, "app/new.py": "x = 1\n" * 9})
    repo.commit({"app/new.py": "x = 2\n", "data.json": "[]"})
    history = scan(repo.path, Config()).context[HISTORY]
    assert history.changes.companions("app/new.py", {}, 9).likely == (Companion("data.json", 2, 3),)
    assert set(history.files) == {"app/new.py"}


def test_commits_of_bots_and_of_many_files_create_no_coupling(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({f"f{number}.py": "x = 1\n" for number in range(31)})
    assert scan(repo.path, Config()).context[HISTORY].changes.sets == ()


def test_a_test_that_only_changes_with_a_file_is_named_and_not_run(tmp_path: Path) -> None:
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
    assert made.tests.command == "python -m pytest test_core.py"  # the other one never reaches the file
    assert "test_whole.py" in [companion.file for companion in made.companions]
