"""JavaScript and JSX; the parts TypeScript shares are used from here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from crimes.languages import spec
from crimes.languages.engine.flat_lists import flat_list_pattern
from crimes.languages.engine.nodes import Node, first_child, text_of
from crimes.languages.engine.words import bound_names
from crimes.languages.javascript.locks import pins
from crimes.languages.javascript.resolve import javascript_resolver
from crimes.model.facts import EdgeKind, ImportedName
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits

_TEST_FOLDERS = frozenset({"__tests__", "__test__", "tests", "test", "e2e", "cypress", "__mocks__", "spec"})
_TEST_NAME = regex(r"[.-](?:test|spec|e2e|cy|test-d|spec-d|stories)\.[cm]?[jt]sx?$")
_TYPE_KEYWORD = regex(rb"(?:import|export)\s+type\b(?!\s*(?:,|from\b))")


def _grammar() -> object:
    import tree_sitter_javascript

    return tree_sitter_javascript.language()


def _specifier(node: Node | None, source: bytes) -> str:
    return text_of(node, source).strip("\"'`")


def _imported(clause: Node, source: bytes) -> Iterator[tuple[ImportedName, bool]]:
    """Names of an import clause, and whether each is a type."""
    for child in clause.named_children:
        if child.type == "identifier":
            yield ImportedName("default", text_of(child, source)), False
        elif child.type == "namespace_import":
            yield ImportedName("*", text_of(first_child(child), source)), False
        elif child.type == "named_imports":
            for item in child.named_children:
                if item.type == "import_specifier":
                    name = text_of(item.child_by_field_name("name"), source).strip("\"'")
                    alias = text_of(item.child_by_field_name("alias"), source)
                    yield ImportedName(name, alias or name), text_of(item, source).startswith("type ")


def imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    """Imports of an import statement, or of an export statement that re-exports another file's names."""
    head = source[node.start_byte : node.start_byte + 60]
    type_only = bool(_TYPE_KEYWORD.match(head))
    if node.type == "export_statement":
        yield from _reexports(node, source, type_only)
        return
    origin = node.child_by_field_name("source")
    for child in node.named_children:
        if child.type == "import_require_clause":  # import fs = require("fs")
            name = text_of(first_child(child), source)
            target = _specifier(child.child_by_field_name("source"), source)
            yield spec.ImportDraft(target, (ImportedName("default", name),), type_only=type_only)
            return
    if origin is None:
        return
    names = [
        pair
        for child in node.named_children
        if child.type == "import_clause"
        for pair in _imported(child, source)
    ]
    all_types = bool(names) and all(is_type for _, is_type in names)
    yield spec.ImportDraft(
        _specifier(origin, source), tuple(name for name, _ in names), type_only=type_only or all_types
    )


def _reexports(node: Node, source: bytes, type_only: bool) -> Iterator[spec.ImportDraft]:
    origin = node.child_by_field_name("source")
    if origin is None:
        return
    names: list[ImportedName] = []
    for child in node.named_children:
        if child.type == "export_clause":
            items = [item for item in child.named_children if item.type == "export_specifier"]
            for item in items:
                name = _specifier(item.child_by_field_name("name"), source)
                names.append(
                    ImportedName(name, _specifier(item.child_by_field_name("alias"), source) or name)
                )
            is_type = [text_of(item, source).startswith("type ") for item in items]
            type_only = type_only or (bool(is_type) and all(is_type))
        elif child.type == "namespace_export":
            names.append(ImportedName("*", text_of(first_child(child), source)))
    yield spec.ImportDraft(
        _specifier(origin, source),
        tuple(names) or (ImportedName("*", "*"),),
        type_only=type_only,
        reexport=True,
    )


def exports(node: Node, source: bytes) -> Iterable[spec.ExportDraft]:
    """Names that an export statement exports."""
    default = re.match(rb"export\s+default\b", source[node.start_byte : node.start_byte + 40]) is not None
    declaration = node.child_by_field_name("declaration") or node.child_by_field_name("value")
    if default:
        name = declaration.child_by_field_name("name") if declaration else None
        if declaration is not None and declaration.type == "identifier":
            name = declaration
        yield spec.ExportDraft("default", text_of(name, source) or "default")
        return
    if declaration is not None:
        name = declaration.child_by_field_name("name")
        if name is not None:
            yield spec.ExportDraft(text_of(name, source), text_of(name, source))
        for item in declaration.named_children:
            if item.type == "variable_declarator":
                bound = item.child_by_field_name("name")
                for word in bound_names(text_of(bound, source).encode()):
                    yield spec.ExportDraft(word, word)
        return
    for child in node.named_children:
        if child.type == "export_clause":
            for item in child.named_children:
                local = _specifier(item.child_by_field_name("name"), source)
                yield spec.ExportDraft(_specifier(item.child_by_field_name("alias"), source) or local, local)
        elif child.type == "namespace_export":
            name_text = text_of(first_child(child), source)
            yield spec.ExportDraft(name_text, name_text)
        elif child.type == "identifier":  # export = name
            yield spec.ExportDraft("default", text_of(child, source))


