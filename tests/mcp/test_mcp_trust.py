"""What the server answers an agent where a scan sees too little, asked by a real client over stdin and stdout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from crimes.detection.registry import catalogue
from tests.kit.gitrepo import GitRepo
from tests.kit.little_seen import COLLAPSED, SOUND, WITHOUT_ADVICE
from tests.mcp.test_mcp import called, over_stdio, refused

Answers = dict[str, tuple[str, dict[str, Any]]]


def answers_of(folder: Path, files: dict[str, str], type_: str) -> Answers:
    """What all tools say of a repository with an edit that is not committed; `explain` is asked about a finding of this type."""
    repo = GitRepo(folder / "shop", past=False)
    repo.commit(files)
    repo.write({"app/core.py": files["app/core.py"] + "\n\ndef added(a, b):\n    return tangled(a, b, b)\n"})
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-m", "crimes", "scan", "--quiet"]
    rows = subprocess.run(command, cwd=repo.path, env=environment, check=True, capture_output=True, text=True)
    ids = [row.rpartition("[")[2][:-1] for row in rows.stdout.splitlines() if f" {type_} " in row]
    made: Answers = {}

    async def ask(client: Client) -> None:
        made["file_context"] = await called(client, "file_context", files=["app/core.py"])
        made["impact"] = await called(client, "impact", symbol="app/core.py:tangled")
        made["hotspots"] = await called(client, "hotspots", limit=5)
        made["check_change"] = await called(client, "check_change")
        if not ids:
            made["explain"] = await refused(client, "explain", id="ee834b3"), {}
            return
        made["explain"] = await called(client, "explain", id=ids[0])
        made["explain, concise"] = await called(client, "explain", id=ids[0], detail="concise")

    over_stdio(repo, environment, ask)
    return made


def check_labels(made: Answers, label: str) -> None:
    """Every answer says how far to trust it, in the text before the results and in the data."""
    for name, (text, data) in made.items():
        assert data["trust"].startswith(label), name
        (row,) = [row for row in text.splitlines()[:3] if row.startswith("Trust: ")]
        assert row == f"Trust: {data['trust']}", name


def test_a_collapse_has_no_severities_ranks_or_advice(tmp_path: Path) -> None:
    made = answers_of(tmp_path, COLLAPSED, "god_function")
    refusal, _ = made.pop("explain")
    assert "findings are withheld: too little was seen" in refusal
    check_labels(made, "abstained: too little of the repository could be read")
    for name, (text, data) in made.items():
        for word in ("high ", "medium ", "low ", "god_function", "hidden_text", "Risk profile", "agent_risk"):
            assert word not in text, (name, word)
            assert word not in str(data), (name, word)
    (file,) = made["file_context"][1]["files"]
    assert not file.get("findings")
    hot = made["hotspots"][1]
    assert (hot["files"], hot.get("unranked", [])) == ([], [])
    assert made["check_change"][1]["verdict"] == "unknown"


@pytest.mark.parametrize("files", [WITHOUT_ADVICE, SOUND], ids=["noadvice", "noranks"])
def test_ranks_and_verdicts_are_withheld_and_files_listed_by_size(
    tmp_path: Path, files: dict[str, str]
) -> None:
    made = answers_of(tmp_path, files, "god_function")
    check_labels(made, "directional: ")
    text, hot = made["hotspots"]
    assert hot["files"] == []
    assert hot["unranked"][0].startswith("app/core.py: complexity ")
    assert hot["unranked"] == [row for row in text.splitlines() if row.startswith(("app/", "tests/"))]
    assert "files are not ranked: trust is too low" in text
    assert made["check_change"][1]["verdict"] == "unknown"
    (file,) = made["file_context"][1]["files"]
    assert "edit_risk" not in file
    assert any(limit.startswith("no edit risk: trust is too low") for limit in file["not_known"])


def test_no_advice_under_a_mean_of_40(tmp_path: Path) -> None:
    made = answers_of(tmp_path, WITHOUT_ADVICE, "god_function")
    fixes = [detector.fix for detector in catalogue().values() if detector.fix]
    for name, (text, data) in made.items():
        said = " ".join(text.split())
        assert not [fix for fix in fixes if fix in said or fix in str(data)], name
    for name in ("explain", "explain, concise"):
        text, data = made[name]
        assert "fix" not in data["findings"][0], name
        (note,) = data["notes"]
        assert note.startswith("no advice: too little was seen: the mean of the dimensions is 0.")
        assert note in text
