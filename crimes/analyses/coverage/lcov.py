"""lcov tracefiles: what lcov, c8, nyc, jest, llvm-cov, coverage.py and many others write."""

from __future__ import annotations

import os
from io import BytesIO

from crimes.analyses.coverage.recorder import Recorder, parse_count
from crimes.model.line_coverage import Recorded


def read(data: bytes) -> Recorded:
    """SF names a file, DA gives a line and its count; functions, branches and totals are skipped."""
    recorder = Recorder()
    file = ""
    for row in BytesIO(data):
        if row.startswith(b"DA:"):
            line, _, rest = row[3:60].decode("ascii", "replace").partition(",")
            recorder.add(file, parse_count(line), parse_count(rest.partition(",")[0].strip()))
        elif row.startswith(b"SF:"):
            file = os.fsdecode(row[3:].strip())
            recorder.file(file)
        elif row.startswith(b"end_of_record"):
            file = ""
    return recorder.recorded("lcov")
