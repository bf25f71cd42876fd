"""The nouns: files, and the facts read from them. Imports nothing of ours.

Facts are plain, frozen, array-like structs: they can be encoded, cached by content and sent between processes.
Lines are 1-based and inclusive. A `function` index points into `FileFacts.functions`; -1 is module level.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Role(StrEnum):
    """What a file is for. Most detectors look at SOURCE only."""

    SOURCE = "source"
    TEST = "test"
    GENERATED = "generated"
    VENDORED = "vendored"
    DOCS = "docs"
    EXAMPLE = "example"
    SCRIPT = "script"
    CONFIG = "config"


class EdgeKind(StrEnum):
    """How one file depends on another."""

    RUNTIME = "runtime"  # executed when the importing file is loaded
    LINKED = "linked"  # compiled together: breaks when the target changes, but loading has no order
    DEFERRED = "deferred"  # inside a function: executed when that is called
    TYPE_ONLY = "type_only"  # erased at run time
    REEXPORT = "reexport"  # executed at load, and passed on under this file's name
    DYNAMIC = "dynamic"  # by a string: import(), import_module(), a dotted name in a setting


# Edges that execute when the importer is loaded: a cycle of these has a first file that sees the last one half-made.
LOAD_KINDS = frozenset({EdgeKind.RUNTIME, EdgeKind.REEXPORT})
# Edges that are certainly there when the importer runs. The rest are possible, not sure.
SURE_KINDS = LOAD_KINDS | {EdgeKind.LINKED}


class Fact(Struct, frozen=True, array_like=True, gc=False):
    """Base of everything read from one file."""


class Param(Fact, frozen=True):
    """One parameter as written. `star` is "*" or "**" for rest parameters, else empty."""

    name: str
    has_default: bool
    boolean: bool
    keyword_only: bool
    star: str


class Branch(Fact, frozen=True):
    """An arm of a control structure, a loop or a nested function, with the complexity inside it."""

    line: int
    keyword: str  # the word it begins with; of a function its name, or `closure`
    cost: int
    is_function: bool = False


class Discount(Fact, frozen=True):
    """Complexity that is left out, since the code reads in a straight line."""

    reason: str
    cost: int
    places: int


class Tangle(Fact, frozen=True):
    """How tangled a function is, nested functions included; measured only where there is enough complexity."""

    published: int  # cognitive complexity, without conditions inside markup
    cost: int  # what is left of it after the discounts
    nesting: int
    lines: int  # lines of code of its body, without literals
    code_lines: int  # all lines with code from its head to its end
    discounts: tuple[Discount, ...]
    arms: tuple[Branch, ...]  # up to three, heaviest first; none if no arm holds a fair share
    share_of_outer: int  # of a nested function: what it adds to the function around it


class Function(Fact, frozen=True):
    """A function, method, or multi-line anonymous function.

    An anonymous function passed to a call is named after it and its first literal: `it('adds two numbers')`,
    `get('/users')`. Without a literal it is named as people would: `each block in Cart.total`.
    """

    name: str
    qualname: str
    start: int
    end: int
    parent: int  # index of the enclosing function, -1 at module or class level
    class_index: int  # index of the class this is a method of, else -1
    logic_lines: int  # lines holding code tokens of this function itself
    literal_lines: int  # of those, lines that lie inside a multi-line literal or markup
    params: tuple[Param, ...]
    cyclomatic: int
    cases: int  # of those, arms of a switch or match
    cognitive: int  # as published: nested functions included
    cognitive_own: int  # without nested functions
    nesting: int
    is_async: bool
    is_anonymous: bool
    is_test: bool
    decorators: tuple[str, ...]
    passed_to: str  # for an argument: the call it is handed to, as written
    raises: bool  # raises an error in its own body
    returns_value: bool  # returns something in its own body
    attributes: tuple[str, ...]  # attributes of self/this touched
    result: str = ""  # the type it returns, as written; before it `throws`, where a function says so
    in_test: bool = False  # stands in a part of a source file that holds tests
    # Attributes and entries it assigns to, as written: `self.total`, `cache[]`; and names of the module, where a local
    # of the same name is not told apart.
    writes: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()  # shapes of its return statements: nothing, empty, value, or `tuple 2`
    tangle: Tangle | None = None
    noun: str = ""  # of an anonymous one: what its language calls it, as block, closure or callback


class Class(Fact, frozen=True):
    """A class with its methods (indexes of functions) and the attributes they touch."""

    name: str
    qualname: str
    start: int
    end: int
    logic_lines: int
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    methods: tuple[int, ...]
    attributes: tuple[str, ...]


class ImportedName(Fact, frozen=True):
    """One name of an import. `name` is "*" for a star import, "default" for a default one; `alias` is the local name."""

    name: str
    alias: str


class Import(Fact, frozen=True):
    """One import as written. `target` is the module specifier; Python keeps its leading dots.

    `import a.b as c` has target "a.b" and no names, alias "c"; `from a import b as d` has names ((b, d),).
    """

    target: str
    line: int
    kind: EdgeKind
    names: tuple[ImportedName, ...]
    alias: str
    function: int
    guarded: bool  # inside a try whose handler copes with its absence


class Export(Fact, frozen=True):
    """A name other files may import from this one. `local` is its name in this file."""

    name: str
    line: int
    local: str


class Call(Fact, frozen=True):
    """A call with its receiver as written: `self.client.get`, `expect().toBe`. Arguments inside the receiver are cut.

    An assert statement is the call `assert`.
    """

    target: str
    line: int
    function: int
    awaited: bool

    @property
    def dotted(self) -> str:
        """The target with a dot for whatever a language writes between names: `this.save` for `$this->save`."""
        target = self.target
        if "::" in target or "->" in target:
            target = target.replace("::", ".").replace("->", ".")
        return target.removeprefix("$")


class Handler(Fact, frozen=True):
    """A clause that catches errors, and what it does with them.

    `does` holds words of: raise, return, return_empty (none, false, an empty value), return_value, continue, break,
    assign, call, decide (an if), uses_error; or `pass` alone for a body that does nothing; or `discard` alone for an
    error that is thrown away without a look (`_ = f()`), where `caught` names the call.
    """

    start: int
    end: int
    body_start: int  # of the guarded block
    body_end: int
    function: int
    caught: tuple[str, ...]  # types as written; empty when bare
    error_name: str
    does: tuple[str, ...]
    has_finally: bool
    has_else: bool  # a block that runs when nothing was raised: failing is one of two answers


class Comment(Fact, frozen=True):
    """One comment or docstring, markers included. `own_line` when no code stands before it."""

    line: int
    end: int
    text: str
    own_line: bool
    doc: bool  # a docstring, or a string that stands as a statement


class Text(Fact, frozen=True):
    """A string literal of interest: short, and shaped like a path, a dotted name or an environment variable."""

    value: str
    line: int
    function: int
    call: str  # the call it is a direct argument of, as written


class Statement(Fact, frozen=True):
    """A module-level statement that is neither an import nor a definition."""

    line: int
    end: int
    kind: str  # assign, call, if, loop, try, with, expression, other
    name: str  # assigned name or called target
    value: str  # kind of the assigned value: list, map, set, call, string, other


class ParseError(Fact, frozen=True):
    """A place the grammar could not read."""

    line: int
    end: int


class Reference(Fact, frozen=True):
    """A name the file uses that its imports need not spell out: a type, a constant, `package.Name`; and its first line."""

    name: str
    line: int


class Shape(Fact, frozen=True):
    """The shapes of a long function's code lines, packed: see crimes/languages/engine/shapes.py."""

    function: int
    lines: bytes


