"""Work of the server in a process of its own: a call waits for it up to a bound, and the work goes on when that is over."""

from __future__ import annotations

import os
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from crimes.model.errors import CrimesError, EnvironmentFault

Work = Callable[[Path], bytes]


class Job:
    """A process that works on a repository. It is started anew, not forked: the server has threads."""

    def __init__(self, work: Work, root: Path) -> None:
        context = get_context("spawn")
        self._ours, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve, args=(work, root, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def result(self, seconds: float) -> bytes | None:
        """What came of it, None when it is not done within so many seconds. EnvironmentFault when it failed."""
        if not self._ours.poll(seconds):
            return None
        try:
            told = self._ours.recv_bytes()
        except EOFError:
            raise EnvironmentFault("the scan ended without a result") from None
        finally:
            self._process.join()
        if told[:1] == b"-":
            raise EnvironmentFault(told[1:].decode("utf-8", "replace"))
        return told[1:]


def _serve(work: Work, root: Path, pipe: Connection) -> None:
    """Runs in the new process. The streams it inherited belong to the protocol."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    try:
        pipe.send_bytes(b"+" + work(root))
    except CrimesError as fault:
        pipe.send_bytes(b"-" + str(fault).encode("utf-8", "replace"))


def scan_work(root: Path) -> bytes:
    """Scan, and keep what is found."""
    from crimes.cli.scanning import report

    report(root)
    return b""


def check_work(root: Path) -> bytes:
    """Check the work tree; the result is JSON."""
    from crimes.cli.check import checked
    from crimes.cli.scanning import ScanOptions
    from crimes.model.codec import encode

    return encode(checked(root, ScanOptions()))
