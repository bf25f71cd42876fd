"""One specific name is defined in several files with different signatures.

It reports a public function or class whose name is defined at the top level of at least three source files, in different
folders and with different signatures, when each of them is imported by that name somewhere.

## Why it matters

A search shows all of them and a call does not say which one it means, so the wrong import looks right and takes other arguments.

## What to do

Rename each one after what sets it apart, or extract the shared part into one function that all of them import.

## Before

```python
# billing/access.py
def check_access(user, invoice): ...

# reports/guards.py
def check_access(user): ...

# charts/rights.py
def check_access(chart_id, kind): ...
```

## After

```python
# billing/access.py
def check_invoice_access(user, invoice): ...

# reports/guards.py
def check_report_access(user): ...

# charts/rights.py
def check_chart_access(chart_id, kind): ...
```

## What it accepts

- Names of one word, and short names: nobody expects `run`, `parse` or `getName` to be unique.
- Files with the same name in parallel folders, and files in one folder: variants to choose from.
- Definitions with the same signature: they may be interchangeable.
- Names that the importing file always qualifies with their module.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from crimes.api import (
    ANY,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Measure,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    option,
    regex,
)

_NAME_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+")
_MIN_NAME_CHARS = 10


@dataclass(frozen=True)
class Options:
    min_files: int = option(3, "Report a name that at least this many files define.")


class Definition(Struct, frozen=True):
    """A function or class at the top of a file. The signature is what a caller has to know."""

    path: str
    name: str
    start: int
    end: int
    signature: tuple[str, ...]


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    imported = _imported_by_name(scan)
    by_name: dict[str, dict[str, Definition]] = defaultdict(dict)
    for file in scan.repo.files.values():
        if file.role is Role.SOURCE:
            for definition in _definitions(file):
                if (file.path, definition.name) in imported:
                    by_name[definition.name].setdefault(file.path, definition)
    for _, by_path in sorted(by_name.items()):
        distinct = _without_variants(list(by_path.values()))
        signatures = {definition.signature for definition in distinct}
        if len(distinct) >= options.min_files and len(signatures) > 1:
            yield _report(distinct, len(signatures), options)


def _imported_by_name(scan: Pass) -> set[tuple[str, str]]:
    """Pairs of a file and a name that some source file imports from it."""
    bound = {
        (path, name.name)
        for path, file in scan.repo.files.items()
        if file.role is Role.SOURCE
        for item in file.facts.imports
        for name in item.names
    }
    return {
        (edge.target, name) for edge in scan.repo.edges for name in edge.names if (edge.source, name) in bound
    }


def _definitions(file: File) -> Iterator[Definition]:
    for function in file.facts.functions:
        left_out = function.is_anonymous or function.in_test
        if function.qualname == function.name and _is_specific(function.name) and not left_out:
            signature = tuple(param.name for param in function.params)
            yield Definition(file.path, function.name, function.start, function.end, signature)
    for class_ in file.facts.classes:
        if class_.qualname == class_.name and _is_specific(class_.name):
            methods = sorted({file.facts.functions[index].name for index in class_.methods})
            yield Definition(file.path, class_.name, class_.start, class_.end, (*class_.bases, *methods))


def _is_specific(name: str) -> bool:
    return len(name) >= _MIN_NAME_CHARS and not name.startswith("_") and len(_NAME_WORD.findall(name)) > 1


def _without_variants(definitions: list[Definition]) -> list[Definition]:
    """The first definition of each folder and each file name: parallel files are variants to choose from."""
    folders: set[str] = set()
    names: set[str] = set()
    distinct = []
    for definition in definitions:
        folder, name = posixpath.split(definition.path)
        if folder not in folders and name not in names:
            distinct.append(definition)
        folders.add(folder)
        names.add(name)
    return distinct


def _report(definitions: list[Definition], signatures: int, options: Options) -> Finding:
    first, *others = definitions
    near = others[0]
    return Finding(
        Place(first.path, first.start, first.end, first.name),
        Severity.LOW,
        f"`{first.name}` is defined in {len(definitions)} files with {signatures} different signatures, "
        f"for example in {near.path} (line {near.start}).",
        signals=(
            Signal(
                "ambiguous_definition", Category.SYNTAX, 75, f"{signatures} different signatures for one name"
            ),
            Signal("ambiguous_definition", Category.GRAPH, 75, "each definition is imported by this name"),
        ),
        evidence={"files": Measure(len(definitions), options.min_files), "signatures": Measure(signatures)},
        related=tuple(
            Related(Place(other.path, other.start, other.end, other.name), "defines the same name")
            for other in others
        ),
    )


def _python(
    names: tuple[str, ...], signatures: tuple[str, ...], function: str = "check_access"
) -> dict[str, str]:
    files = {
        f"{folder}/{name}.py": f"def {function}({signature}):\n    return {signature.split(',')[0]}\n"
        for folder, name, signature in zip("abc", names, signatures, strict=True)
    }
    users = {
        f"use_{path[0]}.py": f"from {path[:-3].replace('/', '.')} import {function}\n\nprint({function}(1))\n"
        for path in files
    }
    return {**files, **users, **{f"{folder}/__init__.py": "" for folder in "abc"}}


_SIGNATURES = ("user", "user, page", "chart_id, kind")
_TYPESCRIPT = {
    f"src/{folder}/{name}.ts": f"export function checkAccess({signature}: number) {{\n  return 1;\n}}\n"
    for folder, name, signature in (("a", "users", "user"), ("b", "pages", "page"), ("c", "charts", "chart"))
}

DETECTOR = Detector(
    id="ambiguous_definition",
    title="Name defined differently in several files",
    category="duplication",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    default=False,
    examples=(
        Example(
            "three functions with one name in Python",
            _python(("users", "pages", "charts"), _SIGNATURES),
            ("a/users.py:1",),
        ),
        Example(
            "three functions with one name in TypeScript",
            {
                **_TYPESCRIPT,
                **{
                    f"src/use{number}.ts": f'import {{ checkAccess }} from "./{path[4:-3]}";\n\nexport const x = checkAccess(1);\n'
                    for number, path in enumerate(_TYPESCRIPT)
                },
            },
            ("src/a/users.ts:1",),
        ),
        Example("silent on one signature", _python(("users", "pages", "charts"), ("user", "user", "user"))),
        Example("silent on parallel files", _python(("access", "access", "access"), _SIGNATURES)),
        Example(
            "silent on a plain word", _python(("users", "pages", "charts"), _SIGNATURES, "transformation")
        ),
        Example(
            "silent when calls qualify the name with its module",
            {
                **{
                    path: text
                    for path, text in _python(("users", "pages", "charts"), _SIGNATURES).items()
                    if not path.startswith("use_")
                },
                "main.py": "import a.users\nimport b.pages\nimport c.charts\n\nprint(a.users.check_access(1))\n",
            },
        ),
    ),
)
