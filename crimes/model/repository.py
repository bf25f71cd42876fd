"""The repository: its files with their facts, and the edges between them, free of language knowledge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from crimes.model.facts import EdgeKind, FileFacts, Role


class SourceFile(Struct, frozen=True, array_like=True):
    """A file to read: its name below the root, its language, and the role its path gives it."""

    path: str
    language: str
    role: Role
    size: int
    own: bool = False  # git attributes say that it is not vendored


class Skip(Struct, frozen=True):
    """A file that was not (fully) read, and why."""

    path: str
    reason: str
    claimed: bool = False  # source that should have been read: without it a scan is less to be trusted


class Edge(Struct, frozen=True, array_like=True):
    """`source` imports `target`. `via` is the barrel or package file a re-exported name came through, else empty."""

    source: str
    target: str
    kind: EdgeKind
    line: int
    names: tuple[str, ...]
    via: str = ""


class Undeclared(Struct, frozen=True, array_like=True):
    """What the manifests above an import declare, when none of it provides the imported package."""

    manifests: tuple[str, ...]  # the nearest first
    names: tuple[str, ...]  # all they declare, sorted
    sought: tuple[str, ...]  # what would provide it, as a registry names it
    related: bool = False  # one of them may provide it under another name


class ExternalImport(Struct, frozen=True, array_like=True):
    """An import that left the repository (`external`) or that nothing explains (not `external`)."""

    source: str
    target: str
    line: int
    kind: EdgeKind
    external: bool
    package: str  # the distribution or top-level package it names
    guarded: bool
    undeclared: Undeclared | None = None  # None also where it is not known


class ErrorTypes(Struct, frozen=True):
    """Error types that a language and its library define, and what is known of those of other packages."""

    parents: Mapping[str, str] = {}  # by type the one it derives from; empty for the root
    bare: str = ""  # what a handler without a type catches; empty: everything
    usual: str = ""  # what errors of other packages derive from, if their name has one of these endings
    usual_endings: tuple[str, ...] = ()
    library: tuple[str, ...] = ()  # packages whose types are among `parents`, by their last name


class LanguageTraits(Struct, frozen=True):
    """Traits of a language that detectors depend on."""

    bare_members: bool = False  # a method names members of its object without a prefix
    capital_methods: bool = False  # a capitalised name need not be a type
    fixtures: bool = False  # a test receives fixtures by the names of its parameters
    late_imports: bool = False  # an import may be inside a function
    # How a call can name an argument: by a parameter that allows no other way, at the call, in an object, or not at all.
    named_arguments: Literal["declared", "at_call", "object", ""] = ""
    argument_labels: bool = (
        False  # a name before a colon or another name, in brackets, is a label and no member
    )
    imports_bind: bool = False  # a name must exist when it is imported, not only when it is used
    declared_only: bool = False  # only packages that the manifest declares can be imported
    linked_by_build: bool = False  # a file takes part because a build names it, often by a pattern
    other_names: bool = False  # a package may be imported under another name than it is declared
    one_per_primitive: bool = False  # a type parameter cannot be `int` or `double`
    checked_types: bool = False  # a function takes the types it names, and no others
    package_tests: bool = False  # the tests of a folder see all of its package, without an import
    macros: bool = False  # code can be written once for types that have only their names in common
    # Types that catch a failed check.
    check_failures: tuple[str, ...] = ("", "Exception", "BaseException", "AssertionError", "Throwable")
    # Empty also where handlers have no types, or the compiler refuses those that never run.
    errors: ErrorTypes = ErrorTypes()


class File(Struct, frozen=True):
    """A file of the repository with its facts and its final role."""

    path: str
    role: Role
    facts: FileFacts
    declares: bool = False  # only declares what others define: a stub is never loaded
    embedded: bool = False  # code within another format: a component, a notebook
    traits: LanguageTraits = LanguageTraits()  # of its language

    @property
    def language(self) -> str:
        return self.facts.language


class Repo(Struct, frozen=True):
    """The linked repository: files with facts, and where their imports lead."""

    root: Path
    files: Mapping[str, File]  # sorted by path
    paths: frozenset[str]  # every file of the tree, read or not
    edges: tuple[Edge, ...]
    external: tuple[ExternalImport, ...]
    read: Callable[[str], bytes]  # a file of `paths`, safely: never through a link out of the tree
    unlinked: tuple[str, ...] = ()  # files whose imports took too long to follow: they have no edges
