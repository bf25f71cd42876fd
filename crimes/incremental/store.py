"""One repository's cache file. Whatever goes wrong with it is a notice and an empty answer, never a failure.

Every value carries a checksum. A transaction begins by looking whether facts of this code are in there; those of other
code are dropped by the first who writes. Readers and one writer may work at a time (WAL); who waits too long goes on
without.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from crimes.incremental.code_version import facts_version, is_facts_version
from crimes.system.user_dirs import databases

SCHEMA = 1
LARGEST = 2_000_000_000  # bytes of all repositories together
_PATIENCE = 3  # seconds
_SPARE_ROWS = 2_000  # facts of other branches and older versions, besides as many as are in use
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_TABLES = """
CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE facts (digest BLOB NOT NULL, language TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (digest, language));
"""

_T = TypeVar("_T")

FactsKey = tuple[bytes, str]  # digest of the content, id of the language


class Cache:
    """Reads at once, writes once at the end. After a fault it is closed: everything is unknown, nothing is kept."""

    def __init__(self, place: Path, tell: Callable[[str], None]) -> None:
        self._place = place
        self._tell = tell
        self._connection: sqlite3.Connection | None = None
        self._closed = self._was_damaged = False
        self._waiting: dict[str, bytes | None] = {}
        self._new_facts: list[tuple[bytes, str, bytes]] = []

    def state(self, key: str) -> bytes | None:
        """What was kept under a key by this code."""

        def read(connection: sqlite3.Connection) -> bytes | None:
            rows = connection.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchall()
            return _checked(rows[0][0]) if rows else None

        return self._reading(read)

    def facts(self, wanted: set[FactsKey]) -> dict[FactsKey, bytes]:
        """Encoded facts of those that are kept. All rows are read in one go: that is cheaper than asking for most."""

        def read(connection: sqlite3.Connection) -> dict[FactsKey, bytes]:
            rows = connection.execute("SELECT digest, language, value FROM facts")
            return {
                (digest, language): _checked(value)
                for digest, language, value in rows
                if (digest, language) in wanted
            }

        return self._reading(read) or {}

    def facts_keys(self) -> set[FactsKey]:
        """Of which contents facts are kept."""

        def read(connection: sqlite3.Connection) -> set[FactsKey]:
            return set(connection.execute("SELECT digest, language FROM facts"))

        return self._reading(read) or set()

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep a value with the next `write`; None forgets it."""
        self._waiting[key] = value

    def keep_facts(self, key: FactsKey, value: bytes) -> None:
        self._new_facts.append((*key, value))

    def write(self, in_use: set[FactsKey] | None = None) -> None:
        """One transaction for all that is to be kept. `in_use` names the facts of the present tree: the last to go."""
        if not self._waiting and not self._new_facts:
            return

        def write(connection: sqlite3.Connection) -> bool:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                if not self._is_ours(connection):
                    connection.execute("DELETE FROM facts")
                    connection.execute("DELETE FROM state")
                    _put(connection, {"code": facts_version()})
                gone = [(key,) for key, value in self._waiting.items() if value is None]
                connection.executemany("DELETE FROM state WHERE key = ?", gone)
                _put(connection, {key: value for key, value in self._waiting.items() if value is not None})
                rows = ((digest, language, _sealed(value)) for digest, language, value in self._new_facts)
                connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)
                if in_use is not None:
                    _drop_old(connection, in_use)
            return True

        done = self._guarded(write)
        self._waiting.clear()
        self._new_facts.clear()
        if done:
            make_room(self._place)

    def pause(self) -> None:
        """Close the file until it is needed again: a connection must not live through a fork."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def close(self) -> None:
        self.pause()
        self._closed = True

    def _reading(self, read: Callable[[sqlite3.Connection], _T | None]) -> _T | None:
        """What this code kept, read in one transaction with the check that it did."""

        def checked(connection: sqlite3.Connection) -> _T | None:
            connection.execute("BEGIN")
            try:
                return read(connection) if self._is_ours(connection) else None
            finally:
                connection.execute("COMMIT")

        return self._guarded(checked)

    def _guarded(self, work: Callable[[sqlite3.Connection], _T]) -> _T | None:
        if self._closed:
            return None
        try:
            if self._connection is None:
                self._connection = self._open()
            return work(self._connection)
        except (sqlite3.Error, OSError, Damaged) as fault:
            self.close()
            code = getattr(fault, "sqlite_errorcode", None)
            if isinstance(fault, Damaged) or (code is not None and code & 0xFF in _DAMAGED):
                self._tell(f"the cache is set aside and made anew: {fault}")
                self._closed = self._was_damaged or not _removed(self._place)
                self._was_damaged = True
            else:
                self._tell(f"the cache is not used: {fault}")
            return None

    def _open(self) -> sqlite3.Connection:
        self._place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(self._place, timeout=_PATIENCE, isolation_level=None)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, SCHEMA):
                raise Damaged(f"it has version {version}, this crimes reads {SCHEMA}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if version == 0:
                make_tables(connection, _TABLES, SCHEMA)
            with suppress(OSError):  # who may read but not write is no less a user
                os.utime(self._place)
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        rows = connection.execute("SELECT value FROM state WHERE key = 'code'").fetchall()
        return bool(rows) and is_facts_version(_checked(rows[0][0]))


class Damaged(Exception):
    """The cache holds something that this program did not write, or not in this version."""


def make_tables(connection: sqlite3.Connection, tables: str, version: int) -> None:
    """The tables, once: of two who open a new file at a time one finds them made."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            for statement in filter(str.strip, tables.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")


