"""The store of a fleet: scans as they come in, and runs when they are complete. The client alone writes it.

    store/scans/<digest of the name>/<key>.scan    one scan of one repository
    store/runs/run=<id>/*.parquet, run.json         one run, visible when it is complete

A scan is kept the moment it arrives, so a run that is interrupted goes on where it was. Several clients may use one store at
once: files are moved into place whole, and a run that finds its name taken takes another.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from crimes.model.digests import digest_of
from crimes.model.errors import EnvironmentFault, UsageError
from crimes.model.wording import closest
from crimes.system.durable import sync_folder, write_durably

_MAX_SCANS = 3  # of a repository: of the last commits, or of several fleets in one store
_STALE_SECONDS = 86_400  # what another client left behind a day ago belongs to nobody any more
_RUN = "run="


class RunInfo(Struct, frozen=True):
    """What is known of a run besides its tables."""

    id: str  # when it began; also the name of its folder
    tables_version: str  # of its Parquet files
    tool: str  # the version of crimes
    began: str  # when it began, in UTC
    seconds: float  # how long it took
    repositories: int  # of the fleet
    scanned: int  # of these, scanned in this run
    known: int  # of these, known from an earlier run
    failed: int  # of these, not scanned
    workers: int = 0  # of the cluster, when it began


class Store:
    """The store in a folder, which need not be there yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._scans, self._runs = folder / "scans", folder / "runs"

    def known_keys(self, name: str) -> tuple[str, ...]:
        """The keys of the scans that are kept of a repository, sorted."""
        try:
            files = os.listdir(self._scans / _digest(name))
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise _fault("read", self.folder, error) from error
        return tuple(sorted(file.removesuffix(".scan") for file in files if file.endswith(".scan")))

    def save_scan(self, name: str, key: str, data: bytes) -> None:
        """Keep a scan. When this returns it survives the end of the process."""
        folder = self._scans / _digest(name)
        try:
            write_durably(folder / f"{key}.scan", data)
            self._drop_old(folder, key)
        except OSError as error:
            raise _fault("write", self.folder, error) from error

    def load_scan(self, name: str, key: str) -> bytes:
        """A scan that is kept."""
        path = self._scans / _digest(name) / f"{key}.scan"
        try:
            data = path.read_bytes()
            os.utime(path)  # in use: what has not been for the longest time goes first
            return data
        except OSError as error:
            raise _fault("read", self.folder, error) from error

    def drop_scan(self, name: str, key: str) -> None:
        """Forget a scan that cannot be read."""
        (self._scans / _digest(name) / f"{key}.scan").unlink(missing_ok=True)

    def _drop_old(self, folder: Path, newest: str) -> None:
        files = sorted(folder.glob("*.scan"), key=lambda file: file.stat().st_mtime_ns)
        for file in files[:-_MAX_SCANS]:
            if file.stem != newest:
                file.unlink(missing_ok=True)

    def run_ids(self) -> list[str]:
        """The ids of all complete runs, oldest first."""
        try:
            names = os.listdir(self._runs)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _fault("read", self.folder, error) from error
        return sorted(name.removeprefix(_RUN) for name in names if name.startswith(_RUN))

    def run_folder(self, run_id: str) -> Path:
        """The folder of a run; `last` and `previous` stand for the last two. UsageError when there is none."""
        ids = self.run_ids()
        if not ids:
            raise UsageError(f"no run in {self.folder}; run `crimes fleet run` first")
        places = {"last": -1, "previous": -2}
        if run_id in places:
            if len(ids) < -places[run_id]:
                raise UsageError(f"there is one run in {self.folder}; nothing came before it")
            run_id = ids[places[run_id]]
        matches = [known for known in ids if known.startswith(run_id)]
        if len(matches) != 1:
            meant = closest(run_id, ids)
            problem = "is ambiguous" if matches else "is not a run"
            raise UsageError(f"{run_id!r} {problem}{f'; did you mean {meant}?' if meant else ''}")
        return self._runs / f"{_RUN}{matches[0]}"

    def before(self, run_id: str) -> Path | None:
        """The folder of the run before this one, if there is one."""
        earlier = [known for known in self.run_ids() if known < run_id]
        return self._runs / f"{_RUN}{earlier[-1]}" if earlier else None

    @contextmanager
    def new_run(self) -> Iterator[Path]:
        """A folder to write a run into. It becomes visible when the block ends, and is gone if that fails."""
        try:
            self._runs.mkdir(parents=True, exist_ok=True)
            self._drop_stale()
            aside = self._runs / f".new-{os.getpid()}-{time.monotonic_ns()}"
            aside.mkdir()
        except OSError as error:
            raise _fault("write", self.folder, error) from error
        try:
            yield aside
        except OSError as error:
            raise _fault("write", self.folder, error) from error
        finally:
            if aside.exists():
                shutil.rmtree(aside, ignore_errors=True)

    def publish(self, aside: Path, began: float, info: RunInfo) -> tuple[Path, RunInfo]:
        """Give a finished run its name, which is when it began. Returns its folder, and what is known of it."""
        for number in range(1, 1000):
            stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(began))
            run_id = stamp if number == 1 else f"{stamp}-{number:03}"
            named = msgspec.structs.replace(info, id=run_id, seconds=round(time.time() - began, 1))
            data = msgspec.json.format(msgspec.json.encode(named), indent=2) + b"\n"
            write_durably(aside / "run.json", data)
            for file in aside.iterdir():
                _sync_file(file)
            sync_folder(aside)
            folder = self._runs / f"{_RUN}{run_id}"
            try:
                aside.rename(folder)
            except OSError as error:
                if error.errno in (errno.EEXIST, errno.ENOTEMPTY):
                    continue  # another client began in the same second
                raise
            sync_folder(self._runs)
            return folder, named
        raise EnvironmentFault(f"cannot name a run in {self.folder}")

    def _drop_stale(self) -> None:
        for folder in self._runs.glob(".new-*"):
            if time.time() - folder.stat().st_mtime > _STALE_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def read_info(folder: Path) -> RunInfo:
    """What is known of a run. EnvironmentFault when that cannot be read."""
    try:
        return msgspec.json.decode((folder / "run.json").read_bytes(), type=RunInfo)
    except (OSError, msgspec.MsgspecError) as error:
        raise EnvironmentFault(f"run.json of {folder.name} cannot be read: {error}") from error


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _digest(name: str) -> str:
    return digest_of(name.encode("utf-8", "surrogateescape")).hex()


def _fault(verb: str, folder: Path, error: OSError) -> EnvironmentFault:
    return EnvironmentFault(f"cannot {verb} the store {folder}: {error.strerror or error}")
