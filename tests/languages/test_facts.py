"""Facts: golden samples, the shape of the capture files, and odd input."""

from __future__ import annotations

import codecs
import random
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Query

import crimes
from crimes.languages import by_id
from crimes.languages.engine import words
from crimes.languages.engine.facts import read_facts, reader_of
from crimes.languages.engine.reading import Unreadable
from crimes.languages.engine.table import ROLES, parse_patterns, query_text
from crimes.languages.engine.walk.actions import BY_ROLE
from crimes.languages.spec import Language
from crimes.model.facts import EdgeKind, FileFacts
from tests.kit.endings import parsing
from tests.kit.golden_facts import FOLDER, SAMPLES, facts_text

PARSED = [language for language in by_id.values() if language.syntax is not None]
PYTHON, TYPESCRIPT, JAVASCRIPT = by_id["python"], by_id["typescript"], by_id["javascript"]


def test_every_parsed_language_has_a_sample() -> None:
    assert set(SAMPLES) == {language.id for language in PARSED}


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_facts_equal_the_golden_file(language: str) -> None:
    expected = (FOLDER / f"{language}.facts").read_text(encoding="utf-8")
    assert facts_text(language) == expected, "run `python tests/kit/golden_facts.py` if the change is meant"


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


@pytest.mark.parametrize("text", ["def f():", "def f(a) ->", "class A:", "async def f():\n    def g():"])
def test_a_file_may_break_off_where_a_body_would_begin(text: str) -> None:
    assert read_facts(PYTHON, text.encode()).language == "python"


def test_line_endings_and_byte_order_marks_do_not_change_the_facts() -> None:
    source = SAMPLES["python"].read_bytes()
    plain = read_facts(PYTHON, source)
    with_mark = read_facts(PYTHON, codecs.BOM_UTF8 + source)
    sixteen = read_facts(PYTHON, source.decode().encode("utf-16"))
    windows = read_facts(PYTHON, source.replace(b"\n", b"\r\n"))
    assert with_mark == sixteen == plain
    assert windows.functions == plain.functions
    assert windows.logic_lines == plain.logic_lines


def test_binary_content_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="binary"):
        read_facts(PYTHON, b"MZ\0\1\2")
    with pytest.raises(Unreadable, match="UTF-16"):
        read_facts(PYTHON, codecs.BOM_UTF16_LE + b"a\0b")


def test_broken_syntax_keeps_the_readable_functions() -> None:
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
def test_nesting_of_ten_thousand_levels_is_read(source: bytes) -> None:
    assert read_facts(PYTHON, source).language == "python"
    assert read_facts(TYPESCRIPT, source).language == "typescript"


@given(st.binary(max_size=400))
def test_any_bytes_give_facts_or_a_reason(source: bytes) -> None:
    for name in parsing([language.id for language in PARSED], source):
        try:
            facts = read_facts(by_id[name], source)
        except Unreadable:
            continue
        assert facts.lines >= 0


def test_logic_lines_leave_out_docstrings_comments_blanks_and_nested_functions() -> None:
    source = b'def f():\n    """Doc\n    more"""\n    # why\n\n    x = 1  # tail\n    def g():\n        return 2\n    return g\n'
    outer, inner = read_facts(PYTHON, source).functions
    assert (outer.logic_lines, inner.logic_lines) == (3, 2)


def test_logic_lines_leave_out_the_rest_of_a_comment_that_begins_after_code() -> None:
    source = b"int f(int x) {\n  x = 1; /* why\n            and more */\n  x = 2; /* why\n  and */ x = 3;\n  return x;\n}\n"
    assert read_facts(by_id["c"], source).functions[0].logic_lines == 6


def test_a_function_in_a_literal_is_neither_logic_nor_data_of_the_one_around_it() -> None:
    source = (
        b"function f(a) {\n  start({\n    name: a,\n    run() {\n      one();\n      two();\n    },\n"
        b"    size: 2,\n  });\n  return [\n    a,\n    a,\n  ];\n}\n"
    )
    around = read_facts(JAVASCRIPT, source).functions[0]
    assert (around.name, around.logic_lines, around.literal_lines) == ("f", 10, 8)


