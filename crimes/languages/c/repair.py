"""A copy of C or C++ source that the grammar can read: without the preprocessor, macros look like nothing it knows.

Nothing is expanded. What stands where only a macro can stand (an attribute, a line of its own, between two strings) is made
blank, and a macro that makes a function gets arguments that look like parameters. Every byte stays where it was, so all
that is read from the tree is read from the source itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from crimes.languages.c.conditionals import broken_conditionals
from crimes.languages.c.macros import Macro, MacroUse, judge
from crimes.languages.c.spots import BLANK, NAMED
from crimes.model.lazy_regex import regex

_HIDDEN = regex(
    rb'//(?:[^\n\\]|\\.)*|/\*.*?\*/|R"(?P<d>[^\s()\\]{0,16})\(.*?\)(?P=d)"|"(?:[^"\\\n]|\\.)*"'
    rb"|(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\[^\n][^'\n]{0,8})'",
    re.DOTALL,
)
_CONDITIONAL = rb"(?:if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b"
_REST = rb"(?:[^\n\\]|\\\r?\n|\\.)*"
_OTHER_DIRECTIVE = regex(rb"^[ \t]*#[ \t]*+(?!" + _CONDITIONAL + rb")" + _REST, re.MULTILINE)
_DIRECTIVE = regex(rb"^[ \t]*#" + _REST, re.MULTILINE)
_HAS = regex(rb"\b\w*(?i:has_)\w+\s*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_MACRO = regex(
    rb"\b_{0,2}[A-Z][A-Z0-9_]{2,}\b|^(?:Test|\w+_(?:TEST|Test))(?=\()|\b\w*(?:foreach|for_each)\w*(?=[ \t]*\()",
    re.MULTILINE,
)
_ARGUMENTS = regex(rb"[ \t]*\([^()]*(?:\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)[^()]*)*\)")
_LOOP = regex(rb"(?i)for_?each|_FOR_|iterate|loop")
_PARAMETER = regex(rb"\s*(?:[A-Za-z_][\w:]*(?:<[^<>]*>)?(?:\s*[&*]+|\s+[A-Za-z_]\w*)?)?\s*")
_OPENS = regex(rb"\b(class|struct|union|namespace|extern|enum)\b[^;{}()=]*\Z")
_BLOCK_HEAD = regex(rb"[;{}]\s*(([a-z_]\w*)\s*\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\))(?=\s*\{)")
_STATEMENT_WORDS = frozenset([b"if", b"for", b"while", b"switch", b"catch", b"constexpr", b"requires"])
_FUNCTION = b"int f()"
_TYPE_PARAMETER = b"class x"
_INCLUDE_END = regex(rb"^[ \t]*#[ \t]*include[ \t]*(?:\"[^\"\n]*\"|<[^>\n]*>)([ \t]+)$", re.MULTILINE)
_BLANK = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def repair(source: bytes) -> bytes:
    """The source with what only the preprocessor understands made blank, as long as before."""
    return _Copy(source).repaired()


class _Copy:
    """The copy in the making, and the same without comments and strings to look for macros in."""

    def __init__(self, source: bytes) -> None:
        self._out = bytearray(source)
        self._code = bytearray(source)
        self._braces: tuple[list[int], list[str]] | None = None
        comments = []
        for match in _HIDDEN.finditer(source):
            self._code[match.start() : match.end()] = _masked(match.group())
            if source.startswith(b"/*", match.start()):
                comments.append(match.span())
        for match in _DIRECTIVE.finditer(bytes(self._code)):
            at = bisect_left(comments, (match.start(), 0))
            while at < len(comments) and comments[at][0] < match.end():
                start, end = comments[at]
                if b"\n" in source[match.start() : end]:  # the grammar loses its way in those of many lines
                    self._blank(start, end)
                at += 1

    def repaired(self) -> bytes:
        for line in _DIRECTIVE.finditer(bytes(self._code)):
            if line.group().lstrip(b"# \t").startswith((b"if", b"elif")):
                for match in _HAS.finditer(line.group()):
                    self._name(line.start() + match.start(), line.start() + match.end(), b"1")
        flat = _OTHER_DIRECTIVE.sub(lambda match: match.group().translate(_BLANK), bytes(self._code))
        for start, end in broken_conditionals(flat):
            self._blank(start, end)
        for match in _DIRECTIVE.finditer(bytes(self._code)):
            self._code[match.start() : match.end()] = match.group().translate(_BLANK)
        for match in _INCLUDE_END.finditer(
            bytes(self._out)
        ):  # the grammar stumbles over some of these spaces
            space = match.end(1) - match.start(1)
            self._out[match.start(1) : match.end(1)] = b"//".ljust(space) if space > 1 else b"\r"
        self._macros()
        self._blocks()
        self._spots()
        return bytes(self._out)

    def _spots(self) -> None:
        for word, pattern in BLANK:
            code = bytes(self._code)
            for match in re.finditer(pattern, code, re.MULTILINE) if word in code else ():
                self._blank(*match.span(1))
        for word, pattern, name in NAMED:
            code = bytes(self._code)
            for match in re.finditer(pattern, code) if word in code else ():
                self._name(*match.span(1), name)

    def _macros(self) -> None:
        """Each macro in its turn; what one is given is looked at only if it stays."""
        code, end = bytes(self._code), 0
        for match in _MACRO.finditer(code):
            if match.start() < end:
                continue
            given = _ARGUMENTS.match(code, match.end())
            stop = given.end() if given else match.end()
            macro = Macro(self._code, match.start(), match.end(), stop)
            verdict = judge(macro, lambda at: self._place(code, at))
            if verdict is MacroUse.BLANK:
                self._blank(match.start(), stop)
                end = stop
            elif verdict is MacroUse.BLOCK:
                self._blank(match.start(), stop)
                if _LOOP.search(match.group()) and stop - match.start() >= 7:
                    self._name(match.start(), stop, b"for(;;)")
                end = stop
            elif verdict is MacroUse.FUNCTION and given:
                start = code.index(b"(", match.end()) + 1
                named = b",".join(map(_as_parameter, code[start : stop - 1].split(b",")))
                self._out[start : stop - 1] = self._code[start : stop - 1] = named
                end = stop
            elif verdict is MacroUse.NAME:
                self._name(match.start(), stop, b"x")
                end = stop
            elif verdict is MacroUse.TYPE and stop - match.start() >= len(_TYPE_PARAMETER):
                self._name(match.start(), stop, _TYPE_PARAMETER)
                end = stop
            elif verdict is MacroUse.HEAD and stop - match.start() >= len(_FUNCTION):
                self._name(match.start(), stop, _FUNCTION)
            elif verdict is MacroUse.UNWRAP:
                self._blank(match.start(), code.index(b"(", match.end()) + 1)
                self._blank(stop - 1, stop)
            elif verdict is MacroUse.STATEMENTS:
                for word in re.finditer(rb"\b(?:return|throw)\b|;(?=\s*\))", code[match.end() : stop]):
                    self._blank(match.end() + word.start(), match.end() + word.end())

    def _blocks(self) -> None:
        """`run_every(100) {`: a head that only a macro can be."""
        code = bytes(self._code)
        for match in _BLOCK_HEAD.finditer(code):
            if match[2] not in _STATEMENT_WORDS and self._place(code, match.start(1)) == "statements":
                self._blank(*match.span(1))

    def _blank(self, start: int, end: int) -> None:
        for text in (self._out, self._code):
            text[start:end] = text[start:end].translate(_BLANK)

    def _name(self, start: int, end: int, name: bytes) -> None:
        """Write a short name where something else stood."""
        self._blank(start, end)
        for text in (self._out, self._code):
            text[start : start + len(name)] = name

    def _place(self, code: bytes, at: int) -> str:
        """What the braces around an offset hold."""
        if self._braces is None:
            self._braces = _nesting(code)
        positions, places = self._braces
        index = bisect_left(positions, at) - 1
        return places[index] if index >= 0 else "declarations"


def _nesting(code: bytes) -> tuple[list[int], list[str]]:
    """Positions of braces, and what follows each."""
    positions: list[int] = []
    places: list[str] = []
    stack = ["declarations"]
    for match in re.finditer(rb"[{}]", code):
        at = match.start()
        if match.group() == b"{":
            head = _OPENS.search(code[max(at - 300, 0) : at])
            stack.append("statements" if head is None else "names" if head[1] == b"enum" else "declarations")
        elif len(stack) > 1:
            stack.pop()
        positions.append(at)
        places.append(stack[-1])
    return positions, places


def _as_parameter(argument: bytes) -> bytes:
    """An argument as it is if it can pass for a parameter, else with underscores for what cannot stand in a name."""
    if _PARAMETER.fullmatch(argument):
        return argument
    inner = argument.strip()
    start = argument.index(inner)
    name = re.sub(rb"^\d|[^\w\r\n]", b"_", inner)
    return argument[:start] + name + argument[start + len(inner) :]


def _masked(text: bytes) -> bytes:
    """Blank, but a string keeps its quotes."""
    blank = text.translate(_BLANK)
    if text[:1] in b"\"'":
        return text[:1] + blank[1:-1] + text[-1:]
    return blank
