"""docs/security.md names tests that exist, and limits that are those of the code."""

from __future__ import annotations

import re

from crimes.detection.context import MAX_STEP_SECONDS, MAX_STEP_SECONDS_PER_FILE
from crimes.engine.read_files import MAX_FILE_SECONDS, MAX_SECONDS_PER_BYTE
from crimes.languages.linking.linker import (
    MAX_LINK_SECONDS,
    MAX_RESOLVER_SECONDS,
    MAX_RESOLVER_SECONDS_PER_FILE,
)
from crimes.mcp.arguments import MAX_ARGUMENT_CHARS
from tests.hostile.fuzz_targets import MUTANTS, targets
from tests.kit.paths import ROOT

PAGE = (ROOT / "docs/security.md").read_text("utf-8")


def test_every_test_that_holds_a_promise_exists() -> None:
    named = re.findall(r"`(tests/[^`]+)`", PAGE)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_hostile_test_is_named() -> None:
    written = {file.relative_to(ROOT).as_posix() for file in (ROOT / "tests/hostile").glob("test_*.py")}
    assert {name for name in written if name not in PAGE} == set()


def test_limits_are_those_of_the_code() -> None:
    for text in (
        f"| {MAX_FILE_SECONDS:g} s of processor time, and {MAX_SECONDS_PER_BYTE * 1e6:g} µs a byte |",
        f"| {MAX_LINK_SECONDS:g} s of processor time |",
        f"| {MAX_RESOLVER_SECONDS:g} s of processor time, and {MAX_RESOLVER_SECONDS_PER_FILE * 1e3:g} ms a file |",
        f"| {MAX_STEP_SECONDS:g} s of processor time, and {MAX_STEP_SECONDS_PER_FILE * 1e3:g} ms a file |",
        f"| {MAX_ARGUMENT_CHARS:,} characters |",
        f"each of {len(targets())} readers with {MUTANTS} mutants",
    ):
        assert text in PAGE
