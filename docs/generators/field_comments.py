"""What the comments beside the fields of a class say: the one source of every description in schemas and references.

A comment belongs to a field when it ends the field's line, or stands on the lines right above it:

    size: int  # in bytes
    # The folder's own name, never its absolute path.
    repository: str
"""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from functools import cache


@cache
def field_comments(class_: type) -> dict[str, str]:
    """The comment of each field by the field's name, as a sentence; fields of base classes included."""
    comments: dict[str, str] = {}
    for base in reversed(class_.__mro__):
        comments |= _own_comments(base)
    return comments


def as_sentence(text: str) -> str:
    """The text with a capital at its beginning and a full stop at its end; code and quotations begin as they are."""
    text = " ".join(text.split())
    if not text:
        return ""
    word = text.split()[0]
    plain = word.rstrip(",:;.").replace("-", "").isalpha() and word.islower()
    text = text[0].upper() + text[1:] if plain else text
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."


def _own_comments(class_: type) -> dict[str, str]:
    try:
        source = textwrap.dedent(inspect.getsource(class_))
    except (OSError, TypeError):  # built in, or made by a function: it has no source
        return {}
    comments, alone = _comments_by_line(source)
    texts = {}
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    for node in definition.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        last = node.end_lineno or node.lineno
        own = [comments[line] for line in range(node.lineno, last + 1) if line in comments]
        above: list[str] = []
        line = node.lineno - 1
        while line in alone:
            above.insert(0, comments[line])
            line -= 1
        if text := " ".join(own or above):
            texts[node.target.id] = as_sentence(text)
    return texts


def _comments_by_line(source: str) -> tuple[dict[int, str], set[int]]:
    """Comments by line, and the lines that hold nothing else."""
    comments, alone = {}, set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            comments[row] = token.string.lstrip("#").strip()
            if not token.line[:column].strip():
                alone.add(row)
    return comments, alone
