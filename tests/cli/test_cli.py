"""The commands as a user runs them: output, exit codes, and messages instead of tracebacks."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest
import typer
from typer.testing import CliRunner

import crimes.cli.app
from crimes import __version__
from crimes.__main__ import main
from crimes.cli.as_of import parse_as_of
from crimes.cli.progress import progress
from crimes.model.codec import encode
from crimes.model.errors import ConfigError, UsageError
from crimes.system.roots import locate_file, resolve_root
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.reports import crime, report
from tests.kit.sample_code import TANGLED

Ending = Callable[[BaseException], tuple[object, str]]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def repo(tmp_path: Path, cache: Path) -> GitRepo:
    """A small repository with one tangled function, a test, and a month of history."""
    made = GitRepo(tmp_path / "shop")
    made.commit({"shop/__init__.py": "", "shop/core.py": TANGLED + "    return a\n"}, "Begin", days_ago=30)
    made.commit(
        {
            "shop/api.py": "from shop.core import tangled\n\n\ndef call():\n    return tangled(1)\n",
            "tests/test_core.py": "from shop.core import tangled\n\ndef test():\n    assert not tangled(0)\n",
            "pyproject.toml": "[tool.pytest.ini_options]\n",
        },
        "Fix the call",
        days_ago=3,
    )
    return made


def first_id(repo: GitRepo) -> str:
    done = run_crimes(repo.path, "scan", "--format", "json")
    return str(json.loads(done.stdout)["findings"][0]["id"])


# Endings.


@pytest.fixture
def end_with(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ending:
    """Run `main` with a command that raises; the exit code and what stands on stderr."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("CRIMES_DEBUG", raising=False)

    def run(error: BaseException) -> tuple[object, str]:
        def command(arguments: list[str], prog_name: str) -> None:
            raise error

        monkeypatch.setattr(crimes.cli.app, "app_for", lambda arguments: command)
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code, capfd.readouterr().err

    return run


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (SystemExit(0), 0, ""),
        (SystemExit(1), 1, ""),
        (SystemExit(2), 2, ""),
        (KeyboardInterrupt(), 130, ""),
        (UsageError("there is no folder x"), 2, "crimes: there is no folder x\n"),
        (ConfigError("crimes.toml", ("a: wrong", "b: wrong")), 2, "  - a: wrong\n  - b: wrong\n"),
        (MemoryError(), 2, "crimes: out of memory"),
        (
            RecursionError("maximum recursion depth exceeded"),
            2,
            "crimes: the code is nested too deeply",
        ),
        (ValueError("boom\nsecond line"), 2, "crimes: internal error: ValueError: boom\nPlease report this"),
        (BrokenPipeError(errno.EPIPE, "a pipe to git"), 2, "crimes: internal error: BrokenPipeError"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "crimes: internal error: OSError"),
        (UsageError("bad \x1b[31mname"), 2, "bad \\x1b[31mname"),
    ],
)
def test_every_kind_of_failure_has_its_exit_code_and_message(
    end_with: Ending, error: BaseException, code: int, message: str
) -> None:
    found, told = end_with(error)
    assert found == code
    assert message in told
    assert bool(told) == bool(message)
    assert "Traceback" not in told


def test_traceback_is_shown_with_crimes_debug(end_with: Ending, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_DEBUG", "1")
    _, told = end_with(ValueError("boom"))
    assert "Traceback" in told
    assert "ValueError: boom" in told


@pytest.mark.parametrize(
    "arguments", [["--help"], ["scan", "--help"], ["detectors"], ["scan", "--format", "json"]]
)
def test_closed_pipe_is_not_a_failure(repo: GitRepo, arguments: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "crimes", *arguments],
        cwd=repo.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=120), told) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [["--help"], ["detectors"], ["scan", "--format", "json"]])
