"""Calls on objects of unknown class: said where the name can only mean what is gone, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.changes import Files, items_after, places
from tests.kit.gitrepo import GitRepo


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


def _places(tmp_path: Path, files: Files, edit: Files, kind: str = "broken_reference") -> list[str]:
    repo = GitRepo(tmp_path / "repo")
    repo.commit(dict(files))
    return places(items_after(repo, edit, kind))


PYTHON = {
    "shop/__init__.py": "",
    "shop/cart.py": "class Cart:\n    def weigh_items(self, items):\n        return sum(items)\n",
    "shop/till.py": "from shop.cart import Cart\n\n\ndef open_till():\n    return Cart()\n",
    "shop/desk.py": "from shop import till\n\n\ndef pay(thing, items):\n    weight = thing.weigh_items(items)\n    return weight\n",
}
RENAMED = {"shop/cart.py": "class Cart:\n    def weigh(self, items):\n        return sum(items)\n"}


def _with(path: str, content: str) -> dict[str, str]:
    return {**PYTHON, path: content}


LISTED: dict[str, tuple[Files, Files, list[str]]] = {
    "python": (PYTHON, RENAMED, ["shop/desk.py:5"]),
    "python, a local variable of that name": (
        _with("shop/desk.py", PYTHON["shop/desk.py"].replace("weight", "weigh_items").replace("thing.weigh_items", "thing.weigh_items")),
        RENAMED,
        ["shop/desk.py:5"],
    ),
    "python, a base that comes with the language": (
        _with("shop/cart.py", PYTHON["shop/cart.py"].replace("Cart:", "Cart(dict):")),
        {"shop/cart.py": RENAMED["shop/cart.py"].replace("Cart:", "Cart(dict):")},
        ["shop/desk.py:5"],
    ),
    "python, hands on to one of that name, on an object called like the class": (
        {
            **PYTHON,
            "shop/cart.py": "class Cart:\n    def weigh_items(self, items):\n        return self.scale.weigh_items(items)\n",
            "shop/desk.py": PYTHON["shop/desk.py"].replace("thing", "cart"),
        },
        {"shop/cart.py": "class Cart:\n    def weigh(self, items):\n        return sum(items)\n"},
        ["shop/desk.py:5"],
    ),
    "python, other calls edited, and one on an object called like those": (
        _with("shop/more.py", "from shop import till\n\n\ndef more(thing):\n    return thing.weigh_items([])\n"),
        {**RENAMED, "shop/more.py": "from shop import till\n\n\ndef more(thing):\n    return thing.weigh([])\n"},
        ["shop/desk.py:5"],
    ),
    "typescript": (
        {
            "src/cart.ts": "export class Cart {\n  weighItems(n: number) {\n    return n;\n  }\n}\n",
            "src/till.ts": "import { Cart } from './cart';\nexport const carts = [new Cart()];\n",
            "src/desk.ts": "import { carts } from './till';\nexport const pay = () => carts.map((one) => one.weighItems(2));\n",
        },
        {"src/cart.ts": "export class Cart {\n  weigh(n: number) {\n    return n;\n  }\n}\n"},
        ["src/desk.ts:2"],
    ),
    "go": (
        {
            "go.mod": "module example.org/shop\n\ngo 1.22\n",
            "cart/cart.go": "package cart\n\ntype Cart struct{}\n\nfunc (c *Cart) WeighItems(n int) int { return n }\n\nfunc Each(f func(c *Cart)) {}\n",
            "till/till.go": 'package till\n\nimport "example.org/shop/cart"\n\nfunc Pay(all map[string]*cart.Cart) {\n\tfor _, c := range all {\n\t\tc.WeighItems(2)\n\t}\n}\n',
        },
        {"cart/cart.go": "package cart\n\ntype Cart struct{}\n\nfunc (c *Cart) Weigh(n int) int { return n }\n\nfunc Each(f func(c *Cart)) {}\n"},
        ["till/till.go:7"],
    ),
    "java, a class with a base from outside": (
        {
            "src/main/java/shop/Cart.java": "package shop;\n\nimport out.Base;\n\npublic class Cart extends Base {\n    public int weighItems(int n) { return n; }\n}\n",
            "src/main/java/till/Till.java": "package till;\n\nimport shop.Cart;\nimport java.util.List;\n\nclass Till {\n    void pay(List<Cart> carts) {\n        carts.forEach(each -> each.weighItems(2));\n    }\n}\n",
        },
        {"src/main/java/shop/Cart.java": "package shop;\n\nimport out.Base;\n\npublic class Cart extends Base {\n    public int weigh(int n) { return n; }\n}\n"},
        ["src/main/java/till/Till.java:8"],
    ),
    "java, a constant by a static import": (
        {
            "src/main/java/shop/Cart.java": "package shop;\n\nimport out.Base;\n\npublic class Cart extends Base {\n    public static final int MAX_ITEMS = 2;\n}\n",
            "src/main/java/till/Till.java": "package till;\n\nimport static shop.Cart.MAX_ITEMS;\n\nclass Till {\n    int most = MAX_ITEMS;\n}\n",
        },
        {"src/main/java/shop/Cart.java": "package shop;\n\nimport out.Base;\n\npublic class Cart extends Base {\n    public static final int MOST_ITEMS = 2;\n}\n"},
        ["src/main/java/till/Till.java:3"],
    ),
    "rust, in a macro": (
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "pub mod cart;\npub mod till;\n",
            "src/cart.rs": "pub struct Cart;\n\nimpl Cart {\n    pub fn weigh_items(&self, n: u8) -> u8 { n }\n}\n\nimpl Drop for Cart {\n    fn drop(&mut self) {}\n}\n",
            "src/till.rs": "use crate::cart::Cart;\n\npub fn pay(all: &[Cart]) {\n    for each in all {\n        println!(\"{}\", each.weigh_items(2));\n    }\n}\n",
        },
        {"src/cart.rs": "pub struct Cart;\n\nimpl Cart {\n    pub fn weigh(&self, n: u8) -> u8 { n }\n}\n\nimpl Drop for Cart {\n    fn drop(&mut self) {}\n}\n"},
        ["src/till.rs:5"],
    ),
    "rust, a constant of a type": (
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "pub mod cart;\npub mod till;\n",
            "src/cart.rs": "pub struct Cart;\n\nimpl Cart {\n    pub const MAX_ITEMS: u8 = 2;\n}\n",
            "src/till.rs": "use crate::cart::Cart;\n\npub fn most() -> u8 {\n    Cart::MAX_ITEMS\n}\n",
        },
        {"src/cart.rs": "pub struct Cart;\n\nimpl Cart {\n    pub const MOST_ITEMS: u8 = 2;\n}\n"},
        ["src/till.rs:4"],
    ),
    "rust, a constant by a star of the parent module": (
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "pub mod cart;\n",
            "src/cart.rs": "mod till;\n\npub(crate) const MAX_ITEMS: u8 = 2;\n",
            "src/cart/till.rs": "use super::*;\n\npub fn most() -> u8 {\n    MAX_ITEMS\n}\n",
        },
        {"src/cart.rs": "mod till;\n\npub(crate) const MOST_ITEMS: u8 = 2;\n"},
        ["src/cart/till.rs:4"],
    ),
    "swift, beside a label of that name": (
        {
            "Sources/Cart.swift": "class Cart: @unchecked Sendable {\n    func weighItems(_ n: Int) -> Int { return n }\n}\n",
            "Sources/Scale.swift": "protocol Scale {\n    func cart(_ cart: Cart, weighItems count: Int)\n}\n",
            "Sources/Till.swift": "func pay(scale: Scale, make: () -> Cart) {\n    _ = make().weighItems(2)\n    scale.cart(make(), weighItems: 2)\n}\n",
        },
        {"Sources/Cart.swift": "class Cart: @unchecked Sendable {\n    func weigh(_ n: Int) -> Int { return n }\n}\n"},
        ["Sources/Till.swift:2"],
    ),
    "csharp": (
        {
            "src/Cart.cs": "namespace Shop\n{\n    public class Cart\n    {\n        public int WeighItems(int n) { return n; }\n    }\n}\n",
            "src/Till.cs": "using Shop;\n\nnamespace Tills\n{\n    class Till\n    {\n        void Pay(System.Func<Cart> make) { make().WeighItems(2); }\n    }\n}\n",
        },
        {"src/Cart.cs": "namespace Shop\n{\n    public class Cart\n    {\n        public int Weigh(int n) { return n; }\n    }\n}\n"},
        ["src/Till.cs:7"],
    ),
    "csharp, an extension, whose class nobody names": (
        {
            "src/Carts.cs": "namespace Shop.Util\n{\n    internal static class Carts\n    {\n        public static int WeighItems(this int n) { return n; }\n    }\n}\n",
            "src/Till.cs": "using Shop.Util;\n\nnamespace Tills\n{\n    class Till\n    {\n        int Pay(int all) { return all.WeighItems(); }\n    }\n}\n",
            "src/Desk.cs": "namespace Shop.Util.Desks\n{\n    class Desk\n    {\n        int Pay(int all) { return all.WeighItems(); }\n    }\n}\n",
        },
        {"src/Carts.cs": "namespace Shop.Util\n{\n    internal static class Carts\n    {\n        public static int Weigh(this int n) { return n; }\n    }\n}\n"},
        ["src/Desk.cs:5", "src/Till.cs:7"],
    ),
    "go, a type of the standard library inside": (
        {
            "go.mod": "module example.org/shop\n\ngo 1.22\n",
            "cart/cart.go": 'package cart\n\nimport "net/http"\n\ntype Cart struct {\n\thttp.ResponseWriter\n}\n\nfunc (c *Cart) WeighItems(n int) int { return n }\n',
            "till/till.go": 'package till\n\nimport "example.org/shop/cart"\n\nfunc Pay(all map[string]*cart.Cart) {\n\tfor _, c := range all {\n\t\tc.WeighItems(2)\n\t}\n}\n',
        },
        {"cart/cart.go": 'package cart\n\nimport "net/http"\n\ntype Cart struct {\n\thttp.ResponseWriter\n}\n\nfunc (c *Cart) Weigh(n int) int { return n }\n'},
        ["till/till.go:7"],
    ),
    "php, a base of the language that is imported": (
        {
            "src/Cart.php": "<?php\nnamespace Shop;\n\nuse RuntimeException;\n\nclass Cart extends RuntimeException implements Full\n{\n    public static function becauseItIsFull() { return new Cart(); }\n}\n",
            "src/Full.php": "<?php\nnamespace Shop;\n\nuse Throwable;\n\ninterface Full extends Throwable {}\n",
            "src/Till.php": "<?php\nnamespace Shop;\n\nclass Till\n{\n    function pay() { throw Cart::becauseItIsFull(); }\n}\n",
        },
        {"src/Cart.php": "<?php\nnamespace Shop;\n\nuse RuntimeException;\n\nclass Cart extends RuntimeException implements Full\n{\n    public static function full() { return new Cart(); }\n}\n"},
        ["src/Till.php:6"],
    ),
    "ruby": (
        {
            "lib/shop/cart.rb": "module Shop\n  class Cart < Hash\n    def weigh_items(n)\n      n\n    end\n  end\nend\n",
            "lib/shop/till.rb": 'require_relative "cart"\n\nmodule Shop\n  class Till\n    def pay(things)\n      things.each { |thing| thing.weigh_items 2 }\n    end\n  end\nend\n',
        },
        {"lib/shop/cart.rb": "module Shop\n  class Cart < Hash\n    def weigh(n)\n      n\n    end\n  end\nend\n"},
        ["lib/shop/till.rb:6"],
    ),
    "ruby, a class that a helper makes visible": (
        {
            "lib/shop/weighed_cart.rb": "module Shop\n  class WeighedCart\n    def put(n)\n      n\n    end\n  end\nend\n",
            "test/helper.rb": 'require_relative "../lib/shop/weighed_cart"\n\ninclude Shop\n',
            "test/test_cart.rb": 'require_relative "helper"\n\nclass TestCart\n  def test_put\n    WeighedCart.new\n  end\nend\n',
        },
        {"lib/shop/weighed_cart.rb": "module Shop\n  class HeavyCart\n    def put(n)\n      n\n    end\n  end\nend\n"},
        ["test/test_cart.rb:5"],
    ),
    "ruby, a constant that its module loads": (
        {
            "lib/shop.rb": 'module Shop\n  autoload :VERSION, "shop/version"\n\n  def self.open\n    1\n  end\nend\n',
            "lib/shop/version.rb": 'module Shop\n  VERSION = "1"\nend\n',
            "lib/shop/till.rb": "module Shop\n  class Till\n    def show\n      Shop::VERSION\n    end\n  end\nend\n",
        },
        {"lib/shop/version.rb": 'module Shop\n  RELEASE = "1"\nend\n'},
        ["lib/shop/till.rb:4"],
    ),
}  # fmt: skip

_ASSIGNED = "from shop import till\n\n\ndef patch(thing):\n    thing.weigh_items = len\n"
SILENT: dict[str, tuple[Files, Files]] = {
    "another class has the method": (_with("shop/box.py", "class Box:\n    def weigh_items(self):\n        return 1\n"), RENAMED),
    "it is assigned": (_with("shop/box.py", _ASSIGNED), RENAMED),
    "its name stands in a string": (_with("shop/box.py", 'NAMES = ["weigh_items"]\n'), RENAMED),
    "it is passed by name": (_with("shop/box.py", "def make(kind):\n    return kind(weigh_items=len)\n"), RENAMED),
    "a caller that nothing leads to the class": (_with("other/desk.py", "def go(thing):\n    return thing.weigh_items()\n"), RENAMED),
    "the call is on something from outside": (
        _with("shop/desk.py", "import scales\nfrom shop import till\n\n\ndef pay(items):\n    return scales.open().weigh_items(items)\n"),
        RENAMED,
    ),
    "a name that things from outside have": (
        {path: text.replace("weigh_items", "append") for path, text in PYTHON.items()},
        RENAMED,
    ),
    "a class with a base from outside": (
        _with("shop/cart.py", "from scales import Base\n\n\n" + PYTHON["shop/cart.py"].replace("Cart:", "Cart(Base):")),
        {"shop/cart.py": "from scales import Base\n\n\n" + RENAMED["shop/cart.py"].replace("Cart:", "Cart(Base):")},
    ),
    "hands on to one of that name": (
        _with("shop/cart.py", "class Cart:\n    def weigh_items(self, items):\n        return self.scale.weigh_items(items)\n"),
        RENAMED,
    ),
    "other calls were edited, on other objects": (
        _with("shop/more.py", "from shop import till\n\n\ndef more(other):\n    return other.weigh_items([])\n"),
        {**RENAMED, "shop/more.py": "from shop import till\n\n\ndef more(other):\n    return other.weigh([])\n"},
    ),
    "a constant that another star may bring": (
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "pub mod cart;\n",
            "src/cart.rs": "mod till;\n\npub(crate) const MAX_ITEMS: u8 = 2;\n",
            "src/cart/till.rs": "use super::*;\nuse scales::*;\n\npub fn most() -> u8 {\n    MAX_ITEMS\n}\n",
        },
        {"src/cart.rs": "mod till;\n\npub(crate) const MOST_ITEMS: u8 = 2;\n"},
    ),
    "a field of a Swift type": (
        {
            "Sources/Cart.swift": "class Cart {\n    func weighItems(_ n: Int) -> Int { return n }\n}\n",
            "Sources/Scale.swift": "struct Scale {\n    var weighItems: (Int) -> Int\n}\n",
            "Sources/Till.swift": "func pay(scale: Scale, cart: Cart) -> Int {\n    return scale.weighItems(2)\n}\n",
        },
        {"Sources/Cart.swift": "class Cart {\n    func weigh(_ n: Int) -> Int { return n }\n}\n"},
    ),
    "csharp, a method that is no extension, of a class nobody names": (
        {
            "src/Carts.cs": "namespace Shop.Util\n{\n    internal class Carts\n    {\n        public int WeighItems(int n) { return n; }\n    }\n}\n",
            "src/Desk.cs": "namespace Shop.Util.Desks\n{\n    class Desk\n    {\n        int Pay(dynamic all) { return all.WeighItems(2); }\n    }\n}\n",
        },
        {"src/Carts.cs": "namespace Shop.Util\n{\n    internal class Carts\n    {\n        public int Weigh(int n) { return n; }\n    }\n}\n"},
    ),
    "csharp, an extension that a caller cannot see": (
        {
            "src/Carts.cs": "namespace Shop.Util\n{\n    internal static class Carts\n    {\n        public static int WeighItems(this int n) { return n; }\n    }\n}\n",
            "src/Desk.cs": "namespace Tills\n{\n    class Desk\n    {\n        int Pay(int all) { return all.WeighItems(); }\n    }\n}\n",
        },
        {"src/Carts.cs": "namespace Shop.Util\n{\n    internal static class Carts\n    {\n        public static int Weigh(this int n) { return n; }\n    }\n}\n"},
    ),
    "php, a base with the name of an exception that is no global one": (
        {
            "src/Cart.php": "<?php\nnamespace Shop;\n\nuse Other\\Lib\\CartException;\n\nclass Cart extends CartException\n{\n    public static function becauseItIsFull() { return new Cart(); }\n}\n",
            "src/Till.php": "<?php\nnamespace Shop;\n\nclass Till\n{\n    function pay() { throw Cart::becauseItIsFull(); }\n}\n",
        },
        {"src/Cart.php": "<?php\nnamespace Shop;\n\nuse Other\\Lib\\CartException;\n\nclass Cart extends CartException\n{\n    public static function full() { return new Cart(); }\n}\n"},
    ),
    "the call is new": (
        PYTHON,
        {**RENAMED, "shop/desk.py": "from shop import till\n\n\ndef pay(other, items):\n    return other.weigh_items(items)\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTED)
def test_a_name_that_can_mean_nothing_else_is_broken(tmp_path: Path, name: str) -> None:
    files, edit, broken = LISTED[name]
    assert _places(tmp_path, files, edit) == broken


@pytest.mark.parametrize("name", SILENT)
def test_a_name_that_may_mean_something_else_is_not_reported(tmp_path: Path, name: str) -> None:
    assert _places(tmp_path, *SILENT[name]) == []


def test_a_required_parameter_is_missed_by_a_call_that_can_only_mean_it(tmp_path: Path) -> None:
    edit = {"shop/cart.py": PYTHON["shop/cart.py"].replace("items)", "items, unit)", 1)}
    assert _places(tmp_path, PYTHON, edit, "changed_signature") == ["shop/desk.py:5"]


def test_a_required_parameter_is_unsaid_where_another_class_has_the_method(tmp_path: Path) -> None:
    files = _with("shop/box.py", "class Box:\n    def weigh_items(self, items):\n        return 1\n")
    edit = {"shop/cart.py": PYTHON["shop/cart.py"].replace("items)", "items, unit)", 1)}
    assert _places(tmp_path, files, edit, "changed_signature") == []
