"""Interrupts commands in every way that a machine can, and looks at what the next one says. By hand: it takes half an hour.

    python tests/hostile/interrupted_runs.py [--kills 200] [--seed 1] [--only kills,beside,full,memory,read-only]

Each command of a round is killed at a random moment, or runs with too little disk or memory, or where nothing can be written.
After that a scan has to have the bytes of one without a cache, and the user's files have to be whole.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import LOOPING

MB = 1_000_000
CHECK_EVERY = 10  # kills
_FILE_LIMITS_BYTES = (0, 100, 1_000, 4_096, 10_000, 20_000, 40_000, 60_000, 100_000, 200_000, 400_000)
_MAX_SECONDS = 300
_EXPECTED_CODES = (0, 1, 2, 3)  # done, a gate failed, wrong usage, the machine does not let it


class Place:
    """A repository with an uncommitted edit, the user's files in it, a fleet of it, and a cache that all commands share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repo = GitRepo(folder / "repo")
        self.repo.commit({f"app/part{number}.py": LOOPING for number in range(12)}, days_ago=3)
        self.repo.commit({"app/part0.py": LOOPING + "\n\nFIRST = 1\n"}, days_ago=2)
        (self.repo.path / "app/part1.py").write_text(LOOPING + "\n\nEDITED = 1\n")
        self.cache = folder / "cache"
        self.id = self._first_finding()
        self.commands: dict[str, tuple[str, ...]] = {
            "scan": ("scan", "--format", "json"),
            "check": ("check",),
            "fleet": ("fleet", "run", str(folder), "--rescan", "--quiet", "--store", str(folder / "fleet")),
            "clean-up": ("cache", "clear"),
            "ignore": ("ignore", self.id, "--reason", "known"),
            "feedback": ("feedback", "right", self.id),
            "baseline": ("baseline", "save"),
            "init": ("init",),
        }

    def start(
        self, *words: str, limit: Callable[[], None] | None = None, cache: Path | None = None
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "crimes", *words],
            cwd=self.repo.path,
            env={
                **os.environ,
                "CRIMES_CACHE_DIR": str(cache or self.cache),
                "HOME": str(self.folder / "home"),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=limit,
        )

    def run(
        self, *words: str, limit: Callable[[], None] | None = None, cache: Path | None = None
    ) -> tuple[int, bytes, bytes]:
        running = self.start(*words, limit=limit, cache=cache)
        output, errors = running.communicate(timeout=_MAX_SECONDS)
        return running.returncode, output, errors

    def faults(self) -> list[str]:
        """What is wrong after all that happened: the bytes of the next scans, and the user's files."""
        cold = self.run("scan", "--format", "json", "--no-cache")[1]
        found = [
            f"scan {number} differs from a cold one"
            for number in (1, 2)
            if self.run("scan", "--format", "json")[1] != cold
        ]
        for path in sorted(self.repo.path.rglob("*")):
            if ".git" in path.relative_to(self.repo.path).parts or not path.is_file():
                continue
            if path.suffix not in (".py", ".toml", ".json", ".jsonl", "") and path.name != ".gitignore":
                found.append(f"left behind: {path.name}")
            try:
                if path.suffix == ".toml":
                    tomllib.loads(path.read_text())
                elif path.suffix == ".json":
                    json.loads(path.read_text())
                elif path.suffix == ".jsonl":
                    [json.loads(line) for line in path.read_text().splitlines()]
            except ValueError as error:
                found.append(f"{path.name}: {error}")
        if (self.repo.path / "app/part1.py").read_text() != LOOPING + "\n\nEDITED = 1\n":
            found.append("a source file changed")
        return found

    def _first_finding(self) -> str:
        report = json.loads(self.run("scan", "--format", "json")[1])
        return str(report["findings"][0]["id"]) if report["findings"] else ""