def test_a_full_disk_is_a_clear_message(repo: GitRepo, arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "crimes", *arguments],
            cwd=repo.path,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_a_closed_stdout_or_stderr_is_survived(repo: GitRepo) -> None:
    for closed in (">&-", "2>&-"):
        command = f'"{sys.executable}" -m crimes scan {closed}'
        done = subprocess.run(
            command, shell=True, cwd=repo.path, stdout=subprocess.PIPE, check=False, timeout=120
        )
        assert done.returncode == 0


def test_a_current_directory_that_is_gone_is_a_clear_message(tmp_path: Path) -> None:
    script = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.executable, [sys.executable, '-m', 'crimes', 'scan'])"
    (tmp_path / "gone").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path / "gone", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "crimes: the current directory no longer exists\n")


def test_an_interrupt_ends_with_130(repo: GitRepo) -> None:
    os.mkfifo(repo.path / "report")  # a writer waits here until somebody reads
    script = (  # whoever runs the tests in the background ignores interrupts, and hands that on
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
        "os.execv(sys.executable, [sys.executable, '-m', 'crimes', 'scan', '-o', 'report'])"
    )
    process = subprocess.Popen([sys.executable, "-c", script], cwd=repo.path, stderr=subprocess.PIPE)
    assert process.stderr is not None
    kept = Path(os.environ["CRIMES_CACHE_DIR"]) / "last-scan"
    while not list(kept.glob("*.json")):  # the scan is over; only the report is left to write
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    process.stderr.close()
    # Interrupted inside an exec() of the standard library, Python ends by the signal itself: 130 to a shell, too.
    assert process.wait(timeout=60) in (130, -signal.SIGINT)
    assert told == b""


def test_usage_errors_end_with_two_and_suggest() -> None:
    done = run_crimes(ROOT, "scna")
    assert done.returncode == 2
    assert "scan" in done.stderr
    assert done.stdout == ""
    assert run_crimes(ROOT, "scan", "--format", "yaml").returncode == 2
    assert run_crimes(ROOT, "scan", "--top", "0").returncode == 2


def test_version_and_help_are_printed() -> None:
    assert run_crimes(ROOT, "--version").stdout == f"crimes {__version__}\n"
    shown = run_crimes(ROOT, "--help").stdout
    for command in ("scan", "explain", "context", "check", "diff"):
        assert f"\n  {command} " in shown
    assert " detectors," in shown  # listed by name only
    assert "verdict" not in shown


# Which repository, which file.


def test_the_root_is_the_repository_around_or_the_folder_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert resolve_root(None) == tmp_path / "repo"
    assert resolve_root(Path()) == deep
    (tmp_path / "repo" / "a" / "crimes.toml").write_text("")
    assert resolve_root(None) == tmp_path / "repo" / "a"


def test_a_file_is_named_from_its_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "a").mkdir()
    (tmp_path / "repo" / "a" / "x.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert locate_file(Path("repo/a/x.py")) == (tmp_path / "repo", "a/x.py")
    monkeypatch.chdir(tmp_path / "repo" / "a")
    assert locate_file(Path("x.py")) == (tmp_path / "repo", "a/x.py")
    assert locate_file(Path("a/x.py")) == (tmp_path / "repo", "a/x.py")  # as answers name it


def test_invalid_paths_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "outside.py").write_text("")
    (tmp_path / "repo" / "link.py").symlink_to("../outside.py")
    monkeypatch.chdir(tmp_path / "repo")
    with pytest.raises(UsageError, match="no such folder"):
        resolve_root(Path("nowhere"))
    with pytest.raises(UsageError, match="is a file"):
        resolve_root(tmp_path / "outside.py")
    with pytest.raises(UsageError, match="no such file"):
        locate_file(Path("nowhere.py"))
    with pytest.raises(UsageError, match="is a folder"):
        locate_file(Path())
    with pytest.raises(UsageError, match="outside"):
        locate_file(Path("link.py"))
    with pytest.raises(UsageError, match="outside"):
        locate_file(tmp_path / "outside.py")


# --as-of.


