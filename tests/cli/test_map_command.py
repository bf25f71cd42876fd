"""`crimes map`: writes the page outside the repository, prints its address, and opens it when asked."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import tangled


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/__init__.py": "", "shop/a.py": tangled("a")}, "Begin", days_ago=40)
    return made


def test_the_page_is_no_part_of_the_repository_and_the_same_each_time(repo: GitRepo, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    done = run_crimes(repo.path, "map", CRIMES_CACHE_DIR=cache)
    assert done.returncode == 0, done.stderr
    address = done.stdout.strip()
    assert address.startswith("file:///")
    file = Path(unquote(address.removeprefix("file://")))
    assert file.is_relative_to(tmp_path / "cache" / "maps")
    first = file.read_bytes()
    assert b"shop/a.py" in first
    assert run_crimes(repo.path, "map", CRIMES_CACHE_DIR=cache).stdout == done.stdout
    assert file.read_bytes() == first
    # A scan without a cache knows the same.
    target = tmp_path / "page.html"
    assert run_crimes(repo.path, "map", "--no-cache", "-o", target, CRIMES_CACHE_DIR=cache).returncode == 0
    assert target.read_bytes() == first
    assert repo.git("status", "--porcelain") == ""


def test_open_starts_the_browser_with_the_page(repo: GitRepo, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    done = run_crimes(repo.path, "map", "--open", "-o", tmp_path / "page.html", BROWSER=f"{browser} %s")
    assert done.returncode == 0, done.stderr
    assert opened.read_text().strip() == done.stdout.strip() == (tmp_path / "page.html").as_uri()


def test_a_folder_without_code_has_a_page_that_says_so(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "empty")
    repo.commit({"notes.txt": "nothing\n"})
    done = run_crimes(repo.path, "map", "-o", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    assert "No source files found." in (tmp_path / "page.html").read_text()
