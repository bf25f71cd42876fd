"""Briefings after a scan: only those that may have changed are built again.

A briefing depends on its file alone (facts, findings, copies of its code), on the files that reach it over imports, and on
all files together: roles, history, manifests. While the last is the same, a briefing changes only with the first two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from crimes.analyses.coverage.analysis import COVERAGE
from crimes.analyses.test_map import HAS_TESTS
from crimes.incremental.stamps import FileStamp
from crimes.model.digests import digest_of
from crimes.model.errors import Unavailable
from crimes.model.facts import Role
from crimes.model.repository import Edge
from crimes.workflows.briefing.build import BriefingBuilder
from crimes.workflows.briefing.encoding import encode_briefings
from crimes.workflows.briefing.test_cases import TEST_CASES

if TYPE_CHECKING:
    from crimes.engine.scan import Scan

_encode = msgspec.msgpack.Encoder().encode


class _Inputs(msgspec.Struct, array_like=True):
    """What the briefings of all files depend on."""

    world: bytes  # a digest of what all of them may depend on
    consulted: dict[str, bytes]  # manifests and the like, with digests of their content
    files: dict[str, bytes]  # by path: a digest of what only this briefing depends on
    edges: bytes  # by source, encoded


class RefreshedBriefings(NamedTuple):
    """Briefings by path, encoded. Not `whole`: those that changed, an empty one where a briefing was removed."""

    briefings: dict[str, bytes]
    made_of: bytes  # encoded BriefingInputs; empty: all are built again next time
    whole: bool


_decoder = msgspec.msgpack.Decoder(_Inputs)
_Edge = tuple[str, str, tuple[str, ...], str]  # target, kind, names, via
_decode_edges = msgspec.msgpack.Decoder(dict[str, list[_Edge]]).decode


def refresh_briefings(
    scan: Scan, before: bytes | None, stamps: Mapping[str, FileStamp | None]
) -> RefreshedBriefings:
    """The briefings that differ from those with the inputs `before`. `stamps` are of the files as they were read."""
    builder, files = BriefingBuilder(scan), scan.context.repo.files
    now = _inputs_of(scan, builder, stamps)
    if now is None:
        return RefreshedBriefings(encode_briefings(builder, files), b"", whole=True)
    known = _decoder.decode(before) if before else None
    if known is None or now.world != known.world or not _manifests_are_unchanged(builder, known):
        briefings, whole = encode_briefings(builder, files), True
    else:
        affected = builder.affected_by(_changed_edges(known.edges, now.edges))
        changed = [path for path in files if path in affected or now.files[path] != known.files[path]]
        briefings, whole = dict.fromkeys(changed, b"") | encode_briefings(builder, changed), False
    now.consulted = builder.consulted
    return RefreshedBriefings(briefings, _encode(now), whole)


def _manifests_are_unchanged(builder: BriefingBuilder, known: _Inputs) -> bool:
    """Whether the manifests are the same. All are read, so that the next scan notices a change of any."""
    for path in known.consulted:
        builder.consult(path)
    return all(builder.consulted[path] == digest for path, digest in known.consulted.items())


def _inputs_of(
    scan: Scan, builder: BriefingBuilder, stamps: Mapping[str, FileStamp | None]
) -> _Inputs | None:
    """The inputs of all briefings, None when they cannot be determined."""
    repo, report = scan.context.repo, scan.report
    digests = {path: stamp.digest if (stamp := stamps.get(path)) else b"" for path in repo.files}
    if not scan.history_digest or not all(digests.values()) or _has_coverage(scan):
        return None
    with_tests, cases = scan.context[HAS_TESTS], scan.context[TEST_CASES]
    try:
        world = _encode(
            (
                sorted(repo.paths),
                [(file.path, file.role, file.path in with_tests) for file in repo.files.values()],
                [(path, cases.get(path)) for path, file in repo.files.items() if file.role is Role.TEST],
                (report.tool, report.repository, report.history, report.trust.withheld),
                scan.history_digest,
            )
        )
        own = {path: digest_of(_encode((digests[path], *builder.own_inputs(path)))) for path in repo.files}
        edges = _encode(_edges_by_source(repo.edges))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return None
    return _Inputs(digest_of(world), {}, own, edges)


def _edges_by_source(edges: Iterable[Edge]) -> dict[str, list[_Edge]]:
    by_source: dict[str, list[_Edge]] = {}
    for edge in edges:
        by_source.setdefault(edge.source, []).append((edge.target, edge.kind, edge.names, edge.via))
    return by_source


def _changed_edges(before: bytes, now: bytes) -> set[tuple[str, str]]:
    """Source and target of every edge that was added, removed or changed."""
    if before == now:
        return set()
    old, new = _decode_edges(before), _decode_edges(now)
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
