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
    "init github sarif": ("github-workflows", workflow(Host.GITHUB, "main", sarif=True)),
    "init gitlab": ("gitlab-ci", workflow(Host.GITLAB, "main")),
    **{name: ("github-workflows", text) for name, text in EXAMPLES.items() if ".github/" in name},
    **{name: ("gitlab-ci", text) for name, text in EXAMPLES.items() if name == ".gitlab-ci.yml"},
    **{
        f"own {path.name}": ("github-workflows", path.read_text("utf-8"))
        for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
    },
}
LARGE = "def tangled(a, b):\n" + "".join(
    f"{'    ' * depth}if a > {depth} and b:\n{'    ' * (depth + 1)}a += {depth}\n" for depth in range(1, 18)
)
HIGH = "def tangled(a):\n    return '\u202e' + a\n"


def load_yaml(text: str) -> Any:
    return YAML(typ="safe").load(text)


def test_there_is_an_example_for_every_host() -> None:
    assert set(EXAMPLES) == {
        ".github/workflows/crimes.yml",
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
        "native": None,
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


def test_only_the_workflow_that_uploads_may_write_security_events() -> None:
    (plain,) = load_yaml(CHECKED["init github"][1])["jobs"].values()
    (uploading,) = load_yaml(CHECKED["init github sarif"][1])["jobs"].values()
    assert "permissions" not in plain
    assert "upload-sarif" not in CHECKED["init github"][1]
    assert uploading["permissions"] == {"contents": "read", "actions": "read", "security-events": "write"}
    (upload,) = (step for step in uploading["steps"] if "upload-sarif" in step.get("uses", ""))
    assert upload["if"] == "github.event_name != 'pull_request'"


@pytest.mark.parametrize("name", ["init github", "action.yml"])
def test_cache_is_saved_under_the_key_that_was_looked_for(name: str) -> None:
    document = load_yaml(CHECKED[name][1])
    job = document["jobs"]["crimes"] if "jobs" in document else document["runs"]
    restore, save = (step for step in job["steps"] if "actions/cache" in step.get("uses", ""))
    assert restore["uses"].replace("restore", "save") == save["uses"]
    assert {key: restore["with"][key] for key in ("path", "key")} == save["with"]
    assert save["with"]["key"].startswith(restore["with"]["restore-keys"])
    assert job["steps"].index(save) == len(job["steps"]) - 1


# The scripts.


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/old.py": LARGE, "shop/__init__.py": ""}, days_ago=9)
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


def shell(
    script: str, folder: Path, *, program: str = "bash", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a script as the hosts do: the first command that fails ends it."""
    options = ["--noprofile", "--norc", "-eo", "pipefail"] if program == "bash" else ["-e"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    return subprocess.run(
        [program, *options, "-c", script],
        cwd=folder,
        env={**inherited, "CRIMES_CACHE_DIR": str(folder.parent / "cache"), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def run_action(
    repo: GitRepo, folder: Path, fail_on: str = "", base: str = "", root: str = "", paths: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the step of the action that looks for findings."""
    (script,) = (
        step["run"]
        for step in load_yaml(CHECKED["action.yml"][1])["runs"]["steps"]
        if step.get("id") == "crimes"
    )
    return shell(
        script,
        repo.path,
        ROOT=root,
        PATHS=paths,
        FAIL_ON=fail_on,
        BASE=base,
        RUNNER_TEMP=str(folder),
        GITHUB_OUTPUT=str(folder / "output"),
        GITHUB_STEP_SUMMARY=str(folder / "summary"),
    )


@pytest.mark.parametrize(
    ("fail_on", "base", "code"),
    [
        ("", "", 0),
        ("medium", "", 1),
        ("medium", "before", 0),
        ("low", "before", 1),
        ("", "before", 0),
        ("high; exit 0", "", 2),
    ],
)
def test_action_exits_with_the_code_of_its_gate(
    repo: GitRepo, tmp_path: Path, fail_on: str, base: str, code: int
) -> None:
    done = run_action(repo, runner(tmp_path), fail_on, base)
    assert done.returncode == code, done.stdout + done.stderr


def test_action_annotates_only_changes_since_the_base(repo: GitRepo, tmp_path: Path) -> None:
    folder = runner(tmp_path)
    assert [place for _, place in annotated_places(run_action(repo, folder, base="before"))] == [
        "shop/other.py:1"
    ]
    assert [crime["file"] for crime in json.loads((folder / "crimes.json").read_bytes())["new"]] == [
        "shop/other.py"
    ]
    assert annotated_places(run_action(repo, folder)) == []


def test_the_action_leaves_reports_behind(repo: GitRepo, tmp_path: Path) -> None:
    folder = runner(tmp_path)
    assert run_action(repo, folder).returncode == 0
    outputs = dict(row.split("=", 1) for row in (folder / "output").read_text().splitlines())
    assert json.loads(Path(outputs["sarif"]).read_bytes())["runs"][0]["results"]
    assert json.loads(Path(outputs["json"]).read_bytes())["findings"]
    assert "# crimes" in (folder / "summary").read_text("utf-8")


@pytest.mark.parametrize(("base", "command"), [("", "scan"), ("before", "diff")])
def test_action_passes_root_and_paths_as_single_arguments(
    repo: GitRepo, tmp_path: Path, base: str, command: str
) -> None:
    folder = runner(tmp_path)
    (folder / "crimes/bin/crimes").write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    done = run_action(repo, folder, base=base, root="a b", paths="src/x y\n\n$(exit 3)\n")
    arguments = done.stdout.splitlines()
    assert (done.returncode, arguments[0]) == (0, command)
    assert "--root=a b" in arguments
    assert arguments[arguments.index("--") + 1 :] == ["src/x y", "$(exit 3)"]


@pytest.mark.parametrize(
    ("fail_on", "base", "code"),
    [("", "", 0), ("medium", "", 1), ("medium", "before", 0), ("low", "before", 1)],
)
def test_component_exits_with_the_code_of_its_gate(
    repo: GitRepo, tmp_path: Path, fail_on: str, base: str, code: int
) -> None:
    done = run_component(repo, runner(tmp_path), fail_on, base)
    assert done.returncode == code, done.stderr
    assert json.loads((repo.path / "gl-code-quality-report.json").read_bytes())


def test_component_keeps_its_cache_where_no_scan_sees_it(repo: GitRepo, tmp_path: Path) -> None:
    folder = runner(tmp_path)
    (cached,) = load_yaml(COMPONENT.partition("\n---\n")[2])["crimes"]["cache"]["paths"]
    assert run_component(repo, folder, "low", "before").returncode == 1
    assert list((repo.path / cached).rglob("*.sqlite"))
    assert repo.git("status", "--porcelain") == "?? gl-code-quality-report.json"


@pytest.mark.parametrize("base", ["", "before"])
def test_component_passes_the_root_as_one_argument(repo: GitRepo, tmp_path: Path, base: str) -> None:
    folder = runner(tmp_path)
    (folder / "crimes/bin/crimes").write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    assert run_component(repo, folder, "high", base, root="a b").stdout.splitlines().count("--root=a b") == 2


def run_component(
    repo: GitRepo, folder: Path, fail_on: str, base: str, root: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run the script of the component after the installation, in a shell without arrays."""
    job = load_yaml(COMPONENT.partition("\n---\n")[2])["crimes"]
    _, *script = job["script"]
    return shell(
        "\n".join(script),
        repo.path,
        program="sh",
        CRIMES_CACHE_DIR=job["variables"]["CRIMES_CACHE_DIR"].replace("$CI_PROJECT_DIR", str(repo.path)),
        CRIMES_ROOT=root,
        CRIMES_FAIL_ON=fail_on,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
        PATH=f"{folder / 'crimes/bin'}:{os.environ['PATH']}",
    )


def test_component_uses_exactly_its_declared_inputs() -> None:
    declared = load_yaml(COMPONENT.partition("\n---\n")[0])["spec"]["inputs"]
    assert set(re.findall(r"\$\[\[ inputs\.([\w-]+) \]\]", COMPONENT)) == set(declared)


# The workflow of `crimes init --ci github`, in a repository with a pull request.


@pytest.fixture
def checkout(tmp_path: Path) -> GitRepo:
    """A clone with old findings on the branch `main` of its origin, on a branch of its own."""
    origin = GitRepo(tmp_path / "origin")
    origin.commit({"shop/old.py": LARGE, "shop/other.py": TANGLED, "shop/__init__.py": ""}, days_ago=9)
    clone = GitRepo.clone(origin, tmp_path / "shop")
    clone.git("checkout", "-q", "-b", "topic")
    origin.commit({"shop/later.py": LARGE.replace("tangled", "later")}, days_ago=3)
    clone.git("fetch", "-q")
    return clone


def run_workflow(
    repo: GitRepo, tmp_path: Path, event: str, *, sarif: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run the one step of the generated workflow, after the installation, that is for this event."""
    folder = runner(tmp_path)
    github = {"event_name": event, "base_ref": "main" if event == "pull_request" else ""}
    (job,) = load_yaml(workflow(Host.GITHUB, "main", sarif=sarif))["jobs"].values()
    steps = [step for step in job["steps"] if "run" in step and "pip install" not in step["run"]]
    (step,) = (step for step in steps if _holds(step["if"], github))
    own = {
        name: re.sub(r"\$\{\{ github\.(\w+) \}\}", lambda match: github[match[1]], value)
        for name, value in step.get("env", {}).items()
    }
    return shell(
        step["run"],
        repo.path,
        **own,
        GITHUB_ACTIONS="true",
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="ada/shop",
        GITHUB_SHA=repo.git("rev-parse", "HEAD"),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"),
        RUNNER_TEMP=str(folder),
        PATH=f"{folder / 'crimes/bin'}:{os.environ['PATH']}",
    )


def _holds(condition: str, github: dict[str, str]) -> bool:
    match = re.fullmatch(r"github\.(\w+) (==|!=) '(\w+)'", condition)
    assert match, condition
    return (github[match[1]] == match[3]) == (match[2] == "==")


def annotated_places(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    """Level and place of every annotation on a file."""
    places = re.findall(r"^::(\w+) .*?file=([^,]*),line=(\d+),", done.stdout, re.MULTILINE)
    return [(level, f"{file}:{line}") for level, file, line in places]


def merge_into_base(repo: GitRepo) -> None:
    """Check out what a host checks out for a pull request: the branch merged into its base."""
    repo.git("checkout", "-q", "--detach", "origin/main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge", "topic")


def test_pull_request_that_fixes_lines_beside_old_findings_is_not_annotated(
    checkout: GitRepo, tmp_path: Path
) -> None:
    checkout.commit(
        {"shop/old.py": LARGE.replace("a += 3", "a += 33"), "shop/other.py": "# Why.\n" + TANGLED}
    )
    merge_into_base(checkout)
    done = run_workflow(checkout, tmp_path, "pull_request")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "::" not in done.stdout
    assert "no problems found: no new findings" in done.stdout.lower()
    page = (tmp_path / "summary.md").read_text("utf-8")
    assert "no new findings" in page
    assert "|" not in page


def test_pull_request_that_adds_a_god_function_is_annotated_once(checkout: GitRepo, tmp_path: Path) -> None:
    added = "def plain():\n    return 1\n\n\n" + LARGE.replace("tangled", "added").replace("a >", "b <")
    checkout.commit({"shop/added.py": added, "shop/old.py": LARGE.replace("a += 3", "a += 33")})
    merge_into_base(checkout)
    done = run_workflow(checkout, tmp_path, "pull_request")
    assert done.returncode == 0, done.stdout + done.stderr
    assert annotated_places(done) == [("warning", "shop/added.py:5")]
    page = (tmp_path / "summary.md").read_text("utf-8")
    (row,) = (row for row in page.splitlines() if row.startswith("| medium"))
    commit = checkout.git("rev-parse", "HEAD")
    assert f"[`shop/added.py:5`](https://github.com/ada/shop/blob/{commit}/shop/added.py#L5)" in row
    assert re.search(r"\[god\\_function\]\(https://\S+/god_function\.md\)", row)
    assert "shop/old.py" not in page
    assert "1 new finding (1 " in page


def test_pull_request_that_adds_hidden_text_fails(checkout: GitRepo, tmp_path: Path) -> None:
    checkout.commit({"shop/added.py": HIGH})
    merge_into_base(checkout)
    done = run_workflow(checkout, tmp_path, "pull_request")
    assert done.returncode == 1, done.stdout + done.stderr
    assert annotated_places(done) == [("error", "shop/added.py:2")]


def test_function_that_an_edit_makes_too_large_is_annotated_on_the_first_changed_line(
    checkout: GitRepo, tmp_path: Path
) -> None:
    checkout.git("checkout", "-q", "main")
    small = "def grows(a, b):\n    c = a\n    return c\n"
    base = checkout.commit({"shop/grows.py": small}, days_ago=2)
    checkout.git("update-ref", "refs/remotes/origin/main", base)
    checkout.git("checkout", "-q", "-B", "topic")
    large = LARGE.replace("tangled", "grows").partition("\n")[2]
    checkout.commit({"shop/grows.py": small.replace("    return c\n", large)})
    done = run_workflow(checkout, tmp_path, "pull_request")
    assert annotated_places(done) == [("warning", "shop/grows.py:3")]


def test_finding_outside_the_changed_lines_is_in_the_summary_only(checkout: GitRepo, tmp_path: Path) -> None:
    test = "from shop.core import run\n\n\ndef test_run():\n    value = run(1)\n    assert value == 2\n"
    checkout.commit({"shop/core.py": "def run(a):\n    return a + 1\n", "tests/test_core.py": test})
    checkout.git("update-ref", "refs/remotes/origin/main", "HEAD")
    checkout.commit({"tests/test_core.py": test.replace("    assert value == 2\n", "")})
    done = run_workflow(checkout, tmp_path, "pull_request")
    assert annotated_places(done) == []
    page = (tmp_path / "summary.md").read_text("utf-8")
    assert "1 new finding (1 " in page
    assert "[`tests/test_core.py:4`](https://" in page
    assert "1 new finding is outside the changed lines, so not annotated." in page


def test_push_writes_the_worst_findings_and_annotates_nothing(checkout: GitRepo, tmp_path: Path) -> None:
    done = run_workflow(checkout, tmp_path, "push", sarif=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "::" not in done.stdout
    page = (tmp_path / "summary.md").read_text("utf-8")
    assert "[`shop/old.py:1`](https://github.com/ada/shop/blob/" in page
    (run,) = json.loads((tmp_path / "runner/crimes.sarif").read_bytes())["runs"]
    assert run["results"]


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
