"""Which lines ran under the tests, according to coverage data that the user named or that lie at a usual path.

Evidence beside the test map, and never part of test_gap. Data are stale for a file that was written after them
on this disk, was committed more than a day after the time they state, or is shorter than they say.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from msgspec import Struct

from crimes.analyses.coverage.paths import PathMatcher, PathMatches
from crimes.analyses.coverage.recorder import MAX_FILE_BYTES, Malformed
from crimes.analyses.coverage.sniff import read_coverage
from crimes.analyses.history.history import HISTORY, History
from crimes.detection.context import Analysis, Context
from crimes.model.errors import Unavailable
from crimes.model.facts import Function
from crimes.model.line_coverage import CoverageFile
from crimes.system.safe_files import read_inside

USUAL_PATHS = (
    "coverage.json",
    "coverage.xml",
    "coverage.lcov",
    "coverage.out",
    "cover.out",
    "c.out",
    "lcov.info",
    "cobertura.xml",
    "cobertura-coverage.xml",
    "coverage.cobertura.xml",
    "coverage/lcov.info",
    "coverage/coverage.xml",
    "coverage/cobertura-coverage.xml",
    "coverage/coverage.cobertura.xml",
    "reports/coverage.xml",
    "target/site/jacoco/jacoco.xml",
    "target/site/jacoco-aggregate/jacoco.xml",
    "target/site/cobertura/coverage.xml",
    "build/reports/jacoco/test/jacocoTestReport.xml",
    "build/reports/jacoco/jacocoTestReport/jacocoTestReport.xml",
    "build/reports/jacoco/testCodeCoverageReport/testCodeCoverageReport.xml",
    "build/reports/kover/report.xml",
)
_CHECKOUT_SECONDS = 10  # files of one checkout are not written at the same moment
_DAY_SECONDS = 86_400  # a run comes before its commit, and a stated time may lack its time zone


class LineCount(Struct, frozen=True):
    """Lines that ran, of those that could have."""

    covered: int
    total: int


class FileRun(Struct, frozen=True):
    """The lines of one file: True for those that ran. Stale ones describe an older version of it."""

    lines: Mapping[int, bool]
    stale: bool

    @property
    def ran(self) -> LineCount:
        return LineCount(sum(self.lines.values()), len(self.lines))

    def body(self, function: Function) -> LineCount:
        """The lines of a function after its first, which in many languages runs when the file is loaded.

        If only the closing brace ran, it belongs to the code around the function.
        """
        numbers = range(function.start + 1, function.end + 1)
        lines = [self.lines[number] for number in numbers if number in self.lines]
        if self.lines.get(function.end) and len(lines) > 1 and not any(lines[:-1]):
            lines.pop()
        return LineCount(sum(lines), len(lines))


class CoverageSource(Struct, frozen=True):
    """One coverage file: how many files it names, and what became of them."""

    name: str
    format: str
    files: int
    matched: int
    unmatched: tuple[str, ...]
    ambiguous: tuple[str, ...]
    ignored: int  # entries that make no sense
    stale: int  # of the matched


class Coverage(Struct, frozen=True):
    """What all coverage files say together, by file of the repository."""

    files: Mapping[str, FileRun]
    sources: tuple[CoverageSource, ...]
    notices: tuple[str, ...]  # files at usual paths that could not be used


def build(context: Context) -> Coverage:
    """Files that the user named count alone. Unavailable when there are none, and none at a usual path."""
    notices: list[str] = []
    data = context.coverage or tuple(_files_at_usual_paths(context, notices))
    if not data and not notices:
        raise Unavailable("no coverage data")
    history = _history(context)
    matcher = PathMatcher(context.repo.paths, os.path.realpath(context.repo.root))
    merged: dict[str, tuple[dict[int, bool], bool]] = {}
    sources = []
    for file in data:
        recorded = file.recorded
        matched = matcher.match(recorded.files, recorded.roots, file.folder)
        lines_of = _lines_by_path(file, matched)
        stale = {path for path, lines in lines_of.items() if _is_stale(context, history, file, path, lines)}
        for path, lines in lines_of.items():
            _merge_file(merged, path, lines, path in stale)
        sources.append(_source(file, matched, len(lines_of), len(stale)))
    files = {path: FileRun(lines, stale) for path, (lines, stale) in sorted(merged.items())}
    return Coverage(files, tuple(sources), tuple(notices))


def _files_at_usual_paths(context: Context, notices: list[str]) -> Iterator[CoverageFile]:
    """Coverage files at usual paths. One that cannot be used is only a notice: nobody asked for it."""
    root = context.repo.root.resolve()
    for path in USUAL_PATHS:
        try:
            data = read_inside(root, path, MAX_FILE_BYTES)
            changed = os.lstat(root / path).st_mtime
            yield CoverageFile(path, path.rpartition("/")[0], changed, read_coverage(data))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            # A folder that is a link fails even if the file does not exist.
            if os.path.lexists(root / path):
                notices.append(f"coverage data in {path} was not used: {error.strerror or error}")
        except Malformed as fault:
            notices.append(f"coverage data in {path} was not used: {fault}")


def _history(context: Context) -> History | None:
    try:
        return context[HISTORY]
    except Unavailable:
        return None


def _lines_by_path(file: CoverageFile, matched: PathMatches) -> dict[str, dict[int, bool]]:
    """Lines by file of the repository; several names may mean one file."""
    lines_of: dict[str, dict[int, bool]] = {}
    for name, path in matched.files.items():
        _merge_lines(lines_of.setdefault(path, {}), file.recorded.files[name])
    return lines_of


def _merge_lines(into: dict[int, bool], lines: Mapping[int, bool]) -> None:
    for line, ran in lines.items():
        into[line] = ran or into.get(line, False)


def _merge_file(
    merged: dict[str, tuple[dict[int, bool], bool]], path: str, lines: dict[int, bool], stale: bool
) -> None:
    """Add the lines of a file; current data replace stale data."""
    present = merged.get(path)
    if present is None or (present[1] and not stale):
        merged[path] = (lines, stale)
    elif present[1] == stale:
        _merge_lines(present[0], lines)


def _is_stale(
    context: Context, history: History | None, file: CoverageFile, path: str, lines: Mapping[int, bool]
) -> bool:
    try:
        written = os.lstat(context.repo.root / path).st_mtime
    except OSError:
        return True  # deleted since it was listed
    if written > file.changed + _CHECKOUT_SECONDS:
        return True
    source = context.repo.files.get(path)
    if source and max(lines, default=0) > source.facts.lines + 1:
        return True
    past = history.files.get(path) if history else None
    made = file.recorded.made
    return (
        made is not None
        and past is not None
        and past.last is not None
        and past.last.when.timestamp() > made + _DAY_SECONDS
    )


def _source(file: CoverageFile, matched: PathMatches, files: int, stale: int) -> CoverageSource:
    recorded = file.recorded
    return CoverageSource(
        name=file.name,
        format=recorded.format,
        files=len(recorded.files),
        matched=files,
        unmatched=tuple(sorted(matched.unmatched)),
        ambiguous=tuple(sorted(matched.ambiguous)),
        ignored=recorded.ignored,
        stale=stale,
    )


COVERAGE = Analysis("coverage", build)
