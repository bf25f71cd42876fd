"""A minute of fuzzing from a fixed seed: no mutant ends a reader, keeps it busy, or makes it raise what it does not promise."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.hostile.fuzz import Case, fault_of, mutants, run_cases
from tests.hostile.fuzz_targets import Target, targets

SEED = 25
TARGETS = targets()


@pytest.mark.parametrize("name", TARGETS)
def test_reader_takes_every_mutant(name: str) -> None:
    cases = [Case(name, data) for data in islice(mutants(TARGETS[name], SEED), TARGETS[name].mutants)]
    assert list(run_cases(cases, TARGETS, jobs=1)) == []


@pytest.mark.parametrize("name", TARGETS)
def test_reader_takes_what_its_mutants_are_made_of(name: str) -> None:
    for seed in TARGETS[name].seeds:
        assert fault_of(TARGETS[name], seed) == ""


def test_mutants_are_the_same_for_the_same_seed() -> None:
    target = TARGETS["diff"]
    assert list(islice(mutants(target, 1), 20)) == list(islice(mutants(target, 1), 20))


def test_reader_that_breaks_its_promise_is_found() -> None:
    def read(data: bytes) -> object:
        if b"\xff" in data:
            raise KeyError(data)
        return len(data)

    target = Target(read, (b"abc",))
    cases = [Case("bad", data) for data in islice(mutants(target, 1), 100)]
    assert {fault.partition(":")[0] for _, fault in run_cases(cases, {"bad": target})} == {"KeyError"}
