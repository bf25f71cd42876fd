"""A commit scanned over the work tree has the report that a checkout of it gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.engine import scan_commit as engine
from crimes.engine.scan_commit import commit_cache, scan_commit
from crimes.model.codec import encode
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import PLAIN, tangled


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit(
        {
            "shop/__init__.py": "",
            "shop/core.py": tangled("first") + PLAIN,
            "shop/old.py": tangled("old").replace("a", "c"),
            "shop/user.py": "from shop.core import first\n",
            "notes.txt": "one\n",
            "include/a.h": "int a(void);\n",
        },
        days_ago=40,
    )
    made.commit({"shop/user.py": "from shop.core import first\n\nN = first(1)\n"}, days_ago=10)
    return made


def edit(repo: GitRepo) -> None:
    """Edit, move, delete and add, tracked and not."""
    repo.git("mv", "shop/old.py", "shop/moved.py")
    repo.write({"shop/core.py": PLAIN, "notes.txt": None, "data.csv": "1\n", "shop/new.py": tangled("third")})


def over_the_work_tree(repo: GitRepo, revision: str) -> bytes:
    session = Session(repo.path)
    session.report()
    _, work = session._open_cache()
    assert work is not None
    cache = commit_cache(repo.path, pytest.fail)
    return encode(scan_commit(repo.path, revision, session.config(), cache=cache, open_work=lambda: work))


@pytest.mark.parametrize("revision", ["HEAD", "HEAD~1"])
def test_report_over_the_work_tree_equals_that_of_a_checkout(
    repo: GitRepo, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(repo)
    expected = encode(scan_commit(repo.path, revision, Session(repo.path).config()))
    monkeypatch.setattr(engine, "temporary_checkout", lambda *given: pytest.fail("laid out"))
    assert over_the_work_tree(repo, revision) == expected


def test_attributes_that_give_roles_need_no_checkout(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({".gitattributes": "shop/old.py linguist-generated\n*.h linguist-language=C\n"})
    edit(repo)
    expected = encode(scan_commit(repo.path, "HEAD", Session(repo.path).config()))
    monkeypatch.setattr(engine, "temporary_checkout", lambda *given: pytest.fail("laid out"))
    assert over_the_work_tree(repo, "HEAD") == expected


def test_attributes_that_changed_need_a_checkout(repo: GitRepo) -> None:
    repo.commit({".gitattributes": "shop/old.py linguist-generated\n"})
    edit(repo)
    repo.write({".gitattributes": "shop/core.py linguist-generated\n"})
    expected = encode(scan_commit(repo.path, "HEAD", Session(repo.path).config()))
    assert over_the_work_tree(repo, "HEAD") == expected
