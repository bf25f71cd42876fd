"""The example in docs/review.md is what crimes says: its files, records and outputs are run, word by word."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from crimes.workflows.review.policy import DEFAULT_CAP, DEFAULT_THRESHOLD, MIN_THRESHOLD, THRESHOLDS
from crimes.workflows.review.reading import REQUIRED
from crimes.workflows.review.record import Kind
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT

PAGE = (ROOT / "docs" / "review.md").read_text("utf-8")
BLOCKS: dict[str, str] = {
    name: text for _, name, text in re.findall(r'```(\w+) title="(\S+)"\n(.*?)```\n', PAGE, re.DOTALL)
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    made = GitRepo(tmp_path_factory.mktemp("example") / "shop", past=False)
    made.commit({"shop/orders.py": BLOCKS["shop/orders.py@base"]})
    made.git("checkout", "-q", "-b", "change")
    made.commit({"shop/orders.py": BLOCKS["shop/orders.py@change"]})
    (made.path.parent / "records.json").write_text(BLOCKS["records.json"])
    return made


def review(repo: GitRepo, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "crimes", "review", "../records.json", "--base", "main", *arguments],
        cwd=repo.path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


def test_documented_human_output_matches(repo: GitRepo) -> None:
    assert review(repo) == BLOCKS["human"]


def test_documented_first_comment_matches(repo: GitRepo) -> None:
    made = json.loads(review(repo, "--format", "github"))
    assert made["comments"][0] == json.loads(BLOCKS["github"])
    assert len(made["comments"]) == 5


def test_documented_counts_match(repo: GitRepo) -> None:
    made = json.loads(review(repo, "--format", "json"))
    counts = made["counts"]
    assert (counts["records"], counts["inline"], counts["overridden"]) == (10, 5, 1)
    assert [len(made[name]) for name in ("inline", "summary", "audit", "dropped")] == [5, 2, 1, 2]
    (caught,) = [item for item in made["dropped"] if item["line"] == 88]
    assert (caught["in_diff"], caught["gate"], caught["verifier_severity"]) == (False, "scope", "high")
    assert caught["checks"][0].startswith("in_diff overridden: line 88 is outside")


def test_page_names_every_field_kind_and_limit() -> None:
    for name in (*REQUIRED, *Kind):
        assert f"`{name}`" in PAGE
    assert f"`strong` ({THRESHOLDS['strong']})" in PAGE
    assert f"`moderate` ({DEFAULT_THRESHOLD}, the default)" in PAGE
    assert f"`weak` ({MIN_THRESHOLD})" in PAGE
    assert f"; {DEFAULT_CAP} without it" in PAGE
