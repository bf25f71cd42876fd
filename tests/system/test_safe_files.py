"""Reading below a folder and nowhere else."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from crimes.system.safe_files import MAX_READ_BYTES, SafeReader, read_inside


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, content in {"in/a/x.py": "mine", "in/b/y.py": "too", "out/x.py": "secret"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return (tmp_path / "in").resolve()


def test_folder_that_becomes_a_link_out_is_not_followed(root: Path) -> None:
    inside = SafeReader(root)
    assert inside.read("a/x.py", MAX_READ_BYTES) == b"mine"
    (root / "a").rename(root / "c")
    (root / "a").symlink_to(root.parent / "out")
    assert inside.read("a/x.py", MAX_READ_BYTES) == b"mine"  # the folder that was checked, under its new name
    assert inside.read("b/y.py", MAX_READ_BYTES) == b"too"
    with pytest.raises(PermissionError, match="outside the repository"):
        inside.read("a/x.py", MAX_READ_BYTES)


@pytest.mark.parametrize("path", ["../out/x.py", "a/../../out/x.py", "/etc/hostname", "/x.py"])
def test_names_that_lead_out_are_refused(root: Path, path: str) -> None:
    with pytest.raises(PermissionError, match="outside the repository"):
        read_inside(root, path)


def test_no_folder_and_no_pipe_is_read(root: Path) -> None:
    os.mkfifo(root / "pipe.py")
    for path in ("a", "pipe.py", ".", "a/.."):
        with pytest.raises(OSError, match="not a regular file"):
            read_inside(root, path)


def test_file_over_the_size_limit_is_refused(root: Path) -> None:
    assert SafeReader(root).read("a/x.py", 4) == b"mine"
    with pytest.raises(OSError, match="larger than 3 bytes"):
        SafeReader(root).read("a/x.py", 3)


def test_pickled_reader_reopens_its_folders(root: Path) -> None:
    inside = SafeReader(root)
    inside.read("a/x.py", MAX_READ_BYTES)
    copy = pickle.loads(pickle.dumps(inside))
    del inside
    assert copy.read("b/y.py", MAX_READ_BYTES) == b"too"


def test_descriptors_are_given_back(root: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0
    for _ in range(5):
        read_inside(root, "a/x.py")
        with pytest.raises(FileNotFoundError):
            read_inside(root, "b/none.py")
    assert not before or len(os.listdir("/proc/self/fd")) == before


def test_idle_reader_holds_no_open_folder(root: Path) -> None:
    inside = SafeReader(root)
    for _ in range(2):
        before = os.listdir("/dev/fd")
        assert inside.read("a/x.py", MAX_READ_BYTES) == b"mine"
        inside.close()
        assert os.listdir("/dev/fd") == before
