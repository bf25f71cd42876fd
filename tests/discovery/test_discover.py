"""Which files are found, which are read, and that nothing outside the tree ever is."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.discovery.discover import Tree, discover
from crimes.languages import by_id
from crimes.model.errors import UsageError
from crimes.model.facts import Role
from tests.kit.gitrepo import GitRepo


def discover_in(root: Path, config: Config | None = None) -> Tree:
    return discover(root, config or Config(), by_id)


def names(tree: Tree) -> list[str]:
    return [file.path for file in tree.files]


def skip_reasons(tree: Tree) -> dict[str, str]:
    return {skip.path: skip.reason for skip in tree.skipped}


@pytest.fixture(params=["git", "plain"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with and without a repository around it: most of what is true must hold for both."""
    root = tmp_path / "tree"
    if request.param == "git":
        GitRepo(root)
    else:
        root.mkdir()
    return root


def write(root: Path, *paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def test_lists_languages_and_counts_the_rest(folder: Path) -> None:
    write(
        folder,
        "a.py",
        "b/c.ts",
        "README.md",
        ".cursorrules",
        "d.PY",
        "logo.svg",
        "e.svg",
        "Makefile",
        ".hidden",
    )
    tree = discover_in(folder)
    found = [(file.path, file.language) for file in tree.files]
    assert found == [
        (".cursorrules", "markdown"),
        ("README.md", "markdown"),
        ("a.py", "python"),
        ("b/c.ts", "typescript"),
        ("d.PY", "python"),
    ]
    assert tree.not_supported == {"(other)": 2, ".svg": 2}
    assert {"Makefile", "logo.svg", "a.py", "b/c.ts"} <= tree.paths
    assert tree.warnings == ()
    assert tree.git == (folder / ".git").exists()
    assert {file.path: file.size for file in tree.files}["a.py"] == 6


def test_ignore_files_are_respected_in_every_folder(folder: Path) -> None:
    write(folder, ".gitignore", text="*.gen.py\n/out/\n!keep.gen.py\n")
    write(folder, "sub/.gitignore", text="local.py\r\n!b.gen.py\n")
    write(
        folder,
        "a.py",
        "x.gen.py",
        "keep.gen.py",
        "out/b.py",
        "sub/out/c.py",
        "sub/local.py",
        "local.py",
        "sub/b.gen.py",
    )
    tree = discover_in(folder)
    assert names(tree) == ["a.py", "keep.gen.py", "local.py", "sub/b.gen.py", "sub/out/c.py"]
    assert "x.gen.py" not in tree.paths


def test_hostile_ignore_lines_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", text="!\n" + "*a" * 40 + "b\n[z-\n**/**/**/**/**/x\nb.py\n")
    write(tmp_path, "a.py", "b.py", "a" * 200 + ".py")
    assert names(discover_in(tmp_path)) == ["a.py", "a" * 200 + ".py"]


def test_walk_skips_environments_caches_and_installed_packages(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.py",
        "node_modules/x/i.js",
        ".venv/b.py",
        "env/pyvenv.cfg",
        "env/c.py",
        "__pycache__/d.py",
    )
    assert names(discover_in(tmp_path)) == ["a.py"]


def test_include_exclude_and_size_limits_are_applied(folder: Path) -> None:
    write(folder, "src/a.py", "src/old/b.py", "other/c.py")
    write(folder, "src/big.py", text="#" * 200)
    tree = discover_in(folder, Config(include=("src/",), exclude=("old/",), max_file_bytes=100))
    assert names(tree) == ["src/a.py"]
    assert skip_reasons(tree) == {"src/big.py": "larger than 100 bytes"}
    assert "other/c.py" in tree.paths  # it is there, and an import may lead to it


def test_configured_test_paths_get_the_test_role(folder: Path) -> None:
    write(folder, "checks/a.py", "b.py")
    tree = discover_in(folder, Config(tests=("checks/",)))
    assert {file.path: file.role for file in tree.files} == {"b.py": Role.SOURCE, "checks/a.py": Role.TEST}


def test_links_are_listed_and_not_followed(folder: Path, tmp_path: Path) -> None:
    write(tmp_path, "outside/secret.py")
    write(folder, "a.py", "pkg/b.py")
    (folder / "twin.py").symlink_to("a.py")
    (folder / "out.py").symlink_to(tmp_path / "outside/secret.py")
    (folder / "outdir").symlink_to(tmp_path / "outside")
    (folder / "indir").symlink_to("pkg")
    (folder / "loop").symlink_to("loop")
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "pkg/up").symlink_to("..")
    (folder / "gone.py").symlink_to("nowhere.py")
    (folder / "notes").symlink_to("a.py")
    tree = discover_in(folder)
    assert names(tree) == ["a.py", "pkg/b.py"]
    assert skip_reasons(tree) == {
        "gone.py": "broken link",
        "indir": "link to the folder pkg",
        "loop.py": "broken link",
        "out.py": "link out of the repository",
        "outdir": "link out of the repository",
        "pkg/up": "link to the folder .",
        "twin.py": "link to a.py, which is read instead",
    }
    for path in (
        "twin.py",
        "out.py",
        "outdir/secret.py",
        "../outside/secret.py",
        str(tmp_path / "outside/secret.py"),
    ):
        with pytest.raises(OSError, match=r"."):
            tree.read(path)
    assert tree.read("indir/b.py") == b"x = 1\n"  # through a link, but not out of the tree


def test_tracked_folder_replaced_by_a_link_is_skipped(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"pkg/a.py": "x = 1\n", "b.py": ""})
    write(tmp_path, "outside/a.py")
    (repo.path / "pkg/a.py").unlink()
    (repo.path / "pkg").rmdir()
    (repo.path / "pkg").symlink_to(tmp_path / "outside")
    tree = discover_in(repo.path)
    assert names(tree) == ["b.py"]
    assert skip_reasons(tree)["pkg/a.py"] == "inside a linked folder"
    with pytest.raises(PermissionError):
        tree.read("pkg/a.py")


