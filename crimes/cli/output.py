"""Where output goes: reports to stdout or a file, everything else to stderr."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.progress import progress
from crimes.model.errors import EnvironmentFault

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from crimes.model.scan_request import ScanRequest
    from crimes.render.lines import Line
    from crimes.system.workers import Progress
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.session import Session

_PLAIN_TERMINALS = ("dumb", "linux")  # these would show links as text, and have few block characters
_MAX_COLUMNS = 120  # longer lines of prose are hard to read


@dataclass(frozen=True)
class TerminalStyle:
    """Whether the output goes to a terminal, and whether it may be coloured and have links.

    `pictures`: whether it shows block characters, for bars and sparklines.
    """

    terminal: bool
    color: bool
    links: bool = False
    pictures: bool = False


def terminal_style(color: bool | None = None, output: Path | None = None) -> TerminalStyle:
    """The style of a terminal, unless the output goes elsewhere; `--color` asks for it anyway."""
    if output is not None and color is None:
        return TerminalStyle(terminal=False, color=False)
    terminal = sys.stdout is not None and sys.stdout.isatty()
    if color is None:
        color = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    able = terminal and output is None and os.environ.get("TERM") not in _PLAIN_TERMINALS
    utf8 = sys.stdout is not None and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return TerminalStyle(terminal or color, color, links=able and color, pictures=able and utf8)


def root_option(root: Path) -> str:
    """What other commands need to find this repository from here."""
    from crimes.system.roots import resolve_root

    shortest = min(os.path.relpath(root), str(root), key=len)
    return "" if root == resolve_root(None) else f" --root {shlex.quote(shortest)}"


def show(lines: Iterable[Line], style: TerminalStyle, output: Path | None = None) -> None:
    """Print lines for people."""
    from crimes.render.lines import plain, terminal

    if style.terminal:
        width = min(shutil.get_terminal_size().columns, _MAX_COLUMNS)
        text = terminal(lines, width, style.color, style.links)
    else:
        text = plain(lines)
    encoding = "utf-8" if output or sys.stdout is None else sys.stdout.encoding
    write(text.encode(encoding, "backslashreplace"), output)


def print_result(
    format: str,
    value: object,
    lines: Iterable[Line],
    color: bool | None = None,
    markdown: Callable[[], str] | None = None,
) -> None:
    """Print a result in the format that was asked for; `lines` are those for people."""
    if format == "json":
        from crimes.model.codec import encode

        write(encode(value))
    elif format == "md" and markdown is not None:
        write(markdown().encode())
    else:
        show(lines, terminal_style(color))


def write(data: bytes, output: Path | None = None) -> None:
    """Send a finished report to a file, or to stdout."""
    if output is not None:
        try:
            _write_file(output, data)
        except OSError as error:
            raise EnvironmentFault(f"cannot write {output}: {error.strerror}") from error
    elif sys.stdout is not None:
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # the reader has seen enough: no fault
            raise
        except OSError as error:
            raise EnvironmentFault(f"cannot write the report: {error.strerror}") from error


def _write_file(output: Path, data: bytes) -> None:
    """Write all of a file or nothing. A device or a pipe takes the bytes as they are, and so does a file in a folder
    where nothing new may be created."""
    from crimes.system.durable import write_durably

    if output.exists() and (not output.is_file() or not os.access(output.resolve().parent, os.W_OK)):
        output.write_bytes(data)
    elif output.parent.is_dir():
        write_durably(output, data)
    else:  # folders are not made for a report: the name may be a slip
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


class Terminal:
    """Listens to scans for the person who runs a command: notices and progress on stderr."""

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet

    def notice(self, text: str) -> None:
        notice(text)

    def progress(self) -> AbstractContextManager[Progress | None]:
        return progress(self._quiet)


def session_for(
    root: Path | None,
    options: ScanOptions | None = None,
    request: ScanRequest | None = None,
    *,
    cache: bool = True,
    quiet: bool = False,
) -> Session:
    """The repository a command is about, with this terminal listening."""
    from crimes.model.scan_request import ScanRequest
    from crimes.system.roots import resolve_root
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.session import Session

    return Session(
        resolve_root(root), options or ScanOptions(cache), Terminal(quiet), request or ScanRequest()
    )


def notice(text: str) -> None:
    """One line for the person who runs the command; never part of a report."""
    from crimes.model.sanitize import safe

    if sys.stderr is not None:
        print(f"crimes: {safe(text)}", file=sys.stderr)  # noqa: T201
