"""C#: `dotnet test` of the project that a test belongs to."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import lru_cache
from posixpath import dirname

from crimes.model.repository import Repo
from crimes.workflows.briefing.command import MAX_TEST_FILES, Command, folders_upward, is_below, stem


def dotnet_command(repo: Repo, tests: tuple[str, ...]) -> Command:
    """The tests of one project, by the ends of their full names."""
    projects = _projects(repo.paths)
    folder = next((folder for folder in folders_upward(tests[0]) if folder in projects), None)
    if folder is None:
        return Command(note="no project file above the tests")
    chosen = [test for test in tests if is_below(folder, test)][:MAX_TEST_FILES]
    wanted = "|".join(f"FullyQualifiedName~{stem(test)}" for test in chosen)
    return Command(f"dotnet test {shlex.quote(projects[folder])} --filter {shlex.quote(wanted)}", len(chosen))


@lru_cache(maxsize=1)
def _projects(paths: frozenset[str]) -> Mapping[str, str]:
    """The project file of each folder that has one; cached, since it is needed for every test file."""
    return {dirname(path): path for path in sorted(paths, reverse=True) if path.endswith(".csproj")}