def test_imports_have_the_kind_of_their_surroundings() -> None:
    source = (
        b"import a\nif TYPE_CHECKING:\n    import b\nelse:\n    import c\n"
        b"def f():\n    import d\ntry:\n    import e\nexcept ImportError:\n    pass\n__import__('g')\n"
        b"if __name__ == '__main__':\n    import h\n"
    )
    kinds = {item.target: (item.kind, item.guarded) for item in read_facts(PYTHON, source).imports}
    assert kinds == {
        "a": (EdgeKind.RUNTIME, False),
        "b": (EdgeKind.TYPE_ONLY, False),
        "c": (EdgeKind.RUNTIME, False),
        "d": (EdgeKind.DEFERRED, False),
        "e": (EdgeKind.RUNTIME, True),
        "g": (EdgeKind.DYNAMIC, False),
        "h": (EdgeKind.DEFERRED, False),
    }


def test_callbacks_are_named_after_the_call_they_are_handed_to() -> None:
    source = (
        b'app.get("/users", (req, res) => {\n  res.end();\n});\nconst f = () =>\n  1;\nx = [() => {\n}];\n'
    )
    names = [function.qualname for function in read_facts(JAVASCRIPT, source).functions]
    assert names == ["get('/users')", "f", "anonymous function"]


@pytest.mark.parametrize(
    ("language", "source", "names"),
    [
        (
            "ruby",
            "class Cart\n  def total\n    items.each do |item|\n      item.parts.map do |part|\n        part\n      end\n    end\n  end\nend\n",
            ["Cart.total", "each block in Cart.total", "map block in Cart.total"],
        ),
        (
            "ruby",
            "RSpec.describe Shop::Cart do\n  it 'adds' do\n    expect(1)\n  end\nend\n",
            ["describe(Shop::Cart)", "describe(Shop::Cart).it('adds')"],
        ),
        ("ruby", "task :build do\n  sh 'make'\nend\n", ["task(:build)"]),
        ("ruby", "task build: :env do\n  sh 'make'\nend\n", ["task(:build)"]),
        ("ruby", "task [1] do\n  sh 'make'\nend\n", ["task block"]),
        ("ruby", "total = [-> do\n  1\nend]\n", ["lambda"]),
        (
            "go",
            "package a\n\nfunc run() {\n\tgo func() {\n\t\twork()\n\t}()\n\thandle(func() {\n\t\twork()\n\t})\n}\n",
            ["run", "function literal in run", "handle callback in run"],
        ),
        ("kotlin", "fun run() {\n    launch {\n        work()\n    }\n}\n", ["run", "launch lambda in run"]),
        (
            "php",
            "<?php\nfunction run() {\n    $x = [function () {\n        work();\n    }];\n}\n",
            ["run", "closure in run"],
        ),
        ("rust", "fn run() {\n    xs.map(|x| {\n        x + 1\n    });\n}\n", ["run", "map closure in run"]),
        (
            "javascript",
            "(function () {\n  function total() {\n    return 1;\n  }\n})();\n",
            ["anonymous function", "total"],
        ),
        (
            "javascript",
            "define(() => {\n  function total() {\n    return 1;\n  }\n});\n",
            ["define callback", "define().total"],
        ),
    ],
)
def test_function_without_a_name_is_called_what_its_users_call_it(
    language: str, source: str, names: list[str]
) -> None:
    functions = read_facts(by_id[language], source.encode()).functions
    assert [function.qualname for function in functions] == names


def _read(language: Language, source: str) -> FileFacts:
    return read_facts(language, source.encode())


def test_decorators_belong_to_the_following_definition() -> None:
    source = (
        "class A {\n  @Input() name = 1;\n  plain() {}\n  @Get('/x') route(@Body() body) {}\n  after() {}\n}\n"
        "@Last class B {}\n"
    )
    for language in (TYPESCRIPT, JAVASCRIPT):
        source = source if language is TYPESCRIPT else source.replace("@Body() ", "")
        facts = _read(language, source)
        assert [function.decorators for function in facts.functions] == [(), ("Get",), ()]
        assert [class_.decorators for class_ in facts.classes] == [(), ("Last",)]


