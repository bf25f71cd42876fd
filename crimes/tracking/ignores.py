"""What people asked to be left out: comments in the code, and `.crimes/ignore.toml`. A reason is required.

    crimes: ignore[god_function] generated table, split in the next release      on the line, or right above it
    crimes: file-ignore[god_function] generated table                            anywhere in the file

`until` is held against the time up to which history counts, so that the same tree gives the same report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime

from msgspec import Struct
from msgspec.structs import replace

from crimes.incremental.query import MemoStore, per_content
from crimes.model.facts import Comment, FileFacts
from crimes.model.lazy_regex import regex
from crimes.model.repository import File
from crimes.tracking.matching import FindingIdentity

PATH = ".crimes/ignore.toml"
_DIRECTIVE = regex(r"\bcrimes:[ \t]*(file-)?ignore\b(?:[ \t]*\[([^\]\n]*)\])?([^\n]*)")
_CLOSING = regex(r"\s*(?:\*/|-->|#\}|--%>|\*\)|\|#|=#)\s*$")
_KEYS = frozenset({"fingerprint", "type", "file", "symbol", "within", "code", "copies", "reason", "until"})
_LARGEST = 1_000_000
_LONGEST = 2_000  # characters of a reason


class Directive(Struct, frozen=True):
    """An ignore in a comment. `end` is the last line of the comment, `own_line` when no code stands before it."""

    file: str
    line: int
    end: int
    own_line: bool
    whole_file: bool
    types: tuple[str, ...]
    reason: str


class Entry(Struct, frozen=True):
    """An ignore of one finding, by what it is known by."""

    known: FindingIdentity
    reason: str
    until: date | None


class Listed(Struct, frozen=True):
    """The entries of the file, and what is wrong with it; a file that is wrong is not used at all."""

    entries: tuple[Entry, ...] = ()
    fault: str = ""


def directives(files: Iterable[File], memory: MemoStore | None = None) -> Iterator[Directive]:
    """Every ignore in the comments of these files. What is documentation only talks about them."""
    facts = {file.path: file.facts for file in files}
    for path, some in per_content(memory, "directives", tuple[Directive, ...], facts, _in_file).items():
        yield from (replace(one, file=path) for one in some)


def _in_file(facts: FileFacts) -> tuple[Directive, ...]:
    """Those of one file, wherever that is."""
    said = (one for one in facts.comments if "crimes:" in one.text and not one.doc)
    return tuple(found for comment in said for found in _in_comment(comment))


def _in_comment(comment: Comment) -> Iterator[Directive]:
    for match in _DIRECTIVE.finditer(comment.text):
        whole_file, types, reason = match.groups()
        yield Directive(
            "",
            comment.line + comment.text.count("\n", 0, match.start()),
            comment.end,
            comment.own_line,
            bool(whole_file),
            tuple(name.strip() for name in (types or "").split(",") if name.strip()),
            _CLOSING.sub("", reason[:_LONGEST]).strip(" \t\r:,-\u2013\u2014"),
        )


def listed(read: Callable[[str], bytes]) -> Listed:
    """What `.crimes/ignore.toml` says."""
    try:
        data = read(PATH)
    except (FileNotFoundError, NotADirectoryError, KeyError):
        return Listed()
    except OSError as error:
        return Listed(fault=f"it cannot be read: {error.strerror or error}")
    return parsed(data)


def parsed(data: bytes) -> Listed:
    """The entries in the text of the file."""
    import tomllib

    if len(data) > _LARGEST:
        return Listed(fault=f"it is larger than {_LARGEST:,} bytes")
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return Listed(fault=f"it is not valid TOML: {str(error)[:200]}")
    rows = table.get("ignore", [])
    if set(table) - {"ignore"} or not isinstance(rows, list):
        return Listed(fault="expected tables called [[ignore]] and nothing else")
    entries = []
    for number, row in enumerate(rows, 1):
        made = _entry(row)
        if isinstance(made, str):
            return Listed(fault=f"entry {number}: {made}")
        entries.append(made)
    return Listed(tuple(entries))


def _entry(row: object) -> Entry | str:
    """One entry, or what is wrong with it."""
    if not isinstance(row, dict) or set(row) - _KEYS:
        return f"expected the keys {', '.join(sorted(_KEYS))}"
    until = row.get("until")
    copies = row.get("copies", 0)
    texts: Mapping[str, object] = {key: row[key] for key in row if key not in ("until", "copies")}
    if isinstance(copies, bool) or not isinstance(copies, int):
        return "copies: expected a whole number"
    if not all(isinstance(value, str) for value in texts.values()):
        return "expected texts"
    if isinstance(until, datetime) or not isinstance(until, date | None):
        return "until: expected a date like 2027-01-31"
    text = {key: str(value) for key, value in texts.items()}
    if not text.get("fingerprint") or not text.get("type") or not text.get("reason", "").strip():
        return "fingerprint, type and reason are required"
    known = FindingIdentity(
        text["fingerprint"],
        text["type"],
        text.get("file", ""),
        text.get("symbol", ""),
        within=text.get("within", ""),
        code=text.get("code", ""),
        copies=copies,
    )
    return Entry(known, text["reason"].strip(), until)


def written(entry: Entry) -> str:
    """An entry as text to be added to the file."""
    known = entry.known
    rows = {
        "fingerprint": known.fingerprint,
        "type": known.type,
        "file": known.file,
        "symbol": known.symbol,
        "within": known.within,
        "code": known.code,
        "reason": entry.reason,
    }
    lines = [f"{key} = {_quoted(value)}" for key, value in rows.items() if value]
    if known.copies:
        lines.append(f"copies = {known.copies}")
    if entry.until:
        lines.append(f"until = {entry.until.isoformat()}")
    return "\n".join(("[[ignore]]", *lines, ""))


def _quoted(text: str) -> str:
    """A text as TOML writes it, whatever it holds."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if "\ud800" <= char <= "\udfff":
        return "?"
    return char if char.isprintable() else f"\\U{ord(char):08x}"
