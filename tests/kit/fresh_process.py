"""A process without children, for tests that count them: the one of the tests may have a browser or a helper of a library."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable


def run_in_fresh_process(check: Callable[[], None]) -> None:
    """Run a check in a fork of this process; it fails here if it fails there."""
    child = os.fork()
    if child == 0:
        try:
            check()
        except BaseException:  # noqa: BLE001 - the parent is told by the exit code
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
