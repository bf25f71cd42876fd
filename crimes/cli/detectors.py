"""`crimes detectors`: the catalogue."""

from __future__ import annotations

from crimes.cli.options import ConfigOption, FormatOption, RootOption
from crimes.cli.output import show, terminal_style, write


def detectors(
    format: FormatOption = "human",
    root: RootOption = None,
    config: ConfigOption = None,
) -> None:
    """List the detectors, and which of them are on in this repository."""
    from crimes.detection.registry import catalogue, load_checked_config
    from crimes.render.catalogue import lines, render
    from crimes.system.roots import resolve_root

    settings = load_checked_config(resolve_root(root), config)
    if format == "json":
        write(render(catalogue(), settings))
    else:
        show(lines(catalogue(), settings), terminal_style())
