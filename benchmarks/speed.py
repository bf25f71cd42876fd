"""Speed against the parse floor: `python benchmarks/speed.py REPO…`. CPU seconds, a process for each figure.

floor   read every file the scan reads and parse it with tree-sitter, nothing else
scan    `crimes scan --jobs 1` with an empty cache, until it ends; git and all other children included
after   what the scan goes on with when it has answered: the briefings of all files
help    `crimes --help`, over a bare interpreter

A machine's speed drifts by a third within a minute, so floor and scan share one core at the same time, a few
milliseconds each: what slows one slows the other. The floor repeats until the scan has ended, and the time of one
pass counts. Each pair gives a ratio; the result is their median.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import resource
import select
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

MAX_RATIO = 4.0
MAX_HELP_MS = 250
_PR_SET_CHILD_SUBREAPER = 36
# An installed package is compiled once; with this variable set, every scan would compile it again.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def floor(root: Path) -> dict[str, Any]:
    """CPU of one pass of reading and parsing, collector off as in the scan; repeats until standard input ends."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser

    from crimes.config.schema import Config
    from crimes.discovery.discover import discover
    from crimes.languages import by_id

    files = [file for file in discover(root, Config(), by_id).files if by_id[file.language].syntax]
    syntaxes = {file.language: by_id[file.language].syntax for file in files}
    parsers = {name: Parser(Grammar(syntax.grammar())) for name, syntax in syntaxes.items() if syntax}
    gc.disable()
    start = time.process_time()
    size = parsed = 0
    for number in count():
        if number >= len(files) and select.select([sys.stdin], [], [], 0)[0]:
            break
        file = files[number % len(files)]
        content = (root / file.path).read_bytes()
        parsers[file.language].parse(content)
        parsed += len(content)
        size += len(content) if number < len(files) else 0
    seconds = (time.process_time() - start) * size / parsed
    return {"seconds": seconds, "files": len(files), "megabytes": size / 1e6}


def cold_scan(root: Path) -> dict[str, Any]:
    """CPU of the command with an empty cache that it fills, of each stage it names, and of what it does after its answer."""
    collect_orphans()
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "crimes", "scan", "--format", "json", "--profile", "--jobs", "1"]
        process = subprocess.run(
            [*command, str(root)],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**ENVIRONMENT, "CRIMES_CACHE_DIR": cache},
        )
        seconds = _cpu(resource.RUSAGE_CHILDREN)
        wait_for_orphans()
        after = _cpu(resource.RUSAGE_CHILDREN) - seconds
    report = json.loads(process.stdout)
    return {
        "seconds": seconds,
        "after": after,
        "parts": {stage["stage"]: stage["cpu"] for stage in report["timings"]},
        "findings": len(report["findings"]),
        "peak_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def collect_orphans() -> None:
    """Become the parent of processes that outlive the command that started them, so that their CPU is counted; Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_orphans() -> None:
    """Wait for everything that commands left behind."""
    with suppress(ChildProcessError):
        while True:
            os.wait()


def _cpu(who: int) -> float:
    """CPU seconds so far of this process, or of its finished children."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def measure_pair(root: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Floor and scan, each in a process of its own, on one core at the same time."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    command = [sys.executable, __file__, root, "--measure"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, "floor"], stdin=pipe, stdout=pipe, env=ENVIRONMENT) as floor_process:
        scan_process = subprocess.run([*command, "scan"], check=True, stdout=pipe, env=ENVIRONMENT)
        floor_output, _ = floor_process.communicate()
    return json.loads(floor_output), json.loads(scan_process.stdout)


def lowest_cpu_ms(command: list[str], times: int = 5) -> float:
    """The lowest CPU time of several runs, in milliseconds."""

    def run_once() -> float:
        before = _cpu(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        return 1000 * (_cpu(resource.RUSAGE_CHILDREN) - before)

    return min(run_once() for _ in range(times))


def median_of(runs: tuple[dict[str, Any], ...], name: str) -> float:
    return median(float(run[name]) for run in runs)


def measure(root: str, pairs: int) -> float:
    """Print one repository's line and parts; return its ratio."""
    floors, scans = zip(*(measure_pair(root) for _ in range(pairs)), strict=True)
    ratios: list[float] = sorted(
        cold["seconds"] / base["seconds"] for base, cold in zip(floors, scans, strict=True)
    )
    base = median_of(floors, "seconds")
    ratio = median(ratios)
    print(
        f"{Path(root).resolve().name:<20}{floors[0]['files']:>7}{floors[0]['megabytes']:>7.1f}{base:>8.2f}"
        f"{median_of(scans, 'seconds'):>8.2f}{ratio:>7.2f}{ratios[0]:>7.2f}{ratios[-1]:>6.2f}"
        f"{median_of(scans, 'after'):>7.2f}{median_of(scans, 'peak_mb'):>9.0f}{scans[0]['findings']:>7}"
    )
    for name in scans[0]["parts"]:
        seconds = median(run["parts"][name] for run in scans)
        print(f"  {name:<22}{seconds:>7.2f} s{seconds / base:>7.2f} of the floor")
    return ratio


def print_report(repositories: list[str], pairs: int) -> bool:
    """Print all figures; return whether they are within the limits."""
    columns = f"{'files':>7}{'MB':>7}{'floor':>8}{'scan':>8}{'ratio':>7}{'(least':>7}{'most)':>6}{'after':>7}"
    print(f"{'repository':<20}{columns}{'peak MB':>9}{'found':>7}")
    measure_pair(repositories[0])  # compiles modules and reads files into memory
    ratios = [measure(root, pairs) for root in repositories]
    bare_ms = lowest_cpu_ms([sys.executable, "-c", "pass"])
    help_ms = lowest_cpu_ms([sys.executable, "-m", "crimes", "--help"]) - bare_ms
    print(f"\ncrimes --help: {help_ms:.0f} ms over a bare interpreter ({bare_ms:.0f} ms)")
    return max(ratios) <= MAX_RATIO and help_ms <= MAX_HELP_MS


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", metavar="REPO")
    parser.add_argument("--pairs", type=int, default=5, help="how often floor and scan are measured")
    parser.add_argument("--measure", choices=["floor", "scan"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        root = Path(arguments.repositories[0])
        print(json.dumps(floor(root) if arguments.measure == "floor" else cold_scan(root)))
        return 0
    return 0 if print_report(arguments.repositories, arguments.pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
