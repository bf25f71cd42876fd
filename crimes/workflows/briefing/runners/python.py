"""Python: pytest where the project mentions it, the project's own runner script, or unittest."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from posixpath import basename, dirname, join

from msgspec import Struct

from crimes.model.repository import Repo
from crimes.model.safe_parsing import parse_ini
from crimes.workflows.briefing.command import (
    MAX_TEST_FILES,
    Command,
    file_arguments,
    folders_upward,
    holds_any,
    in_folder,
    is_below,
    parse_toml,
    read_if_present,
    table_in,
    texts_in,
)
from crimes.workflows.briefing.test_cases import TestCases

_UNREAD = TestCases(collectable=True)
_PYTEST = "python -m pytest"
_DEFAULT_FILES = ("test_*.py", "*_test.py")
_PYTEST_NAMED_IN = ("pyproject.toml", "tox.ini", "setup.cfg", "Pipfile", "requirements.txt", "noxfile.py")
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
_RUNNER_SCRIPTS = (("runtests.py", ""), ("manage.py", " test"))


class _PytestConfig(Struct, frozen=True):
    """Where pytest is configured, and what it collects by default; folders are from the root."""

    folder: str = ""
    files: tuple[str, ...] = _DEFAULT_FILES
    testpaths: tuple[str, ...] = ()

    def collects(self, test: str) -> bool:
        """Whether a run without arguments would include this file."""
        inside = not self.testpaths or any(
            test == path or is_below(path, test) or fnmatchcase(dirname(test), f"{path}*")
            for path in self.testpaths
        )
        return inside and any(
            fnmatchcase(test if "/" in pattern else basename(test), pattern) for pattern in self.files
        )


class PythonRunners:
    """The runners of the Python tests of a repository; manifests are read once."""

    def __init__(self, repo: Repo, cases: Mapping[str, TestCases]) -> None:
        self._repo, self._cases = repo, cases
        self._requirements = [
            path for path in repo.paths if path.endswith((".txt", ".in")) and "requirements" in path
        ]
        self._uses_pytest: dict[str, bool] = {}
        self._configs: dict[str, _PytestConfig | None] = {}

    def command(self, tests: tuple[str, ...]) -> Command:
        """The command for the first of these tests, and for others that go with it."""
        first = tests[0]
        tests = tuple(test for test in tests if self._cases_of(test).collectable)
        if not tests:
            return Command(note=f"`{first}` holds tests for others to inherit, and none of its own")
        tests = tuple(test for test in tests if not self._cases_of(test).conditional)
        if not tests:
            return Command(note=f"`{first}` is skipped unless its conditions hold")
        folders = tuple(folders_upward(tests[0]))
        if (
            any(self._mentions_pytest(folder) for folder in folders)
            or "pytest" in self._cases_of(tests[0]).imports
        ):
            return self._pytest(tests)
        for folder in folders:
            for script, words in _RUNNER_SCRIPTS:
                path = join(folder, script)
                if path in self._repo.paths:
                    inside = [test for test in tests if is_below(folder, test)][:MAX_TEST_FILES]
                    modules = [_module(test, folder) for test in inside]
                    return in_folder("", f"python {shlex.quote(path)}{words}", modules, len(modules))
        return self._unittest(tests)

    def _pytest(self, tests: tuple[str, ...]) -> Command:
        """Files that a plain run collects too: others are bases, examples, or for another tool."""
        config = self._config_of(tests[0])
        collected = tuple(test for test in tests if self._config_of(test).collects(test))
        if not collected:
            return Command(note=f"pytest does not collect `{tests[0]}` by itself")
        project = self._project_of(collected[0], config)
        names = [test for test in collected if is_below(project, test)][:MAX_TEST_FILES]
        inside = f"{project}/" if project else ""
        return in_folder(
            project, _PYTEST, file_arguments(test.removeprefix(inside) for test in names), len(names)
        )

    def _unittest(self, tests: tuple[str, ...]) -> Command:
        """unittest runs the methods of its test cases, and no plain functions."""
        runnable = [test for test in tests if not self._cases_of(test).plain][:MAX_TEST_FILES]
        if not runnable:
            return Command(note=f"`{tests[0]}` has plain test functions, and no manifest names their runner")
        return in_folder("", "python -m unittest", file_arguments(runnable), len(runnable))

    def _cases_of(self, test: str) -> TestCases:
        """What a test file says of its cases; of one that was not read, that it has some."""
        return self._cases.get(test, _UNREAD)

    def _config_of(self, test: str) -> _PytestConfig:
        """The nearest configuration of pytest; the default one without any."""
        configs = (self._config_in(folder) for folder in folders_upward(test))
        return next((config for config in configs if config), _PytestConfig())

    def _project_of(self, test: str, config: _PytestConfig) -> str:
        """The folder to start in: that of the nearest project with pytest of its own, else the root."""
        for folder in folders_upward(test):
            own = config.folder == folder or self._mentions_pytest(folder)
            if own and holds_any(self._repo, folder, _PROJECT_FILES):
                return folder
        return ""

    def _config_in(self, folder: str) -> _PytestConfig | None:
        if folder not in self._configs:
            self._configs[folder] = self._read_config(folder)
        return self._configs[folder]

    def _read_config(self, folder: str) -> _PytestConfig | None:
        repo = self._repo
        for name in ("pytest.ini", ".pytest.ini"):
            if (path := join(folder, name)) in repo.paths:
                return _from_ini(folder, repo.read(path), "pytest") or _PytestConfig(folder)
        tool = table_in(parse_toml(read_if_present(repo, join(folder, "pyproject.toml"))), "tool", "pytest")
        if tool:
            options = tool.get("ini_options", tool)
            files = texts_in(options, "python_files") or _DEFAULT_FILES
            return _PytestConfig(folder, files, _below(folder, texts_in(options, "testpaths")))
        for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
            config = _from_ini(folder, read_if_present(repo, join(folder, name)), section)
            if config:
                return config
        return None

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
            b"pytest" in read_if_present(repo, path) for path in (*named, *self._requirements_in(folder))
        )

    def _requirements_in(self, folder: str) -> Iterator[str]:
        """requirements-dev.txt, requirements/test.txt and the like."""
        for path in self._requirements:
            above = dirname(path)
            if above == folder or (basename(above) == "requirements" and dirname(above) == folder):
                yield path


def _from_ini(folder: str, text: bytes, section: str) -> _PytestConfig | None:
    try:
        options = parse_ini(text.decode("utf-8", "replace")).get(section)
    except ValueError:
        return None
    if options is None:
        return None
    files = tuple(options.get("python_files", "").split()) or _DEFAULT_FILES
    return _PytestConfig(folder, files, _below(folder, tuple(options.get("testpaths", "").split())))


def _below(folder: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths of a configuration, from the root; none where one of them means the whole folder."""
    if any(path.strip("./") == "" for path in paths):
        return ()
    return tuple(join(folder, path.removeprefix("./").rstrip("/")) for path in paths)


def _module(test: str, folder: str) -> str:
    inside = test.removeprefix(f"{folder}/") if folder else test
    return inside.removesuffix(".py").replace("/", ".")
