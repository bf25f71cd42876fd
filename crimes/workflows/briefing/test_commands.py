"""The command that runs some test files, according to the repository's own manifests."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from posixpath import basename, dirname, join, splitext

from msgspec import Struct

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.workflows.briefing.build_runners import BY_EXTENSION
from crimes.workflows.briefing.command import MAX_TEST_FILES, Command, folders_upward, parse_json

_PYTEST = "python -m pytest"
_PYTEST_FILE = regex(r"test_.*\.py|.*_test\.py")
_PYTEST_NAMED_IN = ("pyproject.toml", "tox.ini", "setup.cfg", "Pipfile", "requirements.txt", "noxfile.py")
_NODE_RUNNERS = {"vitest": "vitest run", "jest": "jest", "mocha": "mocha", "ava": "ava"}
_LOCKFILES = {
    "pnpm-lock.yaml": "pnpm exec",
    "yarn.lock": "yarn",
    "bun.lock": "bunx",
    "bun.lockb": "bunx",
    "package-lock.json": "npx",
}


class _Runner(Struct, frozen=True):
    """How a command starts, the folder its tests are relative to, and whether they are named as modules."""

    start: str
    folder: str = ""
    modules: bool = False


class Runners:
    """The test runners of a repository; its manifests are read once."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._requirements = [
            path for path in repo.paths if path.endswith((".txt", ".in")) and "requirements" in path
        ]
        self._uses_pytest: dict[str, bool] = {}
        self._manifests: dict[str, object] = {}
        self._runners: dict[tuple[str, bool], _Runner | None] = {}

    def command_for(self, tests: tuple[str, ...]) -> Command:
        """The command that runs these tests, or those of them that the first one's runner can run."""
        if not tests:
            return Command()
        extension = splitext(tests[0])[1]
        if extension in BY_EXTENSION:
            alike = tuple(test for test in tests if splitext(test)[1] == extension)
            return BY_EXTENSION[extension](self._repo, alike)
        python = extension == ".py"
        key = (dirname(tests[0]), python)
        if key not in self._runners:
            self._runners[key] = self._python_runner(tests[0]) if python else self._node_runner(tests[0])
        runner = self._runners[key]
        if runner is None:
            return Command()
        if runner.start == _PYTEST:  # it collects by file name: a base class in another file is no test
            tests = tuple(test for test in tests if _PYTEST_FILE.fullmatch(basename(test))) or tests
        inside = f"{runner.folder}/" if runner.folder else ""
        runnable = [test for test in tests if test.endswith(".py") == python and test.startswith(inside)]
        names = [_argument(test.removeprefix(inside), runner.modules) for test in runnable[:MAX_TEST_FILES]]
        enter = f"cd {shlex.quote(runner.folder)} && " if inside and not runner.modules else ""
        return Command(" ".join((enter + runner.start, *names)), len(names))

    def _python_runner(self, test: str) -> _Runner:
        """pytest where the project mentions it, else the project's own runner script, else unittest."""
        if any(self._mentions_pytest(folder) for folder in folders_upward(test)):
            return _Runner(_PYTEST)
        for folder in folders_upward(test):
            for script, command in (("runtests.py", ""), ("manage.py", " test")):
                path = join(folder, script)
                if path in self._repo.paths:
                    return _Runner(f"python {shlex.quote(path)}{command}", folder, modules=True)
        return _Runner("python -m unittest")

    def _mentions_pytest(self, folder: str) -> bool:
        if folder not in self._uses_pytest:
            self._uses_pytest[folder] = self._has_pytest_files(folder)
        return self._uses_pytest[folder]

    def _has_pytest_files(self, folder: str) -> bool:
        repo = self._repo
        if {join(folder, "conftest.py"), join(folder, "pytest.ini")} & repo.paths:
            return True
        named = (join(folder, name) for name in _PYTEST_NAMED_IN)
        return any(
            b"pytest" in repo.read(path)
            for path in (*named, *self._requirements_in(folder))
            if path in repo.paths
        )

    def _requirements_in(self, folder: str) -> Iterator[str]:
        """requirements-dev.txt, requirements/test.txt and the like."""
        for path in self._requirements:
            above = dirname(path)
            if above == folder or (basename(above) == "requirements" and dirname(above) == folder):
                yield path

    def _node_runner(self, test: str) -> _Runner | None:
        """The runner that the nearest package.json with one depends on, or calls in a script."""
        for folder in folders_upward(test):
            manifest = self._manifest(folder)
            known = {*_table(manifest, "devDependencies"), *_table(manifest, "dependencies")}
            known |= {word for script in _table(manifest, "scripts").values() for word in str(script).split()}
            for runner, call in _NODE_RUNNERS.items():
                if runner in known:
                    return _Runner(f"{self._package_manager(folder)} {call}", folder)
        return None

    def _manifest(self, folder: str) -> object:
        if folder not in self._manifests:
            path = join(folder, "package.json")
            self._manifests[folder] = parse_json(self._repo.read(path)) if path in self._repo.paths else None
        return self._manifests[folder]

    def _package_manager(self, folder: str) -> str:
        for parent in folders_upward(join(folder, "package.json")):
            for name, call in _LOCKFILES.items():
                if join(parent, name) in self._repo.paths:
                    return call
        return "npx"


def _argument(path: str, module: bool) -> str:
    if module:
        return shlex.quote(path.removesuffix(".py").replace("/", "."))
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def _table(manifest: object, key: str) -> dict[str, object]:
    value = manifest.get(key) if isinstance(manifest, dict) else None
    return value if isinstance(value, dict) else {}
