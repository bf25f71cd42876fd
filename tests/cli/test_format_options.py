"""`crimes scan --format`, `--<format>-output` and `crimes report`: one scan, many files, the real commands."""

from __future__ import annotations

import json
import re
from importlib import import_module
from inspect import signature
from pathlib import Path

import msgspec
import pytest

from crimes.model.codec import encode
from crimes.render.formats import BY_NAME, NAMES
from crimes.render.line_hash import line_hashes
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.reports import crime, report
from tests.kit.sample_code import TANGLED

MACHINE = list(BY_NAME)


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/core.py": TANGLED + "    return a\n", "shop/__init__.py": ""})
    return made


def test_report_reproduces_every_format_of_a_scan(repo: GitRepo, tmp_path: Path) -> None:
    outputs = {format: tmp_path / f"out.{format}" for format in MACHINE}
    options = [part for format, file in outputs.items() for part in (f"--{format}-output", str(file))]
    done = run_crimes(repo.path, "scan", *options)
    assert done.returncode == 0, done.stderr
    assert "shop/core.py:1:5: " in done.stdout
    assert all(str(file) in done.stderr for file in outputs.values())
    again = {format: tmp_path / f"again.{format}" for format in MACHINE}
    options = [part for format, file in again.items() for part in (f"--{format}-output", str(file))]
    converted = run_crimes(repo.path, "report", str(outputs["json"]), "--quiet", *options)
    assert converted.returncode == 0
    # GitLab and Reviewdog have no place for the label of trust: it is said once.
    (label,) = converted.stderr.splitlines()
    assert label.startswith("crimes: trust: directional: too little code to judge")
    # A page of a scan has all that is known of files; a report has less, and its page says so.
    pages = outputs.pop("html").read_text(encoding="utf-8"), again["html"].read_text(encoding="utf-8")
    assert ["made from a report alone" in page for page in pages] == [False, True]
    for format, file in outputs.items():
        assert again[format].read_bytes() == file.read_bytes(), format


def test_scan_of_a_folder_names_files_from_the_repository_root(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "shop", "--format", "sarif")
    (result,) = json.loads(done.stdout)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "shop/core.py"
    content = (repo.path / "shop/core.py").read_bytes()
    assert result["partialFingerprints"]["primaryLocationLineHash"] == line_hashes(content)[0]


def test_report_does_not_look_up_lines_at_another_commit(repo: GitRepo, tmp_path: Path) -> None:
    run_crimes(repo.path, "scan", "--root", "shop", "--json-output", "../scan.json")
    repo.commit({"shop/core.py": "\n" + TANGLED})
    done = run_crimes(repo.path, "report", "../scan.json", "--root", "shop", "--format", "sarif")
    (result,) = json.loads(done.stdout)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "shop/core.py"
    assert "primaryLocationLineHash" not in result["partialFingerprints"]
    assert "is not at the commit of the report" in done.stderr


def test_report_from_another_repository_has_no_line_hashes(repo: GitRepo, tmp_path: Path) -> None:
    run_crimes(repo.path, "scan", "--root", "shop", "--json-output", "../scan.json")
    other = GitRepo(tmp_path / "other")
    other.commit({"sub/core.py": "x = 1\n"})
    done = run_crimes(other.path, "report", "../scan.json", "--root", "sub", "--format", "sarif")
    (result,) = json.loads(done.stdout)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "core.py"
    assert "primaryLocationLineHash" not in result["partialFingerprints"]
    assert "does not have the commit of the report" in done.stderr


def test_report_reads_stdin_and_scans_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    text = encode(report(crime())).decode()
    cache = str(tmp_path / "cache")
    done = run_crimes(folder, "report", "-", "--format", "checkstyle", stdin=text, CRIMES_CACHE_DIR=cache)
    assert done.returncode == 0
    assert '<file name="src/core.py">' in done.stdout
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"schema_version": "9.0"}', b"\xff", b'{"runs": []}'])
def test_report_refuses_a_file_that_is_no_report(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "scan.json").write_bytes(content)
    done = run_crimes(tmp_path, "report", "scan.json", "--format", "sarif")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.match(r"crimes: scan\.json (is not a crimes report \(|has schema version )", done.stderr)


def test_untrusted_report_renders_in_every_format(tmp_path: Path) -> None:
    """Words of the trust and of a gate that this crimes does not know are no reason to fail."""
    odd = json.loads(encode(report(crime())))
    odd["trust"]["classification"] = "odd"
    odd["gate"] = {"metric": "odd", "threshold": 1, "outcome": "odd", "exit": 0, "why": "odd", "hits": 0}
    (tmp_path / "scan.json").write_text(json.dumps(odd))
    for format in NAMES:
        done = run_crimes(tmp_path, "report", "scan.json", "--format", format)
        assert done.returncode == 0, done.stderr


