"""Links of the last scan: only what an edit can have changed is linked again.

Where a file's imports lead follows from the file itself and from its world: the names of all files, what resolvers read
of manifests, and what other files show to the outside. While the world stays the same, only edited files are linked
again; and if an edited file shows something new, the files that depend on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

import msgspec

from crimes.incremental.query import MemoStore, load, per_content, save
from crimes.languages.linking.linker import FileLinks, Linker
from crimes.languages.spec import ResolverFactory
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts

_NAME = "links"
_GONE = b"-"

_encode = msgspec.msgpack.Encoder(order="deterministic").encode

_LinksByPath = dict[str, tuple[bytes, FileLinks]]  # with the content each was made from


class _World(msgspec.Struct, array_like=True, gc=False):
    """What links depend on, besides the file itself and what resolvers read."""

    fixed: bytes  # a digest of what any of them may depend on
    # By path, digests of what others see in a file: names it passes on from elsewhere, and names it has at all.
    outward: dict[str, tuple[bytes, bytes]]


class _CachedLinks(msgspec.Struct, array_like=True, gc=False):
    world: _World
    conclusions: bytes  # a digest of what resolvers derive from all files at once
    reads: dict[str, bytes]  # files that were read while linking, with digests of their content
    files: _LinksByPath
    was_cut: bool  # names lead in circles: links may depend on the order of files


def link_all(linker: Linker, memory: MemoStore | None) -> list[FileLinks]:
    """The links of every file that can import, in order; with a memory, from the last scan where still valid."""
    world = _world_of(linker, memory) if memory else None
    if not memory or not world:
        return [linker.links_of(path) for path in linker.linkable_paths()]
    read = _RecordingReader(linker.read)
    linker = linker.with_read(read)
    cached: _CachedLinks | None = load(memory, _NAME, _CachedLinks)
    if cached is not None and cached.world.fixed == world.fixed and read.are_unchanged(cached.reads):
        files = _relink_edited(linker, memory, cached, world)
        if files is not None:
            if any(files[path] is not cached.files[path] for path in files):
                reads = cached.reads | read.digests
                save(memory, _NAME, _CachedLinks(world, cached.conclusions, reads, files, cached.was_cut))
            return [links for _, links in files.values()]
        linker = linker.with_read(read)
    files = {path: (memory.content_key(path), linker.links_of(path)) for path in linker.linkable_paths()}
    if not linker.reexports.too_far and not linker.unlinked:
        was_cut = linker.reexports.was_cut
        save(memory, _NAME, _CachedLinks(world, _conclusions(linker), read.digests, files, was_cut))
    return [links for _, links in files.values()]


def _relink_edited(
    linker: Linker, memory: MemoStore, cached: _CachedLinks, world: _World
) -> _LinksByPath | None:
    """The cached links, with those that may have changed made again; None if only linking all files in order is safe."""
    changed = {
        path: digests[0] != cached.world.outward[path][0] or _has_star(linker.facts[path])
        for path, digests in world.outward.items()
        if digests != cached.world.outward[path]
    }
    if changed and (cached.was_cut or _conclusions(linker) != cached.conclusions):
        return None
    relinked: _LinksByPath = {}
    for path in linker.linkable_paths():
        content = memory.content_key(path)
        if not content or cached.files[path][0] != content:
            relinked[path] = (content, linker.links_of(path))
    if changed:
        _relink_dependents(changed, cached.files, relinked, linker)
    if linker.reexports.was_cut:
        return None
    return {path: relinked.get(path) or cached.files[path] for path in linker.linkable_paths()}


def _relink_dependents(
    changed: Mapping[str, bool], before: _LinksByPath, relinked: _LinksByPath, linker: Linker
) -> None:
    """Link again all files that see something new in a changed file; these may show something new in turn.

    `changed` says of each file whether it passes on other names than before, or only has others.
    """
    dependents = _Dependents(before)
    waiting, seen = list(changed.items()), set(changed)
    while waiting:
        source, passes_on = waiting.pop()
        for path in dependents.of(source, passes_on=passes_on):
            content, old = before[path]
            if path not in relinked:
                relinked[path] = (content, linker.links_of(path))
            if path not in seen and (source in old.consulted or relinked[path][1] != old):
                seen.add(path)
                waiting.append((path, True))


class _Dependents:
    """Which files depend on which: because an import leads there, or because its names decide where one leads.

    A file that depends on another depends on the names of all files that star imports take names from.
    """

    def __init__(self, files: _LinksByPath) -> None:
        self._consulting: dict[str, list[str]] = defaultdict(list)
        self._importing: dict[str, list[str]] = defaultdict(list)
        self._starring: dict[str, list[str]] = defaultdict(list)
        for path, (_, links) in files.items():
            for target in links.consulted:
                self._consulting[target].append(path)
            for target in {edge.target for edge in links.edges}:
                self._importing[target].append(path)
            for edge in links.edges:
                if "*" in edge.names:
                    self._starring[edge.target].append(path)

    def of(self, path: str, *, passes_on: bool) -> list[str]:
        """The files that depend on the names of `path`, and with `passes_on` on what it passes on."""
        dependents = dict.fromkeys(self._consulting.get(path, ()))
        if passes_on:
            dependents.update(dict.fromkeys(self._importing.get(path, ())))
        through, waiting = {path}, list(self._starring.get(path, ()))
        while waiting:
            starring = waiting.pop()
            if starring not in through:
                through.add(starring)
                dependents[starring] = None  # it may import from itself
                dependents.update(dict.fromkeys(self._consulting.get(starring, ())))
                dependents.update(dict.fromkeys(self._importing.get(starring, ())))
                waiting += self._starring.get(starring, ())
        return list(dependents)


def _conclusions(linker: Linker) -> bytes:
    return digest_of(_encode(linker.conclusions()))


def _world_of(linker: Linker, memory: MemoStore) -> _World | None:
    """The world of a tree's links; None if a part of it has no digest."""

    def outward(facts: FileFacts) -> tuple[bytes, bytes, bytes] | None:
        factory = linker.languages[facts.language].resolver
        if not isinstance(factory, ResolverFactory):
            return None
        fixed = digest_of(_encode((facts.language, factory.visible(facts))))
        return fixed, digest_of(_encode(_passed_on(facts))), digest_of(_encode(_names(facts)))

    digests = per_content(memory, "outward", tuple[bytes, bytes, bytes], linker.facts, outward)
    fixed = [
        (path, digests[path][0] if path in digests else memory.content_key(path))
        for path in linker.linkable_paths()
    ]
    if not all(digest for _, digest in fixed):
        return None
    try:
        digest = digest_of(_encode((sorted(linker.paths), linker.roots, fixed)))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return None
    return _World(digest, {path: (passed, names) for path, (_, passed, names) in digests.items()})


# What in a file can change where imports of others lead: no lines, nothing inside functions.


def _passed_on(facts: FileFacts) -> object:
    imports = [
        (item.target, item.kind, item.names, item.alias, item.function == -1) for item in facts.imports
    ]
    renamed = [
        (export.name, export.local) for export in facts.exports if export.local not in ("", export.name)
    ]
    return imports, renamed


def _has_star(facts: FileFacts) -> bool:
    """Whether a file has a star import: its own names then hide those it passes on."""
    return any(name.name == "*" for item in facts.imports for name in item.names)


def _names(facts: FileFacts) -> object:
    return facts.definitions, [export.name for export in facts.exports]


class _RecordingReader:
    """Reads files and records a digest of each."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self.digests: dict[str, bytes] = {}
        self._read = read

    def __call__(self, path: str) -> bytes:
        self.digests[path] = _GONE
        content = self._read(path)
        self.digests[path] = digest_of(content)
        return content

    def are_unchanged(self, reads: dict[str, bytes]) -> bool:
        """Whether all these files still have these digests. Reads each, so that later changes are noticed too."""
        same = True
        for path, digest in reads.items():
            try:
                self(path)
            except OSError:
                self.digests[path] = _GONE
            same &= self.digests[path] == digest
        return same
