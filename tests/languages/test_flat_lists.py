"""Lists that are not walked because there is nothing to see in them: facts must not change for it."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.flat_lists import flat_list_pattern
from crimes.languages.engine.words import INTERESTING
from crimes.languages.spec import Language
from crimes.model.facts import FileFacts
from tests.kit.endings import parsing
from tests.kit.golden_facts import SAMPLES


def without_flat_lists(language: Language) -> Language:
    """The language with every list walked."""
    assert language.syntax is not None
    return replace(language, id=f"loud {language.id}", syntax=replace(language.syntax, flat_list=None))


QUIET = {
    name: one
    for name, one in by_id.items()
    if one.inner is None and one.syntax is not None and one.syntax.flat_list is not None
}
LOUD = {name: without_flat_lists(one) for name, one in QUIET.items()}


def facts(language: Language, source: str) -> FileFacts:
    return replace(read_facts(language, source.encode()), language="")


def test_common_languages_skip_flat_lists() -> None:
    assert {"python", "javascript", "typescript", "tsx"} <= set(QUIET)


@pytest.mark.parametrize("name", sorted(QUIET))
def test_skipping_flat_lists_does_not_change_the_facts_of_samples(name: str) -> None:
    source = SAMPLES[name].read_text(encoding="utf-8")
    assert facts(QUIET[name], source) == facts(LOUD[name], source)


LISTS = [
    "()",
    "(a, b.c, 1.5, -x)",
    "('a', \"b c\", x=1)",
    "(self.a, myself.b, c.self.d, *self.e)",
    "(this.a, ...this.b)",
    "(process.env.HOME)",
    "[process.env.HOME]",
    "('settings.module', './path', 'ENV_NAME', 'Env_name', '/home/me/x')",
    "(f(x), lambda: y)",
    "(a if b else c)",
    "(x => y, function () { z() })",
    "(a, # why\n b)",
    "(a, // why\n b)",
    "(`a.b`, f'{g()}')",
    "(a,, b)",
    "(a b)",
    "(class)",
    "[1, 2,\n 3,\n 4]",
    "{'a': 1,\n 'b': self.c,\n}",
    "{ a, b: this.c }",
    "(g(x), h.i(y, z=1), 'a.b c(d)')",
    "(g(self.x), self.y.z(1))",
    "(new G(x), not(y), typeof(z))",
    "(g(x).h(y), g[0](x), g(x)[0])",
    "([g(x), 2], {'a': h(y)}, (1, i(2)))",
    "(g(\n x),\n [\n h(y),\n 2,\n 3]\n)",
    "[g(x),\n [\n h(y),\n 2],\n 3]",
    "(f(x), self.f(y))",
    "(require('./a'), import_module('a.b'))",
    "(x.catch(y), reject(z))",
    "(a + b(c) % -d, !e)",
    "(a++, b--, --c)",
    "('self.q is', \"this.r is\", self.s)",
    "({ m() { n() }, get o() { return p } })",
    "(f'{g(x)} y', `${h(x)} z`)",
    "(a[g(x)], a[1:2])",
    "(x as Y, z)",
    "(*g(x), **h(y), ...i(z))",
    "(x == g(y), x := 1, x = 2)",
]
CALLEES = [
    "f",
    "self.f",
    "this.x.f",
    "a.b()",
    "import_module",
    "require",
    "p.catch",
    "new F",
    "process.env.X.f",
    "self",
    "f ",
    "x = f",
    "return f",
    "try: f",
]
PLACES = [
    "{}\n",
    "def f(self):\n    {}\n",
    "class C:\n    def m(self):\n        x = {}\n",
    "function f() {{ {} }}\n",
    "try:\n    g()\nexcept E:\n    {}\n",
    "def f(a, b=[{}]):\n    pass\n",
    "function f() {{ try {{ g() }} catch (e) {{ {} }} }}\n",
]


@pytest.mark.parametrize("name", sorted(QUIET))
def test_skipping_flat_lists_does_not_change_the_facts_of_generated_calls(name: str) -> None:
    for place, callee, arguments in product(PLACES, CALLEES, LISTS):
        source = place.format(callee + arguments)
        assert facts(QUIET[name], source) == facts(LOUD[name], source), source


@given(st.from_regex(re.compile(INTERESTING.pattern, INTERESTING.flags), fullmatch=True))
def test_lists_with_relevant_strings_are_not_skipped(written: bytes) -> None:
    lists = (flat_list_pattern(), flat_list_pattern(between=rb",:=", inside=rb"*+\-"))
    assert all(pattern.fullmatch(b"(%b)" % written.strip()) is None for pattern in lists)


@settings(max_examples=300)
@given(st.sampled_from(sorted(QUIET)), st.text("ab.,=:-*'\"()[]{} \n\\#/A_", max_size=20))
def test_skipping_flat_lists_does_not_change_the_facts_of_random_lists(name: str, inside: str) -> None:
    source = f"x = f({inside})\ny = [{inside}]\n"
    assume(parsing([name], source.encode()))
    assert facts(QUIET[name], source) == facts(LOUD[name], source)
