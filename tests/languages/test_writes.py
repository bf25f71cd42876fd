"""Which names of the module a function writes to: what shared state is told by."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts

CASES = {
    "python": b"n = 0\nd = {}\ndef f():\n    global n\n    n += 1\n    local = 2\n    del d[1]\n",
    "typescript": b"let n = 0;\nconst d = {};\nfunction f() {\n  n++;\n  const local = 2;\n  d[1] = local!;\n}\n",
    "go": b"package a\n\nvar n = 0\nvar d = map[int]int{}\n\nfunc f() {\n\tn++\n\tlocal := 2\n\td[1] = local\n}\n",
}


@pytest.mark.parametrize("language", sorted(CASES))
def test_writes_cover_module_names_and_entries_but_no_locals(language: str) -> None:
    (function,) = read_facts(by_id[language], CASES[language]).functions
    assert function.writes == ("d[]", "n")


def test_an_operator_behind_a_value_is_no_write() -> None:
    facts = read_facts(by_id["csharp"], b"class A { void F() { x.y!.Z(); this.n++; } }")
    assert facts.functions[0].writes == ("this.n",)


def test_returned_tuple_has_the_length_of_its_values() -> None:
    source = b"def f(a):\n    if a:\n        return a, \\\n            1  # one\n    return (\n        a,  # first\n        2,\n    )\n"
    assert read_facts(by_id["python"], source).functions[0].returns == ("tuple 2",)
