"""The server, asked by a real client: over stdin and stdout, and over streamable HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from crimes.mcp.service import MAX_ANSWER_BYTES, RepositoryService, first_lines, fit_answer, remaining_note
from crimes.render.hotspots import lines
from crimes.render.lines import plain
from crimes.workflows.hotspots import rank_files
from crimes.workflows.live_scan import LiveScan
from tests.kit.gitrepo import GitRepo
from tests.kit.reports import crime, ranked_files, report
from tests.kit.sample_code import LOOPING

TOOLS = {"file_context", "explain", "hotspots", "check_change"}
Asking = Callable[[Client], Coroutine[Any, Any, None]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[GitRepo, dict[str, str]]:
    """A scanned repository with a finding, and the environment a server of it runs in."""
    folder = tmp_path_factory.mktemp("served")
    repo = GitRepo(folder / "repo")
    files = {
        "app/core.py": LOOPING,
        "app/api.py": "from app.core import tangled\n\nprint(tangled(1, [], 2))\n",
        "test_core.py": "from app.core import tangled\n\n\ndef test_it():\n    assert tangled(1, [], 2)\n",
        "pytest.ini": "",
    }
    repo.commit(files)
    environment = {**os.environ, "CRIMES_CACHE_DIR": str(folder / "cache")}
    subprocess.run(
        [sys.executable, "-m", "crimes", "scan"],
        cwd=repo.path,
        env=environment,
        check=True,
        capture_output=True,
    )
    return repo, environment


def over_stdio(repo: GitRepo, environment: dict[str, str], ask: Asking) -> None:
    async def talk() -> None:
        command = ["-m", "crimes", "mcp", "--root", str(repo.path)]
        async with Client(
            StdioServerParameters(command=sys.executable, args=command, env=environment),
            read_timeout_seconds=90,
        ) as client:
            await ask(client)

    asyncio.run(talk())


def over_http(repo: GitRepo, environment: dict[str, str], ask: Asking) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "crimes", "mcp", "--root", str(repo.path), "--http", "--port", str(port)]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    async def talk() -> None:
        async with Client(f"http://127.0.0.1:{port}/mcp", read_timeout_seconds=90) as client:
            await ask(client)

    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        asyncio.run(talk())
    finally:
        server.terminate()
        server.wait(30)


async def called(client: Client, tool: str, **arguments: Any) -> tuple[str, bool]:
    """The text of an answer, and whether it is an error. There is nothing but text."""
    done = await client.call_tool(tool, arguments)
    assert done.structured_content is None
    (content,) = done.content
    text = content.text  # type: ignore[union-attr]
    assert len(text.encode()) <= MAX_ANSWER_BYTES
    return text, bool(done.is_error)


@pytest.mark.parametrize("over", [over_stdio, over_http])
def test_all_four_tools_answer(place: tuple[GitRepo, dict[str, str]], over: Callable[..., None]) -> None:
    repo, environment = place

    async def ask(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == TOOLS
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
        text, failed = await called(client, "file_context", files=["app/core.py:tangled"])
        assert not failed
        assert text.startswith("# `app/core.py:tangled`\n")
        assert "- uses it: `app/api.py` (tangled)" in text
        text, _ = await called(client, "hotspots", limit=1)
        assert text.startswith("1. app/core.py: ")
        finding = text.partition("1 finding, ")[2].partition("\n")[0].partition(";")[0]
        text, failed = await called(client, "explain", id=finding)
        assert not failed
        assert "\nWhat to do\n" in text
        text, _ = await called(client, "check_change")
        assert text.startswith("# No uncommitted changes: nothing to check.")

    over(repo, environment, ask)


def test_errors_are_answered_in_text_without_reading_outside_files(
    place: tuple[GitRepo, dict[str, str]],
) -> None:
    repo, environment = place
    (repo.path.parent / "secret.py").write_text("x = 1\n")
    (repo.path / "link.py").symlink_to("../secret.py")

    async def ask(client: Client) -> None:
        for name in ("../secret.py", str(repo.path.parent / "secret.py"), "link.py", "/etc/passwd"):
            text, failed = await called(client, "file_context", files=[name])
            assert failed
            assert "is outside the repository" in text
        for name, why in (
            ("nope.py", "no such file: nope.py"),
            ("pytest.ini", "does not read pytest.ini"),
        ):
            text, failed = await called(client, "file_context", files=[name])
            assert failed
            assert why in text
        text, failed = await called(client, "explain", id="ffffffff")
        assert failed
        assert "'ffffffff' is not a finding" in text
        text, failed = await called(client, "file_context", files=["app/core.py:nothing"])
        assert failed
        assert "it defines `tangled`" in text

    try:
        over_stdio(repo, environment, ask)
    finally:
        (repo.path / "link.py").unlink()


def test_edit_appears_in_the_next_answers(place: tuple[GitRepo, dict[str, str]]) -> None:
    repo, environment = place
    repo.write({"app/more.py": LOOPING.replace("tangled", "again")})

    async def ask(client: Client) -> None:
        for _ in range(20):  # a scan is bounded, and goes on
            text, _ = await called(client, "check_change")
            if "still running" not in text:
                break
        assert "`app/more.py:1:5`" in text
        text, failed = await called(client, "file_context", files=["app/more.py"])
        assert "app/more.py" in text
        assert not failed or "the last scan did not read app/more.py. Stale: " in text

    try:
        over_stdio(repo, environment, ask)
    finally:
        repo.write({"app/more.py": None})


def test_long_answers_are_cut_with_a_note() -> None:
    text = fit_answer("é" * 9_000 + "\n" + "x\n" * 9, ["Stale."])
    assert len(text.encode()) <= MAX_ANSWER_BYTES
    assert text.endswith("smaller limit.\nStale.")
    assert first_lines("a\nb\nc\n", 2) == "a\nb\n1 more line: use limit=3."
    assert first_lines("a\n" * 300, 9).endswith("\n291 more lines: use limit=200.")
    assert first_lines("a\n" * 300, 200).endswith("\n100 more lines.")


def test_suggested_call_shows_the_remaining_findings() -> None:
    """Neither one with a limit that is refused, nor the same call again."""
    assert remaining_note("app/", 20, 15, 15) == "5 more: call hotspots(path_prefix='app/', limit=20)"
    assert remaining_note("", 15, 15, 15) == ""
    for shown, limit in ((15, 15), (200, 200), (27, 200)):
        assert remaining_note("", 327, shown, limit).endswith(
            " more: use detail='concise', or path_prefix for one folder"
        )


def test_hotspots_lists_as_many_files_as_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = ranked_files(*(f"src/{'long_' * 20}{at}.py" for at in range(100)))
    monkeypatch.setattr(RepositoryService, "_refresh", lambda self: "Stale.")
    monkeypatch.setattr(LiveScan, "report", lambda self: (report(edit_risk=ranked), 0.0))
    text = RepositoryService(tmp_path).hotspots("", "full", 100)
    assert len(text.encode()) <= MAX_ANSWER_BYTES
    assert "Cut here" not in text
    told = text.count("src/long_")
    assert f"\n{100 - told} more: use detail='concise'" in text


def test_hotspots_is_the_list_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = report(crime("src/api.py"), edit_risk=ranked_files("src/core.py", "src/api.py", "web/page.py"))
    monkeypatch.setattr(RepositoryService, "_refresh", lambda self: "")
    monkeypatch.setattr(LiveScan, "report", lambda self: (made, 0.0))
    service = RepositoryService(tmp_path)
    command = plain(lines(rank_files(made), terminal=False)).replace("# ", "").rstrip("\n")
    assert service.hotspots("", "full", 10) == command
    assert [row.partition(":")[0] for row in service.hotspots("src/", "concise", 10).splitlines()[:2]] == [
        "1. src/core.py",
        "2. src/api.py",
    ]
    assert "1 more: call hotspots(path_prefix='src/', limit=2)" in service.hotspots("src/", "full", 1)


def test_missing_extra_names_the_package_to_install(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['mcp'] = None; sys.argv = ['crimes', 'mcp']\n"
        "from crimes.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "crimes-cli[mcp]" in done.stderr