def test_as_of_takes_now_a_date_a_time_or_a_commit(repo: GitRepo) -> None:
    assert parse_as_of("", repo.path) is None
    now = parse_as_of("now", repo.path)
    assert isinstance(now, datetime)
    assert abs((datetime.now(UTC) - now).total_seconds()) < 60
    assert parse_as_of("2025-05-01", repo.path) == datetime(2025, 5, 1, 23, 59, 59, 999999, tzinfo=UTC)
    assert parse_as_of("2025-05-01T10:00:00+02:00", repo.path) == datetime(2025, 5, 1, 8, tzinfo=UTC)
    repo.git("tag", "-a", "v1", "-m", "one")
    assert parse_as_of("v1", repo.path) == repo.git("rev-parse", "HEAD")
    assert parse_as_of("HEAD~1", repo.path) == repo.git("rev-parse", "HEAD~1")


@pytest.mark.parametrize("text", ["nothing", "--all", "2025-13-01", "HEAD~99", " "])
def test_as_of_refuses_text_that_is_no_date_or_commit(repo: GitRepo, text: str) -> None:
    with pytest.raises(UsageError, match="is not valid; use `now`, a date such as 2026-01-31, or a commit"):
        parse_as_of(text, repo.path)


# scan.


def test_scan_prints_a_line_a_finding_and_a_summary(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan")
    assert done.returncode == 0
    assert done.stderr == ""
    rows = done.stdout.splitlines()
    assert any(row.startswith("shop/core.py:1:5: ") and " god_function " in row for row in rows)
    assert any(row.startswith("# shop: ") for row in rows)


def test_scan_writes_valid_json_that_does_not_change_from_run_to_run(repo: GitRepo) -> None:
    one = run_crimes(repo.path, "scan", "--format", "json")
    two = run_crimes(ROOT, "scan", str(repo.path), "--format", "json", PYTHONHASHSEED="7")
    assert one.stdout == two.stdout
    made = json.loads(one.stdout)
    jsonschema.validate(made, json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8")))
    assert made["repository"] == "shop"
    assert str(repo.path) not in one.stdout
    assert made["history"]["limited"] is False


def test_scan_writes_to_a_file_and_leaves_stdout_alone(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "--format", "json", "-o", "scan.json")
    assert done.stdout == ""
    assert "written to scan.json" in done.stderr
    assert json.loads((repo.path / "scan.json").read_text())["repository"] == "shop"
    refused = run_crimes(repo.path, "scan", "-o", "missing/scan.txt")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "cannot write missing/scan.txt" in refused.stderr


def test_scan_as_of_a_commit_reads_the_tree_of_that_commit(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "--format", "json", "--as-of", "HEAD~1")
    made = json.loads(done.stdout)
    assert made["history"]["reference_time"].startswith("2025-05-02")
    assert made["history"]["head"] == repo.git("rev-parse", "HEAD~1")
    assert "tests/test_core.py" in repo.git("ls-files")  # which the commit before did not have
    assert made["files"]["by_role"].get("test", 0) == 0
    refused = run_crimes(repo.path, "scan", "--as-of", "HEAD~1", "--changed")
    assert refused.returncode == 2
    assert "scans a past commit" in refused.stderr


def test_scan_reports_a_wrong_configuration(repo: GitRepo) -> None:
    (repo.path / "crimes.toml").write_text("exlude = []\n")
    done = run_crimes(repo.path, "scan")
    assert done.returncode == 2
    assert "exlude" in done.stderr
    assert "exclude" in done.stderr
    assert "Traceback" not in done.stderr


def test_scan_on_a_terminal_is_coloured_and_piped_is_not(repo: GitRepo) -> None:
    def watched(*arguments: str, **environment: str) -> str:
        controller, terminal = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "crimes", "scan", *arguments],
            cwd=repo.path,
            stdout=terminal,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
        )
        os.close(terminal)
        shown = b""
        while True:
            try:
                piece = os.read(controller, 65536)
            except OSError:  # Linux says so when the other end is closed
                break
            if not piece:
                break
            shown += piece
        os.close(controller)
        assert process.wait(timeout=120) == 0
        return shown.decode().replace("\r\n", "\n")

    coloured = watched()
    assert "\x1b[1mshop/core.py:1\x1b[0m" in coloured
    assert "\x1b" not in watched("--no-color")
    assert "\x1b" not in watched(NO_COLOR="1")
    assert "  shop/core.py:1  tangled  " in watched("--no-color")
    assert "\x1b" not in run_crimes(repo.path, "scan").stdout
    assert "\x1b[1mshop/core.py:1\x1b[0m" in run_crimes(repo.path, "scan", "--color").stdout


