"""How a sentence names a function, also one that has no name."""

from __future__ import annotations

from collections.abc import Sequence

from crimes.model.facts import Function


def function_phrase(
    functions: Sequence[Function], function: Function, *, adjective: str = "", qualified: bool = False
) -> str:
    """The function inside a sentence; an anonymous one by what it is passed to and what holds it.

    `functions` are all of its file. `adjective` stands before an anonymous one: "the async callback passed to `get`".
    """
    if not function.is_anonymous:
        return f"`{function.qualname if qualified else function.name}`"
    outer = function
    while outer.is_anonymous and outer.parent >= 0:
        outer = functions[outer.parent]
    holder = "" if outer.is_anonymous else f" in `{outer.qualname}`"
    kind = f"{adjective} " if adjective else ""
    if function.passed_to:
        call = function.name.removesuffix(f" {function.noun}")
        return f"the {kind}{function.noun} passed to `{call}`{holder}"
    noun = f"{kind}{function.noun}"
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}{holder}"


def function_subject(functions: Sequence[Function], function: Function, *, adjective: str = "") -> str:
    """The same at the beginning of a sentence."""
    phrase = function_phrase(functions, function, adjective=adjective)
    return phrase[0].upper() + phrase[1:]
