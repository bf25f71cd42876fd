"""A file is fixed more often than others of its size.

It counts the fixes of the last 365 days and compares the number with the median of source files of the same size in this repository. A fix is a
commit whose subject says that it repairs a fault, and that changed code in this file. A pull request is one fix, however many commits it has. A file
is reported if it had at least four fixes, and at least twice the median. With one fix fewer it is reported if the two years before
had at least twice as many fixes as this limit.

## Why it matters

Each fix means that an earlier edit went wrong here, and what made it go wrong is usually still in the file.

## What to do

Read the latest fixes before you change the file, and add a test for each case they name. Simplify the part that they have in common.

## Before

```text
$ git log --oneline --since="1 year ago" -- shop/total.py
9f21c0a Fix rounding of discounts on gift orders
41d77be Fix total of an empty cart
c0385e2 Fix rounding when a return is included
77ab410 Fix double discount on returned gifts
0b1e9d3 Add gift orders
```

## After

```text
$ git log --oneline --since="1 year ago" -- shop/total.py tests/test_total.py
e4c1b52 Round once, at the end of total()
5d90f1c Test discounts on gifts, returns and empty carts
9f21c0a Fix rounding of discounts on gift orders
41d77be Fix total of an empty cart
c0385e2 Fix rounding when a return is included
```

## What it does not report

- Files that hold little logic: constants, types, lists of names, re-exports.
- A repository in which most commits call themselves a fix: there the word says nothing.
- Commits of bots, merges, and commits that the repository itself declares meaningless.
- Fixes of typos, documents, tests, lint, types, builds and dependencies, judged by the subject.
- Fixes that changed only comments, white space, imports or types of this file, or more than 30 source files.
- Fixes that were reverted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from msgspec.structs import replace

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
    Kind,
    Measure,
    Pass,
    Role,
    Severity,
    Signal,
    at_file,
    count,
    option,
    quotable_subject,
)

SIZE_CLASSES = (100, 300, 800)  # lines of code: larger files are fixed more often
MAX_FIX_SHARE = 0.5  # of the commits: above it, the word says nothing
MAX_QUOTED_FIXES = 2
MAX_SUBJECT_CHARS = 60
MAX_LISTED_FIXES = 8


@dataclass(frozen=True)
class Options:
    min_fixes: int = option(4, "Report files with at least this many fixes in 365 days.")
    times_median: int = option(2, "Report files with at least this many times the median of their size.")
    high_fixes: int = option(10, "The severity is high from this many fixes.")
    min_cognitive: int = option(
        10, "Leave out files whose functions have less cognitive complexity in total."
    )


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
        if len(past.fixes) < limit - 1 or not past.fixes or cognitive < options.min_cognitive:
            continue
        finding = report(file, cognitive, past, history, limit, median_fixes, options)
        if len(past.fixes) < limit:
            finding = doubted(finding, len(past.fixes), len(past.older_fixes), limit, median_fixes)
        yield finding


def doubted(finding: Finding, fixes: int, older: int, limit: int, usual: int) -> Finding:
    """The finding about a file with one fix too few: it is shown if there were many in the two years before."""
    number = count(fixes, "fix", "fixes")
    few = Signal(
        "one fix too few",
        Category.HISTORY,
        45,
        f"{number} in the past year, one fewer than the {limit} that are normally reported",
    )
    return replace(
        finding,
        signals=(few,),
        evidence={**finding.evidence, "older_fixes": Measure(older, 2 * limit)},
        short=f"{number} in the past year and {older} in the two years before (median for files of its size: {usual} a year)",
    )


def fixed_before(scan: Pass, finding: Finding) -> Iterator[Signal]:
    """Evidence for a finding in doubt: the file was fixed as often in the two years before."""
    older = finding.evidence.get("older_fixes")
    if older and older.limit and isinstance(older.value, int) and older.value >= older.limit:
        yield Signal("fixed before", Category.HISTORY, 75, f"{older.value} fixes in the two years before")


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
    subjects = (quotable_subject(fix.subject, MAX_SUBJECT_CHARS) for fix in past.fixes)
    latest = list(dict.fromkeys(subjects))[:MAX_QUOTED_FIXES]  # a subject may be that of several fixes
    quoted = " and ".join(f"“{subject}”" for subject in latest)
    others = f"the median for files of its size is {usual}" if usual else "most files of its size have none"
    median = f"median: {count(usual, 'fix', 'fixes')} a year" if usual else "most have none"
    listed = past.fixes[:MAX_LISTED_FIXES]
    return Finding(
        at_file(file),
        Severity.HIGH if fixes >= options.high_fixes else Severity.MEDIUM,
        f"{fixes} of the {past.commits_365d} commits to this file in the year before {history.reference_time.date()} are fixes, while "
        f"{others}; the latest {'is' if len(latest) == 1 else 'are'} {quoted}.",
        (
            Signal(
                "fixes",
                Category.HISTORY,
                75,
                f"{count(fixes, 'commit')} say that they fix something, and changed code in this file",
            ),
            Signal("complexity", Category.SYNTAX, 80, f"cognitive complexity {cognitive} in the file"),
        ),
        evidence={
            "fixes_365d": Measure(fixes, limit),
            "median_of_its_size": Measure(usual),
            "commits_365d": Measure(past.commits_365d),
            "cognitive": Measure(cognitive, options.min_cognitive),
            "fixes": Measure(
                tuple(f"{fix.sha[:7]} {quotable_subject(fix.subject, MAX_SUBJECT_CHARS)}" for fix in listed),
                items=tuple(
                    {"sha": fix.sha, "date": fix.when.date().isoformat(), "subject": fix.subject}
                    for fix in listed
                ),
            ),
            **left_out(past),
        },
        undersampled=history.doubts(),
        short=f"fixed more often than files of its size ({median})",
    )


def left_out(past: FileHistory) -> dict[str, Measure]:
    """How many commits speak of a fix and do not count, by reason; empty if there are none."""
    if not past.left_out_fixes:
        return {}
    return {
        "not_counted": Measure(
            tuple(f"{number}: {reason}" for reason, number in past.left_out_fixes),
            items=tuple({"commits": number, "reason": reason} for reason, number in past.left_out_fixes),
        )
    }


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
    kind=Kind.PLACE,
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.HOURS,
    detect=detect,
    needs=(HISTORY, TOTALS),
    deferred=(fixed_before,),
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
            "three fixes, after eight in the two years before",
            {"shop/total.py": _TOTAL.format(n=7)},
            finds=("shop/total.py:1",),
            history=(
                Commit("Write it", {"shop/total.py": _TOTAL.format(n=98)}, days_ago=720),
                *(
                    Commit(
                        f"Fix sum of order {n}", {"shop/total.py": _TOTAL.format(n=50 + n)}, days_ago=700 - n
                    )
                    for n in range(8)
                ),
                *_history("Fix rounding of case {n}", 3),
            ),
        ),
        Example(
            "silent when the commits are not fixes",
            {"shop/total.py": _TOTAL.format(n=7)},
            history=_history("Speak of case {n}"),
        ),
        Example(
            "silent on fixes of typos, lint and tests",
            {"shop/total.py": _TOTAL.format(n=7)},
            history=tuple(
                commit
                for what in ("typo", "lint warnings", "flaky test")
                for commit in _history(f"Fix {what} of case {{n}}", 3)
            ),
        ),
        Example(
            "silent on the commits of one pull request",
            {"shop/total.py": _TOTAL.format(n=7)},
            history=_history("Fix rounding of case {n} (#12)", 9),
        ),
        Example(
            "silent on fixes that changed only a comment",
            {"shop/total.py": _TOTAL.format(n=99)},
            history=(
                *_history("Speak of case {n}", 9),
                *(
                    Commit(
                        f"Fix rounding of case {n}",
                        {"shop/total.py": _TOTAL.format(n=8) + f"# case {n}\n"},
                        days_ago=40 - n,
                    )
                    for n in range(6)
                ),
            ),
        ),
        Example(
            "silent on a fix that was reverted",
            {"shop/total.py": _TOTAL.format(n=7)},
            history=(
                *_history("Fix rounding of case {n}", 4),
                Commit('Revert "Fix rounding of case 3"', {"shop/total.py": _TOTAL.format(n=2)}, days_ago=30),
            ),
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
