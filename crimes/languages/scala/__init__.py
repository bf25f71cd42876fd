"""Scala, 2 and 3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from crimes.languages import spec
from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.jvm.layout import is_test_or_spec_path, role_of_path, test_candidates
from crimes.languages.jvm.resolve import JvmResolver
from crimes.model.facts import EdgeKind, ImportedName, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_NO_PATH = regex(r"^(?:import|export)\s+|`|//[^\n]*")
_CLAUSE = regex(r"\s*((?:[^,{}]++|\{[^{}]*+\})++)")
_RENAMING = regex(r"\s*(\S+?)\s*(?:=>|\sas\s)\s*(\S+)\s*")
_WILDCARDS = frozenset({"_", "*", "given"})
_MAX_IMPORT_LENGTH = 10_000


def _grammar() -> object:
    import tree_sitter_scala

    return tree_sitter_scala.language()


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    """`import a.b.{C => D, _}, e.f`: each part is a path and the names taken from it."""
    text = _NO_PATH.sub("", text_of(node, source))
    for match in _CLAUSE.finditer(text[:_MAX_IMPORT_LENGTH]):
        path, brace, selectors = match.group(1).strip().partition("{")
        target = "".join(path.split()).rstrip(".")
        if not brace:
            renamed = _RENAMING.fullmatch(path)
            alias = renamed.group(2) if renamed else ""
            target, _, name = "".join((renamed.group(1) if renamed else path).split()).rpartition(".")
            yield spec.ImportDraft(target, (_imported(name, alias),))
        elif target:
            names = tuple(_selected_names(selectors.partition("}")[0]))
            yield spec.ImportDraft(target, names)


def _selected_names(selectors: str) -> Iterator[ImportedName]:
    for selector in selectors.split(","):
        renamed = _RENAMING.fullmatch(selector)
        name = renamed.group(1) if renamed else selector.strip()
        alias = renamed.group(2) if renamed else ""
        if name and alias != "_":  # `A => _` hides A
            yield _imported(name, alias)


def _imported(name: str, alias: str) -> ImportedName:
    if name in _WILDCARDS or name.startswith("given "):
        return ImportedName("*", "*")
    return ImportedName(name, alias or name)


def _handler(node: Node, source: bytes) -> spec.HandlerHead:
    pattern = node.child_by_field_name("pattern")
    name, caught = "", []
    while pattern is not None and pattern.type == "capture_pattern":  # `e @ (_: A | _: B)`
        name = text_of(pattern.child_by_field_name("name"), source)
        pattern = pattern.child_by_field_name("pattern")
    if pattern is None or pattern.type in ("identifier", "wildcard"):
        return spec.HandlerHead((), name or text_of(pattern, source).strip("_"))
    patterns = [pattern]
    while patterns:
        inner = patterns.pop()
        if inner.type in ("alternative_pattern", "tuple_pattern"):  # a parenthesised pattern is a tuple too
            patterns += reversed(inner.named_children)
        elif inner.type in ("typed_pattern", "case_class_pattern"):
            caught.append(text_of(inner.child_by_field_name("type"), source))
            name = name or text_of(inner.child_by_field_name("pattern"), source)
        else:
            caught.append(text_of(inner, source))
    return spec.HandlerHead(tuple(caught), name.strip("_"))


def _role_of_path(path: str) -> Role | None:
    if path.endswith(".sbt") or ("/project/" in f"/{path}" and "/src/" not in f"/{path}"):
        return Role.SCRIPT
    return role_of_path(path)


SCALA = spec.Language(
    id="scala",
    name="Scala",
    traits=LanguageTraits(
        checked_types=True,
        bare_members=True,
        named_arguments="at_call",
        check_failures=("", "Throwable", "Error", "AssertionError"),
    ),
    extensions=(".scala", ".sc", ".sbt"),
    family="jvm",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("scala/facts.scm",),
        brackets_hold_types=True,
        imports=spec.ImportSyntax(statements=_imports, kind=EdgeKind.LINKED, exports_all_public=True),
        errors=spec.ErrorSyntax(handler=_handler),
        tests=spec.TestSyntax(
            names=regex(r"test(?:[A-Z0-9_]|$)"),
            calls=regex(r"(?:test|it|in|scenario|they|specify|property)$"),
            decorators=regex(r"(?:[\w.]+\.)?(?:Test|ParameterizedTest|Property)\b", within=300),
        ),
        names=spec.NameSyntax(self_prefix=b"this.", implicit_self=True, packages_chain=True),
        functions=spec.FunctionSyntax(
            blocks_are_values=True, decorators_inside=True, callback="lambda", anonymous="lambda"
        ),
        visibility=spec.VisibilitySyntax(
            query="scala/visibility.scm",
            words={"private": Reach.PACKAGE, "protected": Reach.PACKAGE_AND_HEIRS},
        ),
    ),
    resolver=JvmResolver,
    is_test_path=is_test_or_spec_path,
    test_candidates=test_candidates,
    role_of_path=_role_of_path,
)
