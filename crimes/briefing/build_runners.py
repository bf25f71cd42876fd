"""Test commands of the languages whose build tool runs the tests: Go, Rust, Maven, Gradle, Ruby, PHP, .NET.

Each function is given the tests of one language, of which there is at least one, and names those that one command runs.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from posixpath import basename, dirname, join, relpath, splitext

from crimes.briefing.command import MOST, Command, upward
from crimes.context import Repo

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
    """A test of its own has a target; tests inside the library run with it."""
    crate = _nearest(repo, tests[0], "Cargo.toml")
    if crate is None:
        return Command()
    package = _crate_name(repo.read(join(crate, "Cargo.toml")))
    start = f"cargo test -p {shlex.quote(package)}" if package else "cargo test"
    inside = [test for test in tests if _is_below(crate, test)]
    named = [test for test in inside if dirname(relpath(test, crate or ".")) == "tests"][:MOST]
    if tests[0] not in named:
        return Command(start, sum(test not in named for test in inside))
    return Command(" ".join((start, *(f"--test {_stem(test)}" for test in named))), len(named))


def _jvm(repo: Repo, tests: tuple[str, ...]) -> Command:
    """Maven or Gradle, whichever stands nearest; classes go by their names."""
    for folder in upward(tests[0]):
        chosen = [test for test in tests if _is_below(folder, test)][:MOST]
        if join(folder, "pom.xml") in repo.paths:
            start = "./mvnw" if "mvnw" in repo.paths else "mvn"
            module = (
                f" -pl {shlex.quote(folder)} -am -Dsurefire.failIfNoSpecifiedTests=false" if folder else ""
            )
            names = shlex.quote(",".join(_stem(test) for test in chosen))
            return Command(f"{start} test{module} -Dtest={names}", len(chosen))
        if {join(folder, "build.gradle"), join(folder, "build.gradle.kts")} & repo.paths:
            start = "./gradlew" if "gradlew" in repo.paths else "gradle"
            task = ":".join(("", *filter(None, folder.split("/")), "test")) if folder else "test"
            names = " ".join(f"--tests {shlex.quote(_stem(test))}" for test in chosen)
            return Command(f"{start} {shlex.quote(task)} {names}", len(chosen))
    return Command()


def _ruby(repo: Repo, tests: tuple[str, ...]) -> Command:
    specs = [test for test in tests if test.endswith("_spec.rb")]
    bundle = "bundle exec " if "Gemfile" in repo.paths else ""
    if specs and specs[0] == tests[0]:
        return Command(f"{bundle}rspec {_joined(specs[:MOST])}", len(specs[:MOST]))
    if "bin/rails" in repo.paths:
        return Command(f"bin/rails test {_joined(tests[:MOST])}", len(tests[:MOST]))
    return Command(f"{bundle}ruby -Ilib -Itest {_joined(tests[:1])}", 1)


def _php(repo: Repo, tests: tuple[str, ...]) -> Command:
    """One file: older versions of phpunit take no more."""
    manifests = ("composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
    for folder in upward(tests[0]):
        known = [join(folder, name) for name in manifests if join(folder, name) in repo.paths]
        read = b"".join(repo.read(path) for path in known)
        if b"phpunit" in read:
            script = "vendor/bin/simple-phpunit" if b"phpunit-bridge" in read else "vendor/bin/phpunit"
            return _in_folder(folder, script, [relpath(tests[0], folder or ".")], 1)
    return Command()


def _dotnet(repo: Repo, tests: tuple[str, ...]) -> Command:
    projects = {dirname(path): path for path in sorted(repo.paths, reverse=True) if path.endswith(".csproj")}
    folder = next((folder for folder in upward(tests[0]) if folder in projects), None)
    if folder is None:
        return Command()
    chosen = [test for test in tests if _is_below(folder, test)][:MOST]
    wanted = "|".join(f"FullyQualifiedName~{_stem(test)}" for test in chosen)
    return Command(f"dotnet test {shlex.quote(projects[folder])} --filter {shlex.quote(wanted)}", len(chosen))


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


def _is_below(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _in_folder(folder: str, start: str, arguments: Iterable[str], runs: int) -> Command:
    enter = f"cd {shlex.quote(folder)} && " if folder else ""
    return Command(f"{enter}{start} {_joined(arguments)}", runs)


def _joined(names: Iterable[str]) -> str:
    return " ".join(shlex.quote(f"./{name}" if name.startswith("-") else name) for name in names)


def _stem(path: str) -> str:
    return splitext(basename(path))[0]


def _crate_name(manifest: bytes) -> str:
    try:
        package = tomllib.loads(manifest.decode("utf-8", "replace")).get("package")
    except (tomllib.TOMLDecodeError, RecursionError):  # a broken manifest names nothing
        return ""
    name = package.get("name") if isinstance(package, dict) else None
    return name if isinstance(name, str) else ""
