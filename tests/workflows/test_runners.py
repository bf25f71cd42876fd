"""The command of some tests follows the configuration of their runner: what it includes, from where, with which options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.model.repository import Repo
from crimes.workflows.briefing.build import brief
from crimes.workflows.briefing.command import Command
from crimes.workflows.briefing.runners.globs import includes, written_out
from crimes.workflows.briefing.runners.object_literal import members, strings
from crimes.workflows.briefing.test_commands import Runners


def command(files: Mapping[str, str], *tests: str) -> Command:
    """The command for tests of a repository of which only manifests are known."""
    given = {**dict.fromkeys(tests, ""), **files}
    repo = Repo(Path("/nowhere"), {}, frozenset(given), (), (), lambda path: given[path].encode())
    return Runners(repo).command_for(tests)


def briefed(root: Path, files: Mapping[str, str], path: str) -> tuple[str, str]:
    """The command and the note of a file of a scanned repository."""
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    tests = brief(scan(root, Config()), path).tests
    return tests.command, tests.command_note


# Python.


def test_pytest_prefers_files_that_its_configuration_collects() -> None:
    ini = "[pytest]\ntestpaths = tests\npython_files = check_*.py\n"
    made = command({"pytest.ini": ini}, "tests/test_a.py", "docs/check_a.py", "tests/check_a.py")
    assert made.text == "python -m pytest tests/check_a.py"
    toml = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
    made = command({"pyproject.toml": toml}, "examples/test_a.py", "tests/test_a.py")
    assert made.text == "python -m pytest tests/test_a.py"


def test_tests_of_a_nested_project_run_in_its_folder() -> None:
    files = {
        "pyproject.toml": "[tool.pytest.ini_options]\n",
        "libs/core/pyproject.toml": '[project]\nname = "core"\n[dependency-groups]\ntest = ["pytest"]\n',
    }
    made = command(files, "libs/core/tests/test_a.py", "libs/web/tests/test_b.py")
    assert made.text == "cd libs/core && python -m pytest tests/test_a.py"
    assert made.runs == 1


def test_plain_functions_without_a_runner_are_not_given_to_unittest(tmp_path: Path) -> None:
    files = {"cart.py": "def total():\n    return 1\n"}
    plain = "import cart\n\n\ndef test_total():\n    assert cart.total() == 1\n"
    made, note = briefed(tmp_path, {**files, "test_cart.py": plain}, "cart.py")
    assert made == ""
    assert "plain test functions" in note
    cases = "import unittest\nimport cart\n\n\nclass T(unittest.TestCase):\n    def test_total(self):\n        cart.total()\n"
    assert (
        briefed(tmp_path / "b", {**files, "test_cart.py": cases}, "cart.py")[0]
        == "python -m unittest test_cart.py"
    )


def test_file_with_tests_for_others_to_inherit_is_not_run(tmp_path: Path) -> None:
    base = "import cart\n\n\nclass Shared:\n    def test_total(self):\n        assert cart.total() == 1\n"
    files = {"cart.py": "def total():\n    return 1\n", "tests/shared.py": base, "pytest.ini": ""}
    made, note = briefed(tmp_path, files, "cart.py")
    assert made == ""
    assert "for others to inherit" in note


# JavaScript.

VITEST = '{"devDependencies": {"vitest": "3"}, "scripts": %s}'


@pytest.mark.parametrize(
    ("files", "test", "expected"),
    [
        (  # another configuration, named by a script, includes it
            {
                "package.json": VITEST % '{"test": "vitest", "test:e2e": "vitest run -c vitest.e2e.config.ts --retry 2"}',
                "vitest.config.ts": "export default defineConfig({ test: { include: ['src/**/*.test.ts'] } })",
                "vitest.e2e.config.ts": "export default { test: { include: ['e2e/**/*.{spec,test}.ts'] } }",
            },
            "e2e/a.spec.ts",
            "npx vitest run -c vitest.e2e.config.ts e2e/a.spec.ts",
        ),
        (  # `coverage.include` is not what it runs
            {
                "package.json": VITEST % "{}",
                "vite.config.ts": "x({ test: { coverage: { include: ['src/**'] }, exclude: ['**/old/**'] } })",
            },
            "src/a.test.ts",
            "npx vitest run src/a.test.ts",
        ),
        (  # a package whose tests a configuration above it divides into projects
            {
                "package.json": VITEST % '{"test": "vitest --run", "test:edge": "vitest --run --project edge"}',
                "vitest.config.ts": "export default defineConfig({ test: { projects: ['packages/*'] } })",
                "packages/a/package.json": VITEST % '{"test": "vitest run"}',
                "packages/a/vitest.config.ts": "export default mergeConfig(root, defineProject({}))",
            },
            "packages/a/src/a.test.ts",
            "npx vitest run packages/a/src/a.test.ts",
        ),
        (
            {
                "package.json": '{"scripts": {"test": "jest", "test:int": "jest --config jest.int.js --runInBand"}}',
                "jest.config.js": "module.exports = { testRegex: '\\\\.spec\\\\.ts$' }",
                "jest.int.js": "module.exports = { testMatch: ['<rootDir>/int/**/*.ts'] }",
            },
            "int/a.ts",
            "npx jest --config jest.int.js --runInBand --runTestsByPath int/a.ts",
        ),
        (
            {"package.json": '{"devDependencies": {"mocha": "1"}, "scripts": {"test": "NODE_ENV=test nyc mocha -r ./env -R dot test/"}}'},
            "test/a.js",
            "NODE_ENV=test npx mocha -r ./env test/a.js",
        ),
        (
            {"package.json": '{"scripts": {"test": "node --import tsx --test test/*.ts"}}'},
            "test/a.ts",
            "node --test --import tsx test/a.ts",
        ),
        ({"package.json": '{"packageManager": "yarn@4.1.0", "devDependencies": {"ava": "6"}}'}, "test.js", "yarn ava test.js"),
    ],
)  # fmt: skip
def test_set_up_of_a_runner_that_includes_the_test_is_chosen(
    files: Mapping[str, str], test: str, expected: str
) -> None:
    assert command(files, test).text == expected


def test_file_outside_of_every_configuration_is_not_sure() -> None:
    files = {
        "package.json": VITEST % "{}",
        "vitest.config.ts": "x({ test: { include: ['src/**/*.test.ts'] } })",
    }
    made = command(files, "bench/a.bench.ts")
    assert made == Command(note="no configuration of vitest includes `bench/a.bench.ts`")
    assert command(files, "bench/a.bench.ts", "src/a.test.ts").text == "npx vitest run src/a.test.ts"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/*.{test,spec}.?(c|m)[jt]s?(x)", "a/b.spec.mtsx", True),
        ("**/*.{test,spec}.?(c|m)[jt]s?(x)", "b.test.js", True),
        ("**/*.{test,spec}.?(c|m)[jt]s?(x)", "a/b.tests.ts", False),
        ("**/?(*.)+(spec|test).[jt]s?(x)", "a/test.js", True),
        ("**/__tests__/**/*.?([mc])[jt]s?(x)", "a/__tests__/b/c.ts", True),
        ("./test/{a,b/**}/*.js", "test/b/c/d.js", True),
        ("src/!(old)/*.js", "anything", True),
    ],
)
def test_patterns_of_runners(pattern: str, path: str, expected: bool) -> None:
    assert includes(pattern, path) is expected


def test_pattern_with_too_many_alternatives_includes_all() -> None:
    assert written_out("{a,b}" * 30) is None
    assert includes("{a,b}" * 30, "c")


def test_members_of_a_configuration_are_read_without_running_it() -> None:
    text = """{ a: 1, // b: 'x' }
        'c': ['x,y', "z"], nested: { c: ['no'] }, fn() { return { d: 2 } }, /* e: 3, */ f: `t${1}` }"""
    read = members(text, 1)
    assert strings(read["c"]) == ("x,y", "z")
    assert "b" not in read
    assert "e" not in read
    assert strings(read["f"]) == ()


# Go and Rust.

GO = "package shop\n\nfunc Total() int { return 1 }\n"
GO_TEST = 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tTotal()\n}\n'


def test_build_tag_of_a_go_test_is_set(tmp_path: Path) -> None:
    files = {"go.mod": "module shop\n", "cart.go": GO, "cart_test.go": "//go:build integration\n\n" + GO_TEST}
    assert briefed(tmp_path, files, "cart.go")[0] == "go test -tags integration ."


def test_go_file_of_another_system_is_not_sure(tmp_path: Path) -> None:
    files = {"go.mod": "module shop\n", "cart_windows.go": GO, "cart_test.go": GO_TEST}
    assert briefed(tmp_path, files, "cart_windows.go") == ("", "it is built only for `windows`")


CRATE = """[package]
name = "ids"

