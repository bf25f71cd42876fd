"""Work of code written by hand, counted without a clock: lines of ours that run, and characters that operations on a text go through."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

_CHARS_PER_STEP = 64  # an operation in C takes so many in the time of a line
_OURS = ("/crimes/", "/crimes_detectors/")


class Work:
    """What was counted so far."""

    steps = 0.0

    @classmethod
    def add_chars(cls, chars: int) -> None:
        cls.steps += max(chars, 0) / _CHARS_PER_STEP


class _Counted:
    """The operations of a text or of bytes that go through it, or copy it."""

    _plain: Any

    def __getitem__(self, key: Any) -> Any:
        found = self._plain.__getitem__(self, key)
        if isinstance(key, slice):
            Work.add_chars(len(found))
            return type(self)(found)  # type: ignore[call-arg]
        return found

    def __contains__(self, part: Any) -> bool:
        return bool(self.find(part) >= 0)

    def find(self, part: Any, start: int = 0, end: int = sys.maxsize) -> int:
        at = int(self._plain.find(self, part, start, end))
        Work.add_chars((at if at >= 0 else min(end, len(self))) - start)  # type: ignore[arg-type]
        return at

    def rfind(self, part: Any, start: int = 0, end: int = sys.maxsize) -> int:
        at = int(self._plain.rfind(self, part, start, end))
        Work.add_chars(min(end, len(self)) - max(at, start))  # type: ignore[arg-type]
        return at

    def index(self, part: Any, start: int = 0, end: int = sys.maxsize) -> int:
        at = self.find(part, start, end)
        if at < 0:
            raise ValueError(part)
        return at

    def count(self, part: Any, start: int = 0, end: int = sys.maxsize) -> int:
        Work.add_chars(min(end, len(self)) - start)  # type: ignore[arg-type]
        return int(self._plain.count(self, part, start, end))

    def _through(self, name: str, *arguments: Any) -> Any:
        Work.add_chars(len(self))  # type: ignore[arg-type]
        found = getattr(self._plain, name)(self, *arguments)
        return type(self)(found) if isinstance(found, self._plain) else found  # type: ignore[call-arg]

    def split(self, *arguments: Any) -> Any:
        return self._through("split", *arguments)

    def splitlines(self, *arguments: Any) -> Any:
        return self._through("splitlines", *arguments)

    def replace(self, *arguments: Any) -> Any:
        return self._through("replace", *arguments)

    def translate(self, *arguments: Any) -> Any:
        return self._through("translate", *arguments)

    def lower(self) -> Any:
        return self._through("lower")

    def rpartition(self, part: Any) -> Any:
        return self._through("rpartition", part)


class CountedText(_Counted, str):  # type: ignore[misc] # the same operations, for both kinds
    """A text that counts what is done with it."""

    _plain = str
    __hash__ = str.__hash__


class CountedBytes(_Counted, bytes):  # type: ignore[misc]
    """The same as bytes."""

    _plain = bytes
    __hash__ = bytes.__hash__

    def decode(self, *arguments: Any) -> Any:
        Work.add_chars(len(self))
        return CountedText(bytes.decode(self, *arguments))


def count_work(work: Callable[[], object]) -> float:
    """Steps that a piece of work takes."""

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if not any(part in frame.f_code.co_filename for part in _OURS):
            return None
        Work.steps += 1
        return trace_lines

    def trace_lines(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            Work.steps += 1
        return trace_lines

    Work.steps = 0.0
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return Work.steps
