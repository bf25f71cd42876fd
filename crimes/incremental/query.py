"""What earlier scans found out, kept with what it was made of: where it is, somebody else knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

T = TypeVar("T")
V = TypeVar("V")

_encode = msgspec.msgpack.Encoder().encode


class MemoStore(Protocol):
    """Values by name. Whoever recalls one compares what it was made of."""

    def content(self, path: str) -> bytes:
        """A mark of what a file's facts were made of, with its digest first; empty when it is not known."""

    def recall(self, name: str) -> bytes | None:
        """What was kept under a name by the same code."""

    def keep(self, name: str, value: bytes) -> None:
        """Keep it for the next scan."""


def load(memory: MemoStore, name: str, kind: Any) -> Any:
    """What was kept under a name, as a value of this kind; None when there is none."""
    data = memory.recall(name)
    try:
        return None if data is None else msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError:
        return None


def save(memory: MemoStore, name: str, value: object) -> None:
    """Keep a value that `recalled` can give back. One that cannot be written is not kept: file names may not be text."""
    try:
        memory.keep(name, _encode(value))
    except UnicodeEncodeError:
        return


class MemoPredicate:
    """Answers to questions that hold as long as what they follow from is the same. `made_of` is a digest of that."""

    def __init__(self, memory: MemoStore | None, name: str, made_of: Callable[[], bytes]) -> None:
        self._memory, self._name = memory, name
        self._made_of = made_of() if memory else b""
        kept = load(memory, name, tuple[bytes, dict[str, bool]]) if memory else None
        self._known: dict[str, bool] = kept[1] if kept and kept[0] == self._made_of else {}

    def to(self, question: str, find: Callable[[str], bool]) -> bool:
        """The answer that was found before, or is found now."""
        if question not in self._known:
            self._known[question] = find(question)
            if self._memory:
                save(self._memory, self._name, (self._made_of, self._known))
        return self._known[question]


def per_content(
    memory: MemoStore | None,
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
    known: dict[bytes, V | None] = (load(memory, name, dict[bytes, kind | None]) if memory else None) or {}
    before = len(known)
    found: dict[str, V] = {}
    marks = (memory.content(path) if memory else b"" for path in given)
    contents = [mark and mark + beside(one) for mark, one in zip(marks, given.values(), strict=True)]
    for content, (path, one) in zip(contents, given.items(), strict=True):
        if content in known:
            value = known[content]
        else:
            value = look(one) or None
            if content:
                known[content] = value
        if value is not None:
            found[path] = value
    if memory and (len(known) > before or before > 2 * len(contents)):
        present = frozenset(contents)
        save(memory, name, {content: value for content, value in known.items() if content in present})
    return found
