"""What earlier scans found out, kept with what it was made of: where it is, somebody else knows."""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

T = TypeVar("T")
V = TypeVar("V")

_encode = msgspec.msgpack.Encoder().encode


def digest_of(content: bytes) -> bytes:
    """What a content is known by."""
    return blake2b(content, digest_size=16).digest()


class Memory(Protocol):
    """Values by name. Whoever recalls one compares what it was made of."""

    def content(self, path: str) -> bytes:
        """A mark of what a file's facts were made of, with its digest first; empty when it is not known."""

    def recall(self, name: str) -> bytes | None:
        """What was kept under a name by the same code."""

    def keep(self, name: str, value: bytes) -> None:
        """Keep it for the next scan."""


def recalled(memory: Memory, name: str, kind: Any) -> Any:
    """What was kept under a name, as a value of this kind; None when there is none."""
    data = memory.recall(name)
    try:
        return None if data is None else msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError:
        return None


def keep(memory: Memory, name: str, value: object) -> None:
    """Keep a value that `recalled` can give back. One that cannot be written is not kept: file names may not be text."""
    try:
        memory.keep(name, _encode(value))
    except UnicodeEncodeError:
        return


def by_content(
    memory: Memory | None,
    name: str,
    kind: Any,
    given: Mapping[str, T],
    look: Callable[[T], V | None],
    beside: Callable[[T], bytes] = lambda one: b"",
) -> dict[str, V]:
    """By path: what `look` finds in what is given of a file, for files in which it finds something.

    It has to follow from the file's content alone: where that was looked at before, it is not again. What is given
    besides the content is told apart by the mark that `beside` makes of it.
    """
    before: dict[bytes, V | None] = (
        recalled(memory, name, dict[bytes, kind | None]) if memory else None
    ) or {}
    now: dict[bytes, V | None] = {}
    found: dict[str, V] = {}
    for path, one in given.items():
        content = memory.content(path) if memory else b""
        if content:
            content += beside(one)
        value = before[content] if content in before else look(one) or None
        if content:
            now[content] = value
        if value is not None:
            found[path] = value
    if memory and now.keys() != before.keys():
        keep(memory, name, now)
    return found
