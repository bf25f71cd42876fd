"""What detectors/new.py writes passes the catalogue's own tests before anybody has touched it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.kit.paths import ROOT


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def test_a_new_detector_has_the_right_shape(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "detectors", tmp_path / "detectors", ignore=shutil.ignore_patterns("__pycache__"))
    made = run("detectors/new.py", "too_many_words", cwd=tmp_path)
    assert made.returncode == 0, made.stderr

    tests = ("tests/project/test_catalogue.py", "tests/project/test_examples.py")
    paths = f"pythonpath={ROOT} {tmp_path / 'detectors'}"
    ran = run("-m", "pytest", "-p", "no:cacheprovider", "-o", paths, "-k", "too_many_words", *tests, cwd=ROOT)
    assert ran.returncode == 0, ran.stdout

    file = str(tmp_path / "detectors" / "crimes_detectors" / "too_many_words.py")
    settings = f"--config={ROOT / 'pyproject.toml'}"
    for command in (("check", "--no-cache"), ("format", "--check", "--no-cache")):
        ruff = run("-m", "ruff", *command, settings, file, cwd=ROOT)
        assert ruff.returncode == 0, ruff.stdout


def test_bad_and_taken_names_are_refused(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "detectors", tmp_path / "detectors", ignore=shutil.ignore_patterns("__pycache__"))
    assert run("detectors/new.py", "../evil", cwd=tmp_path).returncode == 2
    assert run("detectors/new.py", cwd=tmp_path).returncode == 2
    taken = run("detectors/new.py", "god_function", cwd=tmp_path)
    assert taken.returncode == 2
    assert "exists already" in taken.stderr
