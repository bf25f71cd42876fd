"""The repository behind a report, for formats that need its files or its place in git."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.output import notice
from crimes.model.errors import Unavailable
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from crimes.model.report import Report
    from crimes.render.checkout import Checkout

_COMMIT = regex("[0-9a-f]{40}(?:[0-9a-f]{24})?")


def checkout_of(root: Path) -> Checkout:
    """The folder that was just scanned."""
    from crimes.render.checkout import Checkout
    from crimes.system.git import find
    from crimes.system.safe_files import MAX_READ_BYTES, SafeReader

    reader = SafeReader(root.resolve())

    def read(path: str) -> bytes | None:
        try:
            return reader.read(path, MAX_READ_BYTES)
        except (OSError, ValueError):  # gone meanwhile, or a name that cannot be one
            return None

    try:
        prefix = find(root).prefix.decode("utf-8", "surrogateescape")
    except Unavailable:
        prefix = ""
    return Checkout(prefix, read, _github_address())


def _github_address() -> str:
    """Where GitHub shows the files of the commit that a job is about; empty outside of a job."""
    from crimes.render.escape import safe_address

    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")
    server, repository, commit = (os.environ.get(name, "") for name in names)
    if not (server and repository and _COMMIT.fullmatch(commit)):
        return ""
    return safe_address(f"{server}/{repository}/blob/{commit}")


def checkout_behind(report: Report, root: Path) -> Checkout:
    """The folder an older report is about: with its files while it stands at the report's commit, with its place in git
    as long as it knows that commit."""
    from crimes.render.checkout import NOWHERE, Checkout
    from crimes.system.git import find
    from crimes.system.git_objects import commit_of

    try:
        tree = find(root)
        commit = commit_of(tree, report.history.head or "-")
        if commit_of(tree, "HEAD") == commit:
            return checkout_of(root)
    except Unavailable:
        notice(
            f"{root} does not have the commit of the report; paths are shown as recorded, without source lines"
        )
        return NOWHERE
    notice(f"{root} is not at the commit of the report; source lines are not shown")
    return Checkout(checkout_of(root).prefix)
