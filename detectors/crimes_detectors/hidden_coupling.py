"""Files keep changing together although no import connects them.

It looks at the commits of one year, without merges, bots and commits of more than 30 files.

## Why it matters

Nothing in the code connects these files, so an edit to one easily leaves the others behind and everything still builds. Search,
types and "find usages" do not lead from one to the other.

## What to do

Edit them together, and extract what they repeat into a file that each of them imports. If one has to follow the other, say so in a
comment in both, or write a test that fails when they differ.

## Before

```console
$ git log --oneline --name-only -- export.py report.py
8a41c07 Add the tax column
export.py
report.py
5d0e9b2 Rename price to amount
export.py
report.py
$ grep -n "^COLUMNS" export.py report.py
export.py:1:COLUMNS = ["date", "amount", "tax"]
report.py:1:COLUMNS = ["date", "amount", "tax"]
```

## After

```python
# columns.py
COLUMNS = ["date", "amount", "tax"]

# export.py
from columns import COLUMNS

# report.py
from columns import COLUMNS
```

## What it does not report

- A file and its test, and tests among themselves.
- Files that an import path connects, in either direction and over any number of files.
- A package file or barrel and the files beside it, and package files among themselves; a file and those in the folder with its
  name.
- A file whose code names the other, outside comments: it writes or reads that file, as a generator does.
- Files that carry the version number: releases change them together.
- Generated and vendored files, also those that only their name gives away; documents and examples.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from msgspec.structs import replace

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
    Finding,
    History,
    Kind,
    Measure,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    count,
    option,
    regex,
)

ROLES = frozenset({Role.SOURCE, Role.SCRIPT, Role.CONFIG})
BARREL = regex(r"(^|/)(__init__\.pyi?|index\.[cm]?[jt]sx?|(mod|lib|main)\.rs)$")
# Files with version numbers, build files included: they change together with every release.
VERSIONED = regex(
    r"(?i)(^|[/._-])(_*versions?_*|__about__|setup|dependencies|libs)\.\w+$|\.sbt$|\.gradle(\.kts)?$",
    within=300,
)
GENERATED = regex(r"(?i)(^|[/._-])(build|dist|gen|codegen|generated|migrations)([/._-])")
TEST_LIKE = regex(r"(?i)test[^/]*\.\w+$", within=300)

MAX_NAMED = 4  # files, in a fact
MIN_DOUBTFUL_TOGETHER = 4  # commits in a year, where older commits have to confirm what they suggest
MIN_LONG_TOGETHER = 6  # commits in three years
MAX_COMPANIONS = 40
MIN_COMMITS = 10  # in a year: with fewer, a high share may be chance

Pairs = Mapping[tuple[str, str], int]  # sorted pair -> commits that changed both


@dataclass(frozen=True)
class Options:
    min_together: int = option(
        6, "Report files that changed together in at least this many commits in a year."
    )
    min_share: int = option(
        50, "The smallest share of the commits to the less often changed file, in percent."
    )


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    history, graph = scan[HISTORY], scan[IMPORT_GRAPH]
    files = scan.repo.files
    pairs = {
        pair: count
        for pair, count in history.together.items()
        if count >= min(options.min_together, MIN_DOUBTFUL_TOGETHER)
        and share(pair, count, history) >= options.min_share
        and all(path in files and may_couple(files[path]) for path in pair)
        and not is_package_of(*pair)
        and not graph.connected(*pair)
        and not mentions(scan, *pair)
        and not mentions(scan, *reversed(pair))
    }
    often = {pair: count for pair, count in pairs.items() if count >= options.min_together}
    for members in groups(often):
        yield report(members, often, history, options)
    covered = {path for pair in often for path in pair}
    for pair, commits in sorted(pairs.items()):
        if covered.isdisjoint(pair):
            few = Signal("few commits", Category.HISTORY, 45, f"only {commits} commits changed them together")
            yield replace(report(pair, pairs, history, options), signals=(few,))


def together_for_longer(scan: Pass, finding: Finding) -> Iterator[Signal]:
    """Evidence for a finding in doubt: most commits of three years to the one file changed the other as well."""
    files = finding.evidence["files"].value
    path, other = files if isinstance(files, tuple) and len(files) == 2 else ("", "")
    companions = scan[HISTORY].changes.companions(path, {}, MAX_COMPANIONS).likely
    for companion in companions:
        is_half = 2 * companion.commits >= companion.of
        if companion.path == other and companion.commits >= MIN_LONG_TOGETHER and is_half:
            reason = (
                f"{companion.commits} of the newest {companion.of} commits to {path} changed {other} as well"
            )
            yield Signal("together for longer", Category.HISTORY, 75, reason)


def may_couple(file: File) -> bool:
    return (
        file.role in ROLES
        and file.facts.logic_lines > 0
        and not any(kind.search(file.path) for kind in (VERSIONED, GENERATED, TEST_LIKE))
    )


def share(pair: tuple[str, str], count: int, history: History) -> int:
    """The percentage of the rarer file's commits that changed both."""
    return 100 * count // min(history.pair_commits[path] for path in pair)


