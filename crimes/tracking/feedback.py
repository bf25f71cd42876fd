"""Verdicts of people on findings: one per line in `.crimes/feedback.jsonl`, appended and never rewritten.

The file is part of the repository, which is untrusted: no link is followed to it, for reading or for writing.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from crimes import __version__
from crimes.model.errors import EnvironmentFault, UsageError
from crimes.model.report import Crime, Report, Share
from crimes.system.safe_files import read_inside

FOLDER, NAME = ".crimes", "feedback.jsonl"
PATH = f"{FOLDER}/{NAME}"
VERSION = 1
MAX_NOTE_CHARACTERS = 2_000
_MAX_FAULTS_SHOWN = 20


class FeedbackVerdict(StrEnum):
    """As stored. True positive: the finding is right. False positive: it is wrong."""

    TP = "tp"
    FP = "fp"


# What people may write for each of them.
VERDICTS = {
    "right": FeedbackVerdict.TP,
    "wrong": FeedbackVerdict.FP,
    "tp": FeedbackVerdict.TP,
    "fp": FeedbackVerdict.FP,
}

Text = Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]


class Feedback(Struct, frozen=True, forbid_unknown_fields=True):
    """One verdict, with what the report stated when it was given."""

    version: Literal[1]
    id: Text
    fingerprint: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    type: Text
    confidence: Share
    band: Literal["strong", "moderate", "weak", "negligible"]
    verdict: FeedbackVerdict
    note: Text
    tool: Text
    commit: Text


def feedback_on(crime: Crime, report: Report, verdict: FeedbackVerdict, note: str) -> Feedback:
    """The record of a verdict; its commit is the one the report was made at, empty without git."""
    if len(note) > MAX_NOTE_CHARACTERS:
        raise UsageError(
            f"the note has {len(note):,} characters; at most {MAX_NOTE_CHARACTERS:,} are allowed"
        )
    stated = {
        "version": VERSION,
        "id": crime.id,
        "fingerprint": crime.fingerprint,
        "type": crime.type,
        "confidence": crime.scores.confidence,
        "band": crime.confidence_band,
        "verdict": verdict,
        "note": note.encode("utf-8", "backslashreplace").decode(),
        "tool": __version__,
        "commit": report.history.head,
    }
    try:
        return msgspec.convert(stated, Feedback)
    except msgspec.ValidationError as error:  # the report came from a file, and may say anything
        raise UsageError(f"the finding in the report was not written by crimes: {error}") from error


def append_feedback(root: Path, feedback: Feedback) -> None:
    """Add one line, whole or not at all; concurrent commands do not mix theirs."""
    try:
        with _LockedFile(root) as descriptor:
            _write(descriptor, msgspec.json.encode(feedback) + b"\n")
    except OSError as error:
        raise EnvironmentFault(f"the verdict was not saved: {error.strerror or error}: {PATH}") from error


class _LockedFile:
    """The feedback file open for appending: created when missing, locked, and certainly inside the repository."""

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER

    def __enter__(self) -> int:
        os.makedirs(self._folder, exist_ok=True)
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            self._file = os.open(NAME, flags, 0o644, dir_fd=folder)
        finally:
            os.close(folder)
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            os.close(self._file)
            raise OSError(errno.EINVAL, "not a regular file")
        fcntl.flock(self._file, fcntl.LOCK_EX)
        return self._file

    def __exit__(self, *error: object) -> None:
        os.close(self._file)


def _write(descriptor: int, line: bytes) -> None:
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line  # a line cut short must not swallow this one
    written = os.write(descriptor, line)
    if written < len(line):
        os.ftruncate(descriptor, size)
        raise OSError(errno.ENOSPC, "no space left")


def read_feedback(root: Path) -> tuple[Feedback, ...]:
    """All verdicts in order; none without a file. UsageError names every line that is not a verdict."""
    return feedback_from(lambda path: read_inside(root.resolve(), path))


def feedback_from(read: Callable[[str], bytes]) -> tuple[Feedback, ...]:
    """The same, of a repository whose files are read so."""
    try:
        data = read(PATH)
    except (FileNotFoundError, NotADirectoryError, KeyError):
        return ()
    except OSError as error:
        raise EnvironmentFault(f"{PATH} cannot be read: {error.strerror or error}") from error
    records, faults = [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append(msgspec.json.decode(line, type=Feedback))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            faults.append(f"  line {number}: {_describe_fault(line, error)}")
    if faults:
        more = [f"  and {len(faults) - _MAX_FAULTS_SHOWN:,} more"] if len(faults) > _MAX_FAULTS_SHOWN else []
        lines = "\n".join((*faults[:_MAX_FAULTS_SHOWN], *more))
        raise UsageError(f"{PATH} has lines that are not verdicts; nothing was changed:\n{lines}")
    return tuple(records)


class _Versioned(Struct):
    version: int


def _describe_fault(line: bytes, error: Exception) -> str:
    try:
        version = msgspec.json.decode(line, type=_Versioned).version
    # Keys of other versions may hold anything.
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        version = VERSION
    if version > VERSION:
        return f"it has version {version}, but this crimes reads {VERSION}"
    return str(error)


def last_verdicts(records: tuple[Feedback, ...]) -> tuple[Feedback, ...]:
    """The last verdict on each finding, in the order of the first ones."""
    return tuple({record.fingerprint: record for record in records}.values())