def test_two_reports_do_not_share_stdout(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "--sarif-output", "-")
    assert done.returncode == 2
    assert "--format sarif" in done.stderr
    assert done.stdout == ""


def test_a_file_that_cannot_be_written_is_an_error(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "--sarif-output", "no/such/folder/x.sarif")
    assert done.returncode == 2
    assert "cannot write no/such/folder/x.sarif" in done.stderr


def test_top_shortens_every_format(repo: GitRepo, tmp_path: Path) -> None:
    many = tmp_path / "many.json"
    many.write_bytes(encode(report(*(crime(line=number) for number in range(1, 9)))))
    done = run_crimes(repo.path, "report", str(many), "--top", "3", "--format", "gitlab")
    assert len(json.loads(done.stdout)) == 3


@pytest.mark.parametrize(("sources", "most"), [(10, 20), (100, 30)])
def test_piped_list_is_limited_by_the_number_of_source_files(
    repo: GitRepo, tmp_path: Path, sources: int, most: int
) -> None:
    """Three findings for ten source files, and twenty in any case; whoever wants them all is told how."""
    made = report(*(crime(line=number) for number in range(1, 41)))
    files = msgspec.structs.replace(made.files, by_role={"source": sources})
    many = tmp_path / "many.json"
    many.write_bytes(encode(msgspec.structs.replace(made, files=files)))

    def listed(*options: str) -> tuple[int, str]:
        out = run_crimes(repo.path, "report", str(many), *options).stdout
        return sum(" god_function run " in row for row in out.splitlines()), out

    count, out = listed()
    assert count == most
    assert f"# {40 - most} more findings: show them with --all" in out
    assert listed("--all")[0] == 40
    assert listed("--top", "35")[0] == 35
    assert listed("--quiet")[0] == 40, "nothing there says that some are left out"
    assert len(json.loads(listed("--format", "json")[1])["findings"]) == 40


def test_reports_put_together_are_in_order(repo: GitRepo, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.json"
    mixed.write_bytes(encode(report(*(crime(line=number) for number in (3, 1, 2)))))
    done = run_crimes(repo.path, "report", str(mixed), "--format", "gitlab", "--top", "2")
    assert [entry["location"]["lines"]["begin"] for entry in json.loads(done.stdout)] == [1, 2]


def test_findings_over_the_github_limit_are_mentioned_on_stderr(repo: GitRepo, tmp_path: Path) -> None:
    many = tmp_path / "many.json"
    many.write_bytes(encode(report(*(crime(line=number) for number in range(1, 5_008)))))
    done = run_crimes(repo.path, "report", str(many), "--format", "sarif", "--quiet")
    assert "the 5,000 worst findings, as many as GitHub keeps; 7 are left out" in done.stderr
    assert len(json.loads(done.stdout)["runs"][0]["results"]) == 5_000


def test_job_summary_is_appended(repo: GitRepo, tmp_path: Path) -> None:
    page = tmp_path / "summary.md"
    page.write_text("before\n")
    done = run_crimes(repo.path, "scan", "--format", "github", GITHUB_STEP_SUMMARY=str(page))
    assert done.stdout.startswith("crimes: Directional: too little code to judge: ")
    assert done.stdout.endswith(". 1 finding in 1 file: 1 low\n")
    assert done.stderr == ""
    written = page.read_text("utf-8")
    assert written.startswith("before\n# crimes\n")
    assert "\n| low |" in written


def test_without_the_format_no_job_summary_is_written(repo: GitRepo, tmp_path: Path) -> None:
    page = tmp_path / "summary.md"
    run_crimes(repo.path, "scan", "--format", "json", GITHUB_STEP_SUMMARY=str(page))
    assert not page.exists()


def test_gate_is_reported_in_every_format(repo: GitRepo, tmp_path: Path) -> None:
    done = run_crimes(
        repo.path, "scan", "--format", "github", "--fail-on", "low", "--sarif-output", "../a.sarif"
    )
    assert done.returncode == 1
    assert "Gate failed: 1 finding at low or above: " in done.stdout
    assert "Gate failed: 1 finding at low or above: " in done.stderr
    assert (tmp_path / "a.sarif").exists()


def test_documentation_names_every_format_and_only_existing_options(tmp_path: Path) -> None:
    page = (ROOT / "docs/formats.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(NAMES)
    for command in ("scan", "report"):
        accepted = signature(getattr(import_module(f"crimes.cli.{command}"), command)).parameters
        assert [option for option in MACHINE if f"{option}_output" not in accepted] == []
