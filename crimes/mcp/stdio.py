"""The server on stdin and stdout: a message that cannot be parsed is answered, where the library would stay silent."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from crimes.mcp.arguments import without_half_characters

Messages = ReadStream[SessionMessage | Exception]


class AnsweringServer(MCPServer):
    """A server that leaves no message on stdin without an answer."""

    async def run_stdio_async(self) -> None:
        """Serve stdin and stdout until the client is gone."""
        async with stdio_server() as (messages, answers):
            server = self._lowlevel_server
            repaired = RepairedMessages(messages, answers)
            await server.run(repaired, answers, server.create_initialization_options())


class RepairedMessages:
    """Messages of a client, those with half a character repaired. What is no message at all is answered with an error."""

    def __init__(self, messages: Messages, answers: WriteStream[SessionMessage]) -> None:
        self._messages = messages
        self._answers = answers

    async def receive(self) -> SessionMessage | Exception:
        return await self._repair(await self._messages.receive())

    async def aclose(self) -> None:
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return await self._repair(await self._messages.__anext__())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _repair(self, message: SessionMessage | Exception) -> SessionMessage | Exception:
        if not isinstance(message, ValidationError):
            return message
        line = message.errors(include_url=False)[0]["input"]
        try:
            text = without_half_characters(line) if isinstance(line, str) else ""
            return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
        except ValidationError as fault:
            error = ErrorData(
                code=PARSE_ERROR, message="not a message of the protocol: one JSON object a line"
            )
            await self._answers.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=error)))
            return fault
