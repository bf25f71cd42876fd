"""Limits that the system sets for this process and for those it starts."""

from __future__ import annotations

import errno
import resource

_ARENA_MAX = -8  # M_ARENA_MAX of glibc


def limit_memory(size: int) -> None:
    """Limit the address space, in bytes; 0 lifts the limit again."""
    _limit(resource.RLIMIT_AS, size)


def limit_file_size(size: int) -> None:
    """Limit the size of each file that is written, in bytes; 0 lifts the limit again."""
    _limit(resource.RLIMIT_FSIZE, size)


def limit_heap(process: int, size: int) -> None:
    """Limit what another process may allocate, in bytes; files that it maps do not count. Only Linux can."""
    if not hasattr(resource, "prlimit"):
        return
    try:
        soft, hard = resource.prlimit(process, resource.RLIMIT_DATA)
        sizes = [limit for limit in (size, soft) if limit != resource.RLIM_INFINITY]
        resource.prlimit(process, resource.RLIMIT_DATA, (min(sizes), hard))
    except (OSError, ValueError):  # it has ended already
        return


def _limit(kind: int, size: int) -> None:
    _, hard = resource.getrlimit(kind)
    soft = size if size and (hard == resource.RLIM_INFINITY or size < hard) else hard
    resource.setrlimit(kind, (soft, hard))


def file_size_is_limited() -> bool:
    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY


def memory_is_limited() -> bool:
    """Under a limit the system refuses memory instead of killing, and not all C code can take a refusal."""
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory was refused. Some C code then fails without saying why, threads do not start, and modules do not load."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    unclear = isinstance(error, SystemError | ImportError) or "can't start new thread" in str(error)
    return unclear and memory_is_limited()


def save_address_space() -> None:
    """Take the memory of all threads from one arena if the address space is limited: each other one would reserve 64 MB of it."""
    if not memory_is_limited():
        return
    import ctypes

    try:
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)
    except (AttributeError, OSError):  # another C library, which may reserve nothing
        return
