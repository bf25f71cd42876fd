"""Where Scala names lead: selectors, renames, relative paths, package objects, imports from what was imported."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import Role
from tests.kit.resolving import EXTERNAL, KNOWN, UNRESOLVED, implicit_uses, import_targets

_ROOT = "src/main/scala/"
CART, PRICE, TOOLS = (
    f"{_ROOT}org/shop/Cart.scala",
    f"{_ROOT}org/shop/Price.scala",
    f"{_ROOT}org/shop/tools/package.scala",
)
RATE, SYNTAX, OLD = (
    f"{_ROOT}org/shop/tax/Rate.scala",
    f"{_ROOT}org/shop/syntax.scala",
    "src/main/java/org/shop/Old.java",
)
SHOP = {
    CART: "package org.shop\n\nclass Cart { class Line }\nobject Cart { def empty = new Cart }\n",
    PRICE: "package org.shop\n\ncase class Price(cents: Int)\n",
    TOOLS: "package org.shop\n\npackage object tools extends Shouting {\n  def twice(s: String) = s + s\n  type Name = String\n}\n",
    RATE: "package org.shop\npackage tax\n\ntrait Rate\nobject Rate { implicit val r: Rate = null }\n",
    SYNTAX: "package org.shop\n\nextension (s: String) def shout = s\ngiven shown: Show[Cart] = null\nval limit = 3\n",
    OLD: "package org.shop;\npublic class Old {}\n",
}
MAIN = f"{_ROOT}org/app/Main.scala"


def main(text: str, package: str = "package org.app") -> dict[str, str]:
    return {**SHOP, MAIN: f"{package}\n\n{text}\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import org.shop.Cart", CART),
        ("import _root_.org.shop.Cart", CART),
        ("import org.shop.{Cart, Price}", f"{CART} {PRICE}"),
        ("import org.shop.{Cart => Basket}", CART),
        ("import org.shop.{Cart as Basket}", CART),
        ("import org.shop.Cart as Basket", CART),
        ("import org.shop.{\n  Cart, // why\n  Price\n}", f"{CART} {PRICE}"),
        ("import org.shop.Cart.Line", CART),
        ("import org.shop.Cart._", CART),
        ("import org.shop.Cart.*", CART),
        ("import org.shop.Cart.{given, *}", CART),
        ("import org.shop.tax.Rate", RATE),
        ("import org.shop.{shown, limit}", SYNTAX),
        ("import org.shop.tools.twice", TOOLS),
        ("import org.shop.tools.shout", TOOLS),
        ("import org.shop.tools._", TOOLS),
        ("import org.shop.Old", OLD),
        ("import org.shop._\nclass A(c: Cart)", CART),
        ("import org.shop.{Cart => _, _}\nclass A(c: Price)", PRICE),
        ("import org.shop.tax", KNOWN),
        ("import org.shop._", KNOWN),
        ("object Own\nimport Own._", KNOWN),
        ("import scala.util.Try", EXTERNAL),
        ("import org.scalatest.funsuite.AnyFunSuite", EXTERNAL),
        ("import org.shop.Missing", UNRESOLVED),
    ],
)
def test_every_form_of_import_resolves(text: str, expected: str) -> None:
    assert import_targets(main(text), MAIN) == [expected]


def test_several_imports_in_one_statement_resolve() -> None:
    assert import_targets(main("import org.shop.Cart, org.shop.tax.{Rate}"), MAIN) == [CART, RATE]


@pytest.mark.parametrize(
    ("package", "text", "expected"),
    [
        ("package org.shop", "import tax.Rate", [RATE]),
        ("package org.shop", "import Cart._", [CART]),
        ("package org\npackage shop.more", "import shop.Cart", [CART]),
        ("package org.app", "import org.shop\nimport shop.tax.Rate", [KNOWN, RATE]),
        ("package org.app", "import org.shop.Cart\nimport Cart._", [CART, CART]),
        ("package org.app", "import org.shop.{Cart => C}\nimport C._", [CART, CART]),
        ("package org.app", "import tax.Rate", [EXTERNAL]),
    ],
)
def test_relative_imports_resolve(package: str, text: str, expected: list[str]) -> None:
    assert import_targets(main(text, package), MAIN) == expected


@pytest.mark.parametrize(
    ("package", "text", "expected"),
    [
        ("package org.shop", "class A(c: Cart)", {CART: ("Cart",)}),
        ("package org.shop", "class A extends Old { val p = Price(1) }", {OLD: ("Old",), PRICE: ("Price",)}),
        ("package org.shop\npackage more", "class A(c: Cart)", {CART: ("Cart",)}),
        ("package org.shop.more", "class A(c: Cart)", {}),
        ("package org.shop.tools", 'object A { val x = twice("a") }', {TOOLS: ("twice",)}),
        ("package org.app", "class A(r: org.shop.tax.Rate)", {RATE: ("Rate",)}),
        ("package org\npackage app", "class A(r: shop.tax.Rate)", {RATE: ("Rate",)}),
        ("package org.shop", "package object more extends Cart", {CART: ("Cart",)}),
        ("package org.shop", "import other.Cart\nclass A(c: Cart)", {}),
    ],
)
def test_neighbours_need_no_import(package: str, text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert implicit_uses(main(text, package), MAIN) == expected


def test_java_import_of_a_scala_object_resolves() -> None:
    files = {**SHOP, "src/main/java/app/A.java": "package app;\nimport org.shop.Cart$;\nclass A {}\n"}
    assert import_targets(files, "src/main/java/app/A.java") == [CART]


def test_version_specific_variants_are_all_reached() -> None:
    files = {
        **{f"core/src/main/scala-{v}/p/X.scala": "package p\nclass X\n" for v in ("2.12", "2.13")},
        "core/src/main/scala/q/U.scala": "package q\nimport p.X\n",
    }
    expected = "core/src/main/scala-2.12/p/X.scala core/src/main/scala-2.13/p/X.scala"
    assert import_targets(files, "core/src/main/scala/q/U.scala") == [expected]


@pytest.mark.parametrize(
    ("case", "caught", "name"),
    [
        ("case e: IOException => f(e)", ("IOException",), "e"),
        ("case _: A | _: B => f()", ("A", "B"), ""),
        ("case e @ (_: A | _: B) => f(e)", ("A", "B"), "e"),
        ("case NonFatal(e) => f(e)", ("NonFatal",), "e"),
        ("case e => f(e)", (), "e"),
        ("case _ => f()", (), ""),
    ],
)
def test_caught_types_and_error_name_of_a_handler_are_read(
    case: str, caught: tuple[str, ...], name: str
) -> None:
    source = f"object A {{ def f() = try g() catch {{ {case} }} }}"
    (handler,) = read_facts(by_id["scala"], source.encode()).handlers
    assert (handler.caught, handler.error_name) == (caught, name)


def test_a_match_inside_a_handler_is_no_handler() -> None:
    source = "object A { def f() = try g() catch { case e: E => xs.collect { case X(a) => a } } }"
    assert len(read_facts(by_id["scala"], source.encode()).handlers) == 1


@pytest.mark.parametrize(
    ("path", "is_test", "role"),
    [
        ("src/main/scala/a/B.scala", False, None),
        ("core/src/test/scala-2.13/a/B.scala", True, None),
        ("test/controllers/BSpec.scala", True, None),
        ("app/BSpec.scala", True, None),
        ("build.sbt", False, Role.SCRIPT),
        ("project/Dependencies.scala", False, Role.SCRIPT),
        ("plugin/project/Build.scala", False, Role.SCRIPT),
        ("modules/project/src/main/scala/a/B.scala", False, None),
        ("src/main/scala/a/project/B.scala", False, None),
    ],
)
def test_test_paths_and_roles_are_recognized(path: str, is_test: bool, role: Role | None) -> None:
    scala = by_id["scala"]
    assert scala.is_test_path(path) is is_test
    assert scala.role_of_path(path) is role
