"""Briefings by symbol: calls, signatures, copies, where names are known, and what else speaks of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.model.errors import UsageError
from crimes.render.brief import markdown
from crimes.workflows.briefing.build import brief
from crimes.workflows.briefing.calls import with_signatures, with_uses
from crimes.workflows.briefing.record import Briefing, Symbol
from crimes.workflows.briefing.signatures import signatures
from crimes.workflows.briefing.target import narrow, parse_target
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo

CART = """class Cart:
    def total(self, rate: int = 1) -> int:
        return rate

    def _hidden(self):
        return 0


def make() -> Cart:
    return Cart()
"""


def brief_of(repo: GitRepo, target: str) -> Briefing:
    """The briefing that `crimes context` shows."""
    path, _, part = target.partition(":")
    session = Session(repo.path)
    (whole,) = session.briefings([path])
    return with_signatures(with_uses(narrow(whole, part, repo.path), session), repo.path)


def test_calls_of_a_method_are_found_through_its_receiver(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "",
            "shop/cart.py": CART,
            "shop/pay.py": "from shop.cart import make\n\n\ndef pay():\n    cart = make()\n    return cart.total(2)\n",
            "shop/other.py": "from shop.cart import Cart\n\n\ndef show(thing):\n    return thing.total()\n",
            "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 1\n",
        }
    )
    part = brief_of(repo, "shop/cart.py:Cart.total")
    assert [(call.file, call.line, call.caller, call.test) for call in part.calls] == [
        ("shop/pay.py", 6, "pay", False),
        ("tests/test_cart.py", 5, "test_total", True),
    ]
    text = markdown([part])
    assert "- called at: `shop/pay.py:6`\n" in text
    assert "- call it: `tests/test_cart.py:5`\n" in text
    assert "used by" not in text
    assert "1 more call has this name in 1 file: their receivers are not known" in text


def test_places_that_a_rename_would_break_are_named_beside_the_calls(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "from shop.cart import Cart\n",
            "shop/cart.py": CART,
            "shop/gift.py": "from shop.cart import Cart\n\n\nclass Gift(Cart):\n    pass\n",
            "shop/pay.py": "from shop import cart\n\n\ndef pay():\n    return cart.make()\n",
            "shop/other.py": "from shop.elsewhere import make\n",
            "tests/test_cart.py": "from shop.cart import make\n\n\ndef test_make():\n    assert make()\n",
        }
    )
    made = brief_of(repo, "shop/cart.py:make")
    assert [(place.file, place.line, place.test) for place in made.references] == [
        ("tests/test_cart.py", 1, True)
    ]
    assert [(call.file, call.line) for call in made.calls] == [("shop/pay.py", 5), ("tests/test_cart.py", 5)]
    assert "- also name it: `tests/test_cart.py:1`\n" in markdown([made])
    cart = brief_of(repo, "shop/cart.py:Cart")
    assert ("shop/gift.py", 1) in [(place.file, place.line) for place in cart.references]
    assert "- also named at: `shop/__init__.py:1`, `shop/gift.py:1`\n" in markdown([cart])


def test_signatures_of_public_names_are_shown_as_written(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "from shop.cart import make\n",
            "shop/cart.py": CART,
            "README.md": "Use `make()`.\n",
        }
    )
    text = markdown([brief_of(repo, "shop/cart.py")])
    assert "- `def total(self, rate: int = 1) -> int` line 2\n" in text
    assert "- `def make() -> Cart` line 9; re-exported by shop/__init__.py, documented in README.md\n" in text
    assert "_hidden" not in text


@pytest.mark.parametrize(
    ("language", "source", "shown"),
    [
        (
            "java",
            "public class A {\n  private int f(int a) {\n  }\n  public int g(\n    int b) {\n",
            ["public int g(int b)"],
        ),
        ("go", "func Foo(x int) (int, error) {\n", ["func Foo(x int) (int, error)"]),
        ("go", "func foo(x int) {\n", []),
        ("rust", "pub fn a(x: u8) -> u8 {\n", ["pub fn a(x: u8) -> u8"]),
        ("rust", "fn a(x: u8) -> u8 {\n", []),
        ("rust", "impl From<u8> for a {\n", []),
        ("ruby", "def a\n", ["def a"]),
        ("ruby", "class Foo < Errno::EMFILE\n", ["class Foo < Errno::EMFILE"]),
        ("cpp", "class Foo : public Shape {\n", ["class Foo"]),
        (
            "typescript",
            "export const d = (x: number): number => {\n",
            ["export const d = (x: number): number"],
        ),
        ("kotlin", "fun f(x: Int): Int = 1\n", ["fun f(x: Int): Int"]),
    ],
)
def test_signature_of_each_language(language: str, source: str, shown: list[str]) -> None:
    lines = source.splitlines()
    names = {"java": [("A", 1), ("A.f", 2), ("A.g", 4)], "kotlin": [("f", 1)], "typescript": [("d", 1)]}
    first = "Foo" if "Foo" in source else "foo" if "foo" in source else "a"
    symbols = [Symbol(name, start, len(lines)) for name, start in names.get(language, [(first, 1)])]
    texts = signatures(lines, symbols, language)
    assert [text for (name, _), text in texts.items() if name != "A"] == shown


BODY = """
    if first and not second:
        return {"first": first}
    for item in third:
        fourth.append(item * 2 + len(third))
    while first < second:
        first += 1
    try:
        value = open_it(first, second, third=third)
    except ValueError as fault:
        raise KeyError(fault) from None
    numbers = [number for number in third if number]
    del numbers[0]
    with lock(value) as held:
        held.write("x", mode=second)
    assert value is not None
    other = first if second else third
    return other, value, numbers
