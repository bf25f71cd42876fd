"""The code of a finding, read from the repository as it is now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crimes.views.explain import Source

_LARGEST = 5_000_000  # bytes


def read_source(root: Path, path: str, made: float) -> Source:
    """The file's lines. The path may come from a stranger's report: nothing outside the root is opened."""
    from crimes.views.explain import Source

    real = Path(os.path.realpath(root / path))
    if not real.is_relative_to(os.path.realpath(root)) or not real.is_file():
        return Source((), "The file is not there any more.")
    try:
        with real.open("rb") as file:
            changed = os.fstat(file.fileno()).st_mtime > made
            data = file.read(_LARGEST)
    except OSError as error:
        return Source((), f"The file cannot be read: {error.strerror}.")
    note = "The file has changed since the scan: lines may have moved." if changed else ""
    return Source(tuple(data.decode("utf-8-sig", "backslashreplace").splitlines()), note)
