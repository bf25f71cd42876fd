"""`crimes claims`: what a text states without showing why."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import ColorOption, FormatOption, RootOption
from crimes.cli.output import notice, print_result
from crimes.cli.parsers import whole_number
from crimes.model.errors import EnvironmentFault, UsageError
from crimes.system.allowance import Exceeded, allowance
from crimes.system.roots import resolve_root

if TYPE_CHECKING:
    from crimes.analyses.claims.lookup import Names, Repository

MAX_AUDIT_SECONDS = 60.0  # of processor time
_MAX_TEXT_BYTES = 500_000  # bytes; nobody reads an answer or a pull request longer than that
_STDIN = Path("-")


def claims(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE|-]", help="The text; - is standard input.", show_default=False),
    ] = None,
    threshold: Annotated[
        int | None,
        typer.Option(
            "--threshold",
            metavar="N",
            parser=whole_number(0, 100),
            help="Show claims with this confidence or more, 0 to 100; without it, as configured (50).",
            show_default=False,
        ),
    ] = None,
    format: FormatOption = "human",
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show low-confidence claims too, and the arithmetic.")
    ] = False,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Find unsupported statements in a text."""
    from msgspec.structs import replace

    from crimes.analyses.claims.audit import audit
    from crimes.config.loader import load_config
    from crimes.render.claims import CheckedOut, build_report, lines

    if file is None and sys.stdin is not None and sys.stdin.isatty():
        raise UsageError("give the file to read, or - for standard input")
    where = resolve_root(root)
    name, folder = _name_and_folder(file or _STDIN, where)
    text = _read_text(file or _STDIN)
    settings = load_config(where, None).claims
    if threshold is not None:
        settings = replace(settings, threshold=threshold)
    names = _last_names(where)
    repository = _repository_at(where, folder, names)
    try:
        with allowance(MAX_AUDIT_SECONDS):
            found = audit(text, settings, repository.verifies)
    except Exceeded as exceeded:
        raise UsageError(f"{name} takes too long to check; give the part that matters") from exceeded
    report = build_report(
        name,
        found,
        settings,
        CheckedOut(repository=where.name, symbols=names is not None),
        verbose=verbose,
    )
    print_result(format, report, lines(report, verbose=verbose), color)


def _name_and_folder(file: Path, root: Path) -> tuple[str, str]:
    """The name of the text, and the folder of the repository it lies in."""
    if file == _STDIN:
        return "standard input", ""
    real = file.resolve()
    if not real.is_relative_to(root):
        return file.name, ""
    inside = real.relative_to(root)
    return inside.as_posix(), inside.parent.as_posix()


def _read_text(file: Path) -> str:
    name = "standard input" if file == _STDIN else str(file)
    data = _read_bytes(file, name)
    if len(data) > _MAX_TEXT_BYTES:
        raise UsageError(f"{name} is larger than {_MAX_TEXT_BYTES:,} bytes; give the part that matters")
    if b"\0" in data:
        raise UsageError(f"{name} is not text: it contains a zero byte")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8: byte {error.start} cannot be decoded") from error


def _read_bytes(file: Path, name: str) -> bytes:
    try:
        if file != _STDIN:
            with file.open("rb") as stream:
                return stream.read(_MAX_TEXT_BYTES + 1)
        return sys.stdin.buffer.read(_MAX_TEXT_BYTES + 1) if sys.stdin is not None else b""
    except FileNotFoundError as error:
        raise UsageError(f"no such file: {name}") from error
    except IsADirectoryError as error:
        raise UsageError(f"{name} is a folder; give a file, or - for standard input") from error
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error


def _last_names(root: Path) -> Names | None:
    """The names of the last scan, if one is kept."""
    from crimes.workflows.last_scan import load_names

    try:
        return load_names(root)
    except EnvironmentFault as fault:
        notice(str(fault))
        return None


def _repository_at(root: Path, folder: str, names: Names | None) -> Repository:
    """The repository as it is on the disk now; nothing outside of it is looked at."""
    from crimes.analyses.claims.lookup import Names, Repository
    from crimes.system.safe_files import read_inside

    def exists(path: str) -> bool:
        real = os.path.realpath(root / path)
        return Path(real).is_relative_to(root) and os.path.exists(real)

    known = names or Names()
    return Repository(
        exists=exists,
        read=lambda path: read_inside(root, path),
        ending=known.ending,
        has_symbol=known.has_symbol,
        root=str(root),
        folder=folder,
    )
