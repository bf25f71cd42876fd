"""Scans with and without a cache: `python benchmarks/warm.py REPO…`. One run, ratios, with the parse floor beside them.

floor     read every file the scan reads and parse it with tree-sitter, nothing else
cold      `crimes scan --jobs 1` with an empty cache, which it fills; git and all children included
two       the same with `--jobs 2`: its wall time against that of one process
warm      the same again, nothing changed
ten       the same after ten source files got another line (in a clone of the repository, thrown away in the end)
check     `crimes check` after an edit that adds a function to a file: its wall time, when HEAD was scanned before
context   `crimes context FILE --format json` after the scan; twice a file nobody asked about before
hook      `crimes hook` asked about the same files, as Claude Code asks before an edit
help      `crimes --help`, over a bare interpreter

CPU seconds of the command and everything it starts, unless it says wall. Cold runs once, the others count the median of five.
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

HERE = Path(__file__).resolve().parent
TARGETS = {"two": 0.6, "warm": 0.06, "ten": 0.15}
TARGET_WARM_S, TARGET_CONTEXT_S, TARGET_HOOK_S, TARGET_HELP_S = 0.5, 0.25, 0.06, 0.15


class Took(NamedTuple):
    wall: float
    cpu: float
    output: bytes


def crimes(*arguments: str, cache: Path) -> Took:
    return took([sys.executable, "-m", "crimes", *arguments], cache)


def hooked(name: str, root: Path, cache: Path) -> Took:
    """A session of its own for each file: of one it has told of, the hook says nothing more."""
    edit = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": name}}
    asked = json.dumps({**edit, "cwd": str(root), "session_id": name}).encode()
    return took([sys.executable, "-m", "crimes", "hook", "--threshold", "0"], cache, asked)


def took(command: list[str], cache: Path, given: bytes = b"") -> Took:
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = _cpu(), time.monotonic()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment, input=given)
    return Took(time.monotonic() - start, _cpu() - before, done.stdout)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def floor(root: Path, cache: Path) -> float:
    done = took([sys.executable, str(HERE / "speed.py"), "--measure", "floor", str(root)], cache)
    return float(json.loads(done.output)["seconds"])


def ten_changed(root: Path) -> None:
    """Another line at the end of ten of the files git knows, evenly spread."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, stdout=subprocess.PIPE, text=True)
    names = [
        name for name in listed.stdout.splitlines() if name.endswith((".py", ".ts", ".js", ".go", ".java"))
    ]
    for name in names[:: max(1, len(names) // 10)][:10]:
        with (root / name).open("a") as file:
            file.write("\n")


FUNCTIONS = {
    ".py": "\n\ndef added_{n}(a):\n    return a\n",
    ".ts": "\nexport function added{n}(a: number) {{\n  return a;\n}}\n",
    ".js": "\nexport function added{n}(a) {{\n  return a;\n}}\n",
    ".go": "\nfunc added{n}(a int) int {{\n\treturn a\n}}\n",
}


def checked(root: Path, cache: Path) -> list[Took]:
    """Five edits, of a file each, and what a check takes after each."""
    names = subprocess.run(
        ["git", "ls-files", *(f"*{end}" for end in FUNCTIONS)], cwd=root, check=True, stdout=subprocess.PIPE
    )
    files = [root / os.fsdecode(name) for name in names.stdout.splitlines()]
    found = []
    for n, path in enumerate(files[len(files) // 10 :: len(files) // 7][:6]):
        with path.open("a") as file:
            file.write(FUNCTIONS[path.suffix].format(n=n))
        time.sleep(2)
        found.append(crimes("check", str(root), cache=cache))
    return found[1:]  # the first scans HEAD, once for a commit


def measure(source: Path, work: Path) -> bool:
    """Print one repository's table; whether it is within the targets."""
    root, cache = work / source.name, work / "cache"
    subprocess.run(["git", "clone", "-q", "--local", str(source.resolve()), str(root)], check=True)
    scan = ("scan", "--format", "json", str(root))
    crimes("scan", "--format", "json", str(HERE), cache=work / "other")  # so that modules are compiled
    base = floor(root, cache)
    two = crimes(*scan, "--jobs", "2", cache=work / "two")
    cold = crimes(*scan, "--jobs", "1", cache=cache)
    time.sleep(2)  # what is younger than that is compared by content
    warm = [crimes(*scan, cache=cache) for _ in range(6)][1:]
    names = subprocess.run(["git", "ls-files", "*.py", "*.ts"], cwd=root, check=True, stdout=subprocess.PIPE)
    files = [os.path.join(root, os.fsdecode(name)) for name in names.stdout.splitlines()[::50][:5]]
    briefed = [crimes("context", name, "--format", "json", cache=cache) for name in files]
    told = [hooked(name, root, cache) for name in files]
    if not all(one.output for one in told):
        raise SystemExit("the hook said nothing: there is nothing to measure")
    changed = []
    for _ in range(3):
        ten_changed(root)
        changed.append(crimes(*scan, "--jobs", "1", cache=cache))
    right = crimes(*scan, "--no-cache", cache=cache).output == changed[-1].output
    subprocess.run(["git", "checkout", "-q", "."], cwd=root, check=True)
    checks = checked(root, cache)
    same = all(one.output == cold.output == two.output for one in warm)
    figures = {
        "floor": (base, ""),
        "cold": (cold.cpu, f"{cold.cpu / base:.2f} x the floor, {cold.wall:.1f} s wall"),
        "two": (two.wall, f"{two.wall / cold.wall:.2f} x the wall time of one ({two.cpu:.1f} s CPU)"),
        "warm": (median(one.cpu for one in warm), f"{median(one.cpu for one in warm) / cold.cpu:.3f} x cold"),
        "ten": (
            median(one.cpu for one in changed),
            f"{median(one.cpu for one in changed) / cold.cpu:.3f} x cold",
        ),
        "check": (
            median(one.wall for one in checks),
            f"wall, {min(one.wall for one in checks):.2f} to {max(one.wall for one in checks):.2f}",
        ),
        "context": (median(one.cpu for one in briefed), ""),
        "hook": (median(one.cpu for one in told), ""),
    }
    print(f"{source.name}: warm is cold: {same and right}")
    for name, (seconds, note) in figures.items():
        print(f"  {name:<10}{seconds:>8.3f} s  {note}")
    return (
        same
        and right
        and two.wall / cold.wall <= TARGETS["two"]
        and figures["warm"][0] <= min(TARGETS["warm"] * cold.cpu, TARGET_WARM_S)
        and figures["ten"][0] <= TARGETS["ten"] * cold.cpu
        and figures["context"][0] <= TARGET_CONTEXT_S
        and figures["hook"][0] <= TARGET_HOOK_S
    )


def help_over_bare(cache: Path) -> float:
    helped = min(crimes("--help", cache=cache).cpu for _ in range(5))
    return helped - min(took([sys.executable, "-c", "pass"], cache).cpu for _ in range(5))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    within = True
    with tempfile.TemporaryDirectory() as work:
        for root in parser.parse_args().repositories:
            within &= measure(root, Path(tempfile.mkdtemp(dir=work)))
        helped = help_over_bare(Path(work))
    print(f"--help: {1000 * helped:.0f} ms over a bare interpreter; load {os.getloadavg()[0]:.1f}")
    return 0 if within and helped <= TARGET_HELP_S else 1


if __name__ == "__main__":
    sys.exit(main())
