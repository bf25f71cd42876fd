"""What a file that is not plain source means for an edit, and what a generated one is made of."""

from __future__ import annotations

import re
from posixpath import dirname, normpath

from crimes.model.facts import Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import File, Repo

_HEAD = 1_000  # bytes in which a generated file says what it is made of
_NAMED_SOURCE = regex(
    r"(?:\bfrom|\bsource:?|\bby running|\bedit)\s+[\"'`(]*([\w@./\\-]+\.\w+)", re.IGNORECASE
)


def role_note(file: File | None, repo: Repo) -> str:
    """What a file that is not plain source means for an edit."""
    if file is None:
        return ""
    if file.role is Role.GENERATED:
        return f"generated: edit {_named_source(file, repo) or 'its generator'} instead"
    if file.role is Role.VENDORED:
        return "vendored: change it where it comes from, or the next update undoes the edit"
    return ""


def _named_source(file: File, repo: Repo) -> str:
    """The source a generated file's marker names, as a path of the repository where it is one; else one that its first lines name."""
    match = _NAMED_SOURCE.search(file.facts.generated)
    if match:
        return _in_repo(file, repo, match[1]) or match[1]
    try:
        head = repo.read(file.path)[:_HEAD].decode("utf-8", "replace")
    except OSError:
        return ""
    found = (_in_repo(file, repo, match[1]) for match in _NAMED_SOURCE.finditer(head))
    return next(filter(None, found), "")


def _in_repo(file: File, repo: Repo, name: str) -> str:
    """The path that a name in a file stands for: beside the file, or from the root."""
    beside = normpath(f"{dirname(file.path)}/{name}")
    return next((one for one in (beside, name) if one in repo.paths and one != file.path), "")
