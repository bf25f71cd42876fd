"""Analyses of each file by itself: run once for each content, and cached with it."""

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

# Cached results are valid for one version of these; an edit to other packages would go unnoticed.
_OUR_PACKAGES = frozenset({"crimes", "crimes_detectors"})


def per_file(
    name: str, kind: Any, find: Callable[[FileFacts], T | None], roles: frozenset[Role] = frozenset(Role)
) -> Analysis[Mapping[str, T]]:
    """By path: what `find` returns, of this kind, for each file of these roles; without those it returns nothing for.

    The result must follow from the facts alone, not from path, role, options or other files: after an edit, only files
    that changed are examined again.
    """
    ours = _is_ours(find)

    def build(context: Context) -> Mapping[str, T]:
        facts = {path: file.facts for path, file in context.repo.files.items() if file.role in roles}
        return per_content(context.memory if ours else None, name, kind, facts, find)

    return Analysis(name, build)


def per_file_text(
    name: str,
    kind: Any,
    find: Callable[[FileFacts, Callable[[], str]], T | None],
    roles: frozenset[Role] = frozenset(Role),
) -> Analysis[Mapping[str, T]]:
    """The same from facts and text: `find` also takes a function that reads the text.

    For `in_each_file` of a detector: reading raises OSError where the file is gone, or has changed by now.
    """
    ours = _is_ours(find)

    def build(context: Context) -> Mapping[str, T]:
        files, memory = context.repo.files, context.memory if ours else None
        paths = {path: path for path, file in files.items() if file.role in roles}
        return per_content(
            memory,
            name,
            kind,
            paths,
            lambda path: find(files[path].facts, lambda: _current_text(context, memory, path)),
        )

    return Analysis(name, build)


def per_file_given(
    name: str,
    kind: Any,
    needs: tuple[Analysis[Any], ...],
    inputs: Callable[[Pass], Mapping[str, G]],
    find: Callable[[FileFacts, Callable[[], str], G], T | None],
) -> Analysis[Mapping[str, T]]:
    """The same for the files that `inputs` names: `find` also takes the input of the file.

    A file is examined again when it or its input changes. msgspec must encode an equal input to the same bytes, so it
    cannot hold a set.
    """
    ours = _is_ours(find)

    def build(context: Context) -> Mapping[str, T]:
        files, memory = context.repo.files, context.memory if ours else None
        paths = {path: (path, value) for path, value in inputs(Pass(context, needs)).items()}

        def find_in(item: tuple[str, G]) -> T | None:
            path, value = item
            return find(files[path].facts, lambda: _current_text(context, memory, path), value)

        return per_content(
            memory, name, kind, paths, find_in, extra_key=lambda item: digest_of(_encode(item[1]))
        )

    return Analysis(name, build)


def _current_text(context: Context, memory: MemoStore | None, path: str) -> str:
    content = context.repo.read(path)
    key = memory.content_key(path) if memory else b""
    if key and not key.startswith(digest_of(content)):
        # A result from this content would be cached under the content of the facts.
        raise OSError(errno.ESTALE, "it has other content than before", path)
    return content.decode("utf-8", "replace")


def _is_ours(function: Callable[..., object]) -> bool:
    return function.__module__.partition(".")[0] in _OUR_PACKAGES
