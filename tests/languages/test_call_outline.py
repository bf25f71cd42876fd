"""What a file's outline says of its calls: what they pass, what functions take, and what names are bound to."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.languages import by_id
from crimes.languages.engine.call_outline import read_call_outline
from crimes.languages.engine.facts import read_facts
from crimes.model.calls import Arguments, CallOutline
from tests.kit.paths import ROOT

FOLLOWED = [
    (language.id, path)
    for language in by_id.values()
    if language.syntax is not None and language.syntax.calling is not None
    for path in sorted((ROOT / "tests/golden").iterdir())
    if path.suffix in language.extensions
]


def outline_of(language: str, source: str) -> CallOutline:
    outline = read_call_outline(by_id[language], source.encode())
    assert outline is not None
    return outline


@pytest.mark.parametrize(
    ("language", "source", "passed"),
    [
        ("python", "f(1, b=2)", Arguments(1, ("b",))),
        ("python", "f(x for x in rows)", Arguments(1)),
        ("python", "f(a == b)", Arguments(1)),
        ("python", "f(*rows)", Arguments(0, is_open=True)),
        ("python", "f(\n    1,  # the first\n)", Arguments(1)),
        ("javascript", "f(1, ...rows)", Arguments(1, is_open=True)),
        ("javascript", "f`text`", Arguments(0, is_open=True)),
        ("go", "package p\nfunc g() { f(h()) }", Arguments(1, is_open=True)),
        ("go", "package p\nfunc g() { f(1, h()) }", Arguments(2)),
        ("rust", "fn g() { f(*x, &y) }", Arguments(2)),
        ("csharp", "class A { void G() { f(1, wait: 2); } }", Arguments(1, ("wait",))),
        ("php", "<?php f(Foo::bar(), wait: 2);", Arguments(1, ("wait",))),
        ("kotlin", "fun g() { f(1) { } }", Arguments(0, is_open=True)),
    ],
)
def test_arguments_are_counted_as_the_language_passes_them(
    language: str, source: str, passed: Arguments
) -> None:
    calls = outline_of(language, source).calls
    assert next(call.arguments for call in calls if call.target == "f") == passed


@pytest.mark.parametrize(
    ("language", "source", "required"),
    [
        ("python", "def f(a, b=1, *c, d, e=2, **g): pass", ["a", "d"]),
        ("typescript", "function f(this: X, a: A, b?: B, c = 1, ...d: D[]) {}", ["a"]),
        ("javascript", "function f(a, b, c) { a.run(); if (b) b.run(); return g(c) }", ["a"]),
        ("go", "package p\nfunc f(a, b int, c ...string) {}", ["a", "b"]),
        ("rust", "fn f(&self, #[cfg(x)] mut a: u8, _: u8) {}", ["self", "a", "_"]),
        ("csharp", "class A { void f(int a, bool b = 1 > 2, params int[] c) {} }", ["a"]),
        ("php", "<?php function f($a, $b = 1, ...$c) {}", ["a"]),
    ],
)
def test_required_parameters_are_those_a_call_cannot_leave_out(
    language: str, source: str, required: list[str]
) -> None:
    parameters = outline_of(language, source).parameters[0]
    assert parameters is not None
    assert [parameter.name for parameter in parameters if parameter.is_required] == required


@pytest.mark.parametrize(("language", "path"), FOLLOWED, ids=[path.name for _, path in FOLLOWED])
def test_calls_and_functions_of_an_outline_are_those_of_the_facts(language: str, path: Path) -> None:
    """Indexes of functions and targets of calls are compared with facts, so both have to agree."""
    outline = outline_of(language, path.read_text())
    facts = read_facts(by_id[language], path.read_bytes())
    assert len(outline.parameters) == len(facts.functions)
    known = {(call.target, call.line, call.function) for call in facts.calls}
    assert outline.calls
    assert {(site.target, site.line, site.function) for site in outline.calls} <= known
