"""Detectors of other packages: the example of the documentation, installed; and ones that do not load."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.paths import ROOT

DOCUMENT = (ROOT / "docs" / "plugins.md").read_text("utf-8")
CODE = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)[0]


def install(folder: Path, code: str, entry: str = "print_left_behind = acme_crimes:DETECTOR") -> Path:
    """The package as an installer would leave it: its module, and its metadata beside it."""
    info = folder / "acme_crimes-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "acme_crimes.py").write_text(code)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-crimes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[crimes.detectors]\n{entry}\n")
    return folder


def run_crimes(where: Path, plugins: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(plugins), "CRIMES_CACHE_DIR": str(where.parent / "cache")}
    return subprocess.run(
        [Path(sys.executable).parent / "crimes", *arguments],
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a.py").write_text("print(1)\n")
    return folder


def test_the_documented_plugin_works(repo: Path, tmp_path: Path) -> None:
    result = run_crimes(repo, install(tmp_path / "plugins", CODE), "scan", "--format", "json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert [
        (finding["type"], finding["file"], finding["lines"]["start"]) for finding in report["findings"]
    ] == [("print_left_behind", "a.py", 1)]
    listed = run_crimes(repo, tmp_path / "plugins", "detectors")
    assert "print_left_behind" in listed.stdout


@pytest.mark.parametrize(
    ("code", "entry", "said"),
    [
        ("raise RuntimeError('no licence')", "x = acme_crimes:DETECTOR", "RuntimeError: no licence"),
        ("DETECTOR = 3", "x = acme_crimes:DETECTOR", "is not a Detector with that id"),
        ("", "x = acme_crimes:DETECTOR", "AttributeError"),
        ("", "x = acme_missing:DETECTOR", "ModuleNotFoundError"),
        (CODE, "other_name = acme_crimes:DETECTOR", "is not a Detector with that id"),
        (
            "from crimes_detectors.god_function import DETECTOR",
            "god_function = acme_crimes:DETECTOR",
            "the id 'god_function' is already taken",
        ),
    ],
)
def test_a_plugin_that_does_not_load_stops_the_run(
    repo: Path, tmp_path: Path, code: str, entry: str, said: str
) -> None:
    result = run_crimes(repo, install(tmp_path / "plugins", code, entry), "scan")
    assert result.returncode == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert entry.split()[0] in result.stderr
    assert "acme-crimes" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_scanned_repository_brings_no_detectors(tmp_path: Path) -> None:
    repo = install(tmp_path / "repo", "raise SystemExit('ran')")
    for plugins in (tmp_path / "none", repo):
        result = run_crimes(repo, plugins, "scan")
        assert result.returncode == 0, result.stderr
        assert "ran" not in result.stderr
