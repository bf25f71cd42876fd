"""Code in comments: read by the file's own grammar, and never where a person wrote for persons."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts


def commented(language: str, source: str) -> list[tuple[int, int]]:
    facts = read_facts(by_id[language], source.encode())
    return [(block.line, block.end) for block in facts.commented]


CODE = {
    "python": "# x = f(1)\n# if x:\n#     g(x)\n# else:\n#     h(x)\ny = 1\n",
    "go": "package a\n\n// x := f(1)\n// if x > 1 {\n// \tg(x)\n// }\n// h(x)\nvar y = 1\n",
    "rust": "// let x = f(1);\n// if x > 1 {\n//     g(x);\n// }\n// h(x);\nfn y() {}\n",
    "java": "class A {\n  // int f(int x) {\n  //   int y = g(x);\n  //   h(y);\n  //   return y;\n  // }\n}\n",
    "csharp": "class A {\n  // int F(int x) {\n  //   var y = G(x);\n  //   H(y);\n  //   return y;\n  // }\n}\n",
    "php": "<?php\n// $x = f(1);\n// if ($x) {\n//   g($x);\n// }\n// h($x);\n",
    "ruby": "# x = f(1)\n# if x > 1\n#   g(x)\n#   h(x)\n# end\ny = 1\n",
    "kotlin": "// val x = f(1)\n// if (x > 1) {\n//   g(x)\n// }\n// h(x)\nval y = 1\n",
    "swift": "// let x = f(1)\n// if x > 1 {\n//   g(x)\n// }\n// h(x)\nlet y = 1\n",
    "c": "void y(void) {\n/* int x = f(1);\n   if (x) {\n     g(x);\n   }\n   h(x); */\n}\n",
    "typescript": "// const x: number = f(1);\n// if (x) {\n//   g(x);\n// }\n// h(x);\nexport const y = 1;\n",
}


@pytest.mark.parametrize("language", sorted(CODE))
def test_code_in_comments_is_seen(language: str) -> None:
    assert len(commented(language, CODE[language])) == 1


def test_lines_are_those_of_the_comment() -> None:
    assert commented("python", "\n\n" + CODE["python"]) == [(3, 7)]


PROSE = [
    "# It (the cart) holds:\n# - `items` (a list)\n# - `total` (a number)\n# - `tax` (a number)\n# - `user` (a name)\n",
    "# Adds Cart::Item objects to the list:\n#\n#     cart = Cart.new\n#     cart.add(1)\n#     cart.add(2)\n#     cart.sum\n",
    "# x = f(1\n# if x:\n#     g(x)\n# else:\n#     h(x)\n",
    "# one\n# two\n# three\n# four\n# five\n",
    "x = 1  # a = 1\ny = 2  # b = a\nz = 3  # c = b\nu = 4  # d = c\nv = 5  # e = d\n",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_comments_are_not_commented_out_code(text: str) -> None:
    assert commented("python", text + "done = 1\n") == []
    assert commented("ruby", text + "done = 1\n") == []


def test_a_very_long_comment_is_left_alone() -> None:
    assert commented("python", "# x = f(1)\n" * 5000) == []
