"""What `require` and similar calls load, if their argument is a literal.

A path relative to the file starts with `./` or `../`; `:Name` stands for a constant whose name gives its path.
"""

from __future__ import annotations

from crimes.languages.engine.nodes import Node, first_child, text_of
from crimes.languages.spec import ImportDraft
from crimes.model.facts import EdgeKind, ImportedName
from crimes.model.lazy_regex import regex

IMPORT_CALLS = {
    "require": EdgeKind.RUNTIME,
    "require_relative": EdgeKind.RUNTIME,
    "require_dependency": EdgeKind.RUNTIME,
    "load": EdgeKind.RUNTIME,
    "autoload": EdgeKind.DEFERRED,
}
_STRING = regex(r"""["']([^"'#\\]*)["']""")
_STRING_TAIL = regex(r"""["'](?:#\{[^{}"']*\})?([^"'#\\{}]*)["']""")
_FILE_FOLDER = regex(r"\b__dir__\b|\bFile\.dirname\(?\s*__FILE__")
_MAX_ARGUMENT_BYTES = 200


def import_call(target: str, arguments: Node, source: bytes) -> ImportDraft | None:
    """The import that a call makes; None if its path is only known at run time."""
    first = first_child(arguments)
    if first is None or first.end_byte - first.start_byte > _MAX_ARGUMENT_BYTES:
        return None
    argument = text_of(first, source)
    if target == "autoload":
        return _autoload(argument, arguments, source)
    path = _path(argument)
    if path is None or (target == "load" and not path.endswith(".rb") and "/" not in path):
        return None
    if target == "require_relative" and not path.startswith(("./", "../", "/")):
        path = f"./{path}"
    return ImportDraft(path)


def _path(argument: str) -> str | None:
    if match := _STRING.fullmatch(argument):
        return match.group(1) or None
    pieces = "/".join(piece.strip("/") for piece in _STRING_TAIL.findall(argument) if piece)
    if not pieces:
        return None
    if _FILE_FOLDER.search(argument):
        return f"./{pieces}"
    # `__FILE__` counts as a folder: the first `..` only leaves the file itself.
    return f"./{pieces[3:]}" if "__FILE__" in argument and pieces.startswith("../") else None


def _autoload(argument: str, arguments: Node, source: bytes) -> ImportDraft | None:
    name = argument.strip(":\"'")
    if not name.isidentifier():
        return None
    second = arguments.named_child(1) if arguments.named_child_count > 1 else None
    path = _path(text_of(second, source)) if second is not None else f":{name}"
    return ImportDraft(path, (ImportedName(name, name),), kind=EdgeKind.DEFERRED) if path else None
