"""Where Java names lead: packages, nested types, static members, wildcards, neighbours, several modules, build files."""

from __future__ import annotations

import pytest

from crimes.discovery.roles import role_of
from crimes.languages import by_id
from crimes.languages.jvm.layout import is_test_path, role_of_path
from crimes.languages.jvm.layout import test_candidates as candidates
from crimes.languages.jvm.manifests import read_dependencies
from crimes.model.facts import Role
from tests.kit.resolving import (
    EXTERNAL,
    KNOWN,
    UNRESOLVED,
    implicit_uses,
    import_targets,
    resolutions,
    resolver_of,
)

SHOP = {
    "src/main/java/org/shop/Cart.java": "package org.shop;\npublic class Cart { static class Line {} static void f() {} }\n",
    "src/main/java/org/shop/Price.java": "package org.shop;\npublic record Price(int cents) {}\nclass Hidden {}\n",
    "src/main/java/org/shop/tax/Rate.java": "package org.shop.tax;\npublic enum Rate { A, B }\n",
    "src/main/java/org/shop/tax/Rates.java": "package org.shop.tax;\npublic interface Rates {}\n",
}
MAIN = "src/main/java/org/app/Main.java"
CART, PRICE = "src/main/java/org/shop/Cart.java", "src/main/java/org/shop/Price.java"
RATE, RATES = "src/main/java/org/shop/tax/Rate.java", "src/main/java/org/shop/tax/Rates.java"


def main(text: str, package: str = "org.app") -> dict[str, str]:
    return {**SHOP, MAIN: f"package {package};\n{text}\n"}


@pytest.mark.parametrize("base", ["", "app/", "modules/app/"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import org.shop.Cart;", CART),
        ("import org.shop.Hidden;", PRICE),
        ("import org.shop.Cart.Line;", CART),
        ("import static org.shop.Cart.f;", CART),
        ("import static org.shop.Cart.*;", CART),
        ("import static org.shop.Cart.Line.*;", CART),
        ("import org.shop.tax.*; class M { Rate r; }", RATE),
        ("import org.shop.tax.*; class M extends Rates { Rate r; }", f"{RATE} {RATES}"),
        ("import org.shop.tax.*;", KNOWN),
        ("import org.shop.tax.*; class M { class Rate {} Rate r; }", KNOWN),
        ("import java.util.List;", EXTERNAL),
        ("import org.junit.Test;", EXTERNAL),
        ("import org.shop.Missing;", UNRESOLVED),
        ("import org.shop.generated.Proto;", UNRESOLVED),
    ],
)
def test_every_form_of_import_resolves(base: str, text: str, expected: str) -> None:
    files = {f"{base}{path}": content for path, content in main(text).items()}
    found = " ".join(f"{base}{word}" if "/" in word else word for word in expected.split())
    assert import_targets(files, f"{base}{MAIN}") == [found]


