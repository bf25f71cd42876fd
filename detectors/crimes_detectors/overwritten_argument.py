"""A function assigns one of its parameters before it reads it.

It looks at assignments that run on every path, in the body of the function itself.

## Why it matters

What callers pass is lost, and nothing tells them: the argument looks as if it mattered.

## What to do

Use the value that was passed, or remove the parameter.

## Before

```python
def export(rows, separator=","):
    separator = ";"
    lines = [separator.join(row) for row in rows]
    return "\\n".join(lines)

export(rows, separator="|")
```

## After

```python
def export(rows, separator=","):
    lines = [separator.join(row) for row in rows]
    return "\\n".join(lines)

export(rows, separator="|")
```

## What it does not report

- A value that is made from the parameter: `path = Path(path)`, `rows = rows or []`.
- An assignment in a branch or loop: on other paths the argument counts.
- References and `out` parameters, which the caller sees.
- Parameters that a signature may require: of callbacks, decorated functions, methods of a subclass, and functions never called by name in
  the repository; and parameters that begin with an underscore.
- An assignment with a comment that explains it.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crimes.api import (
    ANY,
    Category,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    Finding,
    Function,
    Measure,
    NoOptions,
    Overwrite,
    Pass,
    Place,
    Role,
    Severity,
    Signal,
    function_subject,
    last_name,
    quoted_names,
    regex,
    states_reason,
)

_UNUSED = regex(r"\$?(?:_|unused|ignored?|dummy)")
_PLAIN_BASES = frozenset({"object"})


def _is_prescribed(file: File, function: Function) -> bool:
    """Whether something else may dictate the parameters: a caller that takes callbacks, a base class, a framework."""
    if function.is_anonymous or function.decorators or function.passed_to:
        return True
    if function.class_index < 0:
        return False
    return not _PLAIN_BASES.issuperset(file.facts.classes[function.class_index].bases)


def _is_passed(scan: Pass, file: File, function: Function) -> bool:
    """Whether its file names it without calling it: as a callback, its parameters are those of the one who calls."""
    text = scan.repo.read(file.path).decode("utf-8", "replace")
    return re.search(rf"(?<![\w.]){re.escape(function.name)}\s*[,;)\]}}]", text) is not None


def _called_names(scan: Pass, wanted: set[str]) -> set[str]:
    """Those of the names that some call in the repository has."""
    calls = (call for file in scan.repo.files.values() for call in file.facts.calls)
    return wanted & {last_name(call.target) for call in calls} if wanted else set()


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding | Excused]:
    overwrites = [
        (file, file.facts.functions[overwrite.function], overwrite)
        for file in scan.files(Role.SOURCE)
        for overwrite in file.facts.overwrites
    ]
    reported: dict[tuple[str, int], list[tuple[File, Function, Overwrite, Place]]] = {}
    explained: set[tuple[str, int]] = set()  # a comment above several assignments is about all of them
    called = _called_names(scan, {function.name for _, function, _ in overwrites})
    for file, function, overwrite in overwrites:
        if function.in_test or function.is_test or _UNUSED.match(overwrite.name):
            continue
        place = Place(file.path, overwrite.line, overwrite.line, function.qualname)
        if _is_prescribed(file, function) or function.name not in called or _is_passed(scan, file, function):
            yield Excused(place, "something else may prescribe the parameters of this function")
        elif (file.path, overwrite.line - 1) in explained or states_reason(file, overwrite.line):
            explained.add((file.path, overwrite.line))
            yield Excused(place, "a comment says why the argument is replaced")
        else:
            reported.setdefault((file.path, overwrite.function), []).append(
                (file, function, overwrite, place)
            )
    for (file, function, first, place), *others in reported.values():
        yield _report(file, function, [first.name, *(other[2].name for other in others)], place)


def _report(file: File, function: Function, names: Sequence[str], place: Place) -> Finding:
    """One finding for all parameters of a function: they are one signature."""
    quoted = quoted_names(names, len(names))
    what = (
        f"parameters {quoted} before it reads them"
        if len(names) > 1
        else f"parameter {quoted} before reading it"
    )
    return Finding(
        place,
        Severity.LOW,
        f"{function_subject(file.facts.functions, function)} assigns its {what}.",
        signals=(
            Signal(
                "never read",
                Category.SYNTAX,
                85,
                "no path reads the parameter before it is assigned",
            ),
        ),
        evidence={"parameter": Measure(", ".join(names))},
        discriminator=names[0],
    )


_PYTHON = "def export(rows, separator=','):\n    separator = ';'\n    return [separator.join(row) for row in rows]\n\n\nprint(export([]))\n"

DETECTOR = Detector(
    id="overwritten_argument",
    title="Overwritten argument",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    detect=detect,
    examples=(
        Example("in Python", {"export.py": _PYTHON}, ("export.py:2",), severity=Severity.LOW),
        Example(
            "silent on a new variable that hides the parameter",
            {
                "Container.swift": "struct Container {\n    func decode<C: Content>(_ content: C.Type) throws -> C {\n"
                "        var content = try self.decode(C.self, using: self.decoder())\n        try content.afterDecode()\n"
                "        return content\n    }\n}\n"
            },
        ),
        Example(
            "several parameters of one function are one finding",
            {
                "src/size.ts": "export function size(bytes: number, unit?: string, base?: number) {\n  unit = 'kB';\n  base = 1000;\n"
                "  return bytes / base + unit;\n}\n\nsize(4);\n"
            },
            ("src/size.ts:2",),
        ),
        Example(
            "in TypeScript",
            {
                "src/export.ts": "export function lines(rows: string[][], separator: string) {\n  separator = ';';\n"
                "  return rows.map((row) => row.join(separator));\n}\n\nlines([], ',');\n"
            },
            ("src/export.ts:2",),
        ),
        Example(
            "a docstring that names the parameter does not read it",
            {"export.py": _PYTHON.replace("    sep", '    """Join rows with a separator."""\n    sep')},
            ("export.py:3",),
        ),
        Example(
            "silent on a value that is made from the parameter",
            {
                "load.py": "def load(path, rows=None):\n    path = Path(path)\n    rows = rows or []\n    return path, rows\n\n\nload('a')\n",
                "src/load.js": "export function load(path) {\n  path = path.trim();\n  return path;\n}\nload('a');\n",
            },
        ),
        Example(
            "silent when it was read before",
            {
                "load.py": "def load(path, rows):\n    first = rows[0]\n    rows = path.rest()\n    return first, rows\n\n\nload('a', [])\n"
            },
        ),
        Example(
            "silent in a branch or loop",
            {
                "load.py": "def load(path, rows=None, depth=0):\n    if path.empty:\n        rows = []\n    for item in path:\n"
                "        depth = 1\n    return rows, depth\n\n\nload('a')\n"
            },
        ),
        Example(
            "silent on a method of a class with bases",
            {
                "view.py": "class Page(View):\n    def get(self, request, page):\n        page = self.first()\n        return page\n\n\nPage().get(1, 2)\n"
            },
        ),
        Example(
            "silent on a callback",
            {
                "src/on.js": "export const on = (bus) =>\n  bus.on('open', (event, state) => {\n    state = load();\n    return state;\n  });\n"
            },
        ),
        Example(
            "silent on a decorated function",
            {
                "hook.py": "@app.event\ndef hook(event, context):\n    context = load()\n    return event, context\n\n\nhook(1, 2)\n"
            },
        ),
        Example(
            "silent on a function that nothing calls by name",
            {"hook.py": _PYTHON.replace("print(export([]))", "hooks = [export]")},
        ),
        Example(
            "silent on a function that is called, and passed on as a callback",
            {"hook.py": f"{_PYTHON}hooks.register('rows', export)\n"},
        ),
        Example(
            "silent on a parameter that is named as unused",
            {
                "hook.py": "def hook(event, _context):\n    _context = load()\n    return event, _context\n\n\nhook(1, 2)\n"
            },
        ),
        Example(
            "silent on a reference",
            {
                "fill.php": "<?php\nfunction fill($from, &$into) {\n    $into = read($from);\n}\nfill(1, $rows);\n"
            },
        ),
        Example(
            "silent on `out` and `ref` parameters in C#, whatever their type",
            {
                "Rows.cs": "class Rows {\n  bool Read(string key, out Dictionary<string, List<int[,]>> rows, ref (int, int) at) {\n"
                "    rows = Load();\n    at = (0, 1);\n    return true;\n  }\n\n  void Show() {\n"
                '    Read("a", out var rows, ref place);\n  }\n}\n'
            },
        ),
        Example(
            "a plain parameter beside an `out` parameter in C#",
            {
                "Rows.cs": "class Rows {\n  bool Read(out int count, Dictionary<string, int> rows) {\n    count = 0;\n"
                "    rows = Load();\n    return rows.Any();\n  }\n\n  void Show() {\n    Read(out var count, rows);\n  }\n}\n"
            },
            ("Rows.cs:4",),
        ),
        Example(
            "silent with a reason",
            {
                "export.py": _PYTHON.replace(
                    "    sep", "    # The importer reads nothing but semicolons.\n    sep", 1
                )
            },
        ),
        Example(
            "silent on the second of two assignments with one reason",
            {
                "show.py": "def show(screen, depth):\n    # Only the first screen has these properties.\n    screen = first()\n"
                "    depth = 8\n    return screen, depth\n\n\nshow(1, 2)\n"
            },
        ),
        Example("silent in a test", {"tests/test_export.py": _PYTHON}),
    ),
)