def kill_at_random(place: Place, kills: int, chance: random.Random) -> list[str]:
    """Kills of every command in turn; each may run for as long as it took alone."""
    seconds = {}
    for name, words in place.commands.items():
        began = time.monotonic()
        place.run(*words)
        seconds[name] = time.monotonic() - began
    found: list[str] = []
    ended: Counter[str] = Counter()
    for number in range(kills):
        name = list(place.commands)[number % len(place.commands)]
        running = place.start(*place.commands[name])
        time.sleep(chance.uniform(0, seconds[name]))
        ended[f"{name}{'' if running.poll() is None else ' (was done)'}"] += 1
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        if (number + 1) % CHECK_EVERY == 0:
            found += place.faults()
    print("killed:", dict(ended), flush=True)
    return found


def run_beside(place: Place) -> list[str]:
    """Ten scans at once, from an empty cache."""
    place.run("cache", "clear")
    running = [place.start("scan", "--format", "json") for _ in range(10)]
    outputs = {scan.communicate(timeout=_MAX_SECONDS)[0] for scan in running}
    codes = [scan.returncode for scan in running]
    cold = place.run("scan", "--format", "json", "--no-cache")[1]
    return (
        []
        if outputs == {cold} and codes == [0] * 10
        else [f"{len(outputs)} different reports, codes {codes}"]
    )


def _failing(place: Place, what: str, code: int, errors: bytes) -> list[str]:
    shown = errors.decode("utf-8", "replace")
    is_clear = code in _EXPECTED_CODES and "Traceback" not in shown and "internal error" not in shown
    return ([] if is_clear else [f"{what}: exit {code}: {shown[-300:]}"]) + place.faults()


def fill_disk(place: Place) -> list[str]:
    """Commands whose files cannot grow beyond a size, as on a full disk: each write fails in turn."""
    found = []
    for name, words in place.commands.items():
        for size in _FILE_LIMITS_BYTES:

            def limit(size: int = size) -> None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

            code, _, errors = place.run(*words, limit=limit)
            found += _failing(place, f"{name} with files of {size:,} bytes", code, errors)
    return found


def limit_memory(place: Place) -> list[str]:
    """Commands with 60 to 600 MB of address space: each ends with the answer it has without a limit, or says what it lacks."""
    found = []
    commands = {
        "scan": place.commands["scan"],
        "check": place.commands["check"],
        "context": ("context", "app/part1.py"),
        "map": ("map", "--output", str(place.folder / "map.html")),
    }
    answers = {name: place.run(*words)[:2] for name, words in commands.items()}
    for megabytes in range(60, 601, 30):
        for name, words in commands.items():

            def limit(megabytes: int = megabytes) -> None:
                resource.setrlimit(resource.RLIMIT_AS, (megabytes * MB, megabytes * MB))

            place.run("cache", "clear")
            code, output, errors = place.run(*words, limit=limit)
            what, shown = f"{name} with {megabytes} MB", errors.decode("utf-8", "replace")
            print(f"{what}: exit {code}, {len(output):,} bytes, {shown[-120:]!r}", flush=True)
            if (code, output) != answers[name] and not (code == 2 and "memory" in shown):
                found.append(f"{what}: neither the answer nor a reason")
            found += _failing(place, what, code, errors)
    return found


def forbid_writing(place: Place) -> list[str]:
    """Commands with a cache folder in which nobody can write."""
    found = []
    for name, words in place.commands.items():
        code, _, errors = place.run(*words, cache=Path("/proc/crimes"))
        found += _failing(place, f"{name} with a read-only cache", code, errors)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="kills,beside,full,memory,read-only")
    options = parser.parse_args()
    rounds: dict[str, Callable[[Place], list[str]]] = {
        "kills": lambda place: kill_at_random(place, options.kills, random.Random(options.seed)),
        "beside": run_beside,
        "full": fill_disk,
        "memory": limit_memory,
        "read-only": forbid_writing,
    }
    failed = False
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            found = rounds[name](Place(Path(folder)))
        failed = failed or bool(found)
        print(f"{name}: {len(found)} faults", *Counter(found).most_common(20), sep="\n  ", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
