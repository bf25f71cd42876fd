"""The kept commit log: after whatever happened to HEAD, it is the log that git would tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crimes.analyses.history import cached_log, git_log
from crimes.analyses.history.cached_log import CachedLog
from crimes.analyses.history.git_log import WINDOW_SECONDS, LoggedCommit, log_records, read_log
from crimes.incremental.store import Cache
from crimes.model.errors import Unavailable
from crimes.system import git
from tests.kit.gitrepo import GitRepo


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "repo")
    for day in range(9, 4, -1):
        made.commit({"a.py": f"x = {day}\n"}, f"Day {day}", days_ago=day)
    return made


@pytest.fixture
def requested_revisions(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Which commits git was asked for; nothing stands for all of them."""
    questions: list[tuple[str, ...]] = []

    def noting(tree: git.WorkTree, *commits: str, since: int | None = None) -> object:
        questions.append(commits)
        return log_records(tree, *commits, since=since)

    monkeypatch.setattr(cached_log, "log_records", noting)
    return questions


def cache(repo: GitRepo) -> Cache:
    return Cache(repo.path.parent / "x.sqlite", lambda text: None)


def within_three_years(log: Iterator[LoggedCommit]) -> list[LoggedCommit]:
    commits = list(log)
    return [commit for commit in commits if int(commit.seconds) >= int(commits[0].seconds) - WINDOW_SECONDS]


def assert_log_is_right(repo: GitRepo, ahead: bool = False) -> None:
    tree, kept = git.find(repo.path), cache(repo)
    log = CachedLog(kept)
    if ahead:
        log.read_ahead(repo.path)
    assert list(log(tree)) == within_three_years(read_log(tree))
    kept.write()
    kept.close()


def add_commits(repo: GitRepo) -> None:
    repo.commit({"b.py": "y = 1\n"}, days_ago=3)
    repo.commit({"b.py": None, "c.py": "y = 1\n"}, "Move", days_ago=2)


def merge_of_older_work(repo: GitRepo) -> None:
    repo.git("switch", "-q", "-c", "side", "HEAD~3")
    for day in (8, 7, 6.5, 5.5):
        repo.commit({"side.py": f"z = {day}\n"}, f"Side {day}", days_ago=day)
    repo.git("switch", "-q", "main")
    repo.commit({"b.py": "y = 1\n"}, days_ago=6.2)  # younger than its parent
    repo.git("merge", "-q", "--no-ff", "-m", "Merge", "side")


def long_ago(repo: GitRepo) -> None:
    """A commit whose clock was wrong does not hide those behind it."""
    for days in (3000, 1095.2, 1099, 1094, 1096, 900):
        repo.commit({"b.py": f"y = {days}\n"}, days_ago=days)


def test_commits_of_the_last_three_years_are_read_in_any_date_order(repo: GitRepo) -> None:
    long_ago(repo)
    repo.commit({"a.py": "x = 0\n"}, days_ago=0)
    assert_log_is_right(repo)
    repo.commit({"a.py": "x = 1\n"}, days_ago=-1)  # of which the window moves on
    assert_log_is_right(repo)
    assert_log_is_right(repo)


def test_older_commits_are_filtered_out_when_git_returns_all(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_ago(repo)
    repo.commit({"a.py": "x = 0\n"}, days_ago=0)
    monkeypatch.setattr(git_log, "_has_since_as_filter", lambda tree: False)
    assert_log_is_right(repo)


def test_git_does_not_walk_history_behind_the_last_three_years(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = GitRepo(tmp_path / "repo", past=False)
    for days in (3000, 2000, 1100, 1000, 1):
        repo.commit({"a.py": f"x = {days}\n"}, days_ago=days)
    monkeypatch.setattr(git_log, "_has_since_as_filter", lambda tree: pytest.fail("all of history is walked"))
    assert_log_is_right(repo)


def test_git_walks_all_history_where_it_has_too_many_ends(repo: GitRepo) -> None:
    first = repo.git("rev-list", "--max-parents=0", "HEAD").split()[0]
    for number in range(git_log.MAX_ENDS + 1):
        repo.git("switch", "-q", "-c", f"side{number}", first)
        repo.commit({f"{number}.py": "z = 1\n"}, days_ago=2000 + number)
        repo.commit({f"{number}.py": "z = 2\n"}, days_ago=5)
        repo.git("switch", "-q", "main")
        repo.git("merge", "-q", "--no-ff", "-m", "Merge", f"side{number}")
    assert_log_is_right(repo)


@pytest.mark.parametrize("change", [add_commits, merge_of_older_work])
def test_only_new_commits_are_read_after_an_append(
    repo: GitRepo, requested_revisions: list[tuple[str, ...]], change: Callable[[GitRepo], None]
) -> None:
    assert_log_is_right(repo)
    old = repo.git("rev-parse", "HEAD")
    assert_log_is_right(repo)
    assert requested_revisions == [()]
    change(repo)
    assert_log_is_right(repo)
    assert requested_revisions == [(), (f"{old}..{repo.git('rev-parse', 'HEAD')}",)]
    assert_log_is_right(repo)
    assert len(requested_revisions) == 2


def test_log_can_be_read_ahead_in_the_background(
    repo: GitRepo, requested_revisions: list[tuple[str, ...]]
) -> None:
    assert_log_is_right(repo, ahead=True)
    assert_log_is_right(repo, ahead=True)
    assert requested_revisions == [()]


def test_git_failure_is_raised_when_the_log_is_consumed(repo: GitRepo) -> None:
    damaged = repo.git("rev-parse", "HEAD~2")
    place = repo.path / ".git/objects" / damaged[:2] / damaged[2:]
    place.chmod(0o600)
    place.write_bytes(b"")
    tree, log = git.find(repo.path), CachedLog(None)
    log.read_ahead(repo.path)
    with pytest.raises(Unavailable, match="corrupt"):
        list(log(tree))


def test_memory_error_while_reading_ahead_is_raised_to_the_consumer(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(tree: git.WorkTree, *revisions: str, since: int | None = None) -> Iterator[bytes]:
        yield next(iter(log_records(tree, *revisions, since=since)))
        raise MemoryError

    monkeypatch.setattr(cached_log, "log_records", half)
    log = CachedLog(None)
    log.read_ahead(repo.path)
    with pytest.raises(MemoryError):
        list(log(git.find(repo.path)))


def amend(repo: GitRepo) -> None:
    repo.git("commit", "-q", "--amend", "-m", "Other words")


def back(repo: GitRepo) -> None:
    repo.git("reset", "-q", "--hard", "HEAD~2")


def new_root(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.commit({"a.py": "x = 0\n"})


def mailmap(repo: GitRepo) -> None:
    repo.write({".mailmap": "Countess <ada@example.org>\n"})


@pytest.mark.parametrize("change", [amend, back, new_root, mailmap])
def test_log_is_read_anew_when_history_is_rewritten(
    repo: GitRepo, requested_revisions: list[tuple[str, ...]], change: Callable[[GitRepo], None]
) -> None:
    assert_log_is_right(repo)
    change(repo)
    assert_log_is_right(repo)
    assert requested_revisions == [(), ()]


def test_log_of_a_shallow_clone_is_never_cached(
    repo: GitRepo, requested_revisions: list[tuple[str, ...]], tmp_path: Path
) -> None:
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=2")
    assert_log_is_right(clone)
    clone.git("fetch", "-q", "--unshallow")
    assert_log_is_right(clone)
    assert_log_is_right(clone)
    assert requested_revisions == [(), ()]
