"""What the engine knows of a language: one frozen value per language folder. No engine code branches on a language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from crimes.model import FileFacts, Import, Role


@dataclass(frozen=True)
class Resolved:
    """An import that lands in the repository. `names` are the imported names found behind this target."""

    path: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Resolution:
    """Where one import leads. No targets: `external` says whether it names something outside or nothing known."""

    targets: tuple[Resolved, ...] = ()
    external: bool = False
    package: str = ""


class Resolver(Protocol):
    """Made once per scan and language from the whole tree; then asked import by import."""

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        ...

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Files a string literal names for loading: a dotted module or setting, a relative path. Often none."""
        ...


@dataclass(frozen=True)
class ResolveInput:
    """All a resolver may look at."""

    paths: frozenset[str]  # every file of the tree
    facts: Mapping[str, FileFacts]  # files of this resolver's languages
    roots: tuple[str, ...]  # configured import roots
    read: Callable[[str], bytes]  # manifests and settings files


@dataclass(frozen=True)
class Language:
    """One language. `resolver` is shared by languages that import each other (JavaScript, TypeScript, TSX)."""

    id: str
    name: str
    extensions: tuple[str, ...]
    grammar: Callable[[], object]  # the tree-sitter language pointer; imported when first used
    query: tuple[str, ...]  # files of captures beside the language's module, in order
    family: str  # languages of one family import each other
    resolver: Callable[[ResolveInput], Resolver]
    imports: Callable[[Any, bytes], Iterable[Import]]
    is_test_path: Callable[[str], bool]
    test_candidates: Callable[[str], tuple[str, ...]]  # names a test of this path would have, by convention
    role_of_path: Callable[[str], Role | None] = lambda path: None
    self_prefix: bytes = b""
