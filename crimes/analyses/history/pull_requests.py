"""Which commits belong to one pull request: those of one merged branch, or with one number in their subjects."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.model.lazy_regex import regex

MAX_PULL_REQUEST_COMMITS = 50  # a larger branch is one that lives long, and holds many

_NUMBER = regex(r"\((?:[\w.-]+/[\w.-]+)?([#!]\d+)\)\s*$")


def merged_branches(head: bytes, parents: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    """By commit: the merge that brought it in. Commits made on the main line have none.

    `parents` holds the parents of each commit, separated by spaces, the first one first. The main line follows first
    parents; of a branch too large for one pull request, its own merges are looked at.
    """
    branch_of: dict[bytes, bytes] = {}
    waiting = [(head, set(parents))]
    while waiting:
        tip, unseen = waiting.pop()
        line = []
        while tip in unseen:
            unseen.discard(tip)
            line.append(tip)
            tip = parents[tip].partition(b" ")[0]
        for commit in reversed(line):  # the oldest merge that holds a commit is the one that brought it in
            for side in parents[commit].split()[1:]:
                members = _taken(side, unseen, parents)
                if len(members) <= MAX_PULL_REQUEST_COMMITS:
                    branch_of.update(dict.fromkeys(members, commit))
                else:
                    waiting.append((side, members))
    return branch_of


def _taken(tip: bytes, unseen: set[bytes], parents: Mapping[bytes, bytes]) -> set[bytes]:
    """The commits behind `tip` that are still unseen, taken out of that set."""
    members: set[bytes] = set()
    waiting = [tip]
    while waiting:
        commit = waiting.pop()
        if commit in unseen:
            unseen.discard(commit)
            members.add(commit)
            waiting.extend(parents[commit].split())
    return members


def pull_request_number(subject: str) -> str:
    """The number at the end of a subject, as `#123`; empty without one."""
    match = _NUMBER.search(subject[-40:])
    return match[1] if match else ""
