"""The code cells of a notebook, each line of code on the line of the file where it is written."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from crimes.languages.engine.reading import Unreadable
from crimes.model.lazy_regex import regex

_TOKEN = regex(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]:,]', re.DOTALL)
_MAGIC = regex(r"\s*(?:[%!?]|\w[\w.]*\?+\s*$)")
# Cell magics whose cell is still this language's code.
_STILL_CODE = ("%%time", "%%timeit", "%%capture", "%%prun")
_CELL = 3  # how deep a cell's own keys lie: notebook, list of cells, cell


class _Cells:
    """Reads the tokens of the JSON text once, keeping where each source line begins."""

    def __init__(self, text: str) -> None:
        self.code: list[list[tuple[int, str]]] = []  # per code cell: offset and text of each line
        self.language = ""
        self.is_notebook = False
        keys: list[str] = []  # the key each open object is at; empty for a list
        kind, value, last = "", False, ""
        lines: list[tuple[int, str]] = []
        for match in _TOKEN.finditer(text):
            mark = match.group()
            if mark in "{[":
                keys.append("")
                value = False
            elif mark in "}]":
                if keys:
                    keys.pop()
                if len(keys) == _CELL - 1 and mark == "}" and keys[0] == "cells":
                    self.code += [lines] if kind == "code" else []
                    kind, lines = "", []
                value = False
            elif mark == ":":
                if keys:
                    keys[-1] = last
                value = True
                self.is_notebook = self.is_notebook or keys == ["cells"]
            elif mark == ",":
                value = False
            elif not value and len(keys) != _CELL + 1:
                last = _text(mark)
            elif keys == ["metadata", "language_info", "name"] or keys == [
                "metadata",
                "kernelspec",
                "language",
            ]:
                self.language = self.language or _text(mark)
            elif len(keys) >= _CELL and keys[0] == "cells":
                if keys[2] == "source" and keys[3:] in ([], [""]):
                    lines.append((match.start(), _text(mark)))
                elif keys[2:] == ["cell_type"]:
                    kind = _text(mark)


def _text(mark: str) -> str:
    try:
        return str(json.loads(mark, strict=False))
    except ValueError as error:
        raise Unreadable("not a notebook: a broken string") from error


def notebook_code(source: bytes) -> bytes:
    """Python at the lines of the notebook's own text; code written on one line gets the lines below it."""
    text = source.decode("utf-8", "replace")
    cells = _Cells(text)
    if not cells.is_notebook:
        raise Unreadable("not a notebook: it has no cells")
    if cells.language.lower() not in ("", "python", "ipython"):
        raise Unreadable(f"a notebook in {cells.language[:20]!r}")
    starts = [match.end() for match in re.finditer("\n", text)]
    lines: list[str] = []
    for cell in cells.code:
        if cell and cell[0][1].startswith("%%") and not cell[0][1].startswith(_STILL_CODE):
            continue
        for offset, written in cell:
            row = bisect_right(starts, offset)
            lines += [""] * (row - len(lines))
            lines += ["" if _MAGIC.match(line) else line for line in written.splitlines()]
    return "\n".join([*lines, ""]).encode("utf-8", "replace")
