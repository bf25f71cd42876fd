"""Peak memory of a cold scan: `python benchmarks/memory.py REPO…`. Megabytes, with an empty cache that the scan fills.

scan      the most any process of crimes held, by its own count (VmHWM)
at once   the most that all of them held together, shared pages counted once (PSS), looked at ten times a second
git       the same of git; most of that is the packed history, mapped into memory
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGET_MB = 600


def peak(root: Path, jobs: int) -> tuple[float, float, float]:
    """Scan alone, all at once, git; in megabytes."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "crimes", "scan", "-f", "json", "-j", str(jobs), str(root)]
        environment = {**os.environ, "CRIMES_CACHE_DIR": cache}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        alone = together = of_git = 0
        while process.poll() is None:
            family = _family(process.pid)
            ours = [one for one, name in family.items() if name != "git"]
            alone = max([alone, *(_read(one, "status", "VmHWM") for one in ours)])
            together = max(together, sum(_read(one, "smaps_rollup", "Pss") for one in ours))
            of_git = max([of_git, *(_read(one, "status", "VmHWM") for one in family.keys() - set(ours))])
            time.sleep(0.1)
    return alone / 1024, together / 1024, of_git / 1024


def _family(pid: int) -> dict[int, str]:
    """A process and all below it, with their names."""
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
    found, waiting = {}, [pid]
    while waiting:
        one = waiting.pop()
        found[one] = names.get(one, "")
        waiting += children.get(one, [])
    return found


def _read(pid: int, file: str, key: str) -> int:
    """Kilobytes; nothing of a process that is gone."""
    try:
        for line in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if line.startswith(key + ":"):
                return int(line.split()[1])
    except OSError:
        return 0
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
        alone, together, of_git = peak(root, arguments.jobs)
        print(f"{root.resolve().name:<24}{alone:>8.0f}{together:>9.0f}{of_git:>8.0f}")
        worst = max(worst, alone)
    return 0 if worst <= TARGET_MB else 1


if __name__ == "__main__":
    sys.exit(main())
