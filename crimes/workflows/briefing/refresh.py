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
from crimes.workflows.briefing.test_cases import NO_CASES, TEST_CASES, TestCases

if TYPE_CHECKING:
    from crimes.engine.scan import Scan

_encode = msgspec.msgpack.Encoder().encode


class _Inputs(msgspec.Struct, array_like=True):
    """What the briefings of all files depend on."""

    world: bytes  # a digest of what all of them may depend on
    consulted: dict[str, bytes]  # manifests and the like, with digests of their content
    contents: dict[str, bytes]  # by path: a digest of the file
    files: dict[str, bytes]  # by path: a digest of what else only this briefing depends on, besides its tests
    tests: dict[str, bytes]  # by path: a digest of the tests that its command may run
    edges: bytes  # by source, encoded

    def differs_at(self, path: str, other: _Inputs) -> bool:
        """Whether the briefing of a file has other inputs of its own, besides the content of the file."""
        return self.files[path] != other.files[path] or self.tests[path] != other.tests[path]


class RefreshedBriefings(NamedTuple):
    """Briefings by path, encoded. Not `whole`: those that changed, an empty one where a briefing was removed."""

    briefings: dict[str, bytes]
    made_of: bytes  # encoded inputs; empty: all are built again next time
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
    known = _decode(before)
    if known is None or now.world != known.world or not _manifests_are_unchanged(builder, known):
        now.tests = _digests_of_tests(builder, files)
        briefings, whole = encode_briefings(builder, files), True
    else:
        edited = [path for path in files if now.contents[path] != known.contents[path]]
        edges = _changed_edges(known.edges, now.edges)
        near = files if edges else builder.with_tests_that_may_change(edited)
        now.tests = known.tests | _digests_of_tests(builder, near)
        affected = {*edited, *builder.affected_by(edges)}
        changed = [path for path in files if path in affected or now.differs_at(path, known)]
        briefings, whole = dict.fromkeys(changed, b"") | encode_briefings(builder, changed), False
    now.consulted = builder.consulted
    return RefreshedBriefings(briefings, _encode(now), whole)


def _decode(before: bytes | None) -> _Inputs | None:
    """The inputs of earlier briefings; None if there are none, or if another version wrote them."""
    try:
        return _decoder.decode(before) if before else None
    except msgspec.MsgspecError:
        return None


def _cases_in(role: Role, cases: TestCases) -> object:
    """What other briefings may depend on, of what a file says of its tests."""
    if role is Role.TEST:
        return cases
    return (cases.cases, cases.one_line, cases.plain, cases.collectable, cases.conditional)


def _digests_of_tests(builder: BriefingBuilder, paths: Iterable[str]) -> dict[str, bytes]:
    return {path: digest_of(_encode(builder.test_inputs(path))) for path in paths}


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
                [_cases_in(file.role, cases.get(path, NO_CASES)) for path, file in repo.files.items()],
                (report.tool, report.repository, report.history, report.trust.withheld, report.trust.caveat),
                scan.history_digest,
            )
        )
        own = {path: digest_of(_encode(builder.own_inputs(path))) for path in repo.files}
        edges = _encode(_edges_by_source(repo.edges))
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return None
    return _Inputs(digest_of(world), {}, digests, own, {}, edges)


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
