"""Scala, 2 and 3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from crimes.languages.engine.nodes import text_of
from crimes.languages.jvm.layout import is_specification, role_of_path, test_candidates
from crimes.languages.jvm.resolve import jvm_resolver
from crimes.languages.spec import HandlerHead, ImportDraft, Language, Syntax
from crimes.model.facts import EdgeKind, ImportedName, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits

if TYPE_CHECKING:
    from tree_sitter import Node

_PARTS = regex(r"\s*((?:[^,{}]|\{[^{}]*\})+)")
_RENAMED = regex(r"\s*(\S+?)\s*(?:=>|\sas\s)\s*(\S+)\s*")
_ALL = frozenset({"_", "*", "given"})
LONGEST = 10_000  # of one import statement


def _grammar() -> object:
    import tree_sitter_scala

    return tree_sitter_scala.language()


def _imports(node: Node, source: bytes) -> Iterable[ImportDraft]:
    """`import a.b.{C => D, _}, e.f`: each part is a path and the names taken from it."""
    written = re.sub(r"^(?:import|export)\s+|`|//[^\n]*", "", text_of(node, source))
    for match in _PARTS.finditer(written[:LONGEST]):
        path, brace, selectors = match.group(1).strip().partition("{")
        target = "".join(path.split()).rstrip(".")
        if not brace:
            renamed = _RENAMED.fullmatch(path)
            alias = renamed.group(2) if renamed else ""
            target, _, name = "".join((renamed.group(1) if renamed else path).split()).rpartition(".")
            yield ImportDraft(target, (_imported(name, alias),))
        elif target:
            names = tuple(_selected(selectors.partition("}")[0]))
            yield ImportDraft(target, names)


def _selected(selectors: str) -> Iterator[ImportedName]:
    for selector in selectors.split(","):
        renamed = _RENAMED.fullmatch(selector)
        name = renamed.group(1) if renamed else selector.strip()
        alias = renamed.group(2) if renamed else ""
        if name and alias != "_":  # `A => _` keeps A out
            yield _imported(name, alias)


def _imported(name: str, alias: str) -> ImportedName:
    if name in _ALL or name.startswith("given "):
        return ImportedName("*", "*")
    return ImportedName(name, alias or name)


def _handler(node: Node, source: bytes) -> HandlerHead:
    pattern = node.child_by_field_name("pattern")
    name, caught = "", []
    while pattern is not None and pattern.type == "capture_pattern":  # `e @ (_: A | _: B)`
        name = text_of(pattern.child_by_field_name("name"), source)
        pattern = pattern.child_by_field_name("pattern")
    if pattern is None or pattern.type in ("identifier", "wildcard"):
        return HandlerHead((), name or text_of(pattern, source).strip("_"))
    ahead = [pattern]
    while ahead:
        one = ahead.pop()
        if one.type in ("alternative_pattern", "tuple_pattern"):  # brackets around one pattern are a tuple
            ahead += reversed(one.named_children)
        elif one.type in ("typed_pattern", "case_class_pattern"):
            caught.append(text_of(one.child_by_field_name("type"), source))
            name = name or text_of(one.child_by_field_name("pattern"), source)
        else:
            caught.append(text_of(one, source))
    return HandlerHead(tuple(caught), name.strip("_"))


def _role_of_path(path: str) -> Role | None:
    if path.endswith(".sbt") or ("/project/" in f"/{path}" and "/src/" not in f"/{path}"):
        return Role.SCRIPT
    return role_of_path(path)


SCALA = Language(
    id="scala",
    name="Scala",
    ways=LanguageTraits(bare_members=True, check_failures=("", "Throwable", "Error", "AssertionError")),
    extensions=(".scala", ".sc", ".sbt"),
    family="jvm",
    syntax=Syntax(
        grammar=_grammar,
        queries=("scala/facts.scm",),
        imports=_imports,
        handler=_handler,
        import_kind=EdgeKind.LINKED,
        self_prefix=b"this.",
        implicit_self=True,
        blocks_are_values=True,
        brackets_hold_types=True,
        packages_chain=True,
        exports_all_public=True,
        decorators_inside=True,
        test_name=regex(r"test(?:[A-Z0-9_]|$)"),
        test_calls=regex(r"(?:test|it|in|scenario|they|specify|property)$"),
        test_decorators=regex(r"(?:[\w.]+\.)?(?:Test|ParameterizedTest|Property)\b"),
    ),
    resolver=jvm_resolver,
    is_test_path=is_specification,
    test_candidates=test_candidates,
    role_of_path=_role_of_path,
)
