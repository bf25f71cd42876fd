"""Source that the grammars of C and C++ cannot read without the preprocessor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.languages import by_id
from crimes.languages.c.repair import repair
from crimes.languages.engine.facts import read_facts


@pytest.mark.parametrize(
    ("source", "functions"),
    [
        ("EXPORT_API int f(void) {\n  return 1;\n}\n", ["f"]),
        ("static BOOL WINAPI f(DWORD x) {\n  return x;\n}\n", ["f"]),
        ("int f(int x) NOTHROW LOCKS(a, b) {\n  return x;\n}\n", ["f"]),
        ("BEGIN_DECLS\nint f(void) {\n  return 1;\n}\nEND_DECLS\n", ["f"]),
        ('NO_SANITIZE("bounds")\nint f(void) {\n  return 1;\n}\n', ["f"]),
        ("int f(void) {\n  LIST_FOREACH(a, b, c) {\n    g(a);\n  }\n  return 1;\n}\n", ["f"]),
        ("int f(void) {\n  run_every(100) {\n    g();\n  }\n  return 1;\n}\n", ["f"]),
        ('int f(void) {\n  return g("a" FORMAT(x) "b" NAME "c");\n}\n', ["f"]),
        ("int f(void) {\n  char *s = va_arg(args, char *);\n  return 1;\n}\n", ["f"]),
        (
            "int f(void) {\n#ifdef A\n  if (x) {\n#else\n  if (y) {\n#endif\n    g();\n  }\n  return 1;\n}\n",
            ["f"],
        ),
        ("int f(int a,\n#ifdef B\n      int b,\n#endif\n      int c) {\n  return a;\n}\n", ["f"]),
        ("int f(void) {\n  if (a) {\n  }\n#ifdef B\n  else if (b) {\n  }\n#endif\n  return 1;\n}\n", ["f"]),
        ("struct s {\n  __attribute__((packed)) int a;\n};\nint f(void) {\n  return 1;\n}\n", ["f"]),
    ],
)
def test_c_with_macros_is_read_whole(source: str, functions: list[str]) -> None:
    facts = read_facts(by_id["c"], source.encode())
    assert facts.errors == ()
    assert [function.name for function in facts.functions] == functions


@pytest.mark.parametrize(
    ("source", "functions"),
    [
        ('TEST_CASE("an empty cart", "[cart]") {\n  CHECK(1);\n}\n', ['TEST_CASE("an empty cart")']),
        (
            "BOOST_AUTO_TEST_SUITE(carts)\nBOOST_AUTO_TEST_CASE(empty)\n{\n  f();\n}\n",
            ["BOOST_AUTO_TEST_CASE(empty)"],
        ),
        (
            "TEST_F(CartTest, IsEmpty) {\n  EXPECT_EQ(1, 1);\n}\nclass API X {};\n",
            ["TEST_F(CartTest, IsEmpty)"],
        ),
        (
            "class API_EXPORT Cart : public Base {\n  int n GUARDED_BY(lock) = 0;\n  int f() { return n; }\n};\n",
            ["f"],
        ),
        ("class Cart {\n  Q_OBJECT\npublic Q_SLOTS:\n  int f() { return 1; }\n};\n", ["f"]),
        ("void f(Cart c = {}) {\n  int n{WITH_LOCK(lock, return c.size())};\n}\n", ["f"]),
        ("template <typename T, ENABLE_IF(is_int<T>)>\nint f(T t) {\n  return 1;\n}\n", ["f"]),
        ("struct S {\n  S& operator++();\n  int f() { operator++(); return 1; }\n};\n", ["f"]),
        ("struct S {\n  bool friend operator==(S a, S b) { return f(a); }\n};\n", ["operator=="]),
        ("int f(T x) {\n  return (x->*method)(1) + (x.*other)(2);\n}\n", ["f"]),
        ("struct S {\n  void (Bench::*method)(int);\n  int f() { return 1; }\n};\n", ["f"]),
        ("template <Byte B = unsigned char>\nint f(B b) {\n  return 1;\n}\n", ["f"]),
        ("struct S {\n  State s : 3 {State::New};\n  int f() { return 1; }\n};\n", ["f"]),
        ("struct S {\n  operator text() const = delete;\n  int f() { return 1; }\n};\n", ["f"]),
        ("int f(T x) {\n  return g(1, typename T::Key{}, x != decltype(x){});\n}\n", ["f"]),
        ('extern "C" __declspec(dllimport) int __stdcall g(int x);\nint f() {\n  return 1;\n}\n', ["f"]),
        ('int f(int a) {\n  return g("a"s "b"s, a ? (b = h(a), &b) : nullptr);\n}\n', ["f"]),
        (
            "template <class... T> struct S : T... {\n  using T::operator()...;\n  int f() { return 1; }\n};\n",
            ["f"],
        ),
    ],
)
def test_cpp_with_macros_is_read_whole(source: str, functions: list[str]) -> None:
    facts = read_facts(by_id["cpp"], source.encode())
    assert facts.errors == ()
    assert [function.name for function in facts.functions] == functions


def test_a_loop_made_by_a_macro_counts() -> None:
    source = b"int f(void) {\n  LIST_FOREACH(a, b, c) {\n    if (a) {\n      g();\n    }\n  }\n  API int x;\n  return 1;\n}\n"
    assert read_facts(by_id["c"], source).functions[0].cognitive == 3


def test_preprocessor_conditions_add_no_complexity() -> None:
    source = b"int f(void) {\n#if defined(A) && defined(B) || C > 3\n  g();\n#endif\n  return 1;\n}\n"
    function = read_facts(by_id["c"], source).functions[0]
    assert (function.cognitive, function.cyclomatic) == (0, 1)


def test_preprocessor_branches_after_a_case_all_count() -> None:
    """As they do where the file needs no repair."""
    source = (
        b"int f(int t) {\n  switch(t) {\n  case A: /* why */\n#ifndef X\n    if(t)\n      return 1;\n#else\n    c = t ? 3 : 4;\n#endif\n"
        b"    break;\n  default:\n#ifdef Y\n    if(t) g();\n#endif\n    break;\n  }\n  return 0;\n}\n"
    )
    whole = read_facts(by_id["c"], source).functions[0]
    repaired = read_facts(by_id["c"], source + b"static BOOL WINAPI g(DWORD x) {\n  return x;\n}\n")
    assert repaired.errors == ()
    assert [(function.cognitive, function.cyclomatic) for function in (whole, repaired.functions[0])] == [
        (7, 5)
    ] * 2


def test_test_macros_mark_tests() -> None:
    facts = read_facts(
        by_id["cpp"],
        b"TEST(Cart, IsEmpty) {\n  f();\n}\nvoid test_helper() {\n  f();\n}\nvoid g() {\n  f();\n}\n",
    )
    assert [function.is_test for function in facts.functions] == [True, True, False]


PIECES = st.sampled_from(
    [
        "#if A\n",
        "#else\n",
        "#endif\n",
        "MACRO",
        "MACRO(a, b)",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\n",
        '"a"',
        "'",
        '"',
        "/*",
        "*/",
        "//",
        "\\\n",
        "class X",
        "int f(void)",
        "TEST_CASE(",
        "return x",
        ",",
        "=",
        "#define A ",
        'R"(',
        "template <",
        " ",
        "é",
    ]
)


@given(st.lists(PIECES, max_size=60))
def test_repair_keeps_length_and_line_breaks(pieces: list[str]) -> None:
    source = "".join(pieces).encode()
    repaired = repair(source)
    assert len(repaired) == len(source)
    assert [at for at, byte in enumerate(repaired) if byte == 10] == [
        at for at, byte in enumerate(source) if byte == 10
    ]
    assert read_facts(by_id["cpp"], source).lines >= 0


def test_long_and_deep_text_is_read_in_time() -> None:
    """Each of these would not have ended if an expression tried every start again."""
    for text in (
        "MACRO(" * 4_000,
        "#if A\n" * 4_000,
        "A B " * 10_000,
        "(" * 10_000,
        "MACRO " * 10_000,
        '"' * 10_001,
    ):
        repair(text.encode())
