"""Feeds every reader of untrusted bytes with mutants of good inputs: `make fuzz`, for as long as it is left running.

    python tests/hostile/fuzz.py [--minutes 60] [--seed 1] [--only NAME] [--folder found/]

A mutant counts as found when it ends the process, takes too long, raises what the reader does not promise, or is read differently
the second time. It is written to the folder, where a test can take it up.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from crimes.system.workers import Died, map_in_workers
from tests.hostile.fuzz_targets import Target, targets

MAX_CASE_SECONDS = 5.0  # of processor time
MAX_CHANGES = 6
MAX_INPUT_BYTES = 60_000
_CASES_PER_ROUND = 50
_PIECES = (
    *(b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r\n", b"\n" * 50, b"\t" * 200, b" " * 200),
    *(
        b"(" * 300,
        b"[" * 300,
        b"{" * 300,
        b"<" * 300,
        b'"' * 51,
        b"`" * 51,
        b"\\" * 51,
        b"#" * 51,
        b"a." * 200,
    ),
    *(b"1e999", b"-1", b"99999999999999999999", b"null", b"${x}", b"..", b"../" * 40, b"%s", b"\xe2\x80\xae"),
)


class Case(NamedTuple):
    """A mutant for a target, by the target's name."""

    target: str
    data: bytes


def mutants(target: Target, seed: int) -> Iterator[bytes]:
    """Inputs for a reader without end, the same for the same seed."""
    chance = random.Random(seed)
    while True:
        data = chance.choice(target.seeds)[:MAX_INPUT_BYTES]
        if len(data) > 4_000 and chance.random() < 0.7:  # most faults need little around them
            start = chance.randrange(len(data) - 2_000)
            data = data[start : start + 2_000]
        for _ in range(chance.randint(1, MAX_CHANGES)):
            data = _changed(data, chance)
        yield data


def _changed(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    end = min(start + chance.choice((1, 2, 8, 40, 400)), len(data))
    match chance.randrange(6):
        case 0:
            return data[:start] + data[end:]
        case 1:
            return data[:start] + chance.choice(_PIECES) + data[start:]
        case 2:
            return data[:start] + bytes(chance.randrange(256) for _ in range(end - start)) + data[end:]
        case 3:
            return data[:start] + data[start:end] * chance.choice((2, 3, 50)) + data[end:]
        case 4:
            at = chance.randrange(len(data) + 1)
            return data[:at] + data[start:end] + data[at:]
        case _:
            return data[:start]


def fault_of(target: Target, data: bytes) -> str:
    """What is wrong with how a reader took an input; empty if nothing is."""
    answers = []
    for _ in range(2):
        try:
            answers.append(repr(target.read(data)))
        except target.errors as error:
            answers.append(repr(error))
        except Exception as error:  # noqa: BLE001 - any other is the fault that is looked for
            return f"{type(error).__name__}: {error}"
    return "" if answers[0] == answers[1] else "read differently the second time"


def run_cases(cases: list[Case], every: dict[str, Target], jobs: int = 2) -> Iterator[tuple[Case, str]]:
    """The cases that broke their reader, and how. A case runs in another process than this one."""

    def run(case: Case) -> bytes:
        signal.setitimer(signal.ITIMER_PROF, MAX_CASE_SECONDS)
        fault = fault_of(every[case.target], case.data)
        signal.setitimer(signal.ITIMER_PROF, 0)
        return msgspec.msgpack.encode(fault.encode("utf-8", "backslashreplace"))

    for at, result in map_in_workers(cases, run, jobs, lambda case: len(case.data) + 500, 100_000):
        if isinstance(result, Died):
            late = result.how == signal.SIGPROF.name
            if not (late and every[cases[at].target].may_hang):
                yield cases[at], "took too long" if late else f"ended the process: {result.how}"
        elif fault := msgspec.msgpack.decode(result, type=bytes).decode():
            yield cases[at], fault


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", default="", help="targets whose name has this in it")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-found"))
    options = parser.parse_args()
    every = {name: target for name, target in targets().items() if options.only in name}
    streams = {name: mutants(target, options.seed) for name, target in every.items()}
    deadline, number, found = time.monotonic() + 60 * options.minutes, 0, 0
    while time.monotonic() < deadline:
        cases = [
            Case(name, next(stream))
            for name, stream in streams.items()
            for _ in range(min(_CASES_PER_ROUND, every[name].mutants))
        ]
        for case, fault in run_cases(cases, every):
            found += 1
            options.folder.mkdir(exist_ok=True)
            file = options.folder / f"{case.target.replace(' ', '-')}-{found}"
            file.write_bytes(case.data)
            print(f"{case.target}: {fault[:200]!r} ({file})", flush=True)
        number += len(cases)
    print(f"{number:,} mutants for {len(every)} readers from seed {options.seed}: {found} found")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
