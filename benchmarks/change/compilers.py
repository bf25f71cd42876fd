"""The same generated breaks before a compiler or type checker: python benchmarks/change/compilers.py [--breaks 40] CHECKOUT
LANGUAGE COMMAND…

The command runs in a copy of the checkout, first as it is and then after each break of caught.py in that language; it objects if it
prints an error that it did not print before. Printed is how often it and the comparison agree, and every break on which they do not.
Arguments that hold `*` are expanded below the copy.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.change.breaks import draw
from benchmarks.change.caught import BREAKS_PER_REPOSITORY, applied, items_in, row_of
from benchmarks.change.plain_text import PlainText

_PLACE = re.compile(r":\d+(:\d+)?:?|\(\d+,\d+\)|\bline \d+")
_ERROR = re.compile(r"error|undefined|undeclared|not enough arguments|cannot", re.IGNORECASE)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--breaks", type=int, default=BREAKS_PER_REPOSITORY)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("language")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    compare(options.checkout, options.language, options.command, options.breaks)


def compare(checkout: Path, language: str, command: list[str], number: int, seed: int = 19) -> None:
    """Print on how many breaks the command and the comparison agree, and those on which they do not."""
    with tempfile.TemporaryDirectory(prefix="breaks-") as folder:
        root = Path(folder) / checkout.name
        subprocess.run(["git", "clone", "-q", "--shared", checkout, root], check=True)
        before = _errors(root, command)
        print(f"{checkout.name}: {len(before)} kinds of errors before any break", file=sys.stderr)
        outcomes = Counter[tuple[bool, bool]]()
        for made in draw(PlainText(root), number, seed):
            if made.language != language:
                continue
            with applied(root, made):
                ours = bool(row_of(checkout.name, made, items_in(root))["caught"])
                new = _errors(root, command) - before
            outcomes[ours, bool(new)] += 1
            print(f"  {outcomes.total()}: {made.kind}: {made.path} {made.name}", file=sys.stderr, flush=True)
            if ours != bool(new):
                word = "only the comparison" if ours else "only the compiler"
                print(f"  {word}: {made.kind}: {made.path} {made.name} {sorted(new)[:1]}", flush=True)
        agreed = outcomes[True, True] + outcomes[False, False]
        print(
            f"{checkout.name}: {agreed} of {outcomes.total()} agree; both object to {outcomes[True, True]}, only the comparison to "
            f"{outcomes[True, False]}, only the compiler to {outcomes[False, True]}, neither to {outcomes[False, False]}"
        )


def _errors(root: Path, command: list[str]) -> frozenset[str]:
    """The errors that the command prints, without line numbers, which every edit moves."""
    words = [
        found
        for word in command
        for found in (
            sorted(str(path.relative_to(root)) for path in root.glob(word)) if "*" in word else [word]
        )
    ]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, errors="replace", check=False)
    lines = (done.stdout + done.stderr).splitlines()
    return frozenset(_PLACE.sub("", line) for line in lines if _ERROR.search(line))


if __name__ == "__main__":
    main()
