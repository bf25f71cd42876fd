"""Ignores of findings: comments in the code, and `.crimes/ignore.toml`. A reason is required.

    crimes: ignore[god_function] generated table, split in the next release      on the line, or right above it
    crimes: file-ignore[god_function] generated table                            anywhere in the file

`until` is compared with the reference time of the history, so that the same tree gives the same report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime

from msgspec import Struct
from msgspec.structs import replace

from crimes.incremental.query import MemoStore, per_content
from crimes.model.facts import Comment, FileFacts
from crimes.model.lazy_regex import regex
from crimes.model.line_counter import LineCounter
from crimes.model.repository import File
from crimes.model.safe_parsing import parse_toml
from crimes.tracking.identity import FindingIdentity

PATH = ".crimes/ignore.toml"
_DIRECTIVE = regex(r"\bcrimes:[ \t]*(file-)?ignore\b(?:[ \t]*\[([^\]\n]*)\])?([^\n]*)")
_CLOSING = regex(r"(?:(?<!\s)\s++)?(?:\*/|-->|#\}|--%>|\*\)|\|#|=#)\s*+$")
_KEYS = frozenset({"fingerprint", "type", "file", "symbol", "within", "code", "copies", "reason", "until"})
_MAX_FILE_BYTES = 1_000_000
_MAX_REASON_CHARACTERS = 2_000  # characters of a reason


class Directive(Struct, frozen=True):
    """An ignore in a comment. `end` is the last line of the comment, `own_line` says that no code stands before it."""

    file: str
    line: int
    end: int
    own_line: bool
    whole_file: bool
    types: tuple[str, ...]
    reason: str


class Entry(Struct, frozen=True):
    """An ignore of one finding."""

    identity: FindingIdentity
    reason: str
    until: date | None


class IgnoreList(Struct, frozen=True):
    """The entries of the file, or its fault: a file with a fault is not used at all."""

    entries: tuple[Entry, ...] = ()
    fault: str = ""


def directives(files: Iterable[File], memory: MemoStore | None = None) -> Iterator[Directive]:
    """Every ignore in the comments of these files, except in documentation comments, which only mention them."""
    facts = {file.path: file.facts for file in files}
    for path, found in per_content(
        memory, "directives", tuple[Directive, ...], facts, _directives_in_file
    ).items():
        yield from (replace(directive, file=path) for directive in found)


def _directives_in_file(facts: FileFacts) -> tuple[Directive, ...]:
    """The directives of one file, without its path: equal files share them."""
    comments = (comment for comment in facts.comments if "crimes:" in comment.text and not comment.doc)
    return tuple(directive for comment in comments for directive in _directives_in_comment(comment))


def _directives_in_comment(comment: Comment) -> Iterator[Directive]:
    lines = LineCounter(comment.text, comment.line)
    for match in _DIRECTIVE.finditer(comment.text):
        whole_file, types, reason = match.groups()
        yield Directive(
            file="",
            line=lines.line(match.start()),
            end=comment.end,
            own_line=comment.own_line,
            whole_file=bool(whole_file),
            types=tuple(name.strip() for name in (types or "").split(",") if name.strip()),
            reason=_CLOSING.sub("", reason[:_MAX_REASON_CHARACTERS]).strip(" \t\r:,-\u2013\u2014"),
        )


def load_ignore_list(read: Callable[[str], bytes]) -> IgnoreList:
    """The ignore list of a repository; empty without `.crimes/ignore.toml`."""
    try:
        data = read(PATH)
    except (FileNotFoundError, NotADirectoryError, KeyError):
        return IgnoreList()
    except OSError as error:
        return IgnoreList(fault=f"it cannot be read: {error.strerror or error}")
    return parse_ignore_list(data)


def parse_ignore_list(data: bytes) -> IgnoreList:
    """The ignore list in the content of the file."""
    if len(data) > _MAX_FILE_BYTES:
        return IgnoreList(fault=f"it is larger than {_MAX_FILE_BYTES:,} bytes")
    try:
        table = parse_toml(data.decode("utf-8-sig"))
    except ValueError as error:
        return IgnoreList(fault=f"it is not valid TOML: {str(error)[:200]}")
    rows = table.get("ignore", [])
    if set(table) - {"ignore"} or not isinstance(rows, list):
        return IgnoreList(fault="expected tables called [[ignore]] and nothing else")
    entries = []
    for number, row in enumerate(rows, 1):
        entry = _parse_entry(row)
        if isinstance(entry, str):
            return IgnoreList(fault=f"entry {number}: {entry}")
        entries.append(entry)
    return IgnoreList(tuple(entries))


def _parse_entry(row: object) -> Entry | str:
    """One entry, or its fault."""
    if not isinstance(row, dict) or set(row) - _KEYS:
        return f"expected the keys {', '.join(sorted(_KEYS))}"
    until = row.get("until")
    copies = row.get("copies", 0)
    texts: Mapping[str, object] = {key: row[key] for key in row if key not in ("until", "copies")}
    if isinstance(copies, bool) or not isinstance(copies, int):
        return "copies: expected a whole number"
    if not all(isinstance(value, str) for value in texts.values()):
        return "expected strings"
    if isinstance(until, datetime) or not isinstance(until, date | None):
        return "until: expected a date like 2027-01-31"
    text = {key: str(value) for key, value in texts.items()}
    if not text.get("fingerprint") or not text.get("type") or not text.get("reason", "").strip():
        return "fingerprint, type and reason are required"
    identity = FindingIdentity(
        fingerprint=text["fingerprint"],
        type=text["type"],
        file=text.get("file", ""),
        symbol=text.get("symbol", ""),
        within=text.get("within", ""),
        code=text.get("code", ""),
        copies=copies,
    )
    return Entry(identity, text["reason"].strip(), until)


def format_entry(entry: Entry) -> str:
    """An entry as text to be added to the file."""
    identity = entry.identity
    rows = {
        "fingerprint": identity.fingerprint,
        "type": identity.type,
        "file": identity.file,
        "symbol": identity.symbol,
        "within": identity.within,
        "code": identity.code,
        "reason": entry.reason,
    }
    lines = [f"{key} = {_quote(value)}" for key, value in rows.items() if value]
    if identity.copies:
        lines.append(f"copies = {identity.copies}")
    if entry.until:
        lines.append(f"until = {entry.until.isoformat()}")
    return "\n".join(("[[ignore]]", *lines, ""))


def _quote(text: str) -> str:
    """A text as a TOML string."""
    return '"' + "".join(_escape(char) for char in text) + '"'


def _escape(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if "\ud800" <= char <= "\udfff":
        return "?"
    return char if char.isprintable() else f"\\U{ord(char):08x}"
