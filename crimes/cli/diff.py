"""`crimes diff`: what came between two states of a repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache as cached
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.choosing import chosen_session, selection_of
from crimes.cli.delivery import COMPARED, deliver_comparison, deliver_new, to_file
from crimes.cli.options import (
    NO_FILES,
    SHOW,
    BaseOption,
    CacheOption,
    ColorOption,
    ConfigOption,
    ExcludeOption,
    FailOnNewOption,
    FailOnOption,
    FailOnRiskOption,
    GroupByOption,
    IgnoreOption,
    NewFormatOption,
    OutputOption,
    QuietOption,
    RequireTrustedOption,
    RootOption,
    SelectOption,
    SeverityOption,
    SortOption,
    with_format_options,
)
from crimes.cli.output import TerminalStyle, notice
from crimes.model.errors import UsageError
from crimes.render.formats import HUMAN

if TYPE_CHECKING:
    from crimes.render.lines import Line
    from crimes.workflows.comparison import Comparison


@with_format_options("json", "sarif")
def diff(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BASE...HEAD] [PATH]...",
            help="Two revisions, compared from where they part (.. compares them directly); without a range, the working tree "
            "is compared with HEAD. Paths narrow the report.",
            show_default=False,
        ),
    ] = None,
    base: BaseOption = "",
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    severity: SeverityOption = None,
    exclude: ExcludeOption = None,
    format: NewFormatOption = HUMAN,
    sort: SortOption = "risk",
    group_by: GroupByOption = None,
    all: Annotated[
        bool, typer.Option("--all", help="List unchanged findings too.", rich_help_panel=SHOW)
    ] = False,
    output: OutputOption = None,
    also: Mapping[str, Path] = NO_FILES,
    fail_on: FailOnOption = None,
    fail_on_risk: FailOnRiskOption = None,
    fail_on_new: FailOnNewOption = False,
    require_trusted: RequireTrustedOption = False,
    cache: CacheOption = True,
    quiet: QuietOption = False,
    color: ColorOption = None,
    root: RootOption = None,
    config: ConfigOption = None,
) -> None:
    """Compare two revisions: what is broken, new, fixed or moved.

    Gates look at new findings only; broken references always fail.
    """
    from crimes.cli.checkout import checkout_behind, checkout_of
    from crimes.model.change import CHANGE_KINDS
    from crimes.model.scan_request import ScanRequest
    from crimes.render.comparison import ignore_added
    from crimes.system.roots import locate
    from crimes.workflows.change_summary import summarise_change
    from crimes.workflows.comparing import compare_states, parse_range
    from crimes.workflows.gating import Gates, comparison_exit_code
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.selection import comparison_in_order

    gates = Gates(fail_on, fail_on_risk, fail_on_new, require_trusted)
    gates.check()
    range_words = [word for word in words or () if ".." in word and not locate(Path(word), root)]
    paths = [Path(word) for word in words or () if word not in range_words]
    for path in paths:
        if locate(path, root) is None:
            raise UsageError(_not_a_path(str(path), root))
    range_ = parse_range(range_words, base)
    session, selection = chosen_session(
        paths,
        root,
        selection_of(select, ignore, severity, exclude, types=CHANGE_KINDS),
        ScanOptions(cache),
        ScanRequest(config=config),
        quiet=quiet,
    )
    top = session.root
    compared = compare_states(session, range_)
    session.remember_change(compared.comparison)
    now = compared.now
    chosen = selection.apply_to_comparison(compared.comparison, compared.touched)
    comparison = comparison_in_order(gates.apply_to_new(chosen, now), sort)
    output = to_file(output)

    def lines(style: TerminalStyle) -> Iterator[Line]:
        from crimes.render.comparison import lines
        from crimes.render.lines import no_link, without_double_blanks
        from crimes.render.links import links_into

        link = links_into(top) if style.links and not range_.head else no_link
        text = lines(
            comparison, terminal=style.terminal, all=all, quiet=quiet, link=link, group_by=group_by or ""
        )
        return without_double_blanks(text)

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
            lambda: checkout_behind(now, top) if range_.head else checkout_of(top),
            change=cached(partial(summarise_change, top, comparison, range_.head)),
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
        notice(gate_line(comparison.gate, only_new=True))


def _not_a_path(word: str, root: Path | None) -> str:
    """What to type instead of a word that is neither a path nor a range."""
    from crimes.model.errors import Unavailable
    from crimes.system import git
    from crimes.system.git_objects import commit_of
    from crimes.system.roots import resolve_root

    try:
        commit_of(git.find(resolve_root(root)), word)
    except Unavailable:
        return f"no such revision or path: {word}; a range is BASE...HEAD, such as main...HEAD"
    return f"'{word}' is a revision: use --base {word} to compare the working tree with it, or {word}...HEAD to compare commits"
