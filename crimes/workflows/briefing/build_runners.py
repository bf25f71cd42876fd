"""Test commands of the languages whose build tool runs the tests: Go, Rust, Maven, Gradle, Ruby, PHP, .NET.

Each function is given the tests of one language, of which there is at least one, and names those that one command runs.
"""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, relpath, splitext

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.workflows.briefing.command import MOST, Command, upward

_GRADLE_BUILDS = ("build.gradle", "build.gradle.kts")
_GRADLE_TOPS = ("settings.gradle", "settings.gradle.kts", "gradlew")
_ANDROID = regex(rb"com\.android\.|plugins\.android\b")
_GEMS = ("Gemfile", ".rspec", "Rakefile")

_Make = Callable[[Repo, tuple[str, ...]], Command]


def _go(repo: Repo, tests: tuple[str, ...]) -> Command:
    """Go tests packages: all of a folder, from the folder of the module."""
    module = _nearest(repo, tests[0], "go.mod")
    if module is None:
        return Command()
    inside = [test for test in tests if _is_below(module, test)]
    folders = list(dict.fromkeys(relpath(dirname(test) or ".", module or ".") for test in inside))[:MOST]
    packages = ["." if folder == "." else f"./{folder}" for folder in folders]
    runs = sum(relpath(dirname(test) or ".", module or ".") in folders for test in inside)
    return _in_folder(module, "go test", packages, runs)


def _rust(repo: Repo, tests: tuple[str, ...]) -> Command:
    """A test of its own has a target; tests inside the library run with it. Cargo is called at the top of the workspace."""
    crate = _nearest(repo, tests[0], "Cargo.toml")
    if crate is None:
        return Command()
    top = _workspace(repo, crate)
    package = _text_in(_cargo(repo, crate), "package", "name")
    words = ["-p", package] if package else []
    inside = [test for test in tests if _is_below(crate, test)]
    named = [test for test in inside if dirname(relpath(test, crate or ".")) == "tests"][:MOST]
    if tests[0] not in named:
        return _in_folder(top, "cargo test", words, sum(test not in named for test in inside))
    words += [word for test in named for word in ("--test", _stem(test))]
    return _in_folder(top, "cargo test", words, len(named))


def _jvm(repo: Repo, tests: tuple[str, ...]) -> Command:
    """Maven or Gradle, whichever stands nearest; classes go by their names."""
    for folder in upward(tests[0]):
        chosen = [test for test in tests if _is_below(folder, test)][:MOST]
        if join(folder, "pom.xml") in repo.paths:
            return _maven(repo, folder, chosen)
        if {join(folder, name) for name in _GRADLE_BUILDS} & repo.paths:
            return _gradle(repo, folder, chosen)
    return Command()


def _maven(repo: Repo, module: str, tests: list[str]) -> Command:
    top = _highest(repo, module, "pom.xml")
    names = f"-Dtest={','.join(_stem(test) for test in tests)}"
    words = ["test", names]
    if module != top:
        inner = relpath(module, top or ".")
        words = ["test", "-pl", inner, "-am", "-Dsurefire.failIfNoSpecifiedTests=false", names]
    return _in_folder(top, "./mvnw" if join(top, "mvnw") in repo.paths else "mvn", words, len(tests))


def _gradle(repo: Repo, module: str, tests: list[str]) -> Command:
    """Called where the build has its settings or its wrapper; without any, at the root. A set of sources has its own task."""
    above = upward(join(module, "build.gradle"))
    top = next((one for one in above if {join(one, name) for name in _GRADLE_TOPS} & repo.paths), "")
    inner = [] if module == top else relpath(module, top or ".").split("/")
    task = _gradle_task(repo, module, tests[0])
    tests = [test for test in tests if _gradle_task(repo, module, test) == task]
    words = [":".join(("", *inner, task)) if inner else task]
    words += [word for test in tests for word in ("--tests", _stem(test))]
    return _in_folder(top, "./gradlew" if join(top, "gradlew") in repo.paths else "gradle", words, len(tests))


def _gradle_task(repo: Repo, module: str, test: str) -> str:
    """`src/integrationTest/java` is run by `integrationTest`; what all platforms share by that of the JVM."""
    above, _, inside = relpath(test, module or ".").partition("/")
    sources = inside.partition("/")[0] if above == "src" else "test"
    if sources == "test" and any(
        _ANDROID.search(repo.read(join(module, name)))
        for name in _GRADLE_BUILDS
        if join(module, name) in repo.paths
    ):
        return "testDebugUnitTest"  # `test` runs all variants, and takes no names
    return {"commonTest": "jvmTest"}.get(sources, sources if sources.endswith("Test") else "test")


