"""Where Kotlin names lead: functions and properties of packages, aliases, companions, platforms, Java beside it."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import Role
from tests.kit.resolving import EXTERNAL, KNOWN, UNRESOLVED, implicit_uses, import_targets, resolutions

_ROOT = "src/main/kotlin/"
TEXT, CART, MARK = f"{_ROOT}shop/text.kt", f"{_ROOT}shop/Cart.kt", f"{_ROOT}shop/Mark.kt"
OLD, TAX = "src/main/java/shop/Old.java", f"{_ROOT}shop/tax/rates.kt"
SHOP = {
    TEXT: "package shop\nfun shout(s: String) = s\nfun String.twice() = this + this\nval limit = 3\nconst val LIMIT = 3\n",
    CART: "package shop\nclass Cart(val n: Int) {\n    class Line\n    companion object {\n        fun of() = Cart(1)\n    }\n}\n",
    MARK: "package shop\n@Target(A.B)\nannotation class Mark\n\n@Mark\nconst val MARKED = 1\n",
    TAX: '@file:JvmName("Rates")\n\npackage shop.tax\n\ntypealias Rate = Int\nfun rate(): Rate = 1\n',
    OLD: "package shop;\npublic class Old { public static int f() { return 1; } }\n",
}
MAIN = f"{_ROOT}app/Main.kt"


def main(text: str, package: str = "app") -> dict[str, str]:
    return {**SHOP, MAIN: f"package {package}\n\n{text}\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import shop.Cart", CART),
        ("import shop.Cart as Basket", CART),
        ("import shop.Cart.Line", CART),
        ("import shop.Cart.Companion.of", CART),
        ("import shop.shout", TEXT),
        ("import shop.twice", TEXT),
        ("import shop.limit", TEXT),
        ("import shop.LIMIT", TEXT),
        ("import shop.Mark", MARK),
        ("import shop.MARKED", MARK),
        ("import shop.tax.Rate", TAX),
        ("import shop.Old", OLD),
        ('import shop.*\n\nval x = shout("a")', TEXT),
        ('import shop.*\n\nval x = "a".twice()', TEXT),
        ("import shop.*\n\nval x: Cart = Old.f()", f"{OLD} {CART}"),
        ("import shop.*", KNOWN),
        ("import shop.R", KNOWN),
        ("import shop.databinding.CartBinding", KNOWN),
        ("import kotlin.math.max", EXTERNAL),
        ("import org.junit.Test", EXTERNAL),
        ("import shop.missing", UNRESOLVED),
    ],
)
def test_every_form_of_import_resolves(text: str, expected: str) -> None:
    assert import_targets(main(text), MAIN) == [expected]


def test_import_alias_hides_a_name_of_the_package() -> None:
    files = main("import other.Thing as Cart\n\nval c = Cart()", "shop")
    assert implicit_uses(files, MAIN) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('val x = shout("a")', {TEXT: ("shout",)}),
        ('val x = "a".twice()', {TEXT: ("twice",)}),
        ("fun f(c: Cart?) = c", {CART: ("Cart",)}),
        ("val f = listOf<Cart>().map { Old.f() }", {CART: ("Cart",), OLD: ("Old",)}),
        ("class M : Old()", {OLD: ("Old",)}),
        ("@Mark class M", {MARK: ("Mark",)}),
        ("val r: shop.tax.Rate = 1", {TAX: ("Rate",)}),
        ("fun shout(s: Int) = s\nval x = shout(1)", {}),
        ("class M { fun shout() = 1; fun g() = shout() }", {}),
    ],
)
def test_neighbours_need_no_import(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert implicit_uses(main(text, "shop"), MAIN) == expected


@pytest.mark.parametrize("imported", ["shop.TextKt", "shop.tax.Rates"])
def test_java_import_of_a_file_facade_leads_to_the_file(imported: str) -> None:
    files = {**SHOP, "src/main/java/app/A.java": f"package app;\nimport {imported};\nclass A {{}}\n"}
    assert import_targets(files, "src/main/java/app/A.java") == [TEXT if imported == "shop.TextKt" else TAX]


def test_import_prefers_the_own_platform_then_the_common_sources() -> None:
    text = "package p\nclass X\n"
    use = "package q\nimport p.X\n"
    files = {
        **{f"lib/src/{name}Main/kotlin/p/X.kt": text for name in ("common", "jvm", "js")},
        **{f"lib/src/{name}/kotlin/q/U.kt": use for name in ("commonTest", "jvmMain", "nativeMain")},
    }
    assert import_targets(files, "lib/src/jvmMain/kotlin/q/U.kt") == ["lib/src/jvmMain/kotlin/p/X.kt"]
    assert import_targets(files, "lib/src/nativeMain/kotlin/q/U.kt") == ["lib/src/commonMain/kotlin/p/X.kt"]
    everywhere = " ".join(f"lib/src/{name}Main/kotlin/p/X.kt" for name in ("common", "js", "jvm"))
    assert import_targets(files, "lib/src/commonTest/kotlin/q/U.kt") == [everywhere]


def test_folders_need_not_repeat_the_package() -> None:
    files = {
        "one/src/main/kotlin/X.kt": "package org.p\nclass X\n",
        "two/src/main/kotlin/X.kt": "package org.p\nclass X\n",
        "two/src/main/kotlin/q/U.kt": "package org.p.q\nimport org.p.X\n",
    }
    assert import_targets(files, "two/src/main/kotlin/q/U.kt") == ["two/src/main/kotlin/X.kt"]


def test_unparsable_file_is_found_by_its_name() -> None:
    files = {
        f"{_ROOT}shop/Broken.kt": "package shop\nclass Broken( {\n",
        MAIN: "package app\nimport shop.Broken\n",
    }
    assert import_targets(files, MAIN) == [f"{_ROOT}shop/Broken.kt"]


def test_name_defined_in_several_files_leads_to_all_of_them() -> None:
    files = {**main("import shop.shout"), f"{_ROOT}shop/more.kt": "package shop\nfun shout(n: Int) = n\n"}
    (answer,) = resolutions(files, MAIN)
    assert [target.path for target in answer.targets] == [f"{_ROOT}shop/more.kt", TEXT]


@pytest.mark.parametrize(
    ("path", "is_test", "role"),
    [
        ("src/main/kotlin/a/B.kt", False, None),
        ("src/commonTest/kotlin/a/B.kt", True, None),
        ("src/a/BSpec.kt", True, None),
        ("src/main/kotlin/a/BSpec.kt", False, None),
        ("build.gradle.kts", False, Role.SCRIPT),
        ("build-logic/src/main/kotlin/a/B.kt", False, Role.SCRIPT),
    ],
)
def test_test_paths_and_roles_are_recognized(path: str, is_test: bool, role: Role | None) -> None:
    kotlin = by_id["kotlin"]
    assert kotlin.is_test_path(path) is is_test
    assert kotlin.role_of_path(path) is role


def test_actual_constructor_keeps_the_class_of_its_methods() -> None:
    source = b"actual class Bytes\ninternal actual constructor(\n  val data: Data,\n) : Any() {\n  fun size() = 1\n}\n"
    facts = read_facts(by_id["kotlin"], source)
    assert facts.errors == ()
    assert [function.qualname for function in facts.functions] == ["Bytes.size"]
