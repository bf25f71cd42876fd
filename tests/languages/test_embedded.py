"""Code inside other files: the right language, every line where it was, everything else silent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.languages import by_id
from crimes.languages.embedded.blocks import astro_code, script_blocks
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.model.facts import EdgeKind, FileFacts

VUE = """<template>
  <p :title="call()">{{ other(1) }}</p>
</template>

<!-- <script>const commented = out()</script> -->
<script lang="ts" generic="T extends Map<string, number>">
import Child from './Child.vue'
export const answer: number = 42
</script>
<script setup lang="ts">
function pick(row: string) {
  return row ? answer : 0
}
</script>
<script type="application/ld+json">{"not": "code"}</script>
<style>p { color: red }</style>
"""


def facts_of(language: str, text: str) -> FileFacts:
    return read_facts(by_id[language], text.encode())


def test_a_component_is_read_at_its_own_lines() -> None:
    facts = facts_of("vue", VUE)
    assert facts.language == "vue"
    assert facts.errors == ()
    assert [(function.name, function.start, function.end) for function in facts.functions] == [
        ("pick", 11, 13)
    ]
    assert [(item.target, item.line, item.kind) for item in facts.imports] == [
        ("./Child.vue", 7, EdgeKind.RUNTIME)  # used by the template, so not a type
    ]
    assert facts.calls == ()
    assert facts.lines == 16
    assert facts.logic_lines == 5


def test_script_blocks_keep_their_byte_offsets() -> None:
    langs, code = script_blocks(VUE.encode())
    assert langs == ("ts", "ts")
    assert len(code) == len(VUE.encode())
    assert code.find(b"function pick") == VUE.encode().find(b"function pick")


def test_a_component_without_a_language_is_javascript() -> None:
    facts = facts_of("svelte", "<script>\n  let a = <b>c\n</script>\n")
    assert facts.errors != ()  # a type assertion in TypeScript, nothing in JavaScript
    assert facts_of("svelte", '<script lang="ts">\n  let a = <b>c\n</script>\n').errors == ()


def test_unclosed_script_is_not_read() -> None:
    assert facts_of("vue", "<script>\nfunction f() {}\n").functions == ()


def test_astro_reads_its_fences_and_its_scripts() -> None:
    text = "---\nimport Card from '../Card.astro';\nconst { title } = Astro.props;\n---\n<h1>{title}</h1>\n<script>\n  function go() {\n    run();\n  }\n</script>\n"
    facts = facts_of("astro", text)
    assert [(item.target, item.line) for item in facts.imports] == [("../Card.astro", 2)]
    assert [(function.name, function.start) for function in facts.functions] == [("go", 7)]
    assert len(astro_code(text.encode())) == len(text)
    assert facts_of("astro", "<h1>no code</h1>\n---\nnot a fence\n").imports == ()


def notebook(*cells: tuple[str, list[str] | str], language: str = "python") -> str:
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": kind,
                    "metadata": {"source": "no"},
                    "outputs": [{"text": source}],
                    "source": source,
                }
                for kind, source in cells
            ],
            "metadata": {"language_info": {"name": language}},
            "nbformat": 4,
        },
        indent=1,
    )


def test_a_notebook_is_read_at_the_lines_of_its_file() -> None:
    text = notebook(
        ("markdown", ["def not_code():\n", "    pass\n"]),
        ("code", ["%matplotlib inline\n", "import os\n", "!ls\n", "def first(a):\n", "    return a"]),
        ("code", ["%%bash\n", "def no(): pass\n"]),
        ("code", ["%%time\n", 'second = "a\\"b"\n', "os.path?\n"]),
    )
    facts = facts_of("notebook", text)
    rows = text.splitlines()
    assert facts.errors == ()
    assert [function.name for function in facts.functions] == ["first"]
    assert '"def first(a):' in rows[facts.functions[0].start - 1]
    assert '"import os' in rows[facts.imports[0].line - 1]
    assert facts.definitions == ("first", "second")
    assert facts.lines == len(rows)


def test_single_line_notebook_is_read() -> None:
    text = json.dumps(json.loads(notebook(("code", "import os\nx = 1\n"), ("code", ["y = 2\n", "z = 3"]))))
    assert facts_of("notebook", text).definitions == ("x", "y", "z")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '"cells"', "<html>", '{"cells": [{"source": ["\\uZZZZ"]}]}', "[" * 5000]
)
def test_malformed_notebook_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match="not a valid notebook"):
        facts_of("notebook", text)


def test_notebook_of_another_language_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="'R'"):
        facts_of("notebook", notebook(("code", ["x <- 1"]), language="R"))


def test_components_and_notebooks_import_other_files(tmp_path: Path) -> None:
    (tmp_path / "Card.vue").write_text(
        "<script setup>\nimport { load } from './load.js'\nload()\n</script>\n"
    )
    (tmp_path / "load.js").write_text("export function load() {}\n")
    (tmp_path / "App.vue").write_text("<script setup>\nimport Card from './Card.vue'\n</script>\n")
    (tmp_path / "tools.py").write_text("def f(): pass\n")
    (tmp_path / "try.ipynb").write_text(notebook(("code", ["from tools import f\n"])))
    repo = scan(tmp_path, Config()).context.repo
    assert {(edge.source, edge.target) for edge in repo.edges} == {
        ("App.vue", "Card.vue"),
        ("Card.vue", "load.js"),
        ("try.ipynb", "tools.py"),
    }
