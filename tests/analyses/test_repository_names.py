"""What can be named in a repository, and what is known not to be there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from crimes.analyses.repository_names import Names
from crimes.model.repository import Repo
from tests.kit.memory import FakeMemoStore


def names(files: Mapping[str, str], memory: FakeMemoStore | None = None) -> Names:
    def read(path: str) -> bytes:
        if files[path] == "unreadable":
            raise PermissionError(path)
        return files[path].encode()

    return Names(Repo(Path("."), {}, frozenset(files), (), (), read), memory)


def test_path_is_found_from_the_root_in_any_case() -> None:
    known = names({"src/App.tsx": "", "docs/guide.md": ""})
    assert known.is_at("src/App.tsx")
    assert known.is_at("SRC/app.tsx")
    assert known.is_at("src/App")
    assert known.is_at("docs")
    assert not known.is_at("App.tsx")
    assert not known.is_at("src/App.ts")
    assert not known.is_at("")


def test_a_path_is_found_by_its_end_in_whole_names() -> None:
    known = names({"packages/one/src/app.ts": ""})
    assert known.has_ending("src/app.ts")
    assert known.has_ending("one/src")
    assert not known.has_ending("c/app.ts")


def test_paths_in_a_submodule_or_behind_a_link_are_assumed_to_exist() -> None:
    known = names({".gitmodules": '[submodule "x"]\n\tpath = vendor/x\n', "link": ""})
    assert known.is_at("vendor/x")
    assert known.is_at("vendor/x/any/file.py")
    assert known.is_at("link/file.py")
    assert not known.is_at("vendor/y")


def test_every_ignore_file_rules_its_own_folder() -> None:
    known = names({".gitignore": "/out/\n*.log\n", "web/.gitignore": "cache/\n"})
    assert known.is_ignored("out")
    assert known.is_ignored("out/a.txt")
    assert known.is_ignored("web/a.log")
    assert known.is_ignored("web/cache")
    assert known.is_ignored("Out/A.txt"), "names are compared in any case"
    assert not known.is_ignored("cache")


def test_ignore_rules_are_compiled_only_for_new_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = FakeMemoStore({})

    def asked(rules: str) -> list[bool]:
        known = names({".gitignore": rules}, notes)
        return [known.is_ignored("out/a.txt"), known.is_ignored("cache")]

    assert asked("/out/\n") == [True, False]
    assert asked("/cache/\n") == [False, True]
    monkeypatch.setattr("pathspec.GitIgnoreSpec.from_lines", lambda lines: pytest.fail("compiled again"))
    assert asked("/cache/\n") == [False, True]
    with pytest.raises(pytest.fail.Exception, match="compiled again"):
        asked("/out/\n")


def test_scripts_of_all_valid_manifests_are_known() -> None:
    known = names(
        {
            "package.json": '{"scripts": {"build": "x"}}',
            "web/package.json": '{"scripts": {"dev": "x"}}',
            "bad/package.json": "{",
            "odd/package.json": '["scripts"]',
            "odder/package.json": '{"scripts": 1}',
            "gone/package.json": "unreadable",
        }
    )
    assert known.package_scripts == {"build", "dev"}


def test_make_targets_include_those_of_other_makefiles() -> None:
    known = names({"Makefile": ".PHONY: a\nV := 1\na b: c\n\tmake x\nc::\n", "docs/Makefile": "html:\n"})
    assert known.make_targets("docs") == frozenset({".PHONY", "a", "b", "c", "html"})
    assert known.make_targets("") == frozenset({".PHONY", "a", "b", "c", "html"})
    assert names({"docs/Makefile": "html:\n"}).make_targets("") is None


def test_computed_make_targets_make_the_answer_unknown() -> None:
    for text in ("include more.mk\na:\n", "$(eval x)\n", "%.o: %.c\n", "$(NAME):\n"):
        assert names({"Makefile": text}).make_targets("") is None, text
    assert names({"Makefile": "-include .env\na:\n"}).make_targets("") == frozenset({"a"})


def test_just_recipes_and_their_aliases_are_known() -> None:
    text = "set shell := ['bash']\nv := '1'\nalias t := test\n@test name='x': build\n  run\nbuild:\n"
    assert names({"justfile": text}).just_recipes("any") == frozenset({"t", "test", "build"})
    assert names({"justfile": "import 'more.just'\na:\n"}).just_recipes("") is None


def test_hints_look_for_the_same_name_and_for_neighbours() -> None:
    known = names({"new/Tax.py": "", "old/rate.py": "", "old/deep/tax.md": ""})
    assert known.namesakes("old/tax.py") == ["new/Tax.py"]
    assert known.beside("old/tax.py") == ["old/rate.py"]
