"""Test commands of the languages whose build tool runs the tests: Go, Rust, Maven, Gradle, Ruby, PHP, .NET.

Each function takes the tests of one language, at least one, and returns the command that runs them or some of them.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, relpath, splitext

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.workflows.briefing.command import MAX_TEST_FILES, Command, folders_upward, parse_json

_GRADLE_BUILDS = ("build.gradle", "build.gradle.kts")
_GRADLE_TOPS = ("settings.gradle", "settings.gradle.kts", "gradlew")
_ANDROID = regex(rb"com\.android\.|plugins\.android\b")
_GEM_FILES = ("Gemfile", ".rspec", "Rakefile")

_CommandBuilder = Callable[[Repo, tuple[str, ...]], Command]


def _go(repo: Repo, tests: tuple[str, ...]) -> Command:
    """Go runs packages, which are whole folders, from the folder of the module."""
    module = _nearest_folder(repo, tests[0], "go.mod")
    if module is None:
        return Command()
    inside = [test for test in tests if _is_below(module, test)]
    folders = [relpath(dirname(test) or ".", module or ".") for test in inside]
    chosen = list(dict.fromkeys(folders))[:MAX_TEST_FILES]
    packages = ["." if folder == "." else f"./{folder}" for folder in chosen]
    runs = sum(folder in chosen for folder in folders)
    return _in_folder(module, "go test", packages, runs)


def _rust(repo: Repo, tests: tuple[str, ...]) -> Command:
    """An integration test has its own target, all others run with the package. Cargo runs at the top of the workspace."""
    crate = _nearest_folder(repo, tests[0], "Cargo.toml")
    if crate is None:
        return Command()
    top = _workspace_top(repo, crate)
    package = _text_in(_cargo_manifest(repo, crate), "package", "name")
    words = ["-p", package] if package else []
    inside = [test for test in tests if _nearest_folder(repo, test, "Cargo.toml") == crate]
    targets = {
        test: target for test in inside if (target := _cargo_target(repo, crate, relpath(test, crate or ".")))
    }
    if tests[0] not in targets:
        return _in_folder(top, "cargo test", words, len(inside))
    named = tuple(targets)[:MAX_TEST_FILES]
    words += [word for test in named for word in ("--test", targets[test])]
    return _in_folder(top, "cargo test", words, len(named))


def _cargo_target(repo: Repo, crate: str, test: str) -> str:
    """The name of the target that an integration test is; empty where it is none.

    Cargo takes each file directly in `tests/` for a target, unless the manifest turns that off, or lists targets
    in the edition of 2015.
    """
    manifest = _cargo_manifest(repo, crate)
    value = manifest.get("test")
    listed = [target for target in value if isinstance(target, dict)] if isinstance(value, list) else []
    for target in listed:
        name = target.get("name")
        if isinstance(name, str) and target.get("path", f"tests/{name}.rs") == test:
            return name
    package = manifest.get("package")
    settings = package if isinstance(package, dict) else {}
    finds_more = settings.get("autotests", not listed or settings.get("edition", "2015") != "2015")
    return _stem(test) if finds_more and dirname(test) == "tests" else ""


def _jvm(repo: Repo, tests: tuple[str, ...]) -> Command:
    """Maven or Gradle, whichever is nearest; classes are given by name."""
    for folder in folders_upward(tests[0]):
        chosen = [test for test in tests if _is_below(folder, test)][:MAX_TEST_FILES]
        if join(folder, "pom.xml") in repo.paths:
            return _maven(repo, folder, chosen)
        if _holds_any(repo, folder, _GRADLE_BUILDS):
            return _gradle(repo, folder, chosen)
    return Command()


def _maven(repo: Repo, module: str, tests: list[str]) -> Command:
    top = _highest_folder(repo, module, "pom.xml")
    names = f"-Dtest={','.join(_stem(test) for test in tests)}"
    words = ["test", names]
    if module != top:
        inner = relpath(module, top or ".")
        words = ["test", "-pl", inner, "-am", "-Dsurefire.failIfNoSpecifiedTests=false", names]
    return _in_folder(top, "./mvnw" if join(top, "mvnw") in repo.paths else "mvn", words, len(tests))


def _gradle(repo: Repo, module: str, tests: list[str]) -> Command:
    """Gradle runs where the build has its settings or wrapper, else at the root. A source set has its own task."""
    above = folders_upward(join(module, "build.gradle"))
    top = next((folder for folder in above if _holds_any(repo, folder, _GRADLE_TOPS)), "")
    inner = [] if module == top else relpath(module, top or ".").split("/")
    task = _gradle_task(repo, module, tests[0])
    tests = [test for test in tests if _gradle_task(repo, module, test) == task]
    words = [":".join(("", *inner, task)) if inner else task]
    words += [word for test in tests for word in ("--tests", _stem(test))]
    return _in_folder(top, "./gradlew" if join(top, "gradlew") in repo.paths else "gradle", words, len(tests))


def _gradle_task(repo: Repo, module: str, test: str) -> str:
    """`src/integrationTest/java` is run by `integrationTest`; tests that all platforms share run on the JVM."""
    above, _, inside = relpath(test, module or ".").partition("/")
    sources = inside.partition("/")[0] if above == "src" else "test"
    builds = [path for name in _GRADLE_BUILDS if (path := join(module, name)) in repo.paths]
    if sources == "test" and any(_ANDROID.search(repo.read(path)) for path in builds):
        return "testDebugUnitTest"  # `test` runs all variants, and accepts no names
    return {"commonTest": "jvmTest"}.get(sources, sources if sources.endswith("Test") else "test")


def _ruby(repo: Repo, tests: tuple[str, ...]) -> Command:
    """rspec, Rails, or the file by itself, in the folder of the gem."""
    gem = next((folder for folder in folders_upward(tests[0]) if _holds_any(repo, folder, _GEM_FILES)), "")
    inside = _file_arguments(relpath(test, gem or ".") for test in tests if _is_below(gem, test))
    bundle = "bundle exec " if _nearest_folder(repo, tests[0], "Gemfile") is not None else ""
    specs = [test for test in inside if test.endswith("_spec.rb")][:MAX_TEST_FILES]
    if specs and specs[0] == inside[0]:
        return _in_folder(gem, f"{bundle}rspec", specs, len(specs))
    if join(gem, "bin/rails") in repo.paths:
        return _in_folder(gem, "bin/rails test", inside[:MAX_TEST_FILES], len(inside[:MAX_TEST_FILES]))
    return _in_folder(gem, f"{bundle}ruby -Ilib -Itest", inside[:1], 1)


def _php(repo: Repo, tests: tuple[str, ...]) -> Command:
    """One file: older versions of phpunit accept no more."""
    manifests = ("composer.json", "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
    for folder in folders_upward(tests[0]):
        present = [join(folder, name) for name in manifests if join(folder, name) in repo.paths]
        text = b"".join(repo.read(path) for path in present)
        if b"phpunit" in text:
            script = "simple-phpunit" if b"phpunit-bridge" in text else "phpunit"
            script = "pest" if b"pestphp/pest" in text else script
            script = shlex.quote(join(_composer_bin(repo, folder), script))
            return _in_folder(folder, script, _file_arguments([relpath(tests[0], folder or ".")]), 1)
    return Command()


def _composer_bin(repo: Repo, folder: str) -> str:
    """Where Composer puts the scripts of packages."""
    path = join(folder, "composer.json")
    manifest = parse_json(repo.read(path)) if path in repo.paths else None
    return _text_in(manifest, "config", "bin-dir") or "vendor/bin"


def _dotnet(repo: Repo, tests: tuple[str, ...]) -> Command:
    projects = _dotnet_projects(repo.paths)
    folder = next((folder for folder in folders_upward(tests[0]) if folder in projects), None)
    if folder is None:
        return Command()
    chosen = [test for test in tests if _is_below(folder, test)][:MAX_TEST_FILES]
    wanted = "|".join(f"FullyQualifiedName~{_stem(test)}" for test in chosen)
    return Command(f"dotnet test {shlex.quote(projects[folder])} --filter {shlex.quote(wanted)}", len(chosen))


@lru_cache(maxsize=1)
def _dotnet_projects(paths: frozenset[str]) -> Mapping[str, str]:
    """The project file of each folder that has one; cached, since it is needed for every test file."""
    return {dirname(path): path for path in sorted(paths, reverse=True) if path.endswith(".csproj")}


BY_EXTENSION: Mapping[str, _CommandBuilder] = {
    ".go": _go,
    ".rs": _rust,
    ".java": _jvm,
    ".kt": _jvm,
    ".scala": _jvm,
    ".rb": _ruby,
    ".php": _php,
    ".cs": _dotnet,
}


def _nearest_folder(repo: Repo, test: str, name: str) -> str | None:
    """The nearest folder above a test that holds a file."""
    return next((folder for folder in folders_upward(test) if join(folder, name) in repo.paths), None)


def _highest_folder(repo: Repo, folder: str, name: str) -> str:
    """The highest folder, this one or above it, that holds a file: the top of a multi-module build."""
    return [parent for parent in folders_upward(join(folder, name)) if join(parent, name) in repo.paths][-1]


def _holds_any(repo: Repo, folder: str, names: Iterable[str]) -> bool:
    return any(join(folder, name) in repo.paths for name in names)


def _is_below(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _in_folder(folder: str, start: str, arguments: Iterable[str], runs: int) -> Command:
    enter = f"cd {shlex.quote(folder)} && " if folder else ""
    return Command(enter + " ".join((start, *map(shlex.quote, arguments))), runs)


def _file_arguments(names: Iterable[str]) -> list[str]:
    """Names of files, written so that none looks like an option."""
    return [f"./{name}" if name.startswith("-") else name for name in names]


def _stem(path: str) -> str:
    return splitext(basename(path))[0]


def _workspace_top(repo: Repo, crate: str) -> str:
    """The nearest folder that is the top of a workspace with the crate; the crate's own without one."""
    for folder in folders_upward(join(crate, "Cargo.toml")):
        workspace = _cargo_manifest(repo, folder).get("workspace")
        if isinstance(workspace, dict):
            value = workspace.get("exclude")
            excluded = value if isinstance(value, list) else []
            inner = relpath(crate or ".", folder or ".")
            return crate if any(f"{inner}/".startswith(f"{path}/") for path in excluded) else folder
    return crate


def _cargo_manifest(repo: Repo, folder: str) -> Mapping[str, object]:
    """A crate's manifest; empty without one."""
    path = join(folder, "Cargo.toml")
    return _parse_toml(repo.read(path)) if path in repo.paths else {}


@lru_cache(maxsize=256)
def _parse_toml(manifest: bytes) -> Mapping[str, object]:
    """The manifest as tables, empty when it is broken; cached, since every file of a crate needs it."""
    try:
        return tomllib.loads(manifest.decode("utf-8", "replace"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _text_in(manifest: object, table: str, key: str) -> str:
    """A text in a table of a manifest; empty without one."""
    inner = manifest.get(table) if isinstance(manifest, Mapping) else None
    value = inner.get(key) if isinstance(inner, dict) else None
    return value if isinstance(value, str) else ""
