"""A large part of the repository depends on one file that holds real logic and is being changed.

It counts the files that import it directly, with re-exports followed, and all files that reach it through
imports that always run at load time. Only files with several commits in the last 90 days are reported.

## Why it matters

A behaviour change here reaches files the editor never opened, and there are too many of them to check by hand.

## What to do

Add rather than change, keep signatures stable, and run the tests of the files that import it. In the long run, split the parts that change
often from the parts that everyone imports.

## Before

```python
# shop/money.py, imported by 40 files
def format_price(amount, currency="EUR"):
    return f"{amount:.2f} {currency}"

# the edit: every page, mail and export now shows another format
def format_price(amount, currency="EUR"):
    return f"{currency} {amount:,.2f}"
```

## After

```python
# shop/money.py
def format_price(amount, currency="EUR"):
    return f"{amount:.2f} {currency}"

def format_price_grouped(amount, currency="EUR"):
    # for invoices, which group thousands; other callers keep format_price
    return f"{currency} {amount:,.2f}"
```

## What it does not report

- Files of nothing but types, constants, error classes, settings, messages or re-exports: they hold no decisions.
- Package files and barrels (`__init__`, `index`, `mod`, `lib`), and files whose name already says that everything uses them, such as
  `base`, `utils`, `errors`, `config` or `types`.
- Files that hardly change: nobody is about to break them.
- Importers that are tests, examples or documentation: they are checks, not dependents.
- Widely used files without much logic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from crimes.api import (
    ANY,
    HISTORY,
    IMPORT_GRAPH,
    TOTALS,
    Category,
    Commit,
    Detector,
    Edge,
    Effort,
    Example,
    File,
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
    quoted_names,
    regex,
)

DEPENDENTS = frozenset({Role.SOURCE, Role.SCRIPT, Role.CONFIG})
MAX_NAMED = 3
SELF_EVIDENT = regex(
    r"(?i)^(?:_*(?:init|main|index|mod|lib|base|app|application|server|common|shared|api|types?|typing|globals?|general|prelude|compat"
    r"|utils?|utilities|util(?:ity)?|helpers?|misc|errors?|exceptions?|warnings?|config(?:uration)?|settings|options|defaults?"
    r"|constants?|consts?|enums?|messages?|log(?:ging|ger)?)_*)$"
)


@dataclass(frozen=True)
class Options:
    min_direct: int = option(15, "Report files that at least this many source files import directly.")
    min_transitive: int = option(50, "Report files that at least this many files reach through imports.")
    min_lines: int = option(100, "Leave out files with fewer lines of code than this in functions.")
    min_cognitive: int = option(
        20, "Leave out files whose functions have less cognitive complexity in total."
    )
    min_commits: int = option(4, "Leave out files with fewer commits than this in 90 days.")
    busy_commits: int = option(10, "The severity is high with more commits than this in 90 days.")


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    graph, history, totals = scan[IMPORT_GRAPH], scan[HISTORY], scan[TOTALS]
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE or graph.sure[file.path] < options.min_transitive:
            continue
        total = totals.get(file.path)
        # Types, constants, messages and tests do not count.
        if total is None or total.logic < options.min_lines or total.cognitive < options.min_cognitive:
            continue
        if history.files[file.path].commits_90d < options.min_commits or is_self_evident(file.path):
            continue
        uses = [edge for edge in graph.importers[file.path] if is_use(edge, file, scan.repo.files)]
        if len({edge.source for edge in uses}) >= options.min_direct:
            yield report(file, total.logic, uses, graph.sure[file.path], history, options)


def is_self_evident(path: str) -> bool:
    """Whether the name of a file says that everything uses it."""
    return SELF_EVIDENT.match(path.rpartition("/")[2].split(".", 1)[0]) is not None


def is_use(edge: Edge, file: File, files: Mapping[str, File]) -> bool:
    """Whether a dependent imports the file itself, or through a package a name that the file defines."""
    importer = files.get(edge.source)
    if importer is None or importer.role not in DEPENDENTS:
        return False
    return not edge.via or any(name in file.facts.definitions for name in edge.names)


def report(
    file: File, lines: int, uses: list[Edge], transitive: int, history: History, options: Options
) -> Finding:
    commits = history.files[file.path].commits_90d
    direct = len({edge.source for edge in uses})
    # A file may import a name twice: for types, and again inside a function.
    imported = {(edge.source, name) for edge in uses for name in edge.names if name in file.facts.definitions}
    used = Counter(name for _, name in imported)
    most_used = sorted(used.items(), key=lambda item: (-item[1], item[0]))[:MAX_NAMED]
    names = quoted_names([name for name, _ in most_used], MAX_NAMED)
    busy = commits > options.busy_commits
    return Finding(
        at_file(file),
        Severity.HIGH if busy else Severity.MEDIUM,
        f"{transitive} files load this one, and {direct} source files import it directly; it holds {lines} lines of code in functions "
        f"and changed in {count(commits, 'commit')} in the 90 days before {history.reference_time.date()}.",
        (
            Signal("size", Category.SYNTAX, 80, "its functions were parsed and counted"),
            Signal(
                "importers and names" if most_used else "importers",
                Category.GRAPH,
                92 if most_used else 80,
                f"direct importers{', the names they import' if most_used else ''} and transitive importers agree",
            ),
        ),
        evidence={
            "direct_importers": Measure(direct, options.min_direct),
            "transitive_importers": Measure(transitive, options.min_transitive),
            "logic_lines_in_functions": Measure(lines, options.min_lines),
            "commits_90d": Measure(commits, options.min_commits),
            "most_imported_names": Measure(
                tuple(f"{name} ({importers})" for name, importers in most_used),
                items=tuple({"name": name, "importers": importers} for name, importers in most_used),
            ),
        },
        fix=f"Add rather than change, keep {names} compatible, and run the tests of the files that import it."
        if names
        else "",
        undersampled=history.doubts(),
        short=f"{transitive} files load it, {direct} source files import it directly",
    )


_SMALL = {
    "min_direct": 2,
    "min_transitive": 3,
    "min_lines": 5,
    "min_cognitive": 1,
    "min_commits": 1,
    "busy_commits": 2,
}
_CORE = "def load(key):\n    if key:\n        return key\n    return None\n\n\ndef save(key):\n    return load(key)\n"
_CORE_TS = "export function load(key: string) {\n  if (key) {\n    return key;\n  }\n  return '';\n}\nexport const save = load;\n"

DETECTOR = Detector(
    id="load_bearing_file",
    title="Load-bearing file",
    category="dependencies",
    kind=Kind.PLACE,
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.DAYS,
    detect=detect,
    needs=(HISTORY, IMPORT_GRAPH, TOTALS),
    options=Options,
    examples=(
        Example(
            "two modules import it, a third reaches it",
            {
                "core.py": _CORE,
                "a.py": "from core import load\n",
                "b.py": "from core import save\n",
                "c.py": "import a\n",
            },
            finds=("core.py:1",),
            options=_SMALL,
            severity=Severity.MEDIUM,
        ),
        Example(
            "an import through a barrel counts",
            {
                "src/core.ts": _CORE_TS,
                "src/index.ts": "export { load } from './core';\n",
                "src/a.ts": "import { load } from './index';\nload('a');\n",
                "src/b.ts": "import { save } from './core';\nsave('b');\n",
            },
            finds=("src/core.ts:1",),
            options=_SMALL,
        ),
        Example(
            "a file that also changes often is high",
            {
                "core.py": _CORE,
                "a.py": "from core import load\n",
                "b.py": "from core import save\n",
                "c.py": "import a\n",
            },
            finds=("core.py:1",),
            options=_SMALL,
            history=(
                Commit("Start", {"core.py": "def load():\n    return 1\n"}, days_ago=9),
                Commit("Go on", {"core.py": "def load():\n    return 2\n"}, days_ago=5),
            ),
            severity=Severity.HIGH,
        ),
        Example(
            "silent when it hardly changes",
            {
                "core.py": _CORE,
                "a.py": "from core import load\n",
                "b.py": "from core import save\n",
                "c.py": "import a\n",
            },
            options={**_SMALL, "min_commits": 2},
        ),
        Example(
            "silent on a file whose name says that everything uses it",
            {
                "utils.py": _CORE,
                "a.py": "from utils import load\n",
                "b.py": "from utils import save\n",
                "c.py": "import a\n",
            },
            options=_SMALL,
        ),
        Example(
            "silent on messages, which hold no decisions",
            {
                "texts.py": "def load(key):\n    text = 'no such key: '\n    text += key\n    return text\n\n\ndef save(key):\n    text = 'saved '\n    return text + key\n",
                "a.py": "from texts import load\n",
                "b.py": "from texts import save\n",
                "c.py": "import a\n",
            },
            options=_SMALL,
        ),
        Example(
            "silent on types and constants",
            {
                "src/types.ts": "export interface A {\n  a: string;\n}\nexport interface B {\n  b: string;\n}\nexport const LIMIT = 3;\n",
                "src/a.ts": "import { LIMIT } from './types';\nexport const a = LIMIT;\n",
                "src/b.ts": "import { LIMIT } from './types';\nexport const b = LIMIT;\n",
                "src/c.ts": "import { a } from './a';\nexport const c = a;\n",
            },
            options=_SMALL,
        ),
        Example(
            "silent when a package re-exports names that the file only imports",
            {
                "pkg/__init__.py": "from pkg.core import *\nfrom pkg.jobs import *\n",
                "pkg/core.py": "def load(key):\n    return key\n",
                "pkg/jobs.py": "from pkg.core import load\n\n\n" + _CORE.replace("load", "fetch"),
                "a.py": "from pkg import load\n",
                "b.py": "from pkg import load\n",
                "c.py": "from pkg import load\n",
            },
            options=_SMALL,
        ),
        Example(
            "silent when only tests import it",
            {
                "core.py": _CORE,
                "tests/test_a.py": "from core import load\n",
                "tests/test_b.py": "from core import save\n",
                "tests/test_c.py": "import core\n",
            },
            options=_SMALL,
        ),
    ),
)
