"""What the walk gathers inside a function, class, try or handler; and how complexity adds up.

Cognitive complexity follows the published definition: a structure that breaks the flow costs 1 plus its nesting; `else`, `elif`,
a run of one logical operator, a labelled jump and recursion cost 1; nested functions deepen the nesting and count for
the function around them. `own` leaves out nested functions and conditions inside markup.
"""

from __future__ import annotations

from crimes.languages.engine.nodes import Node
from crimes.model.facts import Param, Tangle

# A path cannot be longer. Names of 100,000 parts, or scopes nested as deeply, take the square of their length later on.
MAX_DOTTED_CHARS = 4_000


class FunctionFrame:
    """A function being read. The module itself is the frame with index -1."""

    # Defaults live on the class: most functions never touch most of them.
    parent = -1
    class_index = -1
    params: tuple[Param, ...] = ()
    passed_to = ""
    noun = ""  # of an anonymous function: what its language calls it
    title = ""  # of an anonymous function that nothing tells apart: how people would name it
    holder = ""  # the qualified name of what is around it, without functions that have only a title
    is_async = is_test = in_test = anonymous = recursive = raises = returns_value = False
    result = ""
    self_prefix = b""  # how this function writes its own object, where each names it
    node: Node | None = None
    body: Node | None = None
    flat = False  # wraps one function and nothing else: adds no nesting to it
    statement_like = True  # stands on lines of its own
    nest = control = markup = 0
    lambdas = 0  # functions around this place that are too small to be facts
    head = 0  # offset where its name or parameters begin: decorators before it are its own
    cognitive = own = structural = 0
    cyclomatic = 1
    cases = nesting = 0
    tangle: Tangle | None = None

    def __init__(self, index: int, name: str, qualname: str, start: int, end: int) -> None:
        self.index = index
        self.name = name
        self.qualname = qualname
        self.start = start
        self.end = end
        self.decorators: list[str] = []
        self.attributes: set[str] = set()
        self.writes: set[str] = set()
        self.returns: set[str] = set()
        self.words: set[bytes] = set()  # names used, where fields of the object have no prefix
        self.literals: list[tuple[int, int]] = []  # line spans of outermost multi-line literals
        self.nested: list[tuple[int, int]] = []  # line spans that belong to nested functions

    def add_nested_cost(self) -> None:
        """Add a structure that breaks the flow: 1 plus its nesting."""
        self.cognitive += 1 + self.nest
        self.structural += 1
        if not self.markup:
            self.own += 1 + self.nest

    def add_flat_cost(self) -> None:
        """Add 1, whatever the nesting."""
        self.cognitive += 1
        if not self.markup:
            self.own += 1

    def enter(self, control: int) -> None:
        """Go inside a structure, `control` levels of control flow deeper."""
        self.control += control
        if self.control > self.nesting:
            self.nesting = self.control

    def leave(self, nest: int, control: int) -> None:
        self.nest -= nest
        self.control -= control

    def absorb(self, inner: FunctionFrame) -> None:
        """Add the cost of a nested function, one level deeper."""
        deeper = self.nest + (0 if self.flat else 1)
        self.cognitive += inner.cognitive + inner.structural * deeper
        self.structural += inner.structural


class Namespace:
    """A namespace being read: what it holds is not the module's."""

    def __init__(self, qualname: str) -> None:
        self.qualname = qualname


class ClassFrame:
    """A class being read."""

    def __init__(self, index: int, name: str, qualname: str, start: int, end: int, head: int) -> None:
        self.index = index
        self.name = name
        self.qualname = qualname
        self.start = start
        self.end = end
        self.head = head  # offset where its body begins: decorators before it are its own
        self.bases: tuple[str, ...] = ()
        self.decorators: list[str] = []
        self.methods: list[int] = []
        self.fields: set[bytes] = set()
        self.spans: list[tuple[int, int]] = []  # lines of methods that stand outside its body


class HandlerFrame:
    """A catching clause being read."""

    def __init__(self, start: int, end: int, function: FunctionFrame, guarded: tuple[int, int]) -> None:
        self.start = start  # offsets
        self.end = end
        self.function = function
        self.guarded = guarded
        self.body = start  # offset after which the error's name counts as used
        self.caught: tuple[str, ...] = ()
        self.error_name = ""
        self.does: set[str] = set()


class TryFrame:
    """A try statement being read; its handlers are finished when it ends, since `finally` comes last."""

    def __init__(self, body: tuple[int, int], first_import: int) -> None:
        self.body = body
        self.first_import = first_import
        self.handlers: list[HandlerFrame] = []
        self.has_finally = self.has_else = False


def qualified(outer: str, name: str) -> str:
    """A name within a scope; the name alone where the names around it are longer than those of any program."""
    return f"{outer}.{name}" if 0 < len(outer) < MAX_DOTTED_CHARS else name


def prefix_of(scope: FunctionFrame | ClassFrame | Namespace) -> str:
    """What the qualified names inside a scope begin with: a function passed to no call is left out."""
    if isinstance(scope, FunctionFrame) and scope.title and not scope.passed_to:
        return scope.holder
    return scope.qualname
