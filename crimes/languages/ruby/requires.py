"""What `require` and its like load, as far as it is written down.

A path that is relative to the file begins with `./` or `../`; `:Name` stands for a constant that is loaded from where its
name says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crimes.languages.engine.nodes import first_child, text_of
from crimes.languages.spec import ImportDraft
from crimes.model.facts import EdgeKind, ImportedName
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

CALLS = {
    "require": EdgeKind.RUNTIME,
    "require_relative": EdgeKind.RUNTIME,
    "require_dependency": EdgeKind.RUNTIME,
    "load": EdgeKind.RUNTIME,
    "autoload": EdgeKind.DEFERRED,
}
_LITERAL = regex(r"""["']([^"'#\\]*)["']""")
_PIECE = regex(r"""["'](?:#\{[^{}"']*\})?([^"'#\\{}]*)["']""")
_HERE = regex(r"\b__dir__\b|\bFile\.dirname\(?\s*__FILE__")
_LONGEST = 200


def import_call(target: str, arguments: Node, source: bytes) -> ImportDraft | None:
    """The import of one call; None when what it loads is only known when it runs."""
    first = first_child(arguments)
    if first is None or first.end_byte - first.start_byte > _LONGEST:
        return None
    written = text_of(first, source)
    if target == "autoload":
        return _autoload(written, arguments, source)
    path = _path(written)
    if path is None or (target == "load" and not path.endswith(".rb") and "/" not in path):
        return None
    if target == "require_relative" and not path.startswith(("./", "../", "/")):
        path = f"./{path}"
    return ImportDraft(path)


def _path(written: str) -> str | None:
    if match := _LITERAL.fullmatch(written):
        return match.group(1) or None
    pieces = "/".join(piece.strip("/") for piece in _PIECE.findall(written) if piece)
    if not pieces:
        return None
    if _HERE.search(written):
        return f"./{pieces}"
    # Seen from the file as if that were a folder: the first step up only leaves the file.
    return f"./{pieces[3:]}" if "__FILE__" in written and pieces.startswith("../") else None


def _autoload(written: str, arguments: Node, source: bytes) -> ImportDraft | None:
    name = written.strip(":\"'")
    if not name.isidentifier():
        return None
    second = arguments.named_child(1) if arguments.named_child_count > 1 else None
    path = _path(text_of(second, source)) if second is not None else f":{name}"
    return ImportDraft(path, (ImportedName(name, name),), kind=EdgeKind.DEFERRED) if path else None
