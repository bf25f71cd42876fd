"""Which lines ran under the tests, as coverage data say that were given or lie at a usual place.

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
_CHECKOUT_SECONDS = 10  # seconds; files of one checkout are not written at once
_DAY_SECONDS = 86_400  # a run comes before its commit, and a stated time may lack its zone


class LineCount(Struct, frozen=True):
    """Lines that ran, of those that could have."""

    covered: int
    total: int


class FileRun(Struct, frozen=True):
    """One file's lines: True for those that ran. Stale ones describe an older state of it."""

    lines: Mapping[int, bool]
    stale: bool

    @property
    def ran(self) -> LineCount:
        return LineCount(sum(self.lines.values()), len(self.lines))

    def body(self, function: Function) -> LineCount:
        """The lines of a function after its first, which in many languages runs when the file is loaded.

        A closing brace alone that ran belongs to the code around the function.
        """
        lines = [self.lines[at] for at in range(function.start + 1, function.end + 1) if at in self.lines]
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
    notices: tuple[str, ...]  # files at usual places that could not be used


def build(context: Context) -> Coverage:
    """What was given counts alone. Unavailable when nothing was given and nothing is there."""
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
        runs = _lines_by_path(file, matched)
        stale = {path for path, lines in runs.items() if _is_stale(context, history, file, path, lines)}
        for path, lines in runs.items():
            _merge_file(merged, path, lines, path in stale)
        sources.append(_source(file, matched, len(runs), len(stale)))
    files = {path: FileRun(lines, stale) for path, (lines, stale) in sorted(merged.items())}
    return Coverage(files, tuple(sources), tuple(notices))


def _files_at_usual_paths(context: Context, notices: list[str]) -> Iterator[CoverageFile]:
    """Coverage files at usual places. One that cannot be used is a notice: nobody asked for it."""
    root = context.repo.root.resolve()
    for place in USUAL_PATHS:
        try:
            data = read_inside(root, place, MAX_FILE_BYTES)
            changed = os.lstat(root / place).st_mtime
            yield CoverageFile(place, place.rpartition("/")[0], changed, read_coverage(data))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            if os.path.lexists(
                root / place
            ):  # a folder that leads elsewhere fails before the file is looked for
                notices.append(f"coverage data in {place} were not used: {error.strerror or error}")
        except Malformed as fault:
            notices.append(f"coverage data in {place} were not used: {fault}")


def _history(context: Context) -> History | None:
    try:
        return context[HISTORY]
    except Unavailable:
        return None


def _lines_by_path(file: CoverageFile, matched: PathMatches) -> dict[str, dict[int, bool]]:
    """Lines by file of the repository; several names may mean one."""
    runs: dict[str, dict[int, bool]] = {}
    for name, path in matched.files.items():
        _merge_lines(runs.setdefault(path, {}), file.recorded.files[name])
    return runs


def _merge_lines(into: dict[int, bool], lines: Mapping[int, bool]) -> None:
    for line, ran in lines.items():
        into[line] = ran or into.get(line, False)


def _merge_file(
    merged: dict[str, tuple[dict[int, bool], bool]], path: str, lines: dict[int, bool], stale: bool
) -> None:
    """Data that describe the file as it is make older ones worthless."""
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
        return True  # gone since it was listed
    if written > file.changed + _CHECKOUT_SECONDS:
        return True
    read_coverage = context.repo.files.get(path)
    if read_coverage and max(lines, default=0) > read_coverage.facts.lines + 1:
        return True
    past = history.files.get(path) if history else None
    made = file.recorded.made
    return (
        made is not None
        and past is not None
        and past.last is not None
        and (past.last.when.timestamp() > made + _DAY_SECONDS)
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
