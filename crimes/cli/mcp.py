"""`crimes mcp`: a server for agents that speak the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import RepositoryArgument
from crimes.model.errors import EnvironmentFault
from crimes.system.roots import resolve_root


def mcp(
    path: RepositoryArgument = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP at /mcp, not stdin and stdout.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Where to listen.", min=0, max=65535)] = 8765,
) -> None:
    """Serve four tools to agents: file_context, explain, hotspots, check_change."""
    root = resolve_root(path)
    try:
        from crimes.mcp.server import server_of
    except ModuleNotFoundError as missing:
        raise EnvironmentFault(
            f"the server needs the extra `mcp` ({missing.name} is not here): pip install 'crimes-cli[mcp]'"
        ) from missing
    server = server_of(root)
    if http:
        server.run("streamable-http", host=host, port=port, stateless_http=True, json_response=True)
    else:
        server.run("stdio")
