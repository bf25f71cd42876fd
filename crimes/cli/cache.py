"""`crimes cache`: the cached results of earlier scans."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import RootOption
from crimes.cli.output import write
from crimes.system.roots import resolve_root

cache = typer.Typer(
    no_args_is_help=True,
    help="Show or remove the cached results of earlier scans.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@cache.command()
def info(root: RootOption = None) -> None:
    """Show where the cache is and how large it is."""
    from crimes.incremental.store import MAX_TOTAL_BYTES, cache_files
    from crimes.model.sanitize import safe
    from crimes.system.user_dirs import database_directory, database_of

    top = resolve_root(root)
    files = cache_files()
    own = next((size for place, size, _ in files if place == database_of(top.resolve())), 0)
    rows = (
        f"location       {database_directory()}",
        f"repositories   {len(files)}",
        f"size           {_in_megabytes(sum(size for _, size, _ in files))} of at most {_in_megabytes(MAX_TOTAL_BYTES)}",
        f"{top.name:<15}{_in_megabytes(own) if own else 'nothing cached'}",
    )
    write("".join(f"{safe(row)}\n" for row in rows).encode("utf-8", "backslashreplace"))


@cache.command()
def clear(
    all: Annotated[
        bool, typer.Option("--all", help="Remove the results of every repository, and the mirrors of fleets.")
    ] = False,
    root: RootOption = None,
) -> None:
    """Remove the results of earlier scans."""
    import shutil

    from crimes.incremental.building import wait_until_built
    from crimes.incremental.store import cache_files, remove
    from crimes.model.errors import EnvironmentFault
    from crimes.system.user_dirs import database_of, mirrors_directory

    places = [place for place, _, _ in cache_files()] if all else [database_of(resolve_root(root).resolve())]
    try:
        for place in places:
            wait_until_built(place)  # or what a scan left behind would write it again
            remove(place)
        if all and mirrors_directory().is_dir():
            shutil.rmtree(mirrors_directory())
    except OSError as error:
        raise EnvironmentFault(f"cannot remove the cache: {error.strerror}: {error.filename}") from error


def _in_megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
