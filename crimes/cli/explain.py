"""`crimes explain`: all about one finding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.output import look, notice, show
from crimes.cli.root import chosen_root
from crimes.errors import UsageError

if TYPE_CHECKING:
    from crimes.report import Crime, Report

_SHORTEST = 4
_CANDIDATES = 10


def explain(
    id: Annotated[str, typer.Argument(help="A finding's id, the beginning of it, or its fingerprint.")],
    path: Annotated[
        Path | None,
        typer.Option("--path", metavar="DIR", help="The repository; without it, the one around here."),
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Look in this JSON report, not in the last scan."),
    ] = None,
    color: Annotated[
        bool | None,
        typer.Option("--color/--no-color", help="Colours, whatever the terminal says.", show_default=False),
    ] = None,
) -> None:
    """Explain one finding: evidence, code, arithmetic, what to do."""
    from crimes.cli.source import read_source
    from crimes.registry import catalogue
    from crimes.views.explain import lines

    if len(id) < _SHORTEST:
        raise UsageError(f"{id} is too short: give at least {_SHORTEST} characters of the id")
    root = chosen_root(path)
    report, made = _report(root, from_)
    for crime in _find(report, id):
        source = read_source(root, crime.file, made)
        show(lines(crime, catalogue().get(crime.type), source, report.history), look(color, None))


def _report(root: Path, file: Path | None) -> tuple[Report, float]:
    """The report to look in, and when it was made: a file, the last scan, or a new one."""
    import time

    from crimes.cli.scanning import last, run
    from crimes.report_json import decode

    if file is not None:
        try:
            return decode(file.read_bytes()), file.stat().st_mtime
        except OSError as error:
            raise UsageError(f"cannot read {file}: {error.strerror}") from error
        except ValueError as error:
            raise UsageError(f"cannot use {file}: {error}") from error
    stored = last(root)
    if stored is not None:
        return stored.report, stored.made
    notice(f"no scan of {root} is kept here, so it is scanned now")
    return run(root).report, time.time()


def _find(report: Report, wanted: str) -> list[Crime]:
    """The finding whose id or fingerprint begins like this; more than one only where they share their id."""
    from crimes.views.safe import safe

    crimes = (*report.findings, *report.hidden)
    wanted = wanted.lower()
    exact = [crime for crime in crimes if wanted in (crime.id, crime.fingerprint)]
    found = exact or [
        crime for crime in crimes if crime.id.startswith(wanted) or crime.fingerprint.startswith(wanted)
    ]
    if len({crime.id for crime in found}) == 1:
        return found
    if not found:
        raise UsageError(
            f"no finding {wanted} in the report on {report.repository}: it may be gone since. "
            "`crimes scan` lists what is there now; `--path` names another repository."
        )
    listed = [
        safe(f"  {crime.id}  {crime.type}  {crime.file}:{crime.lines.start}") for crime in found[:_CANDIDATES]
    ]
    if len(found) > _CANDIDATES:
        listed.append(f"  and {len(found) - _CANDIDATES} more")
    raise UsageError("\n".join((f"{len(found)} findings begin with {wanted}:", *listed)))