def test_index_entries_outside_the_repository_are_skipped(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"XX/secret.py": "", "a.py": ""})
    write(tmp_path, "secret.py")
    index = repo.path / ".git/index"
    body = index.read_bytes()[:-20].replace(b"XX/secret.py", b"../secret.py")
    index.write_bytes(body + hashlib.sha1(body).digest())
    assert "../secret.py" in repo.git("ls-files").split("\n")  # the trap works
    tree = discover_in(repo.path)
    assert names(tree) == ["XX/secret.py", "a.py"]
    assert tree.paths == {"XX/secret.py", "a.py"}
    assert skip_reasons(tree) == {"../secret.py": "inside a linked folder"}


def test_special_files_are_skipped_without_blocking(folder: Path) -> None:
    write(folder, "a.py", "pipe.py")
    if (folder / ".git").exists():
        subprocess.run(["git", "add", "."], cwd=folder, check=True)
    (folder / "pipe.py").unlink()
    os.mkfifo(folder / "pipe.py")
    tree = discover_in(folder)
    assert names(tree) == ["a.py"]
    assert skip_reasons(tree) == {"pipe.py": "not a regular file"}
    with pytest.raises(OSError, match="not a regular file"):
        tree.read("pipe.py")  # and does not wait for a writer


def test_unreadable_file_is_listed_but_not_read(folder: Path) -> None:
    write(folder, "a.py")
    (folder / "a.py").chmod(0)
    tree = discover_in(folder)
    assert names(tree) == ["a.py"]
    if os.access(folder / "a.py", os.R_OK):  # root
        assert tree.read("a.py") == b"x = 1\n"
    else:
        with pytest.raises(PermissionError):
            tree.read("a.py")


