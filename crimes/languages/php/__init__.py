"""PHP."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from crimes.languages import spec
from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.php.error_types import ERROR_TYPES
from crimes.languages.php.locks import pins
from crimes.languages.php.resolve import PhpResolver
from crimes.model.facts import EdgeKind, ImportedName, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_TEST_FOLDERS = frozenset({"test", "tests", "Test", "Tests", "spec"})
_QUOTED = regex(r"""["']([^"'$]+)["']""")
_INCLUDE_WORDS = regex(r"__DIR__|dirname\(__FILE__\)|[\s.()]|(?:include|require)(?:_once)?")
# Caches, compiled containers and files for the IDE.
_GENERATED = regex(
    r"(^|/)(var/cache|bootstrap/cache|storage/framework|_ide_helper\w*\.php$|\.phpstorm\.meta\.php$)"
)


def _grammar() -> object:
    import tree_sitter_php

    return tree_sitter_php.language_php()


def _clause(node: Node, source: bytes, prefix: str) -> spec.ImportDraft:
    """`use A\\B as C` is the name B of A, called C here."""
    name = next(
        (text_of(child, source) for child in node.named_children if child.type in ("name", "qualified_name")),
        "",
    )
    qualified = (f"{prefix}\\{name}" if prefix else name).strip("\\").replace("\\", ".")
    target, _, last = qualified.rpartition(".")
    return spec.ImportDraft(
        target, (ImportedName(last, text_of(node.child_by_field_name("alias"), source) or last),)
    )


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    if node.type != "namespace_use_declaration":
        yield from _includes(text_of(node, source))
        return
    body = node.child_by_field_name("body")
    prefix = "".join(
        text_of(child, source) for child in node.named_children if child.type == "namespace_name"
    )
    for clause in (body or node).named_children:
        if clause.type == "namespace_use_clause":
            yield _clause(clause, source, prefix if body is not None else "")


def _includes(text: str) -> Iterable[spec.ImportDraft]:
    """An include of a literal path: `require __DIR__ . '/x.php'`. A path with a variable is unknown."""
    pieces = _QUOTED.findall(text)
    rest = _INCLUDE_WORDS.sub("", _QUOTED.sub("", text))
    if len(pieces) != 1 or rest:
        return
    if "__DIR__" in text or "__FILE__" in text:
        yield spec.ImportDraft("./" + pieces[0].lstrip("/"), kind=EdgeKind.RUNTIME)
    else:
        yield spec.ImportDraft(pieces[0], kind=EdgeKind.RUNTIME)


def _error_type(name: str, source: bytes) -> str:
    """The name without its leading backslash, unless the file imports another type of that name."""
    bare = name.lstrip("\\")
    is_other = name != bare and re.search(
        rb"^use [^;\n]*\\%b;" % re.escape(bare.encode()), source, re.MULTILINE
    )
    return name if is_other else bare


def _handler(node: Node, source: bytes) -> spec.HandlerHead:
    kinds = node.child_by_field_name("type")
    caught = (
        tuple(_error_type(text_of(kind, source), source) for kind in kinds.named_children) if kinds else ()
    )
    return spec.HandlerHead(caught, text_of(node.child_by_field_name("name"), source))


def _is_test_path(path: str) -> bool:
    *folders, name = path.split("/")
    return name.endswith(
        ("Test.php", "TestCase.php", "Cest.php", "Spec.php")
    ) or not _TEST_FOLDERS.isdisjoint(folders)


def _test_candidates(path: str) -> tuple[str, ...]:
    stem = PurePosixPath(path).stem
    return tuple(f"{stem}{ending}.php" for ending in ("Test", "Cest", "Spec"))


def _role_of_path(path: str) -> Role | None:
    return Role.GENERATED if _GENERATED.search(path) else None


PHP = spec.Language(
    id="php",
    name="PHP",
    traits=LanguageTraits(named_arguments="at_call", errors=ERROR_TYPES),
    extensions=(".php", ".phtml", ".inc"),
    family="php",
    reads=lambda path: not path.endswith(".blade.php"),  # a template language of its own
    syntax=spec.Syntax(
        grammar=_grammar,
        opening=b"<?php\n",
        queries=("php/facts.scm",),
        imports=spec.ImportSyntax(statements=_imports, kind=EdgeKind.LINKED, exports_all_public=True),
        errors=spec.ErrorSyntax(handler=_handler, raising_calls=frozenset({"exit", "die", "abort"})),
        tests=spec.TestSyntax(
            names=regex(r"test(?:[A-Z0-9_]|$)"),
            calls=regex(r"(?:it|test)$"),
            decorators=regex(r"(?:[\w\\]+\\)?Test\b", within=300),
        ),
        names=spec.NameSyntax(self_prefix=b"$this->", namespaces_are_packages=True),
        functions=spec.FunctionSyntax(decorators_inside=True, callback="closure", anonymous="closure"),
        calling=spec.CallSyntax(
            query="php/calls.scm",
            own_objects=frozenset({"$this"}),
            own_types=frozenset({"self", "static"}),
            base_objects=frozenset({"parent"}),
            constructor="__construct",
            new_creates=True,
            keyword=regex(rb"(?<!\w)(\w++)\s*+:(?!:)"),
            spread=regex(rb"^\.\.\."),
            ignores_excess=True,
            calls_fields=False,
            open_methods=frozenset({"__call", "__callStatic"}),
        ),
        visibility=spec.VisibilitySyntax(
            query="php/visibility.scm",
            words={"public": Reach.EVERYWHERE, "protected": Reach.HEIRS, "private": Reach.FILE},
        ),
    ),
    resolver=PhpResolver,
    pins=pins,
    is_test_path=_is_test_path,
    test_candidates=_test_candidates,
    role_of_path=_role_of_path,
)
