"""`crimes baseline`: what is known stays known, what is new is new, and a baseline that is none is no pass."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from crimes.tracking.baseline import BaselineCheck
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import CLONED, PLAIN, tangled


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    test = "from shop.core import first\n\n\ndef test():\n    assert not first(0)\n"
    files = {"shop/__init__.py": "", "shop/core.py": tangled("first") + PLAIN, "tests/test_core.py": test}
    made.commit(files, "Begin", days_ago=300)
    return made


def save_baseline(repo: GitRepo) -> Path:
    done = run_crimes(repo.path, "baseline", "save")
    assert done.returncode == 0, done.stderr
    return repo.path / ".crimes/baseline.json"


def check_baseline(repo: GitRepo, code: int, *arguments: str) -> BaselineCheck:
    done = run_crimes(repo.path, "baseline", "check", "--format", "json", *arguments)
    assert done.returncode == code, done.stdout + done.stderr
    jsonschema.validate(json.loads(done.stdout), msgspec.json.schema(BaselineCheck))
    return msgspec.json.decode(done.stdout, type=BaselineCheck)


def test_known_findings_pass_and_new_ones_fail(repo: GitRepo) -> None:
    save_baseline(repo)
    assert (check_baseline(repo, 0).known, check_baseline(repo, 0).new) == (1, ())
    repo.write({"shop/other.py": tangled("other").replace("+=", "-=")})
    found = check_baseline(repo, 1)
    assert [crime.symbol for crime in found.new] == ["other"]
    assert found.gate is not None
    assert (found.gate.metric, found.gate.outcome) == ("new", "failed")
    assert check_baseline(repo, 0, "--fail-on", "high").known == 1
    assert run_crimes(repo.path, "scan", "--fail-on-new").returncode == 1
    assert "new: shop/other.py:1: low god_function" in run_crimes(repo.path, "baseline", "check").stdout


def test_baseline_survives_shifted_lines_formatting_and_renames(repo: GitRepo) -> None:
    save_baseline(repo)
    shifted = "import os\n\n\n" + PLAIN + tangled("first").replace("(a)", "(\n    a,\n)")
    repo.write({"shop/core.py": shifted})
    assert check_baseline(repo, 0).known == 1
    repo.write({"shop/core.py": None, "shop/kernel.py": shifted})
    assert (check_baseline(repo, 0).known, check_baseline(repo, 0).stale) == (1, ())
    more = "".join(f"def helper_{number}(a):\n    return a + {number}\n\n\n" for number in range(30))
    repo.commit({"shop/kernel.py": shifted + more})
    save_baseline(repo)
    edited = shifted.replace("a > 3", "a >= 3") + more
    repo.commit({"shop/kernel.py": None, "shop/heart.py": edited})  # an edit: only git knows it again
    assert (check_baseline(repo, 0).known, check_baseline(repo, 0).stale) == (1, ())


def test_missing_commit_of_the_baseline_is_tolerated(repo: GitRepo) -> None:
    place = save_baseline(repo)
    place.write_text(place.read_text().replace(repo.git("rev-parse", "HEAD"), "0" * 40))
    repo.write({"shop/core.py": None, "shop/kernel.py": tangled("first") + PLAIN})
    found = check_baseline(repo, 0)
    assert found.known == 1
    assert "the commit of the baseline is missing" in found.warnings[0]


def test_fixed_findings_are_stale_and_do_not_fail(repo: GitRepo) -> None:
    save_baseline(repo)
    repo.write({"shop/core.py": PLAIN})
    found = check_baseline(repo, 0)
    assert [(known.file, known.symbol) for known in found.stale] == [("shop/core.py", "first")]
    assert "stale: shop/core.py: god_function first" in run_crimes(repo.path, "baseline", "check").stdout


def test_one_more_copy_of_a_known_clone_is_new(repo: GitRepo) -> None:
    repo.commit({"shop/one.py": CLONED, "shop/two.py": CLONED, "shop/zero.py": CLONED})
    save_baseline(repo)
    assert [
        known["type"] for known in json.loads((repo.path / ".crimes/baseline.json").read_text())["findings"]
    ] == [
        "god_function",
        "cloned_logic",
    ]
    repo.write({"shop/three.py": CLONED})
    assert [crime.type for crime in check_baseline(repo, 1).new] == ["cloned_logic"]
    repo.write({"shop/three.py": None, "shop/a_first_one.py": CLONED})
    assert [crime.type for crime in check_baseline(repo, 1).new] == ["cloned_logic"]
    repo.write({"shop/a_first_one.py": None, "shop/copied.py": tangled("first")})
    assert "god_function" in [crime.type for crime in check_baseline(repo, 1).new]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("{}", "is not a baseline"),
        ("[]", "is not a baseline"),
        ("not json", "is not a baseline"),
        ('{"version": 2}', "has version 2"),
        ('{"version": 1, "findings": []}', "is not a baseline"),
        (
            '{"version": 1, "tool": "", "commit": "", "detectors": [], "findings": []}',
            "is not a baseline",
        ),
        ("[" * 100_000, "is not a baseline"),
    ],
)
def test_a_file_that_is_no_baseline_is_an_error(repo: GitRepo, content: str, words: str) -> None:
    place = save_baseline(repo)
    place.write_text(content)
    done = run_crimes(repo.path, "baseline", "check")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert run_crimes(repo.path, "scan", "--fail-on-new").returncode == 2


def test_no_baseline_is_an_error_and_so_is_a_link(repo: GitRepo, tmp_path: Path) -> None:
    assert run_crimes(repo.path, "baseline", "check").returncode == 2
    place = save_baseline(repo)
    outside = tmp_path / "outside.json"
    place.rename(outside)
    place.symlink_to(outside)
    assert run_crimes(repo.path, "baseline", "check").returncode == 2
    assert check_baseline(repo, 0, "--baseline", str(outside)).known == 1
    before = outside.read_bytes()
    save_baseline(repo)  # replaces the link, and does not write through it
    assert not place.is_symlink()
    assert outside.read_bytes() == before
    (repo.path / ".crimes").rename(tmp_path / "elsewhere")
    (repo.path / ".crimes").symlink_to(tmp_path / "elsewhere")
    done = run_crimes(repo.path, "baseline", "save")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_findings_of_a_newly_enabled_detector_are_unclear(repo: GitRepo) -> None:
    (repo.path / "crimes.toml").write_text("[detectors.god_function]\nenabled = false\n")
    save_baseline(repo)
    (repo.path / "crimes.toml").unlink()
    found = check_baseline(repo, 0)
    assert (found.new, list(found.unclear.values())) == (
        (),
        ["its detector did not run on the earlier state"],
    )


def test_saving_twice_writes_the_same(repo: GitRepo) -> None:
    first = save_baseline(repo).read_bytes()
    assert save_baseline(repo).read_bytes() == first
    assert [row.strip()[:15] for row in first.decode().splitlines()[6:-2]] == [
        '{"fingerprint":'
    ]  # a finding a line


def test_new_findings_are_written_in_every_format(repo: GitRepo, tmp_path: Path) -> None:
    save_baseline(repo)
    repo.write({"shop/other.py": tangled("other").replace("+=", "-=")})
    sarif, kept = tmp_path / "new.sarif", tmp_path / "check.json"
    done = run_crimes(
        repo.path,
        "baseline",
        "check",
        "--format",
        "github",
        "--sarif-output",
        str(sarif),
        "--json-output",
        str(kept),
    )
    assert done.returncode == 1, done.stderr
    assert [row.partition(" ")[0] for row in done.stdout.splitlines()] == ["crimes:", "::error", "::notice"]
    assert done.stdout.splitlines()[0].endswith(". 1 finding not in the baseline, 1 known, 0 fixed")
    assert "file=shop/other.py" in done.stdout
    (result,) = json.loads(sarif.read_bytes())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert (place["uri"], msgspec.json.decode(kept.read_bytes(), type=BaselineCheck).known) == (
        "shop/other.py",
        1,
    )
    page = tmp_path / "page.md"
    done = run_crimes(repo.path, "baseline", "check", "--output", str(page), "--sarif-output", str(sarif))
    assert (done.returncode, done.stdout) == (1, "")
    assert "Gate failed: 1 new finding" in done.stderr
    assert page.read_text().startswith("new: shop/other.py:1: low god_function")


def test_full_scan_names_new_findings_in_its_gate(repo: GitRepo) -> None:
    save_baseline(repo)
    repo.write({"shop/other.py": tangled("other").replace("+=", "-=")})
    done = run_crimes(repo.path, "scan", "--fail-on-new", "--format", "json")
    made = json.loads(done.stdout)
    (new,) = (finding["id"] for finding in made["findings"] if finding["symbol"] == "other")
    assert (done.returncode, made["gate"]["new"]) == (1, [new])
    assert f"Gate failed: 1 new finding: {new}" in done.stderr
