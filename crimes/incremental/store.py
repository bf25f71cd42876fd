"""One repository's cache file. Whatever goes wrong with it gives a notice and an empty answer, never a failure.

Every value carries a checksum. A transaction first checks that the facts were made by this code; the first writer drops
those of other code. Readers and one writer work at the same time (WAL); whoever waits too long goes on without the cache.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from crimes.incremental.building import is_being_built, lock_file
from crimes.incremental.code_version import facts_version, is_facts_version
from crimes.system.user_dirs import database_directory

SCHEMA = 1
MAX_TOTAL_BYTES = 2_000_000_000  # bytes of all repositories together
_LOCK_TIMEOUT_SECONDS = 3  # seconds
_MAX_QUERIES = 100  # for one value each; from there on, all are read
_MAX_SPARE_ROWS = 2_000  # facts of other branches and older versions, besides as many as are in use
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_TABLES = """
CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE facts (digest BLOB NOT NULL, language TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (digest, language));
"""

_T = TypeVar("_T")

FactsKey = tuple[bytes, str]  # digest of the content, id of the language


class Cache:
    """Reads at once, writes once at the end. After a fault it is closed: nothing is known, nothing is saved."""

    def __init__(self, path: Path, on_notice: Callable[[str], None]) -> None:
        self._path = path
        self._on_notice = on_notice
        self._connection: sqlite3.Connection | None = None
        self._closed = self._was_damaged = False
        self._pending: dict[str, bytes | None] = {}
        self._new_facts: list[tuple[bytes, str, bytes]] = []

    def state(self, key: str) -> bytes | None:
        """The value that this code saved under a key."""

        def read(connection: sqlite3.Connection) -> bytes | None:
            rows = connection.execute("SELECT value FROM state WHERE key = ?", (key,)).fetchall()
            return _unseal(rows[0][0]) if rows else None

        return self._read(read)

    def states(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The values that this code saved under some keys, by key."""

        def read(connection: sqlite3.Connection) -> dict[str, bytes]:
            query = "SELECT value FROM state WHERE key = ?"
            return {key: _unseal(value) for key in keys for (value,) in connection.execute(query, (key,))}

        return self._read(read) or {}

    def facts(self, wanted: set[FactsKey]) -> dict[FactsKey, bytes]:
        """Encoded facts, where they are cached. Many rows are read at once, which is cheaper than as many queries."""

        def read(connection: sqlite3.Connection) -> dict[FactsKey, bytes]:
            query = "SELECT digest, language, value FROM facts"
            rows: Iterable[tuple[bytes, str, object]]
            if len(wanted) <= _MAX_QUERIES:
                by_key = f"{query} WHERE digest = ? AND language = ?"
                rows = (row for key in wanted for row in connection.execute(by_key, key))
            else:
                rows = connection.execute(query)
            return {
                (digest, language): _unseal(value)
                for digest, language, value in rows
                if (digest, language) in wanted
            }

        return self._read(read) or {}

    def facts_keys(self) -> set[FactsKey]:
        """The keys of all cached facts."""

        def read(connection: sqlite3.Connection) -> set[FactsKey]:
            return set(connection.execute("SELECT digest, language FROM facts"))

        return self._read(read) or set()

    def keep(self, key: str, value: bytes | None) -> None:
        """Save a value with the next `write`; None deletes it."""
        self._pending[key] = value

    def keep_facts(self, key: FactsKey, value: bytes) -> None:
        self._new_facts.append((*key, value))

    def write(self, in_use: set[FactsKey] | None = None) -> None:
        """Save all pending values in one transaction. `in_use`: the facts of the present tree, evicted last."""
        if not self._pending and not self._new_facts:
            return

        def write(connection: sqlite3.Connection) -> bool:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                if not self._is_ours(connection):
                    connection.execute("DELETE FROM facts")
                    connection.execute("DELETE FROM state")
                    _put(connection, {"code": facts_version()})
                deleted = [(key,) for key, value in self._pending.items() if value is None]
                connection.executemany("DELETE FROM state WHERE key = ?", deleted)
                _put(connection, {key: value for key, value in self._pending.items() if value is not None})
                rows = ((digest, language, _seal(value)) for digest, language, value in self._new_facts)
                connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)
                if in_use is not None:
                    _drop_old(connection, in_use)
            return True

        written = self._run(write)
        self._pending.clear()
        self._new_facts.clear()
        if written:
            make_room(self._path)

    def pause(self) -> None:
        """Close the file until it is needed again: a connection must not survive a fork."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def close(self) -> None:
        self.pause()
        self._closed = True

    def _read(self, read: Callable[[sqlite3.Connection], _T | None]) -> _T | None:
        """The result of `read`, in one transaction with the check that this code wrote the cache."""

        def read_own(connection: sqlite3.Connection) -> _T | None:
            connection.execute("BEGIN")
            try:
                return read(connection) if self._is_ours(connection) else None
            finally:
                connection.execute("COMMIT")

        return self._run(read_own)

    def _run(self, work: Callable[[sqlite3.Connection], _T]) -> _T | None:
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
                self._on_notice(f"the cache was reset: {fault}")
                self._closed = self._was_damaged or not _try_remove(self._path)
                self._was_damaged = True
            else:
                self._on_notice(f"cannot use the cache: {fault}")
            return None

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT_SECONDS, isolation_level=None)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, SCHEMA):
                raise Damaged(f"it has version {version}, but this crimes reads {SCHEMA}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if version == 0:
                make_tables(connection, _TABLES, SCHEMA)
            with suppress(OSError):  # a user may have read access only
                os.utime(self._path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        rows = connection.execute("SELECT value FROM state WHERE key = 'code'").fetchall()
        return bool(rows) and is_facts_version(_unseal(rows[0][0]))


class Damaged(Exception):
    """The cache holds data that this program, in this version, did not write."""


def make_tables(connection: sqlite3.Connection, tables: str, version: int) -> None:
    """Create the tables, unless another process that opened the new file at the same time did."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            for statement in filter(str.strip, tables.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")


