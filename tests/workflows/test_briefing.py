"""The briefing before an edit: facts, the command that runs the tests, owners, advice, markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from crimes.config.schema import Config
from crimes.engine.scan import Scan, scan
from crimes.model.facts import Role
from crimes.model.repository import Repo
from crimes.workflows.briefing.build import brief
from crimes.workflows.briefing.codeowners import Codeowners
from crimes.workflows.briefing.record import (
    Importers,
    Imports,
    Owners,
    Partner,
    ReachingTests,
)
from crimes.workflows.briefing.test_commands import Runners
from tests.kit.briefings import briefing
from tests.kit.gitrepo import GitRepo


def repo(files: Mapping[str, str]) -> Repo:
    def read(path: str) -> bytes:
        return files[path].encode()

    return Repo(Path("/nowhere"), {}, frozenset(files), (), (), read)


# The command that runs the tests.


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"tests/conftest.py": ""}, "python -m pytest tests/test_a.py"),
        ({"pyproject.toml": "[tool.pytest.ini_options]"}, "python -m pytest tests/test_a.py"),
        ({"tox.ini": "deps = pytest"}, "python -m pytest tests/test_a.py"),
        ({"requirements-dev.txt": "pytest>=8"}, "python -m pytest tests/test_a.py"),
        ({"requirements/test.txt": "pytest>=8"}, "python -m pytest tests/test_a.py"),
        ({"other/conftest.py": ""}, "python -m unittest tests/test_a.py"),
        ({"pyproject.toml": "[project]"}, "python -m unittest tests/test_a.py"),
        ({"manage.py": ""}, "python manage.py test tests.test_a"),
        ({"tests/runtests.py": ""}, "python tests/runtests.py test_a"),
        ({"manage.py": "", "pytest.ini": ""}, "python -m pytest tests/test_a.py"),
    ],
)
def test_python_tests_run_with_the_test_runner_of_the_project(
    files: Mapping[str, str], expected: str
) -> None:
    assert Runners(repo({**files, "tests/test_a.py": ""})).command_for(("tests/test_a.py",)).text == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"package.json": '{"devDependencies": {"vitest": "3"}}'}, "npx vitest run pkg/a.test.ts"),
        (
            {"package.json": '{"devDependencies": {"vitest": "3"}}', "pnpm-lock.yaml": ""},
            "pnpm exec vitest run pkg/a.test.ts",
        ),
        (
            {"package.json": '{"scripts": {"test": "jest --ci"}}', "yarn.lock": ""},
            "yarn jest --runTestsByPath pkg/a.test.ts",
        ),
        (
            {"pkg/package.json": '{"devDependencies": {"jest": "29"}}', "pnpm-lock.yaml": ""},
            "cd pkg && pnpm exec jest --runTestsByPath a.test.ts",
        ),
        (
            {"pkg/package.json": '{"name": "pkg"}', "package.json": '{"devDependencies": {"mocha": "1"}}'},
            "npx mocha pkg/a.test.ts",
        ),
        ({"package.json": "{ broken"}, ""),
        ({"package.json": '{"devDependencies": ["vitest"]}'}, ""),
        ({}, ""),
    ],
)
def test_node_tests_run_with_the_test_runner_of_the_nearest_package(
    files: Mapping[str, str], expected: str
) -> None:
    assert Runners(repo({**files, "pkg/a.test.ts": ""})).command_for(("pkg/a.test.ts",)).text == expected


@pytest.mark.parametrize(
    ("files", "tests", "expected", "runs"),
    [
        ({"go.mod": ""}, ("a/x_test.go", "a/y_test.go", "b/z_test.go"), "go test ./a ./b", 3),
        ({"api/go.mod": ""}, ("api/x_test.go", "api/v1/y_test.go"), "cd api && go test . ./v1", 2),
        (
            {"Cargo.toml": '[package]\nname = "shop"\n', "tests/cart.rs": ""},
            ("tests/cart.rs",),
            "cargo test -p shop --test cart",
            1,
        ),
        ({"Cargo.toml": '[package]\nname = "shop"\n'}, ("src/cart.rs",), "cargo test -p shop", 1),
        ({"Cargo.toml": "[package"}, ("src/cart.rs",), "cargo test", 1),
        ({"pom.xml": ""}, ("src/test/java/ATest.java",), "mvn test -Dtest=ATest", 1),
        (
            {"pom.xml": "<module>web</module>", "mvnw": "", "web/pom.xml": ""},
            ("web/src/test/java/ATest.java", "web/src/test/java/BTest.java", "src/test/java/CTest.java"),
            "./mvnw test -pl web -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ATest,BTest",
            2,
        ),
        (
            {"build.gradle.kts": "", "gradlew": "", "web/api/build.gradle": ""},
            ("web/api/src/test/kotlin/ATest.kt",),
            "./gradlew :web:api:test --tests ATest",
            1,
        ),
        (
            {"Cargo.toml": '[package]\nname = "shop"\n', "fuzz/Cargo.toml": '[package]\nname = "fuzz"\n'},
            ("fuzz/src/lib.rs",),
            "cd fuzz && cargo test -p fuzz",
            1,
        ),
        (
            {
                "Cargo.toml": '[workspace]\nmembers = ["*"]\nexclude = ["fuzz"]\n',
                "fuzz/Cargo.toml": '[package]\nname = "fuzz"\n',
            },
            ("fuzz/src/lib.rs",),
            "cd fuzz && cargo test -p fuzz",
            1,
        ),
        (
            {"settings.gradle": "", "app/build.gradle": ""},
            ("app/src/functionalTest/kotlin/ATest.kt", "app/src/test/kotlin/BTest.kt"),
            "gradle :app:functionalTest --tests ATest",
            1,
        ),
        (
            {"settings.gradle": "", "app/build.gradle": ""},
            ("app/src/commonTest/kotlin/ATest.kt",),
            "gradle :app:jvmTest --tests ATest",
            1,
        ),
        (
            {"gradlew": "", "app/build.gradle.kts": 'plugins { id("com.android.application") }'},
            ("app/src/test/java/ATest.java",),
            "./gradlew :app:testDebugUnitTest --tests ATest",
            1,
        ),
        (
            {"composer.json": '{"require-dev": {"phpunit/phpunit": "9"}, "config": {"bin-dir": "bin"}}'},
            ("tests/ATest.php",),
            "bin/phpunit tests/ATest.php",
            1,
        ),
        (
            {"rust/Cargo.toml": "[workspace]", "rust/cart/Cargo.toml": '[package]\nname = "cart"\n'},
            ("rust/cart/src/lib.rs",),
            "cd rust && cargo test -p cart",
            1,
        ),
        (
            {"Cargo.toml": '[package]\nname = "cart"\n'},
            ("src/lib.rs", "tests/a.rs"),
            "cargo test -p cart",
            2,
        ),
        (
            {"Cargo.toml": '[package]\nname = "cart"\n[[test]]\nname = "all"\npath = "tests/tests.rs"\n'},
            ("tests/a.rs",),
            "cargo test -p cart --test all",  # the only target beside it takes it in
            1,
        ),
        (
            {"Cargo.toml": '[package]\nname = "cart"\n[[test]]\nname = "all"\npath = "tests/tests.rs"\n'},
            ("tests/tests.rs",),
            "cargo test -p cart --test all",
            1,
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "cart"\nedition = "2021"\n[[test]]\nname = "all"\n',
                "tests/a.rs": "",
            },
            ("tests/a.rs",),
            "cargo test -p cart --test a",
            1,
        ),
        (
            {"Cargo.toml": '[package]\nname = "cart"\nautotests = false\n'},
            ("tests/a.rs",),
            "",  # no target holds it: not sure
            0,
        ),
        (
            {
                "server/pom.xml": "<modules><module> web </module></modules>",
                "server/mvnw": "",
                "server/web/pom.xml": "",
            },
            ("server/web/src/test/java/ATest.java",),
            "cd server && ./mvnw test -pl web -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ATest",
            1,
        ),
        (
            {"android/settings.gradle": "", "android/gradlew": "", "android/app/build.gradle": ""},
            ("android/app/src/test/java/ATest.java",),
            "cd android && ./gradlew :app:test --tests ATest",
            1,
        ),
        (
            {"Gemfile": "", "engine/Rakefile": "", "engine/engine.gemspec": ""},
            ("engine/test/a_test.rb",),
            "cd engine && bundle exec ruby -Ilib -Itest test/a_test.rb",
            1,
        ),
        (
            {"composer.json": '"pestphp/pest"', "phpunit.xml": "<phpunit>"},
            ("tests/ATest.php",),
            "vendor/bin/pest tests/ATest.php",
            1,
        ),
        (
            {"Gemfile": ""},
            ("spec/a_spec.rb", "spec/b_spec.rb"),
            "bundle exec rspec spec/a_spec.rb spec/b_spec.rb",
            2,
        ),
        ({"bin/rails": ""}, ("test/a_test.rb",), "bin/rails test test/a_test.rb", 1),
        (
            {"composer.json": '"phpunit/phpunit"'},
            ("tests/ATest.php",),
            "vendor/bin/phpunit tests/ATest.php",
            1,
        ),
        ({"composer.json": "{}"}, ("tests/ATest.php",), "", 0),
        (
            {"test/Shop.Tests/Shop.Tests.csproj": ""},
            ("test/Shop.Tests/CartTests.cs", "test/Shop.Tests/A/PayTests.cs"),
            "dotnet test test/Shop.Tests/Shop.Tests.csproj --filter "
            "'FullyQualifiedName~CartTests|FullyQualifiedName~PayTests'",
            2,
        ),
    ],
)
def test_build_tools_run_the_tests_of_their_languages(
    files: Mapping[str, str], tests: tuple[str, ...], expected: str, runs: int
) -> None:
    made = Runners(repo(files)).command_for(tests)
    assert (made.text, made.runs) == (expected, runs)


def test_a_command_runs_five_files_at_most_of_one_kind_and_says_how_many() -> None:
    tests = (*(f"tests/test_{number}.py" for number in range(9)), "web/a.test.ts")
    command = Runners(repo(dict.fromkeys(tests, ""))).command_for(tests)
    assert command.runs == 5
    assert command.text.count(".py") == 5
    assert ".ts" not in command.text


def test_names_in_a_command_are_quoted_for_the_shell() -> None:
    name = "tests/a b; rm -rf $HOME.py"
    assert Runners(repo({name: ""})).command_for((name,)).text == f"python -m unittest '{name}'"
    assert Runners(repo({"-x.py": ""})).command_for(("-x.py",)).text == "python -m unittest ./-x.py"


# CODEOWNERS.


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        ("* @all", "src/a.py", ("@all",)),
        ("* @all\n*.py @py @more", "src/a.py", ("@py", "@more")),
        ("*.py @py\n* @all", "src/a.py", ("@all",)),
        ("/src/ @src", "src/deep/a.py", ("@src",)),
        ("src/* @flat", "src/a.py", ("@flat",)),
        ("src/* @flat", "src/deep/a.py", ()),
        ("* @all\n/src/", "src/a.py", ()),
        ("# * @nobody\n[Section]\n* @all # not @this", "src/a.py", ("@all",)),
        ("docs/ @docs", "src/a.py", ()),
        ("/my\\ file.py @space", "my file.py", ("@space",)),
    ],
)
def test_the_last_matching_line_of_codeowners_wins(rules: str, path: str, expected: tuple[str, ...]) -> None:
    assert Codeowners({".github/CODEOWNERS", path}, lambda _: rules.encode()).of(path) == expected


def test_file_has_no_owners_without_codeowners() -> None:
    assert Codeowners({"a.py"}, lambda _: b"* @all").of("a.py") == ()


# Advice.


def advice_text(**changes: Any) -> str:
    return "\n".join(briefing(**changes).advice)


QUIET: dict[str, Any] = {
    "findings": (),
    "importers": Importers(0, 0, 0, ()),
    "imports": Imports((), (), ()),
    "cycle": (),
    "tests": ReachingTests((), (), 0, "", 0),
    "together": (),
    "fixes": (),
    "fixes_365d": 0,
    "owners": Owners((), ()),
    "limits": (),
}


@pytest.mark.parametrize("role", list(Role))
def test_every_role_gets_three_to_six_pieces_of_advice(role: Role) -> None:
    assert 3 <= len(briefing(role=role, **QUIET).advice) <= 6
    assert 3 <= len(briefing(role=role).advice) <= 6
    tested = QUIET | {"tests": ReachingTests(("tests/test_core.py",), (), 0, "", 0)}
    assert 3 <= len(briefing(role=role, **tested).advice) <= 6


def test_unread_file_gets_three_pieces_of_advice() -> None:
    unread = QUIET | {"limits": ("crimes does not read this kind of file",)}
    assert len(briefing(role=None, language="", **unread).advice) == 3


def test_first_advice_for_a_generated_file_is_not_to_edit_it() -> None:
    made = briefing(role=Role.GENERATED, role_note="generated: edit api.proto instead")
    assert made.advice[0].startswith("Do not edit this file: generated: edit api.proto instead")


def test_advice_follows_the_facts() -> None:
    none = ReachingTests((), (), 0, "", 0)
    assert "No test reaches this file" in advice_text(tests=none)
    assert "4 other files with tests reach it" in advice_text(tests=ReachingTests((), (), 4, "", 0))
    assert "1 other file with tests reaches it" in advice_text(tests=ReachingTests((), (), 1, "", 0))
    assert "No test" not in advice_text(tests=ReachingTests((), (), 0, "", 0, own=True))
    assert "only `tests/test_core.py` matches its name" in advice_text(
        tests=ReachingTests((), ("tests/test_core.py",), 0, "", 0)
    )
    assert "No test" not in advice_text(tests=ReachingTests(("tests/test_core.py",), (), 0, "", 0))
    assert "60 files depend on this one, 12 of them directly" in advice_text(
        importers=Importers(12, 50, 60, ("a.py",))
    )
    assert "`b.py` changed in 4 of 5 commits to this file in the year before 2025-06-01" in advice_text(
        together=(Partner("b.py", 4, 5, 0.8),)
    )
    assert "changed in" not in advice_text(together=(Partner("b.py", 2, 9, 0.22),))
    assert "2 fixes in the year before 2025-06-01, the latest on" in advice_text()
    assert "fixes" not in advice_text(fixes_365d=0)
    assert "run `python -m pytest src/core.py`" in advice_text()
    assert "import cycle with `src/other.py`" in advice_text(findings=(), fixes_365d=0)


def test_advice_for_a_test_does_not_ask_for_a_test() -> None:
    text = advice_text(role=Role.TEST, tests=ReachingTests((), (), 0, "python -m pytest tests/test_a.py", 1))
    assert "No test" not in text
    assert "editing it until it passes" in text


def scan_files(root: Path, files: Mapping[str, str]) -> Scan:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return scan(root, Config())


RUST = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": "mod cart;\nmod tax;\n",
    "src/cart.rs": "use crate::tax::rate;\n\npub fn total(n: u32) -> u32 {\n    n * rate()\n}\n\n"
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::total(2), 4);\n    }\n}\n",
    "src/tax.rs": "use crate::cart::total;\n\npub fn rate() -> u32 {\n    if total(0) == 0 { 2 } else { 1 }\n}\n",
}


def test_briefing_mentions_no_cycle_between_files_compiled_together(tmp_path: Path) -> None:
    made = brief(scan_files(tmp_path, RUST), "src/tax.rs")
    assert made.cycle == ()
    assert "import cycle" not in " ".join(made.advice)
    loaded = {"a.py": "import b\n\nX = 1\n", "b.py": "import a\n\nY = 2\n"}
    assert brief(scan_files(tmp_path / "python", loaded), "a.py").cycle == ("a.py", "b.py")


def test_tests_inside_source_files_reach_their_imports(tmp_path: Path) -> None:
    made = brief(scan_files(tmp_path, RUST), "src/tax.rs")
    assert made.tests.transitive == 1
    assert "No test reaches this file" not in " ".join(made.advice)
    assert made.tests.command == "cargo test -p shop"


def test_tests_inside_a_source_file_are_its_own(tmp_path: Path) -> None:
    scanned = scan_files(tmp_path, RUST)
    made = brief(scanned, "src/cart.rs")
    assert (made.tests.own, made.tests.importing) == (True, ())
    assert made.tests.command == "cargo test -p shop"
    assert made.profile
    evidence = made.profile.evidence
    assert (evidence.has_own_tests, evidence.tests_importing, evidence.tests_importing_count) == (True, (), 0)
    assert made.profile.test_gap == 0.0
    assert not brief(scanned, "src/tax.rs").tests.own


def test_tests_of_the_only_user_run_when_no_test_imports_the_file(tmp_path: Path) -> None:
    files = {
        "app/tax.py": "def rate():\n    return 2\n",
        "app/cart.py": "from app.tax import rate\n\n\ndef total():\n    return rate()\n",
        "app/shop.py": "from app.cart import total\n\n\ndef sell():\n    return total()\n",
        "tests/analyses/test_function_totals.py": "from app.cart import total\n\n\ndef test_total():\n    assert total() == 2\n",
        "tests/test_selling.py": "from app.shop import sell\n\n\ndef test_sell():\n    assert sell() == 2\n",
        "pytest.ini": "",
    }
    made = brief(scan_files(tmp_path, files), "app/tax.py")
    assert made.tests.importing == ()
    assert made.tests.command == "python -m pytest tests/analyses/test_function_totals.py"


def test_files_that_import_it_stand_before_those_that_only_change_as_often(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    uses = "from app.tax import rate\n\n\ndef {}():\n    return rate()\n"
    files = {
        "app/tax.py": "from app.money import coin\n\n\ndef rate():\n    return coin()\n",
        "app/money.py": "def coin():\n    return 1\n",
        "app/cart.py": uses.format("total"),
        "tests/check_tax.py": uses.format("test_rate"),
    }
    repo.commit(files, days_ago=9)
    made = brief(scan(tmp_path, Config()), "app/tax.py")
    assert [companion.file for companion in made.companions] == [
        "app/cart.py",
        "tests/check_tax.py",
        "app/money.py",
    ]
    assert {(companion.commits, companion.of) for companion in made.companions} == {(1, 1)}


def test_pytest_is_given_files_it_collects_where_there_are_any() -> None:
    tests = ("tests/bases/request.py", "tests/test_request.py", "tests/form_test.py")
    runners = Runners(repo(dict.fromkeys(("pytest.ini", *tests), "")))
    assert runners.command_for(tests).text == "python -m pytest tests/test_request.py tests/form_test.py"
    alone = runners.command_for(tests[:1])
    assert (alone.text, alone.note) == ("", "pytest does not collect `tests/bases/request.py` by itself")


def test_a_generated_file_names_its_source_in_the_marker_or_below_it(tmp_path: Path) -> None:
    made = "# Code generated by protoc-gen. DO NOT EDIT.\n# source: {}\n\nx = 1\n"
    files = {
        "api/types.proto": "",
        "api/types_made.py": made.format("types.proto"),
        "api/root_made.py": made.format("api/types.proto"),
        "api/other_made.py": made.format("elsewhere.proto"),
        "api/from_made.py": "# @generated from types.proto\nx = 1\n",
    }
    scan_of_it = scan_files(tmp_path, files)
    notes = {name: brief(scan_of_it, f"api/{name}_made.py").role_note for name in ("types", "root", "from")}
    assert set(notes.values()) == {"generated: edit api/types.proto instead"}
    assert brief(scan_of_it, "api/other_made.py").role_note == "generated: edit its generator instead"
