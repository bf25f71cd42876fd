"""Links of the last scan: what an edit cannot have changed is not asked for again.

Where a file's imports lead follows from the file itself, and from the world around it: the names of all files, what they read
of manifests, and what can be seen of other files from outside. While that world is what it was, only files that
were edited are linked again.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from crimes.languages.linker import Leads, Linker
from crimes.languages.spec import Resolving
from crimes.memory import Memory, by_content, digest_of, keep, recalled
from crimes.model import FileFacts

_NAME = "links"
_GONE = b"-"

_encode = msgspec.msgpack.Encoder().encode


class _Kept(msgspec.Struct, array_like=True, gc=False):
    world: bytes
    consulted: dict[str, bytes]  # files that were read while linking, with digests of their content
    files: dict[str, tuple[bytes, Leads]]  # with the content each was made of


def all_leads(linker: Linker, memory: Memory | None) -> list[Leads]:
    """The leads of every file that can import, in order; with a memory, those of the last scan where they still hold."""
    world = _world(linker, memory) if memory else b""
    if not memory or not world:
        return [linker.leads(path) for path in linker.linked_paths()]
    read = _Noted(linker.read)
    before: _Kept | None = recalled(memory, _NAME, _Kept)
    if before is not None and before.world == world and read.says_the_same(before.consulted):
        found = _again(linker.reading(read), memory, before)
        if found is not None:
            if any(found[path] is not before.files[path] for path in found):
                keep(memory, _NAME, _Kept(world, before.consulted | read.consulted, found))
            return [leads for _, leads in found.values()]
    linker = linker.reading(read)
    made = {path: (memory.content(path), linker.leads(path)) for path in linker.linked_paths()}
    if not linker.reexports.too_far:
        keep(memory, _NAME, _Kept(world, read.consulted, made))
    return [leads for _, leads in made.values()]


def _again(linker: Linker, memory: Memory, before: _Kept) -> dict[str, tuple[bytes, Leads]] | None:
    """The leads with those of edited files made again; None when that would not give what all give in their order."""
    found = {}
    for path in linker.linked_paths():
        content, known = memory.content(path), before.files.get(path)
        same = known is not None and content and known[0] == content
        found[path] = known if known is not None and same else (content, linker.leads(path))
    return None if linker.reexports.was_cut else found


def _world(linker: Linker, memory: Memory) -> bytes:
    """A digest of all that leads depend on, besides the file itself and what is read; empty when it cannot be told."""

    def seen(facts: FileFacts) -> bytes | None:
        resolver = linker.languages[facts.language].resolver
        return _outward(facts, resolver) if isinstance(resolver, Resolving) else None

    outward = by_content(memory, "outward", bytes, linker.facts, seen)
    marks = [(path, outward.get(path) or memory.content(path)) for path in linker.linked_paths()]
    if not all(mark for _, mark in marks):
        return b""
    try:
        return digest_of(_encode((sorted(linker.paths), linker.roots, marks)))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return b""


def _outward(facts: FileFacts, resolver: Resolving) -> bytes:
    """A digest of what of a file can change where imports of others lead: no lines, nothing inside of functions."""
    imports = [(one.target, one.kind, one.names, one.alias, one.function == -1) for one in facts.imports]
    exports = [(one.name, one.local) for one in facts.exports]
    return digest_of(_encode((facts.language, facts.definitions, imports, exports, resolver.seen(facts))))


class _Noted:
    """Reads files, and notes what of."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self.consulted: dict[str, bytes] = {}
        self._read = read

    def __call__(self, path: str) -> bytes:
        self.consulted[path] = _GONE
        content = self._read(path)
        self.consulted[path] = digest_of(content)
        return content

    def says_the_same(self, consulted: dict[str, bytes]) -> bool:
        """Whether all these files are what they were. Each is read, so that a change is noticed after this scan too."""
        same = True
        for path, digest in consulted.items():
            try:
                self(path)
            except OSError:
                self.consulted[path] = _GONE
            same &= self.consulted[path] == digest
        return same
