"""`crimes fleet`: many repositories at once."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import RUN, SHOW, ColorOption, OutputOption, format_option
from crimes.cli.output import notice, print_result, show, terminal_style, write
from crimes.cli.parsers import whole_number
from crimes.model.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from crimes.config.fleet import FleetFile, Limits
    from crimes.workflows.fleet.store import Store

fleet = typer.Typer(
    no_args_is_help=True,
    help="Scan many repositories at once, and see where the risk is and what changed.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        help="Where results are kept; without it, what fleet.toml names, or crimes-fleet in the current folder.",
        rich_help_panel=RUN,
        show_default=False,
    ),
]
TopOption = Annotated[
    int,
    typer.Option(
        "--top", metavar="N", parser=whole_number(1), help="Show N of each list.", rich_help_panel=SHOW
    ),
]


@fleet.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that holds git checkouts.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")] = Path(
        "fleet.toml"
    ),
) -> None:
    """Write a fleet.toml for the git checkouts in a folder."""
    with fleet_extra():
        from crimes.workflows.fleet.setup import write_fleet

    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder")
    write_fleet(folder, output)
    notice(f"{output} written; run `crimes fleet run` next")


@fleet.command()
def run(
    source: Annotated[
        str,
        typer.Argument(
            metavar="[FILE|FOLDER|-]",
            help="A fleet.toml, a folder of git checkouts, or - for a list on stdin; without it, ./fleet.toml.",
            show_default=False,
        ),
    ] = "",
    scheduler: Annotated[
        str,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Run on this Dask scheduler (tcp:// or tls://) instead of a cluster of this machine.",
            rich_help_panel=RUN,
            show_default=False,
        ),
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "-j",
            metavar="N",
            parser=whole_number(1),
            help="Scan this many repositories at a time on this machine [default: one per core].",
            rich_help_panel=RUN,
        ),
    ] = None,
    timeout: Annotated[
        int | None,
        typer.Option(
            "--timeout",
            metavar="SECONDS",
            parser=whole_number(1),
            help="Give up on a repository after this time [default: 900].",
            rich_help_panel=RUN,
        ),
    ] = None,
    rescan: Annotated[
        bool, typer.Option("--rescan", help="Also scan what has not changed.", rich_help_panel=RUN)
    ] = False,
    store: StoreOption = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress.", rich_help_panel=SHOW)
    ] = False,
) -> None:
    """Scan every repository of a fleet. What has not changed since is not scanned again."""
    with fleet_extra():
        from crimes.workflows.fleet.run import RunOptions, run_fleet

    from crimes.render.fleet import run_lines
    from crimes.render.fleet_progress import progress_view
    from crimes.workflows.fleet.members import members_of
    from crimes.workflows.scan_options import ScanOptions

    file, base = _read_source(source)
    members = members_of(file, base)
    options = RunOptions(
        limits=_with_timeout(file.limits, timeout),
        scheduler=scheduler,
        workers=workers or ScanOptions().processes(),
        rescan=rescan,
    )
    watched = not quiet and sys.stderr is not None
    live = watched and sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"
    try:
        with progress_view(sys.stderr if watched else None, live=live) as on_progress:
            finished = run_fleet(members, _store(store, file, base), options, on_progress)
    except KeyboardInterrupt:
        notice("interrupted; run the same command again to go on from here")
        raise
    show(run_lines(finished), terminal_style())
    raise typer.Exit(0 if any(result.is_scanned for result in finished.results) else 2)


@fleet.command()
def report(
    run_id: Annotated[
        str,
        typer.Argument(
            metavar="[RUN]", help="The id of a run; without it, the last one.", show_default=False
        ),
    ] = "last",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="TAG",
            help="Split by this tag, or by `group`; by `team` where there is such a tag.",
            rich_help_panel=SHOW,
            show_default=False,
        ),
    ] = "",
    top: TopOption = 10,
    format: Annotated[str, format_option("human", "json", "html")] = "human",
    output: OutputOption = None,
    store: StoreOption = None,
    color: ColorOption = None,
) -> None:
    """Show where the risk is in a fleet, what changed since the run before, and what could not be scanned."""
    with fleet_extra():
        from crimes.workflows.fleet.report import build_report

    from crimes.model.codec import encode
    from crimes.render.fleet import report_lines

    result = build_report(_existing_store(store), run_id, by=by, top_files=max(top, 100))
    if format == "json":
        write(encode(result), output)
    elif format == "html":
        from crimes.render.html.fleet_page import fleet_page

        write(fleet_page(result), output)
    else:
        style = terminal_style(color, output)
        show(report_lines(result, top=top), style, output)


@fleet.command()
def diff(
    before: Annotated[
        str,
        typer.Argument(metavar="[EARLIER]", help="The id of the earlier run; without it, the last but one."),
    ] = "previous",
    after: Annotated[
        str, typer.Argument(metavar="[LATER]", help="The id of the later run; without it, the last one.")
    ] = "last",
    top: TopOption = 10,
    format: Annotated[str, format_option("human", "json")] = "human",
    store: StoreOption = None,
    color: ColorOption = None,
) -> None:
    """Show what is new and what is fixed between two runs."""
    with fleet_extra():
        from crimes.workflows.fleet.diff import compare_runs

    from crimes.render.fleet import diff_lines

    result = compare_runs(_existing_store(store), before, after)
    print_result(format, result, diff_lines(result, top=top), color)


@contextmanager
def fleet_extra() -> Iterator[None]:
    """Says what to install when the libraries of fleets are missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise EnvironmentFault(
            f"fleets need the extra `fleet` ({missing.name} is missing); install it with: pip install 'crimes-cli[fleet]'"
        ) from missing


def _read_source(source: str) -> tuple[FleetFile, Path]:
    """The fleet that is meant, and the folder its relative names start from."""
    from crimes.config.fleet import FLEET_FILE, Entry, FleetFile, load_fleet, parse_list
    from crimes.detection.registry import catalogue

    here = Path.cwd()
    if source == "-":
        return parse_list(sys.stdin.read(), "the list on stdin"), here
    path = Path(source or FLEET_FILE)
    if path.is_dir():
        return FleetFile((Entry(folder=str(path.resolve()), is_tree=True),)), here
    if not path.is_file():
        hint = "name a folder of git checkouts, or write one with `crimes fleet init FOLDER`"
        raise UsageError(f"{path}: no such {'file or folder' if source else 'file'}; {hint}")
    known = {id_: detector.options for id_, detector in catalogue().items()}
    return load_fleet(path, known), path.resolve().parent


def _with_timeout(limits: Limits, seconds: int | None) -> Limits:
    from msgspec.structs import replace

    return limits if seconds is None else replace(limits, seconds=seconds)


def _store(named: Path | None, file: FleetFile, base: Path) -> Store:
    from crimes.workflows.fleet.store import Store

    return Store(named or base / Path(file.store).expanduser())


def _existing_store(named: Path | None) -> Store:
    """The store that was named, else the one of ./fleet.toml, else that of the current folder."""
    from crimes.config.fleet import FLEET_FILE, STORE
    from crimes.workflows.fleet.store import Store

    if named is not None:
        return Store(named)
    if Path(FLEET_FILE).is_file():
        file, base = _read_source(FLEET_FILE)
        return _store(None, file, base)
    return Store(Path(STORE))
