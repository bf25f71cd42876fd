"""A commit's files from git's objects, and laid out in a folder of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.model.errors import EnvironmentFault, Unavailable
from crimes.system import commit_checkout, git, git_objects
from crimes.system.commit_checkout import temporary_checkout
from crimes.system.git_diff import difference
from crimes.system.git_objects import (
    Blob,
    commit_before,
    commit_of,
    commit_time,
    first_commit_seconds,
    merge_base,
    tree_at,
)
from tests.kit.git_traps import UNUSUAL_NAMES, set_traps
from tests.kit.gitrepo import NOW, GitRepo

__all__ = ["trapped"]  # a fixture


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop", past=False)
    made.commit({"a.py": "a = 1\n", "sub/b.py": "b = 1\n", "empty": ""}, days_ago=9)
    return made


def files(repo: GitRepo, commit: str = "HEAD", largest: int = 1000) -> dict[str, Blob]:
    tree = git.find(repo.path)
    return {blob.path: blob for blob in tree_at(tree, commit_of(tree, commit), largest)}


def contents_of(folder: Path) -> dict[str, bytes | str]:
    """Every file below a folder, its git directory apart; links as text."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file() and not name.startswith(".git/"):
            found[name] = path.read_bytes()
    return found


# Which commit.


def test_commit_is_found_by_any_of_its_names(repo: GitRepo) -> None:
    head = repo.git("rev-parse", "HEAD")
    repo.git("tag", "-a", "v1", "-m", "one")
    tree = git.find(repo.path)
    for name in ("HEAD", "main", "v1", head, head[:10], "refs/tags/v1"):
        assert commit_of(tree, name) == head


@pytest.mark.parametrize(
    "name", ["", "nothing", "--all", "-h", "HEAD~9", "main..main", "^main", "HEAD:a.py", "HEAD^{tree}"]
)
def test_name_that_is_no_commit_is_unavailable(repo: GitRepo, name: str) -> None:
    with pytest.raises(Unavailable):
        commit_of(git.find(repo.path), name)


def test_commit_missing_from_a_shallow_clone_is_unavailable(repo: GitRepo, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"^'release' is not a commit in this repository$"):
        commit_of(git.find(repo.path), "release")
    repo.commit({"a.py": "a = 2\n"})
    repo.git("clone", "-q", "--depth", "1", repo.path.as_uri(), str(tmp_path / "clone"))
    with pytest.raises(Unavailable, match=r"'HEAD~1' is not a commit in this repository, .*fetch-depth: 0"):
        commit_of(git.find(tmp_path / "clone"), "HEAD~1")


def test_merge_base_of_two_branches_is_found(repo: GitRepo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side.py": ""})
    side = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "main")
    repo.commit({"main.py": ""})
    assert merge_base(git.find(repo.path), side) == base


def test_unrelated_branches_have_no_merge_base(repo: GitRepo, tmp_path: Path) -> None:
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit({"x.py": ""})
    with pytest.raises(Unavailable, match=r"^no common commit in this repository$"):
        merge_base(git.find(repo.path), repo.git("rev-parse", "main"))
    cut = GitRepo.clone(repo, tmp_path / "cut", "--depth=1", "--no-single-branch")
    with pytest.raises(
        Unavailable, match=r"^no common commit in this repository, which is .* fetch-depth: 0 in CI$"
    ):
        merge_base(git.find(cut.path), "origin/main")


# The blobs.


def test_tree_lists_files_links_and_large_blobs(repo: GitRepo) -> None:
    (repo.path / "link").symlink_to("/etc/passwd")
    repo.commit({"large.bin": b"x" * 1001, "edge.bin": b"\0\n" * 500, "crlf.txt": "a\r\nb"})
    repo.write({"a.py": "changed on disk\n"})
    found = files(repo)
    assert found["a.py"].content == b"a = 1\n"
    assert found["link"] == Blob("link", True, 11, b"/etc/passwd")
    assert found["large.bin"] == Blob("large.bin", False, 1001, None)
    assert found["edge.bin"].content == b"\0\n" * 500
    assert found["crlf.txt"].content == b"a\r\nb"
    assert found["empty"].content == b""
    assert [blob.path for blob in found.values()] == sorted(found)


