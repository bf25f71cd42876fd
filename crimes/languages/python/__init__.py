"""Python."""

from __future__ import annotations

from collections.abc import Iterable

from crimes.languages import spec
from crimes.languages.engine.flat_lists import flat_list_pattern
from crimes.languages.engine.nodes import Node, first_child, text_of
from crimes.languages.python.error_types import ERROR_TYPES
from crimes.languages.python.locks import pins
from crimes.languages.python.resolve import python_resolver
from crimes.model.facts import EdgeKind, ImportedName
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits

_TEST_NAMES = frozenset({"conftest.py", "tests.py", "test.py"})
_IMPORT_CALLS = ("importlib.import_module", "import_module", "__import__")
_TYPE_CHECKS = [prefix + b"TYPE_CHECKING" for prefix in (b"", b"typing.", b"t.", b"typing_extensions.")]
_MAIN_CHECKS = (b'__name__ == "__main__"', b"__name__ == '__main__'")
_NOT_ON_LOAD = frozenset({*_TYPE_CHECKS, *_MAIN_CHECKS})
# By node: the field with the name that it binds.
_BOUND_FIELDS = {
    "assignment": "left",
    "class_definition": "name",
    "default_parameter": "name",
    "for_in_clause": "left",
    "for_statement": "left",
    "function_definition": "name",
    "keyword_argument": "name",
    "named_expression": "name",
    "typed_default_parameter": "name",
}
# Nodes that bind every plain name in them.
_TARGETS = frozenset({
    "as_pattern_target", "dictionary_splat_pattern", "global_statement", "lambda_parameters", "list_pattern",
    "list_splat_pattern", "parameters", "pattern_list", "tuple_pattern", "typed_parameter",
})  # fmt: skip
_NEUTRAL_DECORATORS = frozenset(
    {
        "staticmethod",
        "classmethod",
        "abstractmethod",
        "abc.abstractmethod",
        "override",
        "typing.override",
        "final",
    }
    | {"contextmanager", "contextlib.contextmanager", "asynccontextmanager", "contextlib.asynccontextmanager"}
    | {"cache", "functools.cache", "lru_cache", "functools.lru_cache", "deprecated", "typing.final"}
)
_POSTPONED_TYPES = b"from __future__ import annotations"


def _grammar() -> object:
    import tree_sitter_python

    return tree_sitter_python.language()


def _name_and_alias(node: Node, source: bytes) -> tuple[str, str]:
    if node.type == "aliased_import":
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        return (text_of(name, source) if name else "", text_of(alias, source) if alias else "")
    return text_of(node, source), ""


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    kind = node.type
    if kind == "future_import_statement":
        return
    named = [_name_and_alias(child, source) for child in node.children_by_field_name("name")]
    if kind == "import_statement":
        for name, alias in named:
            yield spec.ImportDraft(name.replace(" ", ""), alias=alias)
        return
    module = node.child_by_field_name("module_name")
    if module is None:
        return
    target = "".join(text_of(module, source).split())
    names = tuple([ImportedName(name, alias or name) for name, alias in named])
    if not named and any(child.type == "wildcard_import" for child in node.named_children):
        names = (ImportedName("*", "*"),)
    yield spec.ImportDraft(target, names)


def _handler(node: Node, source: bytes) -> spec.HandlerHead:
    value = node.child_by_field_name("value")
    if value is None:
        return spec.HandlerHead()
    name = ""
    if value.type == "as_pattern":
        alias = value.child_by_field_name("alias")
        name = text_of(alias, source) if alias else ""
        value = first_child(value) or value
    types = value.named_children if value.type in ("tuple", "parenthesized_expression") else [value]
    return spec.HandlerHead(tuple(text_of(item, source) for item in types), name)


def _binds(parent: Node, child: Node) -> bool:
    """Whether a child is imported, or a plain name that its parent gives a new value or a type."""
    if parent.type in ("import_statement", "import_from_statement"):
        return True
    if child.type != "identifier":
        return False
    field = _BOUND_FIELDS.get(parent.type)
    return parent.type in _TARGETS or (field is not None and parent.child_by_field_name(field) == child)


