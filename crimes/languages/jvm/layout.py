"""Layout of a JVM project: source sets, test paths, and the names of tests."""

from __future__ import annotations

import re

from crimes.model.facts import Role
from crimes.model.lazy_regex import regex

# `src/main/java`, `src/commonTest/kotlin`, `src/test/scala-2.13`: the source set says what its files are for.
_SOURCE_SET = regex(r"(?:^|/)src/(?P<set>[\w.+-]+)/(?:java\d*|kotlin|scala(?:-[\w.+-]+)?|groovy|aidl)(?=/|$)")
_TEST_SET = regex(r"test|spec|^it$|e2e|fixtures", re.IGNORECASE)
_BENCHMARK = regex(r"^(?:.*[-_])?(?:jmh|bench|benchmarks?|microbench\w*)$|(?<=[a-z])Bench(?:mark)?s?$")
_EXAMPLE = regex(r"^(?:.*[-_])?(?:examples?|samples?|demos?|quickstart)$", re.IGNORECASE)
_BUILD_LOGIC = frozenset(
    {"buildSrc", "build-logic", "buildLogic", "build-logic-commons", "build-conventions"}
)
_GENERATED = frozenset({"src-gen", "src_gen", "gensrc", "gen-src", "generated-src", "generated-sources"})
_TEST_FOLDERS = frozenset({"test", "tests", "javatests", "testsrc", "test-src", "testSrc"})
_TEST_NAME = regex(r"(?:Test(?=[A-Z_]).*|.+(?:Tests?|TestCase|IT|ITCase))\.\w+$")
# Production code may have such names too: its domain may be suites and specifications.
_SPEC_NAME = regex(r".+(?:Spec|Suite|Specs|Props|Properties)\.(?:kt|scala)$")
_FILES_WITHOUT_TYPES = frozenset({"package-info", "module-info", "package"})
_TEST_NAMES = ("{}Test", "{}Tests", "Test{}", "{}TestCase", "{}IT", "{}Spec", "{}Suite", "{}UnitTest")
_ENDINGS = (".java", ".kt", ".scala")
# Folders whose names give files a role, unless they are packages.
_ROLE_FOLDERS = frozenset(
    {"tests", "examples", "demos", "tutorials", "benchmark", "benchmarks", "e2e", "vendor", "third", "extern"}
)


def split_source_set(path: str) -> tuple[str, str, str]:
    """The module folder, the name of the source set, and the rest; without a source set only the rest."""
    match = _SOURCE_SET.search(path)
    if match is None:
        return "", "", path
    return path[: match.start()], match.group("set"), path[match.end() :]


def is_test_path(path: str) -> bool:
    """Whether a file is in a test source set; outside of source sets, in a test folder or named like a test."""
    _, source_set, rest = split_source_set(path)
    if source_set:
        return _TEST_SET.search(source_set) is not None
    *folders, name = rest.split("/")
    if not _TEST_FOLDERS.isdisjoint(folders):
        return True
    return _TEST_NAME.match(name) is not None


def is_test_or_spec_path(path: str) -> bool:
    """Whether a Kotlin or Scala file is a test or, outside of source sets, named like a specification."""
    return is_test_path(path) or (
        not split_source_set(path)[1] and _SPEC_NAME.match(path.rpartition("/")[2]) is not None
    )


def role_of_path(path: str) -> Role | None:
    """The role of build logic, benchmarks, examples and generated code; source for packages that happen to be called `tests`."""
    module, source_set, rest = split_source_set(path)
    folders = (module if source_set else path.rpartition("/")[0]).split("/")
    if not _BUILD_LOGIC.isdisjoint(folders):
        return Role.SCRIPT
    if not _GENERATED.isdisjoint(folders):
        return Role.GENERATED
    if is_test_path(path):
        return None
    if any(map(_BENCHMARK.search, (*folders, source_set, path.rpartition("/")[2].partition(".")[0]))):
        return Role.SCRIPT
    if any(map(_EXAMPLE.match, folders)):
        return Role.EXAMPLE
    if source_set and not _ROLE_FOLDERS.isdisjoint(rest.split("/")) and _ROLE_FOLDERS.isdisjoint(folders):
        return Role.SOURCE
    return None


def test_candidates(path: str) -> tuple[str, ...]:
    """Names a test of this file may have, in any of the three languages."""
    stem = path.rpartition("/")[2].partition(".")[0]
    if stem in _FILES_WITHOUT_TYPES:
        return ()
    return tuple(name.format(stem) + ending for name in _TEST_NAMES for ending in _ENDINGS)


def source_root(path: str, packages: tuple[str, ...]) -> str:
    """The folder that packages start in: the file's folder without its package, else that of the source set."""
    folder = path.rpartition("/")[0]
    for package in packages:
        tail = package.replace(".", "/")
        if folder == tail or folder.endswith(f"/{tail}"):
            return folder[: len(folder) - len(tail)].rstrip("/")
    match = _SOURCE_SET.search(folder)
    return folder[: match.end()] if match else folder
