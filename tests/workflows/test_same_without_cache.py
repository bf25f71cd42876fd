"""`check` and `diff` say the same whatever earlier scans left in the cache, and without a cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """Two files that always change together, until the last commit changes one of them alone."""
    made = GitRepo(tmp_path / "shop")
    test = "from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
    made.commit({"shop/__init__.py": "", "tests/test_cart.py": test}, days_ago=100)
    for number in range(6):
        cart = f"LIMIT = {number}\n\n\ndef total(items):\n    return sum(items)\n"
        made.commit({"shop/cart.py": cart, "shop/prices.txt": f"{number}\n"}, days_ago=90 - number)
    made.commit({"shop/cart.py": "LIMIT = 9\n\n\ndef total(items):\n    return sum(items)\n"}, days_ago=1)
    return made


def output(repo: GitRepo, *arguments: str) -> str:
    done = run_crimes(repo.path, *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_diff_of_two_commits_does_not_depend_on_an_earlier_scan(repo: GitRepo) -> None:
    before = output(repo, "diff", "HEAD~1...HEAD")
    output(repo, "scan")
    assert output(repo, "diff", "HEAD~1...HEAD") == before


def test_check_without_a_cache_says_the_same(repo: GitRepo) -> None:
    repo.write({"shop/cart.py": "LIMIT = 10\n\n\ndef total(items):\n    return sum(items)\n"})
    plain = output(repo, "check", "--no-cache")
    assert "shop/prices.txt" in plain
    assert "tests/test_cart.py" in plain
    assert output(repo, "check") == plain
