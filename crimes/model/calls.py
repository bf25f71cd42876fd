"""The nouns of calls: parameters, arguments, and what names are bound to. Read from a file on demand, never kept."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Parameter(Struct, frozen=True):
    """A parameter. `kind` is empty, `keyword` (by name only), `rest` (any more arguments) or `keywords` (any more names)."""

    name: str
    is_required: bool
    kind: str = ""


class Arguments(Struct, frozen=True):
    """What a call passes. `is_open`: something in it stands for an unknown number of arguments.

    `fills_rest`: after the positional ones, it passes all that a last parameter for any number of arguments takes.
    """

    positional: int
    keywords: tuple[str, ...] = ()
    is_open: bool = False
    fills_rest: bool = False


class CallSite(Struct, frozen=True):
    """A call. `target` and `function` are those of the call's fact."""

    target: str
    line: int
    function: int
    arguments: Arguments
    creates: bool  # `new Order()`
    text: bytes  # as written


class Binding(Struct, frozen=True):
    """A name or field with the type it is declared with, or the call whose result it holds; both empty if unknown."""

    name: str
    line: int
    function: int
    type: str = ""
    value: str = ""  # target of the call
    creates: bool = False  # that call is `new Order()`
    index: int = 0  # in a list of names that share one value
    key: str = ""  # of a destructured name


class CallOutline(Struct, frozen=True):
    """The calls of a file, and what they need to be understood."""

    parameters: tuple[
        tuple[Parameter, ...] | None, ...
    ]  # by function; None if they are not those of the name
    calls: tuple[CallSite, ...]
    names: Mapping[int, tuple[Binding, ...]]  # by function
    fields: tuple[Binding, ...]
    own_names: Mapping[int, str]  # by function: what it calls its own object, where each names it
    overloaded: frozenset[str]  # names with further signatures that are no functions
    overriding: frozenset[int]  # functions that say that they are inherited too
    inert_bases: frozenset[str]  # bases that bring no methods
    mixins: frozenset[int]  # lines that add methods to the class around them