def test_definitions_are_the_names_of_the_module() -> None:
    facts = _read(
        TYPESCRIPT,
        "const o = { method() {}, key: function inner() {}, 'a-b': () => {} };\nconst $el = 1;\n"
        "namespace N { export function within() {} }\ndeclare module 'x' { export function other(): void }\n"
        "let C = class Named {};\n",
    )
    assert facts.definitions == ("$el", "C", "N", "o")
    assert facts.exports == ()
    assert [function.qualname for function in facts.functions] == ["method", "inner", "a-b", "N.within"]


def test_exports_by_their_names_outside_and_inside() -> None:
    facts = _read(
        TYPESCRIPT,
        "export const { a1, b: c1, d1 = f(), ...rest } = x;\nexport { e as 'odd name' };\nexport default e;\n"
        "export function o(a: string): void;\nexport function o(a: number): void;\nexport function o(a: any) {}\n",
    )
    names = {export.name: export.local for export in facts.exports}
    assert names == {
        **{name: name for name in ("a1", "c1", "d1", "rest", "o")},
        "odd name": "e",
        "default": "e",
    }
    assert len(facts.exports) == len(names)
    assert [(e.name, e.local) for e in _read(TYPESCRIPT, "export = k;\n").exports] == [("default", "k")]


def test_reexported_type_is_not_a_runtime_import() -> None:
    facts = _read(TYPESCRIPT, "export { type A, type B } from './a';\nexport { type C, d } from './c';\n")
    assert [item.kind for item in facts.imports] == [EdgeKind.TYPE_ONLY, EdgeKind.REEXPORT]
    assert facts.texts == ()


def test_statements_of_a_callback_are_not_module_level() -> None:
    facts = _read(JAVASCRIPT, "register(() => require('./late'));\nexport default () => { go(); };\n")
    assert [item.kind for item in facts.imports] == [EdgeKind.DEFERRED]
    assert [statement.name for statement in facts.statements] == ["register"]


def test_attributes_reach_the_method_around_an_arrow_function() -> None:
    facts = _read(
        JAVASCRIPT,
        "class A {\n  m() {\n    a.map((x) => {\n      this.total += x;\n    });\n"
        "    a.map(function () {\n      this.other = this.#own;\n    });\n    this.#own = this.$el;\n  }\n}\n",
    )
    assert facts.classes[0].attributes == ("#own", "$el", "total")
    nested = _read(PYTHON, "class A:\n    def m(self):\n        def f():\n            return self.größe\n")
    assert nested.classes[0].attributes == ("größe",)


def test_parameters_and_bases_are_read_without_their_markers() -> None:
    facts = _read(
        PYTHON, "class A(B,  # why\n        C, metaclass=M):\n    def f(self, a, /, b, *, c): ...\n"
    )
    assert facts.classes[0].bases == ("B", "C")
    assert [param.name for param in facts.functions[0].params] == ["self", "a", "b", "c"]
    assert [param.keyword_only for param in facts.functions[0].params] == [False, False, False, True]


@pytest.mark.parametrize(
    ("body", "does"),
    [
        ("assert False", ("raise",)),
        ("yield None", ("return_value",)),
        ("del x[0]", ("assign",)),
        ("import z", ("assign",)),
        ("def q(): pass", ("assign",)),
        ("...", ("pass",)),
    ],
)
def test_handler_actions_are_classified(body: str, does: tuple[str, ...]) -> None:
    source = f"def f():\n    try:\n        g()\n    except Exception:\n        {body}\n"
    assert _read(PYTHON, source).handlers[0].does == does


def test_error_variables_with_unusual_names_are_seen_as_used() -> None:
    source = "try { f() } catch ($e) { x = $e }\ntry { f() } catch ({ message }) { x = message }\ntry { f() } catch { n++ }\n"
    assert [handler.does for handler in _read(JAVASCRIPT, source).handlers] == [
        ("assign", "uses_error"),
        ("assign", "uses_error"),
        ("assign",),
    ]


def test_module_level_values_are_classified() -> None:
    facts = _read(PYTHON, "a = 1\nb = c = 2\nd = {}\n")
    assert [(item.name, item.value) for item in facts.statements][:2] == [("a", "number"), ("b", "other")]
    assert facts.statements[-1].value == "map"


def test_long_chains_are_not_kept() -> None:
    """The callee of each call of a chain holds all calls before it: memory would grow with its square."""
    words._shorten.cache_clear()
    facts = _read(JAVASCRIPT, "a" + ".bc(1)" * 3000)
    assert len(facts.calls) == 3000
    assert facts.calls[0].target == "…bc"
    assert words._shorten.cache_info().currsize < 300


