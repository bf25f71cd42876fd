"""Briefings after a scan that found little new: only those are made again of which something may have changed.

A briefing says what is known of its file alone (facts, findings, copies of its code), of the files that reach it over imports, and what
follows from all files together: roles, history, manifests. While the last is what it was, a briefing changes with the first two only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from crimes.analyses.coverage.matched import COVERAGE
from crimes.analyses.test_map import HOLDS_TESTS
from crimes.incremental.stamps import FileStamp
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.model.repository import Edge
from crimes.workflows.briefing.build import Gatherer
from crimes.workflows.briefing.every import encoded

if TYPE_CHECKING:
    from crimes.engine.scan import Scan

_encode = msgspec.msgpack.Encoder().encode


class MadeOf(msgspec.Struct, array_like=True):
    """What the briefings of all files were made of."""

    world: bytes  # a digest of what any of them may depend on
    consulted: dict[str, bytes]  # manifests and the like, with digests of their content
    files: dict[str, bytes]  # by path: a digest of what only this file's depends on
    edges: bytes  # by source, encoded


class Remade(NamedTuple):
    """Briefings by path, encoded. Not `whole`: those that changed, an empty one where there is none any more."""

    briefings: dict[str, bytes]
    made_of: bytes  # for the next time; empty: all are made again
    whole: bool


_decoder = msgspec.msgpack.Decoder(MadeOf)
_Edge = tuple[str, str, tuple[str, ...], str]  # target, kind, names, via
_edges = msgspec.msgpack.Decoder(dict[str, list[_Edge]]).decode


def remade(scan: Scan, before: bytes | None, seen: Mapping[str, FileStamp | None]) -> Remade:
    """The briefings that differ from those made of `before`. `seen` has the digests of the files as they were read."""
    gatherer, files = Gatherer(scan), scan.context.repo.files
    now = _made_of(scan, gatherer, seen)
    if now is None:
        return Remade(encoded(gatherer, files), b"", whole=True)
    known = _decoder.decode(before) if before else None
    if known is None or now.world != known.world or not _says_the_same(gatherer, known):
        made, whole = encoded(gatherer, files), True
    else:
        near = gatherer.near(_moved(known.edges, now.edges)) if known.edges != now.edges else frozenset()
        changed = [path for path in files if path in near or now.files[path] != known.files[path]]
        made, whole = dict.fromkeys(changed, b"") | encoded(gatherer, changed), False
    now.consulted = gatherer.consulted
    return Remade(made, _encode(now), whole)


def _says_the_same(gatherer: Gatherer, known: MadeOf) -> bool:
    """Whether the manifests do. Each is read, so that a change of it is noticed after this scan too."""
    for path in known.consulted:
        gatherer.consult(path)
    return all(gatherer.consulted[path] == digest for path, digest in known.consulted.items())


def _made_of(scan: Scan, gatherer: Gatherer, seen: Mapping[str, FileStamp | None]) -> MadeOf | None:
    """None when not all of it can be told."""
    repo, report = scan.context.repo, scan.report
    digests = {path: found.digest if (found := seen.get(path)) else b"" for path in repo.files}
    if not scan.past or not all(digests.values()) or _has_coverage(scan):
        return None
    with_tests = scan.context[HOLDS_TESTS]
    try:
        world = _encode(
            (
                sorted(repo.paths),
                [(file.path, file.role, file.path in with_tests) for file in repo.files.values()],
                (report.tool, report.repository, report.history, report.trust.withheld.get("actions", "")),
                scan.past,
            )
        )
        own = {path: digest_of(_encode((digests[path], *gatherer.of_its_own(path)))) for path in repo.files}
        edges = _encode(_by_source(repo.edges))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return None
    return MadeOf(digest_of(world), {}, own, edges)


def _by_source(edges: Iterable[Edge]) -> dict[str, list[_Edge]]:
    found: dict[str, list[_Edge]] = {}
    for edge in edges:
        found.setdefault(edge.source, []).append((edge.target, edge.kind, edge.names, edge.via))
    return found


def _moved(before: bytes, now: bytes) -> set[tuple[str, str]]:
    """Source and target of every edge that is new, gone or another one."""
    old, new = _edges(before), _edges(now)
    return {
        (source, edge[0])
        for source in old.keys() | new.keys()
        if old.get(source) != new.get(source)
        for edge in {*old.get(source, ())} ^ {*new.get(source, ())}
    }


def _has_coverage(scan: Scan) -> bool:
    try:
        return bool(scan.context[COVERAGE])
    except Unavailable:
        return False
