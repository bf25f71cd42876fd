"""After an edit only the briefings it can have changed are made again, and all are what a scan without a cache says."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crimes.workflows.briefing import build, parts, refresh
from crimes.workflows.briefing.refresh import RefreshedBriefings
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.briefings import encode_all
from tests.kit.cached_answers import cached_answers
from tests.kit.gitrepo import GitRepo

CORE = "def run(a, b):\n    return a + b\n"


def padding(lines: int) -> str:
    """Lines of code that keep a file where it is in the ranking by edit risk, whatever small edits do."""
    return "".join(f"VALUE_{number} = {number}\n" for number in range(lines))


# Enough to be judged: where a scan is not trusted, every briefing states the reason.
FUNCTIONS = "".join(f"def value_{number}():\n    return {number}\n" for number in range(10))
FILES = {
    "app/__init__.py": "",
    "app/core.py": CORE,
    "app/views.py": f"from app.core import run\n\n\ndef show():\n    return run(1, 2)\n{FUNCTIONS}{padding(3000)}",
    "app/other.py": "def other():\n    return 1\n",
    "tests/test_core.py": "from app.core import run\n\n\ndef test_run():\n    assert run(1, 2) == 3\n",
    "CODEOWNERS": "*.py @ada\n",
}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "repo")
    made.commit(FILES, "First", days_ago=9)
    Session(made.path).scan()
    return made


def refreshed_briefings(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> RefreshedBriefings:
    """Scan with the cache; what it refreshed, once every cached briefing equals that of a cold scan."""
    refreshed: list[RefreshedBriefings] = []

    def recording(*given: object) -> RefreshedBriefings:
        refreshed.append(original(*given))  # type: ignore[arg-type]
        return refreshed[-1]

    original = refresh.refresh_briefings
    with monkeypatch.context() as patch:
        patch.setattr(refresh, "refresh_briefings", recording)
        Session(repo.path).scan()
    answers = cached_answers(repo.path)
    assert answers.briefings_hold()
    expected = encode_all(Session(repo.path, ScanOptions(cache=False)).scan())
    assert answers.some_briefings(expected) == expected
    answers.cache.close()
    return refreshed[0]


def test_edit_of_one_body_rebuilds_one_briefing(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write({"app/core.py": CORE.replace("+", "-") + "\n\ndef more():\n    return 2\n"})
    remade = refreshed_briefings(repo, monkeypatch)
    assert not remade.whole
    assert list(remade.briefings) == ["app/core.py"]


def test_change_of_shared_facts_rebuilds_all_briefings(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for change in (
        {"CODEOWNERS": "*.py @bob\n"},
        {"tests/test_core.py": "from app.core import run\n\nHELPER = run\n"},  # no test any more
        {"pyproject.toml": "[tool.pytest.ini_options]\n"},
        {"app/new.py": "X = 1\n"},
    ):
        repo.write(change)
        assert refreshed_briefings(repo, monkeypatch).whole, change
    repo.commit({}, "All of it", days_ago=1)
    assert refreshed_briefings(repo, monkeypatch).whole


def test_manifest_is_still_watched_after_a_partial_rebuild(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write({"app/core.py": CORE.replace("+", "*")})
    assert not refreshed_briefings(repo, monkeypatch).whole
    repo.write({"CODEOWNERS": "*.py @eve\n"})
    answers = cached_answers(repo.path)
    assert not answers.briefings_hold()
    answers.cache.close()
    assert refreshed_briefings(repo, monkeypatch).whole


def test_edit_that_moves_ranks_rebuilds_the_briefings_of_the_files_that_moved(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write({"app/other.py": FILES["app/other.py"] + padding(9000)})
    remade = refreshed_briefings(repo, monkeypatch)
    assert not remade.whole
    assert {"app/other.py", "app/views.py"} <= set(remade.briefings)
    assert "tests/test_core.py" not in remade.briefings


def test_finding_in_another_file_rebuilds_its_briefing(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of code in one file is told in the briefing of the other, too."""
    body = "".join(f"    made_{n} = {' + '.join(['a', 'b[1]', 'run(2)'] * n)}\n" for n in range(1, 16))
    repo.commit({"app/other.py": f"def other(a, b):\n{body}"}, "Long", days_ago=2)
    assert refreshed_briefings(repo, monkeypatch).whole
    repo.write({"app/core.py": f"{CORE}\n\ndef same(a, b):\n{body}"})
    remade = refreshed_briefings(repo, monkeypatch)
    assert not remade.whole
    assert set(remade.briefings) == {"app/core.py", "app/other.py"}