def _ruby(repo: Repo, tests: tuple[str, ...]) -> Command:
    """rspec, Rails, or the file by itself, in the folder of the gem."""
    gem = next((one for one in upward(tests[0]) if {join(one, name) for name in _GEMS} & repo.paths), "")
    inside = _files(relpath(test, gem or ".") for test in tests if _is_below(gem, test))
    bundle = "bundle exec " if any(join(one, "Gemfile") in repo.paths for one in upward(tests[0])) else ""
    specs = [test for test in inside if test.endswith("_spec.rb")][:MOST]
    if specs and specs[0] == inside[0]:
        return _in_folder(gem, f"{bundle}rspec", specs, len(specs))
    if join(gem, "bin/rails") in repo.paths:
        return _in_folder(gem, "bin/rails test", inside[:MOST], len(inside[:MOST]))
    return _in_folder(gem, f"{bundle}ruby -Ilib -Itest", inside[:1], 1)


def _php(repo: Repo, tests: tuple[str, ...]) -> Command:
    """One file: older versions of phpunit take no more."""
    manifests = ("composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
    for folder in upward(tests[0]):
        known = [join(folder, name) for name in manifests if join(folder, name) in repo.paths]
        read = b"".join(repo.read(path) for path in known)
        if b"phpunit" in read:
            script = "simple-phpunit" if b"phpunit-bridge" in read else "phpunit"
            script = "pest" if b"pestphp/pest" in read else script
            script = shlex.quote(join(_composer_bin(repo, folder), script))
            return _in_folder(folder, script, _files([relpath(tests[0], folder or ".")]), 1)
    return Command()


def _composer_bin(repo: Repo, folder: str) -> str:
    """Where Composer puts the scripts of packages."""
    path = join(folder, "composer.json")
    try:
        manifest = json.loads(repo.read(path)) if path in repo.paths else None
    except (ValueError, RecursionError):
        manifest = None
    return _text_in(manifest, "config", "bin-dir") or "vendor/bin"


def _dotnet(repo: Repo, tests: tuple[str, ...]) -> Command:
    projects = _projects(repo.paths)
    folder = next((folder for folder in upward(tests[0]) if folder in projects), None)
    if folder is None:
        return Command()
    chosen = [test for test in tests if _is_below(folder, test)][:MOST]
    wanted = "|".join(f"FullyQualifiedName~{_stem(test)}" for test in chosen)
    return Command(f"dotnet test {shlex.quote(projects[folder])} --filter {shlex.quote(wanted)}", len(chosen))


@lru_cache(maxsize=1)
def _projects(paths: frozenset[str]) -> Mapping[str, str]:
    """The project of each folder that has one. Every file of a repository may ask."""
    return {dirname(path): path for path in sorted(paths, reverse=True) if path.endswith(".csproj")}


BY_EXTENSION: Mapping[str, _Make] = {
    ".go": _go,
    ".rs": _rust,
    ".java": _jvm,
    ".kt": _jvm,
    ".scala": _jvm,
    ".rb": _ruby,
    ".php": _php,
    ".cs": _dotnet,
}


def _nearest(repo: Repo, test: str, name: str) -> str | None:
    """The nearest folder above a test that holds a file."""
    return next((folder for folder in upward(test) if join(folder, name) in repo.paths), None)


def _highest(repo: Repo, folder: str, name: str) -> str:
    """The highest folder, this one or above it, that holds a file: where a build of several parts begins."""
    return [one for one in upward(join(folder, name)) if join(one, name) in repo.paths][-1]


def _is_below(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _in_folder(folder: str, start: str, arguments: Iterable[str], runs: int) -> Command:
    enter = f"cd {shlex.quote(folder)} && " if folder else ""
    return Command(enter + " ".join((start, *map(shlex.quote, arguments))), runs)


def _files(names: Iterable[str]) -> list[str]:
    """Names of files, none of which looks like an option."""
    return [f"./{name}" if name.startswith("-") else name for name in names]


def _stem(path: str) -> str:
    return splitext(basename(path))[0]


def _workspace(repo: Repo, crate: str) -> str:
    """The nearest folder that is the top of a workspace with the crate; the crate's own without one."""
    for folder in upward(join(crate, "Cargo.toml")):
        workspace = _cargo(repo, folder).get("workspace")
        if isinstance(workspace, dict):
            left_out = workspace.get("exclude")
            inner = relpath(crate or ".", folder or ".")
            apart = left_out if isinstance(left_out, list) else []
            return crate if any(f"{inner}/".startswith(f"{one}/") for one in apart) else folder
    return crate


def _cargo(repo: Repo, folder: str) -> Mapping[str, object]:
    """A crate's manifest; nothing where there is none."""
    path = join(folder, "Cargo.toml")
    return _parsed(repo.read(path)) if path in repo.paths else {}


@lru_cache(maxsize=256)
def _parsed(manifest: bytes) -> Mapping[str, object]:
    """Every file of a crate asks for it. A broken one says nothing."""
    try:
        return tomllib.loads(manifest.decode("utf-8", "replace"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _text_in(manifest: object, table: str, key: str) -> str:
    """A text in a table of a manifest; nothing where there is none."""
    inner = manifest.get(table) if isinstance(manifest, Mapping) else None
    value = inner.get(key) if isinstance(inner, dict) else None
    return value if isinstance(value, str) else ""
