"""Go runs packages, which are whole folders, from the folder of the module; build tags decide which files belong to them."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import dirname, relpath

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.workflows.briefing.command import (
    MAX_TEST_FILES,
    Command,
    in_folder,
    is_below,
    nearest_folder,
    stem,
)
from crimes.workflows.briefing.test_cases import NO_CASES, TestCases

_TAG = regex(r"[\w.]+")
_SYSTEMS = frozenset(
    [
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "illumos",
        "ios",
        "js",
        "linux",
        "netbsd",
        "openbsd",
        "plan9",
        "solaris",
        "wasip1",
        "windows",
    ]
)
_PROCESSORS = frozenset(
    [
        "386",
        "amd64",
        "arm",
        "arm64",
        "loong64",
        "mips",
        "mips64",
        "mips64le",
        "mipsle",
        "ppc64",
        "ppc64le",
        "riscv64",
        "s390x",
        "wasm",
    ]
)
_ALWAYS = frozenset({"unix", "cgo", "gc"})


def go_command(repo: Repo, cases: Mapping[str, TestCases], target: str, tests: tuple[str, ...]) -> Command:
    """The packages of these tests, with the tag that the first of them needs."""
    module = nearest_folder(repo, tests[0], "go.mod")
    if module is None:
        return Command(note="no `go.mod` above the tests")
    if (condition := build_condition(cases, target)) and _tag_for(condition) is None:
        return Command(note=f"it is built only for `{condition}`")
    tags = {test: _tag_for(build_condition(cases, test)) for test in tests}
    inside = [test for test in tests if is_below(module, test) and tags[test] is not None and _is_built(test)]
    if not inside:
        return Command(note=f"`{tests[0]}` is built only for `{build_condition(cases, tests[0])}`")
    tag = tags[inside[0]] or _tag_for(build_condition(cases, target))
    folders = [relpath(dirname(test) or ".", module or ".") for test in inside if tags[test] in ("", tag)]
    chosen = list(dict.fromkeys(folders))[:MAX_TEST_FILES]
    packages = ["." if folder == "." else f"./{folder}" for folder in chosen]
    runs = sum(folder in chosen for folder in folders)
    return in_folder(module, "go test", [*(("-tags", tag) if tag else ()), *packages], runs)


def build_condition(cases: Mapping[str, TestCases], path: str) -> str:
    """For which builds a file is there, by its name or its first lines; empty: for all."""
    last = stem(path).removesuffix("_test").split("_")[1:][-1:]
    if last and last[0] in _SYSTEMS | _PROCESSORS and last[0] != "linux":
        return last[0]
    return cases.get(path, NO_CASES).condition


def _tag_for(condition: str) -> str | None:
    """The tag to set for a condition; empty where none is needed, None where no single tag does it."""
    positive = condition.replace("!", " !").split()
    if not condition or all(word.startswith("!") for word in positive if _TAG.search(word)):
        return ""
    words = _TAG.findall(condition)
    if any(word in _SYSTEMS | _ALWAYS | _PROCESSORS or word.startswith("go1") for word in words):
        return "" if {"linux", "unix"} & set(words) and "!" not in condition else None
    return words[0] if len(words) == 1 and words[0] != "ignore" else None


def _is_built(path: str) -> bool:
    """Whether Go looks into the folder at all."""
    return not any(part == "testdata" or part.startswith(("_", ".")) for part in path.split("/"))
