"""Messages between processes, through a pipe: a kind, a length, bytes."""

from __future__ import annotations

import os
import select
import struct
import time
from collections.abc import Iterator

_HEADER = struct.Struct(">cQ")  # the kind of a message, and its length
_READ_BYTES = 1 << 20


class Inbox:
    """Messages that come through a pipe."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe
        self.ended = False
        self._unread = bytearray()

    def until(self, deadline: float | None) -> Iterator[tuple[bytes, bytes]]:
        """Messages until the other end is closed. TimeoutError at the deadline, a value of the monotonic clock."""
        waiting = select.poll()  # select takes no descriptor above 1023, and a process may have more open
        waiting.register(self.pipe, select.POLLIN | select.POLLHUP)
        while not self.ended:
            left = None if deadline is None else deadline - time.monotonic()
            if (left is not None and left <= 0) or not waiting.poll(None if left is None else 1000 * left):
                raise TimeoutError
            yield from self.read()

    def read(self) -> list[tuple[bytes, bytes]]:
        """The messages that one read completes; none, and `ended`, where nobody will write any more."""
        data = os.read(self.pipe, _READ_BYTES)
        self.ended = not data
        self._unread += data
        messages = []
        while len(self._unread) >= _HEADER.size:
            kind, length = _HEADER.unpack_from(self._unread)
            end = _HEADER.size + length
            if len(self._unread) < end:
                break
            messages.append((kind, bytes(self._unread[_HEADER.size : end])))
            del self._unread[:end]
        return messages


def write_message(pipe: int, kind: bytes, content: bytes) -> None:
    """Send one message, whole."""
    left = memoryview(_HEADER.pack(kind, len(content)) + content)
    while left:
        left = left[os.write(pipe, left) :]
