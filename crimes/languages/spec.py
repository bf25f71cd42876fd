"""What the engine knows of a language: one frozen value per language folder. No engine code branches on a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from crimes.languages.linking.manifest import Pin
from crimes.model.facts import EdgeKind, FileFacts, Import, ImportedName, Role
from crimes.model.repository import LanguageTraits, Undeclared

if TYPE_CHECKING:
    from tree_sitter import Node


class Resolved(Struct, frozen=True):
    """An import that lands in the repository. `names` are the imported names found behind this target."""

    path: str
    names: tuple[str, ...] = ()


class Resolution(Struct, frozen=True):
    """Where one import leads. No targets: `external` says whether it names something outside or nothing known."""

    targets: tuple[Resolved, ...] = ()
    external: bool = False
    package: str = ""
    known: bool = False  # inside, and no dependency: a file that is declared, and used elsewhere if at all
    undeclared: Undeclared | None = (
        None  # what manifests ask for instead, when none asks for what is imported
    )


class ImplicitUse(Struct, frozen=True):
    """A file that another uses without importing it: same package, same module, autoloaded."""

    path: str
    names: tuple[str, ...]
    line: int


class Resolver(Protocol):
    """Made once per scan and language from the whole tree; then asked import by import."""

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        ...

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Files a string literal names for loading: a dotted module or setting, a relative path. Often none."""
        ...

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files that `path` uses by name alone, from its references. None where every use needs an import."""
        ...


class ResolveInput(Struct, frozen=True):
    """All a resolver may look at."""

    paths: frozenset[str]  # every file of the tree
    facts: Mapping[str, FileFacts]  # files of this resolver's languages
    roots: tuple[str, ...]  # configured import roots
    read: Callable[[str], bytes]  # manifests and settings files
    # Told of each file whose names decide where an import leads, also where it leads elsewhere for it.
    ask: Callable[[str], object] = lambda path: None


class Resolving(Struct, frozen=True):
    """Makes the resolver of a family whose answers do not depend on the order they are asked for in.

    What a file imports, exports and defines changes where imports lead only for those that ask about it or import it.
    `seen` is what else of a file can do so, for any file; `together` what is concluded from all files at once.
    Of other families, any change of a file is thought to change all.
    """

    make: Callable[[ResolveInput], Resolver]
    seen: Callable[[FileFacts], object]
    together: Callable[[Resolver], object] = lambda resolver: ()

    def __call__(self, given: ResolveInput) -> Resolver:
        return self.make(given)


class ImportDraft(Struct, frozen=True):
    """One import of a statement, before the engine adds where it stands."""

    target: str
    names: tuple[ImportedName, ...] = ()
    alias: str = ""
    type_only: bool = False
    reexport: bool = False
    kind: EdgeKind | None = None  # where it differs from the language's own


class InTokens(Struct, frozen=True):
    """What a macro call holds, which the grammar leaves as tokens; with offsets."""

    imports: tuple[tuple[int, ImportDraft], ...] = ()
    definitions: tuple[str, ...] = ()
    calls: tuple[tuple[int, str], ...] = ()
    names: tuple[tuple[int, bytes], ...] = ()  # qualified


class ExportDraft(Struct, frozen=True):
    """One exported name and what it is called inside the file."""

    name: str
    local: str


class HandlerHead(Struct, frozen=True):
    """What a catching clause catches (as written; empty when everything), and the name it gives the error.

    `guarded` is the span that may fail, where no try statement holds it; `body` the block that handles, where it is not
    the first of its branch; `body_is_value` says that a body without a block is a value somebody gets; `outlives` that
    the name was there before, so that code after the branch may look at the error.
    """

    caught: tuple[str, ...] = ()
    error_name: str = ""
    guarded: tuple[int, int] | None = None
    body: Node | None = None
    body_is_value: bool = False
    outlives: bool = False


def no_imports(node: Node, source: bytes) -> Iterable[ImportDraft]:
    """For nodes that import nothing."""
    return ()


def no_exports(node: Node, source: bytes) -> Iterable[ExportDraft]:
    """For languages without export statements."""
    return ()


class Syntax(Struct, frozen=True):
    """How to read the facts of a language: its query, and the few things a query cannot say."""

    grammar: Callable[[], object]  # the tree-sitter language pointer; its wheel is imported when first used
    queries: tuple[str, ...]  # capture files below crimes/languages, joined in order
    imports: Callable[[Node, bytes], Iterable[ImportDraft]] = no_imports
    exports: Callable[[Node, bytes], Iterable[ExportDraft]] = no_exports
    handler: Callable[[Node, bytes], HandlerHead] = lambda node, source: HandlerHead()
    # An `if` or a case that looks at an error value (`if err != nil`, `Err(e) =>`): its body is a handler.
    error_branch: Callable[[Node, bytes], HandlerHead | None] | None = None
    # A statement or binding that throws an error value away unseen: `_ = f()`, `f().ok();`. `caught` names the call.
    discards: Callable[[Node, bytes], HandlerHead | None] | None = None
    # The imports once more, seen from the whole tree: some turn out to be erased.
    settle: Callable[[Node, bytes, list[Import]], list[Import]] | None = None
    import_calls: Mapping[str, EdgeKind] = field(
        default_factory=dict
    )  # functions that import their literal argument
    # `if` conditions that do not hold when a file is loaded, and the kind of the imports under them
    import_conditions: Mapping[bytes, EdgeKind] = field(default_factory=dict)
    handler_calls: frozenset[str] = frozenset()  # methods whose function argument handles an error
    import_kind: EdgeKind = EdgeKind.RUNTIME  # LINKED where a compiler takes all files together
    # The source with what the grammar cannot read written otherwise, as long as before; tried where it gives up.
    repair: Callable[[bytes], bytes] | None = None
    operators_nest_right: bool = False  # the grammar takes all that follows an operator for its right side
    opening: bytes = b""  # what has to stand before code for the grammar to read it as such
    self_prefix: bytes = b""  # how a method writes its own object, with the dot
    environment: bytes = b""  # what a variable of the environment is an attribute of, with the dot
    # Names of other files may begin with a small letter: those a file does not declare itself are references.
    free_names: bool = False
    implicit_self: bool = False  # a method names the fields of its object without a prefix
    async_words: tuple[bytes, ...] = (b"async",)
    # A decorator that names the file of a namespace without a body; its first group is the path.
    file_decorator: re.Pattern[str] | None = None
    # A name as the file itself would write it, given the namespaces around it: `super::a` in `tests` is `self::a`.
    # The import that a call named in import_calls makes, where its first literal is not all of it.
    import_call: Callable[[str, Node, bytes], ImportDraft | None] | None = None
    relative: Callable[[str, str], str] | None = None
    tokens: Callable[[bytes], InTokens] | None = None  # what a macro call holds
    raising_calls: frozenset[str] = frozenset()  # calls that do not come back: `panic`
    bare_calls: bool = False  # a plain name that nobody declared is a call
    reopens: bool = False  # classes and modules are opened again and again: their names there are no uses
    blocks_are_values: bool = False  # the last expression of a block is its value
    results_are_returned: bool = False  # a function with a result type returns a value, also without `return`
    brackets_hold_types: bool = False  # `f[T](x)` calls f
    packages_chain: bool = False  # a package clause stands inside the one before it
    namespaces_are_packages: bool = False  # what a namespace holds is as public as the top of the file
    export_list: str = ""  # a module-level name that lists the exports
    export_prefixes: tuple[str, ...] = ()  # assignments to these are exports
    exports_all_public: bool = False  # without a list, every name that does not start with an underscore
    test_name: re.Pattern[str] | None = None  # names of test functions in test files
    test_calls: re.Pattern[str] | None = None  # calls whose function argument is a test
    test_decorators: re.Pattern[str] | None = None  # decorators that make a function a test
    whole_decorators: bool = False  # what stands in their brackets is kept: `cfg(test)`
    test_macros: re.Pattern[str] | None = None  # macros that make a test of the block after them
    declared_name: re.Pattern[str] | None = None  # the name in the declarator of a parameter or variable
    decorators_inside: bool = False  # decorators are part of what they decorate: none waits for what follows
    test_scopes: re.Pattern[str] | None = None  # decorators of a namespace that holds tests
    receiver: re.Pattern[bytes] | None = None  # of a method outside its type: groups `self` and `type`
    # Name and parameters of a function, where the grammar hides them in a declarator.
    declarator: Callable[[Node], tuple[Node | None, Node | None]] | None = None
    # A list whose plain names mean nothing by themselves (quiet.quiet_list): it is not walked.
    quiet: re.Pattern[bytes] | None = None
    nested_alone_is_flat: bool = False  # a function that only wraps one function adds no nesting to it


class Language(Struct, frozen=True):
    """One language. Either `syntax` (a grammar and a query) or `read` (its own reader) makes its facts."""

    id: str
    name: str
    extensions: tuple[str, ...]
    family: str  # languages of one family import each other and share a resolver
    syntax: Syntax | None = None
    read: Callable[[bytes], FileFacts] | None = None
    # For files that hold another language's code: that language, and the code with every line where it was.
    inner: Callable[[bytes], tuple[Language, bytes]] | None = None
    shared_extensions: tuple[str, ...] = ()  # of the languages with one, the most used in the tree gets it
    file_names: tuple[str, ...] = ()  # files known by their name alone
    declarations: tuple[str, ...] = ()  # endings of files that only declare what others define
    # How the file of an import is spelled below a folder that settings may name: {path} has slashes for its dots.
    below_root: tuple[str, ...] = ()
    reads: Callable[[str], bool] = lambda path: True  # which files with these extensions are worth reading
    resolver: Callable[[ResolveInput], Resolver] | None = None
    # What its manifests ask for, held against the lockfiles beside them; one language of a family answers for all.
    pins: Callable[[frozenset[str], Callable[[str], bytes]], Iterable[Pin]] | None = None
    is_test_path: Callable[[str], bool] = lambda path: False
    test_candidates: Callable[[str], tuple[str, ...]] = (
        lambda path: ()
    )  # names a test of this path would have
    role_of_path: Callable[[str], Role | None] = lambda path: None
    is_barrel: Callable[[str], bool] = lambda path: False  # a file whose plain imports count as re-exports
    inline_tests: bool = False  # tests stand in the file they test
    ways: LanguageTraits = field(default_factory=LanguageTraits)
