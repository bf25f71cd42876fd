"""How tangled a function is: what is left out of its complexity, and where the rest is."""

from __future__ import annotations

import sysconfig
from pathlib import Path, PurePath

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.walk import tangle
from crimes.model.facts import Branch, Function, Tangle
from tests.language_examples import LANGUAGES, own_examples

_DEEP = (
    "    for x in xs:\n        if x.a:\n            while x.b:\n                if x.c and x.d:\n                    if x.e:\n"
    "                        x.f()\n                    else:\n                        x.g()\n"
)


@pytest.fixture(autouse=True)
def _measure_small_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangle, "MIN_COMPLEXITY", 15)
    monkeypatch.setattr(tangle, "MIN_LEFT", 0)


def functions(language: str, code: str) -> tuple[Function, ...]:
    return read_facts(by_id[language], code.encode()).functions


def tangle_of(language: str, code: str) -> Tangle:
    """The tangle of the first function."""
    first = functions(language, code)[0].tangle
    assert first is not None
    return first


def reasons(knot: Tangle) -> dict[str, int]:
    return {discount.reason: discount.cost for discount in knot.discounts}


def measured(code: tuple[Function, ...]) -> list[tuple[Function, Tangle]]:
    return [(function, function.tangle) for function in code if function.tangle is not None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tangle_of_each_language_begins_with_its_published_complexity(language: str) -> None:
    [example, *_] = own_examples(language)["god_function"]
    code = [
        text for path, text in example.files.items() if PurePath(path).suffix in by_id[language].extensions
    ]
    pairs = [pair for text in code for pair in measured(functions(language, text))]
    assert pairs
    for function, knot in pairs:
        assert knot.published == function.cognitive
        assert knot.nesting >= 4


def test_discounts_explain_the_difference_to_the_published_complexity() -> None:
    library = Path(sysconfig.get_path("stdlib"))
    checked = 0
    for name in ("argparse", "configparser", "difflib", "doctest", "inspect", "tarfile"):
        for function, knot in measured(functions("python", (library / f"{name}.py").read_text("utf-8"))):
            assert knot.published == function.cognitive, function.qualname
            assert knot.published - sum(reasons(knot).values()) == knot.cost, function.qualname
            checked += 1
    assert checked > 20


@pytest.mark.parametrize(
    ("language", "code", "reason", "left"),
    [
        (
            "go",
            "package a\nfunc f(xs []int) error {\n\tfor range xs {\n"
            + "\t\tif err := g(); err != nil {\n\t\t\treturn err\n\t\t}\n" * 10
            + "\t}\n\treturn nil\n}\n",
            "guards",
            1,
        ),
        (
            "rust",
            "fn f(xs: V) {\n    for x in xs {\n"
            + "        let Some(y) = x.get() else { return };\n" * 10
            + "    }\n}\n",
            "guards",
            1,
        ),
        ("ruby", "def f(x)\n" + "  raise 'a' if x.a && x.b\n" * 10 + "end\n", "guards", 0),
        (
            "java",
            "class A {\n  void f(B b, int k) {\n    for (;;) {\n      switch (k) {\n"
            + "".join(f"        case {n}: if (b.c) {{ b.d(); }} break;\n" for n in range(9))
            + "        default: if (b.c) { b.d(); }\n      }\n    }\n  }\n}\n",
            "flat dispatch",
            3,
        ),
        (
            "csharp",
            "class A {\n  void F(B b, int k) {\n    if (k == 0) { b.D(); }\n"
            + "".join(f"    else if (k == {n}) {{ if (b.C) {{ b.D(); }} }}\n" for n in range(1, 12))
            + "  }\n}\n",
            "flat dispatch",
            1,
        ),
        (
            "python",
            "def f(x):\n    if (\n        x.kind == 1\n    ):\n        y()\n"
            + "".join(
                f"    elif (\n        x.kind == {n}\n    ):\n        if a:\n            y()\n"
                for n in range(2, 9)
            ),
            "flat dispatch",
            1,
        ),
        (
            "php",
            "<?php\nfunction f($o, $p) {\n  foreach ($p as $q) {\n"
            + "".join(f"    if ($q->a{n}) {{ $o->b{n}(); }}\n" for n in range(9))
            + "  }\n}\n",
            "small steps",
            1,
        ),
        (
            "typescript",
            "function f(p: P[]) {\n  for (const q of p) {\n"
            + "    q.a = q.b ? q.c : q.d;\n" * 9
            + "  }\n}\n",
            "simple ternaries",
            1,
        ),
    ],
)
def test_what_reads_in_a_straight_line_is_left_out(language: str, code: str, reason: str, left: int) -> None:
    knot = tangle_of(language, code)
    assert (list(reasons(knot)), knot.cost) == ([reason], left)


def test_chain_of_conditions_on_different_things_counts_in_full() -> None:
    arms = "".join(f"    elif a{n}.b{n}:\n        if c{n}:\n            d{n}()\n" for n in range(6))
    knot = tangle_of("python", f"def f():\n    if z:\n        y()\n{arms}")
    assert knot.cost == knot.published == 1 + 6 * 3


def test_guard_that_decides_more_counts() -> None:
    guards = "".join(
        f"    if a{n}:\n        for y in x:\n            if y and x:\n                y()\n        return 1\n"
        for n in range(5)
    )
    knot = tangle_of("python", f"def f(x):\n{guards}")
    assert "guards" not in reasons(knot)
    assert knot.cost > 20


def test_closure_counts_for_the_function_around_it() -> None:
    code = "function f(xs) {\n  if (a) {\n    xs.forEach((x) => {\n%s    });\n  }\n}\n" % (
        "      if (x.a) {\n        while (x.b) {\n          if (x.c || x.d) { x.e(); } else { x.f(); }\n        }\n      }\n"
        * 2
    )
    outer, inner = functions("javascript", code)
    assert outer.tangle is not None
    assert inner.tangle is not None
    assert outer.cognitive_own == 1
    assert outer.tangle.cost == outer.cognitive > inner.tangle.cost
    assert inner.tangle.share_of_outer > 0


def test_named_function_counts_without_the_nesting_around_it() -> None:
    inner = "".join(f"        {line}\n" for line in f"def g(xs):\n{_DEEP}".splitlines())
    outer, nested = functions("python", f"def f(a, xs):\n    if a:\n        if xs:\n            a()\n{inner}")
    assert outer.tangle is not None
    assert nested.tangle is not None
    assert nested.tangle.cost == nested.cognitive
    assert outer.tangle.cost == 1 + 2 + nested.tangle.cost
    assert list(reasons(outer.tangle)) == ["nested functions"]


def test_heaviest_arms_lie_inside_the_loop_that_is_the_whole_function() -> None:
    arms = "".join(
        f"        {'if' if n == 0 else 'elif'} a{n}.b{n}:\n            while x:\n                if y and z:\n                    {body}\n"
        for n, body in enumerate(("x()", "if x: y()", "x()"))
    )
    knot = tangle_of("python", f"def f(xs):\n    for x in xs:\n{arms}        else:\n            x()\n")
    assert knot.arms[0] == Branch(7, "elif", 14)
    assert [arm.line for arm in knot.arms] == [7, 11, 3]


def test_no_arm_is_named_if_none_holds_a_fifth() -> None:
    blocks = "".join(
        f"    if a{n}:\n        for b in c:\n            if d:\n                e()\n" for n in range(9)
    )
    assert tangle_of("python", f"def f():\n{blocks}").arms == ()


@pytest.mark.parametrize(
    ("directive", "in_test"),
    [("#ifdef SHOP_TEST", True), ("#ifndef SHOP_TEST", False), ("#ifdef LATEST", False)],
)
def test_code_built_only_for_tests_is_in_a_test(directive: str, *, in_test: bool) -> None:
    [function] = functions("c", f"{directive}\nint f(void)\n{{\n    return 1;\n}}\n#endif\n")
    assert function.in_test is in_test


def test_code_with_an_alternative_for_tests_is_not_in_a_test() -> None:
    both = functions(
        "c", "#ifdef SHOP_TEST\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n"
    )
    assert [function.in_test for function in both] == [False, False]
