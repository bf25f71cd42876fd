"""The JSON of coverage.py."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from crimes.analyses.coverage.recorder import Malformed, Recorder
from crimes.model.line_coverage import Recorded


class _Meta(msgspec.Struct):
    timestamp: str = ""


class _File(msgspec.Struct):
    executed_lines: list[int]
    missing_lines: list[int]


class _Report(msgspec.Struct):
    meta: _Meta
    files: dict[str, _File]


def read(data: bytes) -> Recorded:
    """Executed and missing lines; contexts, regions and totals are skipped."""
    try:
        report = msgspec.json.decode(data, type=_Report)
    except msgspec.ValidationError as error:
        raise Malformed(f"it is JSON, but not a coverage.py report: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"it is not valid JSON: {error}") from error
    except RecursionError as error:
        raise Malformed("it is nested too deeply") from error
    recorder = Recorder()
    for name, file in report.files.items():
        recorder.file(name)
        for line in file.executed_lines:
            recorder.add(name, line, 1)
        for line in file.missing_lines:
            recorder.add(name, line, 0)
    return recorder.recorded("coverage.py JSON", made=_parse_timestamp(report.meta.timestamp))


def _parse_timestamp(text: str) -> int | None:
    """Seconds since the epoch. The time zone is unknown; half a day does not matter here."""
    try:
        stated = datetime.fromisoformat(text)
    except ValueError:
        return None
    return int((stated if stated.tzinfo else stated.replace(tzinfo=UTC)).timestamp())
