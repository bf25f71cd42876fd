"""How time grows with the number of files: `python benchmarks/growth.py [FILES…]`, on synthetic repositories.

Every file imports three others and has two functions; one in ten is a test. Each size is scanned cold in one process, then
again unchanged. The exponent is the slope of the line through the logarithms of files and CPU seconds, after the time that
`crimes scan` takes on an empty folder is subtracted.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import linear_regression

MAX_EXPONENT = 1.1
SIZES = (1_000, 4_000, 16_000, 64_000)
BODY = """from {package}.mod{a} import work as first
from {other}.mod{b} import work as second
import {third}.mod{c}


def work(item, limit):
    total = 0
    for part in item:
        if part > limit:
            total += first(part, {n})
        elif part == {n}:
            total -= second(part, limit)
    return total


def check_{n}(item):
    try:
        return work(item, {n}) > 0
    except ValueError as error:
        raise RuntimeError("no {n}") from error
"""


def write_repository(root: Path, files: int) -> None:
    """Write packages of a hundred modules, and commit them."""
    for number in range(files):
        package = f"pkg{number // 100}"
        is_test = number % 10 == 9
        folder = root / ("tests" if is_test else "") / package
        folder.mkdir(parents=True, exist_ok=True)
        near, far, farther = number - number % 10, number * 7 // 11, number // 2
        content = BODY.format(
            package=package,
            a=near,
            other=f"pkg{far // 100}",
            b=far - (far % 10 == 9),
            third=f"pkg{farther // 100}",
            c=farther - (farther % 10 == 9),
            n=number,
        )
        (folder / (f"test_mod{number - 1}.py" if is_test else f"mod{number}.py")).write_text(content)
    (root / "README.md").write_text("# Synthetic\n")
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "gc.auto=0")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", *identity, "commit", "-q", "-m", "All"], cwd=root, check=True)


def cpu_of_scan(root: Path, cache: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "crimes", "scan", "-f", "json", "-j", "1", str(root)]
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(cache)}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def exponent(points: list[tuple[int, float]]) -> float:
    files, seconds = zip(*points, strict=True)
    return linear_regression([math.log(count) for count in files], [math.log(cpu) for cpu in seconds]).slope


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="FILES")
    sizes = parser.parse_args().sizes
    points = []
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "empty").mkdir()
        start_cpu = min(cpu_of_scan(work / "empty", work / "cache") for _ in range(2))
        print(f"{'files':>7}{'cold s':>9}{'us/file':>9}{'warm s':>8}   ({start_cpu:.2f} s to start)")
        for files in sizes:
            root = work / str(files)
            root.mkdir()
            write_repository(root, files)
            cold = cpu_of_scan(root, work / "cache")
            warm = cpu_of_scan(root, work / "cache")
            points.append((files, cold - start_cpu))
            print(f"{files:>7}{cold:>9.1f}{1e6 * (cold - start_cpu) / files:>9.0f}{warm:>8.2f}", flush=True)
    if len(points) < 2:
        return 0
    slope = exponent(points)
    print(f"exponent {slope:.2f}")
    return 0 if slope <= MAX_EXPONENT else 1


if __name__ == "__main__":
    sys.exit(main())
