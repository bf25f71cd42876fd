"""Whatever happens to a repository between two scans, the one with a cache says what the one without says, to the byte."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crimes.incremental import recorder, stamps
from crimes.model.codec import encode
from crimes.workflows.briefing.build import brief
from crimes.workflows.last_scan import load_names
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.cached_answers import cached_answers
from tests.kit.gitrepo import GitRepo

COLD = ScanOptions(cache=False, jobs=1)
NAMES = (
    "app/core.py",
    "app/views.py",
    "app/util.py",
    "tests/test_core.py",
    "web/main.ts",
    "README.md",
    "new/deep/one.py",
)
LONG = "def long(a, b):\n" + "".join(
    f"    made_{n} = {' + '.join(['a', 'b[1]', 'run(2)'] * n)}\n    if a > {n}:\n        b += a\n"
    for n in range(1, 12)
)
CONTENTS = (
    "import app.core\n\n\ndef run(a, b):\n    try:\n        return a + b\n    except Exception:\n        pass\n",
    "from app import util\n\n\ndef test_run():\n    assert util.run(1, 2) == 3\n",
    "from app.core import run\nfrom app import views\nX = run(1, 2)  # I think this works\n",
    "def run(a, c):\n    return a - c\n",
    "def run(a, d):\n    return a * d\n",  # as long as the one before
    "export function main() { return require('./x') }\n",
    "# Title\n\nRun `app/util.py`, then `make nothing`.\n",
    "from app.core import *\nfrom app.views import run as walk\n",
    "def test_run():\n    from app.core import run\n    run(1, 2)\n\n\ndef save(a, force=False, quiet=True):\n    save(a, True, False)\n",
    "def visit_a(a):\n    return a\n\n\ndef visit_b(b):\n    return b\n\n\ndef run(kind, a):\n    return getattr(run, 'visit_' + kind)(a)\n",
    "import time\nimport subprocess\n\n\nasync def run(a, b):\n    time.sleep(a)\n    open(b)\n\n\nsubprocess.run(['ls'])\n",
    "from app.core import show\nfrom app.util import run\n\n\ndef test_show():\n    run(1, 2)\n    show(1, True, False, True)\n",
    "def show(a, deep=False, quiet=True, fast=False):\n    return show(a, True, True, False)\n\n\ndef run(a, b):\n    assert a < b\n",
    "from app.core import show as run\n\n\ndef show(a):\n    return run(a, True, False, True)\n",
    LONG,
    f"def other():\n    return 1\n\n\n{LONG}",
    "def broken(:\n",
    "\0binary",
)
CONFIGURATIONS = (
    "",
    'exclude = ["web/"]\n',
    'tests = ["app/util.py"]\n',
    "[detectors.god_function]\nenabled = false\n",
)

Step = Callable[[GitRepo], None]


def attempt(repo: GitRepo, *arguments: str) -> None:
    """A git command that may well have nothing to do."""
    try:
        repo.git(*arguments)
    except AssertionError:
        return


def write(name: str, content: str) -> Step:
    return lambda repo: repo.write({name: content})


def write_unseen(name: str, content: str) -> Step:
    """As an editor that restores the time of the file."""

    def step(repo: GitRepo) -> None:
        path = repo.path / name
        if path.exists():
            before = path.stat()
            path.write_text(content)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    return step


def touch(name: str) -> Step:
    return lambda repo: (repo.path / name).touch() if (repo.path / name).exists() else None


def delete(name: str) -> Step:
    return lambda repo: (repo.path / name).unlink(missing_ok=True)


def move(name: str, other: str) -> Step:
    def step(repo: GitRepo) -> None:
        if (repo.path / name).exists() and name != other:
            (repo.path / other).parent.mkdir(parents=True, exist_ok=True)
            os.replace(repo.path / name, repo.path / other)

    return step


def link(name: str) -> Step:
    def step(repo: GitRepo) -> None:
        place = repo.path / "app/linked.py"
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(repo.path / name)

    return step


def commit(repo: GitRepo) -> None:
    repo.git("add", "-A")
    attempt(repo, "commit", "-q", "-m", "Fix: more", "--allow-empty")


def git(*arguments: str) -> Step:
    return lambda repo: attempt(repo, *arguments)


def switch(branch: str) -> Step:
    def step(repo: GitRepo) -> None:
        commit(repo)
        attempt(repo, "switch", "-q", "-c", branch)
        attempt(repo, "switch", "-q", branch)

    return step


def append(name: str, line: str) -> Step:
    def step(repo: GitRepo) -> None:
        place = repo.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a") as file:
            file.write(line)

    return step


LCOV = "SF:app/core.py\nDA:1,1\nDA:4,0\nend_of_record\n"
names, contents = st.sampled_from(NAMES), st.sampled_from(CONTENTS)
steps = st.one_of(
    st.builds(write, names, contents),
    st.builds(write_unseen, names, contents),
    st.builds(touch, names),
    st.builds(delete, names),
    st.builds(move, names, names),
    st.builds(link, names),
    st.builds(switch, st.sampled_from(("main", "other"))),
    st.just(commit),
    st.builds(git, st.just("stash"), st.sampled_from(("push", "pop"))),
    st.builds(git, st.just("add"), names),
    st.builds(git, st.just("rm"), st.just("--cached"), st.just("-q"), names),
    st.builds(git, st.just("reset"), st.just("-q"), st.just("--hard"), st.just("HEAD~1")),
    st.builds(write, st.just("crimes.toml"), st.sampled_from(CONFIGURATIONS)),
    st.builds(write, st.just("lcov.info"), st.just(LCOV)),
    st.builds(append, st.just(".gitignore"), st.sampled_from(("web/\n", "app/util.py\n", "*.md\n"))),
    st.builds(append, st.just(".git/info/exclude"), st.just("new/\n")),
    st.builds(append, st.just(".gitattributes"), st.just("app/views.py linguist-generated\n")),
    st.builds(append, st.just(".git-blame-ignore-revs"), st.just("0" * 40 + "\n")),
    st.builds(append, st.just("web/package.json"), st.just('{"name": "web"}')),
    st.builds(append, st.just("app/__pycache__/core.pyc"), st.just("x")),
    st.builds(append, st.just("CODEOWNERS"), st.sampled_from(("*.py @ada\n", "/app/ @bob\n"))),
)


def first_repository(folder: Path) -> GitRepo:
    repo = GitRepo(folder)
    repo.commit(
        {
            "app/__init__.py": "",
            "app/core.py": CONTENTS[3],
            "app/views.py": CONTENTS[2],
            "tests/test_core.py": CONTENTS[1],
            "web/main.ts": CONTENTS[5],
            "README.md": CONTENTS[6],
            ".gitignore": "__pycache__/\n",
        },
        "First",
        days_ago=200,
    )
    repo.commit({"app/core.py": CONTENTS[0]}, "Fix the core", days_ago=3)
    return repo


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Removed after each test by hand: there is one repository for each example."""
    made = Path(tempfile.mkdtemp())
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(made / "cache"))
    yield made
    shutil.rmtree(made)


