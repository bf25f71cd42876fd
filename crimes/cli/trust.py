"""`crimes trust`: how far a scan of a repository can be trusted, without running a detector."""

from __future__ import annotations

from crimes.cli.options import CacheOption, ColorOption, Format, FormatOption, RepositoryArgument
from crimes.cli.output import session_for, show, terminal_style, write


def trust(
    path: RepositoryArgument = None,
    format: FormatOption = Format.HUMAN,
    cache: CacheOption = True,
    color: ColorOption = None,
) -> None:
    """Tell what a scan could see here, and how far to trust it."""
    from crimes.render.trust import lines, render

    session = session_for(path, cache=cache)
    name, assessed = session.root.name, session.trust()
    if format is Format.JSON:
        write(render(name, assessed))
    else:
        show(lines(name, assessed), terminal_style(color))
