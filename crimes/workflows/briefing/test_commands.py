"""The command that runs some test files, according to the repository's own manifests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from posixpath import splitext

from crimes.model.repository import Repo
from crimes.workflows.briefing.command import Command
from crimes.workflows.briefing.runners.cargo import cargo_command
from crimes.workflows.briefing.runners.dotnet import dotnet_command
from crimes.workflows.briefing.runners.go import go_command
from crimes.workflows.briefing.runners.jvm import jvm_command
from crimes.workflows.briefing.runners.node import NodeRunners
from crimes.workflows.briefing.runners.php import php_command
from crimes.workflows.briefing.runners.python import PythonRunners
from crimes.workflows.briefing.runners.ruby import ruby_command
from crimes.workflows.briefing.test_cases import TestCases

_BUILD_TOOLS: Mapping[str, Callable[[Repo, tuple[str, ...]], Command]] = {
    ".rb": ruby_command,
    ".php": php_command,
    ".cs": dotnet_command,
}
_NOTHING_READ: Mapping[str, TestCases] = {}
_NODE = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro"})


class Runners:
    """The test runners of a repository; its manifests are read once."""

    def __init__(self, repo: Repo, cases: Mapping[str, TestCases] = _NOTHING_READ) -> None:
        self._repo, self._cases = repo, cases
        self._python = PythonRunners(repo, cases)
        self._node = NodeRunners(repo)

    def command_for(self, tests: tuple[str, ...], target: str = "") -> Command:
        """The command that runs these tests of a file, or those of them that the first one's runner can run."""
        if not tests:
            return Command()
        kind = _ecosystem(tests[0])
        alike = tuple(test for test in tests if _ecosystem(test) == kind)
        if kind == "python":
            return self._python.command(alike)
        if kind == "node":
            return self._node.command(alike)
        if kind == ".go":
            return go_command(self._repo, self._cases, target, alike)
        if kind in (".java", ".kt", ".scala"):
            return jvm_command(self._repo, self._cases, alike)
        if kind == ".rs":
            return cargo_command(self._repo, target, alike)
        if kind in _BUILD_TOOLS:
            return _BUILD_TOOLS[kind](self._repo, alike)
        return Command(note="no test runner of this language is known here")


def _ecosystem(path: str) -> str:
    extension = splitext(path)[1]
    if extension in (".py", ".pyw"):
        return "python"
    return "node" if extension in _NODE else extension