def test_long_words_and_open_comments_are_read_once() -> None:
    """Each of these took minutes, or would not have ended, when expressions tried every start again."""
    word = "a" * 200_000
    assert _read(JAVASCRIPT, f"const {{ {word}: b }} = x;\n").definitions == ("b",)
    assert _read(JAVASCRIPT, f"{word}[0] = function () {{}};\n").functions[0].name
    assert len(_read(PYTHON, f"{word}()\n").calls[0].target) < 200
    erased = f"import {{ A }} from './a';\nlet x: A;\nlet y = `{'/*' * 300_000}`;\n"
    assert _read(TYPESCRIPT, erased).imports[0].kind is EdgeKind.TYPE_ONLY


def test_no_code_uses_tree_sitter_points() -> None:
    """tree-sitter 0.26 frees the numbers a point holds while they are in use; see crimes/languages/engine/nodes.py."""
    code = [
        path
        for path in Path(crimes.__file__).parent.rglob("*.py")
        if re.search(r"(?:start|end)_point", path.read_text("utf-8"))
    ]
    assert [path.name for path in code] == []


def test_wrapped_function_is_named_after_its_variable() -> None:
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
    assert names == ["App.onPaste", "onPick", "map callback"]


def test_writes_and_returns_of_a_function_are_read() -> None:
    source = b"def f(a, self):\n    a = 1\n    self.total = a\n    a[0] = 2\n    if a:\n        return\n    if self:\n        return a, 2\n    return None\n"
    function = read_facts(by_id["python"], source).functions[0]
    assert function.writes == ("a[]", "self.total")
    assert function.returns == ("empty", "nothing", "tuple 2")


def test_invisible_characters_are_recorded() -> None:
    source = "x = 'a\u202eb\u202e'\ny = '\U000e0041'\nz = 'é'\n".encode()
    hidden = read_facts(by_id["python"], source).hidden
    assert [(character.line, character.code, character.count) for character in hidden] == [
        (1, 0x202E, 2),
        (2, 0xE0041, 1),
    ]
    assert read_facts(by_id["markdown"], "a\u200bb\n".encode()).hidden[0].code == 0x200B


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_unfinished_code_still_has_facts(language: str) -> None:
    """Pieces cut out, doubled and swapped: whatever the grammar makes of it, the walk ends and lines stay in range."""
    source = SAMPLES[language].read_bytes()
    draw = random.Random(language)
    for _ in range(60):
        broken = bytearray(source)
        for _ in range(draw.randint(1, 4)):
            start = draw.randrange(len(broken))
            end = min(start + draw.randint(1, 60), len(broken))
            piece = bytes(broken[start:end])
            broken[start:end] = draw.choice((b"", piece * 2, b"(", b"}", b'"', piece[::-1]))
        try:
            facts = read_facts(by_id[language], bytes(broken))
        except Unreadable:
            continue
        assert all(1 <= function.start <= function.end <= max(facts.lines, 1) for function in facts.functions)


def test_code_that_is_there_for_tests_only_is_marked_in_source_files() -> None:
    rust = (
        b"#[cfg(test)]\nimpl A {\n    fn spy(&self) {}\n}\nimpl A {\n    fn real(&self) {}\n}\n"
        b"#[cfg(test)]\nfn helper() {}\nfn used() {}\n"
    )
    script = (
        b"if (import.meta.vitest) {\n  function helper() {\n    return 1\n  }\n}\n"
        b"export function used() {\n  return 1\n}\n"
    )
    for language, source, expected in (
        ("rust", rust, {"A.spy": True, "A.real": False, "helper": True, "used": False}),
        ("typescript", script, {"helper": True, "used": False}),
    ):
        functions = read_facts(by_id[language], source).functions
        assert {function.qualname: function.in_test for function in functions} == expected


def test_translations_of_qt_are_not_read_as_typescript() -> None:
    source = b'<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1">\n<message/>\n</TS>\n'
    facts = read_facts(TYPESCRIPT, source)
    assert (facts.generated, facts.errors, facts.lines) == ("an XML document", (), 5)
    assert read_facts(TYPESCRIPT, b"export const a = <T,>(x: T) => x;\n").generated == ""
