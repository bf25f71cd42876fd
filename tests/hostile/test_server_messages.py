"""Servers that are sent what cannot be answered: it is refused in plain words, and the next call works."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from crimes.lsp.server import editor_server
from crimes.mcp.arguments import MAX_ARGUMENT_CHARS, check_argument, without_half_characters
from crimes.model.errors import UsageError
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.raw_clients import RawLsp, RawMcp

NO_NAMES = {
    "a NUL": "a\0b.py",
    "5,000 characters": "a" * 5_000,
    "2,500 folders": "a/" * 2_500 + "b.py",
    "a lone surrogate": "\ud800.py",
    "a lone surrogate as a symbol": "a.py:\udcff",
    "half a megabyte": "x" * 500_000,
}
HALF_MESSAGES = (b'{"jsonrpc":"2.0","id":99,"method":"tools/ca', b"\xff\xfe\x00", b"[" * 100_000, b"{}")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A repository that was scanned, and the cache that knows it."""
    folder = tmp_path_factory.mktemp("attacked")
    repo = GitRepo(folder / "repo")
    repo.commit({"a.py": "def f():\n    return 1\n"})
    assert run_crimes(repo.path, "scan", CRIMES_CACHE_DIR=str(folder / "cache")).returncode == 0
    return repo.path, folder / "cache"


def test_mcp_refuses_what_names_no_file_and_answers_the_next_call(served: tuple[Path, Path]) -> None:
    with RawMcp(*served) as client:
        for name in NO_NAMES.values():
            for tool, argument in (
                ("file_context", {"files": [name]}),
                ("impact", {"symbol": name}),
                ("explain", {"id": name}),
                ("hotspots", {"path_prefix": name}),
            ):
                worked, text = client.call(tool, **argument)
                assert not worked
                assert "which no file name can have" in text or "at most 4,000 are accepted" in text
                assert len(text) < 300
        worked, text = client.call("file_context", files=["a" * 300 + ".py"])
        assert (worked, "no such file" in text) == (False, True)
        assert client.call("file_context", files=["a.py"])[0]
        assert client.leave() == 0
        assert client.stderr.read_text() == ""


def test_mcp_answers_half_a_message_with_an_error_and_goes_on(served: tuple[Path, Path]) -> None:
    with RawMcp(*served) as client:
        for message in HALF_MESSAGES:
            client.write(message + b"\n")
            assert client.receive()["error"]["code"] == -32700
        assert client.call("file_context", files=["a.py"])[0]


def test_lsp_takes_an_address_of_no_file_for_none_and_answers_the_next_request(
    served: tuple[Path, Path],
) -> None:
    with RawLsp(*served) as client:
        faults = []
        for address in (
            *(f"{client.root}/{name}" for name in NO_NAMES.values()),
            f"{client.root}/a%00.py",
            f"{client.root}/%ed%a0%80.py",
            "file://[",
            "file:",
            "",
        ):
            client.open(address)
            assert client.lenses(address) == []
        client.open(f"{client.root}/a.py", "def f():\n    return 1\n")
        client.notify("textDocument/didSave", textDocument={"uri": f"{client.root}/a.py"})
        while (message := client.receive())["method"] != "textDocument/publishDiagnostics":
            faults.append(message)
        assert not [fault for fault in faults if "Error in server" in str(fault)]


def test_lsp_goes_on_after_messages_that_are_no_json(served: tuple[Path, Path]) -> None:
    with RawLsp(*served) as client:
        for message in HALF_MESSAGES:
            client.write(b"Content-Length: %d\r\n\r\n%b" % (len(message), message))
        assert client.lenses(f"{client.root}/a.py") == []


@pytest.mark.parametrize("client_of", [RawMcp, RawLsp])
def test_server_ends_when_its_client_vanishes_in_the_middle_of_a_message(
    served: tuple[Path, Path], client_of: type[RawMcp] | type[RawLsp]
) -> None:
    with client_of(*served) as client:
        client.write(b'Content-Length: 500\r\n\r\n{"jsonrpc": "2.0", "id": 7, "met')
        assert client.leave() == 0


def test_two_clients_of_one_repository_are_both_answered(served: tuple[Path, Path]) -> None:
    root, _ = served
    with RawMcp(*served) as first, RawMcp(*served) as second:
        for number in range(3):
            (root / "a.py").write_text(f"def f():\n    return {number}\n")
            for client in (first, second):
                worked, text = client.call("file_context", files=["a.py"])
                assert worked, text
        os.kill(first.process.pid, signal.SIGKILL)
        (root / "a.py").write_text("def f():\n    return 1\n")
        started = time.monotonic()
        assert second.call("file_context", files=["a.py"])[0]
        assert time.monotonic() - started < 30


def test_two_editors_of_one_repository_are_both_answered(served: tuple[Path, Path]) -> None:
    with RawLsp(*served) as first, RawLsp(*served) as second:
        address = f"{first.root}/a.py"
        for client in (first, second):
            client.open(address, "def f():\n    return 1\n")
            client.notify("textDocument/didSave", textDocument={"uri": address})
        os.kill(first.process.pid, signal.SIGKILL)
        assert isinstance(second.lenses(address), list)


@pytest.mark.parametrize("fails", [False, True])
def test_language_server_keeps_no_record_of_a_notification_that_is_handled(
    tmp_path: Path, fails: bool
) -> None:
    async def handle(number: int) -> None:
        if fails:
            raise ValueError(number)

    def look_at(handled: Future[Any]) -> None:
        handled.exception()

    async def send_notifications() -> int:
        protocol = editor_server(tmp_path).protocol
        for number in range(20):
            protocol._execute_handler(f"id {number}", handle, look_at, (number,))
        await asyncio.sleep(0.05)
        return len(protocol._request_futures)

    assert asyncio.run(send_notifications()) == 0


def test_halves_of_characters_become_nul_and_whole_characters_stay() -> None:
    whole = r'{"a": "\ud83d\ude00 \\ud800 \u00e9 \n"}'
    assert without_half_characters(whole) == whole
    assert (
        without_half_characters(r'"\ud800\ud83d\ude00\udc00\uD800x"') == r'"\u0000\ud83d\ude00\u0000\u0000x"'
    )


def test_longest_argument_is_accepted() -> None:
    assert check_argument("é" * MAX_ARGUMENT_CHARS)
    with pytest.raises(UsageError, match=r"^'é{60}…' has 4,001 characters; at most 4,000 are accepted$"):
        check_argument("é" * (MAX_ARGUMENT_CHARS + 1))


def test_context_of_a_name_too_long_for_the_system_is_a_plain_error(tmp_path: Path) -> None:
    GitRepo(tmp_path).commit({"a.py": "1\n"})
    done = run_crimes(tmp_path, "context", "a" * 5_000)
    assert (done.returncode, "no such file: aaa" in done.stderr) == (2, True)
