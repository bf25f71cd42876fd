"""Definitions that are no longer visible to files that still use them, language by language."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from crimes.languages import by_id
from crimes.languages.engine.visibility import read_visibility
from crimes.model.visibility import Reach
from tests.kit.changes import items_after, places
from tests.kit.gitrepo import GitRepo

Files = dict[str, str | bytes | None]


class Case(NamedTuple):
    """Files, one edit of the first of them, and the places that may not use what it defines any more."""

    files: Files
    old: str
    new: str
    places: tuple[str, ...] = ()


_JAVA: Files = {
    "src/main/java/shop/Order.java": (
        "package shop;\n\npublic class Order {\n    public static final int LIMIT = 3;\n\n    public Order(int n) {}\n\n"
        "    public static int count() { return 1; }\n\n    public int total() { return 2; }\n}\n"
    ),
    "src/main/java/shop/Beside.java": (
        "package shop;\n\nclass Beside {\n    int run(Order order) { return order.total() + Order.count() + Order.LIMIT; }\n}\n"
    ),
    "src/main/java/web/Page.java": (
        "package web;\n\nimport shop.Order;\n\npublic class Page {\n    int run(Order order) {\n        return order.total()\n"
        "            + Order.count()\n            + Order.LIMIT;\n    }\n\n    Order make() {\n        return new Order(1);\n    }\n}\n"
    ),
    "src/main/java/web/Heir.java": (
        "package web;\n\nimport shop.Order;\n\npublic class Heir extends Order {\n    Heir() { super(1); }\n\n"
        "    int run() { return this.total(); }\n}\n"
    ),
}
_PAGE, _HEIR, _BESIDE = (
    "src/main/java/web/Page.java",
    "src/main/java/web/Heir.java",
    "src/main/java/shop/Beside.java",
)
JAVA = {
    "class of the package": Case(_JAVA, "public class Order", "class Order", (f"{_HEIR}:3", f"{_PAGE}:3")),
    "method of the package": Case(_JAVA, "public int total", "int total", (f"{_HEIR}:8", f"{_PAGE}:7")),
    "method for heirs": Case(_JAVA, "public int total", "protected int total", (f"{_PAGE}:7",)),
    "private static method": Case(
        _JAVA, "public static int count", "private static int count", (f"{_BESIDE}:4", f"{_PAGE}:8")
    ),
    "constant": Case(_JAVA, "public static final", "private static final", (f"{_BESIDE}:4", f"{_PAGE}:9")),
    "constructor": Case(_JAVA, "public Order(", "private Order(", (f"{_HEIR}:6", f"{_PAGE}:13")),
    "wider than before": Case(
        {**_JAVA, "src/main/java/shop/Order.java": str(_JAVA["src/main/java/shop/Order.java"]).replace("public int", "int")},
        "    int total",
        "    protected int total",
    ),
    "member of an interface": Case(
        {
            "src/shop/Order.java": "package shop;\n\npublic interface Order {\n    public int total();\n}\n",
            "src/web/Page.java": "package web;\n\nimport shop.Order;\n\nclass Page {\n    int run(Order order) { return order.total(); }\n}\n",
        },
        "public int total",
        "int total",
    ),
    "one of two overloads": Case(
        {
            "src/shop/Order.java": "package shop;\n\npublic class Order {\n    public int total() { return 1; }\n    public int total(int a) { return 2; }\n}\n",
            "src/web/Page.java": "package web;\n\nimport shop.Order;\n\nclass Page {\n    int run(Order order) { return order.total(); }\n}\n",
        },
        "public int total(int a)",
        "private int total(int a)",
    ),
}  # fmt: skip

_CARGO = '[package]\nname = "shop"\nversion = "1.0.0"\nedition = "2021"\n'
_RUST: Files = {
    "src/orders/mod.rs": (
        "pub mod lines;\n\npub struct Order;\n\nimpl Order {\n    pub fn total(&self) -> u8 { 1 }\n    pub fn new() -> Order { Order }\n}\n\n"
        "pub fn count() -> u8 { 1 }\n\npub const LIMIT: u8 = 3;\n"
    ),
    "Cargo.toml": _CARGO,
    "src/lib.rs": "pub mod orders;\npub mod web;\n",
    "src/orders/lines.rs": (
        "use super::Order;\n\npub fn run(order: &Order) -> u8 {\n    order.total() + super::count() + super::LIMIT\n}\n"
    ),
    "src/web.rs": (
        "use crate::orders::Order;\nuse crate::orders;\n\npub fn run(order: &Order) -> u8 {\n    order.total()\n"
        "        + orders::count()\n        + crate::orders::LIMIT\n}\n\npub fn make() -> Order {\n    Order::new()\n}\n"
    ),
    "tests/all.rs": "use shop::orders::Order;\n\n#[test]\nfn all() {\n    Order::new();\n}\n",
}
RUST = {
    "struct": Case(_RUST, "pub struct Order", "struct Order", ("src/web.rs:1", "tests/all.rs:1")),
    "struct of the crate": Case(_RUST, "pub struct Order", "pub(crate) struct Order", ("tests/all.rs:1",)),
    "struct of the parent": Case(_RUST, "pub struct Order", "pub(super) struct Order", ("tests/all.rs:1",)),
    "function": Case(_RUST, "pub fn count", "fn count", ("src/web.rs:6",)),
    "constant": Case(_RUST, "pub const", "const", ("src/web.rs:7",)),
    "method": Case(_RUST, "pub fn total", "fn total", ("src/web.rs:5",)),
    "function of a type": Case(_RUST, "pub fn new", "pub(crate) fn new", ("tests/all.rs:5",)),
    "enum whose variants are imported": Case(
        {
            "src/orders.rs": "pub enum Kind {\n    Plain,\n}\n",
            "Cargo.toml": _CARGO,
            "src/lib.rs": "pub mod orders;\npub mod web;\n",
            "src/web.rs": "pub fn run() {\n    use crate::orders::Kind::*;\n    drop(Plain);\n}\n",
        },
        "pub enum",
        "enum",
        ("src/web.rs:2",),
    ),
    "crate root": Case(
        {
            "src/lib.rs": "pub mod web;\n\npub fn count() -> u8 { 1 }\n",
            "Cargo.toml": _CARGO,
            "src/web.rs": "use crate::count;\n\npub fn run() -> u8 { count() }\n",
        },
        "pub fn count",
        "fn count",
    ),
}  # fmt: skip

_KOTLIN: Files = {
    "core/src/main/kotlin/shop/Order.kt": (
        "package shop\n\nclass Order {\n    fun total(): Int = 1\n\n    companion object {\n        const val LIMIT = 3\n    }\n}\n\nfun count(): Int = 1\n"
    ),
    "core/build.gradle.kts": "",
    "web/build.gradle.kts": "",
    "core/src/main/kotlin/shop/Beside.kt": "package shop\n\nfun beside(order: Order): Int {\n    return order.total() + count()\n}\n",
    "web/src/main/kotlin/web/Page.kt": (
        "package web\n\nimport shop.Order\nimport shop.count\n\nfun page(order: Order): Int {\n    return order.total() + count() + Order.LIMIT\n}\n"
    ),
}
_KT_PAGE, _KT_BESIDE = "web/src/main/kotlin/web/Page.kt", "core/src/main/kotlin/shop/Beside.kt"
KOTLIN = {
    "function": Case(_KOTLIN, "\nfun count", "\nprivate fun count", (f"{_KT_BESIDE}:4", f"{_KT_PAGE}:4")),
    "function of the module": Case(_KOTLIN, "\nfun count", "\ninternal fun count", (f"{_KT_PAGE}:4",)),
    "class": Case(_KOTLIN, "class Order", "private class Order", (f"{_KT_BESIDE}:3", f"{_KT_PAGE}:3")),
    "method": Case(_KOTLIN, "fun total", "private fun total", (f"{_KT_BESIDE}:4", f"{_KT_PAGE}:7")),
    "constant": Case(_KOTLIN, "const val", "private const val", (f"{_KT_PAGE}:7",)),
}

_CSHARP: Files = {
    "Core/Order.cs": (
        "namespace Shop;\n\npublic class Order\n{\n    public const int Limit = 3;\n    public static int Count() => 1;\n    public int Total() => 2;\n}\n"
    ),
    "Core/Core.csproj": "<Project />\n",
    "Web/Web.csproj": "<Project />\n",
    "Web/Page.cs": (
        "using Shop;\n\nnamespace Web;\n\npublic class Page\n{\n    public int Run(Order order)\n    {\n        return order.Total()\n"
        "            + Order.Count() + Order.Limit;\n    }\n}\n"
    ),
}
CSHARP = {
    "class of the assembly": Case(_CSHARP, "public class", "internal class", ("Web/Page.cs:7", "Web/Page.cs:10")),
    "class without a word": Case(_CSHARP, "public class", "class", ("Web/Page.cs:7", "Web/Page.cs:10")),
    "friends of the assembly": Case(
        {**_CSHARP, "Core/Core.csproj": '<Project><InternalsVisibleTo Include="Web" /></Project>\n'},
        "public class",
        "internal class",
    ),
    "friends by an attribute with a key": Case(
        {**_CSHARP, "Core/Properties/Opened.cs": '[assembly: InternalsVisibleTo("Web, PublicKey=00" +\n    "24")]\n'},
        "public class",
        "internal class",
    ),
    "friends by a parameter": Case(
        {
            **_CSHARP,
            "Core/Core.csproj": '<Project><AssemblyAttribute Include="System.InternalsVisibleTo">\n<_Parameter1>Shop.Web</_Parameter1>'
            "</AssemblyAttribute></Project>\n",
        },
        "public class",
        "internal class",
    ),
    "friends under a stated name": Case(
        {
            **_CSHARP,
            "Core/Core.csproj": '<Project><InternalsVisibleTo Include="Pages" /></Project>\n',
            "Web/Web.csproj": "<Project><AssemblyName>Pages</AssemblyName></Project>\n",
        },
        "public class",
        "internal class",
    ),
    "friends that only the build knows": Case(
        {**_CSHARP, "Directory.Build.props": '<Project><InternalsVisibleTo Include="$(Friend)" /></Project>\n'},
        "public class",
        "internal class",
    ),
    "another project is the friend": Case(
        {
            **_CSHARP,
            "Core/Core.csproj": '<Project><InternalsVisibleTo Include="Core.Tests" /></Project>\n',
            "Web/Opened.cs": '[assembly: InternalsVisibleTo("Web.Tests")]\n',
        },
        "public class",
        "internal class",
        ("Web/Page.cs:7", "Web/Page.cs:10"),
    ),
    "part of a class": Case(_CSHARP, "public class", "partial class"),
    "method": Case(_CSHARP, "public int Total", "private int Total", ("Web/Page.cs:9",)),
    "constant": Case(_CSHARP, "public const", "private const", ("Web/Page.cs:10",)),
}  # fmt: skip

_PHP: Files = {
    "src/Order.php": (
        "<?php\n\nnamespace Shop;\n\nclass Order\n{\n    public const LIMIT = 3;\n\n    public function __construct() {}\n\n"
        "    public static function count(): int { return 1; }\n\n    public function total(): int { return 2; }\n}\n"
    ),
    "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}\n',
    "src/Page.php": (
        "<?php\n\nnamespace Shop;\n\nclass Page\n{\n    public function run(Order $order): int\n    {\n        return $order->total()\n"
        "            + Order::count()\n            + Order::LIMIT;\n    }\n\n    public function make(): Order\n    {\n        return new Order();\n    }\n}\n"
    ),
    "src/Heir.php": (
        "<?php\n\nnamespace Shop;\n\nclass Heir extends Order\n{\n    public function run(): int\n    {\n        return $this->total();\n    }\n}\n"
    ),
}
PHP = {
    "method": Case(_PHP, "public function total", "private function total", ("src/Heir.php:9", "src/Page.php:9")),
    "method for heirs": Case(_PHP, "public function total", "protected function total", ("src/Page.php:9",)),
    "static method": Case(_PHP, "public static", "private static", ("src/Page.php:10",)),
    "constant": Case(_PHP, "public const", "private const", ("src/Page.php:11",)),
    "constructor": Case(_PHP, "public function __construct", "private function __construct", ("src/Page.php:16",)),
    "no word means public": Case(_PHP, "public const", "const"),
    "constant of an interface": Case(
        {**_PHP, "src/Order.php": "<?php\n\nnamespace Shop;\n\ninterface Order\n{\n    public const LIMIT = 3;\n}\n"},
        "public const", "private const", ("src/Page.php:11",),
    ),
}  # fmt: skip

_SWIFT: Files = {
    "Sources/Shop/Order.swift": "struct Order {\n    static let limit = 3\n    static func count() -> Int { return 1 }\n}\n",
    "Package.swift": "// swift-tools-version:5.5\n",
    "Sources/Shop/Page.swift": "func page(order: Order) -> Int {\n    return Order.count() + Order.limit\n}\n",
}
SWIFT = {
    "type": Case(
        _SWIFT,
        "struct Order",
        "private struct Order",
        ("Sources/Shop/Page.swift:1", "Sources/Shop/Page.swift:2"),
    ),
    "static function": Case(_SWIFT, "static func", "fileprivate static func", ("Sources/Shop/Page.swift:2",)),
    "setter alone": Case(_SWIFT, "static let limit", "private(set) static var limit"),
}

_SCALA: Files = {
    "src/main/scala/shop/Order.scala": "package shop\n\nclass Order\n\nobject Limits {\n  val most = 3\n}\n",
    "src/main/scala/web/Page.scala": (
        "package web\n\nimport shop.Order\nimport shop.Limits\n\nclass Page {\n  def run(order: Order): Int = Limits.most\n}\n"
    ),
    "src/main/scala/shop/Beside.scala": "package shop\n\nclass Beside {\n  def run(order: Order): Int = Limits.most\n}\n",
}
SCALA = {
    "class": Case(_SCALA, "class Order", "private class Order", ("src/main/scala/web/Page.scala:3",)),
    "member": Case(_SCALA, "val most", "private val most", ("src/main/scala/web/Page.scala:7",)),
    "class of a package": Case(_SCALA, "class Order", "private[shop] class Order"),
}

_TYPESCRIPT: Files = {
    "src/order.ts": "export class Order {\n  static count(): number { return 1; }\n  total(): number { return 2; }\n}\n",
    "src/page.ts": (
        'import { Order } from "./order";\n\nexport function page(order: Order): number {\n  return order.total()\n    + Order.count();\n}\n'
    ),
    "src/heir.ts": 'import { Order } from "./order";\n\nexport class Heir extends Order {\n  run(): number { return this.total(); }\n}\n',
}
TYPESCRIPT = {
    "method": Case(_TYPESCRIPT, "  total", "  private total", ("src/heir.ts:4", "src/page.ts:4")),
    "method for heirs": Case(_TYPESCRIPT, "  total", "  protected total", ("src/page.ts:4",)),
    "static method": Case(_TYPESCRIPT, "  static", "  private static", ("src/page.ts:5",)),
}

_RUBY: Files = {
    "lib/shop/order.rb": "module Shop\n  class Order\n    LIMIT = 3\n\n    def self.count\n      1\n    end\n  end\nend\n",
    "lib/shop.rb": 'require "shop/order"\nrequire "shop/page"\n',
    "lib/shop/page.rb": "module Shop\n  class Page\n    def run\n      Order.count + Order::LIMIT\n    end\n  end\nend\n",
}
RUBY = {
    "constant": Case(_RUBY, "LIMIT = 3\n", "LIMIT = 3\n    private_constant :LIMIT\n", ("lib/shop/page.rb:4",)),
    "method of a class": Case(
        _RUBY, "      1\n    end\n", "      1\n    end\n    private_class_method :count\n", ("lib/shop/page.rb:4",)
    ),
}  # fmt: skip

TABLES = {
    "java": JAVA, "rust": RUST, "kotlin": KOTLIN, "csharp": CSHARP, "php": PHP, "swift": SWIFT, "scala": SCALA,
    "typescript": TYPESCRIPT, "ruby": RUBY,
}  # fmt: skip
CASES = {f"{language}: {name}": case for language, table in TABLES.items() for name, case in table.items()}


@pytest.mark.parametrize("case", list(CASES.values()), ids=list(CASES))
def test_uses_out_of_sight_are_broken(tmp_path: Path, case: Case) -> None:
    path, text = next(iter(case.files.items()))
    assert isinstance(text, str)
    assert text.count(case.old) == 1
    repo = GitRepo(tmp_path / "shop")
    repo.commit(case.files)
    items = items_after(repo, {path: text.replace(case.old, case.new)})
    assert places(items) == [*case.places], [item.fact for item in items]
    assert all(item.file == path for item in items)


def test_what_is_hidden_is_said_to_be_hidden_and_not_gone(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop")
    repo.commit(_RUST)
    (item,) = items_after(
        repo, {"src/orders/mod.rs": str(_RUST["src/orders/mod.rs"]).replace("pub struct", "struct")}
    )
    assert (
        item.fact
        == "`Order` in src/orders/mod.rs is no longer visible to 2 places in 2 files that still use it."
    )
    assert item.fix == "Make it visible again, or edit every place that uses it."


def test_users_edited_in_the_same_change_are_not_broken(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop")
    repo.commit(_RUST)
    edit = {
        "src/orders/mod.rs": str(_RUST["src/orders/mod.rs"]).replace("pub fn count", "fn count"),
        "src/web.rs": str(_RUST["src/web.rs"]).replace("        + orders::count()\n", ""),
    }
    assert items_after(repo, edit) == ()


def test_what_is_local_to_a_function_or_open_by_its_trait_has_no_reach() -> None:
    source = b"pub trait Sum { fn sum(&self); }\nstruct A;\nimpl Sum for A { fn sum(&self) {} }\nfn run() { fn inner() {} }\n"
    assert read_visibility(by_id["rust"], source) == {
        "Sum": Reach.EVERYWHERE,
        "A": Reach.MODULE,
        "run": Reach.MODULE,
    }
