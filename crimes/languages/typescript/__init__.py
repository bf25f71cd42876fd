"""TypeScript and TSX: JavaScript's captures and conventions, with the grammar's own additions."""

from __future__ import annotations

from msgspec.structs import replace

from crimes.languages.javascript import JAVASCRIPT
from crimes.languages.spec import VisibilitySyntax
from crimes.languages.typescript.erased import erase
from crimes.languages.typescript.repair import repair
from crimes.model.lazy_regex import regex
from crimes.model.visibility import Reach

assert JAVASCRIPT.syntax is not None
assert JAVASCRIPT.syntax.calling is not None


def _grammar() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_typescript()


def _grammar_tsx() -> object:
    import tree_sitter_typescript

    return tree_sitter_typescript.language_tsx()


_SYNTAX = replace(
    JAVASCRIPT.syntax,
    grammar=_grammar,
    queries=("javascript/facts.scm", "typescript/facts.scm"),
    repair=repair,
    imports=replace(JAVASCRIPT.syntax.imports, refine=erase),
    calling=replace(
        JAVASCRIPT.syntax.calling,
        query="typescript/calls.scm",
        optional=regex(rb"^[^:=]*?\?\s*(?::|$)"),
        ignored=regex(rb"this\s*:"),
        may_omit=False,
    ),
    visibility=VisibilitySyntax(
        query="typescript/visibility.scm",
        words={"public": Reach.EVERYWHERE, "protected": Reach.HEIRS, "private": Reach.FILE},
    ),
)
TYPESCRIPT = replace(
    JAVASCRIPT,
    id="typescript",
    name="TypeScript",
    extensions=(".ts", ".mts", ".cts"),
    declarations=(".d.ts", ".d.mts", ".d.cts"),
    syntax=_SYNTAX,
)
TSX = replace(
    TYPESCRIPT,
    id="tsx",
    name="TypeScript",
    extensions=(".tsx",),
    syntax=replace(
        _SYNTAX,
        grammar=_grammar_tsx,
        queries=("javascript/facts.scm", "javascript/jsx.scm", "typescript/facts.scm"),
    ),
)