def is_package_of(first: str, second: str) -> bool:
    """Whether one is the package file of the other, or a file in the folder named after it."""
    if (
        posixpath.splitext(first)[0] == posixpath.dirname(second)
        or posixpath.dirname(first) == posixpath.splitext(second)[0]
    ):
        return True
    barrels = bool(BARREL.search(first)) + bool(BARREL.search(second))
    return barrels == 2 or (barrels == 1 and posixpath.dirname(first) == posixpath.dirname(second))


def mentions(scan: Pass, path: str, other: str) -> bool:
    """Whether the code of a file has the other's name in it, outside comments."""
    name = re.compile(rf"(?<![\w.-]){re.escape(posixpath.basename(other))}(?![\w-])")
    lines = scan.repo.read(path).decode("utf-8", "replace").split("\n")
    line_numbers = {number for number, line in enumerate(lines, 1) if name.search(line)}
    for comment in scan.repo.files[path].facts.comments:
        line_numbers.difference_update(range(comment.line, comment.end + 1))
    return bool(line_numbers)


def groups(pairs: Pairs) -> list[tuple[str, ...]]:
    """Connected files of one folder, and cliques across folders; each pair is in one group."""
    beside = [pair for pair in pairs if posixpath.dirname(pair[0]) == posixpath.dirname(pair[1])]
    in_folders = connected(beside)
    covered = {pair for members in in_folders for pair in combinations(members, 2)}
    return sorted(in_folders + cliques({pair: count for pair, count in pairs.items() if pair not in covered}))


