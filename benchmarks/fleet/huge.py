"""One repository of 100,000 small files, scanned as a fleet scans it: `python benchmarks/fleet/huge.py [FILES…]`.

The commit is scanned with a cold cache by one process. Memory is the sum over the processes of the scan, with shared pages counted in part
(PSS), sampled twice a second; CPU is that of all of them. The exponent is the slope through the logarithms of files and CPU seconds.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.growth import exponent, write_repository

SIZES = (12_500, 25_000, 50_000, 100_000)
MAX_EXPONENT = 1.1
MAX_MEMORY_MB = 2_500
_SAMPLE_SECONDS = 0.5


def memory_of(process: psutil.Process) -> int:
    """Bytes of a process and of all below it."""
    total = 0
    for each in (process, *process.children(recursive=True)):
        try:
            total += each.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def scan_once(root: Path, cache: Path) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a cold scan of HEAD."""
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        sys.executable,
        "-m",
        "crimes",
        "scan",
        "-f",
        "json",
        "-j",
        "1",
        "--as-of",
        "HEAD",
        "--root",
        str(root),
    ]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    process, peak = psutil.Process(running.pid), 0
    while running.poll() is None:
        with suppress(psutil.Error):
            peak = max(peak, memory_of(process))
        time.sleep(_SAMPLE_SECONDS)
    assert running.returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="FILES")
    points, most = [], 0.0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for files in parser.parse_args().sizes:
            root = work / str(files)
            root.mkdir()
            write_repository(root, files)
            cpu, memory = scan_once(root, work / f"cache {files}")
            points.append((files, cpu))
            most = max(most, memory)
            print(
                f"{files:>8,} files  cpu {cpu:7.1f} s  {1e6 * cpu / files:6.0f} us a file  peak {memory:6.0f} MB",
                flush=True,
            )
    if len(points) < 2:
        return 0
    slope = exponent(points)
    print(f"exponent {slope:.2f}, peak {most:,.0f} MB")
    return 0 if slope <= MAX_EXPONENT and most <= MAX_MEMORY_MB else 1


if __name__ == "__main__":
    sys.exit(main())
