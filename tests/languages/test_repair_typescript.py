"""Source that the grammar of TypeScript does not know yet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.typescript.repair import repair
from crimes.model.facts import EdgeKind


@pytest.mark.parametrize(
    "source",
    [
        "interface Get {\n  <K extends A>(key: K): E[K]\n  <K extends B>(key: K): F[K]\n}\n",
        "type Use = {\n  <T>(first: T): [T]\n  // without one\n  <T = undefined>(): [T | undefined]\n}\n",
        "interface Get {\n  <K>(\n    a: K\n  ): Promise<K>\n  /** two\n   * lines */\n  <\n    K extends A,\n  >(\n    b: K\n  ): K\n}\n",
        "export interface Box<in T, out U = unknown, in out V = T> {\n  value: U;\n}\n",
        "export interface Box<\n  /** why */\n  out T = unknown,\n> {\n  value: T;\n}\n",
    ],
)
def test_syntax_the_grammar_lacks_is_read_without_errors(source: str) -> None:
    assert read_facts(by_id["typescript"], source.encode()).errors == ()


def test_links_in_markup_are_read_whole() -> None:
    source = (
        b'const a = <a\n  href="https://a.example/?b=1&utm_source=c&utm_medium=d"\n  target="_blank"\n/>\n'
    )
    assert read_facts(by_id["tsx"], source).errors == ()


@pytest.mark.parametrize(
    "source", ["export type * from './types'\n", "export type * as Types from './types'\n"]
)
def test_a_barrel_of_types_is_an_import_of_types(source: str) -> None:
    facts = read_facts(by_id["typescript"], source.encode())
    assert facts.errors == ()
    assert [(item.target, item.kind) for item in facts.imports] == [("./types", EdgeKind.TYPE_ONLY)]


def test_signatures_that_are_ended_are_left_alone() -> None:
    source = b"interface Get {\n  <K>(key: K): E;\n  <K>(key: K): F;\n  f: () =>\n    <K>(key: K) => K\n}\n"
    assert repair(source) == source


@given(
    st.lists(
        st.sampled_from(["<T>(", "<", "\n", " ", "export type *", "in ", "out T", ",", "// a\n", "&a="]),
        max_size=30,
    )
)
def test_a_repair_keeps_the_length(pieces: list[str]) -> None:
    source = "".join(pieces).encode()
    assert len(repair(source)) == len(source)
