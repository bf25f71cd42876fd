"""What a fleet does when something dies in the middle: on a real cluster of three worker processes."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crimes.config.fleet import Limits
from crimes.workflows.fleet.members import Member
from crimes.workflows.fleet.run import FleetRun, Progress, RunOptions, run_fleet
from crimes.workflows.fleet.store import Store
from tests.kit.cluster import Cluster, wait_for
from tests.kit.gitrepo import GitRepo

REPOSITORIES = 6
BRANCHES = "def answer(flag):\n" + "".join(f"    if flag == {n}:\n        return {n}\n" for n in range(40))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(autouse=True)
def whole_cluster(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that a test killed are replaced, and mirrors are found where the workers keep them."""
    cluster.fill()
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(cluster.cache))


@pytest.fixture
def members(tmp_path: Path) -> list[Member]:
    """Repositories with an address: their mirrors have locks, which a test can hold."""
    made = []
    for number in range(REPOSITORIES):
        repo = GitRepo(tmp_path / "remote" / f"r{number}")
        repo.commit({"app.py": f"import os\n\nNUMBER = {number}\n{BRANCHES}", "test_app.py": "import app\n"})
        made.append(Member(f"r{number}", address=repo.path.as_uri(), tags={"team": "core"}))
    return made


@contextmanager
def held_up(members: Sequence[Member]) -> Iterator[None]:
    """Their scans do not get beyond the fetch in here."""
    from crimes.system.git_mirror import _folder_of

    with ExitStack() as stack:
        for member in members:
            folder = _folder_of(member.address, member.branch).parent
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT)
            stack.callback(os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Running:
    """A run in a thread, with what it said."""

    def __init__(self, members: Sequence[Member], store: Path, options: RunOptions) -> None:
        self.seen: list[str] = []
        self.result: FleetRun | None = None
        self._thread = threading.Thread(target=self._run, args=(members, store, options))
        self._thread.start()

    def _run(self, members: Sequence[Member], store: Path, options: RunOptions) -> None:
        self.result = run_fleet(members, Store(store), options, self._progress)

    def _progress(self, progress: Progress) -> None:
        if progress.results:
            self.seen.append(progress.results[-1].member.name)

    def wait(self) -> FleetRun:
        self._thread.join(120)
        assert self.result is not None, f"only {self.seen}"
        return self.result


def scans_under_way(cluster: Cluster) -> list[int]:
    """The processes that scan for the workers of the cluster, below the one that serves."""
    children = {worker.pid: _children(worker.pid) for worker in cluster.workers}
    return [fork for servers in children.values() for server in servers for fork in _children(server)]


def _children(process: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in listed.stdout.split()]


def rows(run: FleetRun) -> list[Mapping[str, object]]:
    table: list[Mapping[str, object]] = pq.read_table(run.folder / "repositories.parquet").to_pylist()
    return table


def assert_each_once(running: Running, members: Sequence[Member]) -> FleetRun:
    run = running.wait()
    names = [member.name for member in members]
    assert Counter(running.seen) == Counter(names)
    assert [(row["repository"], row["status"]) for row in rows(run)] == [(name, "scanned") for name in names]
    findings = pq.read_table(run.folder / "files.parquet").to_pylist()
    assert Counter(row["repository"] for row in findings) == dict.fromkeys(names, 1)
    return run


def test_every_repository_is_reported_once_when_a_worker_is_killed(
    cluster: Cluster, members: list[Member], tmp_path: Path
) -> None:
    with held_up(members):
        running = Running(members, tmp_path / "store", RunOptions(scheduler=cluster.address))
        wait_for(lambda: len(scans_under_way(cluster)) == 3)
        orphans = _children(_children(cluster.workers[0].pid)[0])
        cluster.kill(1)
        wait_for(lambda: not any(map(is_alive, orphans)))  # what the dead worker began does not go on
    assert_each_once(running, members)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_every_repository_is_reported_once_when_all_workers_are_killed_and_started_again(
    cluster: Cluster, members: list[Member], tmp_path: Path
) -> None:
    with held_up(members):
        running = Running(members, tmp_path / "store", RunOptions(scheduler=cluster.address))
        wait_for(lambda: len(scans_under_way(cluster)) == 3)
        cluster.kill(3)
        cluster.fill()
        wait_for(lambda: len(scans_under_way(cluster)) == 3)
    assert_each_once(running, members)


def test_finished_work_is_not_done_again_when_the_client_was_killed(
    cluster: Cluster, members: list[Member], tmp_path: Path
) -> None:
    listed = "\n".join(member.address for member in members)
    store = tmp_path / "store"
    with held_up(members[4:]):
        client = start_client(tmp_path, listed, "--scheduler", cluster.address, "--store", str(store))
        wait_for(lambda: len(list(store.glob("scans/*/*.scan"))) == 4)
        client.send_signal(signal.SIGKILL)
        client.communicate()
        assert not list(store.glob("runs/run=*")), "a run is visible before it is complete"
        kept = {file: file.stat().st_ino for file in store.glob("scans/*/*.scan")}
    again = start_client(tmp_path, listed, "--scheduler", cluster.address, "--store", str(store))
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    assert said.count(": known") == 4, said
    assert said.count(": scanned") == 2, said
    assert {file: file.stat().st_ino for file in kept} == kept, "a finished scan was written again"
    assert len(list(store.glob("runs/run=*"))) == 1


def start_client(
    folder: Path, listed: str, *options: str, before: str = "", program: Sequence[str] = ()
) -> subprocess.Popen[str]:
    code = f"import sys; {before}\nfrom crimes.__main__ import main\nif __name__ == '__main__':\n    main()"
    command = [*program, sys.executable, "-P", "-c", code, "fleet", "run", "-", *options]
    file = folder / "list"
    file.write_text(listed)
    with file.open() as stdin:
        return subprocess.Popen(
            command, cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )


def test_a_repository_that_hangs_or_needs_too_much_memory_is_a_row_with_its_reason(
    cluster: Cluster, members: list[Member], tmp_path: Path
) -> None:
    # A small repository is scanned within 150 MB; this one needs over 300, whatever the libraries of the machine take.
    greedy = GitRepo(tmp_path / "remote" / "greedy")
    functions = "".join(f"def add_{n}(a, b):\n    return a + b * {n}\n\n" for n in range(3000))
    greedy.commit({f"part_{n}.py": f"PART = {n}\n{functions}" for n in range(40)})
    fleet = [*members[:2], Member("greedy", folder=str(greedy.path)), members[2]]
    limits = Limits(seconds=15, memory_mb=200)
    with held_up(members[2:3]):
        run = Running(fleet, tmp_path / "store", RunOptions(limits, cluster.address)).wait()
    by_name = {str(row["repository"]): row for row in rows(run)}
    statuses = {name: row["status"] for name, row in by_name.items()}
    assert statuses == {"r0": "scanned", "r1": "scanned", "greedy": "out-of-memory", "r2": "timeout"}
    assert by_name["r2"]["reason"] == "no result within 15 seconds"
    wait_for(lambda: not scans_under_way(cluster))
    again = Running(fleet, tmp_path / "store", RunOptions(scheduler=cluster.address)).wait()
    assert {str(row["status"]) for row in rows(again)} == {"scanned"}


@pytest.mark.parametrize("kind", ["disk", "limit"])
def test_a_full_disk_ends_the_run_with_a_message_and_loses_nothing(
    cluster: Cluster, members: list[Member], tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    store.mkdir()
    listed = "\n".join(member.address for member in members)
    options = ("--scheduler", cluster.address, "--store", str(store))
    if kind == "limit":  # the system refuses what goes beyond so many bytes of a file
        before = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (700, resource.RLIM_INFINITY))"
        client = start_client(tmp_path, listed, *options, before=before)
        _, said = client.communicate(timeout=120)
        assert "File too large" in said
    else:
        if subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode:
            pytest.skip("this user may not mount a small disk")
        script = 'mount -t tmpfs -o size=12k none "$0" && "$@"; code=$?; cp -r "$0"/scans "$0"/runs "$KEEP" 2>/dev/null; exit $code'
        monkeypatch.setenv("KEEP", str(tmp_path / "kept"))
        (tmp_path / "kept").mkdir()
        program = ("unshare", "-rm", "sh", "-c", script, str(store))
        client = start_client(tmp_path, listed, *options, program=program)
        _, said = client.communicate(timeout=120)
        assert "No space left on device" in said
        shutil.copytree(tmp_path / "kept", store, dirs_exist_ok=True)
    assert client.returncode == 2, said
    assert "Traceback" not in said
    assert not list(store.glob("runs/run=*"))
    assert not list(store.glob("**/.*")), "something half-written was left"
    again = start_client(tmp_path, listed, *options)
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said
    (run,) = store.glob("runs/run=*")
    assert pq.read_table(run / "repositories.parquet").num_rows == REPOSITORIES


# As it is when the connection breaks while a result is on its way.
LOSE_A_RESULT = """
from distributed import Future

taken, calls = Future._result, []

async def result(self, *arguments, **options):
    calls.append(self)
    if len(calls) == 2:
        raise OSError("the connection was closed")
    return await taken(self, *arguments, **options)

Future._result = result
"""


def test_a_result_that_is_lost_on_its_way_ends_the_run_and_is_there_the_next_time(
    cluster: Cluster, members: list[Member], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    listed = "\n".join(member.address for member in members)
    options = ("--scheduler", cluster.address, "--store", str(store))
    client = start_client(tmp_path, listed, *options, before=LOSE_A_RESULT)
    try:
        _, said = client.communicate(timeout=60)
    finally:
        client.kill()
    assert client.returncode == 2, said
    assert "no answer from the scheduler: the connection was closed; run the command again" in said
    assert "Traceback" not in said
    again = start_client(tmp_path, listed, *options)
    _, said = again.communicate(timeout=120)
    assert (again.returncode, said.count(": known")) == (0, 1), said


def test_two_fleets_at_once_in_one_store_give_two_equal_runs(
    cluster: Cluster, members: list[Member], tmp_path: Path
) -> None:
    store = tmp_path / "store"
    both = [Running(members, store, RunOptions(scheduler=cluster.address)) for _ in range(2)]
    folders = {assert_each_once(running, members).folder for running in both}
    assert len(folders) == 2
    for table in ("repositories", "findings", "files", "trust"):
        assert len({(folder / f"{table}.parquet").read_bytes() for folder in folders}) == 1, table


@pytest.mark.parametrize("part", ["pack", "blob"])
def test_a_corrupt_mirror_is_fetched_anew(
    cluster: Cluster, members: list[Member], tmp_path: Path, part: str
) -> None:
    from crimes.system.git_mirror import _folder_of

    options = RunOptions(scheduler=cluster.address, rescan=True)
    first = Running(members[:1], tmp_path / "store", options).wait()
    objects = _folder_of(members[0].address, "") / ".git" / "objects"
    files = [file for file in objects.rglob("*") if file.is_file()]
    if part == "blob":  # git finds the commit, and not what is in it
        blob = subprocess.run(
            ["git", "-C", str(tmp_path / "remote" / "r0"), "rev-parse", "HEAD:app.py"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        files = [file for file in files if file.parent.name + file.name == blob]
    assert files
    for file in files:
        file.chmod(0o600)
        file.write_bytes(b"nothing of the kind")
    shutil.rmtree(cluster.cache / "repositories")  # reports on commits
    again = Running(members[:1], tmp_path / "store", options).wait()
    assert [row["status"] for row in rows(again)] == ["scanned"]
    assert rows(again) == rows(first)
