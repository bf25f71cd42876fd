"""Clients of our servers that write any bytes: what no library for clients would send."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_WAIT_SECONDS = 60.0
_READ_BYTES = 1 << 16


class RawClient:
    """A server in a process of its own, and what was read of its answers so far. stderr goes to a file."""

    def __init__(self, command: str, root: Path, cache: Path) -> None:
        self.stderr = root.parent / f"stderr-of-{command}"
        with self.stderr.open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "crimes", command, "--root", str(root)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, "CRIMES_CACHE_DIR": str(cache)},
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout
        self._unread = b""
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._in.close()
        self._out.close()

    def write(self, data: bytes) -> None:
        self._in.write(data)
        self._in.flush()

    def leave(self) -> int:
        """Close the server's stdin without a word, and return its exit code."""
        self._in.close()
        return self.process.wait(_WAIT_SECONDS)

    def frame(self, message: dict[str, Any]) -> bytes:
        raise NotImplementedError

    def unframe(self) -> dict[str, Any] | None:
        raise NotImplementedError

    def notify(self, method: str, **parameters: Any) -> None:
        self.write(self.frame({"jsonrpc": "2.0", "method": method, "params": parameters}))

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a request; notifications before it are passed over."""
        self._number += 1
        self.write(self.frame({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters}))
        while (answer := self.receive()).get("id") != self._number or "method" in answer:
            continue
        return answer

    def receive(self) -> dict[str, Any]:
        """The next message."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while (message := self.unframe()) is None:
            ready = select.select([self._out], [], [], max(deadline - time.monotonic(), 0))[0]
            assert ready, f"no answer within {_WAIT_SECONDS:g} seconds"
            data = os.read(self._out.fileno(), _READ_BYTES)
            assert data, f"the server ended: {self.stderr.read_text()[-2_000:]}"
            self._unread += data
        return message


class RawMcp(RawClient):
    """A client of `crimes mcp`."""

    def __init__(self, root: Path, cache: Path) -> None:
        super().__init__("mcp", root, cache)
        self.ask(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "raw", "version": "1"},
        )
        self.notify("notifications/initialized")

    def frame(self, message: dict[str, Any]) -> bytes:
        return json.dumps(message).encode() + b"\n"

    def unframe(self) -> dict[str, Any] | None:
        line, end, rest = self._unread.partition(b"\n")
        if not end:
            return None
        self._unread = rest
        message: dict[str, Any] = json.loads(line)
        return message

    def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Whether a call was answered without an error, and the text of the answer."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return not result["isError"], result["content"][0]["text"]


class RawLsp(RawClient):
    """A client of `crimes lsp`."""

    def __init__(self, root: Path, cache: Path) -> None:
        super().__init__("lsp", root, cache)
        self.root = root.as_uri()
        self.ask("initialize", processId=None, rootUri=self.root, capabilities={})
        self.notify("initialized")

    def frame(self, message: dict[str, Any]) -> bytes:
        data = json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n%b" % (len(data), data)

    def unframe(self) -> dict[str, Any] | None:
        header, end, rest = self._unread.partition(b"\r\n\r\n")
        if not end:
            return None
        fields = dict(line.lower().split(b":", 1) for line in header.split(b"\r\n"))
        length = int(fields[b"content-length"])
        if len(rest) < length:
            return None
        self._unread = rest[length:]
        message: dict[str, Any] = json.loads(rest[:length])
        return message

    def open(self, uri: str, text: str = "") -> None:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)

    def lenses(self, uri: str) -> list[dict[str, Any]]:
        answer = self.ask("textDocument/codeLens", textDocument={"uri": uri})
        result: list[dict[str, Any]] = answer["result"]
        return result
