"""References that led somewhere before a change and lead nowhere now, in every language, in real repositories."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.kit.changes import Files, items_after, places
from tests.kit.gitrepo import GitRepo


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


class Case(NamedTuple):
    """A repository, an edit, and the places that it breaks."""

    files: Files
    edit: Files
    broken: list[str]
    likely: str = ""


PYTHON = {
    "shop/__init__.py": "",
    "shop/cart.py": "RATE = 2\n\n\ndef total(items):\n    return sum(items) * RATE\n",
    "shop/till.py": "from shop.cart import RATE, total\n\n\ndef pay(items):\n    return total(items) - RATE\n",
    "shop/report.py": "from shop import cart\n\n\ndef show(items):\n    # cart.RATE\n    return cart.total(items), cart.RATE\n",
}
CLASSES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "class Cart:\n    def add(self, item):\n        return item\n\n"
        "    def fill(self, items):\n        return [self.add(item) for item in items]\n"
    ),
    "shop/more.py": (
        "from shop.cart import Cart\n\n\nclass Basket(Cart):\n    def twice(self, item):\n        return self.add(item)\n\n\n"
        "def put(cart, item):\n    return Cart.add(cart, item), cart.add(item)\n"
    ),
}
TYPESCRIPT = {
    "src/cart.ts": "export type Item = string;\nexport function total(items: Item[]) {\n  return items.length;\n}\n",
    "src/till.ts": "import { total, type Item } from './cart';\nexport const pay = (items: Item[]) => total(items);\n",
    "src/index.ts": "export { total } from './cart';\n",
    "src/all.ts": "import * as cart from './cart';\nexport const n = cart.total([]);\n",
}
GO = {
    "go.mod": "module example.org/shop\n\ngo 1.22\n",
    "cart/cart.go": "package cart\n\nconst Rate = 2\n\nfunc Total(n int) int { return n * Rate }\n",
    "cart/more.go": "package cart\n\nfunc Twice(n int) int { return 2 * Total(n) }\n",
    "till/till.go": 'package till\n\nimport "example.org/shop/cart"\n\nfunc Pay(n int) int { return cart.Total(n) }\n',
}
JAVA = {
    "src/main/java/shop/Cart.java": "package shop;\n\npublic class Cart {\n    static int total(int n) { return n; }\n}\n",
    "src/main/java/shop/Near.java": "package shop;\n\nclass Near {\n    Cart cart = new Cart();\n}\n",
    "src/main/java/till/Till.java": "package till;\n\nimport shop.Cart;\n\nclass Till {\n    Cart cart;\n}\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod cart;\npub mod till;\n",
    "src/cart.rs": "pub const RATE: u8 = 2;\n\npub fn total(n: u8) -> u8 { n * RATE }\n",
    "src/till.rs": "use crate::cart::total;\n\npub fn pay(n: u8) -> u8 { total(n) + crate::cart::RATE }\n",
}

CASES = {
    "python, a deleted file": Case(PYTHON, {"shop/cart.py": None}, ["shop/report.py:1", "shop/till.py:1"]),
    "python, a renamed function": Case(
        PYTHON,
        {"shop/cart.py": "RATE = 2\n\n\ndef sum_up(items):\n    return sum(items) * RATE\n"},
        ["shop/report.py:6", "shop/till.py:1"],
        "sum_up",
    ),
    "python, a renamed constant used through its module": Case(
        PYTHON,
        {"shop/cart.py": "FACTOR = 2\n\n\ndef total(items):\n    return sum(items) * FACTOR\n"},
        ["shop/report.py:6", "shop/till.py:1"],
    ),
    "python, a moved file": Case(
        PYTHON,
        {"shop/cart.py": None, "shop/basket.py": PYTHON["shop/cart.py"]},
        ["shop/report.py:1", "shop/till.py:1"],
        "shop/basket.py",
    ),
    "python, a name that moved to another file": Case(
        PYTHON,
        {"shop/cart.py": "RATE = 2\n", "shop/sums.py": "def total(items):\n    return sum(items)\n"},
        ["shop/report.py:6", "shop/till.py:1"],
        "shop/sums.py",
    ),
    "python, a renamed method": Case(
        CLASSES,
        {"shop/cart.py": CLASSES["shop/cart.py"].replace("def add(", "def put(")},
        ["shop/cart.py:6", "shop/more.py:6", "shop/more.py:10"],
        "put",
    ),
    "typescript, a deleted file": Case(
        TYPESCRIPT, {"src/cart.ts": None}, ["src/all.ts:1", "src/index.ts:1", "src/till.ts:1"]
    ),
    "typescript, a renamed type": Case(
        TYPESCRIPT,
        {"src/cart.ts": TYPESCRIPT["src/cart.ts"].replace("Item", "Line")},
        ["src/till.ts:1"],
        "Line",
    ),
    "typescript, no longer exported": Case(
        TYPESCRIPT,
        {"src/cart.ts": TYPESCRIPT["src/cart.ts"].replace("export function", "function")},
        ["src/all.ts:2", "src/index.ts:1", "src/till.ts:1"],
    ),
    "javascript, a renamed function behind a list of exports": Case(
        {
            "cart.js": "function total(n) {\n  return n;\n}\nexport { total };\n",
            "till.js": "import { total } from './cart.js';\ntotal(1);\n",
        },
        {"cart.js": "function sum(n) {\n  return n;\n}\nexport { sum };\n"},
        ["till.js:1"],
        "sum",
    ),
    "javascript, a deleted file that is required": Case(
        {
            "cart.js": "module.exports = { total: 1 };\n",
            "till.js": "const cart = require('./cart');\ncart.total;\n",
        },
        {"cart.js": None},
        ["till.js:1"],
    ),
    "go, a renamed function": Case(
        GO,
        {"cart/cart.go": GO["cart/cart.go"].replace("func Total", "func Sum")},
        ["cart/more.go:3", "till/till.go:5"],
        "Sum",
    ),
    "go, a deleted package": Case(
        GO, {"cart/cart.go": None, "cart/more.go": None}, ["till/till.go:3", "till/till.go:5"]
    ),
    "java, a deleted class": Case(
        JAVA,
        {"src/main/java/shop/Cart.java": None},
        ["src/main/java/shop/Near.java:4", "src/main/java/till/Till.java:3"],
    ),
    "java, a renamed class": Case(
        JAVA,
        {
            "src/main/java/shop/Cart.java": None,
            "src/main/java/shop/Basket.java": JAVA["src/main/java/shop/Cart.java"].replace("Cart", "Basket"),
        },
        ["src/main/java/shop/Near.java:4", "src/main/java/till/Till.java:3"],
    ),
    "rust, a renamed function": Case(
        RUST, {"src/cart.rs": RUST["src/cart.rs"].replace("fn total", "fn sum")}, ["src/till.rs:1"], "sum"
    ),
    "rust, a renamed constant": Case(
        RUST, {"src/cart.rs": RUST["src/cart.rs"].replace("RATE", "PRICE")}, ["src/till.rs:3"]
    ),
    "rust, a deleted module": Case(
        RUST, {"src/cart.rs": None}, ["src/lib.rs:1", "src/till.rs:1", "src/till.rs:3"]
    ),
    "kotlin, a renamed function": Case(
        {
            "src/main/kotlin/shop/Cart.kt": "package shop\n\nfun total(n: Int) = n\n",
            "src/main/kotlin/till/Till.kt": "package till\n\nimport shop.total\n\nfun pay() = total(1)\n",
        },
        {"src/main/kotlin/shop/Cart.kt": "package shop\n\nfun sum(n: Int) = n\n"},
        ["src/main/kotlin/till/Till.kt:3"],
        "sum",
    ),
    "scala, a renamed object": Case(
        {
            "src/main/scala/shop/Cart.scala": "package shop\n\nobject Cart {\n  def total(n: Int) = n\n}\n",
            "src/main/scala/till/Till.scala": "package till\n\nimport shop.Cart\n\nobject Till {\n  val n = Cart.total(1)\n}\n",
        },
        {"src/main/scala/shop/Cart.scala": "package shop\n\nobject Basket {\n  def total(n: Int) = n\n}\n"},
        ["src/main/scala/till/Till.scala:3"],
        "Basket",
    ),
    "c#, a renamed class": Case(
        {
            "shop.csproj": "<Project/>\n",
            "Cart.cs": "namespace Shop;\n\npublic class Cart { }\n",
            "Till.cs": "namespace Shop;\n\npublic class Till {\n    Cart cart = new Cart();\n}\n",
        },
        {"Cart.cs": "namespace Shop;\n\npublic class Basket { }\n"},
        ["Till.cs:4"],
        "Basket",
    ),
    "php, a renamed class": Case(
        {
            "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}',
            "src/Cart.php": "<?php\nnamespace Shop;\n\nclass Cart {}\n",
            "src/Till.php": "<?php\nnamespace Shop\\Till;\n\nuse Shop\\Cart;\n\nclass Till { public Cart $cart; }\n",
        },
        {"src/Cart.php": "<?php\nnamespace Shop;\n\nclass Basket {}\n"},
        ["src/Till.php:4"],
        "Basket",
    ),
    "ruby, a deleted file": Case(
        {
            "lib/shop/cart.rb": "module Shop\n  class Cart\n    def total; 1; end\n  end\nend\n",
            "lib/shop/till.rb": 'require_relative "cart"\n\nmodule Shop\n  class Till\n    def pay; Cart.new.total; end\n  end\nend\n',
        },
        {"lib/shop/cart.rb": None},
        ["lib/shop/till.rb:1", "lib/shop/till.rb:5"],
    ),
    "ruby, a renamed constant of a class": Case(
        {
            "lib/shop/cart.rb": "module Shop\n  class Cart\n    RATE = 2\n    def total; RATE; end\n  end\nend\n",
            "lib/shop/till.rb": "module Shop\n  class Till\n    def pay; Cart::RATE; end\n  end\nend\n",
        },
        {
            "lib/shop/cart.rb": "module Shop\n  class Cart\n    PRICE = 2\n    def total; PRICE; end\n  end\nend\n"
        },
        ["lib/shop/till.rb:3"],
    ),
    "swift, a renamed type": Case(
        {
            "Package.swift": "// swift-tools-version:5.9\n",
            "Sources/Shop/Cart.swift": "struct Cart {\n    func total() -> Int { 1 }\n}\n",
            "Sources/Shop/Till.swift": "struct Till {\n    let cart = Cart()\n}\n",
        },
        {"Sources/Shop/Cart.swift": "struct Basket {\n    func total() -> Int { 1 }\n}\n"},
        ["Sources/Shop/Till.swift:2"],
        "Basket",
    ),
    "c, a deleted header and a renamed function": Case(
        {
            "cart.h": "int total(int n);\n",
            "cart.c": '#include "cart.h"\n\nint total(int n) { return n; }\n',
            "till.c": '#include "cart.h"\n\nint pay(int n) { return total(n); }\n',
        },
        {"cart.h": None, "cart.c": "int sum(int n) { return n; }\n"},
        ["till.c:3", "till.c:1"],
    ),
    "c++, a moved header": Case(
        {
            "src/cart.hpp": "class Cart {};\n",
            "src/till.cpp": '#include "cart.hpp"\n\nCart cart;\n',
        },
        {"src/cart.hpp": None, "src/basket.hpp": "class Cart {};\n"},
        ["src/till.cpp:1"],
        "src/basket.hpp",
    ),
    "a constant of a class": Case(
        {
            "src/main/java/shop/Cart.java": "package shop;\n\npublic class Cart {\n    static final int LIMIT = 3;\n}\n",
            "src/main/java/till/Till.java": (
                "package till;\n\nimport shop.Cart;\n\nclass Till {\n    int limit = Cart.LIMIT; // Cart.LIMIT\n}\n"
            ),
            "src/main/java/till/Other.java": "package till;\n\nclass Other {\n    int limit = Cart.LIMIT;\n}\n",
        },
        {
            "src/main/java/shop/Cart.java": "package shop;\n\npublic class Cart {\n    static final int MOST = 3;\n}\n"
        },
        ["src/main/java/till/Till.java:6"],
    ),
    "a private function that moved to another package": Case(
        {
            "go.mod": GO["go.mod"],
            "cart/checks.go": "package cart\n\nfunc positive(n int) int { return n }\n",
            "cart/cart.go": "package cart\n\nfunc Add(n int) int { return positive(n) }\n",
        },
        {
            "cart/checks.go": None,
            "cart/numbers/checks.go": "package numbers\n\nfunc positive(n int) int { return n }\n",
        },
        ["cart/cart.go:3"],
        "cart/numbers/checks.go",
    ),
    "a name that a require takes apart": Case(
        {
            "lib/cart.js": "function total () { return 1 }\nconst rate = 2\nmodule.exports = { total, rate }\n",
            "lib/till.js": "const {\n  rate,\n  total: sum\n} = require('./cart')\nmodule.exports = () => sum() * rate\n",
        },
        {"lib/cart.js": "function sumUp () { return 1 }\nconst rate = 2\nmodule.exports = { sumUp, rate }\n"},
        ["lib/till.js:3"],
    ),
    "a name that two stars pass on": Case(
        {
            **TYPESCRIPT,
            "src/shared.ts": "export * from './cart';\n",
            "src/api.ts": "export * from './shared';\n",
            "src/user.ts": "import { total } from './api';\nexport const m = total([]);\n",
        },
        {"src/cart.ts": TYPESCRIPT["src/cart.ts"].replace("total", "sumUp")},
        ["src/all.ts:2", "src/index.ts:1", "src/till.ts:1", "src/user.ts:1"],
        likely="sumUp",
    ),
    "the only export of a file": Case(
        {
            "src/rate.ts": "export const rate = 2;\n",
            "src/till.ts": "import { rate } from './rate';\nexport const pay = () => rate;\n",
        },
        {"src/rate.ts": "const rate = 2;\n"},
        ["src/till.ts:1"],
    ),
    "a name of a module that makes others at run time": Case(
        {**PYTHON, "shop/cart.py": PYTHON["shop/cart.py"] + "\n\ndef __getattr__(name):\n    return len\n"},
        {"shop/cart.py": "RATE = 2\n\n\ndef __getattr__(name):\n    return len\n"},
        ["shop/report.py:6", "shop/till.py:1"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_broken_reference_is_found_at_every_place(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    repo = GitRepo(tmp_path / "repo")
    repo.commit(case.files)
    items = items_after(repo, case.edit)
    assert places(items) == case.broken
    if case.likely:
        assert {item.likely for item in items} == {case.likely}


UNBROKEN: dict[str, Case] = {
    "edited away in the same change": Case(
        PYTHON,
        {
            "shop/cart.py": "RATE = 2\n\n\ndef sum_up(items):\n    return sum(items) * RATE\n",
            "shop/till.py": PYTHON["shop/till.py"].replace("total", "sum_up"),
            "shop/report.py": PYTHON["shop/report.py"].replace("total", "sum_up"),
        },
        [],
    ),
    "deleted with its users": Case(PYTHON, {name: None for name in PYTHON if name != "shop/__init__.py"}, []),
    "guarded by try": Case(
        {
            "shop/cart.py": "def total():\n    return 1\n",
            "till.py": "try:\n    from shop.cart import total\nexcept ImportError:\n    total = None\n",
        },
        {"shop/cart.py": None},
        [],
    ),
    "still provided by a re-export": Case(
        PYTHON,
        {
            "shop/cart.py": "from shop.sums import total\n\nRATE = 2\n",
            "shop/sums.py": "def total(items):\n    return sum(items)\n",
        },
        [],
    ),
    "still provided by a star": Case(
        PYTHON,
        {
            "shop/cart.py": "from shop.sums import *\n\nRATE = 2\n",
            "shop/sums.py": "def total(items):\n    return sum(items)\n",
        },
        [],
    ),
    "perhaps provided by a star from outside": Case(
        PYTHON, {"shop/cart.py": "from elsewhere import *\n\nRATE = 2\n"}, []
    ),
    "perhaps made at run time": Case(
        PYTHON, {"shop/cart.py": "RATE = 2\n\n\ndef __getattr__(name):\n    return len\n"}, []
    ),
    "bound in another way": Case(
        PYTHON, {"shop/cart.py": "RATE = 2\n\nwith open('x') as total:\n    pass\n"}, []
    ),
    "a body that changed": Case(
        PYTHON, {"shop/cart.py": "RATE = 3\n\n\ndef total(items):\n    return len(items) * RATE\n"}, []
    ),
    "a method that its base has now": Case(
        CLASSES,
        {
            "shop/cart.py": "from shop.base import Base\n\n\n"
            + CLASSES["shop/cart.py"]
            .replace("    def add(self, item):\n        return item\n\n", "")
            .replace("Cart:", "Cart(Base):"),
            "shop/base.py": "class Base:\n    def add(self, item):\n        return item\n",
        },
        [],
    ),
    "a method that a base outside may have": Case(
        {name: text.replace("class Cart:", "class Cart(dict):") for name, text in CLASSES.items()},
        {"shop/cart.py": "class Cart(dict):\n    def fill(self, items):\n        return self.add(items)\n"},
        [],
    ),
    "a package in place of a module": Case(
        PYTHON, {"shop/cart.py": None, "shop/cart/__init__.py": PYTHON["shop/cart.py"]}, []
    ),
    "a file that a build makes and git ignores": Case(
        PYTHON, {"shop/cart.py": None, ".gitignore": "/shop/cart.py\n"}, []
    ),
    "a file that moved within its package": Case(
        GO, {"cart/cart.go": None, "cart/sums.go": GO["cart/cart.go"]}, []
    ),
    "a class that moved within its package": Case(
        JAVA,
        {
            "src/main/java/shop/Cart.java": None,
            "src/main/java/shop/Carts.java": JAVA["src/main/java/shop/Cart.java"],
        },
        [],
    ),
    "declared and exported in one": Case(
        TYPESCRIPT,
        {
            "src/cart.ts": "export type Item = string;\nexport declare function total(items: Item[]): number;\n"
        },
        [],
    ),
    "a helper that the language brings now": Case(
        {
            "go.mod": "module example.org/shop\n\ngo 1.22\n",
            "cart/min.go": "package cart\n\nfunc min(a, b int) int { return a }\n",
            "cart/cart.go": "package cart\n\nfunc Total(n int) int { return min(n, 2) }\n",
        },
        {"cart/min.go": None},
        [],
    ),
    "a private name that the tests of the file took by a star": Case(
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": "mod cart;\n",
            "src/cart.rs": "pub(crate) struct Cart;\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn made() -> Cart { Cart }\n}\n",
        },
        {
            "src/cart.rs": "pub(crate) struct Basket;\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    fn made() -> Basket { Basket }\n}\n"
        },
        [],
    ),
    "a package that is a dependency now": Case(
        {"six.py": "def b(s):\n    return s\n", "till.py": "import six\n", "requirements.txt": "requests\n"},
        {"six.py": None, "requirements.txt": "requests\nsix\n"},
        [],
    ),
}


@pytest.mark.parametrize("name", UNBROKEN)
def test_nothing_is_broken_by_a_change_that_leaves_every_name_in_place(name: str, tmp_path: Path) -> None:
    case = UNBROKEN[name]
    repo = GitRepo(tmp_path / "repo")
    repo.commit(case.files)
    assert [item.fact for item in items_after(repo, case.edit)] == []


def test_one_item_has_every_place_of_a_deleted_file(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    users = {f"shop/user_{n}.py": "from shop.cart import total\n" for n in range(22)}
    repo.commit({**PYTHON, **users})
    (item,) = items_after(repo, {"shop/cart.py": None})
    assert item.fact == "shop/cart.py was deleted, but 24 places in 24 files still use it."
    assert item.fix == "Restore it, or edit every place that uses it."
    assert len(item.places) == 24


def test_relative_imports_of_a_moved_file_are_broken_in_it(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit(
        {
            "shop/__init__.py": "",
            "shop/cart.py": "RATE = 1\n",
            "shop/till.py": "from .cart import RATE\nN = RATE\n",
        }
    )
    repo.write({"shop/till.py": None, "shop/desk/till.py": "from .cart import RATE\nN = RATE\n"})
    repo.git("add", "--all")
    (item,) = items_after(repo, {})
    assert places((item,)) == ["shop/desk/till.py:1"]
    assert (
        item.fact
        == "shop/till.py was moved to shop/desk/till.py, and 1 import in it no longer leads anywhere."
    )


def test_a_deleted_module_is_missed_by_the_package_that_imports_it_from_itself(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop")
    repo.commit({"shop/__init__.py": "from . import fields\n", "shop/fields.py": "A = 1\n"})
    items = items_after(repo, {"shop/fields.py": None})
    assert places(items) == ["shop/__init__.py:1"]