def _put(connection: sqlite3.Connection, values: Mapping[str, bytes]) -> None:
    rows = ((key, _seal(value)) for key, value in values.items())
    connection.executemany("INSERT OR REPLACE INTO state VALUES (?, ?)", rows)


def _seal(value: bytes) -> bytes:
    return crc32(value).to_bytes(4, "big") + value


def _unseal(sealed: object) -> bytes:
    if not isinstance(sealed, bytes) or crc32(memoryview(sealed)[4:]) != int.from_bytes(sealed[:4], "big"):
        raise Damaged("a value is corrupt")
    return sealed[4:]


def _drop_old(connection: sqlite3.Connection, in_use: set[FactsKey]) -> None:
    """Delete the oldest facts that the present tree does not use, when there are many of them."""
    (count,) = connection.execute("SELECT count(*) FROM facts").fetchone()
    too_many = count - 2 * len(in_use) - _MAX_SPARE_ROWS
    if too_many <= 0:
        return
    rows = connection.execute("SELECT rowid, digest, language FROM facts ORDER BY rowid").fetchall()
    unused = [(row,) for row, digest, language in rows if (digest, language) not in in_use]
    connection.executemany("DELETE FROM facts WHERE rowid = ?", unused[:too_many])


def cache_files() -> list[tuple[Path, int, float]]:
    """The cache files, the longest unused first: path, size, time of the last use."""
    files = [
        (path, size + _size(f"{path}-wal"), used)
        for path, size, used in _files(database_directory())
        if path.suffix == ".sqlite"
    ]
    return sorted(files, key=lambda file: (file[2], file[0]))


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


def make_room(in_use: Path, max_bytes: int | None = None) -> None:
    """Remove the caches of the repositories that were unused for the longest time, except this one."""
    files = cache_files()
    over = sum(size for _, size, _ in files) - (MAX_TOTAL_BYTES if max_bytes is None else max_bytes)
    for path, size, _ in files:
        if over <= 0:
            return
        if path != in_use and _is_idle(path) and _try_remove(path):
            over -= size


def _is_idle(path: Path) -> bool:
    """Whether no process uses it: only then may the last connection fold the log into the file."""
    if is_being_built(path):
        return False
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as fault:
        return getattr(fault, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
    return True


def _try_remove(path: Path) -> bool:
    try:
        remove(path)
    except OSError:
        return False
    return True


def remove(path: Path) -> None:
    """Remove one cache file and what belongs to it."""
    for name in (f"{path}-wal", f"{path}-shm", lock_file(path), str(path)):
        with suppress(FileNotFoundError):
            os.unlink(name)
