"""The history of a repository, without the rest of a scan."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from crimes.analyses.history.cached_log import CachedLog
from crimes.analyses.history.history import HISTORY, History
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.discovery.discover import discover
from crimes.languages import by_id
from crimes.model.facts import FileFacts
from crimes.model.repository import File, Repo


def history_of(root: Path, as_of: datetime | None = None) -> History:
    tree = discover(root, Config(), by_id)
    files = {file.path: File(file.path, file.role, FileFacts(file.language, 0, 0, "")) for file in tree.files}
    repo = Repo(tree.root, files, tree.paths, (), (), tree.read)
    found = Context(repo, Config(), as_of)[HISTORY]
    log = CachedLog(None, None if as_of is None else int(as_of.timestamp()))
    assert (
        Context(repo, Config(), as_of, commits=log)[HISTORY] == found
    )  # a log of the window alone says the same
    return found
