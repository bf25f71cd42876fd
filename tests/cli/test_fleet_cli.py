"""`crimes fleet` as a user runs it, on a cluster of its own; and what other commands do not load because of it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo

MAX_SECONDS = 120  # until a scan that takes three is shown, on a busy machine

LOADED = """
import sys
sys.argv = ["crimes", *sys.argv[1:]]
from crimes.__main__ import main
try:
    main()
except SystemExit:
    print(*(name for name in ("distributed", "pyarrow", "dask", "git") if name in sys.modules), file=sys.stderr)
"""


def test_two_commands_lead_to_the_first_report(tmp_path: Path) -> None:
    for name in ("a", "b"):
        GitRepo(tmp_path / "src" / name).commit({"app.py": "import os\n"})
    (tmp_path / "src" / "b" / "app.py").write_text("half an edit(")
    cache = str(tmp_path / "cache")
    ran = run_crimes(tmp_path, "fleet", "run", "src", CRIMES_CACHE_DIR=cache)
    assert ran.returncode == 0, ran.stderr
    assert "2 repositories" in ran.stdout
    assert "crimes: 2/2 " in ran.stderr
    shown = run_crimes(tmp_path, "fleet", "report", CRIMES_CACHE_DIR=cache)
    assert shown.returncode == 0, shown.stderr
    assert "2 not trusted" in shown.stdout
    page = run_crimes(
        tmp_path, "fleet", "report", "--format", "html", "-o", "fleet.html", CRIMES_CACHE_DIR=cache
    )
    assert page.returncode == 0, page.stderr
    assert (tmp_path / "fleet.html").read_bytes().startswith(b"<!doctype html>")
    assert (tmp_path / "src" / "b" / "app.py").read_text() == "half an edit("


def test_a_person_sees_a_live_table_and_may_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crimes.system.git_mirror import _folder_of

    for name in ("a", "b", "held"):
        GitRepo(tmp_path / "src" / name).commit({"app.py": "import os\n"})
    address = (tmp_path / "src" / "held").as_uri()
    (tmp_path / "fleet.toml").write_text(f'repositories = ["src/a", "src/b", "{address}"]\n')
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    folder = _folder_of(address, "").parent
    folder.mkdir(parents=True)
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | {"TERM": "xterm"}
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # its scan does not get beyond the fetch
        running = subprocess.Popen(
            [sys.executable, "-m", "crimes", "fleet", "run", "-j", "2"],
            cwd=tmp_path,
            env=environment,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            # Under a shell's `&` it would be ignored, by this test and what it starts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(terminal)
        seen, end = "", time.monotonic() + MAX_SECONDS
        while "2 of 3 repositories, 2 workers: 2 scanned" not in seen:
            ready, _, _ = select.select([controller], [], [], 0.5)
            seen += os.read(controller, 65536).decode(errors="replace") if ready else ""
            assert time.monotonic() < end, seen[-2000:]
        os.killpg(running.pid, signal.SIGINT)
        with suppress(OSError):  # the other end is closed
            while data := os.read(controller, 65536):
                seen += data.decode(errors="replace")
        assert running.wait(60) == 130
    os.close(controller)
    assert "repository" in seen
    assert "run the same command again" in seen
    assert "Traceback" not in seen
    assert len(list(tmp_path.glob("crimes-fleet/scans/*/*.scan"))) == 2
    assert not list(tmp_path.glob("crimes-fleet/runs/run=*"))


def test_mistakes_end_with_a_message(tmp_path: Path) -> None:
    for arguments, message in (
        (("run",), "fleet.toml: no such file; name a folder of git checkouts"),
        (("report",), "run `crimes fleet run` first"),
        (("init", "nowhere"), "nowhere: no such folder"),
        (("run", "-", "--scheduler", "tcp://127.0.0.1:9"), "no repository found"),
    ):
        done = run_crimes(tmp_path, "fleet", *arguments)
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_other_commands_load_nothing_of_fleets(tmp_path: Path) -> None:
    GitRepo(tmp_path).commit({"app.py": "import os\n"})
    for arguments in (("scan",), ("--help",), ("fleet", "--help")):
        done = subprocess.run(
            [sys.executable, "-c", LOADED, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr.splitlines()[-1].strip() == "", (arguments, done.stderr)


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['distributed'] = None; sys.argv = ['crimes', 'fleet', 'run', '.']\nfrom crimes.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pip install 'crimes-cli[fleet]'" in done.stderr
