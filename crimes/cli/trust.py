"""`crimes trust`: how far a scan of a repository can be trusted, without running a detector."""

from __future__ import annotations

from crimes.cli.options import CacheOption, ColorOption, FormatOption, RootOption
from crimes.cli.output import session_for, show, terminal_style, write


def trust(
    format: FormatOption = "human",
    cache: CacheOption = True,
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Show how much a scan can see here, and how far to trust it."""
    from crimes.render.trust import lines, render

    session = session_for(root, cache=cache)
    name, assessed = session.root.name, session.trust()
    if format == "json":
        write(render(name, assessed))
    else:
        show(lines(name, assessed), terminal_style(color))
