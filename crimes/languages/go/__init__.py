"""Go."""

from __future__ import annotations

from collections.abc import Iterable

from crimes.languages import spec
from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.go.errors import discards, error_branch
from crimes.languages.go.locks import pins
from crimes.languages.go.resolve import GoResolver
from crimes.model.facts import EdgeKind, Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import LanguageTraits

# File name endings that restrict a file to an operating system or processor.
_PLATFORM = regex(
    r"_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|unix|wasip1|windows"
    r"|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)$"
)
_GENERATED = regex(r"(?:^|/)(?:zz_generated\.[^/]*|wire_gen|bindata)\.go$|\.pb\.gw\.go$")
_SCRIPT = regex(r"(?:^|/)magefile\.go$|(?:^|/)magefiles/")


def _grammar() -> object:
    import tree_sitter_go

    return tree_sitter_go.language()


def _imports(node: Node, source: bytes) -> Iterable[spec.ImportDraft]:
    target = text_of(node.child_by_field_name("path"), source).strip('"`')
    if target:
        yield spec.ImportDraft(target, alias=text_of(node.child_by_field_name("name"), source))


def _is_test_path(path: str) -> bool:
    return path.endswith("_test.go")


def _test_candidates(path: str) -> tuple[str, ...]:
    stem = path.rpartition("/")[2].removesuffix(".go")
    portable = stem
    while (shorter := _PLATFORM.sub("", portable)) != portable:
        portable = shorter
    return tuple(f"{name}_test.go" for name in dict.fromkeys((stem, portable)))


def _role_of_path(path: str) -> Role | None:
    """`_examples` and the like, which the go tool ignores, are examples; `Godeps` holds dependencies from before modules."""
    if _GENERATED.search(path):
        return Role.GENERATED
    if "Godeps/_workspace/" in path:
        return Role.VENDORED
    if _SCRIPT.search(path):
        return Role.SCRIPT
    return Role.EXAMPLE if any(folder.startswith("_ex") for folder in path.split("/")[:-1]) else None


# What the language brings: newer versions add names that packages had defined themselves.
_BUILTINS = """
any append bool byte cap clear close comparable complex copy delete error imag int iota len make max min new nil panic
print println real recover rune string
"""

GO = spec.Language(
    id="go",
    name="Go",
    traits=LanguageTraits(checked_types=True, declared_only=True, package_tests=True),
    global_names=frozenset(_BUILTINS.split()),
    extensions=(".go",),
    family="go",
    syntax=spec.Syntax(
        grammar=_grammar,
        queries=("go/facts.scm",),
        imports=spec.ImportSyntax(statements=_imports, kind=EdgeKind.LINKED, exports_all_public=True),
        errors=spec.ErrorSyntax(branch=error_branch, discards=discards),
        tests=spec.TestSyntax(names=regex(r"Test(?![a-z])"), calls=regex(r"(?:t\.Run|[FP]?It|Specify)$")),
        names=spec.NameSyntax(free_names=True),
        calling=spec.CallSyntax(
            query="go/calls.scm",
            spread=regex(rb"\.\.\.$"),
            spread_is_rest=True,
            calls_spread=True,
            scattered=True,
        ),
        functions=spec.FunctionSyntax(
            receiver=regex(rb"\(\s*+(?:(?P<self>\w++)\s++)?\*?\s*+(?P<type>\w++)"),
            anonymous="function literal",
        ),
    ),
    resolver=GoResolver,
    pins=pins,
    is_test_path=_is_test_path,
    test_candidates=_test_candidates,
    role_of_path=_role_of_path,
)
