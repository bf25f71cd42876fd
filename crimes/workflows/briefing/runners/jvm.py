"""Maven or Gradle, whichever is nearest; classes are given by name, with their package where another has the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from posixpath import basename, join, relpath

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.workflows.briefing.command import (
    MAX_TEST_FILES,
    Command,
    folders_upward,
    holds_any,
    in_folder,
    is_below,
    read_if_present,
    stem,
)
from crimes.workflows.briefing.test_cases import NO_CASES, TestCases

_GRADLE_BUILDS = ("build.gradle", "build.gradle.kts")
_GRADLE_TOPS = ("settings.gradle", "settings.gradle.kts", "gradlew")
_SUREFIRE_NAMES = ("Test*", "*Test", "*Tests", "*TestCase")
_MODULE = regex(rb"<module>\s*+([^<\s]++(?:\s++[^<\s]++)*+)\s*+</module>")
_NO_CODE = regex(
    rb"(?m)//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|^[ \t]*+import\b[^\n]*|^[^\n]*\bapply[ \t(]+false\b[^\n]*"
)
# A plugin that makes an Android module: by its id, by an alias of the version catalogue, or by a convention of the project.
_ANDROID_PLUGIN = regex(
    rb"""(?x)
    (?:\bid\b|\bplugin:|\bplugin\s*=|\bapply\()[\s("']++[\w.-]{0,80}\bandroid\b[\w-]{0,40}(?:\.(?:application|library|feature|dynamic-feature|test))
    |\balias\s*+\(?\s*+libs\.plugins\.[\w.]{0,80}\bandroid\b\w{0,40}\.(?:application|library|feature|test)
    |\bkotlin\(\s*["']android["']\s*\)
    """
)


def jvm_command(repo: Repo, cases: Mapping[str, TestCases], tests: tuple[str, ...]) -> Command:
    """The command of the nearest build; classes outside of the default names only where there are no others."""
    for folder in folders_upward(tests[0]):
        inside = [test for test in tests if is_below(folder, test)]
        if join(folder, "pom.xml") in repo.paths:
            return _maven(repo, cases, folder, inside)
        if holds_any(repo, folder, _GRADLE_BUILDS):
            return _gradle(repo, cases, folder, inside)
    return Command(note="no `pom.xml` or Gradle build above the tests")


def _maven(repo: Repo, cases: Mapping[str, TestCases], module: str, tests: Sequence[str]) -> Command:
    """Surefire runs classes by their names; integration tests, `*IT`, belong to another phase."""
    usual = [test for test in tests if any(fnmatchcase(stem(test), name) for name in _SUREFIRE_NAMES)]
    if not usual and stem(tests[0]).endswith(("IT", "ITCase")):
        return Command(note=f"`{tests[0]}` is an integration test: `mvn verify` runs it")
    chosen = (usual or list(tests))[:MAX_TEST_FILES]
    top = _maven_top(repo, module)
    names = f"-Dtest={','.join(_class_name(repo, cases, test) for test in chosen)}"
    words = ["test", names]
    if module != top:
        inner = relpath(module, top or ".")
        words = ["test", "-pl", inner, "-am", "-Dsurefire.failIfNoSpecifiedTests=false", names]
    return in_folder(top, "./mvnw" if join(top, "mvnw") in repo.paths else "mvn", words, len(chosen))


def _maven_top(repo: Repo, module: str) -> str:
    """The highest folder whose build lists the module, directly or through others."""
    top = module
    for folder in folders_upward(module) if module else ():
        pom = read_if_present(repo, join(folder, "pom.xml"))
        listed = {name.decode("utf-8", "replace") for name in _MODULE.findall(pom)}
        if relpath(top, folder or ".") in {name.rstrip("/").removesuffix("/pom.xml") for name in listed}:
            top = folder
    return top


def _gradle(repo: Repo, cases: Mapping[str, TestCases], module: str, tests: Sequence[str]) -> Command:
    """Gradle runs where the build has its settings or wrapper, else at the root. A source set has its own task."""
    above = folders_upward(join(module, "build.gradle"))
    top = next((folder for folder in above if holds_any(repo, folder, _GRADLE_TOPS)), "")
    inner = [] if module == top else relpath(module, top or ".").split("/")
    task = _gradle_task(repo, module, tests[0])
    if not task:
        return Command(note=f"`{tests[0]}` runs on a device")
    chosen = [test for test in tests if _gradle_task(repo, module, test) == task][:MAX_TEST_FILES]
    words = [":".join(("", *inner, task)) if inner else task]
    words += [word for test in chosen for word in ("--tests", _full_name(cases, test))]
    return in_folder(top, "./gradlew" if join(top, "gradlew") in repo.paths else "gradle", words, len(chosen))


def _gradle_task(repo: Repo, module: str, test: str) -> str:
    """`src/integrationTest/java` is run by `integrationTest`; tests that all platforms share run on the JVM.

    Empty for tests that need a device.
    """
    above, _, inside = relpath(test, module or ".").partition("/")
    sources = inside.partition("/")[0] if above == "src" else "test"
    if sources.startswith(("androidTest", "androidInstrumentedTest", "androidDeviceTest")):
        return ""
    if sources == "test" and _is_android(repo, module):
        return "testDebugUnitTest"  # `test` runs all variants, and accepts no names
    return {"commonTest": "jvmTest"}.get(sources, sources if sources.endswith("Test") else "test")


def _is_android(repo: Repo, module: str) -> bool:
    """Whether the build applies a plugin for Android; an import, or a plugin named for others to apply, is no sign."""
    builds = (read_if_present(repo, join(module, name)) for name in _GRADLE_BUILDS)
    return any(_ANDROID_PLUGIN.search(_NO_CODE.sub(b"", text)) for text in builds)


def _full_name(cases: Mapping[str, TestCases], test: str) -> str:
    """The class of a test file with its package: Gradle before 4.7 finds none without it."""
    package = cases.get(test, NO_CASES).package
    return f"{package}.{stem(test)}" if package else stem(test)


def _class_name(repo: Repo, cases: Mapping[str, TestCases], test: str) -> str:
    """The class of a test file, with its package where another file has the same name."""
    return _full_name(cases, test) if _names(repo.paths).get(basename(test), 0) > 1 else stem(test)


@lru_cache(maxsize=1)
def _names(paths: frozenset[str]) -> Mapping[str, int]:
    """How many files have each name; cached, since every test needs it."""
    counts: dict[str, int] = {}
    for path in paths:
        counts[basename(path)] = counts.get(basename(path), 0) + 1
    return counts
