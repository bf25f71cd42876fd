"""A warning for edits of generated and vendored files, and the source of a generated one."""

from __future__ import annotations

import re
from posixpath import dirname, normpath

from crimes.model.facts import Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import File, Repo

_HEAD_BYTES = 1_000  # in which a generated file names its source
_NAMED_SOURCE = regex(
    r"(?:\bfrom|\bsource:?|\bby running|\bedit)\s+[\"'`(]*([\w@./\\-]+\.\w+)", re.IGNORECASE
)


def role_note(file: File | None, repo: Repo) -> str:
    """The warning for an edit of a generated or vendored file; empty for others."""
    if file is None:
        return ""
    if file.role is Role.GENERATED:
        return f"generated: edit {_named_source(file, repo) or 'its generator'} instead"
    if file.role is Role.VENDORED:
        return "vendored: change it upstream, or the next update undoes the edit"
    return ""


def _named_source(file: File, repo: Repo) -> str:
    """The source that a generated file's marker names, else a file of the repository that its first lines name."""
    match = _NAMED_SOURCE.search(file.facts.generated)
    if match:
        return _in_repo(file, repo, match[1]) or match[1]
    try:
        head = repo.read(file.path)[:_HEAD_BYTES].decode("utf-8", "replace")
    except OSError:
        return ""
    sources = (_in_repo(file, repo, match[1]) for match in _NAMED_SOURCE.finditer(head))
    return next(filter(None, sources), "")


def _in_repo(file: File, repo: Repo, name: str) -> str:
    """The path that a name in a file stands for: beside the file, or from the root."""
    beside = normpath(f"{dirname(file.path)}/{name}")
    return next((path for path in (beside, name) if path in repo.paths and path != file.path), "")
