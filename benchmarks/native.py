"""Compares the two readers: `python benchmarks/native.py REPO…` reads every file of the last commit with both.

Facts have to be equal byte for byte. A file that the native reader declines is read by the Python one in a scan, and is counted
here. Differences are listed, and make the exit code 1. The times are CPU seconds of this process: parsing alone, each reader.
"""

from __future__ import annotations

import argparse
import gc
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec
from tree_sitter import Language as Grammar
from tree_sitter import Parser

from crimes.engine.read_files import allowed_seconds
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.native import job_of, missing_hooks, native_module, read_natively
from crimes.languages.engine.reading import Unreadable
from crimes.languages.spec import Language
from tests.kit.readers import difference

MAX_BYTES = 1_000_000
MAX_SHOWN = 5
SHOWN_CHARS = 1000
_encode = msgspec.msgpack.Encoder().encode


def files_of(repository: str) -> Iterator[tuple[str, Language, bytes]]:
    """The files of the last commit that a language reads, with their contents."""
    by_ending = {ending: language for language in by_id.values() for ending in language.extensions}
    by_ending |= {".h": by_id["cpp"]}
    git = ["git", "-C", repository]
    rows = subprocess.run([*git, "ls-tree", "-rlz", "HEAD"], check=True, capture_output=True).stdout
    wanted = []
    for row in rows.split(b"\0"):
        head, _, path = row.decode("utf-8", "replace").partition("\t")
        fields = head.split()
        language = by_ending.get(PurePosixPath(path).suffix)
        if language is not None and fields[1] == "blob" and fields[3] != "-" and int(fields[3]) <= MAX_BYTES:
            wanted.append((path, language, fields[2]))
    asked = "".join(f"{blob}\n" for _, _, blob in wanted).encode()
    answers = subprocess.run(
        [*git, "cat-file", "--batch"], check=True, input=asked, capture_output=True
    ).stdout
    at = 0
    for path, language, _ in wanted:
        line = answers.index(b"\n", at)
        if answers[at:line].endswith(b"missing"):
            at = line + 1
            continue
        size = int(answers[at:line].split()[2])
        yield path, language, answers[line + 1 : line + 1 + size]
        at = line + size + 2


def compare(repository: str) -> tuple[Counter[str], int]:
    """Counts by language and outcome, and the number of differences."""
    counts: Counter[str] = Counter()
    different = 0
    times: Counter[str] = Counter()
    parsers: dict[str, Parser] = {}
    for path, language, content in files_of(repository):
        try:
            job = job_of(language, content)
            if job is None:
                continue
            inner = job.language
            if inner.id not in parsers and inner.syntax is not None:
                parsers[inner.id] = Parser(Grammar(inner.syntax.grammar()))
            gc.disable()
            start = time.process_time()
            parsers[inner.id].parse(job.source)
            parsed = time.process_time()
            facts = read_facts(language, content)
            read = time.process_time()
            encoded = read_natively([job], allowed_seconds)[0]
            end = time.process_time()
            gc.enable()
        except Unreadable:
            continue
        if encoded is None:
            counts[f"{language.id} declined"] += 1
            print(
                f"  declined  {path}" if not missing_hooks(inner) else "",
                end="\n" if not missing_hooks(inner) else "",
            )
            continue
        times.update(parse=parsed - start, python=read - parsed, native=end - read)  # type: ignore[call-overload]
        same = _encode(facts) == encoded
        counts[f"{language.id} {'same' if same else 'DIFFERENT'}"] += 1
        if not same:
            different += 1
            if different <= MAX_SHOWN:
                print(f"  different {path}: {difference(facts, encoded)[:SHOWN_CHARS]}")
    print_times(times)
    return counts, different


def print_times(times: Any) -> None:
    floor = times["parse"] or 1
    print(
        f"  parse {floor:.2f} s, python {times['python'] / floor:.2f}, native {times['native'] / floor:.2f} of it"
    )


def main() -> int:
    """Compare every repository that was named."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("repositories", nargs="+")
    if native_module() is None:
        print("the native reader is not installed")
        return 2
    total = 0
    for repository in arguments.parse_args().repositories:
        print(repository, flush=True)
        counts, different = compare(repository)
        total += different
        print("  " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())), flush=True)
    print(f"{total} different")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
