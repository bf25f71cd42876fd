"""What a C or C++ file is for, from its path."""

from __future__ import annotations

from pathlib import PurePosixPath

from crimes.model.facts import Role
from crimes.model.lazy_regex import regex

_TEST_FOLDERS = frozenset({"test", "tests", "unittest", "unittests", "unit_tests", "testing", "testsuite"})
_TEST_NAME = regex(
    r"(?:^|[_\-.])(?:unit)?tests?\.\w+$|^(?:unit)?tests?[_\-]|(?<=[a-z0-9])(?:Unit)?Tests?\.\w+$|^Test[A-Z]"
)
_GENERATED = regex(r"^(?:moc_|qrc_|ui_)\w+\.(?:cpp|h|cxx)$|\.tab\.[ch]\w*$|^lex\.yy\.c\w*$|_wrap\.c\w*$")
_VENDORED = frozenset({"deps", "subprojects", "submodules"})
_FUZZ = frozenset({"fuzz", "fuzzing", "fuzzers"})
_BENCH = frozenset({"bench", "benches", "perf"})
_TEST_NAMES = ("test_{}", "{}_test", "{}_tests", "{}_unittest", "test-{}", "{}-test", "{}Test", "{}Tests")
_SOURCES = (".c", ".cc", ".cpp", ".cxx")


def is_test_path(path: str) -> bool:
    """Whether a file is in a test folder or named like a test."""
    *folders, name = path.split("/")
    return not _TEST_FOLDERS.isdisjoint(folders) or _TEST_NAME.search(name) is not None


def role_of_path(path: str) -> Role | None:
    """The role of vendored code in `deps/`, generated files, fuzz targets and benchmarks."""
    *folders, name = path.split("/")
    if folders and (folders[0] in _VENDORED or "bundled" in folders):
        return Role.VENDORED
    if _GENERATED.search(name):
        return Role.GENERATED
    if not _FUZZ.isdisjoint(folders):
        return Role.TEST
    return Role.SCRIPT if not _BENCH.isdisjoint(folders) and not is_test_path(path) else None


def test_candidates(path: str) -> tuple[str, ...]:
    """Names a test of this file would have."""
    stem = PurePosixPath(path).stem
    names = [pattern.format(stem) for pattern in _TEST_NAMES]
    names.append(f"Test{stem[:1].upper()}{stem[1:]}")
    return tuple(name + end for name in names for end in _SOURCES)
