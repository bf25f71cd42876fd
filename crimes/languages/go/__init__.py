"""Go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from crimes.languages.engine.nodes import text_of
from crimes.languages.go.errors import discards, error_branch
from crimes.languages.go.locks import pins
from crimes.languages.go.resolve import go_resolver
from crimes.languages.spec import ImportDraft, Language, Syntax
from crimes.model.facts import EdgeKind, Role
from crimes.model.lazy_regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node

# What the go tool reads a file's system and processor from.
_SYSTEM = regex(
    r"_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|unix|wasip1|windows"
    r"|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)$"
)
_GENERATED = regex(r"(?:^|/)(?:zz_generated\.[^/]*|wire_gen|bindata)\.go$|\.pb\.gw\.go$")
_SCRIPT = regex(r"(?:^|/)magefile\.go$|(?:^|/)magefiles/")


def _grammar() -> object:
    import tree_sitter_go

    return tree_sitter_go.language()


def _imports(node: Node, source: bytes) -> Iterable[ImportDraft]:
    target = text_of(node.child_by_field_name("path"), source).strip('"`')
    if target:
        yield ImportDraft(target, alias=text_of(node.child_by_field_name("name"), source))


def _is_test_path(path: str) -> bool:
    return path.endswith("_test.go")


def _test_candidates(path: str) -> tuple[str, ...]:
    stem = path.rpartition("/")[2].removesuffix(".go")
    plain = stem
    while (shorter := _SYSTEM.sub("", plain)) != plain:
        plain = shorter
    return tuple(f"{name}_test.go" for name in dict.fromkeys((stem, plain)))


def _role_of_path(path: str) -> Role | None:
    """Folders that the go tool passes over hold examples; `Godeps` held dependencies before modules did."""
    if _GENERATED.search(path):
        return Role.GENERATED
    if "Godeps/_workspace/" in path:
        return Role.VENDORED
    if _SCRIPT.search(path):
        return Role.SCRIPT
    return Role.EXAMPLE if any(folder.startswith("_ex") for folder in path.split("/")[:-1]) else None


GO = Language(
    id="go",
    name="Go",
    extensions=(".go",),
    family="go",
    syntax=Syntax(
        grammar=_grammar,
        queries=("go/facts.scm",),
        imports=_imports,
        error_branch=error_branch,
        discards=discards,
        import_kind=EdgeKind.LINKED,
        free_names=True,
        receiver=regex(rb"\(\s*(?:(?P<self>\w+)\s+)?\*?\s*(?P<type>\w+)"),
        exports_all_public=True,
        test_name=regex(r"Test(?![a-z])"),
        test_calls=regex(r"(?:t\.Run|[FP]?It|Specify)$"),
    ),
    resolver=go_resolver,
    pins=pins,
    is_test_path=_is_test_path,
    test_candidates=_test_candidates,
    role_of_path=_role_of_path,
)
