"""A planned change: the order of reading, what uses it, what may change too, what to test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from crimes.render.plan import fit_plan
from crimes.workflows.briefing.command import drop_subsumed
from crimes.workflows.briefing.plan import build_plan, reading_order
from crimes.workflows.briefing.record import Clone, Companion, Imports, ReachingTests, User
from tests.kit.briefings import briefing
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT


def test_imported_files_are_read_before_their_importers() -> None:
    assert reading_order({"c": ("b",), "a": (), "b": ("a", "outside")}) == ["a", "b", "c"]


def test_cycle_is_read_from_the_file_with_fewest_imports() -> None:
    assert reading_order({"a": ("b", "c"), "b": ("a",), "c": ("a",)}) == ["b", "a", "c"]


def test_importer_of_a_cycle_is_read_after_it() -> None:
    assert reading_order({"a": ("b",), "b": ("c",), "c": ("b",)})[0] == "b"


def test_file_used_through_a_package_is_read_before_its_user() -> None:
    """The import names the package; that the name is from this file is known to those who use it."""
    one = briefing("z.py", imports=Imports((), (), ()), users=(User("a.py", ("f",)),))
    other = briefing("a.py", imports=Imports(("pkg/__init__.py",), (), ()), users=())
    assert [reading.file for reading in build_plan([other, one]).reading] == ["z.py", "a.py"]


def test_small_plan_keeps_a_test_command() -> None:
    names = [f"tests/some/folder/test_number_{at}.py" for at in range(5)]
    tests = ReachingTests((*names, "tests/test_z.py"), (), 6, f"python -m pytest {' '.join(names)}", 5)
    users = tuple(User(f"src/user_{number}.py", ("total",)) for number in range(300))
    made = build_plan([briefing("a.py", tests=tests, users=users, companions=(), clones=())])
    assert f"- run `python -m pytest {names[0]}`\n" in fit_plan(made, 200).markdown()
    whole = fit_plan(made, 4_000).markdown()
    assert (
        f"- run `python -m pytest {' '.join(names)}`\n- other test files that reach it: `tests/test_z.py`\n"
        in whole
    )


def test_only_users_outside_of_the_plan_may_break() -> None:
    one = briefing("a.py", users=(User("b.py", ("f",)), User("x.py", ("f",)), User("t.py", ("f",), True)))
    other = briefing("b.py", users=(User("x.py", ()), User("y.py", ())))
    made = build_plan([one, other])
    assert [user.file for user in made.breaks] == ["x.py", "y.py", "t.py"]
    assert made.breaks[0].uses == {"a.py": ("f",), "b.py": ()}


def test_companions_of_several_planned_files_come_first() -> None:
    one = briefing(
        "a.py", companions=(Companion("b.py", 9, 9), Companion("x.md", 3, 9), Companion("y.md", 2, 9))
    )
    other = briefing("b.py", companions=(Companion("y.md", 3, 9), Companion("z.md", 2, 9)))
    assert build_plan([one, other]).changes_too == ("y.md", "x.md", "z.md")


def test_every_command_is_named_once_and_copies_in_other_files() -> None:
    tests = ReachingTests(("t.py",), (), 1, "python -m pytest t.py", 1)
    clones = (Clone(1, 20, ("a.py:40-60", "c.py:1-20")),)
    made = build_plan(
        [briefing("a.py", tests=tests, clones=clones), briefing("b.py", tests=tests, clones=())]
    )
    assert (made.commands, made.tests) == (("python -m pytest t.py",), ("t.py",))
    assert made.copies == ("a.py:1-20 = c.py:1-20",)


def test_parts_of_one_file_are_planned_together() -> None:
    one = briefing("a.py", focus="f", users=(User("x.py", ("f",)), User("y.py", ())), companions=())
    other = briefing("a.py", focus="10-40", users=(User("x.py", ("g",)), User("z.py", ("g",))), companions=())
    made = build_plan([one, other])
    assert [(reading.file, reading.parts) for reading in made.reading] == [("a.py", ("f", "10-40"))]
    assert {user.file: user.uses["a.py"] for user in made.breaks} == {
        "x.py": ("f", "g"),
        "y.py": (),
        "z.py": ("g",),
    }
    whole = build_plan([one, briefing("a.py", users=(User("w.py", ()),)), other])
    assert (whole.reading[0].parts, [user.file for user in whole.breaks]) == ((), ["w.py"])


def test_the_call_at_the_end_asks_for_the_same_parts() -> None:
    users = tuple(User(f"src/user_{number}.py", ("total",)) for number in range(300))
    plan = build_plan([briefing("a.py", focus="Cart.total", users=users)])
    text = fit_plan(plan, 300).markdown()
    assert "Show all: crimes plan a.py:Cart.total --budget " in text


@pytest.mark.parametrize("budget", [200, 1_500])
def test_the_text_keeps_to_its_budget(budget: int) -> None:
    users = tuple(User(f"src/user_{number}.py", ("total",)) for number in range(300))
    several = [
        briefing(f"{n}.py", imports=Imports((), (), ()), users=users, tests=ReachingTests((), (), 0, "", 0))
        for n in range(40)
    ]
    text = fit_plan(build_plan(several), budget).markdown()
    assert text.startswith("# Plan for 40 files\n")
    assert len(text.encode()) <= budget * 4
    assert "Not shown: " in text
    assert "Show all: " in text
    few = fit_plan(build_plan(several[:1]), 200).markdown()
    assert "Show all: crimes plan 0.py --budget " in few


def test_the_command_plans_in_a_repository(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "core.py": "def total():\n    return 1\n",
            "api.py": "from core import total\n\nprint(total())\n",
            "test_core.py": "from core import total\n\n\ndef test_total():\n    assert total() == 1\n",
            "pytest.ini": "",
        }
    )
    command = [sys.executable, "-m", "crimes", "plan", "core.py:total"]
    text = subprocess.run(
        [*command, "--format", "md"], cwd=tmp_path, capture_output=True, check=True, text=True
    )
    assert "- uses it: `api.py` (total)" in text.stdout
    assert "- run `python -m pytest test_core.py`" in text.stdout
    made = subprocess.run([*command, "--format", "json"], cwd=tmp_path, capture_output=True, check=True)
    schema = json.loads((ROOT / "docs" / "plan.schema.json").read_text("utf-8"))
    jsonschema.validate(json.loads(made.stdout), schema)


def test_reason_to_read_a_file_is_not_a_test_command() -> None:
    tests = ReachingTests(("t.py",), (), 1, "python -m pytest t.py", 1)
    made = build_plan([briefing("a.py", tests=tests, findings=(), fixes_365d=0, together=())])
    assert "run `python" not in made.reading[0].why
    assert made.reading[0].why


def test_command_covered_by_another_is_dropped() -> None:
    part, whole = "python -m pytest a.py", "python -m pytest b.py a.py"
    elsewhere = "cd web && npx jest a.ts"
    assert drop_subsumed([part, "", whole, part]) == (whole,)
    assert drop_subsumed([whole, "npx jest a.ts", elsewhere]) == (whole, "npx jest a.ts", elsewhere)
    assert drop_subsumed(["python -m pytest a.py c.py", whole]) == ("python -m pytest a.py c.py", whole)


def test_cargo_without_a_target_runs_more_than_with_one() -> None:
    package, target = "cargo test -p cart", "cargo test -p cart --test a"
    assert drop_subsumed([target, package]) == (package,)
    assert drop_subsumed([target, f"{target} --test b"]) == (f"{target} --test b",)


@pytest.mark.parametrize(
    ("command", "alone", "runs"),
    [
        ("go test .", "go test .", True),
        ("go test . ./store", "go test ./store", True),
        ("go test .", "go test ./store", False),
        ("cargo test -p cart", "cargo test -p cart --test a", True),
        ("cargo test -p cart --test a", "cargo test -p cart", False),
        ("python -m pytest a.py b.py", "python -m pytest b.py", True),
        ("python -m pytest 'a b.py' c.py", "python -m pytest b.py", False),
        ("mvn test -Dtest=ATest,BTest", "mvn test -Dtest=BTest", True),
        ("mvn test -Dtest=ATest", "mvn test -Dtest=BTest", False),
        ("./gradlew test --tests A --tests B", "./gradlew test --tests B", True),
        (
            "dotnet test a.csproj --filter 'FullyQualifiedName~A|FullyQualifiedName~B'",
            "dotnet test a.csproj --filter FullyQualifiedName~B",
            True,
        ),
        ("bundle exec rspec a_spec.rb b_spec.rb", "bundle exec rspec b_spec.rb", True),
        ("vendor/bin/phpunit ATest.php", "vendor/bin/phpunit BTest.php", False),
        ("cd web && npx jest a.ts b.ts", "cd web && npx jest b.ts", True),
        ("cd web && npx jest a.ts b.ts", "npx jest b.ts", False),
    ],
)
def test_commands_of_every_runner_tell_which_tests_they_run(command: str, alone: str, runs: bool) -> None:
    tests = ReachingTests(("t",), (), 1, command, 1)
    made = build_plan([briefing("a", tests=tests)], lambda _: {"t": alone})
    assert (made.tests, made.tests_not_run) == (("t",), () if runs else ("t",))


def test_plan_says_for_which_file_no_test_command_is_known() -> None:
    tests = ReachingTests((), (), 3, "", 0, command_note="3 test files reach it only through other files")
    made = build_plan([briefing("a.py", tests=tests), briefing("b.py")])
    assert "a.py: not sure which tests to run: 3 test files reach it only through other files" in made.limits
    assert not any(limit.startswith("b.py: not sure") for limit in made.limits)
