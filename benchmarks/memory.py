"""Peak memory of a cold scan: `python benchmarks/memory.py REPO…`. Megabytes, with an empty cache that the scan fills.

scan      the highest peak of any crimes process (VmHWM)
at once   the peak of all of them together, shared pages counted once (PSS), sampled ten times a second
git       the highest peak of any git process; most of it is the packed history, mapped into memory
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MAX_SCAN_MB = 600


def peak_megabytes(root: Path, jobs: int) -> tuple[float, float, float]:
    """Peaks of the largest crimes process, of all crimes processes together, and of the largest git process."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "crimes", "scan", "-f", "json", "-j", str(jobs), str(root)]
        environment = {**os.environ, "CRIMES_CACHE_DIR": cache}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        largest = together = largest_git = 0
        while process.poll() is None:
            names = _process_tree(process.pid)
            ours = [pid for pid, name in names.items() if name != "git"]
            largest = max([largest, *(_kilobytes(pid, "status", "VmHWM") for pid in ours)])
            together = max(together, sum(_kilobytes(pid, "smaps_rollup", "Pss") for pid in ours))
            gits = names.keys() - set(ours)
            largest_git = max([largest_git, *(_kilobytes(pid, "status", "VmHWM") for pid in gits)])
            time.sleep(0.1)
    return largest / 1024, together / 1024, largest_git / 1024


def _process_tree(pid: int) -> dict[int, str]:
    """Names of a process and all its descendants, by process id."""
    children: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for entry in os.listdir("/proc"):
        try:
            text = Path("/proc", entry, "stat").read_text() if entry.isdigit() else ""
        except OSError:
            continue
        if text:
            name, _, rest = text.partition("(")[2].rpartition(")")
            names[int(entry)] = name
            children.setdefault(int(rest.split()[1]), []).append(int(entry))
    tree, pending = {}, [pid]
    while pending:
        current = pending.pop()
        tree[current] = names.get(current, "")
        pending += children.get(current, [])
    return tree


def _kilobytes(pid: int, file: str, key: str) -> int:
    """A figure of a file below /proc; 0 if the process has ended."""
    try:
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    print(f"{'repository':<24}{'scan':>8}{'at once':>9}{'git':>8}   MB")
    worst = 0.0
    for root in arguments.repositories:
        largest, together, git = peak_megabytes(root, arguments.jobs)
        print(f"{root.resolve().name:<24}{largest:>8.0f}{together:>9.0f}{git:>8.0f}")
        worst = max(worst, largest)
    return 0 if worst <= MAX_SCAN_MB else 1


if __name__ == "__main__":
    sys.exit(main())
