"""A copy of C or C++ source that the grammar can parse although no preprocessor has run.

Nothing is expanded. Text where only a macro can be (an attribute, alone on a line, between two strings) is blanked, and a
macro that defines a function gets arguments that look like parameters. Every byte keeps its offset, so positions in the
syntax tree are positions in the source.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from crimes.languages.c.conditionals import broken_conditionals
from crimes.languages.c.macros import Macro, MacroUse, judge
from crimes.languages.c.spots import BLANK, NAMED
from crimes.model.lazy_regex import regex

_COMMENT_OR_LITERAL = regex(
    rb'//(?:[^\n\\]|\\.)*|/\*.*?(?:\*/|\Z)|R"(?P<d>[^\s()\\]{0,16})\(.*?(?:\)(?P=d)"|\Z)|"(?:[^"\\\n]|\\.)*"'
    rb"|(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\[^\n][^'\n]{0,8})'",
    re.DOTALL,
)
_CONDITIONAL = rb"(?:if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b"
_REST_OF_LINE = rb"(?:[^\n\\]|\\\r?\n|\\.)*"
_OTHER_DIRECTIVE = regex(rb"^[ \t]*#[ \t]*+(?!" + _CONDITIONAL + rb")" + _REST_OF_LINE, re.MULTILINE)
_DIRECTIVE = regex(rb"^[ \t]*#" + _REST_OF_LINE, re.MULTILINE)
_FEATURE_CHECK = regex(rb"\b(?=\w*?(?i:has_)\w)\w++\s*+\([^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+\)")
_MACRO = regex(
    rb"\b_{0,2}[A-Z][A-Z0-9_]{2,}\b|^(?:Test|\w++(?<=_TEST|_Test))(?=\()|\b(?=\w*?(?:foreach|for_each))\w++(?=[ \t]*+\()",
    re.MULTILINE,
)
_ARGUMENTS = regex(rb"[ \t]*\([^()]*(?:\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)[^()]*)*\)")
_LOOP = regex(rb"(?i)for_?each|_FOR_|iterate|loop")
_PARAMETER = regex(rb"\s*(?:[A-Za-z_][\w:]*(?:<[^<>]*>)?(?:\s*[&*]+|\s+[A-Za-z_]\w*)?)?\s*")
_BRACE_OWNER = regex(rb"\b(class|struct|union|namespace|extern|enum)\b[^;{}()=]*\Z")
_BLOCK_HEAD = regex(rb"[;{}]\s*(([a-z_]\w*)\s*\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\))(?=\s*\{)")
_STATEMENT_KEYWORDS = frozenset([b"if", b"for", b"while", b"switch", b"catch", b"constexpr", b"requires"])
_FUNCTION = b"int f()"
_TYPE_PARAMETER = b"class x"
_INCLUDE_END = regex(rb"^[ \t]*#[ \t]*include[ \t]*(?:\"[^\"\n]*\"|<[^>\n]*>)([ \t]+)$", re.MULTILINE)
_BLANK = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def repair(source: bytes) -> bytes:
    """The source, equally long, with what only the preprocessor understands blanked out."""
    return _Copy(source).repair()


class _Copy:
    """The copy being repaired, and the same text without comments and strings, to search for macros."""

    def __init__(self, source: bytes) -> None:
        self._out = bytearray(source)
        self._code = bytearray(source)
        self._braces: tuple[list[int], list[str]] | None = None
        comments = []
        for match in _COMMENT_OR_LITERAL.finditer(source):
            self._code[match.start() : match.end()] = _masked(match.group())
            if source.startswith(b"/*", match.start()):
                comments.append(match.span())
        for match in _DIRECTIVE.finditer(bytes(self._code)):
            at = bisect_left(comments, (match.start(), 0))
            while at < len(comments) and comments[at][0] < match.end():
                start, end = comments[at]
                if b"\n" in source[match.start() : end]:  # the grammar mishandles multi-line ones
                    self._blank(start, end)
                at += 1

    def repair(self) -> bytes:
        for line in _DIRECTIVE.finditer(bytes(self._code)):
            if line.group().lstrip(b"# \t").startswith((b"if", b"elif")):
                for match in _FEATURE_CHECK.finditer(line.group()):
                    self._overwrite(line.start() + match.start(), line.start() + match.end(), b"1")
        flat = _OTHER_DIRECTIVE.sub(lambda match: match.group().translate(_BLANK), bytes(self._code))
        for start, end in broken_conditionals(flat):
            self._blank(start, end)
        for match in _DIRECTIVE.finditer(bytes(self._code)):
            self._code[match.start() : match.end()] = match.group().translate(_BLANK)
        # The grammar stumbles over some of the spaces after an include.
        for match in _INCLUDE_END.finditer(bytes(self._out)):
            space = match.end(1) - match.start(1)
            self._out[match.start(1) : match.end(1)] = b"//".ljust(space) if space > 1 else b"\r"
        self._rewrite_macros()
        self._blank_block_heads()
        self._rewrite_spots()
        return bytes(self._out)

    def _rewrite_spots(self) -> None:
        for word, pattern in BLANK:
            code = bytes(self._code)
            for match in re.finditer(pattern, code, re.MULTILINE) if word in code else ():
                self._blank(*match.span(1))
        for word, pattern, name in NAMED:
            code = bytes(self._code)
            for match in re.finditer(pattern, code) if word in code else ():
                self._overwrite(*match.span(1), name)

    def _rewrite_macros(self) -> None:
        """Rewrite each macro; macros in its arguments are looked at only if it stays."""
        code, end = bytes(self._code), 0
        for match in _MACRO.finditer(code):
            if match.start() < end:
                continue
            arguments = _ARGUMENTS.match(code, match.end())
            stop = arguments.end() if arguments else match.end()
            macro = Macro(self._code, match.start(), match.end(), stop)
            use = judge(macro, lambda at: self._scope_at(code, at))
            if use is MacroUse.BLANK:
                self._blank(match.start(), stop)
                end = stop
            elif use is MacroUse.BLOCK:
                self._blank(match.start(), stop)
                if _LOOP.search(match.group()) and stop - match.start() >= 7:
                    self._overwrite(match.start(), stop, b"for(;;)")
                end = stop
            elif use is MacroUse.FUNCTION and arguments:
                start = code.index(b"(", match.end()) + 1
                parameters = b",".join(map(_as_parameter, code[start : stop - 1].split(b",")))
                self._out[start : stop - 1] = self._code[start : stop - 1] = parameters
                end = stop
            elif use is MacroUse.NAME:
                self._overwrite(match.start(), stop, b"x")
                end = stop
            elif use is MacroUse.TYPE and stop - match.start() >= len(_TYPE_PARAMETER):
                self._overwrite(match.start(), stop, _TYPE_PARAMETER)
                end = stop
            elif use is MacroUse.HEAD and stop - match.start() >= len(_FUNCTION):
                self._overwrite(match.start(), stop, _FUNCTION)
            elif use is MacroUse.UNWRAP:
                self._blank(match.start(), code.index(b"(", match.end()) + 1)
                self._blank(stop - 1, stop)
            elif use is MacroUse.STATEMENTS:
                for word in re.finditer(rb"\b(?:return|throw)\b|;(?=\s*\))", code[match.end() : stop]):
                    self._blank(match.end() + word.start(), match.end() + word.end())

    def _blank_block_heads(self) -> None:
        """Blank heads of blocks that only a macro can be: `run_every(100) {`."""
        code = bytes(self._code)
        for match in _BLOCK_HEAD.finditer(code):
            if match[2] not in _STATEMENT_KEYWORDS and self._scope_at(code, match.start(1)) == "statements":
                self._blank(*match.span(1))

    def _blank(self, start: int, end: int) -> None:
        for text in (self._out, self._code):
            text[start:end] = text[start:end].translate(_BLANK)

    def _overwrite(self, start: int, end: int, name: bytes) -> None:
        """Replace a span by a short name and blanks."""
        self._blank(start, end)
        for text in (self._out, self._code):
            text[start : start + len(name)] = name

    def _scope_at(self, code: bytes, at: int) -> str:
        """What the braces around an offset hold."""
        if self._braces is None:
            self._braces = _brace_scopes(code)
        positions, scopes = self._braces
        index = bisect_left(positions, at) - 1
        return scopes[index] if index >= 0 else "declarations"


def _brace_scopes(code: bytes) -> tuple[list[int], list[str]]:
    """Positions of braces, and what the code after each holds."""
    positions: list[int] = []
    scopes: list[str] = []
    stack = ["declarations"]
    for match in re.finditer(rb"[{}]", code):
        at = match.start()
        if match.group() == b"{":
            head = _BRACE_OWNER.search(code[max(at - 300, 0) : at])
            stack.append("statements" if head is None else "names" if head[1] == b"enum" else "declarations")
        elif len(stack) > 1:
            stack.pop()
        positions.append(at)
        scopes.append(stack[-1])
    return positions, scopes


def _as_parameter(argument: bytes) -> bytes:
    """The argument itself if it can pass for a parameter, else with underscores for characters a name cannot have."""
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