def _put(connection: sqlite3.Connection, values: Mapping[str, bytes]) -> None:
    rows = ((key, _sealed(value)) for key, value in values.items())
    connection.executemany("INSERT OR REPLACE INTO state VALUES (?, ?)", rows)


def _sealed(value: bytes) -> bytes:
    return crc32(value).to_bytes(4, "big") + value


def _checked(sealed: object) -> bytes:
    if not isinstance(sealed, bytes) or crc32(memoryview(sealed)[4:]) != int.from_bytes(sealed[:4], "big"):
        raise Damaged("a value is not what was written")
    return sealed[4:]


def _drop_old(connection: sqlite3.Connection, in_use: set[FactsKey]) -> None:
    """Forget the oldest facts that the present tree does not use, when there are many of them."""
    (rows,) = connection.execute("SELECT count(*) FROM facts").fetchone()
    too_many = rows - 2 * len(in_use) - _SPARE_ROWS
    if too_many <= 0:
        return
    known = connection.execute("SELECT rowid, digest, language FROM facts ORDER BY rowid").fetchall()
    unused = [(row,) for row, digest, language in known if (digest, language) not in in_use]
    connection.executemany("DELETE FROM facts WHERE rowid = ?", unused[:too_many])


def kept() -> list[tuple[Path, int, float]]:
    """The cache files, the longest unused first: place, size, time of the last use."""
    found = []
    for place, size, used in _files(databases()):
        if place.suffix == ".sqlite":
            found.append((place, size + _size(f"{place}-wal"), used))
    return sorted(found, key=lambda item: (item[2], item[0]))


def _files(folder: Path) -> Iterator[tuple[Path, int, float]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                info = entry.stat(follow_symlinks=False)
                yield Path(entry.path), info.st_size, info.st_mtime
    except FileNotFoundError:
        return


def _size(name: str) -> int:
    try:
        return os.stat(name).st_size
    except FileNotFoundError:
        return 0


def make_room(in_use: Path, largest: int | None = None) -> None:
    """Remove the caches of the repositories that were not asked about for the longest time, this one excepted."""
    files = kept()
    over = sum(size for _, size, _ in files) - (LARGEST if largest is None else largest)
    for place, size, _ in files:
        if over <= 0:
            return
        if place != in_use and _is_idle(place) and _removed(place):
            over -= size


def _is_idle(place: Path) -> bool:
    """Whether nobody works with it: only then may the last connection fold the log into the file."""
    try:
        with closing(sqlite3.connect(place, timeout=0, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as fault:
        return getattr(fault, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
    return True


def _removed(place: Path) -> bool:
    try:
        remove(place)
    except OSError:
        return False
    return True


def remove(place: Path) -> None:
    """Remove one cache file and what belongs to it."""
    for name in (f"{place}-wal", f"{place}-shm", str(place)):
        with suppress(FileNotFoundError):
            os.unlink(name)
