"""Instruction files of a repository: what people and agents are told to read before they change a file."""

from __future__ import annotations

from collections.abc import Callable
from posixpath import join

from crimes.workflows.briefing.command import folders_upward

# In this order in each folder; CONTRIBUTING may also be where hosts look for it.
_FOR_AGENTS = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")
_FOR_PEOPLE = tuple(
    folder + name
    for folder in ("", ".github/", "docs/")
    for name in (
        "CONTRIBUTING.md",
        "CONTRIBUTING.rst",
        "CONTRIBUTING.txt",
        "CONTRIBUTING.adoc",
        "CONTRIBUTING",
    )
)


class Instructions:
    """The instruction files of a repository, by folder."""

    def __init__(self, paths: frozenset[str], read: Callable[[str], bytes]) -> None:
        self._paths, self._read = paths, read
        self._by_folder: dict[str, tuple[str, ...]] = {}

    def of(self, path: str) -> tuple[str, ...]:
        """Those that apply to a file, the nearest first: the nearest wins where two disagree."""
        files = (file for folder in folders_upward(path) for file in self._in(folder))
        return tuple(dict.fromkeys(file for file in files if file != path))

    def _in(self, folder: str) -> tuple[str, ...]:
        """Those of one folder, without copies of one another."""
        if folder not in self._by_folder:
            agents = self._present(folder, _FOR_AGENTS)
            contents = {self._read(file): file for file in reversed(agents)}
            own = [
                file
                for file in agents
                if file in contents.values() and not self._points_elsewhere(file, agents)
            ]
            self._by_folder[folder] = (*own, *self._present(folder, _FOR_PEOPLE)[:1])
        return self._by_folder[folder]

    def _present(self, folder: str, names: tuple[str, ...]) -> list[str]:
        return [file for name in names if (file := join(folder, name)) in self._paths]

    def _points_elsewhere(self, file: str, others: list[str]) -> bool:
        """Whether a file only names another one of the folder to read: `@AGENTS.md`."""
        text = self._read(file).strip()
        return any(
            text in (f"@{name}".encode(), name.encode(), f"@./{name}".encode())
            for other in others
            if other != file
            for name in (other.rpartition("/")[2],)
        )
