"""The names that a file uses, by the file that defines them: what resolvers gather before they answer."""

from __future__ import annotations

from crimes.languages.spec import ImplicitUse, Resolved


class NamesByFile:
    """Names with the files that define them, and the first line that uses each file."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}
        self._lines: dict[str, int] = {}

    def add(self, file: str, name: str, line: int = 0) -> None:
        """Add a name of a file, used on this line."""
        self._names.setdefault(file, set()).add(name)
        self._lines[file] = min(line, self._lines.get(file, line))

    def targets(self) -> tuple[Resolved, ...]:
        """The files as targets of an import."""
        return tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(self._names.items()))

    def uses(self, path: str) -> tuple[ImplicitUse, ...]:
        """The files as uses of the file `path`, which does not use itself."""
        return tuple(
            ImplicitUse(file, tuple(sorted(names)), self._lines[file])
            for file, names in sorted(self._names.items())
            if file != path
        )
