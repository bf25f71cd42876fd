"""What each file tells by itself: looked for once in each content, and kept with it."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from crimes.detection.context import Analysis, Context, Pass
from crimes.incremental.query import MemoStore, per_content
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts, Role

T = TypeVar("T")
G = TypeVar("G")

_encode = msgspec.msgpack.Encoder().encode

# Whose code a memory is told apart by: an edit to that of others goes unnoticed.
_OURS = frozenset({"crimes", "crimes_detectors"})


def per_file(
    name: str, kind: Any, look: Callable[[FileFacts], T | None], roles: frozenset[Role] = frozenset(Role)
) -> Analysis[Mapping[str, T]]:
    """By path: what `look`, whose results are of this kind, finds in a file of these roles, where it finds something.

    It has to follow from the facts alone, not from path, role, options or other files: after an edit only what
    changed is looked at again.
    """
    ours = _is_ours(look)

    def build(context: Context) -> Mapping[str, T]:
        facts = {path: file.facts for path, file in context.repo.files.items() if file.role in roles}
        return per_content(context.memory if ours else None, name, kind, facts, look)

    return Analysis(name, build)


def per_file_text(
    name: str,
    kind: Any,
    look: Callable[[FileFacts, Callable[[], str]], T | None],
    roles: frozenset[Role] = frozenset(Role),
) -> Analysis[Mapping[str, T]]:
    """The same where the text of a file has a say as well: `look` is also handed a function that reads it.

    For `in_each_file` of a detector: reading raises OSError where the file is gone, or another by now.
    """
    ours = _is_ours(look)

    def build(context: Context) -> Mapping[str, T]:
        files, memory = context.repo.files, context.memory if ours else None
        paths = {path: path for path, file in files.items() if file.role in roles}
        return per_content(
            memory,
            name,
            kind,
            paths,
            lambda path: look(files[path].facts, lambda: _text(context, memory, path)),
        )

    return Analysis(name, build)


def per_file_given(
    name: str,
    kind: Any,
    needs: tuple[Analysis[Any], ...],
    given: Callable[[Pass], Mapping[str, G]],
    look: Callable[[FileFacts, Callable[[], str], G], T | None],
) -> Analysis[Mapping[str, T]]:
    """The same for some files, where something other than the file has a part in it: `look` is handed that as well.

    A file is looked at again when it changes, or what is given with it, by the analyses it needs: a value of
    which msgspec makes the same bytes each time, so no set.
    """
    ours = _is_ours(look)

    def build(context: Context) -> Mapping[str, T]:
        files, memory = context.repo.files, context.memory if ours else None
        things = {path: (path, thing) for path, thing in given(Pass(context, needs)).items()}
        return per_content(
            memory,
            name,
            kind,
            things,
            lambda one: look(files[one[0]].facts, lambda: _text(context, memory, one[0]), one[1]),
            beside=lambda one: digest_of(_encode(one[1])),
        )

    return Analysis(name, build)


def _text(context: Context, memory: MemoStore | None, path: str) -> str:
    content = context.repo.read(path)
    mark = memory.content(path) if memory else b""
    if mark and not mark.startswith(digest_of(content)):
        # What this one says would be kept as said by the one that the facts are of.
        raise OSError(errno.ESTALE, "it has other content than before", path)
    return content.decode("utf-8", "replace")


def _is_ours(look: Callable[..., object]) -> bool:
    return look.__module__.partition(".")[0] in _OURS
