"""A file was written almost entirely by one person, who has not committed for half a year.

It takes complex files that others import, where at least 80 % of the commits are by one author, and that author has made no commit
anywhere in the repository for 180 days, while others have.

## Why it matters

The people who work here now have hardly changed the file, so questions and reviews have no expert. Nobody knows which parts of it
are intended and which are accidents.

## What to do

Read the history of the file before an edit, write down what you learn, and have a second person review the change. If the author can
still be asked, ask now.

## Before

```text
$ git shortlog -sn -- shop/routing.py
    41  Gwen Marsh
     2  Bea Lindqvist

$ git log -1 --format="%an, %ar" --author=Gwen
Gwen Marsh, 14 months ago
```

## After

```text
$ git shortlog -sn -- shop/routing.py
    41  Gwen Marsh
     8  Cleo Adeyemi
     6  Bea Lindqvist

$ git log -3 --format=%s -- shop/routing.py
Test the order in which routing rules apply
Document why late orders skip the hold rule
Split rule matching from rule loading
```

## What it accepts

- Simple files, and files that hardly anybody imports.
- Files with few commits: one author of three commits is nothing unusual.
- A repository that nobody else works on any more: there every file is an island.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from crimes.api import (
    ANY,
    HISTORY,
    IMPORT_GRAPH,
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
    option,
)

MIN_ACTIVE_OTHERS = 2  # other people with commits since then


@dataclass(frozen=True)
class Options:
    min_share: int = option(
        80, "Report files where one author has at least this share of the commits, in percent."
    )
    min_absent_days: int = option(180, "The author's last commit anywhere is at least this many days old.")
    min_commits: int = option(8, "Leave out files with fewer commits than this.")
    min_cognitive: int = option(
        15, "Leave out files whose hardest function has a lower cognitive complexity."
    )
    min_importers: int = option(5, "Leave out files that fewer source files import.")
    medium_importers: int = option(15, "The severity is medium from this many importers.")


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    history, graph = scan[HISTORY], scan[IMPORT_GRAPH]
    since = history.reference_time - timedelta(days=options.min_absent_days)
    if len(active_authors(history, since)) < MIN_ACTIVE_OTHERS:
        return
    for file in scan.repo.files.values():
        past = history.files[file.path]
        if file.role is not Role.SOURCE or past.commits_3y < options.min_commits or not past.authors:
            continue
        author, commits = past.authors[0]
        last_seen = past.author_last_seen.get(author)
        if 100 * commits < options.min_share * past.commits_3y or last_seen is None or last_seen > since:
            continue
        importers = [path for path in graph.direct(file.path) if scan.repo.files[path].role is Role.SOURCE]
        if hardest(file) >= options.min_cognitive and len(importers) >= options.min_importers:
            yield report(file, past, history, last_seen, len(importers), options)


def active_authors(history: History, since: datetime) -> set[str]:
    """Authors with a commit after `since`."""
    return {
        author
        for past in history.files.values()
        for author, last_seen in past.author_last_seen.items()
        if last_seen > since
    }


def hardest(file: File) -> int:
    functions = (function for function in file.facts.functions if not function.in_test)
    return max((function.cognitive_own for function in functions), default=0)


def report(
    file: File, past: FileHistory, history: History, last_seen: datetime, importers: int, options: Options
) -> Finding:
    author, commits = past.authors[0]
    days_absent = (history.reference_time - last_seen).days
    return Finding(
        at_file(file),
        Severity.MEDIUM if importers >= options.medium_importers else Severity.LOW,
        f"{author} wrote {commits} of the {past.commits_3y} commits to this file in the three years before "
        f"{history.reference_time.date()} and has not committed to this repository for {days_absent} days; {importers} files import it.",
        (
            Signal(
                "knowledge_island",
                Category.HISTORY,
                75,
                f"{commits} of {past.commits_3y} commits by one author",
            ),
            Signal(
                "knowledge_island",
                Category.SYNTAX,
                80,
                f"its hardest function has cognitive complexity {hardest(file)}",
            ),
        ),
        evidence={
            "commits_by_author": Measure(commits),
            "share_percent": Measure(100 * commits // past.commits_3y, options.min_share),
            "days_absent": Measure(days_absent, options.min_absent_days),
            "importers": Measure(importers, options.min_importers),
            "hardest_function": Measure(hardest(file), options.min_cognitive),
        },
        undersampled=history.doubts(),
        short=f"{100 * commits // past.commits_3y} % of its commits by {author}, absent for {days_absent} days",
    )


_CORE = """def route(rows, user):
    for row in rows:
        if row.open:
            for step in row.steps:
                if step.allowed and user.known:
                    if step.once or step.last == {n}:
                        return step
                elif step.late:
                    continue
    return None
