"""What `crimes --help` may import, and what a scanned repository may not put in its way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.gitrepo import GitRepo

SCRIPT = Path(sys.executable).parent / "crimes"
HEAVY = (
    "rich",
    "networkx",
    "git",
    "tree_sitter",
    "msgspec",
    "pathspec",
    "markdown_it",
    "crimes.engine.scan",
    "crimes.render.lines",
)
LOADED = f"""
import sys
sys.argv = ["crimes", *sys.argv[1:]]
from crimes.__main__ import main
try:
    main()
except SystemExit:
    print(*(name for name in {HEAVY!r} if name in sys.modules), sep=",", file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["scan", "--help"],
        ["diff", "--help"],
        ["verdict", "--help"],
        ["baseline", "check", "--help"],
        ["ignore", "--help"],
        ["triage", "--help"],
        ["hotspots", "--help"],
        ["trend", "--help"],
        ["backtest", "--help"],
        ["report", "--help"],
        ["init", "--help"],
        ["context", "--help"],
    ],
)
def test_help_and_version_import_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr.strip() == ""
    assert done.stdout


def test_a_check_of_an_edit_imports_neither_gitpython_nor_networkx(tmp_path: Path) -> None:
    """The scan is made in a fork of this process: what it imports before is there, and `-X importtime` tells of both."""
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "def f():\n    return 1\n"})
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-X", "importtime", "-m", "crimes", "check", str(repo.path)]
    for number in range(2):
        repo.write({"a.py": f"def f():\n    return {number}\n"})
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
        assert "crimes.engine.scan" in imported
    assert not imported & {"git", "networkx"}


def test_a_scan_that_compares_with_nothing_imports_nothing_that_compares(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "def f():\n    return 1\n"})
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-X", "importtime", "-m", "crimes", "scan", str(repo.path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "crimes.engine.scan" in imported
    assert not [name for name in imported if name.startswith("crimes.analyses.change.")]
    assert "markdown_it" not in imported


TRAP = "from pathlib import Path; Path({marker!r}).write_text('ran'); raise SystemExit('trapped')\n"
NAMES = (
    "rich",
    "typer",
    "msgspec",
    "networkx",
    "git",
    "tree_sitter",
    "pathspec",
    "crimes_detectors",
    "detectors",
    "json",
)


def trapped_folder(tmp_path: Path, names: tuple[str, ...]) -> tuple[Path, Path]:
    """A repository with packages of these names; importing one leaves a mark."""
    folder, marker = tmp_path / "repo", tmp_path / "marker"
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(TRAP.format(marker=str(marker)))
        (folder / name / "__main__.py").write_text(TRAP.format(marker=str(marker)))
    (folder / "sitecustomize.py").write_text(TRAP.format(marker=str(marker)))
    (folder / "app.py").write_text("import rich\n\nprint(rich)\n")
    return folder, marker


def run(command: list[str], folder: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(tmp_path / "cache")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("arguments", [["--version"], ["detectors"], ["scan"], ["context", "app.py"]])
def test_the_command_imports_nothing_from_the_repository_it_is_run_in(
    tmp_path: Path, arguments: list[str]
) -> None:
    folder, marker = trapped_folder(tmp_path, (*NAMES, "crimes"))
    done = run([str(SCRIPT), *arguments], folder, tmp_path)
    assert not marker.exists()
    assert done.returncode == 0, done.stderr


def test_module_imports_nothing_from_the_repository_it_is_run_in(tmp_path: Path) -> None:
    """With `python -m` it is Python that looks for `crimes` in the current directory; then it is our turn."""
    folder, marker = trapped_folder(tmp_path, NAMES)
    done = run([sys.executable, "-m", "crimes", "scan"], folder, tmp_path)
    assert not marker.exists()
    assert done.returncode == 0, done.stderr


def test_trap_fires_on_an_unguarded_import(tmp_path: Path) -> None:
    folder, marker = trapped_folder(tmp_path, NAMES)
    run([sys.executable, "-c", "import rich"], folder, tmp_path)
    assert marker.exists()