"""


def copied(names: list[str]) -> str:
    """Functions of one signature with the same body."""
    return "\n\n".join(f"def {name}(first, second, third, fourth):{BODY}" for name in names)


def test_copies_of_one_signature_are_one_group(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"a.py": copied(["get", "put"]), "b.py": copied(["get", "put"])})
    made = brief(scan(repo.path, Config()), "a.py")
    assert [(group.total, group.same_parameters) for group in made.copies] == [(4, True)]
    assert "- `get`, `put` repeat one signature in `a.py` and `b.py` (`b.py`): change all 4\n" in markdown(
        [made]
    )
    assert narrow(made, "get", repo.path).copies == made.copies


def test_tests_that_only_mock_a_file_or_take_its_types_are_said_to_be_none(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "src/pay.ts": "export type Coin = number\nexport function pay(): Coin {\n  return 1\n}\n",
            "src/a.test.ts": "import { pay } from './pay'\nvi.mock('./pay')\ntest('x', () => { pay() })\n",
            "src/b.test.ts": "import type { Coin } from './pay'\ntest('y', () => { const c: Coin = 1 })\n",
        }
    )
    made = brief(scan(repo.path, Config()), "src/pay.ts")
    assert made.profile
    assert made.profile.test_gap == 0.0, "the three tiers stay as they are"
    kinds = {evidence.kind: evidence.tests for evidence in made.tests.evidence}
    assert kinds == {"mocked": ("src/a.test.ts",), "types_only": ("src/b.test.ts",)}
    text = markdown([made])
    assert "- `src/a.test.ts` replaces it by a mock, so it does not test it\n" in text
    assert "- `src/b.test.ts` imports only its types, so it does not test it\n" in text


def test_a_test_that_changes_with_a_file_is_evidence(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    for number in range(4):
        repo.commit(
            {
                "lib/rules.py": f"x = {number}\n",
                "tests/test_all.py": f"def test_all():\n    assert {number + 1}\n",
            },
            days_ago=9 - number,
        )
    made = brief(scan(repo.path, Config()), "lib/rules.py")
    assert made.profile
    assert made.profile.test_gap == 1.0
    text = markdown([made])
    assert "test gap 1.00 (no test imports it; 4 of its last 4 commits came with `tests/test_all.py`)" in text
    assert text.count("its last 4 commits") == 1


def test_tests_of_the_same_go_package_are_evidence(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "go.mod": "module x\n",
            "p/a.go": "package p\n\nfunc A() int { return 1 }\n",
            "p/b_test.go": 'package p\n\nimport "testing"\n\nfunc TestB(t *testing.T) {}\n',
        }
    )
    made = brief(scan(repo.path, Config()), "p/a.go")
    assert [(evidence.kind, evidence.tests) for evidence in made.tests.evidence] == [
        ("same_package", ("p/b_test.go",))
    ]


# Targets that are not there.


def test_a_folder_is_refused_and_its_riskiest_files_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"shop/cart.py": CART, "shop/pay.py": "x = 1\n"})
    monkeypatch.chdir(repo.path)
    with pytest.raises(UsageError, match=r"^shop is a folder: name a file of it$"):
        parse_target("shop")
    Session(repo.path).report()
    with pytest.raises(
        UsageError, match=r"^shop is a folder: name a file of it; its riskiest are shop/cart\.py"
    ):
        parse_target("shop")


@pytest.mark.parametrize(("name", "meant"), [("shop/kart.py", "shop/cart.py"), ("nothing/like/it.py", "")])
def test_a_missing_file_is_refused_with_one_that_may_be_meant(
    name: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"shop/cart.py": CART})
    monkeypatch.chdir(repo.path)
    with pytest.raises(UsageError) as fault:
        parse_target(name)
    assert str(fault.value) == f"no such file: {name}" + (f"; did you mean {meant}?" if meant else "")


def test_a_missing_symbol_is_refused_with_each_name_once_and_private_ones_last(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    overloads = "    def total(self) -> int: ...\n    def total(self) -> int: ...\n"
    repo.commit({"cart.py": f"def _hidden():\n    return 1\n\n\nclass Cart:\n{overloads}"})
    with pytest.raises(UsageError) as fault:
        brief_of(repo, "cart.py:Cart.totl")
    assert (
        str(fault.value)
        == "no `Cart.totl` in cart.py; it defines `Cart` and `_hidden`; did you mean Cart.total, Cart?"
    )


def test_a_name_that_several_symbols_have_means_these_and_not_what_is_between(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop.py": "class Cart:\n    def total(self):\n        return 1\n\n\ndef between():\n    return 2\n\n\n"
            "class Bill:\n    def total(self):\n        return 3\n"
        }
    )
    part = brief_of(repo, "shop.py:total")
    assert [symbol.name for symbol in part.symbols] == ["Cart", "Cart.total", "Bill", "Bill.total"]


def test_names_at_the_top_of_a_file_come_before_methods(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    methods = "".join(f"    def step_{at}(self):\n        return {at}\n\n" for at in range(8))
    repo.commit(
        {
            "shop.py": f"class Cart:\n{methods}\nclass Bill:\n    pass\n",
            "use.py": "from shop import Cart\n\nCart()\n",
        }
    )
    text = markdown([brief_of(repo, "shop.py")])
    assert "- `class Cart` line 1\n- `class Bill` line 27\n- `def step_0(self)` line 2\n" in text


def test_names_leave_out_what_only_stands_around_them(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    methods = "".join(f"    def step_{at}(value)\n      value\n    end\n\n" for at in range(4))
    repo.commit({"lib/shop/cart.rb": f"module Shop\n  class Cart\n{methods}  end\nend\n"})
    whole = markdown([brief_of(repo, "lib/shop/cart.rb")])
    assert "`module Shop`" not in whole
    assert "`class Cart` line 2" in whole
    method = markdown([brief_of(repo, "lib/shop/cart.rb:Cart.step_1")])
    assert "`class Cart`" not in method
    assert "`def step_1(value)` line 7" in method


def test_tests_that_import_what_passes_the_names_on_are_evidence(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    test = "import shop\n\n\ndef test_{0}():\n    assert shop.{0}()\n"
    repo.commit(
        {
            "shop/__init__.py": "from shop.cart import make\nfrom shop.pay import pay\n",
            "shop/cart.py": "def make():\n    return 1\n",
            "shop/pay.py": "def pay():\n    return 2\n",
            "shop/alone.py": "def alone():\n    return 3\n",
            "tests/test_pay.py": test.format("pay"),
        }
    )
    made = brief(scan(repo.path, Config()), "shop/cart.py")
    assert made.profile
    assert made.profile.test_gap == 1.0
    assert [(item.kind, item.tests, item.via) for item in made.tests.evidence] == [
        ("public_api", ("tests/test_pay.py",), "shop/__init__.py")
    ]
    assert "- `tests/test_pay.py` imports `shop/__init__.py`, which passes its names on\n" in markdown([made])
    assert brief(scan(repo.path, Config()), "shop/alone.py").tests.evidence == ()


def test_tests_that_start_the_program_are_evidence_where_no_test_reaches_the_file(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
            "src/main.rs": "mod cart;\n\nfn main() {\n    cart::total();\n}\n",
            "src/cart.rs": "pub fn total() -> u8 {\n    1\n}\n",
            "tests/cli.rs": 'use assert_cmd::Command;\n\n#[test]\nfn runs() {\n    Command::cargo_bin("shop").unwrap();\n}\n',
            "tests/other.rs": "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n",
            "tool.py": "def run():\n    return 1\n",
        }
    )
    made = brief(scan(repo.path, Config()), "src/cart.rs")
    assert [(item.kind, item.tests) for item in made.tests.evidence] == [
        ("starts_program", ("tests/cli.rs",))
    ]
    assert "- `tests/cli.rs` starts the program and may reach it\n" in markdown([made])
    assert brief(scan(repo.path, Config()), "tool.py").tests.evidence == ()


def test_binary_file_is_an_error_and_another_text_is_not(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"a.py": "x = 1\n", "Makefile": "all:\n", "logo.bin": "a\0b"})
    with pytest.raises(UsageError, match=r"logo\.bin is a binary file"):
        brief_of(repo, "logo.bin")
    assert brief_of(repo, "Makefile").role is None