_FUNCTIONS = frozenset({
    "function_declaration", "function_expression", "generator_function", "generator_function_declaration",
    "arrow_function", "method_definition",
})  # fmt: skip
_NO_VALUES = frozenset({
    "import_statement", "export_clause", "export_specifier", "type_query", "nested_type_identifier", "type_annotation",
    "type_alias_declaration", "interface_declaration",
})  # fmt: skip


def runs_later(parent: Node, child: Node, source: bytes) -> bool:
    """Whether a child is evaluated after its file was loaded, or names something else than a value."""
    if parent.type in _FUNCTIONS:
        later = (parent.child_by_field_name(field) for field in ("body", "parameters", "parameter"))
        return child in later and not _is_called_at_once(parent)
    if parent.type in ("field_definition", "public_field_definition"):
        is_static = any(part.type == "static" for part in parent.children)
        return parent.child_by_field_name("value") == child and not is_static
    return parent.type in _NO_VALUES


def _is_called_at_once(function: Node) -> bool:
    """Whether a function is written to be called on the spot: `(() => { ... })()`."""
    brackets = function.parent
    call = brackets.parent if brackets is not None and brackets.type == "parenthesized_expression" else None
    return (
        call is not None
        and call.type == "call_expression"
        and call.child_by_field_name("function") == brackets
    )


def handler(node: Node, source: bytes) -> spec.HandlerHead:
    """The head of a catch clause, which catches everything."""
    return spec.HandlerHead((), text_of(node.child_by_field_name("parameter"), source).split(":")[0].strip())


def is_test_path(path: str) -> bool:
    """Test files by name, or anything in a test folder."""
    *folders, name = path.split("/")
    return _TEST_NAME.search(name) is not None or not _TEST_FOLDERS.isdisjoint(folders)


def test_candidates(path: str) -> tuple[str, ...]:
    """Names a test of this file would have."""
    where = PurePosixPath(path)
    stem = where.parent.name if where.stem == "index" else where.name.split(".")[0]
    endings = (".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs")
    named = tuple(f"{stem}.{word}{end}" for word in ("test", "spec") for end in endings)
    return named + tuple(f"__tests__/{stem}{end}" for end in endings)


IMPORT_CALLS = {"require": EdgeKind.RUNTIME, "import": EdgeKind.DYNAMIC}
TEST_CALLS = regex(
    r"(?:it|test|fit|specify)(?:\.(?:only|each|for|concurrent|sequential|failing|fails|runIf|skipIf)(?:\(\))?)*$"
)

JAVASCRIPT = spec.Language(
    id="javascript",
    name="JavaScript",
    traits=LanguageTraits(named_arguments="object"),
    extensions=(".js", ".jsx", ".mjs", ".cjs"),
    family="javascript",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("javascript/facts.scm", "javascript/classes.scm", "javascript/jsx.scm"),
        flat_list=flat_list_pattern(),
        imports=spec.ImportSyntax(
            statements=imports,
            exports=exports,
            load_order=runs_later,
            calls=IMPORT_CALLS,
            export_prefixes=("module.exports", "exports."),
        ),
        errors=spec.ErrorSyntax(handler=handler, handler_calls=frozenset({"catch"})),
        tests=spec.TestSyntax(calls=TEST_CALLS, conditions=frozenset({b"(import.meta.vitest)"})),
        names=spec.NameSyntax(self_prefix=b"this.", environment=b"process.env."),
        calling=spec.CallSyntax(
            query="javascript/calls.scm",
            own_objects=frozenset({"this"}),
            base_objects=frozenset({"super"}),
            constructor="constructor",
            new_creates=True,
            generating_decorators=regex(r"."),
            assigns_methods=True,
            spread=regex(rb"^\.\.\."),
            may_omit=True,
            default_export=regex(
                r"(?:^|\s)export\s++default\s++(?:async\s++)?(?:(?:function|class)\b\s*+\*?\s*+)?([\w$]++)"
                r"|(?:^|\s)module\.exports\s*+=\s*+(?:(?:async\s++)?(?:function|class)\b\s*+\*?\s*+)?([\w$]++)"
            ),
        ),
    ),
    resolver=javascript_resolver,
    pins=pins,
    is_test_path=is_test_path,
    test_candidates=test_candidates,
)
