"""Which code kept facts depend on: found from imports, so that no moved or new module is forgotten."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crimes.incremental.code_version import READERS, files_behind
from tests.kit.paths import ROOT

READING = "from crimes.languages import by_id; from crimes.languages.engine.facts import read_facts; "


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "crimes", tmp_path / "crimes", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(folder: Path, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def version(folder: Path) -> str:
    return run(folder, "from crimes.incremental.code_version import *; print(facts_version().hex())")


def holds(folder: Path, kept: str) -> bool:
    code = f"from crimes.incremental.code_version import *; print(is_facts_version(bytes.fromhex({kept!r})))"
    return run(folder, code) == "True"


def test_every_module_that_reading_imports_counts() -> None:
    imported = run(
        ROOT,
        READING + "import sys; print(*(m.__file__ for n, m in sys.modules.items() if n[:7] == 'crimes.'))",
    )
    files = {Path(name).relative_to(ROOT / "crimes").as_posix() for name in imported.split()}
    assert "languages/python/__init__.py" in files
    assert files <= files_behind(READERS)
    assert "languages/python/facts.scm" in files_behind(READERS)


@pytest.mark.parametrize(
    "file", ["model/facts.py", "model/lazy_regex.py", "discovery/roles.py", "languages/go/facts.scm"]
)
def test_facts_are_dropped_when_their_code_changes(copy: Path, file: str) -> None:
    before = version(copy)
    assert holds(copy, before)
    with (copy / "crimes" / file).open("a") as changed:
        changed.write("\n")
    assert not holds(copy, before)


def test_facts_are_dropped_when_a_module_of_their_code_moves(copy: Path) -> None:
    before = version(copy)
    (copy / "crimes/model/lazy_regex.py").rename(copy / "crimes/model/patterns.py")
    for file in (copy / "crimes").rglob("*.py"):
        file.write_text(file.read_text().replace("crimes.model.lazy_regex", "crimes.model.patterns"))
    assert not holds(copy, before)
    after = version(copy)
    (copy / "crimes/model/patterns.py").open("a").write("\n")
    assert not holds(copy, after)


def test_facts_are_kept_when_only_a_view_changes(copy: Path) -> None:
    before = version(copy)
    with (copy / "crimes/render/formats/human.py").open("a") as changed:
        changed.write("\n")
    assert holds(copy, before)