def connected(pairs: list[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Sets of files connected by a chain of pairs."""
    parent: dict[str, str] = {}

    def root(path: str) -> str:
        while parent.setdefault(path, path) != path:
            parent[path] = path = parent[parent[path]]
        return path

    for first, second in sorted(pairs):
        parent[root(first)] = root(second)
    sets: dict[str, list[str]] = {}
    for path in sorted(parent):
        sets.setdefault(root(path), []).append(path)
    return [tuple(members) for members in sets.values()]


def cliques(pairs: Pairs) -> list[tuple[str, ...]]:
    """Files that all change with each other, strongest pairs first; each pair is in one group."""
    left = set(pairs)
    names = sorted({path for pair in pairs for path in pair})
    result: list[tuple[str, ...]] = []
    for pair in sorted(pairs, key=lambda pair: (-pairs[pair], pair)):
        if pair in left:
            members = list(pair)
            for name in names:
                if name not in members and left.issuperset(
                    (min(name, member), max(name, member)) for member in members
                ):
                    members.append(name)
            left.difference_update(combinations(sorted(members), 2))
            result.append(tuple(sorted(members)))
    return result


def report(members: tuple[str, ...], pairs: Pairs, history: History, options: Options) -> Finding:
    """Placed at the first file by name: unlike the rarest one, that does not change with new commits."""
    member_pairs = [pair for pair in combinations(members, 2) if pair in pairs]
    counts = sorted(pairs[pair] for pair in member_pairs)
    percent = min(share(pair, pairs[pair], history) for pair in member_pairs)
    first, others = members[0], members[1:]
    more = f" and {count(len(others) - 1, 'more file')}" if len(others) > 1 else ""
    until = history.reference_time.date()
    return Finding(
        Place(first, 1, 1),
        Severity.MEDIUM,
        fact(others, counts, percent, until),
        (
            Signal("changed together", Category.HISTORY, 75, f"{counts[-1]} commits changed them together"),
            Signal("no import path", Category.GRAPH, 80, "no import path connects them in either direction"),
        ),
        evidence={
            "commits_together": Measure(counts[0], options.min_together),
            "share_percent": Measure(percent, options.min_share),
            "files": Measure(members),
        },
        related=tuple(Related(Place(path, 1, 1), "changes together with this file") for path in others),
        undersampled=(*few_commits(members, history), *history.doubts()),
        discriminator=others[0],
        short=f"changed with {others[0]}{more} in {count(counts[0], 'commit')} in the year before {until}",
    )


def fact(others: tuple[str, ...], counts: list[int], percent: int, until: date) -> str:
    """One sentence: which files changed together with this one, how often, and that no import connects them."""
    more = len(others) - MAX_NAMED
    names = ["This file", *(f"`{path}`" for path in others[:MAX_NAMED])]
    last = f"{more} more" if more > 0 else names.pop()
    files = f"{', '.join(names)} and {last}"
    if len(others) == 1:
        return (
            f"{files} changed together in {counts[0]} commits in the year before {until} "
            f"({percent}% of those to the less often changed file), and no import path connects them."
        )
    span = f"{counts[0]} to {counts[-1]}" if counts[0] < counts[-1] else str(counts[0])
    return (
        f"{files} changed together in {span} commits per pair in the year before {until}, "
        f"in {len(counts)} pairs that no import path connects."
    )


def few_commits(members: tuple[str, ...], history: History) -> Iterator[str]:
    fewest = min(history.pair_commits[path] for path in members)
    if fewest < MIN_COMMITS:
        yield f"the least often changed of them has {fewest} commits in a year"


def _changes(paths: tuple[str, ...], times: int, line: str) -> tuple[Commit, ...]:
    return tuple(
        Commit(f"Change {n}", {path: line.format(n=n) for path in paths}, days_ago=times + 5 - n)
        for n in range(times)
    )


DETECTOR = Detector(
    id="hidden_coupling",
    title="Hidden coupling between files",
    category="dependencies",
    kind=Kind.PLACE,
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.HOURS,
    detect=detect,
    needs=(HISTORY, IMPORT_GRAPH),
    deferred=(together_for_longer,),
    options=Options,
    examples=(
        Example(
            "two Python modules that change together",
            {"export.py": "FIELDS = 0\n", "report.py": "FIELDS = 0\n", "other.py": "x = 1\n"},
            finds=("export.py:1",),
            history=_changes(("export.py", "report.py"), 6, "FIELDS = {n}\n"),
        ),
        Example(
            "five TypeScript adapters are reported once",
            {
                f"src/{name}.ts": "export const limit = 99;\n"
                for name in ("chat", "mail", "push", "slack", "sms")
            },
            finds=("src/chat.ts:1",),
            history=_changes(
                ("src/chat.ts", "src/mail.ts", "src/push.ts", "src/slack.ts", "src/sms.ts"),
                6,
                "export const limit = {n};\n",
            ),
        ),
        Example(
            "silent when an import path connects them",
            {"a.py": "import b\n", "b.py": "import c\n", "c.py": "x = 9\n"},
            history=_changes(("a.py", "c.py"), 6, "x = {n}\n"),
        ),
        Example(
            "silent on a script and the file that it writes",
            {
                "sponsors/pull.ts": "const to = __dirname + '/output.ts';\nwrite(to, 99);\n",
                "sponsors/output.ts": "export const all = 99;\n",
            },
            history=_changes(("sponsors/pull.ts", "sponsors/output.ts"), 6, "export const all = {n};\n"),
        ),
        Example(
            "a comment that names the other is no link",
            {"a.py": "x = 99\n", "b.py": "# as in a.py\nx = 99\n"},
            finds=("a.py:1",),
            history=_changes(("a.py", "b.py"), 6, "x = {n}\n"),
        ),
        Example(
            "silent on a file and its test, on documents, and on version files",
            {
                "pkg/tool.py": "x = 9\n",
                "tests/test_tool.py": "def test():\n    assert 9\n",
                "README.md": "9\n",
                "pkg/_version.py": "v = 9\n",
            },
            history=_changes(
                ("pkg/tool.py", "tests/test_tool.py", "README.md", "pkg/_version.py"), 6, "x = {n}\n"
            ),
        ),
        Example(
            "silent on a barrel and the files beside it",
            {"src/index.ts": "export const a = 9;\n", "src/b.ts": "export const b = 9;\n"},
            history=_changes(("src/index.ts", "src/b.ts"), 6, "export const x = {n};\n"),
        ),
        Example(
            "pairs in one folder are reported once",
            {f"plugins/{name}.py": "x = 99\n" for name in ("age", "price", "volume")},
            finds=("plugins/age.py:1",),
            history=(
                *_changes(("plugins/age.py", "plugins/price.py"), 6, "x = {n}\n"),
                *_changes(("plugins/price.py", "plugins/volume.py"), 6, "y = {n}\n"),
            ),
        ),
        Example(
            "silent on two package files",
            {"a/__init__.py": "v = 99\n", "b/__init__.py": "v = 99\n"},
            history=_changes(("a/__init__.py", "b/__init__.py"), 6, "v = {n}\n"),
        ),
        Example(
            "silent when each mostly changes alone",
            {"a.py": "x = 99\n", "b.py": "x = 98\n"},
            history=(
                *_changes(("a.py", "b.py"), 6, "x = {n}\n"),
                *_changes(("a.py",), 9, "y = {n}\n"),
                *_changes(("b.py",), 9, "y = {n}\n"),
            ),
        ),
        Example(
            "silent under six commits",
            {"a.py": "x = 99\n", "b.py": "x = 99\n"},
            history=_changes(("a.py", "b.py"), 4, "x = {n}\n"),
        ),
    ),
)
