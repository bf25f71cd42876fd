"""Links from a terminal to a line of a file."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from crimes.render.lines import Link


def links_into(root: Path) -> Link:
    """Links to files below a folder of this machine. All but letters, digits and slashes is encoded."""
    start = f"file://{quote(socket.gethostname())}{quote(os.fsencode(root.resolve()))}"

    def link(path: str, number: int) -> str:
        return f"{start}/{quote(os.fsencode(path))}#L{number}"

    return link