def test_unreadable_folder_is_skipped_with_a_reason(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "closed/b.py")
    (tmp_path / "closed").chmod(0)
    if os.access(tmp_path / "closed", os.R_OK):
        pytest.skip("root reads everything")
    tree = discover_in(tmp_path)
    (tmp_path / "closed").chmod(0o755)
    assert names(tree) == ["a.py"]
    assert skip_reasons(tree) == {"closed": "Permission denied"}


def test_file_that_disappears_or_grows_during_the_scan_is_refused(folder: Path) -> None:
    write(folder, "a.py", "b.py")
    tree = discover_in(folder)
    (folder / "a.py").unlink()
    with pytest.raises(FileNotFoundError):
        tree.read("a.py")
    with open(folder / "b.py", "wb") as file:
        file.truncate(10**9)  # a hole: takes no room
    with pytest.raises(OSError, match="larger than") as caught:
        tree.read("b.py")
    assert caught.value.errno == errno.EFBIG


STRANGE = [
    "new\nline.py",
    "esc\x1b[31mred.py",
    "[bold]rich[/bold].py",
    "tab\t.py",
    'quo"te.py',
    "sp ace.py",
    "ünï.py",
]


def test_unusual_file_names_are_listed_and_readable(folder: Path) -> None:
    write(folder, *STRANGE)
    raw = os.path.join(os.fsencode(folder), b"latin\xe9.py")
    with open(raw, "wb") as file:
        file.write(b"raw")
    if (folder / ".git").exists():
        subprocess.run(["git", "add", "."], cwd=folder, check=True)
        write(folder, "untracked\n.py")
    tree = discover_in(folder)
    extra = ["untracked\n.py"] if (folder / ".git").exists() else []
    assert names(tree) == sorted([*STRANGE, *extra, "latin\udce9.py"])
    assert tree.read("latin\udce9.py") == b"raw"
    assert tree.read("new\nline.py") == b"x = 1\n"


def test_tracked_but_deleted_files_are_skipped(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "", "b.py": "", "c.svg": "", "d/e.py": ""})
    for path in ("b.py", "c.svg", "d/e.py"):
        (repo.path / path).unlink()
    (repo.path / "d").rmdir()
    (repo.path / "d").write_text("a file now")
    tree = discover_in(repo.path)
    assert names(tree) == ["a.py"]
    assert skip_reasons(tree) == {"b.py": "deleted", "d/e.py": "deleted"}
    assert tree.paths == {"a.py", "d"}


def test_unmerged_files_are_listed_once(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "one\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "two\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"a.py": "three\n"})
    with pytest.raises(AssertionError, match="merge side"):
        repo.git("merge", "side")
    assert names(discover_in(repo.path)) == ["a.py"]


