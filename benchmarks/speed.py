"""Speed against the parse floor: `python benchmarks/speed.py REPO…`. CPU seconds, a process for each figure.

floor   read every file the scan reads and parse it with tree-sitter, nothing else
scan    a cold scan in one process; git and other children included
help    `crimes --help`, over a bare interpreter
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TARGET_RATIO = 4.0
TARGET_HELP_MS = 250


def floor(root: Path) -> dict[str, Any]:
    """Reading and parsing alone, collector off as in the scan."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser

    from crimes.config import Config
    from crimes.discover import discover
    from crimes.languages import by_id

    files = [file for file in discover(root, Config(), by_id).files if by_id[file.language].syntax]
    syntaxes = {file.language: by_id[file.language].syntax for file in files}
    parsers = {name: Parser(Grammar(syntax.grammar())) for name, syntax in syntaxes.items() if syntax}
    gc.disable()
    start = time.process_time()
    size = 0
    for file in files:
        content = (root / file.path).read_bytes()
        parsers[file.language].parse(content)
        size += len(content)
    return {"seconds": time.process_time() - start, "files": len(files), "megabytes": size / 1e6}


def cold_scan(root: Path) -> dict[str, Any]:
    """The whole scan, and when each stage began as its progress told."""
    from crimes.config import Config
    from crimes.scan import scan

    started: dict[str, float] = {"discovering": _cpu()}

    def tell(stage: str, done: int, total: int) -> None:
        started.setdefault(stage, _cpu())

    found = scan(root, Config(), progress=tell)
    moments = [*started.values(), _cpu()]
    stages = {name: moments[at + 1] - moments[at] for at, name in enumerate(started)}
    return {
        "seconds": moments[-1] - moments[0],
        "git": _cpu((resource.RUSAGE_CHILDREN,)),
        "stages": stages,
        "findings": len(found.report.findings),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _cpu(whose: tuple[int, ...] = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) -> float:
    """CPU so far of this process and its finished children."""
    used = [resource.getrusage(who) for who in whose]
    return sum(one.ru_utime + one.ru_stime for one in used)


def in_a_new_process(what: str, root: str) -> dict[str, Any]:
    command = [sys.executable, __file__, "--measure", what, root]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def child_cpu(command: list[str], times: int = 5) -> float:
    """The least CPU of several runs, in milliseconds."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    return min(once() for _ in range(times))


def least(what: str, root: str, times: int) -> dict[str, Any]:
    return min((in_a_new_process(what, root) for _ in range(times)), key=lambda one: float(one["seconds"]))


def report(repositories: list[str], times: int) -> bool:
    columns = f"{'files':>7}{'MB':>7}{'floor':>8}{'scan':>8}{'ratio':>7}{'of it git':>11}{'peak MB':>9}"
    print(f"{'repository':<20}{columns}{'found':>7}  stages")
    good = True
    for root in repositories:
        base, cold = least("floor", root, times), least("scan", root, times)
        ratio = cold["seconds"] / base["seconds"]
        good &= ratio <= TARGET_RATIO
        stages = ", ".join(f"{name} {seconds:.2f}" for name, seconds in cold["stages"].items())
        print(
            f"{Path(root).resolve().name:<20}{base['files']:>7}{base['megabytes']:>7.1f}{base['seconds']:>8.2f}"
            f"{cold['seconds']:>8.2f}{ratio:>7.2f}{cold['git']:>11.2f}{cold['peak_mb']:>9.0f}{cold['findings']:>7}"
            f"  {stages}"
        )
    bare = child_cpu([sys.executable, "-c", "pass"])
    helped = child_cpu([sys.executable, "-m", "crimes", "--help"]) - bare
    print(f"\ncrimes --help: {helped:.0f} ms over a bare interpreter ({bare:.0f} ms)")
    return good and helped <= TARGET_HELP_MS


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", metavar="REPO")
    parser.add_argument("--times", type=int, default=2, help="runs of each measurement; the least counts")
    parser.add_argument("--measure", choices=["floor", "scan"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        root = Path(arguments.repositories[0])
        print(json.dumps(floor(root) if arguments.measure == "floor" else cold_scan(root)))
        return 0
    return 0 if report(arguments.repositories, arguments.times) else 1


if __name__ == "__main__":
    sys.exit(main())
