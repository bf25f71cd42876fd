"""A file that is fixed again and again.

It counts the commits of the last 365 days whose subject says that they fix something, and holds the number against the median of
source files of the same size in this repository.

## Why it matters

Each fix says that an earlier edit went wrong here. What makes edits go wrong is still in the file, and the next edit meets it.

## What to do

Read the last fixes before you change anything: they show which cases are easy to miss. A test for each of them, and a simpler
shape for the part they have in common, ends the series.

## What it accepts

- Files that hold little logic: constants, types, lists of names, re-exports.
- A repository in which most commits call themselves a fix: there the word says nothing.
- Commits of bots, merges, and commits that the repository itself declares meaningless.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from crimes.api import (
    ANY,
    HISTORY,
    TOTALS,
    Category,
    Commit,
    Detector,
    Effort,
    Example,
    File,
    FileHistory,
    Finding,
    History,
    Measure,
    Pass,
    Role,
    Severity,
    Signal,
    at_file,
    option,
)

SIZE_CLASSES = (100, 300, 800)  # logic lines: larger files are fixed more often
MAX_FIX_SHARE = 0.5  # of the commits: above it, the word says nothing
MAX_QUOTED_FIXES = 3


@dataclass(frozen=True)
class Options:
    min_fixes: int = option(4, "The fewest fix commits in 365 days.")
    times_median: int = option(2, "How often the median of files of its size that has to be.")
    high_fixes: int = option(10, "From this many on it is high.")
    min_cognitive: int = option(10, "The summed cognitive complexity a file needs to hold logic.")


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    history, totals = scan[HISTORY], scan[TOTALS]
    sources = [
        file
        for file in scan.repo.files.values()
        if file.role is Role.SOURCE and file.path in totals and history.files[file.path].commits_365d
    ]
    if are_fixes_too_common(sources, history):
        return
    usual = medians(sources, history)
    for file in sources:
        past = history.files[file.path]
        median_fixes, cognitive = usual[size_class(file)], totals[file.path].cognitive
        limit = max(options.min_fixes, options.times_median * median_fixes)
        if len(past.fixes) >= limit and cognitive >= options.min_cognitive:
            yield report(file, cognitive, past, history, limit, median_fixes, options)


def are_fixes_too_common(sources: list[File], history: History) -> bool:
    """Whether so many commits are called fixes that the word says nothing about a file."""
    pasts = [history.files[file.path] for file in sources]
    return sum(len(past.fixes) for past in pasts) > MAX_FIX_SHARE * sum(past.commits_365d for past in pasts)


def size_class(file: File) -> int:
    return sum(file.facts.logic_lines >= limit for limit in SIZE_CLASSES)


def medians(sources: list[File], history: History) -> Mapping[int, int]:
    """The median number of fixes, by size class."""
    by_size: dict[int, list[int]] = {}
    for file in sources:
        by_size.setdefault(size_class(file), []).append(len(history.files[file.path].fixes))
    return {key: int(median(values)) for key, values in by_size.items()}


def report(
    file: File, cognitive: int, past: FileHistory, history: History, limit: int, usual: int, options: Options
) -> Finding:
    fixes = len(past.fixes)
    quoted = "; ".join(f"“{fix.subject[:80]}”" for fix in past.fixes[:MAX_QUOTED_FIXES])
    often = f"files of its size have {usual}" if usual else "most files of its size have none"
    return Finding(
        at_file(file),
        Severity.HIGH if fixes >= options.high_fixes else Severity.MEDIUM,
        f"{fixes} of the {past.commits_365d} commits of the last year here are fixes, where {often}: {quoted}. Edits to this file tend to "
        "miss a case. Read these fixes before the next one, and add a test for each case they name.",
        (
            Signal("repeat_offender", Category.HISTORY, 75, f"{fixes} commits whose subject says fix"),
            Signal("repeat_offender", Category.SYNTAX, 80, f"cognitive complexity {cognitive} in the file"),
        ),
        evidence={
            "fixes_365d": Measure(fixes, limit),
            "median_of_its_size": Measure(usual),
            "commits_365d": Measure(past.commits_365d),
            "cognitive": Measure(cognitive, options.min_cognitive),
            "fixes": Measure(tuple(f"{fix.sha} {fix.subject[:100]}" for fix in past.fixes[:8])),
        },
        undersampled=history.doubts(),
    )


_TOTAL = """def total(rows, discount, rate):
    result = 0
    for row in rows:
        if row.open and not row.hidden:
            if row.kind == 'gift' or discount:
                result += row.price - {n}
            else:
                result += row.price * rate
        elif row.kind == 'return':
            result -= row.price
    return result
"""


def _history(subject: str, times: int = 5, path: str = "shop/total.py") -> tuple[Commit, ...]:
    return (
        Commit(
            "Begin", {path: _TOTAL.format(n=99), "shop/other.py": "def f():\n    return 1\n"}, days_ago=200
        ),
        *(Commit(subject.format(n=n), {path: _TOTAL.format(n=n)}, days_ago=100 - n) for n in range(times)),
        *(
            Commit(f"Add part {n}", {f"shop/part{n}.py": f"def f{n}():\n    return {n}\n"}, days_ago=50 - n)
            for n in range(9)
        ),
    )


DETECTOR = Detector(
    id="repeat_offender",
    title="Repeat offender",
    category="history",
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.HOURS,
    detect=detect,
    needs=(HISTORY, TOTALS),
    options=Options,
    examples=(
        Example(
            "five fixes in a year",
            {"shop/total.py": _TOTAL.format(n=7)},
            finds=("shop/total.py:1",),
            history=_history("Fix rounding of case {n}"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "ten fixes are high",
            {
                "shop/total.ts": "export function total(rows: Row[]) {\n"
                + "  if (rows[0] && rows[1]) { return 1; }\n" * 6
                + "  return 0;\n}\n"
            },
            finds=("shop/total.ts:1",),
            history=_history("fix: case {n}", 10, "shop/total.ts"),
            severity=Severity.HIGH,
        ),
        Example(
            "silent when the commits are no fixes",
            {"shop/total.py": _TOTAL.format(n=7)},
            history=_history("Speak of case {n}"),
        ),
        Example(
            "silent where every commit calls itself a fix",
            {"shop/total.py": _TOTAL.format(n=7)},
            history=tuple(
                Commit(f"fix {n}", {"shop/total.py": _TOTAL.format(n=n)}, days_ago=90 - n) for n in range(12)
            ),
        ),
        Example(
            "silent on a file without logic",
            {"shop/names.py": "def a():\n    return 'a'\n"},
            history=tuple(
                Commit(f"Fix name {n}", {"shop/names.py": f"def a():\n    return '{n}'\n"}, days_ago=60 - n)
                for n in range(6)
            )
            + _history("Speak of case {n}", 9),
        ),
    ),
)
