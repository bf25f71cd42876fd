"""Limits that the system sets for this process and for those it starts."""

from __future__ import annotations

import resource


def limit_memory(size: int) -> None:
    """Limit the address space, in bytes; 0 lifts the limit again."""
    _limit(resource.RLIMIT_AS, size)


def limit_file_size(size: int) -> None:
    """Limit the size of each file that is written, in bytes; 0 lifts the limit again."""
    _limit(resource.RLIMIT_FSIZE, size)


def _limit(kind: int, size: int) -> None:
    _, hard = resource.getrlimit(kind)
    soft = size if size and (hard == resource.RLIM_INFINITY or size < hard) else hard
    resource.setrlimit(kind, (soft, hard))


def file_size_is_limited() -> bool:
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY
