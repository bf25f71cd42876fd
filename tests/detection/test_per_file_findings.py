"""What detectors keep of a file they did not look at again still fits the files around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.model.codec import encode
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo

COLD = ScanOptions(cache=False, jobs=1)

HELPED = {
    "shop/cart.py": "def total(items):\n    return sum(items)\n",
    "tests/test_cart.py": "from shop.cart import total\nfrom tests.near import same\n\n\ndef test_total():\n"
    "    same(3)\n    total([1, 2])\n",
    "tests/near.py": "from tests.far import held\n\n\ndef same(a):\n    held(a)\n",
    "tests/far.py": "def held(a):\n    print(a)\n",
}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "repo")
    made.commit(HELPED)
    return made


def messages_of(repo: GitRepo, detector: str) -> list[str]:
    """The messages of a detector after an edit, which are those of a scan without a past."""
    warm, cold = Session(repo.path).report(), Session(repo.path, COLD).report()
    assert encode(warm) == encode(cold)
    return [finding.message for finding in warm.findings if finding.type == detector]


def test_hollow_test_is_silent_when_a_distant_helper_starts_asserting(repo: GitRepo) -> None:
    assert len(messages_of(repo, "hollow_test")) == 1
    repo.write({"tests/far.py": "def held(a):\n    assert a\n"})
    assert messages_of(repo, "hollow_test") == []
    repo.write({"tests/near.py": "def same(a):\n    print(a)\n"})
    assert len(messages_of(repo, "hollow_test")) == 1


def test_per_file_findings_follow_a_test_added_in_another_file(repo: GitRepo) -> None:
    assert len(messages_of(repo, "hollow_test")) == 1
    repo.write(
        {
            "tests/test_sum.py": "from shop.cart import total\n\n\ndef test_sum():\n    assert total([1]) == 1\n"
        }
    )
    assert messages_of(repo, "hollow_test") == []


def test_hollow_test_is_silent_when_the_function_returns_nothing(repo: GitRepo) -> None:
    assert len(messages_of(repo, "hollow_test")) == 1
    repo.write({"shop/cart.py": "def total(items):\n    print(items)\n    return\n"})
    assert messages_of(repo, "hollow_test") == []