def test_blobs_larger_than_a_chunk_are_read_whole(repo: GitRepo) -> None:
    content = {
        f"f{number}": os.urandom(size)
        for number, size in enumerate((0, 1, git.CHUNK_BYTES - 1, git.CHUNK_BYTES, 3 * git.CHUNK_BYTES))
    }
    repo.commit(content)
    found = files(repo, largest=10 * git.CHUNK_BYTES)
    assert {name: found[name].content for name in content} == content


@pytest.mark.parametrize("name", UNUSUAL_NAMES, ids=ascii)
def test_unusual_file_names_are_read(repo: GitRepo, name: str) -> None:
    repo.commit({name: "x"})
    assert files(repo)[name].content == b"x"
    with temporary_checkout(repo.path, "HEAD") as folder:
        assert (folder / name).read_bytes() == b"x"


def test_submodules_are_left_out(repo: GitRepo, tmp_path: Path) -> None:
    inner = GitRepo(tmp_path / "inner", past=False)
    inner.commit({"x.py": ""})
    repo.git("submodule", "-q", "add", str(inner.path), "inner")
    repo.commit({})
    assert not [path for path in files(repo) if path.startswith("inner")]
    with temporary_checkout(repo.path, "HEAD") as folder:
        skipped = scan(folder, Config()).report.files.skipped
    assert [(skip.path, skip.reason) for skip in skipped] == [("inner", "submodule")]


@pytest.fixture
def trapped(repo: GitRepo, tmp_path: Path) -> tuple[GitRepo, Path]:
    return repo, set_traps(repo, tmp_path)


