"""The label of trust by every command that shows results, on real repositories in which a scan sees too little."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.little_seen import COLLAPSED, SMALL, SOUND, WITHOUT_ADVICE

STATES = {"collapsed": COLLAPSED, "noadvice": WITHOUT_ADVICE, "noranks": SOUND, "small": SMALL}
EDIT = "\n\ndef added(a, b):\n    return tangled(a, b, b)\n"


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, GitRepo]:
    """A repository in each state with an edit that is not committed, and a trusted one."""
    made = {}
    for name, files in STATES.items():
        made[name] = GitRepo(tmp_path_factory.mktemp(name) / "shop", past=False)
        made[name].commit(files)
    made["trusted"] = GitRepo(tmp_path_factory.mktemp("trusted") / "shop", past=False)
    for number in range(12):
        made["trusted"].commit({**SOUND, "notes.md": f"{number}\n"}, days_ago=60 - 5 * number)
    for repo in made.values():
        core = repo.path / "app/core.py"
        core.write_text(core.read_text() + EDIT)
    return made


def label_of(repo: GitRepo) -> str:
    """Class and main reason, as `crimes trust` has them."""
    trust = answer(repo, "trust")["trust"]
    return "" if trust["classification"] == "trusted" else first_line(repo)


def first_line(repo: GitRepo) -> str:
    return run_crimes(repo.path, "scan").stdout.splitlines()[0].removeprefix("# ").removesuffix(".")


def answer(repo: GitRepo, *arguments: str) -> dict[str, Any]:
    """What a command says as JSON."""
    done = run_crimes(repo.path, *arguments, "--format", "json")
    made: dict[str, Any] = json.loads(done.stdout)
    return made


@pytest.mark.parametrize("state", STATES)
def test_label_stands_before_the_results_of_check_plan_and_review(
    places: dict[str, GitRepo], state: str
) -> None:
    repo = places[state]
    label = label_of(repo)
    assert label.startswith("abstained: " if state == "collapsed" else "directional: ")
    for arguments in (("check",), ("plan", "app/core.py"), ("review", "--own", "--base", "HEAD")):
        assert answer(repo, *arguments)["trust"] == label, arguments
        for format_ in ("human", "md" if arguments[0] != "review" else "markdown"):
            rows = run_crimes(repo.path, *arguments, "--format", format_).stdout.splitlines()
            (place,) = [n for n, row in enumerate(rows) if row.replace("\\", "").rstrip(".").endswith(label)]
            results = [
                n for n, row in enumerate(rows) if "app/core.py" in row and row.startswith((" ", "- "))
            ]
            assert all(place < row for row in results), (arguments, format_)
    body = answer_of_github(repo)["body"].replace("\\", "")
    assert f"\n- Trust in the findings of crimes: {label}." in body
    assert "## " not in body.partition(label)[0]


def answer_of_github(repo: GitRepo) -> dict[str, Any]:
    done = run_crimes(repo.path, "review", "--own", "--base", "HEAD", "--format", "github")
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def test_a_trusted_scan_has_no_label_in_check_plan_and_review(places: dict[str, GitRepo]) -> None:
    repo = places["trusted"]
    assert label_of(repo) == ""
    for arguments in (("check",), ("plan", "app/core.py"), ("review", "--own", "--base", "HEAD")):
        assert answer(repo, *arguments)["trust"] == "", arguments
        shown = run_crimes(repo.path, *arguments).stdout
        assert "rust" not in shown, arguments
    assert "rust" not in answer_of_github(repo)["body"]


def test_quiet_says_of_a_collapsed_scan_only_that_nothing_can_be_concluded(
    places: dict[str, GitRepo],
) -> None:
    repo = places["collapsed"]
    piped = run_crimes(repo.path, "scan", "--quiet")
    assert (piped.returncode, piped.stdout, piped.stderr) == (0, f"# {label_of(repo)}\n", "")


@pytest.mark.parametrize("state", ["noadvice", "noranks", "small", "trusted"])
def test_quiet_lists_the_findings_of_any_other_scan_and_nothing_else(
    places: dict[str, GitRepo], state: str
) -> None:
    rows = run_crimes(places[state].path, "scan", "--quiet").stdout.splitlines()
    assert rows
    assert not [row for row in rows if row.startswith("#") or "directional" in row]
