"""Swift."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from crimes.languages import spec
from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.swift.errors import discards, error_branch, handler
from crimes.languages.swift.repair import repair
from crimes.languages.swift.resolve import EXPORTED, SwiftResolver
from crimes.model.facts import EdgeKind, ImportedName, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_IMPORT = regex(
    r"\bimport\s++(?:(?P<kind>typealias|struct|class|enum|protocol|let|var|func|macro)\s+)?(?P<module>\w++)(?P<rest>[.\w]*+)\s*+$"
)
_TEST_FOLDER = regex(r"(?:^|[A-Za-z0-9_ -])(?:Tests?|UITests|Specs)$|^tests?$")
_TEST_NAME = regex(r"(?:Tests?|Specs?|TestCase)\.swift$")
_VENDORED = regex(r"(?:^|/)(?:Pods|Carthage|\.build|SourcePackages|DerivedData)/")
_EXAMPLE = regex(r"\.playground/|(?:^|/)Snippets/")
_GENERATED = regex(r"(?:^|/)(?:Generated|DerivedSources)/|\.(?:pb|grpc|connect|graphql)\.swift$")


def _grammar() -> object:
    import tree_sitter_swift

    return tree_sitter_swift.language()


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    """`import X` imports all of the module X; `import struct X.Y` one name of it."""
    text = text_of(node, source)
    match = _IMPORT.search(text)
    if match is not None:
        name = match["rest"].rpartition(".")[2] if match["kind"] else "*"
        alias = EXPORTED if "@_exported" in text else ""
        yield spec.ImportDraft(match["module"], (ImportedName(name or "*", name or "*"),), alias=alias)


def _is_test_path(path: str) -> bool:
    *folders, name = path.split("/")
    return _TEST_NAME.search(name) is not None or any(_TEST_FOLDER.search(folder) for folder in folders)


def _test_candidates(path: str) -> tuple[str, ...]:
    stem = PurePosixPath(path).stem
    return tuple(f"{stem}{ending}.swift" for ending in ("Tests", "Test", "Spec", "Specs"))


def _role_of_path(path: str) -> Role | None:
    name = path.rpartition("/")[2]
    if _VENDORED.search(path):
        return Role.VENDORED
    if _GENERATED.search(path):
        return Role.GENERATED
    if name.startswith("Package") and (name == "Package.swift" or name.startswith("Package@swift")):
        return Role.CONFIG
    return Role.EXAMPLE if _EXAMPLE.search(path) else None


SWIFT = spec.Language(
    id="swift",
    name="Swift",
    traits=LanguageTraits(
        checked_types=True, bare_members=True, named_arguments="declared", argument_labels=True
    ),
    extensions=(".swift",),
    family="swift",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("swift/facts.scm",),
        repair=repair,
        operators_nest_right=True,
        imports=spec.ImportSyntax(statements=_imports, kind=EdgeKind.LINKED, exports_all_public=True),
        errors=spec.ErrorSyntax(
            handler=handler,
            branch=error_branch,
            discards=discards,
            raising_calls=frozenset({"fatalError", "preconditionFailure"}),
        ),
        tests=spec.TestSyntax(
            names=regex(r"test(?:[A-Z0-9_]|$)"),
            calls=regex(r"f?it$|it(?:Behaves\w*)?$"),
            decorators=regex(r"Test\b"),
        ),
        names=spec.NameSyntax(self_prefix=b"self.", implicit_self=True),
        functions=spec.FunctionSyntax(
            results_are_returned=True,
            decorators_inside=True,
            whole_decorators=True,
            callback="closure",
            anonymous="closure",
        ),
        calling=spec.CallSyntax(
            query="swift/calls.scm",
            own_objects=frozenset({"self"}),
            own_types=frozenset({"Self"}),
            base_objects=frozenset({"super"}),
            constructor="init",
            keyword=regex(rb"(?<!\w)`?(\w++)`?\s*+:"),
            label=regex(rb"(?:@\w++(?:\([^()]*+\))?\s++)*+`?(\w++)`?(?:\s++`?\w++`?)?\s*+:", within=300),
            has_overloads=True,
            generating_decorators=regex(r"^@?(?!MainActor\b)[A-Z]"),
            has_extensions=True,
            scattered=True,
        ),
        visibility=spec.VisibilitySyntax(
            query="swift/visibility.scm",
            words={
                "public": Reach.EVERYWHERE,
                "open": Reach.EVERYWHERE,
                "internal": Reach.EVERYWHERE,
                "private": Reach.FILE,
                "fileprivate": Reach.FILE,
            },
        ),
    ),
    resolver=SwiftResolver,
    is_test_path=_is_test_path,
    test_candidates=_test_candidates,
    role_of_path=_role_of_path,
)