def test_filters_do_not_run(trapped: tuple[GitRepo, Path]) -> None:
    repo, marker = trapped
    head = (repo.path / ".git/refs/heads/main").read_text().strip()
    before = {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")}
    found = {blob.path: blob.content for blob in tree_at(git.find(repo.path), head)}
    assert found["x.txt"] == b"1\n"
    with temporary_checkout(repo.path, head) as folder:
        assert (folder / "x.txt").read_bytes() == b"1\n"
        scan(folder, Config())
    assert not marker.exists(), marker.read_text()
    assert {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")} == before


@pytest.mark.parametrize("asked", [2, 1_000])
def test_named_files_alone_are_read(repo: GitRepo, monkeypatch: pytest.MonkeyPatch, asked: int) -> None:
    monkeypatch.setattr(git_objects, "MAX_NAMES_ASKED", asked)
    repo.commit({"*.py": "1\n", ":!sub": "2\n", "sub/c.py": "3\n", "d.py": "4\n"})
    names = ("*.py", ":!sub", "sub/c.py", "missing.py")
    blobs = tree_at(git.find(repo.path), "HEAD", names=names)
    assert {blob.path: blob.content for blob in blobs} == {
        "*.py": b"1\n",
        ":!sub": b"2\n",
        "sub/c.py": b"3\n",
    }


def test_a_missing_object_of_another_file_does_no_harm(repo: GitRepo) -> None:
    repo.commit({"d.py": "4\n"})
    lost = repo.git("rev-parse", "HEAD:sub/b.py")
    (repo.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    assert [blob.content for blob in tree_at(git.find(repo.path), "HEAD", names=("d.py",))] == [b"4\n"]


def test_missing_object_is_unavailable(repo: GitRepo) -> None:
    lost = repo.git("rev-parse", "HEAD:sub/b.py")
    (repo.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    with pytest.raises(Unavailable):
        files(repo)


def test_leaving_early_ends_git(repo: GitRepo) -> None:
    repo.commit({f"{number}.bin": os.urandom(300_000) for number in range(20)})
    blobs = tree_at(git.find(repo.path), "HEAD")
    next(blobs)
    blobs.close()  # type: ignore[attr-defined]
    assert files(repo)


# Laid out.


def test_checkout_holds_the_tree_of_the_commit_and_is_removed(repo: GitRepo) -> None:
    then = repo.git("rev-parse", "HEAD")
    (repo.path / "out").symlink_to("..")
    repo.commit({"a.py": "a = 2\n", "sub/b.py": None})
    repo.write({"loose.py": ""})
    with temporary_checkout(repo.path, then) as folder:
        assert contents_of(folder) == {"a.py": b"a = 1\n", "empty": b"", "sub/b.py": b"b = 1\n"}
        assert folder.name == "shop"
        assert not folder.is_relative_to(repo.path)
    assert not folder.parent.exists()
    with temporary_checkout(repo.path, repo.git("rev-parse", "HEAD")) as folder:
        assert contents_of(folder)["out"] == ".."
    assert repo.git("status", "--porcelain") == "?? loose.py"


def test_checkout_is_removed_when_the_scan_fails(repo: GitRepo) -> None:
    with pytest.raises(ValueError, match="boom"), temporary_checkout(repo.path, "HEAD") as folder:
        raise ValueError("boom")
    assert not folder.parent.exists()


def test_scan_of_a_checkout_sees_the_history_up_to_its_commit(repo: GitRepo) -> None:
    then = repo.git("rev-parse", "HEAD")
    repo.commit({"a.py": "a = 2\n"}, days_ago=2)
    with temporary_checkout(repo.path, then) as folder:
        report = scan(folder, Config()).report
    assert report.history.head == then
    assert (report.history.commits, report.history.limited) == (1, False)
    assert report.repository == "shop"
    assert report.files.read == 2
    assert report.warnings == ()


def test_subfolder_is_checked_out(repo: GitRepo) -> None:
    with temporary_checkout(repo.path / "sub", "HEAD") as folder:
        report = scan(folder, Config()).report
        assert folder.name == "sub"
    assert report.files.read == 1
    (repo.path / "later").mkdir()
    with temporary_checkout(repo.path / "later", "HEAD") as folder:
        assert scan(folder, Config()).report.files.read == 0


def test_linked_work_tree_and_shallow_clone_are_checked_out(repo: GitRepo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"), "HEAD")
    with temporary_checkout(tmp_path / "linked", "HEAD") as folder:
        assert scan(folder, Config()).report.history.commits == 1
    repo.commit({"a.py": "a = 2\n"})
    shallow = GitRepo.clone(repo, tmp_path / "shallow", "--depth=1")
    head = shallow.git("rev-parse", "HEAD")
    with temporary_checkout(shallow.path, head) as folder:
        history = scan(folder, Config()).report.history
    assert history.limited
    assert "shallow clone" in history.reason


@pytest.mark.parametrize("name", ['qu"ote', "new\nline", "back\\slash", "ä b"])
def test_repository_of_any_name_is_checked_out(tmp_path: Path, name: str) -> None:
    made = GitRepo(tmp_path / name / "repo", past=False)
    made.commit({"a.py": "a = 1\n"})
    with temporary_checkout(made.path, made.git("rev-parse", "HEAD")) as folder:
        assert scan(folder, Config()).report.history.commits == 1


def test_sha256_repository_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(folder)], check=True)
    made = GitRepo(folder, past=False)
    head = made.commit({"a.py": "a = 1\n"})
    assert len(head) == 64
    with temporary_checkout(folder, head) as laid:
        assert scan(laid, Config()).report.history.head == head
    made.write({"a.py": "a = 2\n"})
    assert difference(folder, head).changes["a.py"].added == (range(1, 2),)


# Trees nobody makes by accident.


def made_up(repo: GitRepo, *entries: tuple[str, str, bytes]) -> str:
    """A commit of a tree with these entries, written byte by byte."""
    rows = b""
    for mode, name, content in entries:
        if mode == "40000":
            object_ = content.decode()
        else:
            (repo.path / "content").write_bytes(content)
            object_ = repo.git("hash-object", "-w", "content")
        rows += f"{mode} {name}\0".encode() + bytes.fromhex(object_)
    (repo.path / "tree").write_bytes(rows)
    tree = repo.git("hash-object", "-t", "tree", "-w", "--literally", "tree")
    return repo.git("commit-tree", tree, "-m", "made up")


def subtree(repo: GitRepo, *entries: tuple[str, str, bytes]) -> bytes:
    return repo.git("rev-parse", made_up(repo, *entries) + "^{tree}").encode()


def test_names_that_lead_out_of_the_folder_are_not_written(repo: GitRepo, tmp_path: Path) -> None:
    inner = subtree(repo, ("100644", "evil", b"x"))
    link_and_folder = (("120000", "a", b".."), ("40000", "a", inner))
    for entries in (
        link_and_folder,
        link_and_folder[::-1],
        (("40000", "..", inner),),
        (("40000", ".", inner),),
        (("40000", ".git", inner),),
        (("40000", ".GIT", inner),),
        (("100644", "a", b"x"), ("40000", "a", inner)),
        (("40000", "a", inner), ("100644", "a", b"x")),
        (("120000", "a", b"../../.."), ("120000", "a", b"x")),
        (("120000", "a", b""), ("120000", "b", b"x\0y")),
    ):
        target = tmp_path / "target" / "top"
        target.mkdir(parents=True)
        commit_checkout._write_files(target, tree_at(git.find(repo.path), made_up(repo, *entries)))
        written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("evil")}
        assert written <= {"target/top/a/evil"}
        assert not (target / ".git").exists()
        shutil.rmtree(tmp_path / "target")


def test_malformed_tree_is_a_fault_with_a_reason(repo: GitRepo) -> None:
    commit = made_up(repo, ("40000", ".git", subtree(repo, ("100644", "config", b"x"))))
    with pytest.raises(Unavailable), temporary_checkout(repo.path, commit):
        pass


def test_checkout_over_the_size_limit_is_refused(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit_checkout, "MAX_TREE_BYTES", 7)
    with pytest.raises(Unavailable, match="larger than 7 bytes"), temporary_checkout(repo.path, "HEAD"):
        pass


def test_large_files_keep_their_size_and_take_no_room(repo: GitRepo) -> None:
    repo.commit({"large.py": b"x = 1\n" * 1000})
    with temporary_checkout(repo.path, "HEAD", max_bytes=100) as folder:
        assert (folder / "large.py").stat().st_size == 6000
        report = scan(folder, Config(max_file_bytes=100)).report
    assert [skip.path for skip in report.files.skipped] == ["large.py"]


def test_name_the_disk_cannot_hold_is_a_clear_fault(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({f"{'n' * 200}/{'m' * 200}.py": "", "x" * 255: ""})
    with temporary_checkout(repo.path, "HEAD") as folder:
        assert (folder / ("x" * 255)).exists()
    name = "y" * 300
    commit = made_up(repo, ("100644", name, b"x"))
    with pytest.raises(EnvironmentFault, match="cannot check out"), temporary_checkout(repo.path, commit):
        pass


def test_empty_commit_has_no_files(repo: GitRepo) -> None:
    nothing = repo.git("hash-object", "-t", "tree", "-w", "/dev/null")
    assert files(repo, repo.git("commit-tree", nothing, "-m", "x")) == {}


def test_commit_before_a_moment_is_the_one_the_branch_held_then(repo: GitRepo) -> None:
    """A commit of a side branch that was merged later is newer, and was not there yet."""
    first = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"side.py": ""}, days_ago=6)
    repo.git("checkout", "-q", "main")
    second = repo.commit({"main.py": ""}, days_ago=5)
    repo.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    tree, now = git.find(repo.path), int(NOW.timestamp())
    assert commit_before(tree, "HEAD", now - 5 * 86_400) == second
    assert commit_before(tree, "HEAD", now - 5 * 86_400 - 1) == first
    assert commit_before(tree, "HEAD", now - 10 * 86_400) == ""
    assert commit_before(tree, "HEAD", -5) == ""
    assert commit_time(tree, second) == now - 5 * 86_400
    assert first_commit_seconds(tree, "HEAD") == now - 9 * 86_400
