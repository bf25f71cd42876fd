"""Clones: alike up to names and literals, each class once, in linear steps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from crimes.analyses.clones import Clones, Copy, find_clones, windows_of
from crimes.analyses.copies.excuses import is_acknowledged
from crimes.analyses.copies.groups import CloneGroup
from crimes.detection.context import Pass
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import Role
from crimes.model.repository import File

BODY = """    total = {start}
    for {row} in {rows}:
        if {row}.amount > {limit}:
            total += {row}.amount * {rate}
        elif {row}.kind == "{kind}":
            total -= {row}.discount
        else:
            {rows}.skip({row}, total)
    while total > {cap}:
        total = total / 2 + {row}.step
        log(total, "{kind} halved")
    report = {{"total": total, "kind": "{kind}"}}
    send(report, [{row} for {row} in {rows} if {row}.open])
    return report
"""
ONE = {
    "start": "0",
    "row": "order",
    "rows": "orders",
    "limit": "10",
    "rate": "1.19",
    "kind": "sale",
    "cap": "99",
}
TWO = {
    "start": "100",
    "row": "bill",
    "rows": "bills",
    "limit": "7",
    "rate": "tax",
    "kind": "return of a bill",
    "cap": "5",
}


def clones(texts: dict[str, str], role: Role = Role.SOURCE) -> Clones:
    files = {
        f"{name}.py": File(f"{name}.py", role, read_facts(by_id["python"], text.encode()))
        for name, text in sorted(texts.items())
    }
    windows = {path: found for path, file in files.items() if (found := windows_of(file.facts))}
    return find_clones(files, windows)


def function(name: str, words: dict[str, str], before: str = "", after: str = "") -> str:
    return f"def {name}(x):\n{before}{BODY.format(**words)}{after}\n"


def test_functions_that_differ_in_names_and_literals_are_clones() -> None:
    found = clones({"a": "\n\n" + function("one", ONE), "b": function("two", TWO)}).classes
    assert [[(copy.path, copy.start, copy.end) for copy in clone.copies] for clone in found] == [
        [("a.py", 3, 17), ("b.py", 1, 15)]
    ]
    assert found[0].lines == 15
    assert found[0].tokens >= 90


def test_comments_and_blank_lines_do_not_hide_a_copy() -> None:
    text = function("two", TWO).replace("    while", "\n    # not too much\n    while")
    (found,) = clones({"a": function("one", ONE), "b": text}).classes
    assert [(copy.start, copy.end) for copy in found.copies] == [(1, 15), (1, 17)]


def test_a_copy_inside_a_longer_function_is_found() -> None:
    extra = "    first(x)\n    x.second()\n"
    (found,) = clones(
        {"a": function("one", ONE), "b": function("two", TWO, extra, "    assert x is None, x\n")}
    ).classes
    assert [(copy.start, copy.end) for copy in found.copies] == [(2, 15), (4, 17)]


def test_functions_that_differ_in_an_operator_are_not_clones() -> None:
    text = function("two", TWO).replace("total / 2", "(total - 2)").replace("+=", "-= 2 **")
    assert clones({"a": function("one", ONE), "b": text}).classes == ()


def test_tables_tests_and_short_functions_are_never_clones() -> None:
    table = "def urls():\n" + "".join(f'    add("{n}", views.page_{n}, name="{n}")\n' for n in range(40))
    assert clones({"a": table, "b": table}).classes == ()
    assert clones({"a": function("one", ONE), "b": function("two", TWO)}, Role.TEST).classes == ()
    assert clones({"a": function("test_one", ONE), "b": function("test_two", TWO)}).classes == ()
    short = "def f(a):\n    if a:\n        return a + 1\n    return b(a, [c for c in a])\n"
    assert clones({"a": short, "b": short}).classes == ()


def test_copies_are_reported_as_one_clone_class() -> None:
    many = {f"f{n}": function(f"name{n}", TWO) for n in range(5)}
    assert [len(clone.copies) for clone in clones(many).classes] == [5]
    longer = {
        f"g{n}": function(f"name{n}", ONE, after="    x.close(1)\n    x.join(x, [])\n") for n in range(2)
    }
    found = clones({**many, **longer}).classes
    assert [(len(clone.copies), clone.lines) for clone in found] == [(7, 15)]


def test_two_copies_in_one_function_do_not_overlap() -> None:
    (found,) = clones({"a": f"def f(x):\n{BODY.format(**ONE)}{BODY.format(**TWO)}"}).classes
    first, second = found.copies
    assert first.end < second.start


def test_thousands_of_copies_with_comments_are_scanned_once() -> None:
    """Names of other copies in comments: every name in every comment would take minutes here."""
    many = 5_000
    comment = SimpleNamespace(line=1, text="# rounds the price, as the law has it")
    files = {
        f"src/m{n}.py": SimpleNamespace(
            facts=SimpleNamespace(
                functions=[SimpleNamespace(qualname=f"Shop.total_{n}", start=2)], comments=[comment]
            )
        )
        for n in range(many)
    }
    scan = cast(Pass, SimpleNamespace(repo=SimpleNamespace(files=files)))
    copies = tuple(Copy(path, 0, 2, 20) for path in files)
    group = CloneGroup(copies, lines=18, tokens=100, same=90, verbatim=False)
    assert not is_acknowledged(scan, group)
    comment.text = "# like total_7 of src/m7.py."
    assert is_acknowledged(scan, group)
