"""Both states of a change, for a process that stays."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files cannot be listed here")
def test_states_leave_no_folder_open_for_the_garbage_collector(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"app/core.py": "def f():\n    return 1\n"})
    session = Session(repo.path)
    gc.disable()
    try:
        with session.work_tree_state() as states:
            assert states.after.read("app/core.py")
            assert opened_below(repo.path) == {"app"}
        assert opened_below(repo.path) == set()
    finally:
        gc.enable()


def opened_below(root: Path) -> set[str]:
    """The folders below a root that this process has open."""
    opened = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            opened.add(os.readlink(descriptor))
        except FileNotFoundError:  # the listing itself
            continue
    return {os.path.relpath(path, root) for path in opened if path.startswith(f"{root}{os.sep}")}
