"""The map of a repository: what is known of every file, and what is not known is not stated as none."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.render.html.map_data import build_model
from crimes.workflows.repository_map import RepositoryMap, map_of_report, scan_map
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import tangled

FILES = {
    "shop/__init__.py": "",
    "shop/a.py": "from shop.core import b\n\n" + tangled("a"),
    "shop/core/__init__.py": "",
    "shop/core/b.py": tangled("b"),
    "tests/test_a.py": "from shop.a import a\n\n\ndef test_a():\n    assert a(1, 2, 3)\n",
    ".github/CODEOWNERS": "/shop/core/ @core\n",
}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    made.commit(FILES, "Begin", days_ago=100)
    made.commit({"shop/a.py": FILES["shop/a.py"] + "# again\n"}, "Fix the total", days_ago=40)
    made.commit({"notes.txt": "later\n"}, "Notes")
    return made


def map_of(path: Path, *, cache: bool = True) -> RepositoryMap:
    session = Session(path, ScanOptions(cache=cache, jobs=1))
    made = scan_map(session, session.report())
    assert made is not None
    return made


def test_each_file_has_its_past_its_imports_and_its_owner(repo: GitRepo) -> None:
    files = {file.path: file for file in map_of(repo.path).files}
    assert sorted(files) == ["shop/a.py", "shop/core/b.py", "tests/test_a.py"]
    a, b = files["shop/a.py"], files["shop/core/b.py"]
    assert (a.commits_90d, a.fixes_365d, a.age_days("2025-06-01"), a.owner) == (1, 1, 40, "Ada")
    assert (sum(a.months.commits), sum(a.months.fixes)) == (2, 1)
    assert "shop/core/b.py" in a.imports
    assert (b.owner, b.dependents) == ("@core", 2)
    assert (a.test_gap, files["tests/test_a.py"].test_gap) == (0.0, None)


def test_the_map_is_the_same_from_the_cache_and_without_one(repo: GitRepo) -> None:
    assert map_of(repo.path) == map_of(repo.path) == map_of(repo.path, cache=False)


def test_folders_of_source_files_import_each_other(repo: GitRepo) -> None:
    graph = map_of(repo.path).folders
    assert graph is not None
    assert [(folder.path, folder.importers) for folder in graph.folders] == [("shop/core", 1), ("shop", 0)]


def test_without_a_history_commits_are_not_known_and_no_colour_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    for name, text in FILES.items():
        path = tmp_path / "plain" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    session = Session(tmp_path / "plain", ScanOptions(jobs=1))
    report = session.report()
    made = scan_map(session, report)
    assert made is not None
    assert {(file.commits_90d, file.fixes_365d) for file in made.files} == {(None, None)}
    shown = [colouring.key for colouring in build_model(report, made).colourings()]
    assert "complexity" in shown
    assert not {"risk", "commits", "fixes", "age"} & set(shown)


def test_a_report_alone_has_its_ranked_files_and_says_what_is_missing(repo: GitRepo) -> None:
    report = Session(repo.path, ScanOptions(jobs=1)).report()
    made = map_of_report(report)
    assert [file.path for file in made.files] == sorted(file.file for file in report.edit_risk.files)
    assert made.folders is None
    assert "from a report alone" in made.missing[0]
