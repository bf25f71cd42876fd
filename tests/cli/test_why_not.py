"""`crimes scan --why-not FILE`: what is not reported, and why."""

from __future__ import annotations

from pathlib import Path

from crimes.config.schema import Config, DetectorConfig
from crimes.engine.scan import scan
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo

SYNC = """\
def pull(api):
    try:
        api.pull()
        api.commit()
    except Exception:
        # The next run pulls again, so a lost one is harmless.
        pass


def push(api):
    try:
        api.publish()
        api.mark()
    except Exception:
        pass
"""


def make_repository(tmp_path: Path) -> Path:
    files = {
        "shop/sync.py": SYNC,
        "tests/test_sync.py": "def test_sync():\n    assert True\n",
        "crimes.toml": "[detectors.silent_failure]\nenabled = true\n",
    }
    repo = GitRepo(tmp_path / "shop")
    repo.commit(files, "Begin")
    return repo.path


def test_why_not_prints_an_excuse_with_its_line_and_reason(tmp_path: Path) -> None:
    done = run_crimes(make_repository(tmp_path), "scan", "--why-not", "shop/sync.py")
    assert done.returncode == 0, done.stderr
    assert "shop/sync.py: source, 1 finding reported" in done.stdout
    assert "line 5 pull: silent_failure stays silent: a comment or the documentation says why" in done.stdout
    assert "line 14" not in done.stdout


def test_excuse_is_not_reported_as_a_finding(tmp_path: Path) -> None:
    chosen = Config(detectors={"silent_failure": DetectorConfig(enabled=True)})
    result = scan(make_repository(tmp_path), chosen)
    lines = [crime.lines.start for crime in result.report.findings if crime.type == "silent_failure"]
    assert lines == [14]
    assert [(detector, one.place.start) for detector, one in result.excused] == [("silent_failure", 5)]
    ran = {run.id: run.findings for run in result.report.detectors}
    assert ran["silent_failure"] == 1


def test_file_may_be_named_relative_to_the_current_directory(tmp_path: Path) -> None:
    done = run_crimes(make_repository(tmp_path) / "shop", "scan", "--why-not", "sync.py")
    assert "shop/sync.py: source" in done.stdout, done.stderr


def test_why_not_explains_that_tests_are_mostly_skipped(tmp_path: Path) -> None:
    done = run_crimes(make_repository(tmp_path), "scan", "--why-not", "tests/test_sync.py")
    assert "most detectors look at production code only" in done.stdout


def test_disabled_detectors_are_listed(tmp_path: Path) -> None:
    root = make_repository(tmp_path)
    (root / "crimes.toml").write_text("[detectors.silent_failure]\nenabled = false\n")
    done = run_crimes(root, "scan", "--why-not", "shop/sync.py")
    assert "stays silent" not in done.stdout
    assert "silent_failure" in done.stdout.partition("Off:")[2]


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    done = run_crimes(make_repository(tmp_path), "scan", "--why-not", "shop/none.py")
    assert done.returncode == 2
    assert "shop/none.py was not read" in done.stderr
    assert not done.stdout
