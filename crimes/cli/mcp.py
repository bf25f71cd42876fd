"""`crimes mcp`: a server for agents that speak the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import RootOption
from crimes.cli.parsers import whole_number
from crimes.model.errors import EnvironmentFault
from crimes.system.roots import resolve_root


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP at /mcp instead of stdin and stdout.")
    ] = False,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="With --http: the address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port",
            metavar="PORT",
            parser=whole_number(0, 65_535),
            help="With --http: the port to listen on.",
        ),
    ] = 8765,
    root: RootOption = None,
) -> None:
    """Run an MCP server for coding agents."""
    top = resolve_root(root)
    try:
        from crimes.mcp.server import server_of
    except ModuleNotFoundError as missing:
        raise EnvironmentFault(
            f"the MCP server needs the extra `mcp` ({missing.name} is missing); install it with: pip install 'crimes-cli[mcp]'"
        ) from missing
    server = server_of(top)
    if http:
        server.run("streamable-http", host=host, port=port, stateless_http=True, json_response=True)
    else:
        server.run("stdio")
