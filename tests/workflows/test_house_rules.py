"""Lint and type-check commands that a repository states, and the instruction files that apply to a path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from crimes.model.repository import Repo
from crimes.render.brief import markdown
from crimes.workflows.briefing.check_commands import CheckCommands
from crimes.workflows.briefing.instructions import Instructions
from crimes.workflows.briefing.record import CheckCommand, ReachingTests
from tests.kit.briefings import briefing


def repo(files: Mapping[str, str]) -> Repo:
    return Repo(Path("/nowhere"), {}, frozenset(files), (), (), lambda path: files[path].encode())


@pytest.mark.parametrize(
    ("files", "path", "expected"),
    [
        (
            {"package.json": '{"scripts": {"lint:fix": "x", "lint": "eslint .", "type-check": "tsc"}}', "pnpm-lock.yaml": ""},
            "src/a.ts",
            ["pnpm run lint", "pnpm run type-check"],
        ),
        (
            {"package.json": '{"scripts": {"lint": "x"}}', "pkg/package.json": '{"scripts": {"lint": "y"}}'},
            "pkg/a.ts",
            ["cd pkg && npm run lint"],
        ),
        ({"Makefile": "LINT := x\nall: lint\nlint: deps\n\truff\nmypy:\n\tmypy\n"}, "a.py", ["make lint", "make mypy"]),
        ({"Makefile": "vet:\n\tgo vet ./...\nlint:\n\tgolint ./...\n"}, "a.go", ["make lint"]),
        ({"justfile": "lint *args:\n  ruff\ntypecheck: lint\n  mypy\n"}, "a.py", ["just lint", "just typecheck"]),
        ({"tox.ini": "[testenv:lint]\n[testenv:typing]\n"}, "a.py", ["tox -e lint", "tox -e typing"]),
        ({"noxfile.py": "@nox.session(python='3')\ndef lint(session):\n    pass\n"}, "a.py", ["nox -s lint"]),
        (
            {"pyproject.toml": "[tool.ruff]\nline-length = 9\n[tool.mypy]\nstrict = true\n"},
            "src/a b.py",
            ["ruff check 'src/a b.py'", "mypy 'src/a b.py'"],
        ),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 9\n"}, "src/a.ts", []),
        ({"setup.cfg": "[flake8]\n"}, "a.py", ["flake8 a.py"]),
        ({".pre-commit-config.yaml": ""}, "a.py", ["pre-commit run --files a.py"]),
        ({".pre-commit-config.yaml": "", ".flake8": ""}, "a.py", ["flake8 a.py"]),
        ({".golangci.yml": ""}, "cmd/x/main.go", ["golangci-lint run ./cmd/x"]),
        ({".rubocop.yml": "", "Gemfile": ""}, "lib/a.rb", ["bundle exec rubocop lib/a.rb"]),
        ({"composer.json": '{"scripts": {"phpstan": "x"}}'}, "src/A.php", ["composer run phpstan"]),
        ({"package.json": "[]", "Makefile": "test:\n", "tox.ini": "broken"}, "a.py", []),
    ],
)  # fmt: skip
def test_checks_are_those_that_the_nearest_files_state(
    files: Mapping[str, str], path: str, expected: list[str]
) -> None:
    assert [check.command for check in CheckCommands(repo(files)).for_file(path)] == expected


def test_check_says_which_file_states_it() -> None:
    checks = CheckCommands(repo({"web/package.json": '{"scripts": {"lint": "x"}}'})).for_file("web/src/a.ts")
    assert checks == (CheckCommand("lint", "cd web && npm run lint", "web/package.json"),)


def instructions(files: Mapping[str, str], path: str) -> tuple[str, ...]:
    return Instructions(frozenset(files), lambda file: files[file].encode()).of(path)


def test_nearest_instructions_come_first() -> None:
    files = {"AGENTS.md": "a", ".github/CONTRIBUTING.md": "b", "web/AGENTS.md": "c", "api/CLAUDE.md": "d"}
    assert instructions(files, "web/src/a.ts") == ("web/AGENTS.md", "AGENTS.md", ".github/CONTRIBUTING.md")
    assert instructions(files, "a.py") == ("AGENTS.md", ".github/CONTRIBUTING.md")


def test_instructions_that_repeat_others_are_named_once() -> None:
    assert instructions({"AGENTS.md": "same", "CLAUDE.md": "same"}, "a.py") == ("AGENTS.md",)
    assert instructions({"AGENTS.md": "long", "CLAUDE.md": "@AGENTS.md\n"}, "a.py") == ("AGENTS.md",)
    assert instructions({"AGENTS.md": "one", "CLAUDE.md": "two"}, "a.py") == ("AGENTS.md", "CLAUDE.md")


def test_file_is_no_instruction_for_itself() -> None:
    assert instructions({"AGENTS.md": "x"}, "AGENTS.md") == ()


def test_briefing_shows_rules_and_why_there_is_no_command() -> None:
    made = briefing(
        checks=(
            CheckCommand("lint", "make lint", "Makefile"),
            CheckCommand("types", "mypy a.py", "mypy.ini"),
        ),
        instructions=("web/AGENTS.md", "CONTRIBUTING.md"),
        tests=ReachingTests((), (), 4, "", 0, command_note="4 test files reach it only through other files"),
    )
    text = markdown([made], budget=3_000)
    assert "lint with `make lint`" in text
    assert "check types with `mypy a.py`" in text
    assert "web/AGENTS.md" in text
    assert text.index("web/AGENTS.md") < text.index("CONTRIBUTING.md")
    assert "not sure which tests to run: 4 test files reach it only through other files" in text
