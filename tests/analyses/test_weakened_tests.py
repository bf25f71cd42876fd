"""Tests that a change removes, skips or leaves with fewer checks, in real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.changes import items_after, places
from tests.kit.gitrepo import GitRepo

CART = "def total(items):\n    return sum(items)\n\n\ndef count(items):\n    return len(items)\n"
EDITED = CART.replace("sum(items)", "sum(items) + 1")
TESTS = (
    "from cart import count, total\n\n\n"
    "def test_total():\n    assert total([1]) == 1\n    assert total([]) == 0\n\n\n"
    "def test_count():\n    assert count([1]) == 1\n"
)
SKIP = "import pytest\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "repo")
    made.commit({"cart.py": CART, "tests/test_cart.py": TESTS})
    return made


def facts_after(repo: GitRepo, cart: str, tests: str | None) -> list[str]:
    return [
        item.fact
        for item in items_after(repo, {"cart.py": cart, "tests/test_cart.py": tests}, "weakened_test")
    ]


def test_a_removed_test_is_named_when_what_it_tests_changed(repo: GitRepo) -> None:
    kept = TESTS.split("\n\n\ndef test_count")[0] + "\n"
    assert facts_after(repo, EDITED, kept) == [
        "`test_count` in tests/test_cart.py was removed in a change to cart.py."
    ]


def test_a_skipped_test_is_named_with_its_line(repo: GitRepo) -> None:
    skipped = SKIP + TESTS.replace("def test_total", "@pytest.mark.skip\ndef test_total")
    (item,) = items_after(repo, {"cart.py": EDITED, "tests/test_cart.py": skipped}, "weakened_test")
    assert item.fact == "`test_total` in tests/test_cart.py was skipped in a change to cart.py."
    assert places((item,)) == ["tests/test_cart.py:6"]


def test_a_test_with_fewer_checks_is_named(repo: GitRepo) -> None:
    fewer = TESTS.replace("    assert total([]) == 0\n", "")
    assert facts_after(repo, EDITED, fewer) == [
        "`test_total` in tests/test_cart.py was left with fewer checks in a change to cart.py."
    ]


def test_tests_may_change_alone(repo: GitRepo) -> None:
    assert facts_after(repo, CART, TESTS.replace("    assert total([]) == 0\n", "")) == []


def test_a_test_may_go_with_the_function_it_tests(repo: GitRepo) -> None:
    assert (
        facts_after(
            repo, CART.split("\n\n\ndef count")[0] + "\n", TESTS.split("\n\n\ndef test_count")[0] + "\n"
        )
        == []
    )


def test_a_renamed_test_is_not_removed(repo: GitRepo) -> None:
    assert facts_after(repo, EDITED, TESTS.replace("test_count", "test_number_of_items")) == []


def test_a_moved_test_is_not_removed(repo: GitRepo) -> None:
    head, _, count = TESTS.partition("\n\n\ndef test_count")
    repo.write({"tests/test_more.py": f"from cart import count\n\n\ndef test_count{count}"})
    assert facts_after(repo, EDITED, f"{head}\n") == []


def test_a_skipped_test_in_another_notation_is_found(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "web")
    test = "import { total } from './cart';\n\nit('adds', () => {\n  expect(total([1])).toBe(1);\n});\n"
    repo.commit({"cart.ts": "export const total = (n: number[]) => n.length;\n", "cart.test.ts": test})
    edit = {
        "cart.ts": "export const total = (n: number[]) => n.length + 1;\n",
        "cart.test.ts": test.replace("it(", "it.skip("),
    }
    (item,) = items_after(repo, edit, "weakened_test")
    assert item.fact.endswith("in cart.test.ts was skipped in a change to cart.ts.")
