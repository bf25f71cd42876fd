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
    assert "1 more call has this name in 1 file: its receiver is not known" in text


def test_calls_under_another_name_are_found(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "",
            "shop/cart.py": CART,
            "shop/pay.py": "from shop.cart import make as _make\n\n\ndef pay():\n    return _make()\n",
        }
    )
    part = brief_of(repo, "shop/cart.py:make")
    assert [(call.file, call.line) for call in part.calls] == [("shop/pay.py", 5)]
    assert [(place.file, place.line) for place in part.references] == [("shop/pay.py", 1)]


def test_a_call_that_can_mean_nothing_else_is_a_call_and_not_unknown(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "",
            "shop/cart.py": "class Cart:\n    def weigh_items(self, items):\n        return sum(items)\n",
            "shop/till.py": "from shop.cart import Cart\n\n\ndef open_till():\n    return Cart()\n",
            "shop/desk.py": "from shop import till\n\n\ndef pay(thing, items):\n    return thing.weigh_items(items)\n",
        }
    )
    part = brief_of(repo, "shop/cart.py:Cart.weigh_items")
    assert [(call.file, call.line, call.caller) for call in part.calls] == [("shop/desk.py", 5, "pay")]
    assert (part.references, part.limits) == ((), ())


def test_a_call_in_the_tests_of_a_source_file_is_one_of_a_test(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    source = "pub fn total() -> u8 {\n    1\n}\n\npub fn twice() -> u8 {\n    2 * total()\n}\n\n"
    tests = "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn totals() {\n        let seen = total();\n        assert_eq!(seen, 1);\n    }\n}\n"
    repo.commit({"Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": source + tests})
    part = brief_of(repo, "src/lib.rs:total")
    assert [(call.line, call.test) for call in part.calls] == [(6, False), (15, True)]
    assert "- called at: `src/lib.rs:6`\n" in (text := markdown([part]))
    assert "- call it: `src/lib.rs:15`\n- run `cargo test -p shop`\n" in text


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
    assert (
        "- `def make() -> Cart` line 9; public API through shop/__init__.py, documented in README.md\n"
        in text
    )
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
        (
            "typescript",
            "export class d<\n  E extends Env = any,\n  I extends Input = {}\n> {\n",
            ["export class d<E extends Env = any, I extends Input = {}>"],
        ),
        (
            "typescript",
            "  d: Respond = <\n    T extends {},\n    F extends (x: T) => void = X\n  >(\n    x: T\n  ): Of<T> => {\n",
            ["d: Respond = <T extends {}, F extends (x: T) => void = X>(x: T): Of<T>"],
        ),
        ("python", "def a(x: int) -> dict[str, int]: ...\n", ["def a(x: int) -> dict[str, int]"]),
        ("python", "def a(x): return x\n", ["def a(x)"]),
        ("python", "class a(b): pass\n", ["class a(b)"]),
        ("csharp", "public T a<T>() => b(typeof(T));\n", ["public T a<T>()"]),
        ("rust", "pub struct a<'t, T: 't> {\n", ["pub struct a<'t, T: 't>"]),
        ("scala", "class Foo[T <: Bar](x: Int) extends Baz {\n", ["class Foo[T <: Bar](x: Int) extends Baz"]),
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
    assert "import it" not in text.partition("## Tests")[2], "each test is listed once"


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
    assert (
        "test gap 1.00 (no test imports it directly; 4 of its last 4 commits also changed `tests/test_all.py`)"
        in text
    )
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


def test_names_a_file_keeps_to_itself_are_not_among_its_public_ones(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "from shop.cart import *\n",
            "shop/cart.py": '__all__ = ["Cart"]\n\n\nclass Base:\n    pass\n\n\nclass Cart(Base):\n    def total(self):\n'
            "        class Local:\n            pass\n\n        return Local\n",
            "src/shop.ts": "const helper = () => {\n  return 1\n}\nclass Shop {\n  open(): void {\n    const late = () => {\n"
            "      return 2\n    }\n    late()\n  }\n}\nexport { Shop as Store }\n",
        }
    )
    text = markdown([brief_of(repo, "shop/cart.py")])
    assert (
        "- `class Cart(Base)` line 8; public API through shop/__init__.py\n- `def total(self)` line 9\n"
        in text
    )
    assert "class Base" not in text
    assert "Local" not in text
    text = markdown([brief_of(repo, "src/shop.ts")])
    assert "- `class Shop` line 4\n- `open(): void` line 5\n" in text
    assert "helper" not in text
    assert "late" not in text