def test_resolution_lists_the_imported_names() -> None:
    (answer,) = resolutions(main("import org.shop.tax.*; class M { Rate r; Rates s; }"), MAIN)
    assert [target.names for target in answer.targets] == [("Rate",), ("Rates",)]
    (answer,) = resolutions(main("import static org.shop.Cart.f;"), MAIN)
    assert answer.targets[0].names == ("f",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class M { Cart c; Price p; }", {CART: ("Cart",), PRICE: ("Price",)}),
        ("class M { Object o = Cart.f(); }", {CART: ("Cart",)}),
        ("class M { Cart.Line l; }", {CART: ("Cart",)}),
        ("@Cart class M {}", {CART: ("Cart",)}),
        ("class M { void m(Cart c) throws Hidden {} }", {CART: ("Cart",), PRICE: ("Hidden",)}),
        ("class M { org.shop.tax.Rate r; }", {RATE: ("Rate",)}),
        ("class M { int r = org.shop.tax.Rate.A.ordinal(); }", {RATE: ("Rate",)}),
        ("import org.other.Cart; class M { Cart c; }", {}),
        ("class M { class Cart {} Cart c; }", {}),
        ("class M { int cart; }", {}),
    ],
)
def test_neighbours_need_no_import(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert implicit_uses(main(text, "org.shop"), MAIN) == expected


def test_type_of_the_own_package_precedes_a_wildcard_import() -> None:
    files = {
        **main("import org.shop.tax.*; class M { Rate r; }"),
        "src/main/java/org/app/Rate.java": "package org.app; class Rate {}",
    }
    assert import_targets(files, MAIN) == [KNOWN]
    assert implicit_uses(files, MAIN) == {"src/main/java/org/app/Rate.java": ("Rate",)}


def test_files_without_a_package_see_each_other() -> None:
    files = {"A.java": "class A { B b; }", "B.java": "class B {}"}
    assert implicit_uses(files, "A.java") == {"B.java": ("B",)}


def test_import_leads_to_the_nearest_of_several_files() -> None:
    text = "package p; public class X {}"
    use = "package q; import p.X; class U {}"
    files = {
        "one/src/main/java/p/X.java": text,
        "one/src/test/java/p/X.java": text,
        "two/src/main/java/p/X.java": text,
        "one/src/main/java/q/U.java": use,
        "one/src/test/java/q/T.java": use,
        "two/src/test/java/q/T.java": use,
        "three/src/main/java/q/U.java": use,
    }
    assert import_targets(files, "one/src/main/java/q/U.java") == ["one/src/main/java/p/X.java"]
    assert import_targets(files, "one/src/test/java/q/T.java") == ["one/src/test/java/p/X.java"]
    assert import_targets(files, "two/src/test/java/q/T.java") == ["two/src/main/java/p/X.java"]
    assert import_targets(files, "three/src/main/java/q/U.java") == [
        "one/src/main/java/p/X.java two/src/main/java/p/X.java"
    ]


def test_string_that_names_a_type_leads_to_its_file() -> None:
    resolver = resolver_of(SHOP, CART)
    assert resolver.text_targets(CART, "org.shop.tax.Rate") == (RATE,)
    assert resolver.text_targets(CART, "org.shop.tax.Missing") == ()
    assert resolver.text_targets(CART, "org.shop.tax") == ()
    assert resolver.text_targets(CART, "Rate") == ()


POM = """<project><parent><groupId>org.shop</groupId><artifactId>parent</artifactId></parent><artifactId>shop-core</artifactId>
<dependencies><dependency><groupId>org.shop.audit</groupId><artifactId>trail</artifactId></dependency>
<dependency><groupId>org.shop</groupId><artifactId>shop-core</artifactId></dependency></dependencies></project>"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pom.xml", POM),
        ("sub/pom.xml", POM),
        ("build.gradle", "dependencies { implementation 'org.shop.audit:trail:1.0' }"),
        ("build.gradle.kts", 'dependencies { implementation("org.shop.audit:trail:1.0") }'),
        ("gradle/libs.versions.toml", 'trail = { module = "org.shop.audit:trail", version.ref = "t" }'),
        ("gradle/libs.versions.toml", 'trail = { group = "org.shop.audit", name = "trail", version = "1" }'),
        ("build.sbt", 'libraryDependencies += "org.shop.audit" %% "trail" % "1.0"'),
        ("project/Dependencies.scala", 'val trail = "org.shop.audit" % "trail" % "1.0"'),
    ],
)
def test_declared_dependency_in_our_package_prefix_is_external(name: str, text: str) -> None:
    files = main("import org.shop.audit.trail.Note; import org.shop.core.Other;")
    assert import_targets(files, MAIN) == [UNRESOLVED, UNRESOLVED]
    files[name] = text
    assert import_targets(files, MAIN) == [EXTERNAL, UNRESOLVED]
    assert resolutions(files, MAIN)[0].package == "org.shop.audit"


@pytest.mark.parametrize(
    "text",
    ["", "<project><dependency>", "<dependency>" * 1000, "<!--" * 1000, "\0\xff", '"a:b:c"' * 1000, "{{{"],
)
@pytest.mark.parametrize("name", ["pom.xml", "build.gradle", "gradle/libs.versions.toml", "build.sbt"])
def test_malformed_build_files_are_ignored(name: str, text: str) -> None:
    found = read_dependencies({name}, lambda path: text.encode("latin-1"))
    assert found.groups <= {"a"}
    assert import_targets({**main("import org.shop.Cart;"), name: text.replace("\0\xff", "")}, MAIN) == [CART]


@pytest.mark.parametrize(
    ("path", "is_test", "role"),
    [
        ("src/main/java/a/B.java", False, None),
        ("src/test/java/a/B.java", True, None),
        ("x/src/androidTest/java/a/B.java", True, None),
        ("x/src/testFixtures/java/a/B.java", True, None),
        ("x/src/it/java/a/B.java", True, None),
        ("src/main/java/a/BTest.java", False, None),
        ("test/a/B.java", True, None),
        ("src/a/BTest.java", True, None),
        ("src/a/TestB.java", True, None),
        ("src/a/Testing.java", False, None),
        ("src/a/Contest.java", False, None),
        ("src/main/java/a/tests/B.java", False, Role.SOURCE),
        ("src/main/java/a/vendor/B.java", False, Role.SOURCE),
        ("vendor/x/src/main/java/a/vendor/B.java", False, None),
        ("examples/x/src/main/java/a/B.java", False, Role.EXAMPLE),
        ("x-sample/src/main/java/a/B.java", False, Role.EXAMPLE),
        ("src/jmh/java/a/B.java", False, Role.SCRIPT),
        ("core-benchmarks/src/main/java/a/B.java", False, Role.SCRIPT),
        ("metrics/src/main/java/a/ParseBenchmark.java", False, Role.SCRIPT),
        ("buildSrc/src/main/java/a/B.java", False, Role.SCRIPT),
        ("core/src-gen/a/B.java", False, Role.GENERATED),
    ],
)
def test_test_paths_and_roles_are_recognized(path: str, is_test: bool, role: Role | None) -> None:
    assert is_test_path(path) is is_test
    assert role_of_path(path) is role


def test_package_named_vendor_in_a_source_folder_is_source() -> None:
    roles = {
        path: role_of(path, by_id["java"], lambda path: False, {})
        for path in ("src/main/java/a/vendor/B.java", "vendor/x/src/main/java/a/vendor/B.java")
    }
    assert list(roles.values()) == [Role.SOURCE, Role.VENDORED]


def test_test_candidates_follow_the_class_name() -> None:
    assert {"CartTest.java", "CartTests.java", "TestCart.java", "CartIT.java", "CartTest.kt"} <= set(
        candidates(CART)
    )
    assert candidates("src/main/java/a/package-info.java") == ()
