"""What repeats inside one decision, and parameters that are assigned before they are read."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import Repeat

_BRACES = "{ if (a == 1) {\n go(1);\n } else if (b == 2) {\n go(3);\n } else if (a == 1) {\n go(4);\n } else {\n go(4);\n } }"
_BARE = _BRACES.replace("(a == 1)", "a == 1").replace("(b == 2)", "b == 2").replace(";", "")
CHAINS = {
    "c": f"int f(int a, int b) {_BRACES}",
    "cpp": f"int f(int a, int b) {_BRACES}",
    "csharp": f"class A {{ int F(int a, int b) {_BRACES} }}",
    "go": f"package a\nfunc f(a int, b int) {_BARE}",
    "java": f"class A {{ int f(int a, int b) {_BRACES} }}",
    "javascript": f"function f(a, b) {_BRACES}",
    "kotlin": f"fun f(a: Int, b: Int) {_BRACES}",
    "php": "<?php function f($a, $b) " + _BRACES.replace("(a", "($a").replace("(b", "($b"),
    "python": "def f(a, b):\n  if a == 1:\n    go(1)\n  elif b == 2:\n    go(3)\n  elif a == 1:\n    go(4)\n  else:\n    go(4)\n",
    "ruby": "def f(a, b)\n  if a == 1\n    go(1)\n  elsif b == 2\n    go(3)\n  elsif a == 1\n    go(4)\n  else\n    go(4)\n  end\nend\n",
    "rust": f"fn f(a: i32, b: i32) {_BARE}",
    "scala": f"object A {{ def f(a: Int, b: Int) = {_BRACES} }}",
    "swift": f"func f(a: Int, b: Int) {_BARE}",
    "typescript": f"function f(a, b) {_BRACES}",
}
SWITCHES = {
    "c": "void f(int a) { switch (a) { case 1: go(1); break; case 2: go(2); break; case 1: go(1); break; } }",
    "csharp": "class A { void F(int a) { switch (a) { case 1: go(1); break; case 2: go(2); break; case 1: go(1); break; } } }",
    "go": "package a\nfunc f(a int) { switch a { case 1: run(1)\n case 2: run(2)\n case 1: run(1)\n } }",
    "javascript": "function f(a) { switch (a) { case 1: go(1); break; case 2: go(2); break; case 1: go(1); break; } }",
    "kotlin": "fun f(a: Int) { when (a) {\n 1 -> go(1)\n 2 -> go(2)\n 1 -> go(1)\n } }",
    "php": "<?php function f($a) { return match ($a) { 1 => go(1), 2 => go(2), 1 => go(1) }; }",
    "python": "def f(a):\n  match a:\n    case 1:\n      go(1)\n    case 2:\n      go(2)\n    case 1:\n      go(1)\n",
    "ruby": "def f(a)\n  case a\n  when 1\n    go(1)\n  when 2\n    go(2)\n  when 1\n    go(1)\n  end\nend\n",
    "rust": "fn f(a: i32) { match a { 1 => go(1), 2 => go(2), 1 => go(1), } }",
    "scala": "object A { def f(a: Int) = a match {\n case 1 => go(1)\n case 2 => go(2)\n case 1 => go(1)\n } }",
    "swift": "func f(a: Int) { switch a {\n case 1:\n  go(1)\n case 2:\n  go(2)\n case 1:\n  go(1)\n } }",
}


def repeats(language: str, source: str) -> tuple[Repeat, ...]:
    facts = read_facts(by_id[language], source.encode())
    assert facts.errors == ()
    return facts.repeats


@pytest.mark.parametrize("language", sorted(CHAINS))
def test_a_chain_has_its_repeated_condition_and_its_equal_last_arms(language: str) -> None:
    by_kind = {repeat.kind: repeat for repeat in repeats(language, CHAINS[language])}
    condition, branch = by_kind["condition"], by_kind["branch"]
    assert condition.text.strip("()").lstrip("$") == "a == 1"
    assert condition.line - condition.first == 4
    assert (branch.alike, branch.arms) == (2, 4)
    assert branch.line - branch.first == 2


@pytest.mark.parametrize("language", sorted(SWITCHES))
def test_a_switch_has_its_repeated_label_but_not_its_equal_arms(language: str) -> None:
    by_kind = {repeat.kind: repeat for repeat in repeats(language, SWITCHES[language])}
    assert by_kind.keys() == {"label"}
    assert (by_kind["label"].text, by_kind["label"].alike) == ("1", 2)


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("rust", "fn f() { if let Some(x) = a { go(x) } else { go(x) } }"),
        (
            "go",
            "package a\nfunc f() { if x := a(); x > 1 {\n run(x)\n } else if x := b(); x > 1 {\n run(x)\n } }",
        ),
        ("typescript", "function f(x) { if (x instanceof A) { x.go(); } else { x.go(); } }"),
        ("rust", "fn f() { match a { A(x) => go(x), B(x) => go(x), _ => stop() } }"),
        ("go", "package a\nfunc f() { switch x := a.(type) { case A: x.Run()\n case B: x.Run()\n } }"),
    ],
)
def test_arms_in_which_a_name_means_something_else_are_not_alike(language: str, source: str) -> None:
    assert repeats(language, source) == ()


def test_arms_that_are_alike_do_not_repeat_where_another_follows() -> None:
    assert (
        repeats("python", "def f(a, b):\n  if a:\n    go(1)\n  elif b:\n    go(1)\n  else:\n    go(2)\n")
        == ()
    )


def test_attributes_of_cases_are_no_labels() -> None:
    source = "fn f(a: K) { match a { #[cfg(unix)] K::A => go(1), #[cfg(unix)] K::B => go(2), _ => {} } }"
    assert repeats("rust", source) == ()


@pytest.mark.parametrize("change", ["i = next(i)", "i++", "i += 2"])
def test_an_operand_is_not_repeated_after_a_change(change: str) -> None:
    assert repeats("javascript", f"function f(i) {{ return isWord(i) && ({change}) && isWord(i); }}") == ()


def test_a_choice_of_the_condition_itself_repeats_nothing() -> None:
    assert repeats("javascript", "function f(a, b) { return [a ? a : b, a ? b : a]; }") == ()
    assert repeats("python", "def f(a, b):\n    return [a if a else b, b if a else a]\n") == ()


@pytest.mark.parametrize(
    ("language", "source", "name"),
    [
        ("c", "int f(int a) {\n  /* a */\n  a = 5;\n  return a;\n}\n", "a"),
        ("csharp", "class A { int F(int a) { a = 5; return a; } }", "a"),
        ("go", "package a\nfunc f(a int) int {\n\ta = 5\n\treturn a\n}\n", "a"),
        ("java", "class A { int f(int a) {\n a = 5; return a; } }", "a"),
        ("javascript", "function f(a) {\n  a = 5;\n  return a;\n}\n", "a"),
        ("php", "<?php function f($a) { $a = 5; return $a; }", "$a"),
        ("python", "def f(a):\n    '''Of a.'''\n    a = 5\n    return a\n", "a"),
        ("ruby", "def f(a)\n  # a\n  a = 5\n  a\nend\n", "a"),
        ("rust", "fn f(mut a: i32) -> i32 {\n    a = 5;\n    a\n}\n", "a"),
    ],
)
def test_a_parameter_assigned_before_it_is_read_is_overwritten(language: str, source: str, name: str) -> None:
    assert [overwrite.name for overwrite in read_facts(by_id[language], source.encode()).overwrites] == [name]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "def f(a):\n    a = g(a)\n    a += 1\n"),
        ("python", "def f(a):\n    print(a)\n    a = 5\n"),
        ("python", "def f(a):\n    a = 5\n    return locals()\n"),
        ("php", "<?php function f($a) { $b = g($a); $a = 5; }"),
        ("php", "<?php function f(&$a) { $a = 5; }"),
        ("csharp", "class A { void F(int b, out (int, int) a) { a = (5, b); } }"),
        ("cpp", "void f(int b, std::string &a) { a = b; }"),
        ("c", "void f(int a) {\n#ifdef X\n  a = 5;\n#endif\n  go(a);\n}\n"),
        (
            "javascript",
            "const f = (b, a) => (a = b.x, a);\nfunction g(a) { b && (a = 5); while (b) { a = 1; } }",
        ),
        ("kotlin", 'fun f(a: String): String {\n    val a = "the $a"\n    return a\n}\n'),
        ("ruby", "def f(a)\n  a = 5 if b\n  super\nend\n"),
    ],
)
def test_a_parameter_that_counts_is_not_overwritten(language: str, source: str) -> None:
    assert read_facts(by_id[language], source.encode()).overwrites == ()
