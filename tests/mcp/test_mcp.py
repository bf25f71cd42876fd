"""The server, asked by a real client: in the same process, over stdin and stdout, and over streamable HTTP."""

from __future__ import annotations

import asyncio
import json
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

from crimes.mcp import answers
from crimes.mcp.data import to_fitting_dict
from crimes.mcp.server import server_of
from crimes.mcp.service import MAX_ANSWER_BYTES, RepositoryService, fit_answer, remaining_note
from crimes.render.hotspots import lines
from crimes.render.lines import plain
from crimes.workflows.hotspots import rank_files
from crimes.workflows.live_scan import LiveScan
from tests.kit.gitrepo import GitRepo
from tests.kit.reports import crime, ranked_files, report
from tests.kit.sample_code import LOOPING

TOOLS = {"file_context", "impact", "explain", "hotspots", "check_change"}
MAX_LOADED_BYTES = (
    2_200  # names, descriptions and parameters of all tools: what an agent loads in every session
)
MAX_LISTED_BYTES = 8_000  # with the schemas of the answers
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


async def called(client: Client, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """The text and the data of an answer. An error has no data, and all that it says is in the text."""
    done = await client.call_tool(tool, arguments)
    (content,) = done.content
    text = content.text  # type: ignore[union-attr]
    data = done.structured_content
    assert (data is None) == bool(done.is_error)
    assert len(text.encode()) <= MAX_ANSWER_BYTES
    assert len(json.dumps(data, ensure_ascii=False).encode()) <= MAX_ANSWER_BYTES * 1.2  # written with spaces
    return text, data or {}


async def wait_for_fresh_answers(client: Client, path: str) -> None:
    """Ask about a file until no scan is running: on a busy machine a new one takes longer than a tool waits for it."""
    for _ in range(45):
        text, _ = await called(client, "file_context", files=[path])
        if "A new scan is running" not in text:
            return
    raise AssertionError(f"the scan did not end: {text}")


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The text of an error."""
    text, data = await called(client, tool, **arguments)
    assert not data
    return text


@pytest.mark.parametrize("over", [over_stdio, over_http])
def test_all_five_tools_answer_in_text_and_in_data(
    place: tuple[GitRepo, dict[str, str]], over: Callable[..., None]
) -> None:
    repo, environment = place

    async def ask(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == TOOLS
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
        assert all(tool.output_schema for tool in listed)
        text, data = await called(client, "file_context", files=["app/core.py:tangled"])
        assert text.startswith("# `app/core.py:tangled`\n")
        assert "- called at: `app/api.py:3`" in text
        (file,) = data["files"]
        assert file["file"], file["part"] == ("app/core.py", "tangled")
        assert file["called_at"] == ["app/api.py:3"]
        assert file["tests"]["command"] == "python -m pytest test_core.py"
        text, data = await called(client, "hotspots", limit=1)
        assert "\n1. app/core.py: " in text
        assert [hot["file"] for hot in data["files"]] == ["app/core.py"]
        text, data = await called(client, "explain", id=data["files"][0]["worst_finding"])
        assert "\nWhat to do\n" in text
        (finding,) = data["findings"]
        assert finding["at"] == "app/core.py:1"
        assert finding["fix"] in text.replace("\n  ", " ")
        text, data = await called(client, "check_change")
        assert text.startswith("# No uncommitted changes: nothing to check.")
        assert data["verdict"] == "safe"

    over(repo, environment, ask)


def test_errors_are_answered_in_text_without_reading_outside_files(
    place: tuple[GitRepo, dict[str, str]],
) -> None:
    repo, environment = place
    (repo.path.parent / "secret.py").write_text("x = 1\n")
    (repo.path / "link.py").symlink_to("../secret.py")

    async def ask(client: Client) -> None:
        await wait_for_fresh_answers(client, "app/core.py")
        for name in ("../secret.py", str(repo.path.parent / "secret.py"), "link.py", "/etc/passwd"):
            text = await refused(client, "file_context", files=[name])
            assert "is outside the repository" in text
        for name, why in (
            ("nope.py", "no such file"),
            ("pytest.ini", "does not read pytest.ini"),
        ):
            assert why in await refused(client, "file_context", files=[name])
        assert "'ffffffff' is not a finding" in await refused(client, "explain", id="ffffffff")
        for tool, asked in (
            ("file_context", {"files": ["app/core.py:no"]}),
            ("impact", {"symbol": "app/core.py:no"}),
        ):
            assert "no `no` in app/core.py; it defines `tangled`" in await refused(client, tool, **asked)
        text = await refused(client, "impact", symbol="app/core.py")
        assert "name a symbol: app/core.py:SYMBOL; it defines `tangled`" in text

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
        text, data = await called(client, "file_context", files=["app/more.py"])
        assert "app/more.py" in text
        assert data or "the last scan did not read app/more.py. Stale: " in text

    try:
        over_stdio(repo, environment, ask)
    finally:
        repo.write({"app/more.py": None})


def test_long_answers_are_cut_with_a_note() -> None:
    text = fit_answer("é" * 9_000 + "\n" + "x\n" * 9, ["Stale."])
    assert len(text.encode()) <= MAX_ANSWER_BYTES
    assert text.endswith("detail='concise'.\nStale.")


def test_long_data_lose_the_ends_of_their_lists_and_say_how_much() -> None:
    files = [
        answers.FileData(file=f"{at}.py", used_by=[f"{at}{number}.py" for number in range(40)]) for at in "ab"
    ]
    answer = answers.FileContext(files=files, notes=["\x1b[31mold"])
    whole = to_fitting_dict(answer, 6_000, whole="files")
    assert [len(file["used_by"]) for file in whole["files"]] == [40, 40]
    assert "not_shown" not in whole
    assert "\x1b" not in whole["notes"][0]
    cut = to_fitting_dict(answer, 200, whole="files")
    assert [file["file"] for file in cut["files"]] == ["a.py", "b.py"]
    assert cut["not_shown"] == {"used_by": 80 - sum(len(file["used_by"]) for file in cut["files"])}
    assert len(json.dumps(cut, separators=(",", ":"))) <= 200
    assert len(to_fitting_dict(answer, 90, whole="files")["files"]) == 1


def test_tools_are_short_enough_to_be_loaded_in_every_session(place: tuple[GitRepo, dict[str, str]]) -> None:
    async def ask() -> None:
        async with Client(server_of(place[0].path)) as client:
            listed = (await client.list_tools()).tools
        whole = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
        loaded = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in whole]
        assert len(json.dumps(loaded, separators=(",", ":"))) <= MAX_LOADED_BYTES
        assert len(json.dumps(whole, separators=(",", ":"))) <= MAX_LISTED_BYTES
        assert max(len(tool["description"]) for tool in whole) <= 120

    asyncio.run(ask())


def test_impact_names_callers_what_breaks_and_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    repo = GitRepo(tmp_path / "repo")
    repo.commit(
        {
            "shop/__init__.py": "from shop.cart import Cart, make\n",
            "shop/cart.py": "class Cart:\n    def total(self, rate):\n        return rate\n\n\ndef make() -> Cart:\n    return Cart()\n",
            "shop/pay.py": "from shop.cart import make\n\n\ndef pay():\n    cart = make()\n    return cart.total(2)\n",
            "test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total(1) == 1\n",
            "pytest.ini": "",
        }
    )

    async def ask() -> None:
        async with Client(server_of(repo.path), read_timeout_seconds=90) as client:
            text, data = await called(client, "impact", symbol="shop/cart.py:Cart.total")
            assert data["defined_at"] == "shop/cart.py:2"
            assert data["signature"] == "def total(self, rate)"
            assert data["called_at"] == ["shop/pay.py:6 in pay"]
            assert data["tests"]["called_at"] == ["test_cart.py:5"]
            assert data["tests"]["command"] == "python -m pytest test_cart.py"
            for fact in (
                "`shop/pay.py:6`",
                "`test_cart.py:5`",
                "python -m pytest test_cart.py",
                data["breaks"],
            ):
                assert fact in text
            text, data = await called(client, "impact", symbol="shop/cart.py:make")
            assert data["named_at"] == ["shop/__init__.py:1", "shop/pay.py:1"]
            assert data["exported_by"] == "shop/__init__.py"
            assert data["breaks"].startswith("a rename breaks 1 call and 2 other references in 2 files; ")
            assert "- also named at: `shop/__init__.py:1`, `shop/pay.py:1`\n" in text

    asyncio.run(ask())


def test_suggested_call_shows_the_remaining_findings() -> None:
    """Neither one with a limit that is refused, nor the same call again."""
    assert remaining_note("app/", 20, 15, 15) == "5 more: call hotspots(path_prefix='app/', limit=20)"
    assert remaining_note("", 15, 15, 15) == ""
    for shown, limit in ((15, 15), (200, 200), (27, 200)):
        assert remaining_note("", 327, shown, limit).endswith(" more: use path_prefix for one folder")


def test_hotspots_lists_as_many_files_as_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = ranked_files(*(f"src/{'long_' * 20}{at}.py" for at in range(100)))
    monkeypatch.setattr(RepositoryService, "_refresh", lambda self: "Stale.")
    monkeypatch.setattr(LiveScan, "report", lambda self: (report(edit_risk=ranked), 0.0))
    text, data = RepositoryService(tmp_path).hotspots("", 100)
    assert len(text.encode()) <= MAX_ANSWER_BYTES
    assert "Cut here" not in text
    told = text.count("src/long_")
    assert f"\n{100 - told} more: use path_prefix" in text
    assert len(data["files"]) + data["not_shown"]["files"] == 100


def test_hotspots_is_the_list_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = report(crime("src/api.py"), edit_risk=ranked_files("src/core.py", "src/api.py", "web/page.py"))
    monkeypatch.setattr(RepositoryService, "_refresh", lambda self: "")
    monkeypatch.setattr(LiveScan, "report", lambda self: (made, 0.0))
    service = RepositoryService(tmp_path)
    command = plain(lines(rank_files(made), terminal=False)).replace("# ", "").rstrip("\n")
    assert service.hotspots("", 10).text == command
    rows = [row for row in service.hotspots("src/", 10).text.splitlines() if row[0].isdigit()]
    assert [row.partition(":")[0] for row in rows] == ["1. src/core.py", "2. src/api.py"]
    assert "1 more: call hotspots(path_prefix='src/', limit=2)" in service.hotspots("src/", 1).text


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
