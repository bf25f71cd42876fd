"""The cache: what is answered from it, what is not, and everything that can be wrong with it."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

import crimes.engine.scan
from crimes.engine import read_files
from crimes.incremental import code_version, store
from crimes.incremental.answers import answers_key
from crimes.incremental.building import wait_until_built
from crimes.incremental.store import Cache, cache_files, make_room
from crimes.languages.engine.facts import read_facts
from crimes.model.codec import encode
from crimes.model.scan_request import ScanRequest
from crimes.system.user_dirs import database_of
from crimes.workflows.scan_options import ScanOptions, Silent
from crimes.workflows.session import Session
from tests.kit.cached_answers import cached_answers
from tests.kit.gitrepo import GitRepo

COLD = ScanOptions(cache=False, jobs=1)


class Loud(Silent):
    """Prints notices, as the command line does."""

    def notice(self, text: str) -> None:
        print(text, file=sys.stderr)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "repo")
    made.commit(
        {
            "app/core.py": "def run(a):\n    try:\n        return a\n    except Exception:\n        pass\n",
            "app/views.py": "from app.core import run\n\nrun(1)\n",
            ".gitignore": "*.pyc\nbuild/\n",
        },
        days_ago=100,
    )
    return made


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], int]:
    """How many scans were made since the last question. They run in forks: a file counts them."""
    counter = tmp_path / "scans"
    real = crimes.engine.scan.scan

    def counting(*arguments: object, **named: object) -> object:
        with counter.open("a") as file:
            file.write("x")
        return real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(crimes.engine.scan, "scan", counting)

    def ask() -> int:
        number = counter.stat().st_size if counter.exists() else 0
        counter.unlink(missing_ok=True)
        return number

    return ask


def warm_equals_cold(repo: GitRepo) -> None:
    assert encode(Session(repo.path, listener=Loud()).report()) == encode(Session(repo.path, COLD).report())


def nothing(repo: GitRepo) -> None:
    pass


def touch(repo: GitRepo) -> None:
    os.utime(repo.path / "app/core.py")


def ignored_file(repo: GitRepo) -> None:
    (repo.path / "app/core.pyc").write_text("x")


def ignored_folder(repo: GitRepo) -> None:
    (repo.path / "build/deep").mkdir(parents=True)
    (repo.path / "build/deep/made.py").write_text("x = 1\n")


def refreshed_index(repo: GitRepo) -> None:
    os.utime(repo.path / "app/core.py", (1, 1))
    repo.git("status")


def unread_file(repo: GitRepo) -> None:
    """Its content is read by nobody: only that it is there counts."""
    (repo.path / "picture.png").write_text("y")


@pytest.mark.parametrize("change", [nothing, touch, ignored_file, ignored_folder, refreshed_index])
def test_irrelevant_change_is_answered_without_a_scan(
    repo: GitRepo, scans: Callable[[], int], change: Callable[[GitRepo], None]
) -> None:
    first = Session(repo.path).report()
    assert scans() == 1
    change(repo)
    assert encode(Session(repo.path).report()) == encode(first)
    assert encode(Session(repo.path).report()) == encode(first)
    assert scans() == 0
    warm_equals_cold(repo)


def same_size(repo: GitRepo) -> None:
    path = repo.path / "app/core.py"
    before = path.stat()
    path.write_text(path.read_text().replace("return a", "return 1"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def new_file(repo: GitRepo) -> None:
    (repo.path / "app/new.py").write_text("x = 1\n")


def new_file_among_ignored(repo: GitRepo) -> None:
    (repo.path / "pyc/x.py").write_text("x = 1\n")


def new_file_in_empty_folder(repo: GitRepo) -> None:
    (repo.path / "empty/x.py").write_text("x = 1\n")


def configuration(repo: GitRepo) -> None:
    (repo.path / "crimes.toml").write_text('exclude = ["app/views.py"]\n')


def coverage_data(repo: GitRepo) -> None:
    (repo.path / "build").mkdir(exist_ok=True)
    (repo.path / "lcov.info").write_text("SF:app/core.py\nDA:1,1\nend_of_record\n")


def another_commit(repo: GitRepo) -> None:
    repo.git("commit", "-q", "--allow-empty", "-m", "Nothing")


def excluded_by_hand(repo: GitRepo) -> None:
    with (repo.path / ".git/info/exclude").open("a") as file:
        file.write("loose.py\n")


def back_again(repo: GitRepo) -> None:
    """It was deleted, and never left git's list."""
    repo.git("checkout", "-q", "--", "app/gone.py")


def unread_and_gone(repo: GitRepo) -> None:
    (repo.path / "notes.rst").unlink()