class Hidden(Fact, frozen=True):
    """A character that a reader does not see: it turns the direction of text, has no width, or is a tag."""

    line: int
    code: int  # its code point
    count: int  # on this line


class Repeat(Fact, frozen=True):
    """Something that stands twice in one decision, compared as written.

    `kind` is branch (an else that does what the arm before it does), value (of a conditional expression),
    condition (asked before in the same chain), label (of a switch or match), or operand (of one run of `&&` or `||`).
    """

    kind: str
    line: int  # of the repetition
    end: int
    first: int  # line of what it repeats
    function: int
    text: str  # what repeats, or of arms their conditions; on one line, cut
    tokens: int  # in what repeats
    alike: int = 0  # arms that do the same
    arms: int = 0  # of the chain, with its else; 2 for a condition or label, which only counts both places


class Overwrite(Fact, frozen=True):
    """A parameter that its function assigns, on every path, before anything reads it."""

    name: str
    line: int
    function: int


class Mention(Fact, frozen=True):
    """Something a document names in code quotes, a link or a command block."""

    text: str
    line: int
    kind: str  # code, link, command
    context: str  # the sentence or heading around it, for judging examples


class Outline(Fact, frozen=True):
    """What nearly everybody asks of a file: after an edit it is all that is needed of most files."""

    language: str
    lines: int
    logic_lines: int
    generated: str  # the words that say that a program wrote it, or that it was copied; else empty
    classes: tuple[Class, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    definitions: tuple[str, ...] = ()  # names bound at module level, sorted
    errors: tuple[ParseError, ...] = ()
    mentions: tuple[Mention, ...] = ()
    packages: tuple[str, ...] = ()  # packages or namespaces the file says it belongs to
    hidden: tuple[Hidden, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    overwrites: tuple[Overwrite, ...] = ()


class FileFacts(Outline, frozen=True):
    """All that is known of one file by itself."""

    functions: tuple[Function, ...] = ()
    calls: tuple[Call, ...] = ()
    handlers: tuple[Handler, ...] = ()
    comments: tuple[Comment, ...] = ()
    texts: tuple[Text, ...] = ()
    statements: tuple[Statement, ...] = ()
    # Sorted; only for languages whose files see each other without an import.
    references: tuple[Reference, ...] = ()
    shapes: tuple[Shape, ...] = ()
