"""Java."""

from __future__ import annotations

from collections.abc import Iterable

from crimes.languages import spec
from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.jvm.layout import is_test_path, role_of_path, test_candidates
from crimes.languages.jvm.resolve import JvmResolver
from crimes.model.facts import EdgeKind, ImportedName
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_SPACE = regex(r"\s+")


def _grammar() -> object:
    import tree_sitter_java

    return tree_sitter_java.language()


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    """`import a.b.C` is the name C of a.b, `import static a.b.C.f` the name f of a.b.C."""
    path, name = None, ""
    for child in node.named_children:
        if child.type in ("scoped_identifier", "identifier"):
            path = child
        elif child.type == "asterisk":
            name = "*"
    target = _SPACE.sub("", text_of(path, source))
    if not name:
        target, _, name = target.rpartition(".")
    yield spec.ImportDraft(target, (ImportedName(name, name),))


def _handler(node: Node, source: bytes) -> spec.HandlerHead:
    for child in node.named_children:
        if child.type == "catch_formal_parameter":
            caught = [
                text_of(kind, source)
                for part in child.named_children
                if part.type == "catch_type"
                for kind in part.named_children
            ]
            return spec.HandlerHead(tuple(caught), text_of(child.child_by_field_name("name"), source))
    return spec.HandlerHead()


# Types that every file sees, and that projects name their own after.
_LANGUAGE_TYPES = """
AutoCloseable Boolean Byte Character Class Comparable Double Enum Error Exception Float IO Integer Iterable Long Math Module
Number Object Process Record Runnable Runtime ScopedValue Short StackWalker StrictMath String System Thread Throwable Void
"""

JAVA = spec.Language(
    id="java",
    name="Java",
    global_names=frozenset(_LANGUAGE_TYPES.split()),
    traits=LanguageTraits(
        checked_types=True,
        bare_members=True,
        one_per_primitive=True,
        check_failures=("", "Throwable", "Error", "AssertionError"),
    ),
    extensions=(".java",),
    family="jvm",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("java/facts.scm",),
        imports=spec.ImportSyntax(statements=_imports, kind=EdgeKind.LINKED, exports_all_public=True),
        errors=spec.ErrorSyntax(handler=_handler, handler_calls=frozenset({"exceptionally"})),
        tests=spec.TestSyntax(
            names=regex(r"test(?:[A-Z0-9_]|$)"),
            decorators=regex(
                r"(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\b",
                within=300,
            ),
        ),
        names=spec.NameSyntax(self_prefix=b"this.", implicit_self=True),
        functions=spec.FunctionSyntax(decorators_inside=True, callback="lambda", anonymous="lambda"),
        calling=spec.CallSyntax(
            query="java/calls.scm",
            own_objects=frozenset({"this"}),
            base_objects=frozenset({"super"}),
            constructor="=",
            new_creates=True,
            has_overloads=True,
            marks_overrides=True,
            calls_variables=False,
            calls_fields=False,
            generating_decorators=regex(
                r"^(?:lombok\.)?(?:Data|Getter|Setter|\w*Builder|Value|With|Delegate|Auto\w*|Entity)\b"
            ),
            inert_bases=frozenset(
                {"Serializable", "Comparable", "Cloneable", "Runnable", "AutoCloseable", "Closeable"}
            ),
        ),
        visibility=spec.VisibilitySyntax(
            query="java/visibility.scm",
            words={"public": Reach.EVERYWHERE, "protected": Reach.PACKAGE_AND_HEIRS, "private": Reach.FILE},
            top=Reach.PACKAGE,
            member=Reach.PACKAGE,
        ),
    ),
    resolver=JvmResolver,
    is_test_path=is_test_path,
    test_candidates=test_candidates,
    role_of_path=role_of_path,
)