def test_a_go_type_whose_methods_stand_beside_it_is_listed(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    method = "func (p *Pool) Set(size int) {\n" + "\tp.size += size\n" * 9
    closure = "\tgrow := func() int {\n\t\treturn 1\n\t}\n\tgrow()\n}\n"
    repo.commit(
        {
            "go.mod": "module x\n",
            "pool.go": f"package x\n\ntype Pool struct {{\n\tsize int\n}}\n\n{method}{closure}",
        }
    )
    text = markdown([brief_of(repo, "pool.go")])
    assert "- `type Pool struct` line 3\n- `func (p *Pool) Set(size int)` line 7\n" in text


def test_methods_of_several_classes_are_shown_with_their_class(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop.py": "class Cart:\n    def total(self):\n        return 1\n\n\nclass Bill:\n    def total(self):\n        return 2\n"
        }
    )
    text = markdown([brief_of(repo, "shop.py")])
    assert "- `def total(self)` of `Cart` line 2\n- `def total(self)` of `Bill` line 7\n" in text


def test_the_document_that_describes_a_name_is_told_from_those_that_mention_it(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "",
            "shop/cart.py": CART + "\n\ndef render() -> str:\n    return ''\n",
            "README.md": "A cart is what you make. Use `Cart`, or a `Cart`, or `cart.Cart`.\n",
            "docs/api.md": "# API\n\n## `Cart`\n\nHolds things. `Cart.total()` adds them up.\n",
            "docs/de/api.md": "# API\n\n## `Cart`\n\n## `Cart`\n",
            "docs/en/api.md": "# API\n",
            "docs/forms.rst": ".. method:: Form.render()\n\nSee Form.render().\n",
            "CHANGELOG.md": "`Cart` and `make()` are new.\n",
            "CONTRIBUTING.md": "Does it happen with `make()`?\n",
        }
    )
    whole = {symbol.name: symbol.documented_in for symbol in brief_of(repo, "shop/cart.py").symbols}
    assert whole == {
        "Cart": "docs/de/api.md",  # twice as much, and no translation of another document that has it
        "Cart.total": "",
        "Cart._hidden": "",
        "make": "",
        "render": "",  # of a form
    }
    (total,) = (
        symbol for symbol in brief_of(repo, "shop/cart.py:Cart.total").symbols if "total" in symbol.name
    )
    assert total.documented_in == "docs/api.md"
    repo.commit({"docs/en/api.md": "# API\n\n## `Cart`\n"})
    assert brief_of(repo, "shop/cart.py").symbols[0].documented_in == "docs/api.md"


def test_users_of_a_class_are_no_users_of_its_method(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "",
            "shop/cart.py": CART,
            "shop/pay.py": "from shop.cart import Cart\n\n\ndef pay(cart: Cart):\n    return cart\n",
        }
    )
    assert "used by" not in markdown([brief_of(repo, "shop/cart.py:Cart.total")])
    assert "used by: `shop/pay.py`" in markdown([brief_of(repo, "shop/cart.py")])


def test_the_command_of_a_symbol_runs_the_tests_that_call_it_and_few_are_listed(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    calls = "".join("    assert Cart().total()\n" for _ in range(6))
    other = "from shop.cart import Cart\n\n\ndef test_it():\n    assert Cart()\n"
    repo.commit(
        {
            "pytest.ini": "[pytest]\n",
            "shop/__init__.py": "",
            "shop/cart.py": CART,
            "tests/test_cart.py": other,
            "tests/test_sums.py": f"from shop.cart import Cart\n\n\ndef test_sums():\n{calls}",
            **{f"tests/test_{at}.py": other.replace("Cart()", "Cart().total()") for at in range(6)},
        }
    )
    text = markdown([brief_of(repo, "shop/cart.py:Cart.total")])
    assert "- run `python -m pytest tests/test_sums.py tests/test_0.py" in text
    assert "tests/test_cart.py" not in text.partition("## Tests")[2]
    assert "`tests/test_3.py:5`, `tests/test_sums.py:5, 6, 7, 8` and 2 more, 2 more test files\n" in text
    assert "import it" not in text.partition("## Tests")[2]


def test_tests_through_the_package_are_not_counted_again_as_indirect(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "shop/__init__.py": "from shop.cart import make\n",
            "shop/cart.py": CART,
            "tests/test_a.py": "import shop\n\n\ndef test_a():\n    assert shop.make()\n",
            "tests/test_b.py": "import shop\n\n\ndef test_b():\n    assert shop.make()\n",
        }
    )
    text = markdown([brief(scan(repo.path, Config()), "shop/cart.py")])
    assert (
        "`tests/test_a.py` and `tests/test_b.py` import `shop/__init__.py`, which passes its names on" in text
    )
    assert "indirectly" not in text


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
