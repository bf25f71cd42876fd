"""The script blocks of a component; the rest becomes blanks, so that lines and offsets stay the same."""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex

_COMMENT = regex(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = regex(
    rb"""<script\b(?P<attributes>(?:[^<>"']|"[^"]*"|'[^']*')*+)>(?P<code>.*?)(?:</script\s*+>|(?P<unclosed>\Z))""",
    re.DOTALL | re.IGNORECASE,
)
_LANG = regex(rb"""\blang\s*=\s*["']?([a-z]+)""", re.IGNORECASE)
_FRONTMATTER = regex(rb"\A\s*---[^\S\n]*\r?\n(.*?)^---[^\S\n]*\r?$", re.DOTALL | re.MULTILINE)
_NOT_CODE = regex(rb"""\btype\s*=\s*["'](?!module|text/javascript|ts|text/typescript)""", re.IGNORECASE)
_NOT_LINE_BREAK = regex(rb"[^\r\n]")


def script_blocks(source: bytes) -> tuple[tuple[str, ...], bytes]:
    """Values of the `lang` attributes, and the source with all but the code of its scripts blanked."""
    visible = _COMMENT.sub(lambda match: _blank(match.group()), source)
    langs: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in _SCRIPT.finditer(visible):
        attributes = match.group("attributes")
        if _NOT_CODE.search(attributes) or match.group("unclosed") is not None:
            continue  # structured data or a template, or nobody knows what
        lang = _LANG.search(attributes)
        langs += [lang.group(1).decode().lower()] if lang else []
        spans.append(match.span("code"))
    return tuple(langs), _blank_outside(source, spans)


def astro_code(source: bytes) -> bytes:
    """The code between the fences at the top, and the scripts below it."""
    front = _FRONTMATTER.match(source)
    if front is None:
        return script_blocks(source)[1]
    end = front.end()
    rest = script_blocks(_blank(source[:end]) + source[end:])[1]
    return _blank_outside(source[:end], [front.span(1)]) + rest[end:]


def _blank_outside(source: bytes, spans: list[tuple[int, int]]) -> bytes:
    parts, position = [], 0
    for start, end in spans:
        parts += [_blank(source[position:start]), source[start:end]]
        position = end
    return b"".join([*parts, _blank(source[position:])])


def _blank(text: bytes) -> bytes:
    return _NOT_LINE_BREAK.sub(b" ", text)