def not_too_large_any_more(repo: GitRepo) -> None:
    (repo.path / "app/large.py").write_text("x = 1\n")


def no_repository_any_more(repo: GitRepo) -> None:
    os.rename(repo.path / ".git", repo.path.parent / "git")


CHANGES = [
    same_size,
    new_file,
    new_file_among_ignored,
    new_file_in_empty_folder,
    configuration,
    coverage_data,
    another_commit,
    excluded_by_hand,
    no_repository_any_more,
    unread_file,
    back_again,
    unread_and_gone,
    not_too_large_any_more,
]


@pytest.mark.parametrize("change", CHANGES)
def test_relevant_change_is_scanned_again(
    repo: GitRepo, scans: Callable[[], int], change: Callable[[GitRepo], None]
) -> None:
    repo.commit({"app/gone.py": "x = 1\n", "app/large.py": "#" * 2_000_001, "notes.rst": "Hi\n"})
    repo.write({"pyc/x.pyc": "x", "loose.py": "x = 1\n", "app/gone.py": None})
    (repo.path / "empty").mkdir()
    Session(repo.path).report()
    Session(repo.path).report()
    assert scans() == 1
    change(repo)
    Session(repo.path).report()
    assert scans() == 1
    warm_equals_cold(repo)


def test_warm_scan_equals_cold_scan_without_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    empty = GitRepo(tmp_path / "repo")
    empty.write({"a.py": "x = 1\n"})
    warm_equals_cold(empty)
    warm_equals_cold(empty)


