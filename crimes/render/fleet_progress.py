"""A run of a fleet while it goes on: a live table at a terminal, a line for each repository elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from crimes.model.sanitize import safe

if TYPE_CHECKING:
    from rich.console import RenderableType

    from crimes.workflows.fleet.run import Progress, Result

_MAX_ROWS = 10  # of the live table: the repositories that were done last


@contextmanager
def progress_view(stream: IO[str] | None, *, live: bool) -> Iterator[Callable[[Progress], None]]:
    """What to call with each step of a run; nothing is shown without a stream."""
    if stream is None:
        yield lambda progress: None
        return
    if not live:
        yield lambda progress: _print_last(progress, stream)
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    with Live(console=console, transient=True, refresh_per_second=4) as view:
        yield lambda progress: view.update(_table(progress))


def _print_last(progress: Progress, stream: IO[str]) -> None:
    if not progress.results:
        text = f"{progress.total:,} repositories, {progress.workers:,} workers"
    else:
        result = progress.results[-1]
        text = f"{len(progress.results):,}/{progress.total:,} {result_text(result)}"
    stream.write(f"crimes: {safe(text)}\n")
    stream.flush()


def result_text(result: Result) -> str:
    """What became of a repository, on one line."""
    if result.is_scanned:
        took = f", {result.seconds:.1f} s" if result.status == "scanned" else ""
        return f"{result.member.name}: {result.status}{took}"
    return f"{result.member.name}: {result.status}: {result.reason}"


def _table(progress: Progress) -> RenderableType:
    from rich.console import Group
    from rich.padding import Padding
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    results = progress.results
    numbers = {
        "scanned": sum(result.status == "scanned" for result in results),
        "known": sum(result.status == "known" for result in results),
        "failed": sum(not result.is_scanned for result in results),
    }
    head = ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number)
    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    table.add_column("repository", no_wrap=True, max_width=50)
    table.add_column("status", no_wrap=True)
    table.add_column("seconds", justify="right")
    table.add_column("reason", no_wrap=True, max_width=60)
    styles = {"scanned": "green", "known": "dim"}
    for result in results[-_MAX_ROWS:]:
        table.add_row(
            Text(safe(result.member.name)),
            Text(result.status, styles.get(result.status, "red")),
            Text(f"{result.seconds:.1f}"),
            Text(safe(result.reason)),
        )
    done = f"{len(results):,} of {progress.total:,} repositories, {progress.workers:,} workers"
    return Group(
        Text(f"{done}{f': {head}' if head else ''}"),
        Padding(ProgressBar(total=max(progress.total, 1), completed=len(results), width=60), 0),
        table,
    )
