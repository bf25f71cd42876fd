"""`crimes explain`: all about one finding."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.finding import check_id, find, report_at
from crimes.cli.output import show, terminal_style
from crimes.cli.root import chosen_root


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
    from crimes.analyses.history.commit_log import commits_ever
    from crimes.cli.links import links_into
    from crimes.cli.source import read_source
    from crimes.detection.registry import catalogue
    from crimes.render.explain import lines
    from crimes.render.lines import no_link

    wanted = check_id(id)
    root = chosen_root(path)
    report, made = report_at(root, from_)
    withheld = report.trust.withheld.get("actions", "")
    how = terminal_style(color, None)
    link = links_into(root) if how.links else no_link
    for crime in find(report, wanted):
        source = read_source(root, crime.file, made)
        ever = 0 if report.history.limited else commits_ever(root, crime.file)
        told = lines(crime, catalogue().get(crime.type), source, report.history, withheld, link, ever)
        show(told, how)
