"""The target of a briefing: a file, or a symbol or lines of it; and the briefing narrowed to that part.

A target is written FILE, FILE:SYMBOL, FILE:LINE or FILE:FIRST-LAST. An existing file whose name holds a colon wins.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from crimes.model.errors import EnvironmentFault, UsageError
from crimes.model.facts import Role
from crimes.model.kind import Kind
from crimes.model.lazy_regex import regex
from crimes.model.report import Lines
from crimes.model.sanitize import safe
from crimes.model.wording import count, quoted_names
from crimes.system.roots import locate, locate_file, resolve_root
from crimes.system.safe_files import read_inside
from crimes.workflows.briefing import advice
from crimes.workflows.briefing.record import Briefing, Clone, CopyPlace, Symbol, User

_HERE = Path()
_MAX_FILES_NAMED = 3
_MAX_NAMES = 5
_MIN_LIKENESS = 0.6
_MIN_LIKENESS_OF_FILES = 0.7
_BINARY_CHECK_BYTES = 8_000
_LINES = regex(r"(\d{1,9})(?:-(\d{1,9}))?")


class Target(NamedTuple):
    """A file of a repository, and a part of it; empty: all of it."""

    root: Path
    path: str
    part: str


def parse_target(text: str, root: Path | None = None) -> Target:
    """The target of a command-line argument. UsageError when there is no such file."""
    around = resolve_root(root)
    name, part = split_target(text, _HERE, around)
    file = locate(Path(name), root)
    if file is None or not file.is_file():
        raise UsageError(no_file_message(around, os.path.relpath(file or name, around), name))
    return Target(*locate_file(Path(name), root), part)


def no_file_message(root: Path, path: str, name: str = "") -> str:
    """That a path below the root is a folder, or is not there; and the files that may be meant."""
    from crimes.workflows.last_scan import load

    name = safe(name or path)
    folder = path.rstrip("/").removeprefix("./")
    try:
        scan = load(root)
    except EnvironmentFault:
        scan = None  # the message is good enough without its files
    ranked = [file.file for file in scan.report.edit_risk.files] if scan else []
    if os.path.isdir(root / path):
        inside = [file for file in ranked if folder in ("", ".") or file.startswith(f"{folder}/")]
        riskiest = f"; its riskiest are {_joined(inside[:_MAX_FILES_NAMED])}" if inside else ""
        return f"{name} is a folder: name a file of it{riskiest}"
    above, last = PurePosixPath(path).parent, PurePosixPath(path).name
    beside = [entry.name for entry in _entries(root / above) if entry.is_file()]
    close = [
        *(file for file in ranked if PurePosixPath(file).name == last),
        *((above / like).as_posix() for like in _misspelled(last, beside)),
    ]
    close = [] if path.startswith("..") else close
    meant = f"; did you mean {_joined(list(dict.fromkeys(close))[:_MAX_FILES_NAMED])}?" if close else ""
    return f"no such file: {name}{meant}"


def _misspelled(name: str, known: Sequence[str]) -> Iterator[str]:
    """The file names that one is most likely a misspelling of; endings do not count, as most files of a folder share one."""
    stem = PurePosixPath(name).stem
    close = get_close_matches(
        stem, {PurePosixPath(other).stem for other in known}, n=1, cutoff=_MIN_LIKENESS_OF_FILES
    )
    return (other for other in known if PurePosixPath(other).stem in close)


def _entries(folder: Path) -> list[Path]:
    """What is in a folder; nothing if it cannot be listed."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _joined(names: Sequence[str]) -> str:
    return ", ".join(safe(name) for name in names)


def split_target(text: str, *folders: Path) -> tuple[str, str]:
    """The name of the file and the part, depending on which files exist in the folders."""

    def exists(name: str) -> bool:
        return any(os.path.lexists(folder / name) for folder in folders)

    name, colon, part = text.rpartition(":")
    if not colon or not name or exists(text):
        return text, ""
    if not exists(name) and name.endswith(":"):  # C++ and Rust write `shape::area`
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
    """The briefing of a part of its file, which is below `root`.

    UsageError when the file has no such part, or nobody should edit it because a program writes it.
    """
    if briefing.role is Role.GENERATED:
        raise UsageError(f"{safe(briefing.file)} is {safe(briefing.role_note)}")
    if briefing.role is None and _is_binary(root, briefing.file):
        raise UsageError(f"{safe(briefing.file)} is a binary file: name one of source or text")
    if not part:
        return briefing
    spans, tops = _spans_and_names(briefing, part, root)
    users = [
        User(user.file, tuple(name for name in user.names if not tops or name in tops), user.test)
        for user in briefing.users
        if not user.names or not tops or tops & set(user.names)
    ]
    facts = msgspec.structs.replace(
        briefing,
        focus=part,
        symbols=tuple(symbol for symbol in briefing.symbols if _overlaps(symbol, spans)),
        findings=tuple(
            finding
            for finding in briefing.findings
            # What holds for the file holds for each part of it.
            if finding.kind is Kind.PLACE or _overlaps(finding.lines, spans)
        ),
        clones=tuple(clone for clone in briefing.clones if _overlaps(clone, spans)),
        copies=tuple(
            group
            for group in briefing.copies
            if any(place.file == briefing.file and _overlaps(place, spans) for place in group.places)
        ),
        users=tuple(sorted(users, key=lambda user: not user.names)),
    )
    return advice.with_advice(facts) if briefing.advice else facts


