"""A complex file that changes or is fixed often has no test.

It takes the tenth of the source files with the most commits in 90 days or the most fixes in a year, and of those the
complex ones that no test imports or is named after.

## Why it matters

The next edit is most likely to be here, and no test will notice when it breaks something.

## What to do

Before you change the file, write a test that pins its current behaviour, starting with its most complex function.

## Before

```text
$ git log --oneline --since="90 days ago" -- shop/routing.py | wc -l
14
$ git log --oneline --since="1 year ago" -i --grep=fix -- shop/routing.py | wc -l
5
$ grep -rl routing tests
$
```

## After

```python
# tests/test_routing.py
import pytest
from shop.routing import route

@pytest.mark.parametrize(
    ("order", "rule"),
    [(PAID_AND_LATE, SHIP_FIRST), (UNPAID, None), (GIFT, SHIP_WRAPPED)],
)
def test_route_picks_the_first_rule_that_applies(order, rule):
    assert route(order, RULES) == rule
```

## What it does not report

- A file of which coverage data show that at least half ran, and half of its hardest function. Where less of that function
  ran, it is one step lower; where no line of it ran, the confidence is higher. Data older than the file count for nothing.
- A file whose importer a test imports, or that tests reach through other files: they run it. With `max_far_tests`, a file
  that no more tests than that reach is reported one step lower.
- A file whose name also belongs to a test, a folder of tests, or an unresolved import of a test: it is likely to be about
  this file.
- C and C++ in a repository whose tests are mostly in another language: they run it through a binding.
- A repository whose tests start the program (subprocesses, `assert_cmd`, `supertest`, a runner of commands) or are scripts of another
  language, such as Tcl, shell or Robot: they import nothing, and run everything.
- Where the repository has end-to-end, system or acceptance tests, or a single test that starts a program, it is one step lower;
  there it has to be both busy and often fixed.
- A file with a test of its own package beside it.
- Simple files, without a complex function.
- In a repository without any test, only the hottest file is reported, and the next ones are listed with it.
- Quiet files, in a repository where the busiest tenth is quiet too.
- Scripts, examples, generated and vendored files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from msgspec import Struct

from crimes.api import (
    ANY,
    COVERAGE,
    HISTORY,
    IMPORT_GRAPH,
    TEST_MAP,
    TOTALS,
    Category,
    Commit,
    Coverage,
    Detector,
    Effort,
    Example,
    File,
    FileFacts,
    FileHistory,
    Finding,
    Function,
    ImportGraph,
    Kind,
    LineCount,
    Measure,
    Pass,
    Related,
    Role,
    Severity,
    Signal,
    TestMap,
    at_file,
    at_function,
    count,
    option,
    per_file,
    regex,
)

END_TO_END_PATH = regex(
    r"(^|/)(e2e|cypress|playwright|end[-_]to[-_]end)(/|[.-])|[.-](e2e|cy)\.\w+$"
    r"|(^|/)(specs?|tests?)/(system|acceptance|features?|functional|integration\w*)/"
)
# Tests in languages that nothing here reads, in a folder of tests.
SCRIPTED_TEST = regex(
    r"(^|/)(?:tests?|specs?|testsuite|integration[-_]?tests?|t)/(?:.*/)?[^/]+\.(?:tcl|sh|bash|bats|t|exp|robot|feature|hurl|pl|txtar|cram)$"
)
# Calls of tests that start a program, whatever the language, and libraries made for that.
STARTS_PROGRAM = regex(
    r"(?:^|\b)subprocess\.(?:run|call|Popen|check_\w+)$|(?:^|\.)create_subprocess_\w+$|(?:^|\.)(?:spawn|spawnSync|execFile|execFileSync|execa)$"
    r"|^exec\.Command(?:Context)?$|(?:^|::)(?:cargo_bin|Command::new)$|(?:^|\.)ProcessBuilder$|(?:^|\.)Open3\.\w+$|^Process\.Start$|^proc_open$"
)
PROGRAM_RUNNERS = regex(
    r"^(?:supertest|assert_cmd|snapbox|trycmd|execa|pexpect|cli-testing-library|aruba|click\.testing|typer\.testing|cobra/testing)\b"
    r"|\btestscript$"
)
MIN_SCRIPTED_TESTS = 3
MIN_STARTING_TESTS = 2  # of the test files; and a twentieth of them
NATIVE = ("c", "cpp")  # other languages call these through a binding
TEST_FOLDER = regex(r"(?:^|/)(?:__tests__|specs?|tests?|testsuite)/(.+)$", re.IGNORECASE)
TEST_AFFIX = regex(r"^(?:test|spec)[-_.]?|[-_.]?(?:tests?|specs?)$", re.IGNORECASE)
FOLDER_MODULES = frozenset({"__init__", "index", "lib", "main", "mod", "plugin"})  # named after their folder

MAX_OTHERS = 9  # listed with the hottest file if there are no tests at all
MAX_LAST_FIXES = 3
MIN_FILES = 20  # a tenth of fewer is one file at most


@dataclass(frozen=True)
class Options:
    min_commits: int = option(5, "A file is busy from this many commits in 90 days.")
    min_fixes: int = option(3, "A file is often fixed from this many fixes in a year.")
    min_cognitive: int = option(10, "A file is complex if a function has at least this cognitive complexity.")
    max_far_tests: int = option(0, "Leave out files that more tests than this reach through other files.")


class Limits(Struct, frozen=True):
    """The numbers of the upper tenth, but at least those of the options."""

    commits: int
    fixes: int
    doubts: tuple[str, ...]  # about the size of the sample
    date: str  # up to which commits are counted


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    history, graph, tests = scan[HISTORY], scan[IMPORT_GRAPH], scan[TEST_MAP]
    totals, coverage = scan[TOTALS], scan.get(COVERAGE)
    starters = scan[STARTERS]
    starting = sum(path in starters for path in tests.test_files)
    if coverage is None and (
        runs_all(starting, len(tests.test_files)) or has_scripted_tests(scan.repo.paths)
    ):
        return
    sources = [file for file in scan.repo.files.values() if file.role is Role.SOURCE and file.path in totals]
    pasts = {file.path: history.files[file.path] for file in sources}
    limits = Limits(
        max(options.min_commits, upper_tenth([past.commits_90d for past in pasts.values()])),
        max(options.min_fixes, upper_tenth([len(past.fixes) for past in pasts.values()])),
        (*few_files(len(sources)), *history.doubts()),
        history.reference_time.date().isoformat(),
    )
    untested = Untested(
        graph,
        tests,
        frozenset(tests.test_files),
        starting > 0 or any(map(END_TO_END_PATH.search, tests.test_files)),
        coverage,
        frozenset(
            (path.rpartition("/")[0], package)
            for path in tests.test_files
            for package in scan.repo.files[path].facts.packages
        ),
    )
    native = [path for path in tests.test_files if scan.repo.files[path].language in NATIVE]
    native_by_binding = 2 * len(native) < len(tests.test_files)
    hotspots = []
    for file in sources:
        if native_by_binding and file.language in NATIVE:
            continue
        past = pasts[file.path]
        busy, fixed = past.commits_90d >= limits.commits, len(past.fixes) >= limits.fixes
        hot = (busy and fixed) if untested.end_to_end else (busy or fixed)
        if (
            hot
            and totals[file.path].hardest >= options.min_cognitive
            and untested.is_untested(file, options.max_far_tests)
        ):
            hotspots.append(file)
    tested_names = names_in_tests(scan.repo.files, tests.test_files) if hotspots else ()
    hotspots = [file for file in hotspots if name_of(file.path) not in tested_names]
    if not tests.test_files and untested.coverage is None and hotspots:
        # A repository without tests is one problem: report it once, at the hottest file.
        hotspots.sort(key=lambda file: -pasts[file.path].commits_90d - len(pasts[file.path].fixes))
        yield report(
            hotspots[0], pasts[hotspots[0].path], limits, options, untested, hotspots[1 : 1 + MAX_OTHERS]
        )
        return
    for file in hotspots:
        yield report(file, pasts[file.path], limits, options, untested)


def starts_program(facts: FileFacts) -> bool | None:
    """True if a test starts a program or asks a running one."""
    runs = any(PROGRAM_RUNNERS.search(item.target) for item in facts.imports)
    return True if runs or any(is_start(call.target) for call in facts.calls) else None


@cache  # the same few names are called again and again
def is_start(target: str) -> bool:
    return STARTS_PROGRAM.search(target) is not None


STARTERS = per_file("untested_hotspot.starters", bool, starts_program, roles=frozenset({Role.TEST}))


def runs_all(starting: int, test_files: int) -> bool:
    """Whether so many tests start a program that any file may be run by one."""
    return starting >= MIN_STARTING_TESTS and 20 * starting >= test_files


def has_scripted_tests(paths: Iterable[str]) -> bool:
    return sum(1 for path in paths if SCRIPTED_TEST.search(path)) >= MIN_SCRIPTED_TESTS


def few_files(number: int) -> Iterator[str]:
    if number < MIN_FILES:
        yield f"only {number} source files are compared"


def upper_tenth(numbers: list[int]) -> int:
    """The number that a tenth of them reach or exceed."""
    return sorted(numbers, reverse=True)[(len(numbers) - 1) // 10] if numbers else 0


def names_in_tests(files: Mapping[str, File], tests: Sequence[str]) -> frozenset[str]:
    """Names of tests, of their folders below a test folder, and of what they import."""
    names: set[str] = set()
    for path in tests:
        in_test_folder = TEST_FOLDER.search(path)
        folders = in_test_folder[1].split("/")[:-1] if in_test_folder else []
        imported = [re.split(r"[/.:\\]+", item.target)[-1] for item in files[path].facts.imports]
        names.update(
            *map(endings, (*folders, path.rpartition("/")[2].split(".", 1)[0])), map(normalised, imported)
        )
    return frozenset(names - {""})


def endings(name: str) -> Iterator[str]:
    """The name and its endings: `cargo_tree` is about `tree`, too."""
    words = re.split(r"[-_]", TEST_AFFIX.sub("", name))
    return (normalised("_".join(words[at:])) for at in range(len(words)))


def name_of(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.split(".", 1)[0]
    return normalised(folder.rpartition("/")[2] if stem in FOLDER_MODULES else stem)


def normalised(name: str) -> str:
    """A name without affixes and case: `cart-view`, `CartView` and `test_cart_view` are the same."""
    return re.sub(r"[-_]", "", TEST_AFFIX.sub("", name)).lower()


def hardest(file: File) -> Function:
    return max(file.facts.functions, key=lambda function: (function.cognitive_own, -function.start))


class Run(Struct, frozen=True):
    """Lines that ran under the tests: of the file, and of its hardest function."""

    file: LineCount
    hardest: LineCount


class Untested(Struct, frozen=True):
    """What is known about the tests, to tell whether one runs a file."""

    graph: ImportGraph
    tests: TestMap
    files: frozenset[str]
    end_to_end: bool
    coverage: Coverage | None
    packages: frozenset[tuple[str, str]] = frozenset()  # folder and package of each test

    def is_untested(self, file: File, max_far: int) -> bool:
        """Whether no test imports it or one of its importers, or is named after it, and few reach it at all."""
        path = file.path
        run = self.run(file)
        if self.tests.gap(path) < 100 or (not run and self.tests.of[path].transitive > max_far):
            return False
        if run and 2 * run.file.covered >= run.file.total and 2 * run.hardest.covered >= run.hardest.total:
            return False
        folder = path.rpartition("/")[0]
        if not run and any((folder, package) in self.packages for package in file.facts.packages):
            return False
        return not any(
            self.files.intersection(self.graph.direct(importer)) for importer in self.graph.direct(path)
        )

    def run(self, file: File) -> Run | None:
        """The covered lines; None without current coverage data of its hardest function."""
        known = self.coverage.files.get(file.path) if self.coverage else None
        if known is None or known.stale:
            return None
        body = known.body(hardest(file))
        return Run(known.ran, body) if body.total else None

    def doubt(self, file: File) -> str:
        """Why it may be tested after all; empty if there is no reason."""
        run = self.run(file)
        if run and run.hardest.covered:
            return f"coverage data: {run.hardest.covered} of {run.hardest.total} lines of `{hardest(file).name}` ran"
        far = self.tests.of[file.path].transitive
        if far and not run:
            return f"{far} {'test reaches' if far == 1 else 'tests reach'} it through other files"
        return (
            "the repository has tests that start the program, which import nothing" if self.end_to_end else ""
        )


def report(
    file: File,
    past: FileHistory,
    limits: Limits,
    options: Options,
    untested: Untested,
    others: Sequence[File] = (),
) -> Finding:
    busy, fixed = past.commits_90d >= limits.commits, len(past.fixes) >= limits.fixes
    doubt, run, hardest_function = untested.doubt(file), untested.run(file), hardest(file)
    severity = Severity.HIGH if busy and fixed else Severity.MEDIUM
    if doubt:
        severity = Severity.MEDIUM if severity is Severity.HIGH else Severity.LOW
    opening = (
        "No test imports this file or is named after it; it"
        if untested.files or (run and run.file.covered)
        else "This repository has no tests; this file"
    )
    never_ran = " and never ran according to the coverage data" if run and not run.hardest.covered else ""
    commits = f"{count(past.commits_90d, 'commit')} in the 90 days" if past.commits_90d else ""
    fixes = f"{count(len(past.fixes), 'fix', 'fixes')} in the year" if past.fixes else ""
    changes = " and ".join(filter(None, (commits, fixes)))
    last_fixes = past.fixes[:MAX_LAST_FIXES]
    return Finding(
        at_file(file),
        severity,
        f"{opening} has {changes} before {limits.date}, and `{hardest_function.name}` has cognitive complexity "
        f"{hardest_function.cognitive_own}{never_ran}.",
        signals(past, doubt, run, limits.date if fixed else "", len(untested.files)),
        evidence={
            "commits_90d": Measure(past.commits_90d, limits.commits),
            "fixes_365d": Measure(len(past.fixes), limits.fixes),
            "hardest_function": Measure(hardest_function.cognitive_own, options.min_cognitive),
            "logic_lines": Measure(file.facts.logic_lines),
            "last_fixes": Measure(
                tuple(fix.subject for fix in last_fixes),
                items=tuple(
                    {"sha": fix.sha, "date": fix.when.date().isoformat(), "subject": fix.subject}
                    for fix in last_fixes
                ),
            ),
            **ran_evidence(run),
        },
        related=(
            Related(at_function(file, hardest_function), "the hardest function: start here"),
            *(Related(at_file(other), "another hotspot without a test") for other in others),
        ),
        notes=(f"{doubt}: lowered one step",) if doubt else (),
        undersampled=limits.doubts,
        short=f"no test imports it, and `{hardest_function.name}` has complexity {hardest_function.cognitive_own}",
    )


def ran_evidence(run: Run | None) -> dict[str, Measure]:
    if run is None:
        return {}
    return {
        "lines_run": Measure(run.file.covered),
        "lines_known": Measure(run.file.total),
        "hardest_lines_run": Measure(run.hardest.covered),
        "hardest_lines_known": Measure(run.hardest.total),
    }


def signals(
    past: FileHistory, doubt: str, run: Run | None, fixed_until: str, test_files: int
) -> tuple[Signal, ...]:
    """Evidence that it is complex and untested; how often it changes is risk, which the scores count.

    That no test imports it and that none reaches it is one fact; only coverage data say more than imports.
    """
    result = [
        Signal("complexity", Category.SYNTAX, 80, "complexity measured on the syntax tree"),
        tests_signal(doubt, run, test_files),
    ]
    if run and not run.hardest.covered and not doubt:
        result.append(Signal("imports", Category.GRAPH, 80, "no test imports it or one of its importers"))
    if fixed_until:
        result.append(
            Signal(
                "fixes",
                Category.HISTORY,
                75,
                f"{count(len(past.fixes), 'fix', 'fixes')} in the year before {fixed_until}",
            )
        )
    return tuple(result)


def tests_signal(doubt: str, run: Run | None, test_files: int) -> Signal:
    """Coverage data outweigh the import graph."""
    if run and not run.hardest.covered:
        reason = f"coverage data: none of the {run.hardest.total} lines of its hardest function ran"
        return Signal("coverage", Category.TESTS, 93, reason)
    if doubt:
        most_ran = run is not None and 2 * run.hardest.covered >= run.hardest.total
        return Signal("ran" if most_ran else "may run", Category.TESTS, 15 if most_ran else 30, doubt)
    return Signal(
        "no test reaches it",
        Category.TESTS,
        80,
        f"no test imports it or one of its importers, or reaches it ({count(test_files, 'test file')} in the repository)",
    )


_COMPLEX = """\
def route(order, rules):
    for rule in rules:
        if rule.active:
            if rule.kind == "ship" and order.paid:
                if order.late or order.gift:
                    return rule
            elif rule.kind == "hold":
                return None
    return {n}