def test_explain_hint_of_a_scan_works_from_the_current_directory(repo: GitRepo) -> None:
    here = run_crimes(repo.path, "scan", "--color").stdout
    elsewhere = run_crimes(repo.path.parent, "scan", "--color", str(repo.path)).stdout
    for shown, folder in ((here, repo.path), (elsewhere, repo.path.parent)):
        (hint,) = re.findall("Run `crimes (explain .*)` for details", shown)
        done = run_crimes(folder, *hint.split())
        assert (done.returncode, done.stderr) == (0, "")
        assert "> def tangled(a):" in done.stdout


def test_scan_survives_a_cache_that_cannot_be_written(repo: GitRepo, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run_crimes(repo.path, "scan", CRIMES_CACHE_DIR=str(tmp_path / "file" / "x"))
    assert done.returncode == 0
    assert "was not stored" in done.stderr
    assert "god_function" in done.stdout


def test_output_that_the_terminal_cannot_encode_is_written_out(repo: GitRepo) -> None:
    repo.commit({"größe.py": TANGLED.replace("tangled", "größe") + "    return a\n"})
    done = run_crimes(repo.path, "scan", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "gr\\xf6\\xdfe.py:1:5: " in done.stdout
    assert run_crimes(repo.path, "scan", "--format", "json", PYTHONIOENCODING="ascii").returncode == 0


def test_progress_is_for_a_terminal_only(capfd: pytest.CaptureFixture[str]) -> None:
    with progress() as tick:
        assert tick is None
    assert capfd.readouterr().err == ""


# explain.


def test_explain_takes_an_id_a_beginning_or_a_fingerprint_from_the_last_scan(repo: GitRepo) -> None:
    id_ = first_id(repo)
    fingerprint = json.loads(run_crimes(repo.path, "scan", "--format", "json").stdout)["findings"][0][
        "fingerprint"
    ]
    whole = run_crimes(repo.path, "explain", id_)
    assert (whole.returncode, whole.stderr) == (0, "")
    assert re.search(r"\d [>|] def tangled\(a\):", whole.stdout)
    for wanted in (id_[:4], id_.upper(), fingerprint):
        assert run_crimes(repo.path, "explain", wanted).stdout == whole.stdout
    elsewhere = run_crimes(ROOT, "explain", id_, "--root", str(repo.path)).stdout
    assert (
        elsewhere.replace(f" --root {repo.path}", "") == whole.stdout
    )  # commands to copy work from there too


def test_explain_scans_when_no_usable_scan_is_stored(repo: GitRepo, cache: Path) -> None:
    id_ = first_id(repo)
    for file in cache.rglob("*.json"):
        file.unlink()
    done = run_crimes(repo.path, "explain", id_)
    assert done.returncode == 0
    assert "scanning now" in done.stderr
    for file in cache.rglob("*.json"):
        file.write_text("{")
    assert "is ignored" in run_crimes(repo.path, "explain", id_).stderr


def test_explain_notes_a_changed_or_deleted_file(repo: GitRepo) -> None:
    id_ = first_id(repo)
    source = repo.path / "shop" / "core.py"
    os.utime(source, (4_000_000_000, 4_000_000_000))
    assert "has changed since the scan" in run_crimes(repo.path, "explain", id_).stdout
    source.unlink()
    assert "no longer exists" in run_crimes(repo.path, "explain", id_).stdout


def test_explain_of_an_unknown_id_suggests_a_scan(repo: GitRepo) -> None:
    first_id(repo)
    done = run_crimes(repo.path, "explain", "zzzzzzzz")
    assert done.returncode == 2
    assert "'zzzzzzzz' is not a finding id or a detector" in done.stderr
    done = run_crimes(repo.path, "explain", "ffffffff")
    assert done.returncode == 2
    assert "'ffffffff' is not a finding in the last scan of shop" in done.stderr
    assert "crimes scan" in done.stderr
    assert "at least 4 characters" in run_crimes(repo.path, "explain", "abc").stderr


def test_explain_lists_candidates_of_an_ambiguous_beginning(tmp_path: Path) -> None:
    both = report(crime(id="abcd11110000"), crime("a\nb.py", 3, id="abcd22220000"))
    (tmp_path / "scan.json").write_bytes(encode(both))
    done = run_crimes(tmp_path, "explain", "abcd", "--from", "scan.json")
    assert done.returncode == 2
    assert "abcd11110000  god_function  src/core.py:10\n" in done.stderr
    assert "abcd22220000  god_function  a\\x0ab.py:3\n" in done.stderr


def test_explain_shows_both_of_two_findings_with_one_id(tmp_path: Path) -> None:
    both = report(crime(id="abcd11110000"), crime("src/two.py", id="abcd11110000"))
    (tmp_path / "scan.json").write_bytes(encode(both))
    done = run_crimes(tmp_path, "explain", "abcd", "--from", "scan.json")
    assert done.returncode == 0
    assert "src/core.py:10-15" in done.stdout
    assert "src/two.py:10-15" in done.stdout


@pytest.mark.parametrize("file", ["../secret.py", "/etc/hostname", "link.py", "folder", "a\0b", "fifo"])
def test_explain_from_an_untrusted_report_opens_no_file_outside(tmp_path: Path, file: str) -> None:
    folder = tmp_path / "repo"
    (folder / "folder").mkdir(parents=True)
    (tmp_path / "secret.py").write_text("SECRET\n" * 20)
    (folder / "link.py").symlink_to("../secret.py")
    os.mkfifo(folder / "fifo")
    (folder / "scan.json").write_bytes(encode(report(crime(file, id="abcd11110000"))))
    done = run_crimes(folder, "explain", "abcd", "--from", "scan.json")
    assert done.returncode == 0, done.stderr
    assert "SECRET" not in done.stdout
    assert "\n  The file" in done.stdout


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff", b'{"schema_version": "7.1"}'])
def test_explain_refuses_a_file_that_is_no_report(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "scan.json").write_bytes(content)
    done = run_crimes(tmp_path, "explain", "abcd", "--from", "scan.json")
    assert done.returncode == 2
    assert re.match(r"crimes: scan\.json (is not a crimes report \(|has schema version )", done.stderr)
    missing = run_crimes(tmp_path, "explain", "abcd", "--from", "none.json")
    assert (missing.returncode, "cannot read none.json" in missing.stderr) == (2, True)


# context.


def test_context_describes_a_file(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "context", "shop/core.py")
    assert (done.returncode, done.stderr) == (0, "")
    for part in (
        "shop/core.py\nTrust: directional: too little code to judge",
        "\nEdit risk: 1st of 3 files; ",
        "\npython, source",
        "2 files depend on it",
        "python -m pytest tests/test_core.py",
        "shop/api.py",
        "Ada",
    ):
        assert part in done.stdout
    inside = run_crimes(repo.path / "shop", "context", "core.py")
    assert inside.stdout == done.stdout


def test_context_as_json_and_markdown(repo: GitRepo) -> None:
    made = json.loads(run_crimes(repo.path, "context", "shop/core.py", "--format", "json").stdout)
    jsonschema.validate(made, json.loads((ROOT / "docs" / "context.schema.json").read_text("utf-8")))
    assert made["importers"]["direct"] == 2
    assert made["tests"]["importing"] == ["tests/test_core.py"]
    assert 3 <= len(made["advice"]) <= 6
    text = run_crimes(repo.path, "context", "shop/core.py", "--format", "md").stdout
    assert text.startswith("# `shop/core.py`\n")
    assert len(text.encode()) <= 6_000


def test_context_of_an_unread_kind_of_file_is_limited(repo: GitRepo) -> None:
    repo.commit({"style.css": "a {}\n"})
    done = run_crimes(repo.path, "context", "style.css")
    assert done.returncode == 0
    assert "does not read this kind of file" in done.stdout


def test_context_of_an_ignored_file_is_refused(repo: GitRepo) -> None:
    repo.commit({".gitignore": "build/\n"})
    repo.write({"build/x.py": "x = 1\n"})
    done = run_crimes(repo.path, "context", "build/x.py")
    assert done.returncode == 2
    assert "not part of the repository" in done.stderr


def test_context_of_a_generated_file_names_its_source(repo: GitRepo) -> None:
    header = "# Code generated by mkapi from shop/api.yaml. DO NOT EDIT.\n"
    repo.commit({"shop/generated.py": header + "x = 1\n", "shop/api.yaml": ""})
    done = run_crimes(repo.path, "context", "shop/generated.py")
    assert done.returncode == 2
    assert "shop/generated.py is generated: edit shop/api.yaml instead" in done.stderr


# detectors.


def test_detectors_lists_the_catalogue() -> None:
    shown = run_crimes(ROOT, "detectors")
    assert shown.returncode == 0
    assert any(row.startswith("god_function ") for row in shown.stdout.splitlines())
    assert "\nA finding is something to fix. A caution says to be careful with a file" in shown.stdout
    made = json.loads(run_crimes(ROOT, "detectors", "--format", "json").stdout)
    ids = [item["id"] for item in made["detectors"]]
    assert ids == sorted(ids)
    assert "god_function" in ids


def test_detectors_says_which_are_on_in_this_repository(tmp_path: Path) -> None:
    (tmp_path / "crimes.toml").write_text("[detectors.god_function]\nenabled = false\n")
    shown = run_crimes(ROOT, "detectors", "--root", str(tmp_path)).stdout.splitlines()
    assert [row.split()[4:6] for row in shown if row.startswith("god_function ")] == [
        ["off", "(crimes.toml)"]
    ]
    made = json.loads(run_crimes(tmp_path, "detectors", "--format", "json").stdout)
    assert [
        (row["enabled"], row["enabled_here"]) for row in made["detectors"] if row["id"] == "god_function"
    ] == [(True, False)]


def test_every_command_takes_root() -> None:
    """`--root` means the same everywhere: no command is left to guess its repository."""
    without = []
    waiting = [("crimes", typer.main.get_command(crimes.cli.app.app_for([])))]
    while waiting:
        name, command = waiting.pop()
        inner = getattr(command, "commands", None)
        if inner:
            waiting.extend((f"{name} {part}", child) for part, child in inner.items())
        elif not any("--root" in parameter.opts for parameter in command.params):
            without.append(name)
    without = [name for name in without if not name.startswith("crimes fleet ")]  # of many repositories
    assert without == []


# Completion.


def test_the_shell_can_complete_commands() -> None:
    done = run_crimes(ROOT, _CRIMES_COMPLETE="complete_bash", COMP_WORDS="crimes ", COMP_CWORD="1")
    assert {"scan", "explain", "context", "detectors"} <= set(done.stdout.split())


@pytest.mark.parametrize("first", ["scan", "cache", "baseline"])
def test_command_loaded_alone_has_the_same_help_as_in_the_full_app(first: str) -> None:
    alone, among_all = crimes.cli.app.app_for([first, "--help"]), crimes.cli.app.app_for(["--help"])
    shown = [CliRunner().invoke(app, [first, "--help"], prog_name="crimes") for app in (alone, among_all)]
    assert shown[0].output == shown[1].output
    assert f"Usage: crimes {first}" in shown[0].output
    assert len(alone.registered_commands) + len(alone.registered_groups) == 1
