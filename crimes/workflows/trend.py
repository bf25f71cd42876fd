"""Scans over time: the points that are kept, and the trend they make. One SQLite file for each repository.

A scan is kept under its commit; another scan of the same commit takes its place. What is kept has bounds.
"""

from __future__ import annotations

import posixpath
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from crimes import __version__
from crimes.incremental.store import make_tables
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Report, Tool
from crimes.system.user_dirs import drop_oldest, repository_file

SCHEMA_VERSION = "1.0"
MAX_SCANS = 500  # that are kept of a repository
MAX_TOTAL_BYTES = 200_000_000  # of all repositories
_SCHEMA = 1
_TABLES = """
CREATE TABLE scans (
  head TEXT PRIMARY KEY, time TEXT NOT NULL, repository TEXT NOT NULL, tool TEXT NOT NULL, detectors TEXT NOT NULL,
  files INTEGER NOT NULL, lines INTEGER NOT NULL, high INTEGER NOT NULL, medium INTEGER NOT NULL, low INTEGER NOT NULL,
  ignored INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE counts (
  head TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, findings INTEGER NOT NULL, PRIMARY KEY (head, kind, name)
) WITHOUT ROWID;
"""


class Point(Struct, frozen=True):
    """One scan: totals, and findings by detector and by folder."""

    commit: str  # the commit that was scanned
    time: str  # moment up to which history was counted
    tool: str  # version of crimes
    detectors: tuple[str, ...]  # detectors that ran
    files: int  # files read
    lines: int  # lines of code
    findings: int  # number of findings
    high: int  # findings of high severity
    medium: int  # findings of medium severity
    low: int  # findings of low severity
    ignored: int  # ignored findings
    by_detector: dict[str, int]  # findings by detector
    by_folder: dict[str, int]  # findings by folder


class Trend(Struct, frozen=True):
    """The type behind `crimes trend --format json`, oldest first."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    depth: int  # parts of a folder's name that are kept apart
    points: tuple[Point, ...]  # scans, oldest first


def point_of(report: Report) -> Point:
    """The point of a report. Folders have their whole names here, and are shortened when a trend is built."""
    summary = report.summary
    return Point(
        commit=report.history.head,
        time=report.history.reference_time,
        tool=report.tool.version,
        detectors=tuple(sorted(run.id for run in report.detectors if run.status == "ran")),
        files=report.files.read,
        lines=report.files.logic_lines,
        findings=summary.findings,
        high=summary.high or 0,
        medium=summary.medium or 0,
        low=summary.low or 0,
        ignored=len(report.ignored),
        by_detector=_sorted(Counter(crime.type for crime in report.code_findings)),
        by_folder=_sorted(Counter(posixpath.dirname(crime.file) or "." for crime in report.code_findings)),
    )


def build_trend(points: Iterable[Point], repository: str, depth: int) -> Trend:
    """Points in the order of their time; of several with one commit, the last."""
    last = {point.commit or point.time: point for point in points}
    ordered = sorted(last.values(), key=lambda point: (point.time, point.commit))
    return Trend(
        SCHEMA_VERSION,
        Tool("crimes", __version__),
        repository,
        depth,
        tuple(_shorten_folders(point, depth) for point in ordered),
    )


def _shorten_folders(point: Point, depth: int) -> Point:
    import msgspec

    folders: Counter[str] = Counter()
    for folder, number in point.by_folder.items():
        folders["/".join(folder.split("/")[:depth])] += number
    return msgspec.structs.replace(point, by_folder=_sorted(folders))


def _sorted(numbers: Counter[str]) -> dict[str, int]:
    return dict(sorted(numbers.items()))


def save_point(root: Path, report: Report) -> bool:
    """Keep a scan of a whole repository, unless it has no commit, was stopped, or saw too little to list findings.

    Returns whether it was kept.
    """
    trust = report.trust
    if not report.history.head or not trust.finished or trust.is_collapsed or report.working_set is not None:
        return False
    point = point_of(report)
    head = (point.commit, point.time, report.repository, point.tool, "\n".join(point.detectors))
    numbers = (point.files, point.lines, point.high, point.medium, point.low, point.ignored)
    counts = [("detector", *item) for item in point.by_detector.items()]
    counts += [("folder", *item) for item in point.by_folder.items()]
    with _open(root) as connection, connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM counts WHERE head = ?", (point.commit,))
        places = ", ".join("?" * (len(head) + len(numbers)))
        connection.execute(f"INSERT OR REPLACE INTO scans VALUES ({places})", (*head, *numbers))  # noqa: S608
        rows = ((point.commit, *row) for row in counts)
        connection.executemany("INSERT INTO counts VALUES (?, ?, ?, ?)", rows)
        _thin_out(connection, point.commit)
    return True


def _thin_out(connection: sqlite3.Connection, newest: str) -> None:
    """Remove scans above the limit, those closest between two others first, so that the long run stays.

    The first and the last stay, and the newest one.
    """
    scans = list(connection.execute("SELECT head, time FROM scans ORDER BY time, head"))
    times = [datetime.fromisoformat(time) for _, time in scans]
    while len(scans) > MAX_SCANS:
        inner = (at for at in range(1, len(scans) - 1) if scans[at][0] != newest)
        at = min(inner, key=lambda at: times[at + 1] - times[at - 1])
        connection.execute("DELETE FROM scans WHERE head = ?", (scans[at][0],))
        connection.execute("DELETE FROM counts WHERE head = ?", (scans[at][0],))
        del scans[at], times[at]


def load_points(root: Path) -> list[Point]:
    """All points that are kept of a repository."""
    with _open(root) as connection:
        counts: dict[tuple[str, str], dict[str, int]] = {}
        for head, kind, name, number in connection.execute("SELECT * FROM counts ORDER BY head, kind, name"):
            counts.setdefault((head, kind), {})[name] = number
        return [
            Point(
                commit=head,
                time=time,
                tool=tool,
                detectors=tuple(filter(None, detectors.split("\n"))),
                files=files,
                lines=lines,
                findings=high + medium + low,
                high=high,
                medium=medium,
                low=low,
                ignored=ignored,
                by_detector=counts.get((head, "detector"), {}),
                by_folder=counts.get((head, "folder"), {}),
            )
            for head, time, _, tool, detectors, files, lines, high, medium, low, ignored in connection.execute(
                "SELECT * FROM scans ORDER BY time, head"
            )
        ]


@contextmanager
def _open(root: Path) -> Iterator[sqlite3.Connection]:
    """The database of a repository. Every fault of it is an EnvironmentFault."""
    path = repository_file(root, "scans", ".sqlite")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(path, timeout=3, isolation_level=None)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, _SCHEMA):
                raise EnvironmentFault(
                    f"the recorded scans have version {version}, but this crimes reads {_SCHEMA}"
                )
            if version == 0:
                make_tables(connection, _TABLES, _SCHEMA)
            yield connection
        drop_oldest(path.parent, MAX_TOTAL_BYTES, path)
    except (sqlite3.Error, OSError) as error:
        raise EnvironmentFault(f"the recorded scans cannot be used: {error}") from error