"""
_COMPLEX_TS = """\
export function route(order: Order, rules: Rule[]) {{
  for (const rule of rules) {{
    if (rule.active) {{
      if (rule.kind === 'ship' && order.paid) {{
        if (order.late || order.gift) {{
          return rule;
        }}
      }} else if (rule.kind === 'hold') {{
        return null;
      }}
    }}
  }}
  return {n};
}}
"""
_COMPLEX_C = """\
int route(struct order *order, struct rule *rules, int many) {{
  for (int n = 0; n < many; n++) {{
    if (rules[n].active) {{
      if (rules[n].ship && order->paid) {{
        if (order->late || order->gift) {{
          return n;
        }}
      }} else if (rules[n].hold) {{
        return -1;
      }}
    }}
  }}
  return {n};
}}
"""
_QUIET = {f"quiet/m{n}.py": "def f():\n    return 1\n" for n in range(10)}


def _coverage(path: str, executed: tuple[int, ...], missing: tuple[int, ...]) -> str:
    """A coverage.json of one file."""
    lines = f'"executed_lines": {list(executed)}, "missing_lines": {list(missing)}'
    return f'{{"meta": {{}}, "files": {{"{path}": {{{lines}}}}}}}'


def _changes(path: str, text: str, times: int, message: str) -> tuple[Commit, ...]:
    return tuple(
        Commit(f"{message}, part {n + 1}", {path: text.format(n=n)}, days_ago=60 - n) for n in range(times)
    )


# What a comment has to say to settle a finding in doubt.
DETECTOR = Detector(
    id="untested_hotspot",
    title="Untested hotspot",
    category="tests",
    kind=Kind.PLACE,
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.HOURS,
    detect=detect,
    needs=(HISTORY, IMPORT_GRAPH, TEST_MAP, TOTALS, STARTERS),
    wants=(COVERAGE,),
    options=Options,
    examples=(
        Example(
            "a complex Python file that changes often",
            {**_QUIET, "route.py": _COMPLEX.format(n=99), "tests/test_m1.py": "from quiet import m1\n"},
            finds=("route.py:1",),
            history=_changes("route.py", _COMPLEX, 6, "Reword the rules"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a complex TypeScript file that changes often and keeps being fixed",
            {**_QUIET, "src/route.ts": _COMPLEX_TS.format(n=99)},
            finds=("src/route.ts:1",),
            history=_changes("src/route.ts", _COMPLEX_TS, 6, "Fix late orders"),
            severity=Severity.HIGH,
        ),
        Example(
            "one finding in a repository without tests",
            {**_QUIET, "route.py": _COMPLEX.format(n=99), "later.py": _COMPLEX.format(n=99)},
            finds=("route.py:1",),
            history=(
                *_changes("route.py", _COMPLEX, 7, "Fix late orders"),
                *_changes("later.py", _COMPLEX, 6, "Fix early orders"),
            ),
            severity=Severity.HIGH,
        ),
        Example(
            "one step lower when tests reach it through a chain",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "near.py": "import route\n",
                "far.py": "import near\n",
                "tests/test_far.py": "import far\n",
            },
            options={"max_far_tests": 1},
            finds=("route.py:1",),
            history=_changes("route.py", _COMPLEX, 6, "Reword the rules"),
            severity=Severity.LOW,
        ),
        Example(
            "one step lower where end-to-end tests may run it",
            {
                **_QUIET,
                "src/route.ts": _COMPLEX_TS.format(n=99),
                "e2e/shop.spec.ts": "test('shops', () => {});\n",
            },
            finds=("src/route.ts:1",),
            history=_changes("src/route.ts", _COMPLEX_TS, 6, "Fix late orders"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent where tests start the program",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "tests/test_cli.py": "import subprocess\n\n\ndef test_cli():\n    assert subprocess.run(['shop'])\n",
                "tests/test_web.py": "import subprocess\n\n\ndef test_web():\n    assert subprocess.Popen(['shop'])\n",
            },
            history=_changes("route.py", _COMPLEX, 6, "Fix late orders"),
        ),
        Example(
            "silent where tests are scripts of another language",
            {
                **_QUIET,
                "src/route.c": _COMPLEX_C.format(n=99),
                "src/test_list.c": "int test_list(void) { return 1; }\n",
                **{f"tests/unit/case{n}.tcl": "test late {}\n" for n in range(3)},
            },
            history=_changes("src/route.c", _COMPLEX_C, 6, "Fix late orders"),
        ),
        Example(
            "one step lower where one test of many starts a program",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "tests/test_cli.py": "import subprocess\n\n\ndef test_cli():\n    assert subprocess.run(['shop'])\n",
            },
            finds=("route.py:1",),
            history=_changes("route.py", _COMPLEX, 6, "Fix late orders"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent when a test reaches it through a chain",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "near.py": "import route\n",
                "far.py": "import near\n",
                "tests/test_far.py": "import far\n",
            },
            history=_changes("route.py", _COMPLEX, 6, "Reword the rules"),
        ),
        Example(
            "silent when a test elsewhere has its name",
            {
                **_QUIET,
                "shop/route.py": _COMPLEX.format(n=99),
                "tests/cases/route/test_late.py": "def test_late():\n    assert run('shop', 'route')\n",
            },
            history=_changes("shop/route.py", _COMPLEX, 6, "Reword the rules"),
        ),
        Example(
            "silent when an unresolved import of a test has its name",
            {
                **_QUIET,
                "src/route.ts": _COMPLEX_TS.format(n=99),
                "tests/late.test.ts": "import { route } from '@shop/lib/route';\ntest('late', () => expect(route).toBeTruthy());\n",
            },
            history=_changes("src/route.ts", _COMPLEX_TS, 6, "Fix late orders"),
        ),
        Example(
            "silent on C that tests of another language run",
            {
                **_QUIET,
                "src/route.c": _COMPLEX_C.format(n=99),
                "tests/test_late.py": "import shop\n\n\ndef test_late():\n    assert shop.late()\n",
            },
            history=_changes("src/route.c", _COMPLEX_C, 6, "Fix late orders"),
        ),
        Example(
            "surer where coverage data show that it never ran, whatever a chain of imports suggests",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "near.py": "import route\n",
                "far.py": "import near\n",
                "tests/test_far.py": "import far\n",
                "coverage.json": _coverage("route.py", (1,), tuple(range(2, 10))),
            },
            finds=("route.py:1",),
            history=_changes("route.py", _COMPLEX, 6, "Reword the rules"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "one step lower where coverage data show that a part of it ran",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "coverage.json": _coverage("route.py", (1, 2, 9), (3, 4, 5, 6, 7, 8)),
            },
            finds=("route.py:1",),
            history=_changes("route.py", _COMPLEX, 6, "Reword the rules"),
            severity=Severity.LOW,
        ),
        Example(
            "silent when coverage data show that most of it ran",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "coverage.json": _coverage("route.py", (1, 2, 3, 4, 5, 9), (6, 7, 8)),
            },
            history=_changes("route.py", _COMPLEX, 6, "Reword the rules"),
        ),
        Example(
            "silent when a test imports it",
            {
                **_QUIET,
                "route.py": _COMPLEX.format(n=99),
                "tests/test_orders.py": "from route import route\n",
            },
            history=_changes("route.py", _COMPLEX, 6, "Reword the rules"),
        ),
        Example(
            "silent when a test imports what imports it",
            {
                **_QUIET,
                "src/route.ts": _COMPLEX_TS.format(n=99),
                "src/shop.ts": "import { route } from './route';\nexport const shop = route;\n",
                "src/shop.test.ts": "import { shop } from './shop';\ntest('shops', () => expect(shop).toBeTruthy());\n",
            },
            history=_changes("src/route.ts", _COMPLEX_TS, 6, "Fix late orders"),
        ),
        Example(
            "silent on simple files, however often they change",
            {**_QUIET, "menu.py": "def menu():\n    return 99\n"},
            history=_changes("menu.py", "def menu():\n    return {n}\n", 6, "Fix the menu"),
        ),
        Example(
            "silent on complex files that do not change",
            {**_QUIET, "route.py": _COMPLEX.format(n=99)},
            history=_changes("route.py", _COMPLEX, 2, "Fix late orders"),
        ),
    ),
)
