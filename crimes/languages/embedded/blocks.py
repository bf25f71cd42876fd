"""The script blocks of a component; everything else becomes blanks, so that each line and offset stays where it is."""

from __future__ import annotations

import re

from crimes.model.lazy_regex import regex

_COMMENT = regex(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = regex(
    rb"""<script\b(?P<attributes>(?:[^>"']|"[^"]*"|'[^']*')*+)>(?P<code>.*?)</script\s*>""",
    re.DOTALL | re.IGNORECASE,
)
_LANG = regex(rb"""\blang\s*=\s*["']?([a-z]+)""", re.IGNORECASE)
_FRONTMATTER = regex(rb"\A\s*---[^\S\n]*\r?\n(.*?)^---[^\S\n]*\r?$", re.DOTALL | re.MULTILINE)
_NOT_CODE = regex(rb"""\btype\s*=\s*["'](?!module|text/javascript|ts|text/typescript)""", re.IGNORECASE)
_INK = regex(rb"[^\r\n]")


def script_blocks(source: bytes) -> tuple[tuple[str, ...], bytes]:
    """What the `lang` attributes say, and the source with nothing left but the code of its scripts."""
    visible = _COMMENT.sub(lambda match: _blank(match.group()), source)
    langs: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in _SCRIPT.finditer(visible):
        attributes = match.group("attributes")
        if _NOT_CODE.search(attributes):
            continue  # structured data for search engines, templates
        lang = _LANG.search(attributes)
        langs += [lang.group(1).decode().lower()] if lang else []
        spans.append(match.span("code"))
    return tuple(langs), _only(source, spans)


def astro_code(source: bytes) -> bytes:
    """The code between the fences at the top, and the scripts below it."""
    front = _FRONTMATTER.match(source)
    if front is None:
        return script_blocks(source)[1]
    end = front.end()
    rest = script_blocks(_blank(source[:end]) + source[end:])[1]
    return _only(source[:end], [front.span(1)]) + rest[end:]


def _only(source: bytes, spans: list[tuple[int, int]]) -> bytes:
    kept, at = [], 0
    for start, end in spans:
        kept += [_blank(source[at:start]), source[start:end]]
        at = end
    return b"".join([*kept, _blank(source[at:])])


def _blank(text: bytes) -> bytes:
    return _INK.sub(b" ", text)
