"""`crimes diff`: what came between two states of a repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache as cached
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.delivery import COMPARED, deliver_comparison, deliver_new, to_file
from crimes.cli.options import (
    NO_FILES,
    BaseOption,
    CacheOption,
    ColorOption,
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    NewFormatOption,
    OutputOption,
    PathOption,
    RangeArgument,
    RequireTrustedOption,
    with_format_options,
)
from crimes.cli.output import TerminalStyle, notice, session_for
from crimes.render.formats import HUMAN

if TYPE_CHECKING:
    from crimes.render.lines import Line
    from crimes.workflows.comparison import Comparison


@with_format_options("json", "sarif")
def diff(
    range: RangeArgument = None,
    base: BaseOption = "",
    path: PathOption = None,
    format: NewFormatOption = HUMAN,
    all: Annotated[bool, typer.Option("--all", help="List what is unchanged, too.")] = False,
    output: OutputOption = None,
    also: Mapping[str, Path] = NO_FILES,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print findings and nothing else.")] = False,
    color: ColorOption = None,
) -> None:
    """Tell which findings are new, fixed, moved or unchanged. Gates look at the new ones."""
    from crimes.cli.checkout import checkout_behind, checkout_of
    from crimes.render.comparison import ignore_added
    from crimes.workflows.change_summary import summarise_change
    from crimes.workflows.comparing import compare_states, parse_range
    from crimes.workflows.gating import Gates, comparison_exit_code

    gates = Gates(fail_on, fail_on_risk, fail_on_new, require_trusted)
    gates.check()
    range_ = parse_range(range, base)
    session = session_for(path, cache=cache, quiet=quiet)
    root = session.root
    compared = compare_states(session, range_)
    now, comparison = compared.now, gates.apply_to_new(compared.comparison, compared.now)
    output = to_file(output)

    def lines(style: TerminalStyle) -> Iterator[Line]:
        from crimes.render.comparison import lines
        from crimes.render.lines import no_link
        from crimes.render.links import links_into

        link = links_into(root) if style.links and not range_.head else no_link
        return lines(comparison, terminal=style.terminal, all=all, quiet=quiet, link=link)

    files = deliver_comparison(comparison, lines, format, output, also, color)
    if files or format not in COMPARED:
        remarks = [ignore_added(entry) for entry in comparison.ignores]
        deliver_new(
            now,
            comparison.new,
            comparison.gate,
            format,
            output,
            files,
            lambda: checkout_behind(now, root) if range_.head else checkout_of(root),
            change=cached(partial(summarise_change, root, comparison, range_.head)),
            quiet=quiet,
            remarks=remarks,
        )
        if format not in COMPARED:
            for text in remarks:
                notice(text)
    elif not quiet and (output is not None or format == "json"):
        _summarise(comparison, output)
    raise typer.Exit(comparison_exit_code(comparison))


def _summarise(comparison: Comparison, output: Path | None) -> None:
    """Tell who does not read the output what is in it."""
    from crimes.render.comparison import summary_line
    from crimes.render.trust_text import gate_line

    if output is not None:
        notice(f"{summary_line(comparison)}, written to {output}")
    if comparison.gate is not None:
        notice(gate_line(comparison.gate))