def _runs_later(parent: Node, child: Node, source: bytes) -> bool:
    """Whether a child is evaluated after its file was loaded."""
    kind = parent.type
    if kind in ("function_definition", "lambda"):
        is_body = parent.child_by_field_name("body") == child
        return is_body or (child.type == "type" and _POSTPONED_TYPES in source)
    if kind in ("typed_parameter", "typed_default_parameter", "assignment"):
        return child.type == "type" and _POSTPONED_TYPES in source
    if kind == "if_statement":
        condition = parent.child_by_field_name("condition")
        text = source[condition.start_byte : condition.end_byte] if condition else b""
        return text in _NOT_ON_LOAD and parent.child_by_field_name("consequence") == child
    return False


def _is_test_path(path: str) -> bool:
    *folders, name = path.split("/")
    if name.startswith("test_") or name.endswith(("_test.py", "_tests.py")) or name in _TEST_NAMES:
        return True
    # A package called `test` or `testing` is often what a library gives its users to test with.
    return "tests" in folders or (len(folders) > 0 and folders[0] in ("test", "testing"))


def _test_candidates(path: str) -> tuple[str, ...]:
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    stem = folder.rpartition("/")[2] if stem == "__init__" else stem
    stem = stem.lstrip("_") or stem
    return (f"test_{stem}.py", f"{stem}_test.py", f"{stem}_tests.py", f"tests_{stem}.py")


def _is_barrel(path: str) -> bool:
    return path.endswith(("__init__.py", "__init__.pyi"))


PYTHON = spec.Language(
    id="python",
    name="Python",
    comment="# {}",
    traits=LanguageTraits(
        other_names=True,
        fixtures=True,
        late_imports=True,
        named_arguments="declared",
        imports_bind=True,
        errors=ERROR_TYPES,
    ),
    extensions=(".py", ".pyi", ".pyw"),
    declarations=(".pyi",),
    below_root=("{path}.py", "{path}/__init__.py"),
    family="python",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("python/facts.scm",),
        flat_list=flat_list_pattern(between=rb",:=", inside=rb"*+\-"),
        imports=spec.ImportSyntax(
            statements=_imports,
            calls=dict.fromkeys(_IMPORT_CALLS, EdgeKind.DYNAMIC),
            conditions={
                **dict.fromkeys(_TYPE_CHECKS, EdgeKind.TYPE_ONLY),
                **dict.fromkeys(_MAIN_CHECKS, EdgeKind.DEFERRED),
            },
            load_order=_runs_later,
            binds=_binds,
            annotations=frozenset({"type"}),
            export_list="__all__",
            exports_all_public=True,
        ),
        errors=spec.ErrorSyntax(handler=_handler),
        tests=spec.TestSyntax(names=regex(r"test")),
        names=spec.NameSyntax(self_prefix=b"self."),
        functions=spec.FunctionSyntax(wrappers_are_flat=True),
        calling=spec.CallSyntax(
            query="python/calls.scm",
            own_objects=frozenset({"self"}),
            own_types=frozenset({"cls"}),
            base_objects=frozenset({"super()"}),
            constructor="__init__",
            receiver=regex(r"."),
            static_decorators=frozenset({"staticmethod"}),
            class_decorators=frozenset({"classmethod"}),
            keyword=regex(rb"(?<!\w)(\w++)\s*+=(?!=)"),
            spread=regex(rb"^\*"),
            neutral_decorators=_NEUTRAL_DECORATORS,
            generating_decorators=regex(
                r"^(?!(?:dataclasses\.)?dataclass\b|(?:typing\.)?final$|(?:functools\.)?total_ordering)"
            ),
            assigns_methods=True,
            open_methods=frozenset({"__getattr__", "__getattribute__"}),
            has_submodules=True,
            inert_bases=frozenset({"object", "ABC", "abc.ABC", "Protocol", "Generic", "Exception"}),
        ),
    ),
    resolver=python_resolver,
    pins=pins,
    is_test_path=_is_test_path,
    test_candidates=_test_candidates,
    is_barrel=_is_barrel,
)
