"""A mark of the code a finding is about, by which it is known again when its file or its function is called otherwise.

The mark is made of the words of the code: what a formatter changes is not in it, and neither is the function's own name.
That of a function tells it from others also when it was edited on its way.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial

import msgspec

from crimes.incremental.query import MemoStore, load, save
from crimes.model.code_sketch import mark
from crimes.model.facts import Class, Function
from crimes.model.lazy_regex import regex
from crimes.model.report import Crime
from crimes.model.repository import File, Repo

_WORD = regex(r"\w+")


def with_code_digests(crimes: Iterable[Crime], repo: Repo, memory: MemoStore | None) -> tuple[Crime, ...]:
    """The crimes with their marks; none where the code is too short to be told from other code, or gone.

    The mark of the same place in the same content is the one it had the last time.
    """
    before: dict[bytes, str] = (load(memory, "marks", dict[bytes, str]) if memory else None) or {}
    now: dict[bytes, str] = {}
    text_of = cache(partial(_text, repo))
    found = []
    for crime in crimes:
        content = memory.content(crime.file) if memory else b""
        place = f"\0{crime.symbol}\0{crime.lines.start}\0{crime.lines.end}".encode("utf-8", "surrogatepass")
        known = before.get(content + place) if content else None
        code = _mark(crime, text_of(crime.file), repo.files.get(crime.file)) if known is None else known
        if content:
            now[content + place] = code
        found.append(msgspec.structs.replace(crime, code=code))
    if memory and now != before:
        save(memory, "marks", now)
    return tuple(found)


def _text(repo: Repo, path: str) -> list[str]:
    try:
        return repo.read(path).decode("utf-8", "replace").split("\n") if path in repo.paths else []
    except OSError:  # it went away during the scan: the next one tells
        return []


def _mark(crime: Crime, text: list[str], file: File | None) -> str:
    start, end = _extent(crime, file) or (1, len(text))
    if not crime.symbol:  # all its words at once: nobody asks for lines
        return mark([_WORD.findall("\n".join(text[start - 1 : end]).lower())], sketched=False)
    name = crime.symbol.rpartition(".")[2].lower()
    lines = (_WORD.findall(line.lower()) for line in text[start - 1 : end])
    return mark([[word for word in line if word != name] for line in lines], sketched=True)


def _extent(crime: Crime, file: File | None) -> tuple[int, int] | None:
    """The lines of the symbol, else of the finding; None for one that is about its whole file."""
    lines = crime.lines
    if crime.symbol and file is not None:
        symbols: list[Function | Class] = [*file.facts.functions, *file.facts.classes]
        around = [
            (one.start, one.end)
            for one in symbols
            if one.qualname == crime.symbol and one.start <= lines.start <= one.end
        ]
        if around:
            return max(around)  # of several around it the innermost
    return None if not crime.symbol and (lines.start, lines.end) == (1, 1) else (lines.start, lines.end)
