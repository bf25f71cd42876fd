"""`crimes review` as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.kit.gitrepo import GitRepo
from tests.kit.hostile_text import HOSTILE_NAMES, is_clean
from tests.kit.paths import ROOT
from tests.kit.reviews import raw
from tests.kit.sample_code import TANGLED


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A branch that adds a tangled function to a file on main."""
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/core.py": "def plain(a):\n    return a\n", "other.py": "x = 1\n"}, days_ago=5)
    made.git("checkout", "-q", "-b", "change")
    made.commit({"shop/core.py": "def plain(a):\n    return a\n\n\n" + TANGLED}, days_ago=4)
    return made


def run_review(
    repo: GitRepo, *arguments: str, records: list[Any] | bytes | None = None, cwd: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run it with these records on standard input."""
    given = records if isinstance(records, bytes) else json.dumps(records).encode()
    source = () if records is None else ("-",)
    done = subprocess.run(
        [sys.executable, "-m", "crimes", "review", *source, *arguments],
        cwd=repo.path / cwd,
        env={**os.environ, "CRIMES_CACHE_DIR": str(repo.path.parent / "cache")},
        input=given,
        capture_output=True,
        check=False,
        timeout=120,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_records_from_a_file_and_from_standard_input_are_alike(repo: GitRepo) -> None:
    records = [raw(file="shop/core.py", line=6)]
    (repo.path / "records.json").write_text(json.dumps(records))
    from_file = run_review(repo, "records.json", "--base", "main")
    assert (from_file.returncode, from_file.stderr) == (0, "")
    assert "Comments on lines (1)\n  shop/core.py:6  medium logic_error" in from_file.stdout
    assert run_review(repo, "--base", "main", records=records).stdout == from_file.stdout


def test_the_base_is_where_the_branch_began(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "main")
    repo.commit({"other.py": "x = 2\n"})
    repo.git("checkout", "-q", "change")
    done = run_review(repo, "--base", "main", "-f", "json", records=[raw(file="other.py", line=1)])
    made = json.loads(done.stdout)
    assert made["base"] == repo.git("merge-base", "main", "change")
    assert made["dropped"][0]["checks"] == ["in_diff overridden: the diff does not touch this file"]


def test_json_is_valid_and_does_not_change_from_run_to_run(repo: GitRepo) -> None:
    records = [raw(file="shop/core.py", line=line) for line in (3, 99, 6)]
    one = run_review(repo, "--base", "main", "--own", "-f", "json", records=records)
    assert (one.returncode, one.stderr) == (0, "")
    made = json.loads(one.stdout)
    jsonschema.validate(made, json.loads((ROOT / "docs" / "review.schema.json").read_text("utf-8")))
    assert made["schema_version"] == "1.3"
    assert str(repo.path) not in one.stdout
    assert run_review(repo, "--base", "main", "--own", "-f", "json", records=records).stdout == one.stdout


def test_own_findings_need_no_records(repo: GitRepo) -> None:
    done = run_review(repo, "--own", "--base", "main", "--format", "github")
    assert (done.returncode, done.stderr) == (0, "")
    (comment,) = json.loads(done.stdout)["comments"]
    assert (comment["path"], comment["line"], comment["side"]) == ("shop/core.py", 5, "RIGHT")
    assert "god_function" in comment["body"].replace("\\", "")
    assert repo.git("status", "--porcelain") == ""


def test_false_positive_feedback_counts_from_the_base_but_not_from_the_change(repo: GitRepo) -> None:
    made = json.loads(run_review(repo, "--own", "--base", "main", "-f", "json").stdout)
    told = {
        "version": 1,
        "id": made["inline"][0]["id"],
        "fingerprint": _fingerprint(repo),
        "type": "god_function",
        "confidence": 0.88,
        "band": "strong",
        "verdict": "fp",
        "note": "",
        "tool": "0.1.0",
        "commit": "",
    }
    line = json.dumps(told) + "\n"
    repo.commit({".crimes/feedback.jsonl": line})
    assert "1 comment," in run_review(repo, "--own", "--base", "main").stdout
    repo.git("checkout", "-q", "main")
    repo.commit({".crimes/feedback.jsonl": line})
    repo.git("checkout", "-q", "change")
    repo.git("rebase", "-q", "main")
    done = run_review(repo, "--own", "--base", "main")
    assert "0 comments, 0 in the summary, 0 for the audit, 1 dropped" in done.stdout
    assert "shop/core.py:5  dismissed" in done.stdout
    repo.git("checkout", "-q", "main")
    repo.commit({".crimes/feedback.jsonl": "nonsense\n"})
    repo.git("checkout", "-q", "change")
    repo.git("rebase", "-q", "main")
    done = run_review(repo, "--own", "--base", "main")
    assert "verdicts recorded at the base were not used: .crimes/feedback.jsonl has lines" in done.stdout
    assert "1 comment," in done.stdout


def _fingerprint(repo: GitRepo) -> str:
    """The fingerprint of the only finding."""
    from crimes.config.schema import Config
    from crimes.engine.scan import scan

    (crime,) = scan(repo.path, Config()).report.findings
    return crime.fingerprint


def test_a_folder_of_its_own_names_files_from_there_and_github_from_the_top(repo: GitRepo) -> None:
    (repo.path / "shop" / "crimes.toml").write_text("")
    done = run_review(
        repo, "--base", "main", "-f", "github", records=[raw(file="core.py", line=6)], cwd="shop"
    )
    assert json.loads(done.stdout)["comments"][0]["path"] == "shop/core.py"


def test_invalid_records_exit_with_two_list_all_faults_and_write_nothing(repo: GitRepo) -> None:
    records = [raw(line=True), raw(), raw(verdict="maybe", file="../x"), 3]
    done = run_review(repo, "--base", "main", "-o", "out.json", "-f", "json", records=records)
    assert (done.returncode, done.stdout) == (2, "")
    assert not (repo.path / "out.json").exists()
    told = [row.split(" ")[3] for row in done.stderr.splitlines() if row.startswith("  - ")]
    assert told == ["finding[0]", "finding[2]", "finding[2]", "finding[3]"]
    assert 'field "line" must be a positive integer, found true' in done.stderr
    assert "Traceback" not in done.stderr


def test_existing_output_file_is_kept_when_records_are_invalid(repo: GitRepo) -> None:
    (repo.path / "out.json").write_text("before")
    assert run_review(repo, "-o", "out.json", records=b"[{").returncode == 2
    assert (repo.path / "out.json").read_text() == "before"


def test_skip_invalid_scores_the_rest_and_lists_the_skipped(repo: GitRepo) -> None:
    records = [raw(line=0), raw(file="shop/core.py", line=6)]
    done = run_review(repo, "--base", "main", "--skip-invalid", records=records)
    assert done.returncode == 0
    assert "Comments on lines (1)" in done.stdout
    assert "Skipped, not valid (1)\n  - finding[0] field" in done.stdout
    assert run_review(repo, "--skip-invalid", records=b'{"findings": []}').returncode == 2
    assert run_review(repo, "--skip-invalid", records=b"[").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            (),
            "nothing to review: give a file of a reviewer's records, - for stdin, or --own for the findings of crimes",
        ),
        (("--own",), "--own needs --base"),
        (("none.json",), "cannot read none.json"),
        (("shop",), "cannot read shop"),
        (("r.json", "--format", "github"), "--format github needs --base REF"),
        (("r.json", "--threshold", "banana"), "'banana' is not valid; use 30 to 100, strong"),
        (("r.json", "--threshold", "-5"), "'-5' is not valid; use 30 to 100"),
        (("r.json", "--cap", "-1"), "--cap"),
        (("r.json", "--base", "nowhere"), "--base nowhere: "),
        (("r.json", "--base", "--help"), "--base --help: "),
    ],
)
def test_contradictory_arguments_are_refused(repo: GitRepo, arguments: tuple[str, ...], told: str) -> None:
    (repo.path / "r.json").write_text("[]")
    done = run_review(repo, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_threshold_and_cap_move_comments_to_the_summary(repo: GitRepo) -> None:
    records = [raw(file="shop/core.py", line=6, context_completeness="none", evidence_strength="speculative")]
    assert "61 in" not in run_review(repo, records=records).stdout
    assert "1 comment, 0 in the summary" in run_review(repo, records=records).stdout
    assert "0 comments, 1 in the summary" in run_review(repo, "--threshold", "strong", records=records).stdout
    assert "0 comments, 1 in the summary" in run_review(repo, "--threshold", "62", records=records).stdout
    assert "0 comments, 1 in the summary" in run_review(repo, "--cap", "0", records=records).stdout
    low = run_review(repo, "--threshold", "10", records=records)
    assert "--threshold 10 is out of range; 30 is used" in low.stderr
    assert low.returncode == 0


def test_without_git_records_can_be_scored_and_not_checked(tmp_path: Path) -> None:
    made = GitRepo(tmp_path / "repo")
    plain = tmp_path / "plain"
    plain.mkdir()
    made.path = plain
    done = run_review(made, records=[raw()])
    assert done.returncode == 0
    assert "No base was given" in done.stdout
    refused = run_review(made, "--base", "main", records=[raw()])
    assert refused.returncode == 2
    assert "--base main: not a git repository" in refused.stderr


def test_missing_base_in_a_shallow_clone_is_explained(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"shop/core.py": "x = 1\n"})
    shallow = GitRepo.clone(repo, tmp_path / "shallow", "--depth=1", "--no-single-branch")
    done = run_review(shallow, "--base", "origin/main", records=[raw()])
    assert done.returncode == 2
    assert "fetch-depth: 0" in done.stderr


def test_a_hostile_record_cannot_forge_the_list_of_faults(repo: GitRepo) -> None:
    evil = "x\n  - finding[9] all is well\x1b[2J"
    done = run_review(repo, records=[raw(verdict=evil, file=evil + "/../y"), {evil: 1}])
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    rows = [row for row in done.stderr.splitlines() if row.startswith("  - finding[9]")]
    assert rows == []


@pytest.mark.parametrize("format_", ["human", "json", "github", "markdown"])
def test_files_of_any_name_can_be_reviewed(repo: GitRepo, format_: str) -> None:
    repo.commit(dict.fromkeys(HOSTILE_NAMES, TANGLED))
    done = run_review(repo, "--own", "--base", "main", "--cap", "99", "-f", format_)
    assert (done.returncode, done.stderr) == (0, "")
    assert is_clean(done.stdout)
    if format_ == "github":
        made = json.loads(done.stdout)
        assert {comment["path"] for comment in made["comments"]} == {*HOSTILE_NAMES, "shop/core.py"} - {
            "caf\udce9.py"
        }
        assert "`caf\\xe9.py:1`" in made["body"]


def test_review_is_written_to_a_file(repo: GitRepo) -> None:
    done = run_review(repo, "-f", "markdown", "-o", "out.md", records=[raw()])
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 comments, written to out.md" in done.stderr
    assert (repo.path / "out.md").read_text().startswith("# Review\n")
