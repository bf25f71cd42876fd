"""Go cover profiles: blocks of statements by import path."""

from __future__ import annotations

import os
import re
from io import BytesIO

from crimes.analyses.coverage.recorder import Recorder, parse_count
from crimes.model.lazy_regex import regex
from crimes.model.line_coverage import Recorded

_BLOCK = regex(r"(.+):(\d{1,9})\.\d+,(\d{1,9})\.\d+ (\d{1,9}) (\d{1,20})", re.ASCII)
_MAX_ROW_BYTES = 10_000


def read(data: bytes) -> Recorded:
    """Every line of a block has the count of its statements. Joined profiles repeat the mode line."""
    recorder = Recorder()
    for row in BytesIO(data):
        if row.startswith(b"mode:") or not row.strip():
            continue
        block = _BLOCK.fullmatch(os.fsdecode(row.strip())) if len(row) <= _MAX_ROW_BYTES else None
        if block is None:
            recorder.ignored += 1
            continue
        name, first, last, statements, count = block.groups()
        recorder.file(name)
        if int(statements):
            hits = parse_count(count)
            for line in range(int(first), int(last) + 1):
                recorder.add(name, line, hits)
    return recorder.recorded("Go cover profile")
