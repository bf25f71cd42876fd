"""The target of a briefing: a file, or a symbol or lines of it; and the briefing narrowed to that part.

A target is written FILE, FILE:SYMBOL, FILE:LINE or FILE:FIRST-LAST. An existing file whose name holds a colon wins.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import NamedTuple

import msgspec

from crimes.model.errors import UsageError
from crimes.model.kind import Kind
from crimes.model.lazy_regex import regex
from crimes.model.wording import count
from crimes.system.roots import locate_file
from crimes.workflows.briefing import advice
from crimes.workflows.briefing.record import Briefing, Clone, Symbol, User

_HERE = Path()
_LINES = regex(r"(\d{1,9})(?:-(\d{1,9}))?")


class Target(NamedTuple):
    """A file of a repository, and a part of it; empty: all of it."""

    root: Path
    path: str
    part: str


def parse_target(text: str, root: Path | None = None) -> Target:
    """The target of a command-line argument. UsageError when there is no such file."""
    name, part = split_target(text)
    return Target(*locate_file(Path(name), root), part)


def split_target(text: str, folder: Path = _HERE) -> tuple[str, str]:
    """The name of the file and the part, depending on which files exist in the folder."""
    name, colon, part = text.rpartition(":")
    if not colon or not name or os.path.lexists(folder / text):
        return text, ""
    if not os.path.lexists(folder / name) and name.endswith(":"):  # C++ and Rust write `shape::area`
        name, part = text.partition(":")[::2]
    return name, part


def parse_targets(texts: list[str], root: Path | None = None) -> list[Target]:
    """The targets of command-line arguments. UsageError when they are not of one repository."""
    targets = [parse_target(text, root) for text in texts]
    for target in targets:
        if target.root != targets[0].root:
            raise UsageError(
                f"{target.path} and {targets[0].path} are in different repositories; give one at a time"
            )
    return targets


def narrow(briefing: Briefing, part: str, root: Path) -> Briefing:
    """The briefing of a part of its file, which is below `root`. UsageError when the file has no such part."""
    if not part:
        return briefing
    start, end, tops = _lines_and_names(briefing, part, root)
    users = [
        User(user.file, tuple(name for name in user.names if not tops or name in tops), user.test)
        for user in briefing.users
        if not user.names or not tops or tops & set(user.names)
    ]
    facts = msgspec.structs.replace(
        briefing,
        focus=part,
        symbols=tuple(symbol for symbol in briefing.symbols if _overlaps(symbol, start, end)),
        findings=tuple(
            finding
            for finding in briefing.findings
            if finding.kind is Kind.PLACE  # what holds for the file holds for each part of it
            or (start <= max(finding.lines.end, finding.lines.start) and finding.lines.start <= end)
        ),
        clones=tuple(clone for clone in briefing.clones if _overlaps(clone, start, end)),
        users=tuple(sorted(users, key=lambda user: not user.names)),
    )
    return advice.with_advice(facts) if briefing.advice else facts


def _lines_and_names(briefing: Briefing, part: str, root: Path) -> tuple[int, int, set[str]]:
    """First and last line, and the names another file would import to use them."""
    lines = _LINES.fullmatch(part)
    if lines:
        start = int(lines[1])
        end = int(lines[2] or start)
        if end < start:
            raise UsageError(f"{briefing.file}:{part} ends before it begins")
        last = _line_count(root, briefing.file)
        if last is not None and not 0 < start <= end <= last:
            raise UsageError(f"{briefing.file}:{part} is outside the file, which has {count(last, 'line')}")
        symbols = [symbol for symbol in briefing.symbols if _overlaps(symbol, start, end)]
        return start, end, {_top_level_name(symbol) for symbol in symbols}
    wanted = part.replace("::", ".").replace("#", ".")
    matches = [symbol for symbol in briefing.symbols if symbol.name == wanted] or [
        symbol for symbol in briefing.symbols if symbol.name.endswith(f".{wanted}")
    ]
    if not matches:
        raise UsageError(f"{briefing.file} has no symbol '{part}'{_suggestion(wanted, briefing)}")
    return matches[0].start, matches[-1].end, {_top_level_name(symbol) for symbol in matches}


def _line_count(root: Path, path: str) -> int | None:
    """How many lines the file has now; None when it cannot be read."""
    from crimes.workflows.source_lines import read_source

    return len(read_source(root, path, math.inf).lines) or None


def _top_level_name(symbol: Symbol) -> str:
    return symbol.name.partition(".")[0]


def _overlaps(item: Clone | Symbol, start: int, end: int) -> bool:
    return item.start <= end and start <= item.end


def _suggestion(wanted: str, briefing: Briefing) -> str:
    from difflib import get_close_matches

    names = [symbol.name for symbol in briefing.symbols]
    close = get_close_matches(wanted, names, n=3, cutoff=0.5) or names[:3]
    return f"; try {', '.join(close)}" if close else ""
