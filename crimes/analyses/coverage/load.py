"""Loads the coverage files that a user names: all before the scan begins, so that every fault is reported at once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from crimes.analyses.coverage.recorder import MAX_FILE_BYTES, Malformed
from crimes.analyses.coverage.sniff import read_coverage
from crimes.model.errors import UsageError
from crimes.model.line_coverage import CoverageFile


def load_coverage_files(paths: Iterable[Path], root: Path) -> tuple[CoverageFile, ...]:
    """The files in the order given, each once. The user chose them: they may be outside the repository."""
    root = root.resolve()
    files: dict[str, CoverageFile] = {}
    faults = []
    for path in paths:
        try:
            files.setdefault(os.path.realpath(path), _load(path, root))
        except OSError as error:
            faults.append(f"--coverage {path} cannot be read: {error.strerror or error}")
        except ValueError as error:  # a NUL in the name
            faults.append(f"--coverage {path} cannot be read: {error}")
        except Malformed as fault:
            faults.append(f"--coverage {path} cannot be used: {fault}")
    if faults:
        raise UsageError("\n".join(faults))
    return tuple(files.values())


def _load(path: Path, root: Path) -> CoverageFile:
    with open(path, "rb") as stream:
        changed = os.fstat(stream.fileno()).st_mtime
        data = stream.read(MAX_FILE_BYTES + 1)
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(root):
        return CoverageFile(real.name, "", changed, read_coverage(data))
    inside = real.relative_to(root)
    folder = inside.parent.as_posix()
    return CoverageFile(inside.as_posix(), "" if folder == "." else folder, changed, read_coverage(data))