[features]
default = ["std"]
std = ["alloc"]
alloc = []
v4 = ["rng"]
rng = []
full = []

[dependencies]
serde = { version = "1", optional = true }
"""


@pytest.mark.parametrize(
    ("condition", "options"),
    [
        ("", ""),
        ('#[cfg(feature = "v4")]', " --features v4"),
        ('#[cfg(feature = "std")]', ""),
        ('#[cfg(feature = "alloc")]', ""),  # on with `std`
        ('#[cfg(any(feature = "v4", feature = "std"))]', ""),
        ('#[cfg(all(unix, any(feature = "v4", feature = "rng")))]\n#[doc(hidden)]', " --features v4"),
        ('#[cfg(all(feature = "v4", not(feature = "std")))]', ""),  # cannot hold
        ('#[cfg(feature = "serde")]', " --features serde"),  # an optional dependency
        ("#[cfg(test)]", ""),
        ('#[cfg(not(feature = "v4"))]', ""),
        ('#[cfg(feature = "unheard-of")]', ""),
    ],
)
def test_cargo_turns_on_the_features_without_which_a_file_is_not_compiled(
    condition: str, options: str, tmp_path: Path
) -> None:
    files = {
        "Cargo.toml": CRATE,
        "src/lib.rs": f"{condition}\npub mod v4;\n",
        "src/v4.rs": "pub mod fields;\n",
        "src/v4/fields.rs": "pub fn make() -> u8 {\n    4\n}\n\n#[test]\nfn makes() {\n    assert_eq!(make(), 4);\n}\n",
    }
    text, _ = briefed(tmp_path, files, "src/v4/fields.rs")
    assert text == f"cargo test -p ids{options}"


GATED_TESTS = """pub fn make() -> u8 {
    4
}

