"""What a check costs: python benchmarks/change/speed.py CHECKOUT… [--runs 5]

One run, so that the figures can be compared with each other on a machine that does other things too:

floor     read every file the scan reads and parse it with tree-sitter, nothing else
cold      `crimes scan` with an empty cache, which it fills
warm      the same again, nothing changed
scan      `crimes scan` after a function was added to a file
body      `crimes check` after a line was added to the body of a function, with HEAD compared before
check     the same after a function was added to a file: the names of the repository changed
first     `crimes check` after a commit of all edits and one more: its base was never scanned
break     `crimes check` after a function that other files import was renamed: the whole of both states is linked

CPU seconds of the command and all it starts until it ends, the most of a run, the same as a multiple of the floor, and wall seconds; medians. Beside them what goes on after the end. Wall time means
something only if nothing else runs: the average load is printed beside it.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.change.breaks import draw
from benchmarks.change.caught import applied
from benchmarks.change.plain_text import PlainText
from benchmarks.warm import FUNCTIONS, Run, floor, run_crimes, tracked_files

_SECONDS_UNTIL_TIMES_COUNT = 2  # files younger than that are compared by content
_FOUND_OR_NOT = (0, 1)
_RETURN = re.compile(r"^([ \t]+)return\b", re.MULTILINE)
_LINES = {".py": "added = {n}", ".ts": "const added = {n};", ".js": "const added = {n};", ".go": "_ = {n}"}
_NAMES = ("-c", "user.name=speed", "-c", "user.email=speed@example.org")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    for checkout in options.checkouts:
        with tempfile.TemporaryDirectory(prefix="speed-") as folder:
            measure(checkout, Path(folder), options.runs)


def measure(source: Path, work: Path, runs: int) -> None:
    """Print the table of one repository."""
    root, cache = work / source.name, work / "cache"
    subprocess.run(["git", "clone", "-q", "--shared", source.resolve(), root], check=True)
    edits = _Edits(root)
    run_crimes(
        "scan", "--format", "json", str(Path(__file__).parent), cache=work / "other"
    )  # compiles the modules
    floor_cpu = floor(root, cache)
    print(
        f"{source.name}: {len(edits.files)} files to edit, floor {floor_cpu:.2f} s CPU, load {os.getloadavg()[0]:.1f}"
    )
    scan, check = ("scan", "--format", "json", str(root)), ("check", str(root))
    results = {"cold": [run_crimes(*scan, cache=cache)]}
    time.sleep(_SECONDS_UNTIL_TIMES_COUNT)
    results["warm"] = [run_crimes(*scan, cache=cache) for _ in range(runs + 1)][1:]
    results["scan"] = [edits.then(*scan, cache=cache) for _ in range(runs)]
    results["body"] = [edits.then(*check, cache=cache, in_body=True) for _ in range(runs + 1)][1:]
    results["check"] = [edits.then(*check, cache=cache) for _ in range(runs)]
    results["first"] = [edits.commit_then(*check, cache=cache) for _ in range(runs)]
    results["break"] = list(_breaks(root, runs, cache))
    for name, those in results.items():
        cpu, wall = median(each.cpu for each in those), median(each.wall for each in those)
        after, worst = median(each.after for each in those), max(each.cpu for each in those)
        print(
            f"  {name:<6} {cpu:6.2f} s CPU (at most {worst:.2f})  {cpu / floor_cpu:5.2f} of the floor  {wall:6.2f} s wall"
            f"  {after:5.2f} s CPU after its end"
        )
    print(f"  load {os.getloadavg()[0]:.1f}")


class _Edits:
    """Edits of one file after another, evenly spread over the tree."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.files = tracked_files(root, *FUNCTIONS)
        self._number = 0

    def then(self, *arguments: str, cache: Path, in_body: bool = False) -> Run:
        """A command after an edit: a new function, or a new line in one."""
        if in_body:
            self._add_line()
        else:
            path = self._next_file()
            with path.open("a") as file:
                file.write(FUNCTIONS[path.suffix].format(n=self._number))
        time.sleep(_SECONDS_UNTIL_TIMES_COUNT)
        return run_crimes(*arguments, cache=cache, accepted=_FOUND_OR_NOT)

    def _next_file(self) -> Path:
        self._number += 1
        return self.files[self._number * 7919 % len(self.files)]

    def _add_line(self) -> None:
        """Add a line before a `return` of the next file that has one."""
        while True:
            path = self._next_file()
            text = path.read_text("utf-8", "surrogateescape")
            match = _RETURN.search(text)
            if match:
                line = f"{match[1]}{_LINES[path.suffix].format(n=self._number)}\n"
                changed = text[: match.start()] + line + text[match.start() :]
                path.write_text(changed, "utf-8", "surrogateescape")
                return

    def commit_then(self, *arguments: str, cache: Path) -> Run:
        """A command after a commit and an edit."""
        subprocess.run(["git", "-C", self._root, *_NAMES, "commit", "-qam", "edits"], check=True)
        return self.then(*arguments, cache=cache)


def _breaks(root: Path, number: int, cache: Path) -> list[Run]:
    """Checks of a renamed function each, in a tree without other edits; the first one scans HEAD and is not counted."""
    subprocess.run(["git", "-C", root, *_NAMES, "commit", "-qam", "edits"], check=True)
    runs = []
    for made in draw(PlainText(root), number + 1, seed=19, kinds=("rename a function",)):
        with applied(root, made):
            time.sleep(_SECONDS_UNTIL_TIMES_COUNT)
            runs.append(run_crimes("check", str(root), cache=cache, accepted=_FOUND_OR_NOT))
    return runs[1:]


if __name__ == "__main__":
    main()