def test_only_changed_files_are_parsed(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Session(repo.path).report()
    parsed = tmp_path / "parsed"
    real = read_facts

    def counting(*arguments: object) -> object:
        with parsed.open("a") as file:
            file.write("x")
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(read_files, "read_facts", counting)
    # What the native reader declines is read, and counted, there.
    monkeypatch.setattr(read_files, "start_natively", lambda jobs, *_: lambda: [None] * len(jobs))
    repo.write({"app/views.py": "from app.core import run\n\nrun(2)\n"})
    changed = encode(Session(repo.path).report())
    assert parsed.read_text() == "x"
    repo.write(
        {"app/other.py": "from app.core import run\n\nrun(2)\n"}
    )  # the same content under another name
    Session(repo.path).report()
    Session(repo.path).trust()
    assert parsed.read_text() == "x"
    (repo.path / "app/other.py").unlink()
    assert encode(Session(repo.path).report()) == changed == encode(Session(repo.path, COLD).report())


def truncate(place: Path) -> None:
    os.truncate(place, 5000)


def scribble(place: Path) -> None:
    place.write_bytes(b"no database at all" * 1000)


def from_the_future(place: Path) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute("PRAGMA user_version = 99")


def flip(place: Path) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute(
            "UPDATE state SET value = CAST(x'00000000' || substr(value, 5) AS BLOB) WHERE key LIKE 'snapshot%'"
        )


def flip_facts(place: Path) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE facts SET value = CAST(x'00000000' || substr(value, 5) AS BLOB)")
        connection.execute("DELETE FROM state WHERE key LIKE 'report%'")


@pytest.mark.parametrize("damage", [truncate, scribble, from_the_future, flip, flip_facts])
def test_damaged_cache_is_rebuilt(
    repo: GitRepo,
    scans: Callable[[], int],
    damage: Callable[[Path], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    cold = encode(Session(repo.path, COLD).report())
    Session(repo.path).report()
    wait_until_built(database_of(repo.path))
    scans()
    damage(database_of(repo.path))
    capfd.readouterr()
    assert encode(Session(repo.path, listener=Loud()).report()) == cold
    assert "the cache was reset" in capfd.readouterr().err
    assert scans() == 1
    assert encode(Session(repo.path, listener=Loud()).report()) == cold
    assert scans() == 0
    assert "cache" not in capfd.readouterr().err


def test_unusable_cache_is_bypassed(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    cold = encode(Session(repo.path, COLD).report())
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "file"))
    assert encode(Session(repo.path, listener=Loud()).report()) == cold
    assert "cannot use the cache" in capfd.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_read_only_cache_is_bypassed(repo: GitRepo, tmp_path: Path) -> None:
    cold = encode(Session(repo.path, COLD).report())
    Session(repo.path).report()
    folder = database_of(repo.path).parent
    folder.chmod(0o500)
    try:
        repo.write({"app/more.py": "x = 1\n"})
        assert encode(Session(repo.path).report()) != cold
        warm_equals_cold(repo)
    finally:
        folder.chmod(0o700)


def test_locked_cache_is_bypassed(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store, "_LOCK_TIMEOUT_SECONDS", 0.05)
    Session(repo.path).report()
    wait_until_built(database_of(repo.path))
    repo.write({"app/more.py": "x = 1\n"})
    holder = sqlite3.connect(database_of(repo.path), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    warm_equals_cold(repo)
    assert "cannot use the cache" in capfd.readouterr().err
    holder.execute("ROLLBACK")
    holder.close()
    warm_equals_cold(repo)


def test_newly_read_file_has_its_full_history(repo: GitRepo) -> None:
    repo.write({"crimes.toml": 'exclude = ["app/core.py"]\n'})
    warm_equals_cold(repo)
    repo.write({"crimes.toml": ""})
    warm_equals_cold(repo)


def test_answers_carry_the_time_of_their_scan(repo: GitRepo) -> None:
    answers = cached_answers(repo.path)
    assert not answers.made_since(0)
    begun = time.time_ns()
    Session(repo.path).report()
    answers.wait_until_briefed()
    assert answers.made_since(begun)
    assert not answers.made_since(time.time_ns())
    answers.cache.close()
    other = cached_answers(repo.path, repo.path / "lcov.info")
    assert not other.made_since(begun)  # those were made with other options
    other.cache.close()


def test_concurrent_scans_agree(repo: GitRepo) -> None:
    command = [sys.executable, "-m", "crimes", "scan", "--format", "json", str(repo.path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    ended = [process.communicate() for process in running]
    cold = encode(Session(repo.path, COLD).report())
    assert [output for output, _ in ended] == [cold] * 4
    assert {complaints for _, complaints in ended} == {b""}


def test_facts_of_another_code_version_are_neither_read_nor_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices = list[str]()
    cache = Cache(tmp_path / "x.sqlite", notices.append)
    with monkeypatch.context() as older:
        older.setattr(code_version, "__version__", "0.0.1")
        cache.keep_facts((b"1", "python"), b"facts")
        cache.keep("key", b"value")
        cache.write()
        assert cache.facts({(b"1", "python")}) == {(b"1", "python"): b"facts"}
    assert cache.state("key") is None
    assert cache.facts_keys() == set()
    cache.keep("key", b"other")
    cache.write()
    assert cache.state("key") == b"other"
    with monkeypatch.context() as older:
        older.setattr(code_version, "__version__", "0.0.1")
        assert cache.state("key") is None
        assert cache.facts_keys() == set()
    assert notices == []


def test_unused_facts_are_dropped_over_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MAX_SPARE_ROWS", 3)
    cache = Cache(tmp_path / "x.sqlite", lambda text: None)
    keys = [(bytes([number]), "python") for number in range(10)]
    for key in keys:
        cache.keep_facts(key, b"facts")
    cache.write({keys[0]})
    assert cache.facts_keys() == {keys[0], *keys[6:]}


def test_oldest_unused_repositories_are_dropped_over_the_size_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path))
    places = [database_of(tmp_path / str(number)) for number in range(4)]
    for age, place in enumerate(places):
        cache = Cache(place, lambda text: None)
        cache.keep("key", b"x" * 100_000)
        cache.write()
        cache.close()
        os.utime(place, (1000 - age, 1000 - age))
    in_use = sqlite3.connect(places[3], isolation_level=None)
    in_use.execute("BEGIN")
    in_use.execute("SELECT * FROM state").fetchone()
    make_room(places[2], max_bytes=250_000)
    assert {place for place, _, _ in cache_files()} == {places[2], places[3]}
    in_use.close()


def told_by(*arguments: str, cwd: Path) -> tuple[bytes, str]:
    command = [sys.executable, "-m", "crimes", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=True)
    return done.stdout, done.stderr.decode()


@pytest.mark.parametrize("format_", ["json", "md", "human"])
def test_cached_briefing_equals_that_of_a_scan(repo: GitRepo, format_: str) -> None:
    question = ("context", "app/core.py", "--format", format_)
    cold, _ = told_by(*question, "--no-cache", cwd=repo.path)
    assert told_by(*question, cwd=repo.path) == (cold, "")
    assert told_by(*question, cwd=repo.path) == (cold, "")


def test_briefing_of_an_unchanged_tree_loads_no_command_line(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    Session(repo.path).report()
    program = (
        "import sys; from crimes.cli.warm_path import try_answer; sys.stdout.reconfigure(errors='replace')\n"
        "assert try_answer(['context', 'app/core.py', '-f', 'json'])\n"
        "assert not try_answer(['context', 'app/core.py', '-f', 'json', '--no-cache'])\n"
        "assert not {'typer', 'git', 'tree_sitter', 'networkx'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], cwd=repo.path, check=True, stdout=subprocess.DEVNULL)
    repo.write({"app/core.py": "x = 1\n"})
    program = "from crimes.cli.warm_path import try_answer; assert not try_answer(['context', 'app/core.py', '-f', 'json'])"
    subprocess.run([sys.executable, "-c", program], cwd=repo.path, check=True)


def test_timings_are_printed_only_with_profile(repo: GitRepo) -> None:
    plain, said = told_by("scan", "--format", "json", cwd=repo.path)
    assert b"timings" not in plain
    assert said == ""
    timed, said = told_by("scan", "--format", "json", "--profile", "--no-cache", cwd=repo.path)
    assert [line.split()[1] for line in said.splitlines()] == [
        *("starting", "discovering", "reading", "linking", "detecting", "judging", "keeping", "all")
    ]
    timed, readers = re.subn(rb',\n    "reader": "(?:native|python)"', b"", timed)
    assert readers == 1, "which reader ran is told with the timings"
    assert timed.partition(b'"timings"')[0].rstrip(b" \n,") == plain.removesuffix(b"\n}\n")
    assert b"timings" not in told_by("scan", "--format", "json", cwd=repo.path)[0]


def test_cache_command_lists_and_removes_the_cache(repo: GitRepo) -> None:
    Session(repo.path).report()
    place = database_of(repo.path)
    told = told_by("cache", "info", cwd=repo.path)[0].decode()
    assert str(place.parent) in told
    assert "repositories   1" in told
    told_by("cache", "clear", cwd=repo.path)
    assert not place.exists()
    assert "nothing cached" in told_by("cache", "info", cwd=repo.path)[0].decode()
    Session(repo.path).report()
    told_by("cache", "clear", "--all", cwd=repo.path)
    assert cache_files() == []


@pytest.mark.parametrize("options", [["--format", "json"], ["-f", "json", "--jobs", "1"]])
def test_cached_report_is_printed_without_building_the_command_line(
    repo: GitRepo, tmp_path: Path, capfd: pytest.CaptureFixture[str], options: list[str]
) -> None:
    from crimes.cli.warm_path import try_answer

    asked = ["scan", str(repo.path), *options]
    assert not try_answer(asked)
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "crimes", "scan", str(repo.path), "--format", "json"]
    made = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    last = next((tmp_path / "cache/last-scan").glob("*.json"))
    last.unlink()
    again = subprocess.run(
        [sys.executable, "-X", "importtime", *command[1:]], env=environment, capture_output=True, check=True
    )
    assert again.stdout == made
    assert last.read_bytes() == made
    assert b"typer" not in again.stderr
    repo.write({"app/core.py": "x = 1\n"})
    assert not try_answer(asked)


@pytest.mark.parametrize(
    "arguments",
    [
        ["scan"],
        ["scan", "."],
        ["scan", "--format", "sarif"],
        ["scan", "--format", "json", "--all"],
        ["scan", "--format", "json", "--jobs", "0"],
        ["scan", "--format", "json", "--fail-on", "low"],
        ["scan", "--format", "json", "a", "b"],
        ["scan", "--format", "json", "--no-cache"],
        ["scan", "--format", "json", "-o", "file"],
    ],
)
def test_other_arguments_are_left_to_the_command_line(arguments: list[str]) -> None:
    from crimes.cli import warm_path

    assert warm_path._parse_scan(arguments) is None


def test_briefing_for_people_out_of_the_cache_loads_no_language(repo: GitRepo) -> None:
    Session(repo.path).report()
    program = (
        "import sys; sys.argv = ['crimes', 'context', 'app/core.py']\n"
        "from crimes.__main__ import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n"
        "    print(end.code, *{'crimes.languages', 'tree_sitter', 'crimes.engine.scan'} & sys.modules.keys(), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=repo.path, capture_output=True, text=True, check=True
    )
    assert "app/core.py" in done.stdout
    assert done.stderr == "0\n"


class _WiderRequest(ScanRequest, frozen=True):
    """A request with an option that nobody has told the cache about."""

    exclude: tuple[str, ...] = ()


@pytest.mark.parametrize(
    "other",
    [
        ScanRequest(as_of=datetime(2026, 1, 1, tzinfo=UTC)),
        ScanRequest(coverage=(Path("lcov.info"),)),
        _WiderRequest(exclude=("legacy/",)),
    ],
    ids=["as_of", "coverage", "a new option"],
)
def test_answers_to_another_request_are_kept_apart(other: ScanRequest) -> None:
    assert answers_key(other) != answers_key(type(other)())


def test_requests_that_mean_the_same_share_their_answers(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "lcov.info")
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    here = ScanRequest(as_of=noon, coverage=(tmp_path / "lcov.info",))
    there = ScanRequest(as_of=noon.astimezone(timezone(timedelta(hours=2))), coverage=(tmp_path / "link",))
    assert answers_key(here) == answers_key(there)
