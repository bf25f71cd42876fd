"""Memoised results of earlier scans, stored with what they depend on; where they are stored is not decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

T = TypeVar("T")
V = TypeVar("V")

_encode = msgspec.msgpack.Encoder().encode


class MemoStore(Protocol):
    """Values by name. The caller checks that what a value depends on is still the same."""

    def content_key(self, path: str) -> bytes:
        """A key of what a file's facts were read from, starting with its digest; empty when unknown."""

    def load(self, name: str) -> bytes | None:
        """The value that the same code saved under a name."""

    def save(self, name: str, value: bytes) -> None:
        """Save a value for the next scan."""


def load(memory: MemoStore, name: str, kind: Any) -> Any:
    """The value saved under a name, as this kind; None when there is none."""
    data = memory.load(name)
    try:
        return None if data is None else msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError:
        return None


def save(memory: MemoStore, name: str, value: object) -> None:
    """Save a value for `load`. One with file names that are not UTF-8 cannot be encoded, and is dropped."""
    try:
        memory.save(name, _encode(value))
    except UnicodeEncodeError:
        return


class MemoPredicate:
    """Memoised yes/no answers, valid while the digest that `made_of` returns stays the same."""

    def __init__(self, memory: MemoStore | None, name: str, made_of: Callable[[], bytes]) -> None:
        self._memory, self._name = memory, name
        self._made_of = made_of() if memory else b""
        cached = load(memory, name, tuple[bytes, dict[str, bool]]) if memory else None
        self._answers: dict[str, bool] = cached[1] if cached and cached[0] == self._made_of else {}

    def answer(self, question: str, find: Callable[[str], bool]) -> bool:
        """The memoised answer, or the one that `find` gives now."""
        if question not in self._answers:
            self._answers[question] = find(question)
            if self._memory:
                save(self._memory, self._name, (self._made_of, self._answers))
        return self._answers[question]


def per_content(
    memory: MemoStore | None,
    name: str,
    kind: Any,
    inputs: Mapping[str, T],
    find: Callable[[T], V | None],
    extra_key: Callable[[T], bytes] = lambda item: b"",
) -> dict[str, V]:
    """By path: what `find` makes of each file's input, without files for which that is nothing.

    The result must follow from the file's content alone, so that known contents are not examined again. Where the input
    holds more than the content, `extra_key` makes the key of the rest.
    """
    known: dict[bytes, V | None] = (load(memory, name, dict[bytes, kind | None]) if memory else None) or {}
    before = len(known)
    results: dict[str, V] = {}
    content_keys = (memory.content_key(path) if memory else b"" for path in inputs)
    keys = [key and key + extra_key(item) for key, item in zip(content_keys, inputs.values(), strict=True)]
    for key, (path, item) in zip(keys, inputs.items(), strict=True):
        if key in known:
            value = known[key]
        else:
            value = find(item) or None
            if key:
                known[key] = value
        if value is not None:
            results[path] = value
    if memory and (len(known) > before or before > 2 * len(keys)):
        present = frozenset(keys)
        save(memory, name, {key: value for key, value in known.items() if key in present})
    return results
