"""Splits a text into blocks, paragraphs and sentences. It is parsed as Markdown, which plain prose is too.

Offsets count characters from 0. Fenced and indented code, quotations, HTML and front matter are not prose.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct, field

from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

HOLE = "\x01"  # replaces a character that is not prose: neither part of a word nor white space

_LINE_END = regex(r"\r\n|\n|\r")
_VISIBLE = regex(r"[^\r\n]")
_LETTER = regex(r"\w")
_FRONT_MATTER = regex(r"---[ \t]*$", re.MULTILINE)
_SENTENCE_END = regex(r"(?<![.!?])[.!?]++[\"'\u201d\u2019)\]*_\x01]*+(?=\s)|\|")
_ABBREVIATION = regex(r"(?:\be\.g|\bi\.e|\betc|\bvs|\bcf|\bapprox|\bresp|\bal)\.\Z", re.IGNORECASE)
_MAX_SENTENCE_CHARACTERS = 1_000  # a longer one is cut there

_LISTS = frozenset({"bullet_list_open", "ordered_list_open", "table_open"})
_STATEMENTS = _LISTS | {"paragraph_open"}
_EXHIBITS = frozenset({"fence", "code_block", "blockquote_open"})


class Span(Struct, frozen=True):
    """From `start` to before `end`."""

    start: int
    end: int


class Block(Struct, frozen=True):
    """A paragraph, a list or a table, with the code or quotation that stands beside it."""

    span: Span
    paragraphs: tuple[Span, ...]  # list items and table rows are paragraphs too
    words: int  # of its prose
    shows: bool  # whether it contains code or a quotation, which may be output


class Document(Struct, frozen=True):
    """A text and its blocks. `prose` is as long as the text, with spaces or holes where that is not prose."""

    text: str
    prose: str
    blocks: tuple[Block, ...]
    line_starts: tuple[int, ...]

    def line(self, offset: int) -> int:
        """The line an offset is in, from 1."""
        return bisect(self.line_starts, offset)


class _Draft(Struct):
    """A block while it is built: lines from 0, the last one exclusive."""

    first: int
    last: int
    opened_by: str
    shows: bool = False
    announces: bool = False  # ends with a colon
    rows: list[tuple[int, int]] = field(default_factory=list)


@cache
def _parser() -> MarkdownIt:
    """Built once: its rules take longer to set up than a comment to parse."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


def read_document(text: str) -> Document:
    """A text with its blocks."""
    starts = (0, *(match.end() for match in _LINE_END.finditer(text)))
    body = _without_front_matter(text)
    drafts = [draft for draft in _drafts(_parser().parse(body)) if draft.rows]

    def span(first: int, last: int) -> Span:
        return Span(starts[first], starts[last] if last < len(starts) else len(text))

    paragraphs = [tuple(span(*row) for row in draft.rows) for draft in drafts]
    prose = _without_comments(_blank_outside(body, chain.from_iterable(paragraphs)))
    blocks = (
        Block(
            span=span(draft.first, draft.last),
            paragraphs=own,
            words=sum(_count_words(prose[row.start : row.end]) for row in own),
            shows=draft.shows,
        )
        for draft, own in zip(drafts, paragraphs, strict=True)
    )
    return Document(text, prose, tuple(blocks), starts)


def _count_words(prose: str) -> int:
    return sum(1 for word in prose.split() if _LETTER.search(word))


def sentences(prose: str, paragraph: Span) -> Iterator[Span]:
    """The sentences of a paragraph, and the cells of a table row."""
    start = paragraph.start
    while start < paragraph.end:
        limit = min(start + _MAX_SENTENCE_CHARACTERS, paragraph.end)
        end = next(
            (
                match.end()
                for match in _SENTENCE_END.finditer(prose, start, limit)
                if not _ABBREVIATION.search(prose, max(start, match.end() - 10), match.end())
            ),
            limit,
        )
        if end == limit < paragraph.end:  # cut between two words, if there are two
            end = max(prose.rfind(" ", start, limit), prose.rfind("\n", start, limit)) + 1 or limit
        if prose[start:end].strip():
            yield Span(start, end)
        start = end


def blank_out(prose: str, spans: Iterable[Span]) -> str:
    """The prose with holes in place of these spans."""
    pieces: list[str] = []
    at = 0
    for span in sorted(spans, key=attrgetter("start", "end")):
        if span.end > at:
            start = max(span.start, at)
            pieces += (prose[at:start], HOLE * (span.end - start))
            at = span.end
    return "".join((*pieces, prose[at:]))


def _drafts(tokens: Iterable[Token]) -> list[_Draft]:
    """Blocks by their lines. Code and quotations join the statement before them, or else the one after."""
    drafts: list[_Draft] = []
    quoted = 0
    for token in tokens:
        quoted += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.level == 0 and token.map:
            _open(drafts, token.type, token.map[0], token.map[1])
        elif token.type in _EXHIBITS and drafts:
            drafts[-1].shows = True
        if token.type == "inline" and token.map and not quoted:
            row = (token.map[0], token.map[1])
            if drafts[-1].rows[-1:] != [row]:  # the cells of a table row are one paragraph
                drafts[-1].rows.append(row)
            drafts[-1].announces = token.level == 1 and token.content.endswith(":")
    return drafts


def _open(drafts: list[_Draft], kind: str, first: int, last: int) -> None:
    before = drafts[-1] if drafts else _Draft(0, 0, "")
    joins = (
        (kind in _EXHIBITS and before.opened_by in _STATEMENTS)
        or (kind in _STATEMENTS and before.opened_by in _EXHIBITS)
        or (kind in _LISTS and before.announces and before.opened_by in _STATEMENTS)
    )
    if joins:
        before.last = last
        before.shows = before.shows or kind in _EXHIBITS
        if before.opened_by in _EXHIBITS:
            before.opened_by = kind
    else:
        drafts.append(_Draft(first, last, kind, shows=kind in _EXHIBITS))


def _without_front_matter(text: str) -> str:
    if not text.startswith("---") or not _FRONT_MATTER.match(text):
        return text
    end = _FRONT_MATTER.search(text, 3)
    return _VISIBLE.sub(" ", text[: end.end()]) + text[end.end() :] if end else text


def _blank_outside(text: str, spans: Iterable[Span]) -> str:
    """The text with spaces outside the spans, which come in order."""
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces += (_VISIBLE.sub(" ", text[at : span.start]), text[span.start : span.end])
        at = span.end
    return "".join((*pieces, _VISIBLE.sub(" ", text[at:])))


def _without_comments(prose: str) -> str:
    spans = []
    at = prose.find("<!--")
    while at >= 0 and (end := prose.find("-->", at)) >= 0:
        spans.append(Span(at, end + 3))
        at = prose.find("<!--", end)
    return blank_out(prose, spans)
