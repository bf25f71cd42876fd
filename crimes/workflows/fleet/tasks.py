"""What goes to a worker and what comes back: plain data, encoded, so that a cluster carries nothing but bytes."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from crimes.config.fleet import Limits
from crimes.model.digests import digest_of

SCANNED, KNOWN = "scanned", "known"
# Why there is no scan of a repository.
Failure = Literal[
    "gone",  # no such folder, address or branch, or no access to it
    "empty",  # there is no commit
    "corrupt",  # git cannot read what it needs
    "refused",  # an address with a transport that is not allowed
    "settings",  # its configuration is wrong
    "too-large",
    "timeout",
    "out-of-memory",
    "crash",
    "killed",  # workers died of it, or with it, again and again
    "error",  # a fault of crimes
]


class Task(Struct, frozen=True):
    """The scan of one repository."""

    name: str
    folder: str
    address: str
    branch: str
    settings: Mapping[str, Any] | None
    tool: str  # the version of the code, by content
    known: tuple[str, ...]  # keys of scans that need not be made again
    limits: Limits


class FindingRow(Struct, frozen=True, array_like=True):
    """A finding, as the table of findings has it."""

    fingerprint: str
    type: str
    category: str
    severity: str
    kind: str
    state: str
    file: str
    symbol: str
    line: int
    end_line: int
    role: str
    confidence: float
    agent_risk: float | None
    fact: str
    within: str
    code: str
    copies: int
    members: tuple[str, ...]


class FileRow(Struct, frozen=True, array_like=True):
    """A source file with its edit risk; without one where ranks are withheld."""

    file: str
    edit_risk: float | None
    rank: int | None
    band: str
    lines: int
    complexity: int
    commits_365d: int | None
    fixes_365d: int | None
    churn: float | None
    test_gap: float | None
    blast_radius: float | None


class TrustRow(Struct, frozen=True):
    """How far a scan can be trusted."""

    classification: str
    status: str
    validity: str
    can_compare: bool
    composite: float | None
    parse_coverage: float | None
    import_resolution: float | None
    history_depth: float | None
    test_discovery: float | None
    reasons: tuple[str, ...]
    withheld: tuple[str, ...]


class RepositoryScan(Struct, frozen=True):
    """All that is kept of the scan of a repository."""

    commit: str
    commit_time: str
    tool: str  # `crimes --version`
    language: str
    files: int
    lines: int
    high: int
    medium: int
    low: int
    risk: float  # sum of the agent_risk of its findings about code
    detectors: tuple[str, ...]  # those that ran
    unread: tuple[str, ...]  # files that were not read
    trust: TrustRow
    findings: tuple[FindingRow, ...]
    ranked: tuple[FileRow, ...]


class Outcome(Struct, frozen=True):
    """What became of a task: a scan, a key that is known already, or a failure with its reason."""

    status: str  # scanned, known or a Failure
    reason: str = ""
    key: str = ""
    scan: bytes = b""  # a RepositoryScan, encoded
    seconds: float = 0.0  # that the task took where it was done
    scan_seconds: float = 0.0  # of these, in the process that scans
    cpu_seconds: float = 0.0  # of that process and those it started


encode = msgspec.msgpack.Encoder().encode
decode_task = msgspec.msgpack.Decoder(Task).decode
decode_outcome = msgspec.msgpack.Decoder(Outcome).decode
_decode_scan = msgspec.msgpack.Decoder(RepositoryScan).decode


def encode_scan(scan: RepositoryScan) -> bytes:
    """A scan as bytes, small enough to keep and to send."""
    return zlib.compress(encode(scan), level=1)


def decode_scan(data: bytes) -> RepositoryScan:
    """The scan in these bytes. ValueError when they hold none."""
    try:
        return _decode_scan(zlib.decompress(data))
    except (zlib.error, msgspec.MsgspecError) as error:
        raise ValueError(f"is not a scan of this version: {error}") from error


def key_of(tool: str, commit: str, prefix: bytes, config: object) -> str:
    """What identifies a scan: the code that makes it, the commit, the folder in it, and the configuration."""
    parts = (tool.encode(), commit.encode(), prefix, repr(config).encode("utf-8", "surrogateescape"))
    return digest_of(b"\0".join(parts)).hex()
