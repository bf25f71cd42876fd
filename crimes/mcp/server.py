"""The four tools of the server, for agents that speak the Model Context Protocol. Needs the extra `mcp`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from anyio.to_thread import run_sync
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from crimes import __version__
from crimes.mcp.service import MAX_ROWS, RepositoryService
from crimes.model.errors import CrimesError

Detail = Annotated[Literal["concise", "full"], Field(description="Level of detail.")]
_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def server_of(root: Path) -> MCPServer:
    """A server about one repository."""
    service = RepositoryService(root)
    server = MCPServer(
        "crimes",
        version=__version__,
        instructions="Call file_context before editing a file, check_change after.",
        log_level="WARNING",
    )

    @server.tool(annotations=_READ_ONLY, structured_output=False)
    async def file_context(
        files: Annotated[
            list[str],
            Field(description="Files or parts of files: a.py, a.py:Cart.total, a.py:10-40.", min_length=1),
        ],
        detail: Detail = "full",
        limit: Annotated[int, Field(description="Maximum number of files.", ge=1, le=20)] = 8,
    ) -> str:
        """What to know before editing files: findings, users, files that change together, tests to run."""
        return await _answer(lambda: service.file_context(files, detail, limit))

    @server.tool(annotations=_READ_ONLY, structured_output=False)
    async def explain(
        id: Annotated[str, Field(description="A finding's id, or its first characters.")],
        detail: Detail = "full",
        limit: Annotated[int, Field(description="Maximum number of lines.", ge=5, le=MAX_ROWS)] = 80,
    ) -> str:
        """Details of one finding: evidence, code, why it matters, what to do."""
        return await _answer(lambda: service.explain(id, detail, limit))

    @server.tool(annotations=_READ_ONLY, structured_output=False)
    async def hotspots(
        path_prefix: Annotated[str, Field(description="Only files in this folder.")] = "",
        detail: Detail = "full",
        limit: Annotated[int, Field(description="Maximum number of files.", ge=1, le=MAX_ROWS)] = 15,
    ) -> str:
        """The files of this repository where the next fix is most likely, riskiest first."""
        return await _answer(lambda: service.hotspots(path_prefix, detail, limit))

    @server.tool(annotations=_READ_ONLY, structured_output=False)
    async def check_change(
        detail: Detail = "full",
        limit: Annotated[int, Field(description="Maximum number of lines.", ge=5, le=MAX_ROWS)] = 80,
    ) -> str:
        """Review the edits since HEAD: new and fixed findings, files usually edited too, tests to run."""
        return await _answer(lambda: service.check_change(detail, limit))

    return server


async def _answer(ask: Callable[[], str]) -> str:
    """The answer; a fault becomes text, or the agent would learn nothing."""
    try:
        return await run_sync(ask)
    except CrimesError as fault:
        raise ToolError(str(fault)) from fault
