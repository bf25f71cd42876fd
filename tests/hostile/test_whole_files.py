"""Files of the user that are being written when the process is killed or the disk is full: the old one stays, or the new one is there."""

from __future__ import annotations

import ast
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from crimes.system.durable import ASIDE, write_durably
from crimes.system.safe_files import write_own_file
from crimes.workflows.setup.agents.files import apply
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.sample_code import LOOPING

OLD, NEW = b"old\n" * 20_000, b"new\n" * 30_000
KILLS = 40
SEED = 25
WRITERS: dict[str, Callable[[Path], object]] = {
    ".crimes/ignore.toml": lambda root: write_own_file(root, ".crimes/ignore.toml", NEW),
    ".claude/settings.json": lambda root: list(apply(root, {".claude/settings.json": NEW.decode()})),
    "baseline.json": lambda root: write_durably(root / "baseline.json", NEW),
}

# Files that are not the user's, or not for keeping, may be written in place.
WRITTEN_IN_PLACE = {
    "crimes/cli/delivery.py": "appends to the summary of a CI job",
    "crimes/cli/output.py": "a device, a pipe or a file in a folder that takes no new ones",
    "crimes/lsp/server.py": "pages in a temporary folder of the server",
    "crimes/system/commit_checkout.py": "a checkout in a temporary folder",
    "crimes/system/durable.py": "the one place",
    "crimes/system/session_log.py": "what a hook said, in the cache",
    "crimes/workflows/last_scan.py": "the cache, aside and moved",
}


def write_until_killed_at(step: int, write: Callable[[Path], object], root: Path) -> bool:
    """Write in a fork that ends at the n-th thing it asks of the file system. Returns whether it got to its end."""
    process = os.fork()
    if process == 0:
        asked = 0

        def die_in_time(event: str, _: object) -> None:
            nonlocal asked
            if event == "open" or event.startswith("os."):
                asked += 1
                if asked == step:
                    os._exit(9)

        sys.addaudithook(die_in_time)
        try:
            write(root)
        finally:
            os._exit(0)
    return os.waitpid(process, 0)[1] == 0


@pytest.mark.parametrize("path", WRITERS)
def test_file_is_old_or_new_wherever_the_write_is_cut_off(tmp_path: Path, path: str) -> None:
    target = tmp_path / path
    target.parent.mkdir(exist_ok=True)
    for step in range(1, 100):
        target.write_bytes(OLD)
        ended = write_until_killed_at(step, WRITERS[path], tmp_path)
        assert target.read_bytes() in (OLD, NEW)
        if ended:
            break
    assert step > 2
    assert target.read_bytes() == NEW
    assert [entry.name for entry in target.parent.iterdir() if entry.is_file()] == [target.name]


def test_file_is_old_or_new_after_kills_at_random_moments(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    target = tmp_path / "settings.toml"
    target.write_bytes(OLD)
    for _ in range(KILLS):
        process = os.fork()
        if process == 0:
            while True:
                write_durably(target, NEW)
                write_durably(target, OLD)
        time.sleep(chance.uniform(0, 0.02))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        assert target.read_bytes() in (OLD, NEW)
    write_durably(target, NEW)
    assert target.read_bytes() == NEW
    assert not (tmp_path / ASIDE).exists()


def test_permissions_stay_and_links_lead_to_the_file_they_name(tmp_path: Path) -> None:
    target, link = tmp_path / "secret.json", tmp_path / "link.json"
    target.write_bytes(OLD)
    target.chmod(0o600)
    link.symlink_to(target)
    write_durably(link, NEW)
    assert link.is_symlink()
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (NEW, 0o600)
    with pytest.raises(FileExistsError):
        write_durably(link, OLD, new=True)


def test_nothing_is_written_through_a_link_that_a_repository_puts_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(OLD)
    (tmp_path / "repo/.crimes").mkdir(parents=True)
    for name in (ASIDE, "ignore.toml"):
        (tmp_path / "repo/.crimes" / name).symlink_to(tmp_path / "outside")
    write_own_file(tmp_path / "repo", ".crimes/ignore.toml", NEW)
    assert (tmp_path / "outside").read_bytes() == OLD
    assert (tmp_path / "repo/.crimes/ignore.toml").read_bytes() == NEW


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A repository with a finding that was scanned; the environment of commands in it."""
    folder = tmp_path_factory.mktemp("full-disk")
    repo = GitRepo(folder / "repo")
    repo.commit({"core.py": LOOPING, "AGENTS.md": "# Ours\n"})
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-m", "crimes", "scan", "--format", "json"]
    subprocess.run(command, cwd=repo.path, env=environment, check=True, capture_output=True)
    return repo.path, environment


@pytest.mark.parametrize(
    ("command", "path"),
    [
        (("ignore", "ID", "--reason", "known"), ".crimes/ignore.toml"),
        (("feedback", "wrong", "ID"), ".crimes/feedback.jsonl"),
        (("triage", "--owner", "ada", "--apply", "-"), ".crimes/triage.jsonl"),
        (("baseline", "save"), ".crimes/baseline.json"),
        (("baseline", "save", "--baseline", "mine.json"), "mine.json"),
        (("init",), "crimes.toml"),
        (("init", "--agents", "--for", "codex"), ".agents/skills/crimes/SKILL.md"),
    ],
)
def test_full_disk_leaves_files_as_they_were_and_is_named(
    scanned: tuple[Path, dict[str, str]], command: tuple[str, ...], path: str
) -> None:
    root, environment = scanned
    (finding,) = finding_ids(root, environment)
    before = {file: file.read_bytes() for file in files_below(root)}
    done = subprocess.run(
        [sys.executable, "-m", "crimes", *(finding if word == "ID" else word for word in command)],
        cwd=root,
        env=environment,
        input=json.dumps([{"id": finding, "decision": "wont_fix", "reason": "known"}]),
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert Path(path).name in done.stderr
    after = {file: file.read_bytes() for file in files_below(root) if file.stat().st_size or file in before}
    assert after == before


def finding_ids(root: Path, environment: dict[str, str]) -> list[str]:
    command = [sys.executable, "-m", "crimes", "scan", "--format", "json"]
    done = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    report = json.loads(done.stdout)
    return [crime["id"] for crime in report["findings"] if crime["type"] == "god_function"]


def files_below(root: Path) -> list[Path]:
    return [file for file in root.rglob("*") if file.is_file() and ".git" not in file.parts]


def test_only_one_place_writes_files_that_are_to_stay() -> None:
    writers = {
        module.relative_to(ROOT).as_posix()
        for module in (ROOT / "crimes").rglob("*.py")
        if any(map(_writes, ast.walk(ast.parse(module.read_text()))))
    }
    assert writers <= WRITTEN_IN_PLACE.keys()


def _writes(node: ast.AST) -> bool:
    """Whether a call opens a file for writing, or writes one whole."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in ("write_text", "write_bytes"):
        return not (
            isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "formatter"
        )
    words = [
        word.value for word in node.args if isinstance(word, ast.Constant) and isinstance(word.value, str)
    ]
    return name == "open" and any(set(word) & set("wax") and len(word) < 4 for word in words)