mod support {
    #[cfg(feature = "v4")]
    fn unused() {}

    %s
    mod inner {
        mod deeper {
            #[test]
            fn makes() {
                assert_eq!(crate::make(), 4);
            }
        }
    }
}

#[cfg(feature = "full")]
#[test]
fn makes_all() {
    assert_eq!(make(), 4);
}
"""


@pytest.mark.parametrize(
    ("condition", "options"),
    [
        ('#[cfg(all(test, feature = "v4"))]', " --features v4"),
        ('#[cfg(any(feature = "v4", feature = "std"))]', ""),
        ("#[cfg(test)]", ""),  # one test is compiled, which is enough
    ],
)
def test_cargo_turns_on_features_without_which_no_own_test_of_a_file_is_compiled(
    condition: str, options: str, tmp_path: Path
) -> None:
    files = {"Cargo.toml": CRATE, "src/lib.rs": GATED_TESTS % condition}
    assert briefed(tmp_path, files, "src/lib.rs")[0] == f"cargo test -p ids{options}"


def test_cargo_turns_on_the_features_of_an_integration_test(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": CRATE,
        "src/lib.rs": "pub fn make() -> u8 {\n    4\n}\n",
        "tests/all.rs": '#![cfg(feature = "full")]\n\n#[test]\nfn makes() {\n    assert_eq!(ids::make(), 4);\n}\n',
    }
    assert briefed(tmp_path, files, "src/lib.rs")[0] == "cargo test -p ids --features full --test all"


def test_listed_targets_of_cargo_hold_the_files_beside_them() -> None:
    manifest = (
        '[package]\nname = "rg"\nautotests = false\n[[test]]\nname = "integration"\npath = "tests/tests.rs"\n'
    )
    made = command({"Cargo.toml": manifest, "tests/tests.rs": ""}, "tests/feature.rs")
    assert made.text == "cargo test -p rg --test integration"
    manifest = '[package]\nname = "rg"\n[[test]]\nname = "tls"\nrequired-features = ["tls", "net"]\n'
    made = command({"Cargo.toml": manifest}, "tests/tls.rs")
    assert made.text == "cargo test -p rg --features net,tls --test tls"
    made = command(
        {"Cargo.toml": '[package]\nname = "rg"\n', "tests/a.rs": "", "tests/b.rs": ""}, "tests/util/mod.rs"
    )
    assert made.text == ""
    assert "no test target" in made.note


# JVM.


@pytest.mark.parametrize(
    ("build", "task"),
    [
        ("import com.android.build.gradle.BaseExtension\nplugins { id 'java' }", "test"),
        ("plugins { id 'com.android.library' version '8' apply false\n id 'java' }", "test"),
        ("buildscript { dependencies { classpath 'com.android.tools.build:gradle:8' } }", "test"),
        ("// id 'com.android.library'\nplugins { kotlin(\"jvm\") }", "test"),
        ("plugins { id 'com.android.library' }", "testDebugUnitTest"),
        ("apply plugin: 'com.android.application'", "testDebugUnitTest"),
        ("plugins { alias(libs.plugins.android.library) }", "testDebugUnitTest"),
        ('plugins { id("shop.android.library") }', "testDebugUnitTest"),
        ("plugins { alias(libs.plugins.android.lint) }", "test"),
    ],
)
def test_only_an_applied_plugin_makes_an_android_module(build: str, task: str) -> None:
    made = command({"settings.gradle": "", "app/build.gradle": build}, "app/src/test/java/ATest.java")
    assert made.text == f"gradle :app:{task} --tests ATest"


def test_gradle_is_given_the_class_with_its_package(tmp_path: Path) -> None:
    """Gradle 4.4 finds no test by the name of its class alone."""
    files = {
        "build.gradle": "apply plugin: 'java'\n",
        "settings.gradle": "",
        "src/main/java/till/Money.java": "package till;\n\npublic class Money {\n    int one() { return 1; }\n}\n",
        "src/test/java/till/MoneyTest.java": "package till;\n\npublic class MoneyTest {\n"
        "    @Test public void one() { assertEquals(1, new Money().one()); }\n}\n",
    }
    expected = ("gradle test --tests till.MoneyTest", "")
    assert briefed(tmp_path, files, "src/main/java/till/Money.java") == expected


def test_device_tests_are_not_sure() -> None:
    made = command({"app/build.gradle": ""}, "app/src/androidTest/java/ATest.java")
    assert (made.text, made.note) == ("", "`app/src/androidTest/java/ATest.java` runs on a device")


def test_maven_runs_from_the_build_that_lists_the_module() -> None:
    files = {"pom.xml": "<module>core</module>", "core/pom.xml": "", "tools/pom.xml": ""}
    assert command(files, "tools/src/test/java/ATest.java").text == "cd tools && mvn test -Dtest=ATest"
    assert "-pl core" in command(files, "core/src/test/java/ATest.java").text


def test_integration_tests_of_maven_give_way_to_unit_tests() -> None:
    made = command({"pom.xml": ""}, "src/test/java/AIT.java", "src/test/java/ATest.java")
    assert made.text == "mvn test -Dtest=ATest"
    assert "mvn verify" in command({"pom.xml": ""}, "src/test/java/AIT.java").note


def test_class_is_named_with_its_package_where_two_have_its_name(tmp_path: Path) -> None:
    test = "package {};\n\nclass CartTest {{\n    @Test\n    void adds() {{ new Cart(); }}\n}}\n"
    files = {
        "pom.xml": "",
        "src/main/java/a/Cart.java": "package a;\n\nclass Cart {\n    int n() { return 1; }\n}\n",
        "src/test/java/a/CartTest.java": test.format("a"),
        "src/test/java/b/CartTest.java": test.format("b"),
    }
    assert briefed(tmp_path, files, "src/main/java/a/Cart.java")[0] == "mvn test -Dtest=a.CartTest"


# Ruby and PHP.


def test_specs_of_minitest_are_not_given_to_rspec() -> None:
    assert (
        command({"Gemfile": "gem 'minitest'"}, "spec/a_spec.rb").text
        == "bundle exec ruby -Ilib -Ispec spec/a_spec.rb"
    )
    assert command({"Gemfile": "gem 'rspec'"}, "spec/a_spec.rb").text == "bundle exec rspec spec/a_spec.rb"


def test_phpunit_runs_files_that_a_suite_would_collect() -> None:
    files = {"composer.json": '{"require-dev": {"phpunit/phpunit": "9"}}'}
    assert (
        command(files, "tests/CartTestCase.php", "tests/CartTest.php").text
        == "vendor/bin/phpunit tests/CartTest.php"
    )
    assert command(files, "tests/CartTestCase.php").text == ""
    files["phpunit.xml"] = '<testsuite><directory suffix="TestCase.php">tests</directory></testsuite>'
    assert command(files, "tests/CartTestCase.php").text == "vendor/bin/phpunit tests/CartTestCase.php"


def test_tests_that_all_have_a_condition_are_not_sure(tmp_path: Path) -> None:
    test = (
        "import unittest\nimport cart\n\n\n@unittest.skipUnless(cart.DB, 'no database')\nclass T(unittest.TestCase):\n"
        "    def test_total(self):\n        cart.total()\n"
    )
    files = {"cart.py": "DB = 0\n\n\ndef total():\n    return 1\n", "test_cart.py": test}
    assert briefed(tmp_path, files, "cart.py") == ("", "`test_cart.py` is skipped unless its conditions hold")
