"""Tests that a briefing's command runs: only files with test cases, and only those that are likely to execute the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.workflows.briefing.build import brief
from crimes.workflows.briefing.record import ReachingTests
from tests.kit.gitrepo import GitRepo

SOURCE = "def total():\n    return 1\n"
TEST = "from {} import total\n\n\ndef test_total():\n    assert total() == 1\n"
TS = "export function total(): number {\n  return 1;\n}\n"
PACKAGE = '{"name": "shop", "devDependencies": {"vitest": "3"}}'


def reaching(root: Path, files: Mapping[str, str], path: str) -> ReachingTests:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return brief(scan(root, Config()), path).tests


def test_helper_without_test_cases_is_never_run(tmp_path: Path) -> None:
    files = {
        "pytest.ini": "",
        "shop/cart.py": SOURCE,
        "tests/helpers.py": "from shop.cart import total\n\n\ndef make():\n    return total()\n",
    }
    made = reaching(tmp_path, files, "shop/cart.py")
    assert made.importing == ("tests/helpers.py",)
    assert made.command == ""
    assert made.command_note == "no file that imports it has test cases that use it"


def test_function_that_makes_tests_for_its_callers_is_no_test_case(tmp_path: Path) -> None:
    helper = "import { total } from '../src/cart';\n\nexport function checks(name: string) {\n  it(name, () => {\n    total();\n  });\n}\n"
    files = {"package.json": PACKAGE, "src/cart.ts": TS, "test/helper.test.ts": helper}
    assert reaching(tmp_path, files, "src/cart.ts").command == ""


def test_reaching_one_line_are_test_cases(tmp_path: Path) -> None:
    test = "import { total } from './cart';\n\ntest('adds', () => expect(total()).toBe(1));\n"
    files = {"package.json": PACKAGE, "src/cart.ts": TS, "src/cart.test.ts": test}
    assert reaching(tmp_path, files, "src/cart.ts").command == "npx vitest run src/cart.test.ts"


def test_import_of_types_alone_is_no_reason_to_run_a_test(tmp_path: Path) -> None:
    source = TS + "\nexport interface Cart {\n  n: number;\n}\n"
    test = (
        "import type { Cart } from '../src/cart';\n\ntest('shape', () => {\n  const cart = {} as Cart;\n});\n"
    )
    files = {"package.json": PACKAGE, "src/cart.ts": source, "test/shape.test.ts": test}
    assert reaching(tmp_path, files, "src/cart.ts").command == ""


def test_test_that_calls_nothing_but_itself_runs_no_other_file(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "pub mod cart;\n",
        "src/cart.rs": "pub struct Cart;\n\nimpl Cart {\n    pub fn new() -> Self {\n        Cart\n    }\n}\n",
        "tests/traits.rs": "fn is_send<T: Send>() {}\n\n#[test]\nfn sends() {\n    is_send::<shop::cart::Cart>();\n}\n",
    }
    made = reaching(tmp_path, files, "src/cart.rs")
    assert made.importing == ("tests/traits.rs",)
    assert made.command == ""
    calling = files["tests/traits.rs"].replace("is_send::<shop::cart::Cart>()", "shop::cart::Cart::new()")
    made = reaching(tmp_path, {**files, "tests/traits.rs": calling}, "src/cart.rs")
    assert made.command == "cargo test -p shop --test traits"


def test_test_that_takes_only_reexported_names_does_not_test_the_file(tmp_path: Path) -> None:
    index = "export { total } from './cart';\n\nexport function start(): number {\n  return 2;\n}\n"
    test = "import { total } from '../src/index';\n\ntest('adds', () => {\n  total();\n});\n"
    files = {"package.json": PACKAGE, "src/cart.ts": TS, "src/index.ts": index, "test/a.test.ts": test}
    assert reaching(tmp_path, files, "src/index.ts").command == ""
    assert reaching(tmp_path, files, "src/cart.ts").command == "npx vitest run test/a.test.ts"


def test_test_of_the_same_name_that_imports_a_sibling_is_not_run(tmp_path: Path) -> None:
    files = {
        "pytest.ini": "",
        "shop/web/cart.py": SOURCE,
        "shop/api/cart.py": SOURCE,
        "tests/test_cart.py": TEST.format("shop.api.cart"),
    }
    assert reaching(tmp_path, files, "shop/web/cart.py").command == ""
    assert reaching(tmp_path, files, "shop/api/cart.py").command == "python -m pytest tests/test_cart.py"


def test_all_tests_with_the_name_of_a_file_are_run(tmp_path: Path) -> None:
    test = "import subprocess\n\n\ndef test_total():\n    subprocess.run(['shop'])\n"
    files = {"pytest.ini": "", "cart.py": SOURCE, "cart_test.py": test, "test_cart.py": test}
    made = reaching(tmp_path, files, "cart.py")
    assert made.by_name == ("cart_test.py", "test_cart.py")
    assert made.command == "python -m pytest cart_test.py test_cart.py"


def test_reaching_the_same_package_come_first(tmp_path: Path) -> None:
    test = "import { total } from '%s';\n\ntest('adds', () => {\n  total();\n});\n"
    files = {
        "package.json": '{"workspaces": ["packages/*"]}',
        "packages/a/package.json": PACKAGE.replace("shop", "a"),
        "packages/a/test/a.test.ts": test % "../../b/src/cart",
        "packages/b/package.json": PACKAGE.replace("shop", "b"),
        "packages/b/src/cart.ts": TS,
        "packages/b/test/z.test.ts": test % "../src/cart",
    }
    assert (
        reaching(tmp_path, files, "packages/b/src/cart.ts").command
        == "cd packages/b && npx vitest run test/z.test.ts"
    )


def test_tests_that_reach_a_file_over_many_others_are_not_guessed_from(tmp_path: Path) -> None:
    names = [f"part{number}" for number in range(9)]
    files = {
        "pytest.ini": "",
        **{f"shop/{name}.py": f"def {name}():\n    return 1\n" for name in names},
        "shop/api.py": "".join(f"from shop.{name} import {name}\n" for name in names)
        + "\n\ndef total():\n    return part1()\n",
        "tests/test_public.py": TEST.format("shop.api"),
    }
    made = reaching(tmp_path, files, "shop/part3.py")
    assert (made.command, made.transitive) == ("", 1)
    assert made.command_note == "1 test file reaches it only through other files"


def test_test_that_reaches_a_file_and_changes_with_it_is_run(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    names = [f"part{number}" for number in range(9)]
    files = {
        "pytest.ini": "",
        **{f"shop/{name}.py": f"def {name}():\n    return 1\n" for name in names},
        "shop/api.py": "".join(f"from shop.{name} import {name}\n" for name in names)
        + "\n\ndef total():\n    return part1()\n",
        "tests/test_public.py": TEST.format("shop.api"),
    }
    repo.commit(files, days_ago=9)
    for day in (8, 7, 6):
        changed = {
            name: f"{files[name]}\n\nN{day} = {day}\n" for name in ("shop/part3.py", "tests/test_public.py")
        }
        repo.commit(changed, days_ago=day)
    made = brief(scan(tmp_path, Config()), "shop/part3.py").tests
    assert made.command == "python -m pytest tests/test_public.py"


def test_test_file_runs_itself_and_a_helper_the_tests_that_import_it(tmp_path: Path) -> None:
    files = {
        "pytest.ini": "",
        "tests/kit.py": "def total():\n    return 1\n",
        "tests/test_cart.py": TEST.format("tests.kit"),
    }
    assert reaching(tmp_path, files, "tests/test_cart.py").command == "python -m pytest tests/test_cart.py"
    assert reaching(tmp_path, files, "tests/kit.py").command == "python -m pytest tests/test_cart.py"


def test_file_that_is_only_named_in_a_string_is_not_tested(tmp_path: Path) -> None:
    test = "def test_total(mocker):\n    mocker.patch('shop.cart.total')\n"
    loads = "import importlib\n\n\ndef test_total():\n    assert importlib.import_module('shop.cart').total() == 1\n"
    files = {"pytest.ini": "", "shop/__init__.py": "", "shop/cart.py": SOURCE, "tests/test_mocked.py": test}
    assert reaching(tmp_path, files, "shop/cart.py").command == ""
    files["tests/test_loaded.py"] = loads
    assert reaching(tmp_path, files, "shop/cart.py").command == "python -m pytest tests/test_loaded.py"


def test_test_in_a_folder_named_after_a_sibling_is_not_run(tmp_path: Path) -> None:
    test = "const app = require('../../lib/app');\n\ntest('asks', () => {\n  app();\n});\n"
    files = {
        "package.json": PACKAGE,
        "lib/app.js": "const request = require('./request');\n"
        + "".join(f"require('./part{number}');\n" for number in range(6))
        + "\nmodule.exports = function app() {\n  return request;\n};\n",
        **{f"lib/part{number}.js": "exports.part = 1;\n" for number in range(6)},
        "lib/request.js": "module.exports = function request() {\n  return 1;\n};\n",
        "test/app/request.test.js": test,
    }
    made = reaching(tmp_path, files, "lib/request.js")
    assert made.by_name == ("test/app/request.test.js",)
    assert made.command == ""


def test_tests_of_its_user_are_run_where_the_runner_does_not_take_those_that_import_it(
    tmp_path: Path,
) -> None:
    files = {
        "pytest.ini": "",
        "shop/cart.py": SOURCE,
        "shop/pay.py": "from shop.cart import total\n\n\ndef pay():\n    return total()\n",
        "tests/typing_cart.py": TEST.format("shop.cart"),
        "tests/test_pay.py": "from shop.pay import pay\n\n\ndef test_pay():\n    assert pay()\n",
    }
    made = reaching(tmp_path, files, "shop/cart.py")
    assert made.importing == ("tests/typing_cart.py",)
    assert made.command == "python -m pytest tests/test_pay.py"


def test_test_that_takes_what_the_file_imports_itself_does_not_test_it(tmp_path: Path) -> None:
    files = {
        "pytest.ini": "",
        "shop/__init__.py": "from shop.misc import *\nfrom shop.find import *\n",
        "shop/misc.py": SOURCE,
        "shop/find.py": "from shop import total\n\n\ndef find():\n    return total()\n",
        "tests/test_misc.py": "from shop.find import total\n\n\ndef test_total():\n    assert total()\n",
    }
    made = reaching(tmp_path, files, "shop/find.py")
    assert (made.importing, made.command) == (("tests/test_misc.py",), "")


def test_test_beside_the_index_that_uses_a_file_is_run(tmp_path: Path) -> None:
    test = "import {{ pay }} from '{}';\n\ntest('pays', () => {{\n  pay();\n}});\n"
    files = {
        "package.json": PACKAGE,
        "src/cart.ts": TS,
        "src/pay/index.ts": "import { total } from '../cart';\n\nexport function pay() {\n  return total();\n}\n",
        "src/pay/index.test.ts": test.format("."),
        "test/one.test.ts": test.format("../src/pay"),
        "test/two.test.ts": test.format("../src/pay"),
    }
    assert reaching(tmp_path, files, "src/cart.ts").command == "npx vitest run src/pay/index.test.ts"


def test_script_that_names_files_wins_over_projects_that_may_hold_them(tmp_path: Path) -> None:
    scripts = '"test": "vitest", "test:bun": "bun test --jsx-import-source ../jsx bun-tests/*"'
    files = {
        "package.json": f'{{"name": "shop", "scripts": {{{scripts}}}, "devDependencies": {{"vitest": "3"}}}}',
        "vitest.config.ts": "export default { test: { projects: ['./packages/*'] } }\n",
        "src/cart.ts": TS,
        "bun-tests/cart.test.ts": "import { total } from '../src/cart';\n\ntest('adds', () => {\n  total();\n});\n",
    }
    made = reaching(tmp_path, files, "src/cart.ts")
    assert made.command == "bun test --jsx-import-source ../jsx bun-tests/cart.test.ts"


def test_suffix_of_the_sources_says_nothing_of_the_tests_of_phpunit(tmp_path: Path) -> None:
    config = '<phpunit><testsuites><testsuite><directory>test</directory></testsuite></testsuites><coverage><directory suffix=".php">lib</directory></coverage></phpunit>'
    test = "<?php\nuse Shop\\Cart;\nabstract class CartTestBase extends TestCase {\n  public function testTotal() {\n    new Cart();\n  }\n}\n"
    files = {
        "composer.json": '{"require-dev": {"phpunit/phpunit": "9"}, "autoload": {"psr-4": {"Shop\\\\": "lib/"}}}',
        "phpunit.xml": config,
        "lib/Cart.php": "<?php\nnamespace Shop;\nclass Cart {\n  public function total() {\n    return 1;\n  }\n}\n",
        "test/CartTestBase.php": test,
    }
    assert reaching(tmp_path, files, "lib/Cart.php").command == ""
