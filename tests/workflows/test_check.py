"""After an edit: what is new, what is gone, what was forgotten, what to test; and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from crimes.model.change import ChangeItem, Level, Spot
from crimes.model.errors import UsageError
from crimes.render.check import fit_check
from crimes.system.git_diff import Difference, difference
from crimes.workflows.briefing.record import Companion
from crimes.workflows.check import build_check, check_work_tree
from crimes.workflows.comparison import State, compare_reports
from crimes.workflows.session import Session
from tests.kit.briefings import briefing
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.reports import crime, report
from tests.kit.sample_code import LOOPING


def comparison_with(new: int = 0, fixed: int = 0) -> object:
    before = report(*(crime("a.py", 10 * n + 1, symbol=f"old{n}") for n in range(fixed)))
    now = report(*(crime("a.py", 10 * n + 1, symbol=f"new{n}") for n in range(new)))
    return compare_reports(before, now, {}, State("HEAD", "0" * 40), State("the working tree", "0" * 40))


def test_check_names_companions_that_were_not_edited() -> None:
    one = briefing(
        "a.py",
        companions=(
            Companion("b.py", 8, 10),
            Companion("docs/a.md", 9, 10),
            Companion("edited.py", 10, 10),
            Companion("seldom.py", 2, 10),
            Companion("twice.py", 2, 2),
        ),
    )
    check = build_check(comparison_with(), ("a.py", "edited.py"), lambda _: {"a.py": one})  # type: ignore[arg-type]
    assert [(item.file, item.commits) for item in check.forgotten] == [("docs/a.md", 9), ("b.py", 8)]
    assert check.tests == ("a.py",)


@pytest.mark.parametrize("budget", [200, 1_500])
def test_the_text_keeps_to_its_budget(budget: int) -> None:
    check = build_check(comparison_with(190, 40), ("a.py",), lambda _: {"a.py": briefing("a.py")})  # type: ignore[arg-type]
    text = fit_check(check, budget).markdown()
    assert len(text.encode()) <= budget * 4
    assert "## New\n" in text
    assert "Not shown: " in text


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    repo = GitRepo(tmp_path / "repo")
    for number in range(5):
        repo.commit(
            {
                "core.py": f"def total(a):\n    return a + {number}\n",
                "docs.md": f"{number}\n",
                "test_core.py": "from core import total\n\n\ndef test_total():\n    assert total(1)\n",
                "pytest.ini": "",
            },
            days_ago=9 - number,
        )
    return repo


def run(repo: GitRepo, *options: str, given: str = "") -> tuple[int, str, str]:
    done = run_crimes(repo.path, "check", *options, stdin=given)
    return done.returncode, done.stdout, done.stderr


def test_edit_outside_the_paths_is_called_so(repo: GitRepo) -> None:
    (repo.path / "sub").mkdir()
    (repo.path / "sub" / "other.py").write_text("A = 1\n")
    repo.commit({}, "Add", days_ago=1)
    (repo.path / "core.py").write_text("def total(a):\n    return a\n")
    assert run(repo, "sub")[:2] == (0, "No edits in sub: 1 file edited elsewhere, not checked.\n")
    excluded = run(repo, "--exclude", "core.py")[1]  # what the edit may have forgotten is still worth a look
    assert excluded.startswith("No edits to check: 1 edited file is excluded; 1 thing to look at; ")
    (repo.path / "sub" / "other.py").write_text("A = 2\n")
    code, text, _ = run(repo, "sub")
    assert (code, " (1 more outside sub, not checked); no problems found" in text) == (0, True)
    checked = json.loads(run(repo, "sub", "--format", "json")[1])
    assert (checked["edited"], checked["outside"]) == (["sub/other.py"], ["core.py"])
    shown = run_crimes(repo.path, "diff", "sub").stdout
    assert "Warning: 1 changed file is outside sub and not checked" in shown


def test_hint_of_the_budget_has_paths_and_options(repo: GitRepo) -> None:
    tangled = (LOOPING.replace("tangled", f"tangled_{number}") for number in range(9))
    (repo.path / "core.py").write_text("".join(tangled))
    options = ("--root", "repo", "--ignore", "import_cycle", "--budget", "200")
    done = run_crimes(repo.path.parent, "check", "core.py", *options)
    assert "Show all: crimes check core.py --ignore import_cycle --root repo --budget " in done.stdout


def test_harmless_edit_passes_and_lists_next_steps(repo: GitRepo) -> None:
    repo.write({"core.py": "def total(a):\n    return a + 9\n"})
    code, text, _ = run(repo, "--format", "md")
    assert code == 0
    assert text.startswith("# 1 file edited since ")
    assert "- docs.md usually changes with core.py (in 5 of its last 5 commits), but was not edited." in text
    assert "- run `python -m pytest test_core.py`" in text
    assert run(repo, "--hook") == (0, "", "")


def test_tests_that_the_command_runs_are_not_listed_as_others(repo: GitRepo) -> None:
    test = 'package shop\n\nimport "testing"\n\nfunc Test{}(t *testing.T) {{\n\tif Total() != 1 {{\n\t\tt.Fail()\n\t}}\n}}\n'
    repo.commit(
        {
            "go.mod": "module example.com/shop\n",
            "cart.go": "package shop\n\nfunc Total() int {\n\treturn 1\n}\n",
            "cart_test.go": test.format("Cart"),
            "tax_test.go": test.format("Tax"),
        },
        days_ago=1,
    )
    repo.write({"cart.go": "package shop\n\nfunc Total() int {\n\treturn 2\n}\n"})
    _, text, _ = run(repo, "--format", "md")
    assert "- run `go test .`\n" in text
    assert "reach the edit" not in text
    made = json.loads(run(repo, "--format", "json")[1])
    assert (made["tests"], made["tests_not_run"]) == (["cart_test.go", "tax_test.go"], [])


def test_sixth_test_file_is_listed_beside_a_command_of_five(repo: GitRepo) -> None:
    test = "from core import total\n\n\ndef test_{}():\n    assert total(1)\n"
    repo.commit({f"test_{name}.py": test.format(name) for name in "abcde"}, days_ago=1)
    repo.write({"core.py": "def total(a):\n    return a + 9\n"})
    _, text, _ = run(repo, "--format", "md")
    assert "- run `python -m pytest test_core.py test_a.py test_b.py test_c.py test_d.py`\n" in text
    assert "- other test files that reach the edit: `test_e.py`\n" in text


def test_edited_file_with_its_own_tests_is_tested_without_a_runner(repo: GitRepo) -> None:
    code = "pub fn total() -> u32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::total(), 1);\n    }\n}\n"
    repo.commit({"cart.rs": code}, days_ago=1)
    repo.write({"cart.rs": code.replace("    1\n", "    2\n")})
    _, text, _ = run(repo, "--format", "md")
    assert "- edited files with their own tests: `cart.rs`\n" in text
    assert "no known test" not in text


def test_a_new_finding_fails_and_stops_an_agent_once(repo: GitRepo) -> None:
    repo.write({"new.py": LOOPING, "core.py": LOOPING})
    code, text, _ = run(repo, "--format", "md")
    assert code == 1
    assert "god_function" in text
    code, out, said = run(repo, "--hook", given="{}")
    assert (code, out) == (2, "")
    assert "god_function" in said
    assert run(repo, "--hook", given='{"stop_hook_active": true}') == (0, "", "")


def test_json_follows_its_schema(repo: GitRepo) -> None:
    repo.write({"core.py": "x = 1\n"})
    _, text, _ = run(repo, "--format", "json")
    jsonschema.validate(
        json.loads(text), json.loads((ROOT / "docs" / "check.schema.json").read_text("utf-8"))
    )


def test_unchanged_tree_reports_no_differences(repo: GitRepo) -> None:
    assert run(repo, "--format", "md")[:2] == (0, "# No uncommitted changes: nothing to check.\n")


def test_unchanged_tree_passes_where_too_little_is_known_for_a_gate(tmp_path: Path) -> None:
    young = GitRepo(tmp_path / "young", past=False)
    young.commit({"a.py": "def f(a):\n    return a\n"})
    assert run(young, "--format", "md")[:2] == (0, "# No uncommitted changes: nothing to check.\n")


def test_check_without_a_repository_is_a_clear_fault(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot compare: not a git repository"):
        check_work_tree(Session(tmp_path))


def test_failing_check_never_blocks_an_agent(repo: GitRepo) -> None:
    repo.write({"new.py": LOOPING, "crimes.toml": "[nonsense"})
    assert run(repo)[0] == 2
    assert run(repo, "--hook", given="{}")[:2] == (0, "")
    repo.write({"crimes.toml": None})
    (repo.path / ".git").rename(repo.path / "git")
    assert run(repo, "--hook", given="{}") == (0, "", "")


def test_git_is_asked_for_the_edits_once(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noting(root: Path, revision: str, until: str = "", *, lines: bool = True) -> Difference:
        asked.append(revision)
        return difference(root, revision, until, lines=lines)

    monkeypatch.setattr("crimes.workflows.comparing.difference", noting)
    monkeypatch.setattr("crimes.system.git_diff.difference", noting)
    repo.write({"core.py": "x = 1\n"})
    assert check_work_tree(Session(repo.path)).edited == ("core.py",)
    assert asked == [repo.git("rev-parse", "HEAD")]


def test_head_is_not_scanned_where_the_tree_is_head(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: object) -> None:
        raise AssertionError("scanned")

    monkeypatch.setattr("crimes.engine.scan_commit.temporary_checkout", never)
    assert check_work_tree(Session(repo.path)).line.startswith("no problems found")


def test_a_tree_that_only_looks_clean_is_not_taken_for_head(repo: GitRepo) -> None:
    repo.write({"core.py": LOOPING})
    repo.git("update-index", "--assume-unchanged", "core.py")
    assert [crime.type for crime in check_work_tree(Session(repo.path)).new] == ["god_function"]


def test_places_of_one_name_in_one_file_share_a_row() -> None:
    places = (*(Spot("b.py", line, "half") for line in range(3, 30)), Spot("c.py", 7, "half"))
    item = ChangeItem(
        "broken_reference", Level.BROKEN, "a.py", "half", "`half` is gone.", "", places, id="0123456789ab"
    )
    made = msgspec.structs.replace(comparison_with(), broken=(item,))  # type: ignore[type-var]
    check = build_check(made, ("a.py",), lambda _: {"a.py": briefing("a.py")})  # type: ignore[arg-type]
    rows = fit_check(check, 1_500).markdown().splitlines()
    at = rows.index("- `half` is gone. [0123456]")
    assert rows[at + 1].startswith("  - `b.py:3`: `half` (also on lines 4, 5, 6, ")
    assert rows[at + 1].endswith(", 23 and 6 more)")
    assert rows[at + 2] == "  - `c.py:7`: `half`"
