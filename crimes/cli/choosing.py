"""From the options of a command to what it reports on: a repository, and a selection of its findings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.output import notice, session_for
from crimes.model.errors import UsageError
from crimes.system.roots import resolve_scope
from crimes.workflows.selection import Selection, is_below

if TYPE_CHECKING:
    from crimes.model.scan_request import ScanRequest
    from crimes.model.severity import Severity
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.session import Session


def selection_of(
    select: Sequence[str] | None,
    ignore: Sequence[str] | None,
    severity: Severity | None,
    exclude: Sequence[str] | None,
    types: Collection[str] = (),
) -> Selection:
    """The selection that these options ask for. Names that are no detector, no family and none of `types` are refused."""
    selection = Selection(
        exclude=tuple(exclude or ()),
        select=tuple(select or ()),
        ignore=tuple(ignore or ()),
        severity=severity,
    )
    selection.keeps(types)
    return selection


def chosen_session(
    paths: Sequence[Path] | None,
    root: Path | None,
    selection: Selection,
    options: ScanOptions,
    request: ScanRequest,
    *,
    quiet: bool = False,
) -> tuple[Session, Selection]:
    """The repository that holds the paths, and the selection with their names in it."""
    import msgspec

    scope = resolve_scope(paths or (), root)
    session = session_for(scope.root, options, request, quiet=quiet)
    if selection.select and (enable := selection.enable(session.config())):
        request = msgspec.structs.replace(request, enable=enable)
        session = session_for(scope.root, options, request, quiet=quiet)
    return session, replace(selection, paths=scope.paths)


def notice_empty_paths(session: Session, selection: Selection) -> bool:
    """Say which of the chosen paths hold no file that was read. Returns whether that is all of them."""
    from crimes.discovery.discover import discover
    from crimes.languages import by_id

    if not selection.paths:
        return False
    tree = discover(session.root, session.config(), by_id)
    tree.close()
    files = [file.path for file in tree.files]
    empty = [path for path in selection.paths if not any(is_below(file, path) for file in files)]
    for path in empty:
        notice(f"No source files found in {path}.")
    return len(empty) == len(selection.paths)


def refuse_without(option: str, value: object, others: dict[str, object]) -> None:
    """Refuses an option that has no effect without one of the others."""
    if value and not any(others.values()):
        raise UsageError(f"{option} has no effect alone; use it with {' or '.join(others)}")
