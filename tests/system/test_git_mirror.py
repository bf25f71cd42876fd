"""Mirrors: fetched whole, without anything of theirs run, and without a secret written anywhere."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from crimes.model.git_address import address_fault, is_address, name_in, without_secrets
from crimes.system.git_mirror import FetchFault, fetched
from tests.kit.gitrepo import GitRepo


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def remote(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "remote")
    repo.commit({"app.py": "x = 1\n"})
    return repo


def test_a_mirror_is_bare_follows_its_branch_and_holds_no_address(remote: GitRepo, own_cache: Path) -> None:
    with fetched(remote.path.as_uri(), "") as mirror:
        assert mirror.commit == remote.git("rev-parse", "HEAD")
        assert [file.name for file in mirror.folder.iterdir()] == [".git"]
    second = remote.commit({"app.py": "x = 2\n"})
    remote.git("branch", "release", "HEAD~1")
    with fetched(remote.path.as_uri(), "") as mirror:
        assert mirror.commit == second
    with fetched(remote.path.as_uri(), "release") as mirror:
        assert mirror.commit == remote.git("rev-parse", "HEAD~1")
    for file in own_cache.rglob("*"):
        if file.is_file():
            assert str(remote.path).encode() not in file.read_bytes(), file


def test_nothing_of_a_repository_runs_and_no_submodule_is_fetched(
    remote: GitRepo, tmp_path: Path, own_cache: Path
) -> None:
    trap = tmp_path / "ran"
    other = GitRepo(tmp_path / "other")
    other.commit({"b.py": "y = 1\n"})
    hook = remote.path / ".git" / "hooks" / "post-upload-pack"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {trap}\n")
    hook.chmod(0o755)
    remote.git("submodule", "add", "-q", other.path.as_uri(), "sub")
    remote.git("config", "uploadpack.packObjectsHook", f"touch {trap};")
    remote.commit({".gitattributes": "* filter=trap\n"})
    with fetched(remote.path.as_uri(), ""):
        assert not trap.exists()
    blobs = other.git("rev-parse", "HEAD")
    listed = subprocess.run(
        ["git", "cat-file", "-e", blobs], cwd=next(own_cache.glob("mirrors/*/*/.git")), check=False
    )
    assert listed.returncode != 0, "a submodule was fetched"


def test_names_of_a_remote_are_taken_for_nothing_but_names(
    remote: GitRepo, tmp_path: Path, own_cache: Path
) -> None:
    trap, commit = tmp_path / "ran", remote.git("rev-parse", "HEAD")
    hostile = f"refs/heads/--upload-pack=touch{{IFS}}{trap.name}"
    for ref in (
        hostile,
        "refs/crimes/head",
        "refs/heads/HEAD",
        f"refs/heads/{'a' * 200}",
        "refs/heads/$(touch_ran)",
    ):
        remote.git("update-ref", ref, commit)
    remote.git("symbolic-ref", "HEAD", hostile)
    with fetched(remote.path.as_uri(), "") as mirror:
        assert mirror.commit == commit
        refs = subprocess.run(
            ["git", f"--git-dir={mirror.folder / '.git'}", "for-each-ref", "--format=%(refname)"],
            capture_output=True,
            check=True,
        )
    assert refs.stdout == b"refs/crimes/head\n"
    assert not trap.exists()


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("ext::sh -c 'touch {trap}'", "refused"),
        ("fd::7", "refused"),
        ("--upload-pack=touch {trap}", "refused"),
        ("https://me:secret@git.example.org/x.git", "refused"),
        ("file:///nowhere/x.git", "gone"),
    ],
)
def test_addresses_that_lead_nowhere_or_run_something(tmp_path: Path, address: str, kind: str) -> None:
    trap = tmp_path / "ran"
    with pytest.raises(FetchFault) as fault, fetched(address.format(trap=trap), ""):
        pass
    assert fault.value.kind == kind
    assert "secret" not in str(fault.value)
    assert not trap.exists()


def test_what_is_empty_lacks_the_branch_or_is_too_large_is_told_apart(
    remote: GitRepo, tmp_path: Path
) -> None:
    empty = GitRepo(tmp_path / "empty")
    remote.commit({"data.bin": Random(1).randbytes(300_000)})
    for address, branch, size, kind in (
        (empty.path.as_uri(), "", 0, "empty"),
        (remote.path.as_uri(), "nope", 0, "gone"),
        (remote.path.as_uri(), "", 50_000, "too-large"),
    ):
        with pytest.raises(FetchFault) as fault, fetched(address, branch, max_bytes=size):
            pass
        assert fault.value.kind == kind


def test_a_repository_that_is_gone_keeps_its_mirror(remote: GitRepo) -> None:
    with fetched(remote.path.as_uri(), "") as mirror:
        folder = mirror.folder
    remote.path.rename(remote.path.with_name("elsewhere"))
    with pytest.raises(FetchFault), fetched(remote.path.as_uri(), ""):
        pass
    assert folder.is_dir()


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://git.example.org/acme/x.git", "acme/x"),
        ("git@git.example.org:acme/x.git", "acme/x"),
        ("ssh://git@git.example.org:22/acme/x", "acme/x"),
        ("file:///srv/git/x.git", "x"),
        ("/srv/git/x.git", "x"),
    ],
)
def test_repositories_are_called_after_their_address(address: str, name: str) -> None:
    assert name_in(address) == name
    assert not address_fault(address)


def test_secrets_are_taken_out_of_messages() -> None:
    assert (
        without_secrets("fatal: unable to access 'https://me:pw@h/x/'")
        == "fatal: unable to access 'https://h/x/'"
    )
    assert address_fault("https://token@h/x")
    assert address_fault("ssh://me:pw@h/x")
    assert not address_fault("ssh://git@h/x")
    assert is_address("git@h:x")
    assert not is_address("./folder")
