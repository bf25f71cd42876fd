"""Scans with and without a cache: `python benchmarks/warm.py REPO…`. One run, ratios, with the parse floor beside them.

floor     read every file the scan reads and parse it with tree-sitter, nothing else
cold      `crimes scan --jobs 1` with an empty cache, which it fills; git and all children included
two       the same with `--jobs 2`: its wall time against that of one process
warm      the same again, nothing changed
ten       the same after a line was added to ten source files (in a temporary clone of the repository)
check     `crimes check` after a function was added to a file: its wall time, with HEAD already scanned
context   `crimes context FILE --format json` after the scan; each file for the first time
hook      `crimes hook` for the same files, called as Claude Code does before an edit
help      `crimes --help`, over a bare interpreter

CPU seconds of the command and everything it starts until it ends, unless it says wall; what goes on after its end (briefings) is waited for
and stated beside. Cold and two run once; of the others the median counts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.speed import collect_orphans, wait_for_orphans

HERE = Path(__file__).resolve().parent
MAX_RATIOS = {"two": 0.6, "warm": 0.06, "ten": 0.15}
MAX_WARM_S, MAX_CONTEXT_S, MAX_HOOK_S, MAX_HELP_S = 0.5, 0.25, 0.06, 0.15
FUNCTIONS = {
    ".py": "\n\ndef added_{n}(a):\n    return a\n",
    ".ts": "\nexport function added{n}(a: number) {{\n  return a;\n}}\n",
    ".js": "\nexport function added{n}(a) {{\n  return a;\n}}\n",
    ".go": "\nfunc added{n}(a int) int {{\n\treturn a\n}}\n",
}


class Run(NamedTuple):
    wall: float
    cpu: float
    output: bytes
    after: float  # CPU seconds of what goes on when the command has ended


def run(command: list[str], cache: Path, stdin: bytes = b"", accepted: tuple[int, ...] = (0,)) -> Run:
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    collect_orphans()
    before, start = _cpu(), time.monotonic()
    process = subprocess.run(command, check=False, stdout=subprocess.PIPE, env=environment, input=stdin)
    if process.returncode not in accepted:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    wall, cpu = time.monotonic() - start, _cpu() - before
    wait_for_orphans()
    return Run(wall, cpu, process.stdout, _cpu() - before - cpu)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_crimes(*arguments: str, cache: Path, stdin: bytes = b"", accepted: tuple[int, ...] = (0,)) -> Run:
    return run([sys.executable, "-m", "crimes", *arguments], cache, stdin, accepted)


def run_hook(path: str, root: Path, cache: Path) -> Run:
    """One call in a session of its own: within a session, the hook speaks about a file once."""
    edit = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": path}}
    call = json.dumps({**edit, "cwd": str(root), "session_id": path}).encode()
    return run_crimes("hook", "--threshold", "0", cache=cache, stdin=call)


def floor(root: Path, cache: Path) -> float:
    output = run([sys.executable, str(HERE / "speed.py"), "--measure", "floor", str(root)], cache).output
    return float(json.loads(output)["seconds"])


def tracked_files(root: Path, *suffixes: str) -> list[Path]:
    command = ["git", "ls-files", *(f"*{suffix}" for suffix in suffixes)]
    listing = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout
    return [root / os.fsdecode(name) for name in listing.splitlines()]


def change_ten_files(root: Path) -> None:
    """Add a line to ten source files, evenly spread over the tree."""
    files = tracked_files(root, ".py", ".ts", ".js", ".go", ".java")
    for path in files[:: max(1, len(files) // 10)][:10]:
        with path.open("a") as file:
            file.write("\n")


def run_checks(root: Path, cache: Path) -> list[Run]:
    """Five checks, each after an edit of another file."""
    files = tracked_files(root, *FUNCTIONS)
    runs = []
    for n, path in enumerate(files[len(files) // 10 :: len(files) // 7][:6]):
        with path.open("a") as file:
            file.write(FUNCTIONS[path.suffix].format(n=n))
        time.sleep(2)
        runs.append(run_crimes("check", str(root), cache=cache))
    return runs[1:]  # the first one scans HEAD, once for a commit


def median_cpu(runs: list[Run]) -> float:
    return median(run.cpu for run in runs)


def measure(source: Path, work: Path) -> bool:
    """Print one repository's table; return whether it is within the limits."""
    root, cache = work / source.name, work / "cache"
    subprocess.run(["git", "clone", "-q", "--local", str(source.resolve()), str(root)], check=True)
    scan = ("scan", "--format", "json", str(root))
    run_crimes("scan", "--format", "json", str(HERE), cache=work / "other")  # compiles the modules
    floor_cpu = floor(root, cache)
    two = run_crimes(*scan, "--jobs", "2", cache=work / "two")
    cold = run_crimes(*scan, "--jobs", "1", cache=cache)
    time.sleep(2)  # files younger than that are compared by content
    warm = [run_crimes(*scan, cache=cache) for _ in range(6)][1:]
    files = [str(path) for path in tracked_files(root, ".py", ".ts")[::50][:5]]
    contexts = [run_crimes("context", path, "--format", "json", cache=cache) for path in files]
    hooks = [run_hook(path, root, cache) for path in files]
    if not all(hook.output for hook in hooks):
        raise SystemExit("the hook said nothing: there is nothing to measure")
    changed = []
    for _ in range(3):
        change_ten_files(root)
        changed.append(run_crimes(*scan, "--jobs", "1", cache=cache))
    same_after_edit = run_crimes(*scan, "--no-cache", cache=cache).output == changed[-1].output
    subprocess.run(["git", "checkout", "-q", "."], cwd=root, check=True)
    check_walls = [check.wall for check in run_checks(root, cache)]
    same = same_after_edit and all(again.output == cold.output == two.output for again in warm)
    figures = {
        "floor": (floor_cpu, ""),
        "cold": (
            cold.cpu,
            f"{cold.cpu / floor_cpu:.2f} x the floor, {cold.wall:.1f} s wall; then {cold.after:.2f} s more",
        ),
        "two": (two.wall, f"{two.wall / cold.wall:.2f} x the wall time of one ({two.cpu:.1f} s CPU)"),
        "warm": (median_cpu(warm), f"{median_cpu(warm) / cold.cpu:.3f} x cold"),
        "ten": (median_cpu(changed), f"{median_cpu(changed) / cold.cpu:.3f} x cold"),
        "check": (median(check_walls), f"wall, {min(check_walls):.2f} to {max(check_walls):.2f}"),
        "context": (median_cpu(contexts), ""),
        "hook": (median_cpu(hooks), ""),
    }
    print(f"{source.name}: warm is cold: {same}")
    for name, (seconds, note) in figures.items():
        print(f"  {name:<10}{seconds:>8.3f} s  {note}")
    return (
        same
        and two.wall / cold.wall <= MAX_RATIOS["two"]
        and figures["warm"][0] <= min(MAX_RATIOS["warm"] * cold.cpu, MAX_WARM_S)
        and figures["ten"][0] <= MAX_RATIOS["ten"] * cold.cpu
        and figures["context"][0] <= MAX_CONTEXT_S
        and figures["hook"][0] <= MAX_HOOK_S
    )


def help_over_bare(cache: Path) -> float:
    """CPU seconds of `crimes --help` minus those of an interpreter that does nothing."""
    help_cpu = min(run_crimes("--help", cache=cache).cpu for _ in range(5))
    return help_cpu - min(run([sys.executable, "-c", "pass"], cache).cpu for _ in range(5))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    within_limits = True
    with tempfile.TemporaryDirectory() as work:
        for root in parser.parse_args().repositories:
            within_limits &= measure(root, Path(tempfile.mkdtemp(dir=work)))
        help_cpu = help_over_bare(Path(work))
    print(f"--help: {1000 * help_cpu:.0f} ms over a bare interpreter; load {os.getloadavg()[0]:.1f}")
    return 0 if within_limits and help_cpu <= MAX_HELP_S else 1


if __name__ == "__main__":
    sys.exit(main())
