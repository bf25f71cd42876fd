"""The options of `crimes scan` that choose a working set."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.model.errors import UsageError

if TYPE_CHECKING:
    from crimes.engine.working_set import Choice


@dataclass(frozen=True)
class WorkingSetOptions:
    """`--changed`, `--staged`, `--files` or `--related-to`, with `--base` and `--depth`."""

    changed: bool
    staged: bool
    base: str
    files: tuple[str, ...]
    related_to: str
    depth: int

    def choice(self, root: Path) -> Choice | None:
        """How the files are chosen, None for all of them."""
        names = ("--changed", "--staged", "--files", "--related-to")
        values = (self.changed, self.staged, self.files, self.related_to)
        options = [name for name, value in zip(names, values, strict=True) if value]
        if len(options) > 1:
            raise UsageError(f"{' and '.join(options)} cannot be combined; use one of them")
        if not options:
            return None
        from crimes.engine import working_set
        from crimes.system.git import unavailable_as

        with unavailable_as(UsageError, options[0]):
            if self.changed:
                return working_set.changed(root, self.base or "HEAD")
            if self.staged:
                return working_set.staged(root)
        if self.files:
            return working_set.by_name(_relative_to_root(root, name) for name in _split(self.files))
        return working_set.related_to(_relative_to_root(root, self.related_to), self.depth)


def _split(texts: Iterable[str]) -> list[str]:
    """Names from `a.py,b.py`; a text with a comma is one name if there is such a file."""
    names = []
    for text in texts:
        names += [text] if os.path.lexists(text) else text.split(",")
    return [name for name in names if name]


def _relative_to_root(root: Path, name: str) -> str:
    """A name relative to the root. It is taken from here if it exists there, else from the root."""
    full = os.path.abspath(name)
    here = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    if os.path.lexists(full) and Path(here).is_relative_to(root):
        return Path(here).relative_to(root).as_posix()
    return os.path.normpath(name).replace(os.sep, "/")
