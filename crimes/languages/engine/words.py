"""Source slices as the short texts that facts hold: call targets, literal values, names."""

from __future__ import annotations

import re
from functools import lru_cache

from crimes.model.lazy_regex import regex

_GROUPS = regex(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}|`[^`]*`|\"[^\"\n]*\"|'[^'\n]*'")
_MARKS = {"(": "\0", "[": "\1"}
_KEYWORD = regex(r"\b(?:(?:new|await|yield|try)\s+|try[?!]\s*)")
_GENERICS = regex(r"<[^()]*>$", within=500)
_SPACE = regex(r"\s+")
_SEGMENT = regex(r"(?<![\w$])[\w$]++\Z")  # ++ and the look-behind: a long word is scanned once
_NAMES = regex(r"(?<![\w$])[\w$]++(?!\s*:)(?=\s*[,=}\])]|\s*\Z)")
_DECLARED = regex(r"\b(?:val|var)\s+([\w$]+)\Z")
_DEFAULT = regex(r"=(?!>)[^,}\])]*")
_QUOTED = regex(r"""^[rRuUbB]{0,2}("{3}|'{3}|["'`])(.*)\1$""", re.DOTALL)  # no f"…": it is not one value
MAX_TEXT_CHARS = 120
MAX_CALLEE_BYTES = 1000

# Literals of interest: a dotted or namespaced name, a relative path, an environment variable.
INTERESTING = regex(
    rb"""^[rRuUbB]{0,2}(?P<q>["'`])(?P<value>
        [A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_]\w*)?
      | \\{0,2}[A-Z]\w*(?:\\{1,2}[A-Z]\w*)+
      | \.{1,2}/[\w@./-]{1,180}
      | [A-Z][A-Z0-9]*_[A-Z0-9_]{1,60}
    )(?P=q)$""",
    re.VERBOSE,
)
EMPTY_VALUES = frozenset(
    {"None", "null", "nullptr", "NULL", "undefined", "default", "nil", "False", "false", "0", "-1"}
    | {"''", '""', "[]", "{}", "()", "set()", "dict()", "list()", "0L", "0.0", "Boolean.FALSE", "Nil"}
    | {"Optional.empty()", "Stream.empty()", "Mono.empty()", "Flux.empty()"}
    | {"Collections.emptyList()", "Collections.emptyMap()", "Collections.emptySet()"}
    | {"ImmutableList.of()", "ImmutableMap.of()", "ImmutableSet.of()"}
    | {"List.of()", "Map.of()", "Set.of()", "emptyList()", "emptyMap()", "emptySet()"}
    | {"emptyArray()", "emptySequence()", "listOf()", "mapOf()", "setOf()"}
    | {"Option.empty", "Seq.empty", "List.empty", "Map.empty", "Set.empty", "Vector.empty", "List()", "Seq()"}
)


def call_target(source: bytes, start: int, end: int) -> str:
    """A callee as written, with arguments and subscripts inside it cut: `expect(x).toBe` -> `expect().toBe`.

    Of a long fluent chain only the end is taken: the rest would be scanned again for each of its calls.
    """
    if end - start > MAX_CALLEE_BYTES:
        return "…" + last_segment(source[end - MAX_TEXT_CHARS : end].decode("utf-8", "replace"))
    return _shorten(source[start:end])


@lru_cache(maxsize=100_000)
def _shorten(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    if len(text) <= MAX_TEXT_CHARS and (
        text.isidentifier() or (text[-1:] != "." and text.replace(".", "").isidentifier())
    ):
        return text
    if "(" in text or "[" in text or "{" in text or len(text) > MAX_TEXT_CHARS:
        before = ""
        while before != text:  # innermost groups first; each pass removes one level
            before = text
            text = _GROUPS.sub(_mark_group, text)
        text = text.replace("\0", "()").replace("\1", "[]")
    if "<" in text:
        text = _GENERICS.sub("", text).removesuffix("::")
    text = _SPACE.sub("", _KEYWORD.sub("", text)).replace("?.", ".").replace("&.", ".").rstrip(".!:")
    return text if len(text) <= MAX_TEXT_CHARS else "…" + text[-MAX_TEXT_CHARS:]


def _mark_group(group: re.Match[str]) -> str:
    return _MARKS.get(group[0][0], "")


def last_segment(text: str) -> str:
    """The last name of a dotted text."""
    match = _SEGMENT.search(text)
    return match.group() if match else text


def bound_names(raw: bytes) -> list[str]:
    """Names a pattern on the left of an assignment binds: `{ a, b: c, ...d }` -> a, c, d."""
    text = raw.decode("utf-8", "replace")
    if text.isidentifier():
        return [text]
    if text[:1] in "{[(" or "," in text:
        return _NAMES.findall(_DEFAULT.sub("", text) if "=" in text else text)
    if _SEGMENT.match(text):  # names with a $
        return [text]
    declared = _DECLARED.search(text)  # `@Api const val x`, which some grammar parses as an expression
    return [declared.group(1)] if declared else []


def literal_value(raw: bytes) -> str | None:
    """The inside of a string literal, or None when it is not one plain literal."""
    match = _QUOTED.match(raw.decode("utf-8", "replace"))
    return match.group(2) if match else None
