"""The code cells of a notebook, each line of code on its own line of the file."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from crimes.languages.engine.reading import Unreadable
from crimes.model.lazy_regex import regex

_TOKEN = regex(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]:,]', re.DOTALL)
_MAGIC = regex(r"\s*(?:[%!?]|\w[\w.]*\?+\s*$)")
# Cell magics whose cell is still Python.
_CODE_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
_CELL_DEPTH = 3  # of a cell's own keys: notebook, list of cells, cell
_LANGUAGE_KEYS = (["metadata", "language_info", "name"], ["metadata", "kernelspec", "language"])


class _Cells:
    """Code cells and language of a notebook, read from the tokens of its JSON in one pass."""

    def __init__(self, text: str) -> None:
        self.code: list[list[tuple[int, str]]] = []  # per code cell: offset and text of each line
        self.language = ""
        self.is_notebook = False
        keys: list[str] = []  # the key each open object is at; empty for a list
        kind, in_value, last = "", False, ""
        lines: list[tuple[int, str]] = []
        for match in _TOKEN.finditer(text):
            lexeme = match.group()
            if lexeme in "{[":
                keys.append("")
                in_value = False
            elif lexeme in "}]":
                if keys:
                    keys.pop()
                if len(keys) == _CELL_DEPTH - 1 and lexeme == "}" and keys[0] == "cells":
                    self.code += [lines] if kind == "code" else []
                    kind, lines = "", []
                in_value = False
            elif lexeme == ":":
                if keys:
                    keys[-1] = last
                in_value = True
                self.is_notebook = self.is_notebook or keys == ["cells"]
            elif lexeme == ",":
                in_value = False
            elif not in_value and len(keys) != _CELL_DEPTH + 1:
                last = _decode(lexeme)
            elif keys in _LANGUAGE_KEYS:
                self.language = self.language or _decode(lexeme)
            elif len(keys) >= _CELL_DEPTH and keys[0] == "cells":
                if keys[2] == "source" and keys[3:] in ([], [""]):
                    lines.append((match.start(), _decode(lexeme)))
                elif keys[2:] == ["cell_type"]:
                    kind = _decode(lexeme)


def _decode(lexeme: str) -> str:
    try:
        return str(json.loads(lexeme, strict=False))
    except ValueError as error:
        raise Unreadable("not a valid notebook: broken string") from error


def notebook_code(source: bytes) -> bytes:
    """Python on the lines of the notebook's own text; code written on one line takes the lines below it."""
    text = source.decode("utf-8", "replace")
    cells = _Cells(text)
    if not cells.is_notebook:
        raise Unreadable("not a valid notebook: no cells")
    if cells.language.lower() not in ("", "python", "ipython"):
        raise Unreadable(f"notebook in {cells.language[:20]!r}, which is not supported")
    starts = [match.end() for match in re.finditer("\n", text)]
    lines: list[str] = []
    for cell in cells.code:
        if cell and cell[0][1].startswith("%%") and not cell[0][1].startswith(_CODE_MAGICS):
            continue
        for offset, code in cell:
            row = bisect_right(starts, offset)
            lines += [""] * (row - len(lines))
            lines += ["" if _MAGIC.match(line) else line for line in code.splitlines()]
    return "\n".join([*lines, ""]).encode("utf-8", "replace")
