"""C#."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from crimes.languages import spec
from crimes.languages.csharp.repair import repair
from crimes.languages.csharp.resolve import GLOBAL, CSharpResolver
from crimes.languages.engine.nodes import Node, text_of
from crimes.model.facts import EdgeKind, ImportedName, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits
from crimes.model.visibility import Reach

_USING = regex(
    r"\s*+(?P<is_global>global\s++)?using\s++(?P<static>static\s++)?(?P<unsafe>unsafe\s++)?"
    r"(?:(?P<alias>@?\w++)\s*+=\s*+)?(?:global::)?(?P<name>[\w.@]++(?:\s++[\w.@]++)*+)\s*+(?:<.*)?;",
    re.DOTALL,
)
# The folder of a test project: `Shop.Tests`, `Shop.UnitTests`, `tests/Shop`.
_TEST_FOLDER = regex(r"(?:^|[._-])(?i:tests?|specs?)$|[a-z]Tests?$")
_TEST_NAME = regex(r"(?:Tests?|Specs?|Fixture)\.cs$")
_GENERATED = regex(
    r"\.(?:g|g\.i|designer|generated)\.cs$|(?:^|/)(?:obj|bin)/|(?:^|/)Migrations/\d{14}_|ModelSnapshot\.cs$",
    re.IGNORECASE,
)


def _grammar() -> object:
    import tree_sitter_c_sharp

    return tree_sitter_c_sharp.language()


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    """`using A.B` imports all of A.B, an alias or `using static` one type. A `global` one applies to the whole project."""
    match = _USING.match(text_of(node, source))
    if match is None:
        return
    name = re.sub(r"\s", "", match["name"])
    scope = GLOBAL if match["is_global"] else ""
    if match["alias"] or match["static"]:
        target, _, last = name.rpartition(".")
        yield spec.ImportDraft(target, (ImportedName(last, match["alias"] or last),), alias=scope)
    else:
        yield spec.ImportDraft(name, (ImportedName("*", "*"),), alias=scope)


def _handler(node: Node, source: bytes) -> spec.HandlerHead:
    for child in node.named_children:
        if child.type == "catch_declaration":
            caught = text_of(child.child_by_field_name("type"), source)
            return spec.HandlerHead((caught,), text_of(child.child_by_field_name("name"), source))
    return spec.HandlerHead()


def _is_test_path(path: str) -> bool:
    *folders, name = path.split("/")
    return _TEST_NAME.search(name) is not None or any(_TEST_FOLDER.search(folder) for folder in folders)


def _test_candidates(path: str) -> tuple[str, ...]:
    stem = PurePosixPath(path).name.split(".")[0]
    return tuple(f"{stem}{ending}.cs" for ending in ("Tests", "Test", "Specs", "Spec", "Fixture"))


def _role_of_path(path: str) -> Role | None:
    return Role.GENERATED if _GENERATED.search(path) else None


CSHARP = spec.Language(
    id="csharp",
    name="C#",
    traits=LanguageTraits(
        checked_types=True, bare_members=True, capital_methods=True, named_arguments="at_call"
    ),
    extensions=(".cs",),
    family="csharp",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("csharp/facts.scm",),
        repair=repair,
        imports=spec.ImportSyntax(statements=_imports, kind=EdgeKind.LINKED, exports_all_public=True),
        errors=spec.ErrorSyntax(handler=_handler),
        tests=spec.TestSyntax(
            decorators=regex(
                r"(?:[\w.]+\.)?(?:\w*Fact|\w*Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod|Property)(?:Attribute)?$",
                within=120,
            )
        ),
        names=spec.NameSyntax(self_prefix=b"this.", implicit_self=True, namespaces_are_packages=True),
        functions=spec.FunctionSyntax(decorators_inside=True, callback="lambda", anonymous="lambda"),
        calling=spec.CallSyntax(
            query="csharp/calls.scm",
            own_objects=frozenset({"this"}),
            base_objects=frozenset({"base"}),
            constructor="=",
            new_creates=True,
            keyword=regex(rb"(?<!\w)(\w++)\s*+:(?!:)"),
            optional=regex(rb"="),
            rest=regex(rb"(?:^|\s)params\s"),
            has_overloads=True,
            marks_overrides=True,
            has_extensions=True,
            extension=regex(r"\(\s*+this\s"),
            scattered=True,
        ),
        visibility=spec.VisibilitySyntax(
            query="csharp/visibility.scm",
            # A part of a class need not repeat what another part says.
            words={
                "public": Reach.EVERYWHERE,
                "partial": Reach.EVERYWHERE,
                "internal": Reach.UNIT,
                "protected": Reach.HEIRS,
                "private": Reach.TYPE,
                "file": Reach.FILE,
            },
            top=Reach.UNIT,
            member=Reach.TYPE,
            unit=spec.UnitSyntax(
                file=regex(r"[^/]+\.csproj", within=300),
                name=regex(rb"<AssemblyName>\s*+([^<\s]*+(?:\s++[^<\s]++)*+)\s*+</AssemblyName>"),
                opening=spec.UnitOpening(
                    files=regex(r"\.(?:cs|csproj|props|targets)$"),
                    word=b"InternalsVisibleTo",
                    friend=regex(
                        rb'InternalsVisibleTo(?:Attribute)?(?:\s++Include\s*+=|\s*+\()\s*+"([^",]++)'
                        rb'|InternalsVisibleTo(?:Attribute)?"\s*+>\s*+<_Parameter1>\s*+([^<,]++)'
                    ),
                ),
            ),
        ),
    ),
    resolver=CSharpResolver,
    is_test_path=_is_test_path,
    test_candidates=_test_candidates,
    role_of_path=_role_of_path,
)
