"""What detectors/new.py writes leaves a green tree before anybody has touched it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.kit.paths import ROOT

NOT_OURS = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")
GENERATORS = ("docs/generate.py", "docs/schema.py", "tests/kit/sample_history.py --update")
# Whatever looks at the whole catalogue; the examples of other detectors cannot have changed.
CATALOGUE_TESTS = (
    "tests/project/test_catalogue.py",
    "tests/project/test_configuration_reference.py",
    "tests/project/test_docs.py",
    "tests/project/test_language_examples.py",
    "tests/project/test_languages_page.py",
    "tests/project/test_no_language_by_name.py",
    "tests/project/test_precision.py",
    "tests/project/test_sample_repos.py",
)


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join((str(cwd), str(cwd / "detectors")))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_scaffold_and_what_is_generated_leave_a_green_tree(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path, ignore=NOT_OURS, dirs_exist_ok=True)
    before = files_of(tmp_path)
    for command in ("detectors/new.py too_many_words", *GENERATORS):
        done = run(*command.split(), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    new = "detectors/crimes_detectors/too_many_words.py"
    assert files_of(tmp_path) - before == {new, "docs/detectors/too_many_words.md"}

    for selected in (
        ("-k", "too_many_words", "tests/project/test_examples.py"),
        ("-k", "not reports_exactly", *CATALOGUE_TESTS),
    ):
        tests = run("-m", "pytest", "-p", "no:cacheprovider", "-q", *selected, cwd=tmp_path)
        assert tests.returncode == 0, tests.stdout
    for options in (("check", "--no-cache"), ("format", "--check", "--no-cache")):
        ruff = run("-m", "ruff", *options, new, cwd=tmp_path)
        assert ruff.returncode == 0, ruff.stdout


def test_bad_and_taken_names_are_refused(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "detectors", tmp_path / "detectors", ignore=NOT_OURS)
    assert run("detectors/new.py", "../evil", cwd=tmp_path).returncode == 2
    assert run("detectors/new.py", cwd=tmp_path).returncode == 2
    taken = run("detectors/new.py", "god_function", cwd=tmp_path)
    assert taken.returncode == 2
    assert "exists already" in taken.stderr
