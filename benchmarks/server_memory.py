"""Memory and open files of the MCP server and the language server over thousands of calls, with real edits between them.

python benchmarks/server_memory.py [--calls 5000] [--calls-per-edit 50] [--servers mcp,lsp]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.kit.gitrepo import GitRepo
from tests.kit.raw_clients import RawClient, RawLsp, RawMcp
from tests.kit.sample_code import LOOPING


def resident_kb(client: RawClient) -> int:
    """The memory that a server takes now, its children not counted."""
    status = Path(f"/proc/{client.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def call(client: RawClient, number: int) -> None:
    """One call, each of the kinds in turn."""
    if isinstance(client, RawMcp):
        calls: list[tuple[str, dict[str, Any]]] = [
            ("file_context", {"files": ["app/core.py", "app/api.py"]}),
            ("impact", {"symbol": "app/core.py:tangled"}),
            ("hotspots", {}),
            ("file_context", {"files": [f"none{number}.py"]}),
        ]
        tool, arguments = calls[number % len(calls)]
        client.call(tool, **arguments)
    elif isinstance(client, RawLsp):
        uri = f"{client.root}/app/core.py"
        client.notify("textDocument/didSave", textDocument={"uri": uri})
        client.lenses(uri)
        client.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": 0, "character": 5})


def open_files(client: RawClient) -> int:
    """How many files, folders and pipes a server has open now."""
    return len(list(Path(f"/proc/{client.process.pid}/fd").iterdir()))


def measure(client: RawClient, edited: Path, calls: int, calls_per_edit: int) -> None:
    """Print resident kilobytes and open files, twenty times over the calls."""
    for number in range(calls):
        if number % calls_per_edit == 0:
            edited.write_text(LOOPING + f"\n\ndef edit_{number}():\n    return {number}\n")
        call(client, number)
        if (number + 1) % max(calls // 20, 1) == 0:
            name = type(client).__name__
            print(
                f"{name}: {number + 1} calls, {resident_kb(client)} KB, {open_files(client)} open", flush=True
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5_000)
    parser.add_argument("--calls-per-edit", type=int, default=50)
    parser.add_argument("--servers", default="mcp,lsp")
    options = parser.parse_args()
    kinds = {"mcp": RawMcp, "lsp": RawLsp}
    for kind in [kinds[name] for name in options.servers.split(",")]:
        with tempfile.TemporaryDirectory() as folder:
            repo = GitRepo(Path(folder, "repo"))
            repo.commit(
                {"app/core.py": LOOPING, "app/api.py": "from app.core import tangled\n\ntangled(1, [], 2)\n"}
            )
            with kind(repo.path, Path(folder, "cache")) as client:
                if isinstance(client, RawLsp):
                    client.open(f"{client.root}/app/core.py", LOOPING)
                measure(client, repo.path / "app/core.py", options.calls, options.calls_per_edit)


if __name__ == "__main__":
    main()
