"""What a briefing is asked about: a file, or a symbol or lines of it; and the briefing narrowed to that part.

A target is written FILE, FILE:SYMBOL, FILE:LINE or FILE:FIRST-LAST. A file whose name holds a colon is taken first.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import msgspec

from crimes.model.errors import UsageError
from crimes.model.lazy_regex import regex
from crimes.system.roots import chosen_file
from crimes.workflows.briefing import advice
from crimes.workflows.briefing.record import Briefing, Clone, Symbol, User

_HERE = Path()
_LINES = regex(r"(\d{1,9})(?:-(\d{1,9}))?")


class Target(NamedTuple):
    """A file of a repository, and the part of it that is meant; empty: all of it."""

    root: Path
    path: str
    part: str


def target_of(written: str) -> Target:
    """What was written on the command line. UsageError when there is no such file."""
    name, part = split_target(written)
    return Target(*chosen_file(Path(name)), part)


def split_target(written: str, folder: Path = _HERE) -> tuple[str, str]:
    """The name of the file and the part, by what there is in a folder."""
    name, colon, part = written.rpartition(":")
    if not colon or not name or os.path.lexists(folder / written):
        return written, ""
    if not os.path.lexists(folder / name) and name.endswith(":"):  # C++ and Rust write `shape::area`
        name, part = written.partition(":")[::2]
    return name, part


def targets_of(written: list[str]) -> list[Target]:
    """Several targets, which have to be of one repository."""
    found = [target_of(one) for one in written]
    for one in found:
        if one.root != found[0].root:
            raise UsageError(f"{one.path} is in another repository than {found[0].path}; ask twice")
    return found


def narrowed(briefing: Briefing, part: str) -> Briefing:
    """What a briefing says of a part of its file. UsageError when the file has no such part."""
    if not part:
        return briefing
    start, end, tops = _place(briefing, part)
    inside = [one for one in briefing.symbols if start <= one.end and one.start <= end]
    users = [
        User(user.file, tuple(name for name in user.names if not tops or name in tops), user.test)
        for user in briefing.users
        if not user.names or not tops or tops & set(user.names)
    ]
    facts = msgspec.structs.replace(
        briefing,
        focus=part,
        symbols=tuple(inside),
        findings=tuple(
            one
            for one in briefing.findings
            if start <= max(one.lines.end, one.lines.start) and one.lines.start <= end
        ),
        clones=tuple(one for one in briefing.clones if _touches(one, start, end)),
        users=tuple(sorted(users, key=lambda user: not user.names)),
    )
    return advice.given(facts) if briefing.advice else facts


def _place(briefing: Briefing, part: str) -> tuple[int, int, set[str]]:
    """First and last line, and the names another file would import to use them."""
    lines = _LINES.fullmatch(part)
    if lines:
        start = int(lines[1])
        end = int(lines[2] or start)
        if end < start:
            raise UsageError(f"{briefing.file}:{part} ends before it begins")
        hit = [one for one in briefing.symbols if start <= one.end and one.start <= end]
        return start, end, {_top(one) for one in hit}
    wanted = part.replace("::", ".").replace("#", ".")
    found = [one for one in briefing.symbols if one.name == wanted] or [
        one for one in briefing.symbols if one.name.endswith(f".{wanted}")
    ]
    if not found:
        raise UsageError(f"{briefing.file} has no symbol {part}{_near(wanted, briefing)}")
    return found[0].start, found[-1].end, {_top(one) for one in found}


def _top(symbol: Symbol) -> str:
    return symbol.name.partition(".")[0]


def _touches(clone: Clone, start: int, end: int) -> bool:
    return clone.start <= end and start <= clone.end


def _near(wanted: str, briefing: Briefing) -> str:
    from difflib import get_close_matches

    names = [one.name for one in briefing.symbols]
    close = get_close_matches(wanted, names, n=3, cutoff=0.5) or names[:3]
    return f"; it has {', '.join(close)}" if close else ""
