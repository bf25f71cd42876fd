"""Links of the last scan: what an edit cannot have changed is not asked for again.

Where a file's imports lead follows from the file itself, and from the world around it: the names of all files, what they read
of manifests, and what can be seen of other files from outside. While that world is what it was, only files that
were edited are linked again; and where others see something new in one of them, those that looked at it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec

from crimes.incremental.query import MemoStore, load, per_content, save
from crimes.languages.linking.linker import FileLinks, Linker
from crimes.languages.spec import Resolving
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts

_NAME = "links"
_GONE = b"-"

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class _Around(msgspec.Struct, array_like=True, gc=False):
    """What leads depend on, besides the file itself and what is read."""

    world: bytes  # a digest of what any of them may depend on
    # By path, digests of what others see in a file: names it passes on from elsewhere, and names it has at all.
    outward: dict[str, tuple[bytes, bytes]]


class _Kept(msgspec.Struct, array_like=True, gc=False):
    around: _Around
    together: bytes  # a digest of what is concluded from all files at once
    consulted: dict[str, bytes]  # files that were read while linking, with digests of their content
    files: dict[str, tuple[bytes, FileLinks]]  # with the content each was made of
    was_cut: bool  # names lead in circles: where, may depend on who asks first


def all_leads(linker: Linker, memory: MemoStore | None) -> list[FileLinks]:
    """The leads of every file that can import, in order; with a memory, those of the last scan where they still hold."""
    around = _around(linker, memory) if memory else None
    if not memory or not around:
        return [linker.links_of(path) for path in linker.linked_paths()]
    read = _Noted(linker.read)
    linker = linker.reading(read)
    before: _Kept | None = load(memory, _NAME, _Kept)
    if before is not None and before.around.world == around.world and read.says_the_same(before.consulted):
        found = _again(linker, memory, before, around)
        if found is not None:
            if any(found[path] is not before.files[path] for path in found):
                consulted = before.consulted | read.consulted
                save(memory, _NAME, _Kept(around, before.together, consulted, found, before.was_cut))
            return [links for _, links in found.values()]
        linker = linker.reading(read)
    made = {path: (memory.content(path), linker.links_of(path)) for path in linker.linked_paths()}
    if not linker.reexports.too_far:
        cut = linker.reexports.was_cut
        save(memory, _NAME, _Kept(around, _together(linker), read.consulted, made, cut))
    return [links for _, links in made.values()]


def _again(
    linker: Linker, memory: MemoStore, before: _Kept, around: _Around
) -> dict[str, tuple[bytes, FileLinks]] | None:
    """The leads with those made again that may be others; None when that would not give what all give in their order."""
    changed = {
        path: marks[0] != before.around.outward[path][0] or _has_star(linker.facts[path])
        for path, marks in around.outward.items()
        if marks != before.around.outward[path]
    }
    if changed and (before.was_cut or _together(linker) != before.together):
        return None
    made: dict[str, tuple[bytes, FileLinks]] = {}
    for path in linker.linked_paths():
        content = memory.content(path)
        if not content or before.files[path][0] != content:
            made[path] = (content, linker.links_of(path))
    if changed:
        _follow(changed, before.files, made, linker)
    if linker.reexports.was_cut:
        return None
    return {path: made.get(path) or before.files[path] for path in linker.linked_paths()}


def _follow(
    changed: Mapping[str, bool],
    before: Mapping[str, tuple[bytes, FileLinks]],
    made: dict[str, tuple[bytes, FileLinks]],
    linker: Linker,
) -> None:
    """Make the leads again of all who see something new in a file; in whom others may see something new in turn.

    `changed` tells of each file whether it passes on other names than before, or only has others.
    """
    lookers = _Lookers(before)
    waiting, seen = list(changed.items()), set(changed)
    while waiting:
        new, passing = waiting.pop()
        for path in lookers.of(new, passing):
            content, old = before[path]
            if path not in made:
                made[path] = (content, linker.links_of(path))
            if path not in seen and (new in old.consulted or made[path][1] != old):
                seen.add(path)
                waiting.append((path, True))


class _Lookers:
    """Who looks at which file: because an import leads there, or because its names decide where one leads.

    Whoever looks at a file looks at the names of all that a star takes names from.
    """

    def __init__(self, known: Mapping[str, tuple[bytes, FileLinks]]) -> None:
        self._asking: dict[str, list[str]] = defaultdict(list)
        self._importing: dict[str, list[str]] = defaultdict(list)
        self._starring: dict[str, list[str]] = defaultdict(list)
        for path, (_, links) in known.items():
            for place in links.consulted:
                self._asking[place].append(path)
            for place in {edge.target for edge in links.edges}:
                self._importing[place].append(path)
            for edge in links.edges:
                if "*" in edge.names:
                    self._starring[edge.target].append(path)

    def of(self, path: str, passing: bool) -> list[str]:
        """All to whom the names of this file matter, or to whom it is passing some on."""
        found = dict.fromkeys(self._asking.get(path, ()))
        if passing:
            found.update(dict.fromkeys(self._importing.get(path, ())))
        through, waiting = {path}, list(self._starring.get(path, ()))
        while waiting:
            place = waiting.pop()
            if place not in through:
                through.add(place)
                found[place] = None  # it may import from itself
                found.update(dict.fromkeys(self._asking.get(place, ())))
                found.update(dict.fromkeys(self._importing.get(place, ())))
                waiting += self._starring.get(place, ())
        return list(found)


def _together(linker: Linker) -> bytes:
    return digest_of(_encode(linker.together()))


def _around(linker: Linker, memory: MemoStore) -> _Around | None:
    """None when it cannot be told."""

    def seen(facts: FileFacts) -> tuple[bytes, bytes, bytes] | None:
        resolver = linker.languages[facts.language].resolver
        if not isinstance(resolver, Resolving):
            return None
        fixed = digest_of(_encode((facts.language, resolver.seen(facts))))
        return fixed, digest_of(_encode(_passing(facts))), digest_of(_encode(_names(facts)))

    marks = per_content(memory, "outward", tuple[bytes, bytes, bytes], linker.facts, seen)
    fixed = [
        (path, marks[path][0] if path in marks else memory.content(path)) for path in linker.linked_paths()
    ]
    if not all(mark for _, mark in fixed):
        return None
    try:
        world = digest_of(_encode((sorted(linker.paths), linker.roots, fixed)))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return None
    return _Around(world, {path: (passing, names) for path, (_, passing, names) in marks.items()})


# Of a file, what can change where imports of others lead: no lines, nothing inside of functions.


def _passing(facts: FileFacts) -> object:
    imports = [(one.target, one.kind, one.names, one.alias, one.function == -1) for one in facts.imports]
    return imports, [(one.name, one.local) for one in facts.exports if one.local and one.local != one.name]


def _has_star(facts: FileFacts) -> bool:
    """Then its own names stand before those it passes on."""
    return any(name.name == "*" for one in facts.imports for name in one.names)


def _names(facts: FileFacts) -> object:
    return facts.definitions, [one.name for one in facts.exports]


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