def test_submodules_and_nested_repositories_are_left_out(tmp_path: Path) -> None:
    inner = GitRepo(tmp_path / "inner")
    inner.commit({"i.py": ""})
    outer = GitRepo(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", inner.path.as_uri(), "libs/inner")
    outer.commit({"a.py": ""})
    GitRepo(outer.path / "nested").commit({"n.py": ""})
    tree = discover_in(outer.path)
    assert names(tree) == ["a.py"]
    assert skip_reasons(tree) == {"libs/inner": "submodule", "nested": "another git repository"}
    (outer.path / ".git").rename(tmp_path / "away")
    assert skip_reasons(discover_in(outer.path)) == skip_reasons(tree)


def test_sparse_files_that_are_not_checked_out_are_skipped(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a/x.py": "", "b/y.py": "", "top.py": ""})
    repo.git("sparse-checkout", "set", "--cone", "a")
    tree = discover_in(repo.path)
    assert names(tree) == ["a/x.py", "top.py"]
    assert skip_reasons(tree) == {"b/y.py": "not checked out"}


def test_subfolder_of_a_repository_lists_its_own_files(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"sub/a.py": "", "sub/deep/b.py": "", "other.py": "", ".gitignore": "c.py\n"})
    repo.write({"sub/new.py": "", "sub/c.py": ""})
    tree = discover_in(repo.path / "sub")
    assert tree.git
    assert names(tree) == ["a.py", "deep/b.py", "new.py"]
    assert tree.paths == {"a.py", "deep/b.py", "new.py"}


def test_linguist_attributes_decide_roles(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    lines = "made/** linguist-generated\nvendor/ours/** -linguist-vendored\nguide.py linguist-documentation=true\n"
    repo.commit(
        {
            ".gitattributes": lines,
            "lib/.gitattributes": "* linguist-vendored\n",
            "lib/x.py": "",
            "guide.py": "",
        }
        | {"made/a\nb.py": "", "vendor/ours/c.py": "", "vendor/d.py": "", "plain.py": ""}
    )
    roles = {file.path: file.role for file in discover_in(repo.path).files}
    assert roles == {
        "guide.py": Role.DOCS,
        "lib/x.py": Role.VENDORED,
        "made/a\nb.py": Role.GENERATED,
        "plain.py": Role.SOURCE,
        "vendor/d.py": Role.VENDORED,
        "vendor/ours/c.py": Role.SOURCE,
    }
    assert [file.role for file in discover_in(repo.path / "made").files] == [Role.GENERATED]


def test_empty_folders_have_no_files_and_no_warnings(tmp_path: Path) -> None:
    GitRepo(tmp_path / "repo")
    (tmp_path / "plain").mkdir()
    for root in (tmp_path / "repo", tmp_path / "plain"):
        tree = discover_in(root)
        assert (tree.files, tree.paths, tree.skipped, tree.warnings) == ((), frozenset(), (), ())


def test_broken_repository_is_walked_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, "a.py")
    tree = discover_in(tmp_path)
    assert names(tree) == ["a.py"]
    assert not tree.git
    assert tree.warnings == (
        "files were listed without git: not a git repository (or any of the parent directories): .git",
    )


def test_ignored_folder_is_read_when_it_is_the_scan_root(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({".gitignore": "build/\n", "a.py": ""}, "Begin")
    write(tmp_path, "build/out/b.py")
    (tmp_path / "empty").mkdir()
    for asked in ("build", "build/out"):
        tree = discover_in(tmp_path / asked)
        assert [path.rpartition("/")[2] for path in names(tree)] == ["b.py"]
        assert tree.warnings == ("files were listed without git: git ignores this folder",)
    assert (names(discover_in(tmp_path)), discover_in(tmp_path).warnings) == (["a.py"], ())
    assert (names(discover_in(tmp_path / "empty")), discover_in(tmp_path / "empty").warnings) == ([], ())


def test_broken_repository_inside_another_is_walked(tmp_path: Path) -> None:
    outer = GitRepo(tmp_path / "outer")
    outer.commit({"a.py": "", "inner/ignored.py": "", ".gitignore": "inner/made.py\n"})
    (outer.path / "inner/.git").mkdir()
    write(outer.path, "inner/made.py")
    tree = discover_in(outer.path / "inner")
    assert not tree.git  # the repository around it is not the one that was meant
    assert names(tree) == ["ignored.py", "made.py"]


def test_root_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        discover_in(tmp_path / "nowhere")
    write(tmp_path, "a.py")
    with pytest.raises(UsageError):
        discover_in(tmp_path / "a.py")


def test_root_that_is_a_link_is_followed(folder: Path, tmp_path: Path) -> None:
    write(folder, "a.py")
    (tmp_path / "alias").symlink_to(folder)
    tree = discover_in(tmp_path / "alias")
    assert names(tree) == ["a.py"]
    assert tree.read("a.py") == b"x = 1\n"


WITHOUT_GIT = """
import sys
from pathlib import Path
from crimes.config.schema import Config
from crimes.discovery.discover import discover
from crimes.languages import by_id
tree = discover(Path(sys.argv[1]), Config(), by_id)
print([file.path for file in tree.files], tree.warnings)
"""


def test_files_are_listed_without_git_installed(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": ""})
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_GIT, str(repo.path)],
        env=os.environ | {"PATH": str(tmp_path / "empty")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "['a.py'] ('files were listed without git: git is not installed',)\n", done.stderr
