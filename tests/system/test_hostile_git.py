"""A repository whose configuration, attributes and hooks all run a program: none of them may, in a full use of git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.discovery.discover import discover
from crimes.languages import by_id
from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.git_hunks import patches_of
from tests.kit.command import run_crimes
from tests.kit.git_traps import TRAP_SETTINGS
from tests.kit.gitrepo import GitRepo
from tests.kit.histories import history_of

HOOKS = (
    "post-index-change",
    "fsmonitor-watchman",
    "pre-commit",
    "post-checkout",
    "reference-transaction",
    "query-watchman",
)
SIGNATURE = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n"


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """The file the program leaves behind when it runs."""
    return tmp_path / "ran"


@pytest.fixture
def program(tmp_path: Path, marker: Path) -> str:
    script = tmp_path / "evil"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> "{marker}"\ncat\n')
    script.chmod(0o755)
    return str(script)


@pytest.fixture
def repo(tmp_path: Path, program: str) -> GitRepo:
    made = GitRepo(tmp_path / "repo", past=False)
    made.commit({"a.py": "1\n", "sub/b.py": "1\n"}, days_ago=20)
    made.commit(
        {"a.py": "2\n", ".gitattributes": "* filter=evil diff=evil merge=evil\n*.py linguist-generated\n"}
    )
    tree, head = made.git("rev-parse", "HEAD^{tree}"), made.git("rev-parse", "HEAD")
    who = "A <a@x> 1748779200 +0000"
    signed = f"tree {tree}\nparent {head}\nauthor {who}\ncommitter {who}\n{SIGNATURE}\nsigned\n"
    (made.path / "signed").write_text(signed)
    made.git("update-ref", "HEAD", made.git("hash-object", "-t", "commit", "-w", "signed"))
    (made.path / "signed").unlink()
    hooks = made.path / "hooks"
    for folder in (hooks, made.path / ".git/hooks"):
        folder.mkdir(exist_ok=True)
        for hook in HOOKS:
            (folder / hook).write_bytes(Path(program).read_bytes())
            (folder / hook).chmod(0o755)
    for key, value in {**TRAP_SETTINGS, "core.hooksPath": str(hooks)}.items():
        made.git("config", key, value.format(program))
    made.write({"a.py": "changed on disk\n", "new.py": ""})
    return made


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("add", "a.py"),
        ("log", "-1", "--format=%G?"),
        ("log", "-1", "-p", "--textconv", "-O/dev/null", "HEAD~1"),
        ("diff", "--ext-diff"),
        ("-c", "core.fsmonitor=false", "diff"),
    ],
)
def test_trap_fires_on_plain_git_commands(repo: GitRepo, marker: Path, command: tuple[str, ...]) -> None:
    # Without a limit, git reads the mailmap of this repository until memory runs out.
    bounded = ["git", "-c", "mailmap.file=", *command]
    subprocess.run(bounded, cwd=repo.path, capture_output=True, check=False, timeout=60)
    assert marker.exists()


def test_discovery_and_history_run_no_program_of_the_repository(repo: GitRepo, marker: Path) -> None:
    tree = discover(repo.path, Config(), by_id)
    assert [file.path for file in tree.files] == ["a.py", "new.py", "sub/b.py"]
    assert {file.role for file in tree.files} == {"generated"}
    assert tree.git
    found = history_of(repo.path)
    assert found.commits == 3
    assert found.files["a.py"].commits_3y == 2
    assert found.files["sub/b.py"].commits_3y == 1
    inside = history_of(repo.path / "sub")
    assert inside.files["b.py"].commits_3y == 1
    shas = repo.git("rev-list", "HEAD").split()
    assert [hunk.new for _, _, hunk in patches_of(git.find(repo.path), shas, ["a.py"])] == [("2",), ("1",)]
    assert not marker.exists(), marker.read_text()


def test_missing_objects_are_not_fetched(tmp_path: Path, program: str, marker: Path) -> None:
    Path(program).write_text(f'#!/bin/sh\necho "$*" >> "{marker}"\n')  # ends: git would wait for its answer
    made = GitRepo(tmp_path / "repo", past=False)
    made.commit({"a.py": "1"}, days_ago=20)
    tree = made.git("rev-parse", "HEAD^{tree}")
    made.commit({"a.py": "2"}, days_ago=10)
    made.commit({"a.py": "3"})
    (made.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    settings = {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "protocol.allow": "always",
        "protocol.file.allow": "always",
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": program,
        "remote.origin.url": str(made.path),
    }
    for key, value in settings.items():
        made.git("config", key, value)
    found = history_of(made.path)
    assert found.limited
    assert discover(made.path, Config(), by_id).git
    assert not marker.exists(), marker.read_text()
    subprocess.run(
        ["git", "cat-file", "-p", tree], cwd=made.path, capture_output=True, check=False, timeout=60
    )
    assert marker.exists()  # the trap works


@pytest.mark.parametrize("setting", ["core.worktree", "core.bare"])
def test_configured_work_tree_elsewhere_is_ignored(tmp_path: Path, setting: str) -> None:
    made = GitRepo(tmp_path / "repo", past=False)
    made.commit({"a.py": "1", "sub/b.py": "1"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("")
    (outside / "a.py").write_text("")
    made.git("config", setting, str(outside) if setting == "core.worktree" else "true")
    tree = discover(made.path, Config(), by_id)
    assert tree.git
    assert [file.path for file in tree.files] == ["a.py", "sub/b.py"]
    assert [file.path for file in discover(made.path / "sub", Config(), by_id).files] == ["b.py"]
    assert history_of(made.path).files["a.py"].commits_3y == 1
    made.git("config", "core.bare", "false")
    made.git("config", "core.worktree", "/")
    assert [file.path for file in discover(made.path, Config(), by_id).files] == ["a.py", "sub/b.py"]


def test_folder_that_imitates_a_bare_repository_is_not_trusted(
    tmp_path: Path, program: str, marker: Path
) -> None:
    outer = GitRepo(tmp_path / "outer", past=False)
    outer.commit({"a.py": ""})
    GitRepo(tmp_path / "donor", past=False).commit({"x.py": ""})
    trap = outer.path / "trap"
    (tmp_path / "donor/.git").rename(trap)
    with (trap / "config").open("a") as config:
        config.write(f"[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = {program}\n")
    tree = discover(trap, Config(), by_id)
    assert not tree.git
    assert len(tree.warnings) == 1
    with pytest.raises(Unavailable):
        history_of(trap)
    assert not marker.exists()


def test_git_environment_variables_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    other = GitRepo(tmp_path / "other", past=False)
    other.commit({"other.py": ""})
    made = GitRepo(tmp_path / "repo", past=False)
    head = made.commit({"a.py": "1"})
    inherited = {
        "GIT_DIR": str(other.path / ".git"),
        "GIT_WORK_TREE": str(other.path),
        "GIT_INDEX_FILE": str(other.path / ".git/index"),
        "GIT_OBJECT_DIRECTORY": str(other.path / ".git/objects"),
        "GIT_EXTERNAL_DIFF": program,
        "GIT_PREFIX": "x/",
    }
    for name, value in inherited.items():
        monkeypatch.setenv(name, value)
    assert [file.path for file in discover(made.path, Config(), by_id).files] == ["a.py"]
    assert history_of(made.path).head == head
    assert {name: os.environ[name] for name in inherited} == inherited


@pytest.mark.parametrize(
    "arguments",
    [("scan", "."), ("check",), ("context", "a.py"), ("trust",), ("fleet", "run", "..", "--quiet")],
)
def test_program_inside_the_repository_is_not_run(
    tmp_path: Path, program: str, marker: Path, arguments: tuple[str, ...]
) -> None:
    """A relative entry of PATH is looked up in the current folder, which is the scanned one here."""
    made = GitRepo(tmp_path / "repo", past=False)
    names = ("git", "uname", "sh", "ssh", "less", "python")  # what we start, and what libraries have started
    made.commit({"a.py": "", **{name: Path(program).read_bytes() for name in names}})
    for name in names:
        (made.path / name).chmod(0o755)
    path = os.pathsep.join((".", "", "bin/..", os.environ["PATH"]))
    done = run_crimes(made.path, *arguments, PATH=path, CRIMES_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout, done.stderr
    assert not marker.exists()


def test_reason_is_one_harmless_line(tmp_path: Path) -> None:
    made = GitRepo(tmp_path / "repo", past=False)
    made.commit({"a.py": ""})
    work_tree = git.find(made.path)
    with pytest.raises(Unavailable) as caught:
        git.run(work_tree, "rev-parse", "--verify", "x\x1b[31m\ny")
    assert str(caught.value).isprintable()
    (made.path / ".git/config").write_text("[broken")
    with pytest.raises(Unavailable) as caught:
        history_of(made.path)
    assert "bad config" in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_stream_left_early_ends_git(tmp_path: Path) -> None:
    made = GitRepo(tmp_path / "repo", past=False)
    made.commit({"a.py": "\n".join(str(number) for number in range(200_000))})
    stream = git.stream(git.find(made.path), "log", "-p")
    assert next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert git.run(git.find(made.path), "rev-parse", "HEAD")
