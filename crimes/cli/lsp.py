"""`crimes lsp`: a server for editors that speak the Language Server Protocol."""

from __future__ import annotations

import os

from crimes.cli.options import RootOption
from crimes.model.errors import EnvironmentFault
from crimes.system.roots import resolve_root


def lsp(root: RootOption = None) -> None:
    """Run a language server for editors, on stdin and stdout."""
    top = resolve_root(root) if root is not None else None
    try:
        from crimes.lsp.server import editor_server
    except ModuleNotFoundError as missing:
        raise EnvironmentFault(
            f"the language server needs the extra `lsp` ({missing.name} is missing); install it with: pip install 'crimes-cli[lsp]'"
        ) from missing
    # The server closes its streams at the end; ours stay open, for what is still to be written.
    with os.fdopen(os.dup(0), "rb") as messages_in, os.fdopen(os.dup(1), "wb") as messages_out:
        editor_server(top).start_io(messages_in, messages_out)
