"""The import contracts hold, and each of them can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.paths import ROOT

# A line that breaks a contract, and the file it is added to.
BREAKS = {
    "The straight line": ("crimes/model/facts.py", "import crimes.config.loader"),
    "Views do not import each other": ("crimes/render/explain.py", "import crimes.render.hotspots"),
    "Formats of a report do not": ("crimes/render/formats/json.py", "import crimes.render.formats.human"),
    "Detectors do not import each other": (
        "detectors/crimes_detectors/god_function.py",
        "import crimes_detectors.import_cycle",
    ),
    "Detectors import crimes.api": (
        "detectors/crimes_detectors/god_function.py",
        "import crimes.model.facts",
    ),
    "tree-sitter ends": ("crimes/judging/scoring.py", "import tree_sitter"),
    "git ends": ("crimes/analyses/history/history.py", "import git"),
    "Programs are started": ("crimes/analyses/history/history.py", "import subprocess"),
    "Dask and Arrow": ("crimes/workflows/trend.py", "import distributed"),
    "The terminal ends": ("crimes/workflows/last_scan.py", "import rich"),
    "networkx is for": ("crimes/judging/scoring.py", "import networkx"),
}


def lint(folder: Path) -> tuple[int, str]:
    """Checks the packages of `folder` and returns the exit code and what was printed."""
    path = os.pathsep.join([str(folder), str(folder / "detectors")])
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "crimes", tmp_path / "crimes", ignore=ignore)
    shutil.copytree(ROOT / "detectors", tmp_path / "detectors", ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_contract_can_fail(copy: Path) -> None:
    for path, line in BREAKS.values():
        with (copy / path).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    code, output = lint(copy)
    assert code == 1
    verdicts = [line for line in output.splitlines() if " KEPT" in line or " BROKEN" in line]
    assert len(verdicts) == len(BREAKS), output
    for start in BREAKS:
        assert any(line.startswith(start) and " BROKEN" in line for line in verdicts), start


def test_a_module_without_a_layer_fails(copy: Path) -> None:
    (copy / "crimes" / "drawer.py").write_text('"""Odds and ends."""\n')
    code, output = lint(copy)
    assert code == 1
    assert "drawer" in output
