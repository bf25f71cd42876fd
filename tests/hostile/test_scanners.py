"""Scanners written by hand take steps in proportion to the text, whatever it repeats."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from markdown_it.token import Token

from crimes.analyses.change.bindings import names_taken_apart
from crimes.analyses.claims.text import read_document as read_claims
from crimes.analyses.coverage.sniff import read_coverage
from crimes.api import NeedKind
from crimes.languages.c.conditionals import broken_conditionals
from crimes.languages.c.repair import repair as repair_c
from crimes.languages.engine.walk.handlers import mentions
from crimes.languages.markdown.read import _comments, _inline, read_markdown
from crimes.languages.rust.tokens import read_tokens
from crimes.languages.typescript.repair import repair as repair_typescript
from crimes.model.facts import Comment, Mention
from crimes.model.line_counter import LineCounter
from crimes.model.safe_parsing import parse_ini
from crimes.system.git_diff import parse_diff
from crimes.tracking.ignores import _directives_in_comment
from crimes.workflows.briefing.runners.object_literal import objects_with
from crimes_detectors import stale_instruction
from tests.hostile.counted_work import CountedBytes, CountedText, count_work

SMALL_CHARS, LARGE_CHARS = 5_000, 50_000
ALLOWED_GROWTH = 1.5


def _token(kind: str, content: str, *children: Token) -> Token:
    token = Token(kind, "", 0, map=[0, 1], content=content)
    token.children = list(children)
    return token


def _code_spans(text: str) -> Token:
    """A paragraph of code spans that the parser found in `text`, one for each word."""
    return _token("inline", text, *(_token("code_inline", word) for word in str.split(text)))


def _unplaced(text: str) -> Token:
    """A paragraph whose parts are not in it as they were written."""
    return _token("inline", text, *(_token("text", "\0") for _ in str.split(text)))


def _excused_links(text: str) -> object:
    """Whether what a document links to is excused, for each of its links."""
    document = stale_instruction.read_document(text)
    names: Any = SimpleNamespace(brackets=frozenset(), is_at=lambda path: False)
    for line in range(1, str.count(text, "\n") + 1):
        mention = Mention("a/b.md", line, "link", "see")
        claim = stale_instruction.Claim(NeedKind.FILE, "a/b.md", is_link=True)
        stale_instruction.is_excused(claim, mention, names, document)
        stale_instruction.source_of(line, document, "", names)
    return None


def _options(text: str) -> object:
    """What an INI file says; nothing if it is broken."""
    try:
        return parse_ini(CountedText("[a]\n" + text))
    except ValueError:
        return None


Scanner = Callable[[Any], object]
TEXTS: dict[str, tuple[Scanner, tuple[str, ...]]] = {
    "line numbers": (
        lambda text: (lines := LineCounter(text)) and [lines.line(at) for at in range(0, len(text), 7)],
        ("\n", "a\n"),
    ),
    "ignore comments": (
        lambda text: _directives_in_comment(Comment(1, 9, text, own_line=True, doc=False)),
        ("crimes: ignore\n", "crimes: ignore[a, b] why "),
    ),
    "HTML comments of a block": (
        lambda text: _comments([_token("html_block", text)]),
        ("<!-- a -->", "<!-- a -->\n", "<!--"),
    ),
    "comments of a paragraph": (
        lambda text: _comments(
            [_token("inline", text, *(_token("html_inline", "<!-- a -->") for _ in range(len(text) // 11)))]
        ),
        ("<!-- a -->\n", "<!-- a --> "),
    ),
    "code spans of a paragraph": (lambda text: _inline(_code_spans(text), 0, ""), ("ab ", "ab\n")),
    "parts of a paragraph that are not in it": (lambda text: _inline(_unplaced(text), 0, ""), ("ab ",)),
    "names taken from a module": (
        lambda text: names_taken_apart(text.split("\n"), "m"),
        ('const { a, b } = require("m")\n', "{ a,\n"),
    ),
    "object literals": (
        lambda text: next(objects_with(text, "test"), None),
        ("test: {", "'\\''", "/* ", "a: [{", "}"),
    ),
    "links of a document": (
        _excused_links,
        ("[a](a/b.md)\n", "<!-- cargo-rdme start -->\n<!-- cargo-rdme end -->\n", '"a" "b"\n'),
    ),
    "claims": (read_claims, ("a. ", "<!-- ", "<!-- a -->")),
    "INI files": (_options, ("[a]\n", "a = b\n", "  c\n", "[", "a:", "#\n")),
}
BYTES: dict[str, tuple[Scanner, tuple[str, ...]]] = {
    "conditionals of C": (broken_conditionals, ("#if 1\n#endif\n", "#if 1\n", "a\n#if 1\n#else\n#endif\n", "#if 1\nx {\n#endif\n")),
    "macros of C": (repair_c, ("A(", "A(b) ", "/* */", '"a" ', "#if 1\nx {\n#endif\n", "#define A \\\n", "f(1) {", "A {\n")),
    "signatures of TypeScript": (repair_typescript, ("a(): b\n<", "// a\n<", "\n<T>(", "import type * as ")),
    "tokens of Rust": (
        lambda source: read_tokens(CountedBytes(b"{" + source + b"}")),
        ("use a::b;", "mod a {", "{", "pub use {a, b};", "mod a;", "if #[x] {", '"a"', "/* ", "a("),
    ),
    "words of a span": (lambda source: mentions(source, "ab", 0, len(source)), ("abc ", "ab_", "a")),
    "markdown": (read_markdown, ("`a` ", "<!-- a -->", "```\n")),
    "diffs": (
        lambda source: parse_diff(source.split(b"\n")),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "@@ -1,9 +1,9 @@\n", "+a\n"),
    ),
    "coverage": (read_coverage, ("SF:a\nDA:1,1\nend_of_record\n", "DA:1,1\n", "TN:\n")),
}  # fmt: skip


def _steps_per_char(
    scan: Scanner, unit: str, size: int, make: type[CountedText] | type[CountedBytes]
) -> float:
    times = max(1, size // len(unit))
    text = CountedText(unit * times) if make is CountedText else CountedBytes(unit.encode() * times)
    return count_work(lambda: _without_refusal(scan, text)) / len(text)


def _without_refusal(scan: Scanner, text: Any) -> object:
    """What a scanner says, unless it says that it cannot read the text."""
    try:
        found: Any = scan(text)
        return list(found) if hasattr(found, "__next__") else found
    except Exception as error:
        if not type(error).__module__.startswith("crimes."):
            raise
        return None


CASES = [
    (name, scan, unit, make)
    for table, make in ((TEXTS, CountedText), (BYTES, CountedBytes))
    for name, (scan, units) in table.items()
    for unit in units
]


@pytest.mark.parametrize(
    ("scan", "unit", "make"), [case[1:] for case in CASES], ids=[f"{case[0]}: {case[2]!r}" for case in CASES]
)
def test_scanner_takes_steps_in_proportion_to_the_text(
    scan: Scanner, unit: str, make: type[CountedText] | type[CountedBytes]
) -> None:
    small, large = (_steps_per_char(scan, unit, size, make) for size in (SMALL_CHARS, LARGE_CHARS))
    assert large < ALLOWED_GROWTH * small + 0.5


def test_counted_text_tells_a_scanner_that_counts_from_the_start() -> None:
    def slow(text: str) -> list[int]:
        return [text.count("\n", 0, at) for at in range(0, len(text), 7)]

    small, large = (_steps_per_char(slow, "a\n", size, CountedText) for size in (SMALL_CHARS, LARGE_CHARS))
    assert large > 5 * small
