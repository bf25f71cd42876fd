"""`crimes scan` as a gate in CI, `crimes trust`, and scans that are stopped: exit codes and what is printed."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from crimes.model.report import Report
from crimes.render.trust import TrustReport
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo

TANGLED = "def tangled(a):\n" + "".join(
    f"{'    ' * depth}if a > {depth}:\n{'    ' * (depth + 1)}a += {depth}\n" for depth in range(1, 19)
)
RATES = "\n\n".join(f"def rate{number}():\n    return {number}\n" for number in range(10))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """A repository with one finding of medium severity, and a past of a year."""
    made = GitRepo(tmp_path / "shop")
    core = TANGLED + "    return a\n"
    made.commit({"shop/__init__.py": "", "shop/core.py": core, "shop/rates.py": RATES}, "Begin", days_ago=300)
    test = "from shop.core import tangled\n\n\ndef test():\n    assert not tangled(0)\n"
    made.commit({"tests/test_core.py": test}, "Test", days_ago=3)
    return made


def run_scan(
    root: Path, *arguments: str, command: str = "scan", memory: int | None = None
) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run(
        [sys.executable, "-m", "crimes", command, "--root", str(root), *arguments],
        env={**os.environ, "CRIMES_CACHE_DIR": str(root.parent / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=limit,
    )


def as_json(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(made, msgspec.json.schema(Report))
    return made


@pytest.mark.parametrize(
    ("arguments", "code", "outcome"),
    [
        (["--fail-on", "low"], 1, "failed"),
        (["--fail-on", "medium"], 1, "failed"),
        (["--fail-on", "high"], 0, "passed"),
        (["--fail-on-risk", "0.1"], 1, "failed"),
        (["--fail-on-risk", "1"], 0, "passed"),
        (["--fail-on-risk", "1", "--require-trusted"], 0, "passed"),
        (["--fail-on", "high", "--fail-on-risk", "0.1"], 1, "failed"),
    ],
)
def test_a_gate_decides_the_exit_code(arguments: list[str], code: int, outcome: str, repo: GitRepo) -> None:
    done = run_scan(repo.path, *arguments, "--format", "json")
    made = as_json(done)
    assert (done.returncode, made["gate"]["outcome"], made["gate"]["exit"]) == (code, outcome, code)
    assert set(made["gate"]) == {"metric", "threshold", "outcome", "exit", "why", "hits", "new", "failed"}
    assert f"Gate {outcome}: " in done.stderr
    assert (made["gate"]["failed"] != []) == (outcome == "failed")


def test_report_has_no_gate_without_a_gate_option(repo: GitRepo) -> None:
    done = run_scan(repo.path, "--format", "json")
    assert (done.returncode, as_json(done)["gate"]) == (0, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--require-trusted"], "--fail-on"),
        (["--fail-on", "awful"], "awful"),
        (["--fail-on-risk", "1.5"], "1.5"),
        (["--fail-on-risk", "nan"], "nan"),
        (["--timeout", "0"], "0"),
        (["--timeout", "nan"], "nan"),
        (["--timeout", "1e9"], "must be a number from 0.001 to 1000000"),
        (["--base", "main"], "--changed or --fail-on-new"),
        (["--baseline", "known.json"], "--fail-on-new"),
        (["--depth", "2", "--files", "a.py"], "--related-to"),
    ],
)
def test_gates_that_make_no_sense_are_refused(arguments: list[str], said: str, repo: GitRepo) -> None:
    done = run_scan(repo.path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_report_for_people_has_trust_and_gate(repo: GitRepo) -> None:
    done = run_scan(repo.path, "--fail-on", "medium")
    assert done.returncode == 1
    (id_,) = re.findall(r"\[([0-9a-f]{7})\]", done.stdout)
    assert "# trusted: " in done.stdout
    assert f"# Gate failed: 1 finding at medium or above: {id_}\n" in done.stdout


def test_shallow_clone_gates_on_severity_and_names_missing_history(repo: GitRepo, tmp_path: Path) -> None:
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=1").path
    assert run_scan(clone, "--fail-on", "medium").returncode == 1
    clean = run_scan(clone, "--fail-on", "high", "--require-trusted")
    assert clean.returncode == 0
    assert "# directional: " in clean.stdout
    assert "shallow clone" in clean.stdout
    assert "fetch-depth: 0" in clean.stdout
    warned = run_scan(clone, "--fail-on-risk", "0.95")
    assert (warned.returncode, "but too little is known of history to be sure" in warned.stdout) == (
        0,
        True,
    )
    assert run_scan(clone, "--fail-on-risk", "0.95", "--require-trusted").returncode == 2
    assert run_scan(clone, "--fail-on-risk", "0.1").returncode == 1


def test_partially_parsed_changed_file_prevents_a_proven_pass(repo: GitRepo) -> None:
    core = repo.path / "shop/core.py"
    core.write_text(core.read_text() + "\n\ndef broken(\n")
    done = run_scan(repo.path, "--changed", "--fail-on", "high", "--format", "json")
    made = as_json(done)
    assert (done.returncode, made["gate"]["outcome"], made["gate"]["why"]) == (
        *(0, "passed_with_warning", "a pass is not proven: parse"),
    )
    assert "parse: 1 file(s) of the working set could be parsed only in part" in made["trust"]["reasons"]
    assert run_scan(repo.path, "--changed", "--fail-on", "high", "--require-trusted").returncode == 2


def test_gate_is_not_evaluated_in_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run_scan(tmp_path / "empty", "--fail-on", "low", "--format", "json")
    made = as_json(done)
    assert done.returncode == 2
    assert (made["gate"]["outcome"], made["gate"]["why"]) == ("not_evaluated", "abstained")
    assert made["trust"]["degraded_category"] == "no-files"


def many_files(repo: GitRepo) -> None:
    repo.commit({f"big/m{n}.py": TANGLED * 20 for n in range(60)}, "Grow")


def test_out_of_time_ends_in_a_report_that_abstains(repo: GitRepo) -> None:
    many_files(repo)
    done = run_scan(repo.path, "--timeout", "0.01", "--fail-on", "high", "--format", "json")
    made = as_json(done)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert (made["trust"]["classification"], made["trust"]["degraded_category"]) == ("abstained", "timeout")
    assert made["trust"]["composite"] is None
    (diagnostic,) = made["diagnostics"]
    assert (diagnostic["kind"], diagnostic["message"]) == ("timeout", "no result within 0.01 seconds")
    assert (made["gate"]["outcome"], made["gate"]["exit"]) == ("not_evaluated", 2)
    human = run_scan(repo.path, "--timeout", "0.01")
    assert human.returncode == 2
    assert "no findings" not in human.stdout
    assert "the scan did not finish" in human.stdout


def test_sufficient_timeout_does_not_change_the_report(repo: GitRepo) -> None:
    assert (
        run_scan(repo.path, "-f", "json").stdout
        == run_scan(repo.path, "-f", "json", "--timeout", "60").stdout
    )


def test_stopped_scan_does_not_replace_the_stored_scan(repo: GitRepo) -> None:
    id_ = as_json(run_scan(repo.path, "-f", "json"))["findings"][0]["id"]
    assert run_scan(repo.path, "--timeout", "0.001", "--no-cache").returncode == 2
    done = run_crimes(repo.path, "explain", id_, CRIMES_CACHE_DIR=str(repo.path.parent / "cache"))
    assert done.returncode == 0
    assert "tangled" in done.stdout


def test_out_of_memory_ends_in_a_report_that_abstains(repo: GitRepo) -> None:
    """A real limit on memory, set below what the scan of this tree needs and above what the command needs."""
    many = "".join(f"def f{number}(a, b):\n    return a.g(b)\n\n\n" for number in range(1500))
    repo.commit({f"data/d{number}.py": many for number in range(80)}, "Data")
    done = run_scan(repo.path, "--format", "json", memory=110_000_000)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    made = as_json(done)
    assert (made["trust"]["classification"], made["trust"]["degraded_category"]) == (
        *("abstained", "out-of-memory"),
    )
    assert made["diagnostics"][0]["source"] == "reading"


def test_trust_command_reports_the_trust_of_a_scan(repo: GitRepo, tmp_path: Path) -> None:
    done = run_scan(repo.path, "--format", "json", command="trust")
    made = json.loads(done.stdout)
    jsonschema.validate(made, msgspec.json.schema(TrustReport))
    assert done.returncode == 0
    assert made["trust"]["classification"] == "trusted"
    assert made["trust"] == as_json(run_scan(repo.path, "--format", "json"))["trust"]
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=1").path
    told = run_scan(clone, command="trust").stdout
    assert "mostly Python" in told
    assert "Bottlenecks" in told
    assert "fetch-depth: 0" in told
    assert "hidden_coupling: not applicable, shallow clone: 0 days of history" in told
