"""Facts: golden samples, the shape of the capture files, and odd input."""

from __future__ import annotations

import codecs
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Query

import crimes
from crimes.languages import by_id
from crimes.languages.facts import Unreadable, read_facts, reader_of
from crimes.languages.spec import Language
from crimes.languages.table import ROLES, parse_patterns, query_text
from crimes.languages.walk.actions import BY_ROLE
from crimes.model import EdgeKind, FileFacts
from tests.golden_facts import FOLDER, SAMPLES, facts_text

PARSED = [language for language in by_id.values() if language.syntax is not None]
PYTHON, TYPESCRIPT, JAVASCRIPT = by_id["python"], by_id["typescript"], by_id["javascript"]


def test_every_parsed_language_has_a_sample() -> None:
    assert set(SAMPLES) == {language.id for language in PARSED}


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_golden_facts(language: str) -> None:
    expected = (FOLDER / f"{language}.facts").read_text(encoding="utf-8")
    assert facts_text(language) == expected, "run `python tests/golden_facts.py` if the change is meant"


@pytest.mark.parametrize("language", PARSED, ids=lambda language: language.id)
def test_capture_files_are_queries_in_the_vocabulary(language: Language) -> None:
    assert language.syntax is not None
    _, reader = reader_of(language)
    text = query_text(language.syntax.queries)
    Query(reader.table.grammar, text)  # raises on a kind, field or shape the grammar does not know
    assert {pattern.role for pattern in parse_patterns(text)} <= ROLES
    assert set(BY_ROLE) == ROLES


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_facts_survive_encoding(language: str) -> None:
    facts = read_facts(by_id[language], SAMPLES[language].read_bytes())
    packed = msgspec.msgpack.encode(facts)
    assert msgspec.msgpack.decode(packed, type=FileFacts) == facts


def test_line_endings_and_byte_order_marks_change_nothing() -> None:
    source = SAMPLES["python"].read_bytes()
    plain = read_facts(PYTHON, source)
    with_mark = read_facts(PYTHON, codecs.BOM_UTF8 + source)
    sixteen = read_facts(PYTHON, source.decode().encode("utf-16"))
    windows = read_facts(PYTHON, source.replace(b"\n", b"\r\n"))
    assert with_mark == sixteen == plain
    assert windows.functions == plain.functions
    assert windows.logic_lines == plain.logic_lines


def test_what_is_not_text_says_so() -> None:
    with pytest.raises(Unreadable, match="binary"):
        read_facts(PYTHON, b"MZ\0\1\2")
    with pytest.raises(Unreadable, match="UTF-16"):
        read_facts(PYTHON, codecs.BOM_UTF16_LE + b"a\0b")


def test_broken_syntax_keeps_what_can_be_read() -> None:
    facts = read_facts(PYTHON, b"def good():\n    return 1\n\ndef bad(:\n    return ((\n\nimport os\n")
    assert facts.errors
    assert "good" in [function.name for function in facts.functions]


@pytest.mark.parametrize(
    "source",
    [
        b"(" * 10_000,
        b"x = " + b"[" * 10_000 + b"]" * 10_000,
        b"if (x) {" * 10_000,
        b"f" + b"(f" * 10_000,
        b"a" + b".b()" * 10_000,
    ],
    ids=["open parentheses", "nested lists", "nested ifs", "open calls", "one long chain"],
)
def test_ten_thousand_levels_deep(source: bytes) -> None:
    assert read_facts(PYTHON, source).language == "python"
    assert read_facts(TYPESCRIPT, source).language == "typescript"


@given(st.binary(max_size=400))
def test_any_bytes_give_facts_or_a_reason(source: bytes) -> None:
    for language in PARSED:
        try:
            facts = read_facts(language, source)
        except Unreadable:
            continue
        assert facts.lines >= 0


def test_logic_lines_leave_out_docstrings_comments_blanks_and_nested_functions() -> None:
    source = b'def f():\n    """Doc\n    more"""\n    # why\n\n    x = 1  # tail\n    def g():\n        return 2\n    return g\n'
    outer, inner = read_facts(PYTHON, source).functions
    assert (outer.logic_lines, inner.logic_lines) == (3, 2)


def test_imports_know_how_they_are_reached() -> None:
    source = (
        b"import a\nif TYPE_CHECKING:\n    import b\nelse:\n    import c\n"
        b"def f():\n    import d\ntry:\n    import e\nexcept ImportError:\n    pass\n__import__('g')\n"
    )
    kinds = {item.target: (item.kind, item.guarded) for item in read_facts(PYTHON, source).imports}
    assert kinds == {
        "a": (EdgeKind.RUNTIME, False),
        "b": (EdgeKind.TYPE_ONLY, False),
        "c": (EdgeKind.RUNTIME, False),
        "d": (EdgeKind.DEFERRED, False),
        "e": (EdgeKind.RUNTIME, True),
        "g": (EdgeKind.DYNAMIC, False),
    }


def test_callbacks_are_named_after_the_call_they_are_handed_to() -> None:
    source = (
        b'app.get("/users", (req, res) => {\n  res.end();\n});\nconst f = () =>\n  1;\nx = [() => {\n}];\n'
    )
    names = [function.qualname for function in read_facts(JAVASCRIPT, source).functions]
    assert names == ["get('/users')", "f", "anonymous()"]


def test_nobody_asks_for_points() -> None:
    """tree-sitter 0.26 frees the numbers a point holds while they are in use; see crimes/languages/nodes.py."""
    code = [
        path for path in Path(crimes.__file__).parent.rglob("*.py") if "_point" in path.read_text("utf-8")
    ]
    assert [path.name for path in code] == []


def test_a_wrapped_function_has_the_name_of_what_it_becomes() -> None:
    source = b"""class App {
  private onPaste = withBatchedUpdates(async (event) => {
    event.stop();
  });
}
const onPick = useCallback<Pick>((row) => {
  row.pick();
}, []);
const rows = items.map((item) => {
  return item;
});
"""
    names = [function.qualname for function in read_facts(TYPESCRIPT, source).functions]
    assert names == ["App.onPaste", "onPick", "map()"]