@pytest.mark.parametrize("racy", [stamps.RACY_NS, 0], ids=["content decides", "times decide"])
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(changes=st.lists(steps, min_size=3, max_size=7))
def test_warm_scan_equals_cold_scan_after_any_edits(
    racy: int, changes: list[Step], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "RACY_NS", racy)
    monkeypatch.setattr(recorder, "RACY_NS", racy)
    repo = first_repository(Path(tempfile.mkdtemp(dir=folder)) / "repo")
    for change in (lambda repo: None, *changes):
        change(repo)
        time.sleep(0.02)  # longer than a tick of the clock that the times of files come from
        warm, again, names = Session(repo.path).report(), Session(repo.path).report(), load_names(repo.path)
        cold = Session(repo.path, COLD).report()
        assert encode(warm) == encode(cold)
        assert encode(again) == encode(cold)
        assert names == load_names(repo.path)
    assert_briefings_are_those_of_a_scan(repo.path)


def assert_briefings_are_those_of_a_scan(root: Path) -> None:
    from tests.kit.briefings import encode_all

    scan = Session(root, COLD).scan()
    answers = cached_answers(root)
    if answers.still_hold():
        expected = encode_all(scan)
        assert answers.some_briefings(expected) == expected
        assert all(brief(scan, path).file == path for path in expected)
    answers.cache.close()
