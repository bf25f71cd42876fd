"""`crimes map`: the repository as a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crimes.cli.options import SHOW, CacheOption, CoverageOption, NoProgressOption, RootOption
from crimes.cli.output import notice, session_for, write
from crimes.model.errors import EnvironmentFault

MAX_TOTAL_BYTES = 200_000_000  # of the maps of all repositories


def map(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the page to this file instead of the user's cache folder.",
            rich_help_panel=SHOW,
        ),
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.", rich_help_panel=SHOW)
    ] = False,
    coverage: CoverageOption = None,
    cache: CacheOption = True,
    quiet: NoProgressOption = False,
    root: RootOption = None,
) -> None:
    """Write an HTML page (treemap, files, findings, imports, trend) and print its path."""
    from functools import partial

    from crimes.cli.checkout import checkout_of
    from crimes.cli.trend import record_scan
    from crimes.model.scan_request import ScanRequest
    from crimes.render.formats import render
    from crimes.render.trust_text import endings
    from crimes.workflows.gating import exit_code
    from crimes.workflows.repository_map import scan_map

    request = ScanRequest(coverage=tuple(coverage or ()))
    session = session_for(root, request=request, cache=cache, quiet=quiet)
    report = session.report()
    if cache:
        record_scan(session.root, report)
    page = render(
        report, "html", partial(checkout_of, session.root), repository_map=partial(scan_map, session, report)
    )
    file = output or _default_file(session.root)
    write(page, file)
    for text in endings(report):
        notice(text)
    address = file.resolve().as_uri()
    write(f"{address}\n".encode())
    if open_page:
        import webbrowser

        if not webbrowser.open(address):
            notice(f"no browser found: open {address} yourself")
    raise typer.Exit(exit_code(report))


def _default_file(root: Path) -> Path:
    """A file outside the repository, so that the page is no part of the next scan."""
    from crimes.system.user_dirs import drop_oldest, repository_file

    file = repository_file(root, "maps", ".html")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        drop_oldest(file.parent, MAX_TOTAL_BYTES, file)
    except OSError as error:
        raise EnvironmentFault(
            f"cannot write {file}: {error.strerror}; name another with --output"
        ) from error
    return file
