"""What is new, as a report of its own: for the formats that machines read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.formats import DisplayOptions, ReportFormat, deliver, write_besides

if TYPE_CHECKING:
    from crimes.model.report import Crime, Gate, Report
    from crimes.render.checkout import Checkout

COMPARED = (ReportFormat.HUMAN, ReportFormat.JSON)  # these show a comparison, the others what is new in it


def deliver_new(
    now: Report,
    new: tuple[Crime, ...],
    gate: Gate | None,
    format: ReportFormat,
    output: Path | None,
    files: Mapping[ReportFormat, Path],
    checkout: Callable[[], Checkout],
    *,
    quiet: bool = False,
    told: Iterable[str] = (),
) -> None:
    """Print or write the new findings of a report; `told` is what else a page should say."""
    import msgspec

    from crimes.engine.report_builder import summary_of

    only_new = msgspec.structs.replace(
        now,
        findings=new,
        hidden=(),
        summary=summary_of(new, (), 0),
        gate=gate,
        warnings=(*now.warnings, *told),
    )
    if format in COMPARED:
        write_besides(only_new, files, None, checkout)
    else:
        deliver(only_new, format, output, files, DisplayOptions(quiet=quiet), checkout)
