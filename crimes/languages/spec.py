"""What the engine knows of a language: one frozen value per language folder. Engine code never branches on a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from msgspec import Struct, field

from crimes.languages.engine.nodes import Node
from crimes.languages.linking.manifest import Pin
from crimes.model.facts import EdgeKind, FileFacts, Import, ImportedName, Role
from crimes.model.repository import LanguageTraits, Undeclared
from crimes.model.visibility import Reach


class Resolved(Struct, frozen=True):
    """An import that lands in the repository. `names` are the imported names found behind this target."""

    path: str
    names: tuple[str, ...] = ()


class Resolution(Struct, frozen=True):
    """Where one import leads. Without targets, `external` tells a name from outside from an unknown one."""

    targets: tuple[Resolved, ...] = ()
    external: bool = False
    package: str = ""
    known: bool = False  # inside, and no dependency: a file that is declared, and used elsewhere if at all
    undeclared: Undeclared | None = None  # the manifests' requirements, when none covers the import


class ImplicitUse(Struct, frozen=True):
    """A file that another uses without importing it: same package, same module, autoloaded."""

    path: str
    names: tuple[str, ...]
    line: int


class Resolver(Protocol):
    """Built once per scan and language family from the whole tree; resolves import by import.

    Resolvers inherit the answers of languages whose strings load nothing, and whose every use needs an import.
    """

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        ...

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Files a string literal names for loading: a dotted module or setting, a relative path."""
        return ()

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files that `path` uses by name alone, from its references."""
        return ()

    def modules(self, path: str) -> tuple[tuple[str, ...], ...]:
        """Where a file stands in trees of modules, each from its build unit downwards; none where folders decide."""
        return ()


class ResolveInput(Struct, frozen=True):
    """All a resolver may look at."""

    paths: frozenset[str]  # every file of the tree
    facts: Mapping[str, FileFacts]  # files of this resolver's languages
    roots: tuple[str, ...]  # configured import roots
    read: Callable[[str], bytes]  # manifests and settings files
    # Called with each file whose names decide where an import leads, even if it leads elsewhere.
    consult: Callable[[str], object] = lambda path: None


class ResolverFactory(Struct, frozen=True):
    """Builds the resolver of a family whose answers do not depend on the order of the questions.

    What a file imports, exports and defines affects only files that consult or import it. `visible` is what else in a
    file can affect any file; `conclusions` is what the resolver derives from all files at once. In families without a
    factory, a change to one file may affect all.
    """

    make: Callable[[ResolveInput], Resolver]
    visible: Callable[[FileFacts], object]
    conclusions: Callable[[Resolver], object] = lambda resolver: ()

    def __call__(self, inputs: ResolveInput) -> Resolver:
        return self.make(inputs)


class ImportDraft(Struct, frozen=True):
    """One import of a statement, before the engine adds its line and function."""

    target: str
    names: tuple[ImportedName, ...] = ()
    alias: str = ""
    type_only: bool = False
    reexport: bool = False
    kind: EdgeKind | None = None  # where it differs from the language's own


class MacroContents(Struct, frozen=True):
    """What a macro call holds, which the grammar leaves as tokens; positions are offsets in the call."""

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
    the first of its branch; `body_is_value` means that a body without a block is the value of the branch; `outlives`
    that the name is declared before the branch, so that code after it may read the error.
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


# Whether a child of a node, the second one, is not evaluated when the file is loaded: the body of a function, a type.
LoadOrder = Callable[[Node, Node, bytes], bool]


class ImportSyntax(Struct, frozen=True):
    """How files import from each other, and what they export."""

    statements: Callable[[Node, bytes], Iterable[ImportDraft]] = no_imports
    kind: EdgeKind = EdgeKind.RUNTIME  # LINKED where a compiler takes all files together
    calls: Mapping[str, EdgeKind] = field(
        default_factory=dict
    )  # functions that import their literal argument
    # The import made by one of `calls`, where its first literal is not all of it.
    call_draft: Callable[[str, Node, bytes], ImportDraft | None] | None = None
    # `if` conditions that do not hold when a file is loaded, and the kind of the imports under them.
    conditions: Mapping[bytes, EdgeKind] = field(default_factory=dict)
    # A decorator that names the file of a namespace without a body; its first group is the path.
    file_decorator: re.Pattern[str] | None = None
    # A name as the file itself would write it, given the namespaces around it: `super::a` in `tests` is `self::a`.
    relative: Callable[[str, str], str] | None = None
    # The imports of a file, corrected with the whole tree at hand: some turn out to be erased.
    refine: Callable[[Node, bytes, list[Import]], list[Import]] | None = None
    load_order: LoadOrder | None = None
    # Whether a child is a name that its parent, the first one, imports or binds: no use of what it meant before.
    binds: Callable[[Node, Node], bool] = lambda parent, child: False
    # Nodes of type annotations, where these are evaluated on load unless they are quoted.
    annotations: frozenset[str] = frozenset()
    exports: Callable[[Node, bytes], Iterable[ExportDraft]] = no_exports
    export_list: str = ""  # a module-level name that lists the exports
    export_prefixes: tuple[str, ...] = ()  # assignments to these are exports
    exports_all_public: bool = False  # without a list, every name that does not start with an underscore


class ErrorSyntax(Struct, frozen=True):
    """How errors are raised, handled and dropped."""

    handler: Callable[[Node, bytes], HandlerHead] = lambda node, source: HandlerHead()
    # An `if` or a case that tests an error value (`if err != nil`, `Err(e) =>`): its body is a handler.
    branch: Callable[[Node, bytes], HandlerHead | None] | None = None
    # A statement or binding that drops an error value: `_ = f()`, `f().ok();`. `caught` names the call.
    discards: Callable[[Node, bytes], HandlerHead | None] | None = None
    handler_calls: frozenset[str] = frozenset()  # methods whose function argument handles an error
    raising_calls: frozenset[str] = frozenset()  # calls that do not return: `panic`


class TestSyntax(Struct, frozen=True):
    """How tests are recognised."""

    names: re.Pattern[str] | None = None  # of test functions in test files
    calls: re.Pattern[str] | None = None  # whose function argument is a test
    decorators: re.Pattern[str] | None = None  # that make a function a test
    macros: re.Pattern[str] | None = None  # that make a test of the block after them
    scopes: re.Pattern[str] | None = None  # decorators of what is there for tests only
    conditions: frozenset[bytes] = frozenset()  # of an `if` at module level around code for tests only
    compiler_conditions: re.Pattern[str] | None = None  # names under which code is built for tests only


class NameSyntax(Struct, frozen=True):
    """How names are declared and used."""

    self_prefix: bytes = b""  # how a method writes its own object, with the dot
    implicit_self: bool = False  # a method names the fields of its object without a prefix
    environment: bytes = b""  # the object whose attributes are environment variables, with the dot
    # Names of other files may begin with a small letter: those a file does not declare itself are references.
    free_names: bool = False
    bare_calls: bool = False  # a plain name that nobody declared is a call
    declared_name: re.Pattern[str] | None = None  # the name in the declarator of a parameter or variable
    reopens: bool = False  # classes and modules may be reopened: their names there are no uses
    packages_chain: bool = False  # a package clause stands inside the one before it
    namespaces_are_packages: bool = False  # what a namespace holds is as public as the top of the file


class FunctionSyntax(Struct, frozen=True):
    """How functions are written."""

    async_words: tuple[bytes, ...] = (b"async",)
    receiver: re.Pattern[bytes] | None = None  # of a method outside its type: groups `self` and `type`
    # Name and parameters of a function, where the grammar hides them in a declarator.
    declarator: Callable[[Node], tuple[Node | None, Node | None]] | None = None
    blocks_are_values: bool = False  # the last expression of a block is its value
    results_are_returned: bool = False  # a function with a result type returns a value, also without `return`
    wrappers_are_flat: bool = False  # a function that only wraps one function adds no nesting to it
    decorators_inside: bool = False  # decorators are part of what they decorate: none waits for what follows
    whole_decorators: bool = False  # what stands in their brackets is part of the text: `cfg(test)`
    callback: str = "callback"  # what people call a function without a name that is passed to a call
    anonymous: str = "anonymous function"  # the same of one that is not
    # Nodes, besides strings, that tell one call with a block from another: `task :build`, `describe Cart`.
    labels: frozenset[str] = frozenset()


class CallSyntax(Struct, frozen=True):
    """How functions are called: where a call leads, and whether its arguments fit."""

    # A query below crimes/languages: @name or @field with its @type or @value, @key of a destructured name, @overload for
    # the name of a signature without a body, @override for that of a method that is inherited too, @inert for a base that
    # brings no methods, and @mixin for what adds methods to the class around it.
    query: str
    own_objects: frozenset[str] = frozenset()  # words for the object of a method
    own_types: frozenset[str] = frozenset()  # words for its class
    base_objects: frozenset[str] = frozenset()  # words for the object seen as its base class
    constructor: str = ""  # the method that creating an object calls; `=` if it is named like the class
    new_creates: bool = False  # `new Order()` creates an object; elsewhere a call of the class does
    maker: str = ""  # the method of a class that creates an object, where it is one: `Order.new`
    bare_arguments: bool = False  # a call needs no brackets, and a block is none of its arguments
    receiver: re.Pattern[str] | None = None  # the parameter that is the object itself, where it is written
    static_decorators: frozenset[str] = frozenset()  # the first parameter is no object
    class_decorators: frozenset[str] = frozenset()  # the first parameter is the class
    keyword: re.Pattern[bytes] | None = None  # the name of an argument that is passed by name
    label: re.Pattern[bytes] | None = (
        None  # what a parameter has to be passed by, in its order; nothing, if that is `_`
    )
    spread: re.Pattern[bytes] | None = None  # an argument that stands for any number of them
    spread_is_rest: bool = False  # such an argument is all that the last parameter takes, and no other
    # Parameters, where facts do not say it: one that may be left out, and one that takes all further arguments.
    optional: re.Pattern[bytes] | None = None
    rest: re.Pattern[bytes] | None = None
    ignored: re.Pattern[bytes] | None = None  # a parameter that no argument is passed to
    has_overloads: bool = False  # functions of one name may differ in their parameters
    may_omit: bool = False  # calls with too few or too many arguments run
    ignores_excess: bool = False  # calls with too many arguments run
    calls_spread: bool = False  # a call as the only argument may stand for several values
    # Decorators that leave the parameters as they are written; None: all of them do.
    neutral_decorators: frozenset[str] | None = None
    inert_bases: frozenset[str] = frozenset()  # bases from outside that bring no methods of interest
    generating_decorators: re.Pattern[str] | None = None  # of a class: they may add methods
    marks_overrides: bool = False  # a method that is inherited too says so: @override in the query
    calls_variables: bool = True  # a plain name in a call may be a variable
    calls_fields: bool = True  # a member in a call may be a field
    assigns_methods: bool = False  # a method may come from any assignment
    open_methods: frozenset[str] = frozenset()  # with one of these, a class answers to any method
    has_extensions: bool = False  # functions outside of a type may be called like its methods
    extension: re.Pattern[str] | None = None  # how a method says that it is called on its first argument
    derived_methods: frozenset[str] = frozenset()  # methods that a class may have without writing them
    scattered: bool = False  # the methods of a type may stand in several files
    has_submodules: bool = False  # the name of a package gives access to its files
    default_export: re.Pattern[str] | None = None  # its first group is the name behind the default export


class UnitOpening(Struct, frozen=True):
    """How a unit lets others use what is meant for its own files."""

    files: re.Pattern[str]  # that may say so
    word: bytes  # that every such statement has
    friend: re.Pattern[bytes]  # a statement, with the name of the other unit in one of its groups


class UnitSyntax(Struct, frozen=True):
    """How a folder that is built as one is recognised."""

    file: re.Pattern[str]  # the name of a file it has; without its ending, this is the name of the unit
    name: re.Pattern[bytes] | None = None  # how that file states another name
    opening: UnitOpening | None = None


class VisibilitySyntax(Struct, frozen=True):
    """How a definition says who may use it."""

    # A query below crimes/languages: @item for a definition with its @name; @class with its @owner for what has members, or
    # @open if these are as visible as itself; @statement with its @word for what hides a @name that is defined elsewhere.
    query: str
    words: Mapping[str, Reach]  # what modifiers mean, written without spaces
    top: Reach = Reach.EVERYWHERE  # of a definition that says nothing
    member: Reach = Reach.EVERYWHERE  # of a member of a class that says nothing
    unit: UnitSyntax | None = None


class Syntax(Struct, frozen=True):
    """How to read the facts of a language: its grammar and query, and what a query cannot say."""

    grammar: Callable[[], object]  # the tree-sitter language pointer; its wheel is imported when first used
    queries: tuple[str, ...]  # capture files below crimes/languages, joined in order
    # The source with what the grammar cannot read rewritten at the same length; used where parsing fails.
    repair: Callable[[bytes], bytes] | None = None
    opening: bytes = b""  # what has to stand before code for the grammar to read it as such
    tokens: Callable[[bytes], MacroContents] | None = None  # what a macro call holds
    operators_nest_right: bool = False  # the grammar takes all that follows an operator for its right side
    brackets_hold_types: bool = False  # `f[T](x)` calls f
    flat_list: re.Pattern[bytes] | None = None  # a list that needs no walk (see engine/flat_lists)
    imports: ImportSyntax = ImportSyntax()
    errors: ErrorSyntax = ErrorSyntax()
    tests: TestSyntax = TestSyntax()
    names: NameSyntax = NameSyntax()
    functions: FunctionSyntax = FunctionSyntax()
    calling: CallSyntax | None = None  # None: calls are not followed
    visibility: VisibilitySyntax | None = None  # None: what a file defines can be used everywhere


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
    # Spellings of an imported file below a folder that settings may name: {path} has slashes for its dots.
    below_root: tuple[str, ...] = ()
    reads: Callable[[str], bool] = lambda path: True  # which files with these extensions are worth reading
    resolver: Callable[[ResolveInput], Resolver] | None = None
    # What its manifests require, compared with the lockfiles beside them; one language answers for a whole family.
    pins: Callable[[frozenset[str], Callable[[str], bytes]], Iterable[Pin]] | None = None
    global_names: frozenset[str] = (
        frozenset()
    )  # that every file sees, whether the repository defines them or not
    is_test_path: Callable[[str], bool] = lambda path: False
    # File names that a test of this path would have.
    test_candidates: Callable[[str], tuple[str, ...]] = lambda path: ()
    role_of_path: Callable[[str], Role | None] = lambda path: None
    is_barrel: Callable[[str], bool] = lambda path: False  # a file whose plain imports count as re-exports
    inline_tests: bool = False  # tests stand in the file they test
    comment: str = "// {}"  # a comment on one line, with {} for its text
    traits: LanguageTraits = field(default_factory=LanguageTraits)
