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
