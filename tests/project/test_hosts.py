"""The files for CI hosts: valid by the hosts' schemas, safe for changes from forks, and their scripts run for real."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from crimes.workflows.setup.workflow import Host, workflow
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.sample_code import TANGLED

EXAMPLES = {
    text.partition("\n")[0].removeprefix("# "): text
    for text in re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/ci.md").read_text("utf-8"), re.DOTALL)
}
COMPONENT = (ROOT / "templates/crimes.yml").read_text("utf-8")
CHECKED = {
    "action.yml": ("github-actions", (ROOT / "action.yml").read_text("utf-8")),
    "template": ("gitlab-ci", COMPONENT.partition("\n---\n")[2]),
    "init github": ("github-workflows", workflow(Host.GITHUB, 'odd: "name" # {x}')),
    "init gitlab": ("gitlab-ci", workflow(Host.GITLAB, "main")),
    **{name: ("github-workflows", text) for name, text in EXAMPLES.items() if ".github/" in name},
    **{name: ("gitlab-ci", text) for name, text in EXAMPLES.items() if name == ".gitlab-ci.yml"},
    **{
        f"own {path.name}": ("github-workflows", path.read_text("utf-8"))
        for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
    },
}
HIGH = "def tangled(a, b):\n" + "".join(
    f"{'    ' * depth}if a > {depth} and b:\n{'    ' * (depth + 1)}a += {depth}\n" for depth in range(1, 14)
)


def load_yaml(text: str) -> Any:
    return YAML(typ="safe").load(text)


def test_there_is_an_example_for_every_host() -> None:
    assert set(EXAMPLES) == {
        ".github/workflows/crimes.yml",
        ".github/workflows/code-scanning.yml",
        ".gitlab-ci.yml",
        ".pre-commit-config.yaml",
    }


@pytest.mark.parametrize("name", CHECKED)
def test_example_is_valid_against_the_schema_of_its_host(name: str, tmp_path: Path) -> None:
    schema, text = CHECKED[name]
    file = tmp_path / "checked.yml"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", str(file)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", CHECKED)
def test_example_is_safe_for_changes_from_forks(name: str) -> None:
    text = CHECKED[name][1]
    for word in ("pull_request_target", "secrets.", "github.token", "GITHUB_TOKEN", "workflow_run"):
        assert word not in text
    for use in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", use), "an action that may change under our feet"


@pytest.mark.parametrize("name", [name for name, (schema, _) in CHECKED.items() if "github" in schema])
def test_no_expression_becomes_part_of_a_script(name: str) -> None:
    document = load_yaml(CHECKED[name][1])
    jobs = document["jobs"].values() if "jobs" in document else [document["runs"]]
    for step in (step for job in jobs for step in job["steps"]):
        assert "${{" not in step.get("run", "")
    if "jobs" in document:
        assert document["permissions"] in ({}, {"contents": "read"})


def test_only_the_publishing_job_of_a_release_has_an_identity() -> None:
    jobs = load_yaml(CHECKED["own release.yml"][1])["jobs"]
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "build": None,
        "publish": {"id-token": "write"},
    }
    assert jobs["publish"]["environment"]
    assert not any("run" in step for step in jobs["publish"]["steps"]), "no code runs beside the identity"


def test_own_hooks_need_nothing_but_the_environment_of_the_project() -> None:
    (repository,) = load_yaml((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"].startswith(".venv/bin/")


def test_unusual_branch_name_is_quoted_in_the_workflow() -> None:
    assert load_yaml(CHECKED["init github"][1])["on"]["push"]["branches"] == ['odd: "name" # {x}']


# The scripts.


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/old.py": HIGH, "shop/__init__.py": ""}, days_ago=9)
    made.git("branch", "before")
    made.commit({"shop/other.py": TANGLED})
    return made


def runner(tmp_path: Path) -> Path:
    """A folder like the one a runner keeps for a job, with crimes where the action installs it."""
    folder = tmp_path / "runner"
    (folder / "crimes/bin").mkdir(parents=True)
    command = folder / "crimes/bin/crimes"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m crimes "$@"\n')
    command.chmod(0o755)
    return folder


def shell(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "CRIMES_CACHE_DIR": str(folder.parent / "cache"), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def run_action(repo: GitRepo, tmp_path: Path, path: str, fail_on: str, base: str) -> list[int]:
    """Run the steps of the action after the installation; the exit codes of those that ran."""
    steps = load_yaml(CHECKED["action.yml"][1])["runs"]["steps"][1:]
    folder = runner(tmp_path)
    codes = []
    for step in steps:
        if "if" in step and not (base and fail_on):
            continue
        environment = {
            "SCANNED": path,
            "FAIL_ON": fail_on,
            "BASE": base,
            "RUNNER_TEMP": str(folder),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        }
        codes.append(shell(step["run"], repo.path, **environment).returncode)
    return codes


@pytest.mark.parametrize(
    ("fail_on", "base", "codes"),
    [
        ("", "", [0]),
        ("high", "", [1]),
        ("high", "before", [0, 0]),
        ("low", "before", [0, 1]),
        ("", "before", [0]),
        ("high; exit 0", "", [2]),
    ],
)
def test_action_exits_with_the_code_of_its_gate(
    repo: GitRepo, tmp_path: Path, fail_on: str, base: str, codes: list[int]
) -> None:
    assert run_action(repo, tmp_path, ".", fail_on, base) == codes


def test_action_reports_only_changes_since_the_base(repo: GitRepo, tmp_path: Path) -> None:
    assert run_action(repo, tmp_path, ".", "", "before") == [0]
    found = json.loads((tmp_path / "runner/crimes.json").read_bytes())["findings"]
    assert {finding["file"] for finding in found} == {"shop/other.py"}


def test_the_action_leaves_reports_behind(repo: GitRepo, tmp_path: Path) -> None:
    assert run_action(repo, tmp_path, "shop", "", "") == [0]
    folder = tmp_path / "runner"
    outputs = dict(row.split("=", 1) for row in (folder / "output").read_text().splitlines())
    assert json.loads(Path(outputs["sarif"]).read_bytes())["runs"][0]["results"]
    assert json.loads(Path(outputs["json"]).read_bytes())["findings"]
    assert "# crimes" in (folder / "summary").read_text("utf-8")


@pytest.mark.parametrize(
    ("fail_on", "base", "code"), [("", "", 0), ("high", "", 1), ("high", "before", 0), ("low", "before", 1)]
)
def test_component_exits_with_the_code_of_its_gate(
    repo: GitRepo, tmp_path: Path, fail_on: str, base: str, code: int
) -> None:
    _, *script = load_yaml(COMPONENT.partition("\n---\n")[2])["crimes"]["script"]
    folder = runner(tmp_path)
    done = shell(
        "\n".join(script),
        repo.path,
        CRIMES_SCANNED=".",
        CRIMES_FAIL_ON=fail_on,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
        PATH=f"{folder / 'crimes/bin'}:{os.environ['PATH']}",
    )
    assert done.returncode == code, done.stderr
    assert json.loads((repo.path / "gl-code-quality-report.json").read_bytes())


def test_component_uses_exactly_its_declared_inputs() -> None:
    declared = load_yaml(COMPONENT.partition("\n---\n")[0])["spec"]["inputs"]
    assert set(re.findall(r"\$\[\[ inputs\.([\w-]+) \]\]", COMPONENT)) == set(declared)


@pytest.mark.parametrize(("added", "code"), [(HIGH, 1), (TANGLED, 0)], ids=["high", "lower"])
def test_pre_commit_hook_fails_on_findings_a_commit_adds(repo: GitRepo, added: str, code: int) -> None:
    (hook,) = load_yaml((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["id"] == load_yaml(EXAMPLES[".pre-commit-config.yaml"])["repos"][0]["hooks"][0]["id"]
    repo.write({"shop/added.py": added.replace("tangled", "added")})
    repo.git("add", "--all")
    entry: list[str] = hook["entry"].split() + hook["args"]
    assert entry[0] == "crimes"
    done = subprocess.run(
        [sys.executable, "-m", *entry],
        cwd=repo.path,
        env={**os.environ, "CRIMES_CACHE_DIR": str(repo.path.parent / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == code, done.stdout + done.stderr
