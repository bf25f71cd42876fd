"""`crimes cache`: what is kept of earlier scans, and how to be rid of it."""

from __future__ import annotations

from typing import Annotated

import typer

from crimes.cli.options import RepositoryArgument
from crimes.cli.output import write
from crimes.system.roots import resolve_root

cache = typer.Typer(
    no_args_is_help=True,
    help="Tell what is kept of earlier scans, or remove it.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@cache.command()
def info(
    path: RepositoryArgument = None,
) -> None:
    """Tell where the cache is and how large it is."""
    from crimes.incremental.store import MAX_TOTAL_BYTES, cache_files
    from crimes.model.sanitize import safe
    from crimes.system.user_dirs import database_directory, database_of

    root = resolve_root(path)
    files = cache_files()
    own = next((size for place, size, _ in files if place == database_of(root.resolve())), 0)
    rows = (
        f"place          {database_directory()}",
        f"repositories   {len(files)}",
        f"size           {_in_megabytes(sum(size for _, size, _ in files))} of at most {_in_megabytes(MAX_TOTAL_BYTES)}",
        f"{root.name:<15}{_in_megabytes(own) if own else 'nothing is kept'}",
    )
    write("".join(f"{safe(row)}\n" for row in rows).encode("utf-8", "backslashreplace"))


@cache.command()
def clear(
    path: RepositoryArgument = None,
    all: Annotated[bool, typer.Option("--all", help="Forget every repository.")] = False,
) -> None:
    """Forget what earlier scans found out."""
    from crimes.incremental.store import cache_files, remove
    from crimes.model.errors import EnvironmentFault
    from crimes.system.user_dirs import database_of

    places = [place for place, _, _ in cache_files()] if all else [database_of(resolve_root(path).resolve())]
    try:
        for place in places:
            remove(place)
    except OSError as error:
        raise EnvironmentFault(f"the cache cannot be removed: {error.strerror}: {error.filename}") from error


def _in_megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
