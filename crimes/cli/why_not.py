"""`crimes scan --why-not FILE`: what was examined in a file and not reported."""

from __future__ import annotations

from pathlib import Path

from crimes.cli.output import root_option, show, terminal_style
from crimes.model.errors import UsageError
from crimes.workflows.session import Session


def show_why_not(session: Session, file: Path, color: bool | None) -> None:
    """Scan and show what is excused in a file, which is named relative to the current folder or to the root."""
    from crimes.render.why_not import Silence, lines

    result = session.scan()
    names = _names(session.root, file)
    path = next((name for name in names if name in result.context.repo.files), None)
    if path is None:
        skipped = {skip.path: skip.reason for skip in result.report.files.skipped}
        reasons = (skipped[name] for name in names if name in skipped)
        raise UsageError(f"{file} was not read: {next(reasons, 'no such file in a supported language')}")
    excused = tuple((id_, excuse) for id_, excuse in result.excused if excuse.place.path == path)
    silence = Silence(path, result.context.repo.files[path].role, excused, result.report)
    show(lines(silence, root_option(session.root)), terminal_style(color))


def _names(root: Path, file: Path) -> list[str]:
    """The names below the root that an argument can mean."""
    names = [] if file.is_absolute() else [file.as_posix().removeprefix("./")]
    whole = Path.cwd() / file
    if whole.is_relative_to(root):
        names.insert(0, whole.relative_to(root).as_posix())
    return names
