"""Faults a repository may have: each ends in a result or a clear message, through the real command."""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crimes.config.schema import Config, DetectorConfig
from crimes.engine.scan import scan
from crimes.model.errors import EnvironmentFault
from tests.kit.gitrepo import GitRepo


def run_crimes(*arguments: str, cache: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        (sys.executable, "-m", "crimes", *arguments),
        env={**os.environ, "CRIMES_CACHE_DIR": str(cache)},
        capture_output=True,
        check=False,
    )


def json_report(root: Path, cache: Path) -> dict[str, Any]:
    """The JSON report of a folder; the command must succeed without a traceback."""
    done = run_crimes("scan", "--format", "json", str(root), cache=cache)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    report: dict[str, Any] = msgspec.json.decode(done.stdout)
    return report


HANDLER = """def settle(order, gateway):
    try:
        gateway.charge(order)
    except Exception:
        pass
"""


def _no_git(folder: Path) -> Path:
    (folder / "a.py").write_text("import os\n")
    return folder


def _empty_folder(folder: Path) -> Path:
    return folder


def _no_commits(folder: Path) -> Path:
    GitRepo(folder).write({"a.py": "import os\n"})
    return folder


def _shallow(folder: Path) -> Path:
    source = GitRepo(folder / "source")
    for day in (300, 200, 1):
        source.commit({"a.py": f"x = {day}\n"}, "Change", days_ago=day)
    return GitRepo.clone(source, folder / "clone", "--depth=1").path


@pytest.mark.parametrize(
    ("make", "files", "reason"),
    [
        (_no_git, 1, "not a git repository"),
        (_empty_folder, 0, "not a git repository"),
        (_no_commits, 1, "commit"),
        (_shallow, 1, "fetch-depth: 0"),
    ],
)
def test_scan_without_history_states_the_reason(
    make: Callable[[Path], Path], files: int, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "repo").mkdir()
    report = json_report(make(tmp_path / "repo"), tmp_path / "cache")
    assert report["files"]["read"] == files
    assert report["history"]["limited"] is True
    assert reason in report["history"]["reason"]


CONTENT: dict[str, bytes] = {
    "broken.py": b"def f(:\n    return ((\n",
    "bom.py": codecs.BOM_UTF8 + b"def marked():\n    pass\n",
    "crlf.py": b"def windows():\r\n    return 1\r\n",
    "latin.py": b"# caf\xe9\nname = '\xff\xfe'\n",
    "sixteen.py": "def wide():\n    pass\n".encode("utf-16"),
    "deep.py": b"x = " + b"(" * 10_000 + b")" * 10_000 + b"\n",
    "deep.ts": b"if (x) {" * 10_000,
    "empty.py": b"",
    "binary.py": b"\x7fELF\0\0\1\2",
    "half_sixteen.py": codecs.BOM_UTF16_LE + b"a\0b",
    "line\nbreak.py": b"import os\n",
    "esc\x1b]0;owned\x07[red].py": b"import os\n",
}


def test_unreadable_contents_are_skipped_with_reasons(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit(CONTENT, "All of them")
    big = repo.path / "big.py"
    with big.open("wb") as file:
        file.truncate(50_000_000)
    report = json_report(repo.path, tmp_path / "cache")
    skipped = {item["path"]: item["reason"] for item in report["files"]["skipped"]}
    assert set(skipped) == {"big.py", "binary.py", "half_sixteen.py"}
    assert "larger" in skipped["big.py"]
    assert "binary" in skipped["binary.py"]
    assert "UTF-16" in skipped["half_sixteen.py"]
    assert "broken.py" in {item["path"] for item in report["files"]["partial"]}
    assert report["files"]["read"] == len(CONTENT) - 2


def test_file_deleted_during_the_scan_is_skipped(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "import os\n", "b.py": "import os\n"}, "Two")

    def while_waiting(stage: str, done: int, total: int) -> None:
        (repo.path / "b.py").unlink(missing_ok=True)

    report = scan(repo.path, Config(), on_progress=while_waiting).report
    assert [item.path for item in report.files.skipped] == ["b.py"]
    assert report.files.read == 1


def test_file_deleted_before_a_detector_rereads_it_is_a_clear_fault(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a/bill.py": HANDLER}, "Settle orders")

    def while_waiting(stage: str, done: int, total: int) -> None:
        if stage == "detecting":
            (repo.path / "a/bill.py").unlink(missing_ok=True)

    with pytest.raises(EnvironmentFault, match=r"^a/bill\.py changed during the scan \(No such file"):
        scan(
            repo.path,
            Config(detectors={"silent_failure": DetectorConfig(enabled=True)}),
            on_progress=while_waiting,
        )


def test_file_deleted_before_its_text_is_read_is_a_clear_fault(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a/run.py": "def run(kind):\n    return getattr(run, 'visit_' + kind)()\n"}, "Runs")

    def while_waiting(stage: str, done: int, total: int) -> None:
        if stage == "detecting":
            (repo.path / "a/run.py").unlink(missing_ok=True)

    with pytest.raises(EnvironmentFault, match=r"^a/run\.py changed during the scan"):
        scan(repo.path, Config(), on_progress=while_waiting)


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({f"pkg/m{n}.py": f"from pkg import m{(n + 1) % 9}\n" for n in range(9)}, "A circle")
    first = run_crimes("scan", "--format", "json", str(repo.path), cache=tmp_path / "one").stdout
    second = run_crimes("scan", "--format", "json", str(repo.path), cache=tmp_path / "two").stdout
    assert first == second
    assert b"import_cycle" in first
    assert os.fsencode(tmp_path) not in first
