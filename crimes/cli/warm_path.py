"""Answers for a tree that did not change, given before the command line is even built.

They are to `crimes context FILE... --format json|md` and `crimes scan [FOLDER] --format json`. Whatever is not exactly that, or
not known, is left to the command itself.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_FORMATS = ("json", "md")
_FLAGS = ("--format", "-f")
_BUDGET = "--budget"
_JOBS = ("--jobs", "-j")
_LEAST = 200


class _Asked(NamedTuple):
    targets: list[str]
    format: str
    budget: int | None


def answered(arguments: Sequence[str]) -> bool:
    """Whether the question was answered."""
    asked, scan = _asked(arguments), _asked_scan(arguments)
    if (asked is None and scan is None) or sys.stdout is None:
        return False
    from crimes.model.errors import CrimesError

    try:
        shown = _answer(asked) if asked else _last_report(scan) if scan else None
    except (CrimesError, OSError, ValueError):
        return False
    if shown is None:
        return False
    sys.stdout.buffer.write(shown)
    sys.stdout.buffer.flush()
    return True


def _asked(arguments: Sequence[str]) -> _Asked | None:
    """What is asked for, when nothing else was said."""
    if arguments[:1] != ["context"]:
        return None
    targets, given = [], {}
    rest = iter(arguments[1:])
    for word in rest:
        if word in (*_FLAGS, _BUDGET):
            given["--format" if word == "-f" else word] = next(rest, "")
        elif word.startswith("-"):
            return None
        else:
            targets.append(word)
    format_, budget = given.get("--format"), given.get(_BUDGET)
    if not targets or format_ not in _FORMATS or not (budget is None or _is_budget(budget)):
        return None
    return _Asked(targets, format_, None if budget is None else int(budget))


def _asked_scan(arguments: Sequence[str]) -> list[str] | None:
    """The folder to scan, if one was named, when nothing is asked for but all of the report as JSON."""
    if arguments[:1] != ["scan"]:
        return None
    folders, format_ = [""], ""
    rest = iter(arguments[1:])
    for word in rest:
        if word in _FLAGS:
            format_ = next(rest, "")
        elif word in _JOBS:  # for a report that is made, this one is
            if not _is_number(next(rest, ""), 1):
                return None
        elif word.startswith("-"):
            return None
        else:
            folders.append(word)
    return folders[-1:] if format_ == "json" and len(folders) <= 2 else None


def _is_budget(text: str) -> bool:
    return _is_number(text, _LEAST)


def _is_number(text: str, least: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least


def _answer(asked: _Asked) -> bytes | None:
    from crimes.workflows.briefing.target import narrowed, targets_of

    targets = targets_of(asked.targets)
    kept = known_briefings(targets[0].root, [one.path for one in targets])
    if kept is None:
        return None
    from crimes.workflows.briefing.every import decode

    briefings = [narrowed(decode(data), one.part) for data, one in zip(kept, targets, strict=True)]
    if asked.format == "json":
        from crimes.workflows.briefing.answer import in_json

        return in_json(briefings)
    from crimes.render.brief import BUDGET, markdown

    return markdown(briefings, asked.budget or BUDGET).encode()


def known_briefings(root: Path, paths: Sequence[str]) -> list[bytes] | None:
    """The briefings of files as they were kept, when the tree is what it was. Notices are left to who scans."""
    from crimes.incremental.answers import CachedAnswers, answers_key

    answers = CachedAnswers(root.resolve(), answers_key(None, ()), lambda text: None)
    try:
        found = [answers.briefing(path) for path in paths] if answers.still_hold() else [None]
    finally:
        answers.cache.close()
    known = [data for data in found if data is not None]
    return known if len(known) == len(paths) else None


def _last_report(folders: Sequence[str]) -> bytes | None:
    """The report as it was kept, when the tree is what it was. It becomes the last scan of the repository again."""
    from crimes.incremental.answers import CachedAnswers, answers_key
    from crimes.system.roots import chosen_root

    root = chosen_root(Path(folders[0]) if folders[0] else None)
    answers = CachedAnswers(root.resolve(), answers_key(None, ()), lambda text: None)
    try:
        encoded = answers.report() if answers.still_hold() else None
    finally:
        answers.cache.close()
    if encoded is None:
        return None
    from crimes.model.codec import decode
    from crimes.workflows.last_scan import save_encoded
    from crimes.workflows.trend import keep

    save_encoded(root, encoded)
    keep(root, decode(encoded))
    return encoded