"""
_TYPED = """export function route(rows: Row[]) {{
  for (const row of rows) {{
    if (row.open) {{
      for (const step of row.steps) {{
        if (step.allowed && row.known) {{
          if (step.once || step.last === {n}) {{
            return step;
          }}
        }} else if (step.late) {{
          continue;
        }}
      }}
    }}
  }}
}}
"""
_GONE = "Gwen <gwen@example.org>"
_USERS = {f"app/u{n}.py": "from app.core import route\n" for n in range(6)}


def _history(author: str = _GONE, text: str = _CORE) -> tuple[Commit, ...]:
    return (
        *(
            Commit(
                f"Step {n}",
                {"app/core.py": text.format(n=n), "app/__init__.py": ""},
                days_ago=500 - n,
                author=author,
            )
            for n in range(9)
        ),
        Commit("Others go on", {"app/a.py": "a = 1\n"}, days_ago=20, author="Bea <bea@example.org>"),
        Commit("And on", {"app/b.py": "b = 1\n"}, days_ago=10, author="Cleo <cleo@example.org>"),
    )


DETECTOR = Detector(
    id="knowledge_island",
    title="Knowledge island",
    category="history",
    kind=Kind.PLACE,
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.HOURS,
    detect=detect,
    needs=(HISTORY, IMPORT_GRAPH),
    options=Options,
    default=False,  # five of eight were worth reading: commits to other files are no knowledge of this one
    examples=(
        Example(
            "a file whose only author left",
            {**_USERS, "app/core.py": _CORE.format(n=8)},
            finds=("app/core.py:1",),
            history=_history(),
            severity=Severity.LOW,
        ),
        Example(
            "the same in TypeScript, with many importers",
            {
                **{f"app/u{n}.ts": "import { route } from './core';\nroute([]);\n" for n in range(15)},
                "app/core.ts": _TYPED.format(n=8),
            },
            finds=("app/core.ts:1",),
            history=(
                *(
                    Commit(f"Step {n}", {"app/core.ts": _TYPED.format(n=n)}, days_ago=500 - n, author=_GONE)
                    for n in range(9)
                ),
                *_history()[9:],
            ),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent while the author is active",
            {**_USERS, "app/core.py": _CORE.format(n=8)},
            history=(*_history(), Commit("Back", {"app/c.py": "c = 1\n"}, days_ago=5, author=_GONE)),
        ),
        Example(
            "silent on a simple file",
            {**_USERS, "app/core.py": "def route(n):\n    return 8\n"},
            history=_history(text="def route(n):\n    return {n}\n"),
        ),
        Example(
            "silent when nobody imports it",
            {"app/core.py": _CORE.format(n=8)},
            history=_history(),
        ),
        Example(
            "silent when others changed it too",
            {**_USERS, "app/core.py": _CORE.format(n=8)},
            history=(
                *_history(),
                *(
                    Commit(f"More {n}", {"app/core.py": _CORE.format(n=n + 20)}, days_ago=9 - n)
                    for n in range(5)
                ),
            ),
        ),
        Example(
            "silent in a repository that only one person works on",
            {**_USERS, "app/core.py": _CORE.format(n=8)},
            history=_history()[:9],
        ),
    ),
)
