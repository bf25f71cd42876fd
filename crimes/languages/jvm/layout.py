"""Where the files of a JVM project lie: sets of sources, tests, and what a test of a file is called."""

from __future__ import annotations

import re

from crimes.model.facts import Role
from crimes.model.lazy_regex import regex

# `src/main/java`, `src/commonTest/kotlin`, `src/test/scala-2.13`: the set says what its files are for.
_SET = regex(r"(?:^|/)src/(?P<set>[\w.+-]+)/(?:java\d*|kotlin|scala(?:-[\w.+-]+)?|groovy|aidl)(?=/|$)")
_TEST_SET = regex(r"test|spec|^it$|e2e|fixtures", re.IGNORECASE)
_BENCHMARK = regex(r"^(?:.*[-_])?(?:jmh|bench|benchmarks?|microbench\w*)$|(?<=[a-z])Bench(?:mark)?s?$")
_EXAMPLE = regex(r"^(?:.*[-_])?(?:examples?|samples?|demos?|quickstart)$", re.IGNORECASE)
_BUILD_LOGIC = frozenset(
    {"buildSrc", "build-logic", "buildLogic", "build-logic-commons", "build-conventions"}
)
_GENERATED = frozenset({"src-gen", "src_gen", "gensrc", "gen-src", "generated-src", "generated-sources"})
_TEST_FOLDERS = frozenset({"test", "tests", "javatests", "testsrc", "test-src", "testSrc"})
_TEST_NAME = regex(r"(?:Test(?=[A-Z_]).*|.+(?:Tests?|TestCase|IT|ITCase))\.\w+$")
# Suites and specifications are also what a program may be about.
_SPEC_NAME = regex(r".+(?:Spec|Suite|Specs|Props|Properties)\.(?:kt|scala)$")
_NO_TYPES = frozenset({"package-info", "module-info", "package"})
_TEST_NAMES = ("{}Test", "{}Tests", "Test{}", "{}TestCase", "{}IT", "{}Spec", "{}Suite", "{}UnitTest")
_ENDINGS = (".java", ".kt", ".scala")
# Folders whose names say more than that a package is called so, unless they are one.
_SPEAKING = frozenset(
    {"tests", "examples", "demos", "tutorials", "benchmark", "benchmarks", "e2e", "vendor", "third", "extern"}
)


def split(path: str) -> tuple[str, str, str]:
    """The folder of the module, the name of the set of sources, and the rest; the set is empty where none is told."""
    match = _SET.search(path)
    if match is None:
        return "", "", path
    return path[: match.start()], match.group("set"), path[match.end() :]


def is_test_path(path: str) -> bool:
    """Files of a test set; without sets, files in a test folder or with the name of a test."""
    _, source_set, rest = split(path)
    if source_set:
        return _TEST_SET.search(source_set) is not None
    *folders, name = rest.split("/")
    if not _TEST_FOLDERS.isdisjoint(folders):
        return True
    return _TEST_NAME.match(name) is not None


def is_specification(path: str) -> bool:
    """Kotlin and Scala name tests after what they specify; only outside of a main set that is sure enough."""
    return is_test_path(path) or (
        not split(path)[1] and _SPEC_NAME.match(path.rpartition("/")[2]) is not None
    )


def role_of_path(path: str) -> Role | None:
    """Build logic, benchmarks, examples, generated sources; and packages that are only called `tests`."""
    module, source_set, rest = split(path)
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
    if source_set and not _SPEAKING.isdisjoint(rest.split("/")) and _SPEAKING.isdisjoint(folders):
        return Role.SOURCE
    return None


def test_candidates(path: str) -> tuple[str, ...]:
    """Names a test of this file would have, in any of the three languages."""
    stem = path.rpartition("/")[2].partition(".")[0]
    if stem in _NO_TYPES:
        return ()
    return tuple(name.format(stem) + ending for name in _TEST_NAMES for ending in _ENDINGS)


def root_of(path: str, packages: tuple[str, ...]) -> str:
    """The folder that a file's package begins in: without the package where folders follow it, else the set's."""
    folder = path.rpartition("/")[0]
    for package in packages:
        tail = package.replace(".", "/")
        if folder == tail or folder.endswith(f"/{tail}"):
            return folder[: len(folder) - len(tail)].rstrip("/")
    match = _SET.search(folder)
    return folder[: match.end()] if match else folder