def _spans_and_names(briefing: Briefing, part: str, root: Path) -> tuple[list[tuple[int, int]], set[str]]:
    """First and last lines, of each symbol where several have the name, and the names another file would import to use them."""
    lines = _LINES.fullmatch(part)
    if lines:
        start = int(lines[1])
        end = int(lines[2] or start)
        if end < start:
            raise UsageError(f"{briefing.file}:{part} ends before it begins")
        last = _line_count(root, briefing.file)
        if last is not None and not 0 < start <= end <= last:
            raise UsageError(f"{briefing.file} has {count(last, 'line')}: {part} is outside")
        spans = [(start, end)]
        symbols = [symbol for symbol in briefing.symbols if _overlaps(symbol, spans)]
        return spans, {_top_level_name(symbol) for symbol in symbols}
    matches = symbols_named(briefing, part)
    if not matches:
        raise UsageError(no_symbol_message(briefing, part))
    spans = [(symbol.start, symbol.end) for symbol in matches]
    return spans, {_top_level_name(symbol) for symbol in matches}


def symbols_named(briefing: Briefing, part: str) -> list[Symbol]:
    """The symbols that a name means: by their qualified name, else by its end."""
    wanted = part.replace("::", ".").replace("#", ".")
    return [symbol for symbol in briefing.symbols if symbol.name == wanted] or [
        symbol for symbol in briefing.symbols if symbol.name.endswith(f".{wanted}")
    ]


def symbols_asked_for(briefing: Briefing) -> list[Symbol]:
    """The symbols that the briefing of a part is about; of lines in a method, the method and not its class."""
    if not briefing.focus:
        return []
    named = symbols_named(briefing, briefing.focus) if not _LINES.fullmatch(briefing.focus) else []
    names = [symbol.name for symbol in briefing.symbols]
    return named or [
        symbol for symbol in briefing.symbols if not any(name.startswith(f"{symbol.name}.") for name in names)
    ]


def _is_binary(root: Path, path: str) -> bool:
    """Whether a file has a zero byte near its beginning, as git judges it; False when it cannot be read."""
    try:
        return b"\0" in read_inside(root, path)[:_BINARY_CHECK_BYTES]
    except OSError:
        return False


def _line_count(root: Path, path: str) -> int | None:
    """How many lines the file has now; None when it cannot be read."""
    from crimes.workflows.source_lines import read_source

    return len(read_source(root, path, math.inf).lines) or None


def _top_level_name(symbol: Symbol) -> str:
    return symbol.name.partition(".")[0]


def _overlaps(item: Clone | CopyPlace | Symbol | Lines, spans: Sequence[tuple[int, int]]) -> bool:
    last = max(item.end, item.start)
    return any(item.start <= end and start <= last for start, end in spans)


def no_symbol_message(briefing: Briefing, part: str) -> str:
    """That a file has no such symbol, or that none was named; and what it defines."""
    file = safe(briefing.file)
    what = f"no `{safe(part)}` in {file}" if part else f"name a symbol: {file}:SYMBOL"
    return f"{what}{_suggestion(part, briefing)}"


def _suggestion(part: str, briefing: Briefing) -> str:
    """What the file defines at its top, private names last, and the names that are like the one that was asked for."""
    names = list(dict.fromkeys(symbol.name for symbol in briefing.symbols))
    if not names:
        return "; it defines no function or class"
    tops = sorted((name for name in names if "." not in name), key=lambda name: name.startswith("_")) or names
    close = get_close_matches(part, names, n=_MAX_FILES_NAMED, cutoff=_MIN_LIKENESS)
    meant = f"; did you mean {_joined(close)}?" if close else ""
    return f"; it defines {quoted_names([safe(name) for name in tops], _MAX_NAMES)}{meant}"
