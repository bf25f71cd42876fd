"""Test commands of the languages whose build tool runs the tests: Go, Rust, Maven, Gradle, Ruby, PHP, .NET.

Each function is given the tests of one language, of which there is at least one, and names those that one command runs.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, relpath, splitext

from crimes.briefing.command import MOST, Command, upward
from crimes.context import Repo

_GRADLE_BUILDS = ("build.gradle", "build.gradle.kts")
_GRADLE_TOPS = ("settings.gradle", "settings.gradle.kts", "gradlew")
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
    top = _highest(repo, crate, "Cargo.toml")
    package = _crate_name(repo.read(join(crate, "Cargo.toml")))
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
    """Called where the build has its settings or its wrapper; without any, at the root."""
    above = upward(join(module, "build.gradle"))
    top = next((one for one in above if {join(one, name) for name in _GRADLE_TOPS} & repo.paths), "")
    inner = [] if module == top else relpath(module, top or ".").split("/")
    words = [":".join(("", *inner, "test")) if inner else "test"]
    words += [word for test in tests for word in ("--tests", _stem(test))]
    return _in_folder(top, "./gradlew" if join(top, "gradlew") in repo.paths else "gradle", words, len(tests))


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
            script = "vendor/bin/simple-phpunit" if b"phpunit-bridge" in read else "vendor/bin/phpunit"
            script = "vendor/bin/pest" if b"pestphp/pest" in read else script
            return _in_folder(folder, script, _files([relpath(tests[0], folder or ".")]), 1)
    return Command()


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


def _crate_name(manifest: bytes) -> str:
    try:
        package = tomllib.loads(manifest.decode("utf-8", "replace")).get("package")
    except (tomllib.TOMLDecodeError, RecursionError):  # a broken manifest names nothing
        return ""
    name = package.get("name") if isinstance(package, dict) else None
    return name if isinstance(name, str) else ""