def test_new_import_rebuilds_the_briefings_of_both_ends(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write({"app/other.py": "from app.core import run\n\n\ndef other():\n    return run(1, 2)\n"})
    remade = refreshed_briefings(repo, monkeypatch)
    assert not remade.whole
    assert set(remade.briefings) == {"app/core.py", "app/other.py"}
    repo.write({"app/core.py": "import app.deep\n", "app/deep.py": ""})
    assert refreshed_briefings(repo, monkeypatch).whole  # a file more
    repo.write({"app/other.py": "def other():\n    return 1\n"})
    remade = refreshed_briefings(repo, monkeypatch)
    assert set(remade.briefings) == {"app/core.py", "app/other.py", "app/deep.py"}


def test_shorter_import_path_rebuilds_the_briefings_it_reaches(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No count changes in `d`, but who is near does."""
    chain = {
        "a.py": "import b\n" + padding(100),
        "b.py": "import c\n",
        "c.py": "import d\n",
        "d.py": "import e\n",
        "e.py": "",
    }
    repo.commit(chain, "A chain", days_ago=2)
    assert refreshed_briefings(repo, monkeypatch).whole
    repo.write({"a.py": "import b\nimport c\n" + padding(100)})
    remade = refreshed_briefings(repo, monkeypatch)
    assert not remade.whole
    assert set(remade.briefings) == {"a.py", "c.py", "d.py", "e.py"}


def test_edit_of_a_user_refreshes_the_tests_of_what_it_uses_though_no_import_changed(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test that takes from a file only what that has from elsewhere is none of it, unless it has nothing else."""
    imports = "from app.core import run\nfrom app.helper import assist\n"
    repo.commit(
        {
            "app/helper.py": "def assist():\n    return 1\n",
            "app/user.py": f"{imports}\n\ndef use():\n    return run(assist(), 1)\n",
            "tests/test_user.py": "from app.user import run\n\n\ndef test_run():\n    assert run(1, 2) == 3\n",
        },
        "A user",
        days_ago=5,
    )
    refreshed_briefings(repo, monkeypatch)
    repo.write({"app/user.py": f"{imports}\nVALUE = run(assist(), 1)\n"})
    refreshed = refreshed_briefings(repo, monkeypatch)
    assert not refreshed.whole
    assert "app/helper.py" in refreshed.briefings


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_refreshed_briefings_equal_rebuilt_ones_after_random_edits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, random: Random
) -> None:
    """With short lists, so that what is left out of them matters."""
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setattr(build, "_MAX_SEARCHED", 4)
    monkeypatch.setattr(parts, "_MAX_CLOSEST", 2)
    names = [f"m{n:02}" for n in range(14)] + ["test_a", "test_b"]

    def text(name: str) -> str:
        before = names[: names.index(name)]
        found = random.sample(before, k=min(len(before), random.choice([0, 1, 1, 2, 3, 6])))
        return (
            "".join(f"import {module}\n" for module in found)
            + f"\n\ndef test_{name}():\n    assert {name!r}\n"
        )

    repo = GitRepo(folder / "repo")
    repo.commit({f"{name}.py": text(name) for name in names}, "First", days_ago=9)
    Session(repo.path).scan()
    for _ in range(4):
        name = random.choice(names)
        repo.write({f"{name}.py": text(name)})
        refreshed_briefings(repo, monkeypatch)
