"""Cached answers for a tree that did not change, printed before the command line is even built.

They answer `crimes context FILE...` in any format and `crimes scan [ROOT] --format json`. Everything else, and what is
not cached, is left to the command itself.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from crimes.incremental.answers import CachedAnswers
    from crimes.workflows.briefing.record import Briefing

_FORMATS = {"human": "human", "json": "json", "md": "md", "markdown": "md"}
_FLAGS = ("--format", "-f")
_BUDGET = "--budget"
_JOBS = ("--jobs", "-j")
_MIN_BUDGET_TOKENS = 200


class _BriefingRequest(NamedTuple):
    targets: list[str]
    format: str
    budget: int | None


class _CachedBriefings(NamedTuple):
    """Briefings of files of one repository, and the option that names it, where one is needed."""

    briefings: list[Briefing]
    place: str


def try_answer(arguments: Sequence[str]) -> bool:
    """Print the cached answer to a command, if there is one. Returns whether there was."""
    request, folder = _parse_context(arguments), _parse_scan(arguments)
    if (request is None and folder is None) or sys.stdout is None:
        return False
    from crimes.model.errors import CrimesError

    answer: bytes | None = None
    try:
        cached = _cached_briefings(request) if request else None
        if request and cached and request.format != "human":
            answer = _encode(cached, request)
        elif folder is not None:
            answer = _cached_report(folder)
    except (CrimesError, OSError, ValueError):
        return False
    if answer is not None:
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    elif request and cached:
        _show(cached, request)
    return answer is not None or cached is not None


def _parse_context(arguments: Sequence[str]) -> _BriefingRequest | None:
    """The request of `crimes context`, None when there are other options."""
    if arguments[:1] != ["context"]:
        return None
    targets, options = [], {}
    rest = iter(arguments[1:])
    for word in rest:
        if word in (*_FLAGS, _BUDGET):
            options["--format" if word == "-f" else word] = next(rest, "")
        elif word.startswith("-"):
            return None
        else:
            targets.append(word)
    format_, budget = options.get("--format", "human"), options.get(_BUDGET)
    if not targets or format_ not in _FORMATS or not (budget is None or _is_budget(budget)):
        return None
    return _BriefingRequest(targets, _FORMATS[format_], None if budget is None else int(budget))


def _parse_scan(arguments: Sequence[str]) -> str | None:
    """The folder of `crimes scan -f json`, empty if none is named; None when there are other options."""
    if arguments[:1] != ["scan"]:
        return None
    folders, format_ = [""], ""
    rest = iter(arguments[1:])
    for word in rest:
        if word in _FLAGS:
            format_ = next(rest, "")
        elif word in _JOBS:  # without effect on a cached report
            if not _is_number(next(rest, ""), 1):
                return None
        elif word.startswith("-"):
            return None
        else:
            folders.append(word)
    return folders[-1] if format_ == "json" and len(folders) <= 2 else None


def _is_budget(text: str) -> bool:
    return _is_number(text, _MIN_BUDGET_TOKENS)


def _is_number(text: str, minimum: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= minimum


def _cached_briefings(request: _BriefingRequest) -> _CachedBriefings | None:
    """The cached briefings of files, None if one is missing or the tree changed."""
    from crimes.workflows.briefing.target import narrow, parse_targets

    targets = parse_targets(request.targets)
    paths = [target.path for target in targets]
    with _answers(targets[0].root) as answers:
        encoded = answers.some_briefings(paths) if answers.briefings_hold() else {}
    from crimes.workflows.briefing.encoding import decode

    cached = {path: decode(data) for path, data in encoded.items()}
    if any(path not in cached for path in paths):
        return None
    parts = [narrow(cached[target.path], target.part, target.root) for target in targets]
    from crimes.cli.output import root_option
    from crimes.workflows.briefing.calls import with_signatures, with_uses
    from crimes.workflows.session import Session

    session = Session(targets[0].root)
    briefings = [with_signatures(with_uses(part, session), session.root) for part in parts]
    return _CachedBriefings(briefings, root_option(session.root))


def _encode(cached: _CachedBriefings, request: _BriefingRequest) -> bytes:
    if request.format == "json":
        from crimes.workflows.briefing.encoding import to_json

        return to_json(cached.briefings)
    from crimes.render.brief import DEFAULT_BUDGET, markdown

    return markdown(cached.briefings, request.budget or DEFAULT_BUDGET, cached.place).encode()


def _show(cached: _CachedBriefings, request: _BriefingRequest) -> None:
    """Print briefings for a person."""
    from crimes.cli.output import show, terminal_style
    from crimes.render.brief import DEFAULT_BUDGET
    from crimes.render.context import lines

    style, budget = terminal_style(), request.budget or DEFAULT_BUDGET
    show(lines(cached.briefings, budget, pictures=style.pictures, place=cached.place), style)


def _cached_report(folder: str) -> bytes | None:
    """The cached report, None if the tree changed. It becomes the last scan of the repository again."""
    from crimes.system.roots import resolve_scope

    root, paths = resolve_scope([Path(folder)] if folder else [])
    if paths:  # a part of the report, which the command selects
        return None
    from crimes.workflows.last_scan import cached_report, save_encoded

    with _answers(root) as answers:
        encoded = cached_report(root, answers)
    if encoded is None:
        return None
    from crimes.model.codec import decode
    from crimes.workflows.trend import save_point

    save_encoded(root, encoded)
    save_point(root, decode(encoded))
    return encoded


def _answers(root: Path) -> CachedAnswers:
    """The cached answers of a whole scan. Notices are left to the command that scans."""
    from crimes.incremental.answers import CachedAnswers, answers_key
    from crimes.model.scan_request import ScanRequest

    return CachedAnswers(root, answers_key(ScanRequest()), lambda text: None)
