"""Source that the grammar of C# cannot read without the preprocessor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.languages import by_id
from crimes.languages.csharp.repair import repair
from crimes.languages.engine.facts import read_facts


def in_method(body: str) -> str:
    return f"class A {{\n  int F(int x) {{\n{body}\n    return x;\n  }}\n}}\n"


@pytest.mark.parametrize(
    "source",
    [
        in_method(
            "    if (x > 1) {\n      x++;\n    }\n#if B\n    else if (x > 2) {\n      x--;\n    }\n#endif"
        ),
        in_method("#if B\n    if (x > 1) {\n      x++;\n    }\n    else\n#endif\n    {\n      x--;\n    }"),
        in_method(
            "    switch (x) {\n#if B\n      case 1:\n        return 2;\n#endif\n      default:\n        break;\n    }"
        ),
        in_method(
            "    G(1\n#if B\n      , 2\n#if C\n      , 3\n#else\n      , 4\n#endif\n#else\n      , 5\n#endif\n    );"
        ),
        "class A\n#if B\n  : IDisposable\n#endif\n{\n  int F(int x) {\n    return x;\n  }\n}\n",
        "class A {\n  int F(int x) {\n    return x;\n  }\n}\n\n#pragma warning restore 618",
    ],
)
def test_preprocessor_conditionals_inside_a_method_are_read_whole(source: str) -> None:
    facts = read_facts(by_id["csharp"], source.encode())
    assert facts.errors == ()
    assert [function.qualname for function in facts.functions] == ["A.F"]


def test_both_branches_count_where_the_grammar_reads_them() -> None:
    source = "class A {\n#if B\n  int F() { return 1; }\n#else\n  int G() { return 2; }\n#endif\n}\n"
    assert [function.name for function in read_facts(by_id["csharp"], source.encode()).functions] == [
        "F",
        "G",
    ]


@given(
    st.lists(
        st.sampled_from(["#if A\n", "#else\n", "#elif B\n", "#endif\n", "x;\n", "#", "\r\n", " "]),
        max_size=30,
    )
)
def test_repair_keeps_the_length_of_every_line(pieces: list[str]) -> None:
    source = "".join(pieces).encode()
    repaired = repair(source)
    assert [len(row) for row in repaired.split(b"\n")] == [len(row) for row in source.split(b"\n")]
