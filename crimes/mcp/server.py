"""The five tools of the server, for agents that speak the Model Context Protocol. Needs the extra `mcp`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from anyio.to_thread import run_sync
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from crimes import __version__
from crimes.mcp import answers
from crimes.mcp.service import MAX_FILES, MAX_ROWS, Reply, RepositoryService, fit_answer
from crimes.mcp.stdio import AnsweringServer
from crimes.model.errors import CrimesError

_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)


def _parameter(**options: Any) -> Any:
    """A parameter whose schema has no title: it would only repeat the name."""
    return Field(json_schema_extra=answers.without_title, **options)


Detail = Annotated[Literal["concise", "full"], _parameter()]


def server_of(root: Path) -> MCPServer:
    """A server about one repository."""
    service = RepositoryService(root)
    server = AnsweringServer(
        "crimes",
        version=__version__,
        instructions="Call file_context before editing a file, impact before changing a function's signature, check_change after.",
        log_level="WARNING",
    )

    @server.tool(annotations=_READ_ONLY)
    async def file_context(
        files: Annotated[
            list[str],
            _parameter(description="a.py, a.py:Cart.total or a.py:10-40", min_length=1, max_length=MAX_FILES),
        ],
        detail: Detail = "full",
    ) -> Annotated[CallToolResult, answers.FileContext]:
        """What to know before editing files: risk, findings, users, files that change together, tests to run."""
        return await _answer(lambda: service.file_context(files, detail))

    @server.tool(annotations=_READ_ONLY)
    async def impact(
        symbol: Annotated[str, _parameter(description="a.py:Cart.total")],
    ) -> Annotated[CallToolResult, answers.Impact]:
        """Who calls a function, method or class (file:line), what breaks if it changes, which tests run it."""
        return await _answer(lambda: service.impact(symbol))

    @server.tool(annotations=_READ_ONLY)
    async def explain(
        id: Annotated[str, _parameter(description="id of a finding, or its beginning")],
        detail: Detail = "full",
    ) -> Annotated[CallToolResult, answers.Explanation]:
        """Details of one finding: evidence, code, why it matters, what to do."""
        return await _answer(lambda: service.explain(id, detail))

    @server.tool(annotations=_READ_ONLY)
    async def hotspots(
        path_prefix: Annotated[str, _parameter(description="a folder")] = "",
        limit: Annotated[int, _parameter(ge=1, le=MAX_ROWS)] = 15,
    ) -> Annotated[CallToolResult, answers.HotFiles]:
        """The files where the next fix is most likely, riskiest first."""
        return await _answer(lambda: service.hotspots(path_prefix, limit))

    @server.tool(annotations=_READ_ONLY)
    async def check_change(detail: Detail = "full") -> Annotated[CallToolResult, answers.ChangeCheck]:
        """Review the edits since HEAD: what they break, new and fixed findings, files usually edited too, tests to run."""
        return await _answer(lambda: service.check_change(detail))

    return server


async def _answer(ask: Callable[[], Reply]) -> CallToolResult:
    """The answer in both halves; a fault is text alone, since clients drop the data of an error."""
    try:
        reply = await run_sync(ask)
    except CrimesError as fault:
        raise ToolError(fit_answer(str(fault), [])) from fault
    return CallToolResult(content=[TextContent(type="text", text=reply.text)], structured_content=reply.data)
