"""The last scan is kept and found again, and no fault of the cache is a failure of the command."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec
import pytest

from crimes.model.codec import encode
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Tool
from crimes.model.scan_request import ScanRequest
from crimes.system.user_dirs import cache_directory
from crimes.workflows import last_scan
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo
from tests.kit.reports import crime, report


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def only_file(cache: Path) -> Path:
    (file,) = (path for path in cache.rglob("*") if path.is_file())
    return file


def test_saved_report_is_loaded(tmp_path: Path) -> None:
    made = report(crime(), hidden=(crime(line=99),))
    last_scan.save(tmp_path, made)
    stored = last_scan.load(tmp_path)
    assert stored is not None
    assert stored.report == made


def test_repository_without_a_scan_has_no_stored_report(tmp_path: Path) -> None:
    assert last_scan.load(tmp_path) is None


def test_two_repositories_do_not_mix(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    last_scan.save(tmp_path / "one", report(crime("one.py")))
    last_scan.save(tmp_path / "two", report(crime("two.py")))
    stored = last_scan.load(tmp_path / "one")
    assert stored is not None
    assert stored.report.findings[0].file == "one.py"


def test_a_link_to_the_repository_is_the_repository(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    last_scan.save(tmp_path / "real", report(crime()))
    assert last_scan.load(tmp_path / "link") is not None


def test_a_second_save_replaces_the_first_and_leaves_nothing_behind(tmp_path: Path, cache: Path) -> None:
    last_scan.save(tmp_path, report(crime("old.py")))
    last_scan.save(tmp_path, report(crime("new.py")))
    stored = last_scan.load(tmp_path)
    assert stored is not None
    assert stored.report.findings[0].file == "new.py"
    only_file(cache)


def test_stored_scan_is_private_to_the_user(tmp_path: Path, cache: Path) -> None:
    last_scan.save(tmp_path, report(crime()))
    assert stat.S_IMODE(only_file(cache).stat().st_mode) & 0o077 == 0


def test_a_name_that_is_not_utf8_can_be_kept(tmp_path: Path) -> None:
    last_scan.save(tmp_path, report(crime("caf\udce9.py")))
    stored = last_scan.load(tmp_path)
    assert stored is not None
    assert stored.report.findings[0].file == "caf\\xe9.py"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"null", b'{"schema_version": "1.0"}', b"\xff\xfe", b"[" * 100_000]
)
def test_a_corrupt_file_is_set_aside_with_a_reason(tmp_path: Path, cache: Path, content: bytes) -> None:
    last_scan.save(tmp_path, report(crime()))
    only_file(cache).write_bytes(content)
    with pytest.raises(EnvironmentFault, match="is ignored"):
        last_scan.load(tmp_path)


def test_a_scan_of_another_version_is_set_aside(tmp_path: Path) -> None:
    last_scan.save(tmp_path, report(tool=Tool("crimes", "0.0.1")))
    with pytest.raises(EnvironmentFault, match=r"made by crimes 0\.0\.1"):
        last_scan.load(tmp_path)


def test_a_scan_of_another_schema_is_set_aside(tmp_path: Path) -> None:
    last_scan.save(tmp_path, msgspec.structs.replace(report(), schema_version="9.0"))
    with pytest.raises(EnvironmentFault, match=r"schema version 9\.0"):
        last_scan.load(tmp_path)


def test_a_cache_directory_that_cannot_be_made_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.raises(EnvironmentFault, match="was not stored"):
        last_scan.save(tmp_path, report())


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_cache_directory_is_a_fault(tmp_path: Path, cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o500)
    with pytest.raises(EnvironmentFault, match="was not stored"):
        last_scan.save(tmp_path, report())


def test_cache_directory_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CRIMES_CACHE_DIR")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_directory() == tmp_path / "xdg" / "crimes"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "crimes"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_directory() == tmp_path / "Library" / "Caches" / "crimes"


@pytest.mark.parametrize(
    "between",
    [
        Session(Path(), request=ScanRequest(enable=("silent_failure",))),
        Session(Path(), ScanOptions(cache=False)),
    ],
    ids=["a scan with other options", "a scan that keeps no report"],
)
def test_cached_report_comes_with_the_names_of_its_own_tree(tmp_path: Path, between: Session) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "def first():\n    return 1\n"})
    made = encode(Session(repo.path).report())
    repo.write({"a.py": "def second():\n    return 1\n"})
    Session(repo.path, between.options, request=between.request).report()
    repo.git("reset", "-q", "--hard")
    assert encode(Session(repo.path).report()) == made
    names = last_scan.load_names(repo.path)
    assert names is not None
    assert (names.has_symbol("first"), names.has_symbol("second")) == (True, False)
