"""The diff of a commit against the work tree, made by real git in repositories of every sort."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crimes.model.errors import Unavailable
from crimes.system import git
from crimes.system.git_diff import Change, Difference, difference, parse_diff
from tests.kit.git_traps import UNUSUAL_NAMES, set_traps
from tests.kit.gitrepo import GitRepo

TEN = "".join(f"line {number}\n" for number in range(1, 11))


def diff_since(repo: GitRepo, revision: str = "HEAD", folder: str = "") -> Difference:
    return difference(repo.path / folder, repo.git("rev-parse", revision))


def single_change(diff: Difference) -> Change:
    (change,) = diff.changes.values()
    return change


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "repo")
    made.commit({"a.py": TEN, "sub/b.py": TEN})
    return made


def test_change_lists_shown_hunks_and_added_lines(repo: GitRepo) -> None:
    changed = TEN.replace("line 5\n", "five\nfive and a half\n")
    repo.write({"a.py": changed})
    change = single_change(diff_since(repo))
    assert change == Change("a.py", "a.py", shown=(range(2, 10),), added=(range(5, 7),))
    assert [line for line in range(1, 12) if change.shows(line)] == list(range(2, 10))
    assert [line for line in range(1, 12) if change.adds(line)] == [5, 6]
    assert change.first_added(1, 11) == 5
    assert change.first_added(6, 11) == 6
    assert change.first_added(7, 11) is None
    assert change.first_added(1, 4) is None


def test_committed_staged_and_loose_changes_count_alike(repo: GitRepo) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.commit({"a.py": "new\n" + TEN})
    repo.write({"sub/b.py": TEN + "new\n"})
    repo.git("add", "sub/b.py")
    repo.write({"c.py": "x\n", "loose.py": "x\n"})
    repo.git("add", "-N", "c.py")
    diff = difference(repo.path, first)
    assert list(diff.changes) == ["a.py", "c.py", "sub/b.py"]  # git knows nothing of loose.py
    assert diff.changes["a.py"].added == (range(1, 2),)
    assert diff.changes["c.py"].added == (range(1, 2),)
    assert diff.changes["sub/b.py"].added == (range(11, 12),)
    assert diff.base == first


def test_several_hunks_stay_apart(repo: GitRepo) -> None:
    long = "".join(f"{number}\n" for number in range(60))
    repo.commit({"a.py": long})
    repo.write({"a.py": long.replace("\n5\n", "\nfive\n").replace("\n50\n", "\nfifty\n")})
    change = single_change(diff_since(repo))
    assert change.shown == (range(3, 10), range(48, 55))
    assert change.added == (range(6, 7), range(51, 52))


@pytest.mark.parametrize(
    ("before", "after", "added"),
    [
        ("a\nb", "a\nb\n", (range(2, 3),)),
        ("a\nb\n", "a\nb", (range(2, 3),)),
        ("a\nb", "a\nc", (range(2, 3),)),
        ("a\nb", "a\nb\nc", (range(2, 4),)),
        ("", "a", (range(1, 2),)),
        ("a", "", ()),
    ],
)
def test_files_without_a_final_newline_are_parsed(
    repo: GitRepo, before: str, after: str, added: tuple[range, ...]
) -> None:
    repo.commit({"a.py": before})
    repo.write({"a.py": after, "sub/b.py": "changed\n"})
    diff = diff_since(repo)
    assert diff.changes["a.py"].added == added
    assert diff.changes["sub/b.py"].added == (range(1, 2),)


def test_moved_files_are_followed(repo: GitRepo) -> None:
    repo.git("mv", "a.py", "moved.py")
    diff = diff_since(repo)
    assert single_change(diff) == Change("moved.py", "a.py")
    assert diff.moved == {"moved.py": "a.py"}
    repo.write({"moved.py": TEN + "eleven\n"})
    assert single_change(diff_since(repo)) == Change(
        "moved.py", "a.py", shown=(range(8, 12),), added=(range(11, 12),)
    )


def test_deleted_files_have_no_lines(repo: GitRepo) -> None:
    repo.write({"a.py": None})
    assert single_change(diff_since(repo)) == Change("a.py", "a.py", deleted=True)


def test_binary_files_and_modes_have_no_lines(repo: GitRepo) -> None:
    repo.commit({"picture": b"\0\1\2"})
    repo.write({"picture": b"\0\1\3"})
    (repo.path / "a.py").chmod(0o755)
    diff = diff_since(repo)
    assert diff.changes == {"a.py": Change("a.py", "a.py"), "picture": Change("picture", "picture")}


def test_file_that_becomes_a_link_or_back_is_parsed(repo: GitRepo) -> None:
    (repo.path / "a.py").unlink()
    (repo.path / "a.py").symlink_to("sub/b.py")
    assert single_change(diff_since(repo)).added == (range(1, 2),)
    first = repo.commit({})
    (repo.path / "a.py").unlink()
    repo.write({"a.py": TEN})
    assert single_change(difference(repo.path, first)).added == (range(1, 11),)


@pytest.mark.parametrize("name", UNUSUAL_NAMES, ids=ascii)
def test_unusual_file_names_are_parsed(repo: GitRepo, name: str) -> None:
    repo.commit({name: TEN})
    repo.write({name: "new\n" + TEN})
    assert diff_since(repo).changes == {name: Change(name, name, shown=(range(1, 5),), added=(range(1, 2),))}
    repo.write({name: None, "moved/" + name: "new\n" + TEN})
    repo.git("add", "--all")
    change = single_change(diff_since(repo))
    assert (change.path, change.old, change.added) == ("moved/" + name, name, (range(1, 2),))


HEADS = (
    "@@ -1 +1 @@",
    "+++ b/evil.py",
    "--- a/evil.py",
    "diff --git a/e b/e",
    ":100644 100644 a b M\tevil.py",
)


def test_content_that_looks_like_a_diff_is_not_misread(repo: GitRepo) -> None:
    old = "".join(f"{head}\n" for head in HEADS)
    repo.commit({"a.py": old})
    repo.write(
        {"a.py": "".join(f"{head}\n++ b/evil.py\n-- a/x\n" for head in HEADS[::-1]), "sub/b.py": "x\n"}
    )
    diff = diff_since(repo)
    assert list(diff.changes) == ["a.py", "sub/b.py"]
    assert diff.changes["sub/b.py"].added == (range(1, 2),)


def test_subfolder_sees_its_own_files(repo: GitRepo) -> None:
    repo.write({"a.py": "x\n", "sub/b.py": "x\n"})
    assert list(diff_since(repo, folder="sub").changes) == ["b.py"]


def test_submodules_are_left_out(repo: GitRepo, tmp_path: Path) -> None:
    inner = GitRepo(tmp_path / "inner")
    inner.commit({"x.py": ""})
    repo.git("submodule", "-q", "add", str(inner.path), "inner")
    repo.commit({})
    (repo.path / "inner" / "x.py").write_text("changed\n")
    assert diff_since(repo).changes == {}


def test_files_in_conflict_are_diffed_as_on_disk(repo: GitRepo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": TEN.replace("line 5", "side")})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": TEN.replace("line 5", "main")})
    with pytest.raises(AssertionError):
        repo.git("merge", "-q", "side")
    assert single_change(difference(repo.path, base)).added == (range(5, 10),)


def test_converted_line_endings_are_no_change(repo: GitRepo) -> None:
    repo.commit({".gitattributes": "*.txt text eol=crlf\n", "a.txt": "one\r\ntwo\r\n"})
    repo.write({"a.txt": "one\r\nTWO\r\n"})
    assert single_change(diff_since(repo)).added == (range(2, 3),)


def test_unknown_commit_is_unavailable(repo: GitRepo) -> None:
    with pytest.raises(Unavailable):
        difference(repo.path, "f" * 40)


def test_truncated_diff_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="is cut off"):
        parse_diff([b":100644 100644 a b M\ta", b"--- a/a", b"+++ b/a", b"@@ -1,2 +1,2 @@", b" x"])


lines = st.lists(st.sampled_from(["a", "b", "", "+", "-c", "\\ No newline", "@@ -1 +1 @@"]), max_size=12)


@given(before=lines, after=lines, ends=st.tuples(st.booleans(), st.booleans()))
@settings(max_examples=25)
def test_the_new_lines_are_those_git_counts(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str], ends: tuple[bool, bool]
) -> None:
    repo = GitRepo(tmp_path_factory.mktemp("repo"))
    texts = ["\n".join(part) + "\n" * end for part, end in zip((before, after), ends, strict=True)]
    repo.commit({"a": texts[0], "z": "z\n"})
    repo.write({"a": texts[1], "z": "y\n"})
    diff = diff_since(repo)
    counted = {
        row.split("\t")[2]: int(row.split("\t")[0])
        for row in repo.git("diff", "--numstat", "HEAD").splitlines()
    }
    assert {path: sum(map(len, change.added)) for path, change in diff.changes.items()} == counted


# A repository that would like to run a program.


@pytest.fixture
def trapped(repo: GitRepo, tmp_path: Path) -> tuple[GitRepo, Path]:
    return repo, set_traps(repo, tmp_path)


def test_programs_configured_by_the_repository_do_not_run(trapped: tuple[GitRepo, Path]) -> None:
    repo, marker = trapped
    head = (repo.path / ".git/refs/heads/main").read_text().strip()
    diff = difference(repo.path, head)
    assert not marker.exists(), marker.read_text()
    assert {path: change.added for path, change in diff.changes.items()} == {
        "a.py": (range(1, 2),),
        "p.bin": (),
        "x.txt": (range(1, 2),),
    }


def test_trap_fires_on_plain_git_commands(trapped: tuple[GitRepo, Path]) -> None:
    repo, marker = trapped
    for command in (
        ("diff", "HEAD"),
        ("-c", "core.fsmonitor=false", "diff", "--no-ext-diff", "--no-textconv", "HEAD"),
    ):
        subprocess.run(
            ["git", "-c", "diff.orderFile=/dev/null", *command],
            cwd=repo.path,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert marker.exists()
        marker.unlink()


def test_filters_of_the_user_do_not_run_and_other_user_settings_apply(
    trapped: tuple[GitRepo, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, marker = trapped
    for name, value in {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "filter.mine.clean",
        "GIT_CONFIG_VALUE_0": f"sh -c 'touch {marker}'",
    }.items():
        monkeypatch.setenv(name, value)
    repo.write({".gitattributes": "* filter=mine\n"})
    variables = git.without_filters(git.find(repo.path))
    assert variables["GIT_CONFIG_KEY_1"].startswith("filter.")
    assert int(variables["GIT_CONFIG_COUNT"]) == 1 + (len(variables) - 1) // 2
    difference(repo.path, (repo.path / ".git/refs/heads/main").read_text().strip())
    assert not marker.exists()
    assert os.environ["GIT_CONFIG_COUNT"] == "1"


def test_the_index_and_the_objects_stay_as_they_are(trapped: tuple[GitRepo, Path]) -> None:
    repo, _ = trapped
    before = {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")}
    difference(repo.path, (repo.path / ".git/refs/heads/main").read_text().strip())
    assert {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")} == before


def test_line_without_a_name_is_refused_and_an_escape_beyond_a_byte_is_text() -> None:
    with pytest.raises(Unavailable, match="a line without a name"):
        parse_diff([b":100644 100644 1 2 M"])
    assert list(parse_diff([b':100644 100644 1 2 M\t"a\\777\\303\\251"'])) == ["a777é"]
