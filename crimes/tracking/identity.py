"""What a finding is recognised by in another scan: its fingerprint, its place, and a digest of the code it is about.

The digest is made of the words of the code, so neither formatting nor the function's own name changes it. That of a function
also carries digests of its lines, which recognise it after an edit.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial

import msgspec
from msgspec import Struct

from crimes.incremental.query import MemoStore, load, save
from crimes.model.code_sketch import sketch_of
from crimes.model.facts import Class, Function
from crimes.model.lazy_regex import regex
from crimes.model.report import Columns, Crime
from crimes.model.repository import File, Repo

_WORD = regex(r"\w+")


class FindingIdentity(Struct, frozen=True, omit_defaults=True):
    """A finding, as far as it takes to know it again."""

    fingerprint: str  # identity that survives moved lines, reformatting and edits elsewhere
    type: str  # id of the detector
    file: str  # path from the root
    symbol: str = ""  # qualified name of the function or class; empty for none
    within: str = ""  # identity inside its file
    code: str = ""  # sketch of the code
    copies: int = 0  # for duplicated code: how many copies there are
    members: tuple[str, ...] = ()  # for duplicated code: the place of each copy
    shown: bool = True  # false: low confidence, or merged into a stronger finding

    @property
    def place(self) -> str:
        return f"{self.file}#{self.symbol}"


def identity_of(crime: Crime, *, shown: bool = True) -> FindingIdentity:
    """The identity of a finding of a report."""
    measure = crime.evidence.get("copies")
    copies = measure.value if measure and isinstance(measure.value, int) else 0
    places = {f"{crime.file}#{crime.symbol}", *(f"{copy.file}#{copy.symbol}" for copy in crime.related)}
    return FindingIdentity(
        fingerprint=crime.fingerprint,
        type=crime.type,
        file=crime.file,
        symbol=crime.symbol,
        within=crime.within,
        code=crime.code,
        copies=copies,
        members=tuple(sorted(places)) if copies else (),
        shown=shown,
    )


class _CodeMark(Struct, frozen=True, array_like=True):
    """What the text of a file says of a finding in it."""

    digest: str
    start_column: int
    end_column: int


def with_code_marks(crimes: Iterable[Crime], repo: Repo, memory: MemoStore | None) -> tuple[Crime, ...]:
    """The crimes with their columns and the digests of their code; a digest is empty where the code is gone, or too short to
    be told from other code.

    Those of unchanged files come from `memory`.
    """
    before: dict[bytes, _CodeMark] = (load(memory, "marks", dict[bytes, _CodeMark]) if memory else None) or {}
    now: dict[bytes, _CodeMark] = {}
    lines_of = cache(partial(_read_lines, repo))
    marked = []
    for crime in crimes:
        content = memory.content_key(crime.file) if memory else b""
        place = f"\0{crime.symbol}\0{crime.lines.start}\0{crime.lines.end}".encode("utf-8", "surrogatepass")
        mark = before.get(content + place) if content else None
        if mark is None:
            lines = lines_of(crime.file)
            digest = _code_digest(crime, lines, repo.files.get(crime.file))
            mark = _CodeMark(digest, _start_column(crime, lines), _end_column(crime, lines))
        if content:
            now[content + place] = mark
        columns = Columns(mark.start_column, mark.end_column)
        marked.append(msgspec.structs.replace(crime, code=mark.digest, columns=columns))
    if memory and now != before:
        save(memory, "marks", now)
    return tuple(marked)


def _start_column(crime: Crime, lines: list[str]) -> int:
    """Where the symbol's name stands on the first line, else where its text begins."""
    line = lines[crime.lines.start - 1] if 0 < crime.lines.start <= len(lines) else ""
    name = crime.symbol.rpartition(".")[2]
    for word in _WORD.finditer(line):
        if word[0] == name:
            return word.start() + 1
    return len(line) - len(line.lstrip()) + 1 if line.strip() else 1


def _end_column(crime: Crime, lines: list[str]) -> int:
    """One past the last character of the last line."""
    end = max(crime.lines.end, crime.lines.start)
    return len(lines[end - 1].rstrip()) + 1 if 0 < end <= len(lines) else 1


def _read_lines(repo: Repo, path: str) -> list[str]:
    try:
        return repo.read(path).decode("utf-8", "replace").split("\n") if path in repo.paths else []
    except OSError:  # deleted during the scan
        return []


def _code_digest(crime: Crime, lines: list[str], file: File | None) -> str:
    start, end = _extent(crime, file) or (1, len(lines))
    if not crime.symbol:
        return sketch_of([_WORD.findall("\n".join(lines[start - 1 : end]).lower())], with_lines=False)
    name = crime.symbol.rpartition(".")[2].lower()
    rows = (_WORD.findall(line.lower()) for line in lines[start - 1 : end])
    return sketch_of([[word for word in row if word != name] for row in rows], with_lines=True)


def _extent(crime: Crime, file: File | None) -> tuple[int, int] | None:
    """The lines of the symbol, else of the finding; None when it is about its whole file."""
    lines = crime.lines
    if crime.symbol and file is not None:
        symbols: list[Function | Class] = [*file.facts.functions, *file.facts.classes]
        around = [
            (symbol.start, symbol.end)
            for symbol in symbols
            if symbol.qualname == crime.symbol and symbol.start <= lines.start <= symbol.end
        ]
        if around:
            return max(around)  # the innermost
    return None if not crime.symbol and (lines.start, lines.end) == (1, 1) else (lines.start, lines.end)
