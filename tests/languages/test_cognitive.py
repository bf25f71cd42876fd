"""Cognitive complexity, held against an independent implementation on the standard library's own code."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest
from cognitive_complexity.api import get_cognitive_complexity  # type: ignore[import-untyped]

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts

MODULES = [
    "argparse",
    "ast",
    "calendar",
    "cgitb",
    "cmd",
    "code",
    "codeop",
    "configparser",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "doctest",
    "enum",
    "filecmp",
    "fractions",
    "ftplib",
    "functools",
    "getopt",
    "gettext",
    "glob",
    "gzip",
    "heapq",
    "imaplib",
    "inspect",
    "locale",
    "mailbox",
    "mimetypes",
    "netrc",
    "numbers",
    "optparse",
    "os",
    "pathlib",
    "pdb",
    "pickle",
    "pickletools",
    "platform",
    "plistlib",
    "poplib",
    "pprint",
    "profile",
    "pstats",
    "pyclbr",
    "pydoc",
    "queue",
    "random",
    "reprlib",
    "sched",
    "selectors",
    "shelve",
    "shlex",
    "shutil",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "statistics",
    "string",
    "subprocess",
    "symtable",
    "tabnanny",
    "tarfile",
    "tempfile",
    "textwrap",
    "threading",
    "timeit",
    "tokenize",
    "trace",
    "traceback",
    "types",
    "typing",
    "uuid",
    "warnings",
    "wave",
    "weakref",
    "webbrowser",
    "zipapp",
    "zipfile",
]


class _KnownDifference(ast.NodeVisitor):
    """Where the other implementation departs from the published definition; such functions are not compared.

    It takes a method's call of a function that bears the method's name for recursion, and overlooks recursion through
    `yield from`; it does not count `async for`, `match`, the `else` of a `try`, or a ternary inside a logical expression;
    it does not deepen nesting inside a ternary or inside an `if` that has an `elif`, and cannot tell `else: if` from
    `elif`; it takes one logical operator inside another's operand for a second run.
    """

    def __init__(self) -> None:
        self.found = False

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.found = True

    visit_AsyncFor = visit_Match = visit_Lambda = visit_IfExp  # type: ignore[assignment]

    def visit_If(self, node: ast.If) -> None:
        self.found = self.found or (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If))
        self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> None:
        self.found = self.found or bool(node.orelse)
        self.generic_visit(node)


def _comparable(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    visitor = _KnownDifference()
    visitor.visit(function)
    calls_own_name = any(
        isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == function.name
        for node in ast.walk(function)
    )
    nested = any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for node in ast.walk(function)
        if node is not function
    )
    return not (visitor.found or calls_own_name or nested)


def _compare(path: Path) -> tuple[int, list[str]]:
    source = path.read_bytes()
    ours = {function.start: function for function in read_facts(by_id["python"], source).functions}
    compared, differing = 0, []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _comparable(node):
            function = ours[node.lineno]
            compared += 1
            if get_cognitive_complexity(node) != function.cognitive:
                theirs = get_cognitive_complexity(node)
                differing.append(
                    f"{path.stem}.{function.qualname}: {theirs} there, {function.cognitive} here"
                )
    return compared, differing


def test_cognitive_complexity_agrees_with_the_reference_on_the_standard_library() -> None:
    library = Path(sysconfig.get_path("stdlib"))
    results = [_compare(path) for name in MODULES if (path := library / f"{name}.py").exists()]
    compared = sum(count for count, _ in results)
    differing = [line for _, lines in results for line in lines]
    assert compared > 2000
    assert len(differing) <= compared // 200, "\n".join(differing)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a, b, c):\n    if a and b and c:\n        pass\n", 2),
        ("def f(a, b, c):\n    if a and b or c:\n        pass\n", 3),
        ("def f(a):\n    if a:\n        pass\n    elif not a:\n        pass\n    else:\n        pass\n", 3),
        ("def f(a):\n    for x in a:\n        if x:\n            continue\n", 3),
        ("def f(a):\n    for x in a:\n        pass\n    else:\n        pass\n", 2),
        ("def f(a):\n    try:\n        a()\n    except E:\n        if a:\n            pass\n", 3),
        ("def f(a):\n    return f(a - 1) if a else 0\n", 2),
        ("def f(a):\n    async def g():\n        async for x in a:\n            pass\n    g()\n", 2),
        ("def deco(f):\n    def w():\n        if f:\n            pass\n    return w\n", 1),
        (
            "def f(a):\n    match a:\n        case 1:\n            pass\n        case 2:\n            pass\n",
            1,
        ),
    ],
)
def test_cognitive_complexity_follows_the_published_rules(source: str, expected: int) -> None:
    assert read_facts(by_id["python"], source.encode()).functions[0].cognitive == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("function f(a) { if (a) {} else if (!a) {} else {} }", 3),
        ("function f(a) { l: for (;;) { while (a) { continue l; } } }", 4),
        ("function f(a) { switch (a) { case 1: case 2: break; default: } }", 1),
        ("function f(a, b) { return a && b && (a || b); }", 2),
        ("function f(a, b) { return a ?? b; }", 0),
        ("const f = (a) => a.map((x) => x ? 1 : 2)", 2),
        ("function f(a) { try { a() } catch (e) { if (e) {} } }", 3),
    ],
)
def test_cognitive_complexity_follows_the_published_rules_in_javascript(source: str, expected: int) -> None:
    assert read_facts(by_id["javascript"], source.encode()).functions[0].cognitive == expected
