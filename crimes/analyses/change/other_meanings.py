"""Whether a word of the code may stand for something else than one member: another definition, a field, a name made at run time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from crimes.analyses.change.bindings import is_in_string
from crimes.languages import by_id
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

_AFTER_OBJECT = (".", "->", "::")
_ASSIGNED = regex(r"\s*(?:[-+*/|&]|\|\||&&|\?\?)?=(?![=~>])")
_CALLED = regex(r"\s*\(")
_KEY = regex(r"\s*\??:(?!:)")
_LABEL = regex(r"(?:\s+\w+)?\s*:")
_LOCAL = regex(r"^\s*(?:(?:let|var|const|val|auto|final|mut)\s+)*(?:[\w<>\[\].]+\s+)?$")
# Words that name what follows them: a definition, an import, another name for something.
_NAMING = regex(
    r"\b(?:def|fn|fun|func|function|class|struct|enum|trait|interface|type|module|namespace|import|as|alias|from|use|global|get|set)\s+(?:self\.)?$"
)
# Calls that take the name of a member as a string or symbol, and of a test.
_USING = regex(
    r"(?:\b(?:getattr|hasattr|object|methodcaller|spyOn|stub|receive|have_received|send|public_send|__send__|respond_to|method|describe|context|it|test)[?!]?[\s(][^\"':]{0,100}|&)[\"':]$"
)


def may_mean_other(facts: FileFacts, code: Sequence[str], name: str, own_lines: frozenset[int]) -> bool:
    """Whether a file uses a name in any way but as a member of some object, a plain call or a local variable.

    `own_lines` are those of the member in question.
    """
    pattern = _word(name)
    bare_calls = {call.line for call in facts.calls if call.target == name}
    for number, line in enumerate(code, start=1):
        if name not in line or number in own_lines:
            continue
        for match in pattern.finditer(line):
            before, after = line[: match.start()], line[match.end() :]
            if _is_other(facts, number, before, after, is_bare_call=number in bare_calls):
                return True
    return False


def _is_other(facts: FileFacts, line: int, before: str, after: str, *, is_bare_call: bool) -> bool:
    if is_in_string(before, len(before)):
        is_whole = before[-1:] in ("'", '"', "`", ":") and after[:1] == before[-1:]
        return (is_whole and _USING.search(before) is None) or _NAMING.search(before) is not None
    start = before.rstrip()
    if start.endswith(_AFTER_OBJECT) and not start.endswith("..."):
        return _ASSIGNED.match(after) is not None
    if start.endswith(":"):
        return _USING.search(before) is None  # a symbol, or a value after a key
    if _NAMING.search(before):
        return True
    if _is_label(facts, before, after):
        return False
    if _CALLED.match(after):
        return not is_bare_call
    if not any(function.start <= line <= function.end for function in facts.functions):
        return True  # a field, or a name of the file
    if _KEY.match(after):
        return True
    if _ASSIGNED.match(after):
        return _LOCAL.match(before) is None  # by name: it may become a field
    has_shorthand = by_id[facts.language].traits.named_arguments == "object"  # `{ name }` makes a member
    return has_shorthand and _is_shorthand(start, after)


def _is_label(facts: FileFacts, before: str, after: str) -> bool:
    """Whether a word labels an argument or a parameter, where that is not the name of a member."""
    if not by_id[facts.language].traits.argument_labels:
        return False
    is_in_brackets = before.count("(") > before.count(")") or not before.strip()
    return is_in_brackets and _LABEL.match(after) is not None


def _is_shorthand(start: str, after: str) -> bool:
    rest = after.lstrip()
    return start[-1:] == "{" or (start[-1:] in ("", ",") and rest[:1] in ("}", ",", ""))


@cache
def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
