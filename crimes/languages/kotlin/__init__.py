"""Kotlin."""

from __future__ import annotations

from collections.abc import Iterable

from crimes.languages import spec
from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.jvm.error_types import ERROR_TYPES
from crimes.languages.jvm.layout import is_test_or_spec_path, role_of_path, test_candidates
from crimes.languages.jvm.resolve import JvmResolver
from crimes.model.facts import EdgeKind, ImportedName, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_SPACE_OR_BACKTICK = regex(r"\s+|`")
_ACTUAL_CONSTRUCTOR = regex(rb"\bactual(?=\s+constructor\b)")


def _repair(source: bytes) -> bytes:
    """The source without `actual` before `constructor`: the grammar accepts only one modifier at the start of a line there."""
    return _ACTUAL_CONSTRUCTOR.sub(b"      ", source)


def _grammar() -> object:
    import tree_sitter_kotlin

    return tree_sitter_kotlin.language()


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    """`import a.b.c as d` is the name c of a.b, whatever c is."""
    path, alias, is_all = "", "", False
    for child in node.children:
        if child.type == "qualified_identifier":
            path = _SPACE_OR_BACKTICK.sub("", text_of(child, source))
        elif child.type == "identifier":
            alias = _SPACE_OR_BACKTICK.sub("", text_of(child, source))
        elif child.type == "*":
            is_all = True
    if is_all:
        yield spec.ImportDraft(path, (ImportedName("*", "*"),))
    elif path:
        target, _, name = path.rpartition(".")
        yield spec.ImportDraft(target, (ImportedName(name, alias or name),))


def _handler(node: Node, source: bytes) -> spec.HandlerHead:
    named = node.named_children
    names = [text_of(child, source) for child in named if child.type == "identifier"]
    caught = [text_of(child, source) for child in named if child.type == "user_type"]
    return spec.HandlerHead(tuple(caught), names[0] if names else "")


def _role_of_path(path: str) -> Role | None:
    return Role.SCRIPT if path.endswith(".kts") else role_of_path(path)


KOTLIN = spec.Language(
    id="kotlin",
    name="Kotlin",
    traits=LanguageTraits(
        checked_types=True,
        named_arguments="at_call",
        bare_members=True,
        check_failures=("", "Throwable", "Error", "AssertionError"),
        errors=ERROR_TYPES,
    ),
    extensions=(".kt", ".kts"),
    family="jvm",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("kotlin/facts.scm",),
        repair=_repair,
        imports=spec.ImportSyntax(statements=_imports, kind=EdgeKind.LINKED, exports_all_public=True),
        errors=spec.ErrorSyntax(handler=_handler),
        tests=spec.TestSyntax(
            names=regex(r"test(?:[A-Z0-9_]|$)"),
            calls=regex(r"(?:it|test|should|scenario|expect)$"),
            decorators=regex(
                r"(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b",
                within=300,
            ),
        ),
        names=spec.NameSyntax(self_prefix=b"this.", implicit_self=True),
        functions=spec.FunctionSyntax(
            async_words=(b"suspend",),
            blocks_are_values=True,
            decorators_inside=True,
            whole_decorators=True,
            callback="lambda",
            anonymous="lambda",
        ),
        calling=spec.CallSyntax(
            query="kotlin/calls.scm",
            own_objects=frozenset({"this"}),
            base_objects=frozenset({"super"}),
            keyword=regex(rb"(?<!\w)(\w++)\s*+=(?!=)"),
            spread=regex(rb"^\*"),
            has_overloads=True,
            marks_overrides=True,
            has_extensions=True,
        ),
        visibility=spec.VisibilitySyntax(
            query="kotlin/visibility.scm",
            words={
                "public": Reach.EVERYWHERE,
                "internal": Reach.UNIT,
                "protected": Reach.HEIRS,
                "private": Reach.FILE,
            },
            unit=spec.UnitSyntax(file=regex(r"(?:build\.gradle(?:\.kts)?|pom\.xml|BUILD(?:\.bazel)?)")),
        ),
    ),
    resolver=JvmResolver,
    is_test_path=is_test_or_spec_path,
    test_candidates=test_candidates,
    role_of_path=_role_of_path,
)
