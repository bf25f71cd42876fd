"""Guess what a macro does from the code around its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, auto

from crimes.model.lazy_regex import regex

_KEYWORDS = frozenset(
    b"if while for switch return sizeof catch else case goto throw new delete do co_return co_await co_yield defined "
    b"alignof decltype and or not static inline extern const constexpr typedef struct class enum union using namespace "
    b"public private protected template typename operator volatile virtual friend explicit unsigned signed".split()
)
_STATEMENT_WORDS = frozenset(b"return else goto case throw new delete co_return co_await co_yield".split())
_SPECIFIERS = frozenset(b"static inline extern const constexpr virtual typedef explicit friend".split())
_PRIMITIVE_TYPES = frozenset(b"void int char bool float double long short size_t auto".split())
_CLASS_KEYWORDS = frozenset([b"class", b"struct", b"enum", b"union"])
_AFTER_HEAD = frozenset([b"const", b"override", b"final", b"noexcept"])
_WORD = regex(rb"[A-Za-z_]\w*")
_QUALIFIED = regex(rb"[A-Za-z_](?:\w|::)*")
_WORD_BEFORE = regex(rb"(?<!\w)[A-Za-z_]\w*+\Z")
_DECLARATION_INSIDE = regex(
    rb"\s*\(\s*(?:const|static|struct|\w+_t|void|int|char|bool|float|double|long|short|unsigned)\s+[\w*]"
    rb"|\s*\(\s*[A-Za-z_]\w*\s+\*?\w+\s*=[^=]"
)
_DECLARATION_FOLLOWS = regex(
    rb"(?:static|inline|extern|const|constexpr|virtual|explicit|friend|typedef|template|struct|class|enum|union|void|int|char|bool"
    rb"|float|double|long|short|unsigned|signed|size_t|auto)\b"
    rb"|_{0,2}[A-Z][A-Z0-9_]{2,}\b(?:\s*\([^()]*\))?\s+\w|[A-Za-z_][\w:]*(?:<[^<>;{}()]*(?:<[^<>;{}()]*>[^<>;{}()]*)*>)?"
    rb"(?:\s*::\s*~?\w|\s+[A-Za-z_*&(~]|\s*[*&]+\s*[A-Za-z_])"
)
_PARAMETER_FOLLOWS = regex(
    rb"(?:(?:const|struct|enum|union|unsigned)\s+)*[A-Za-z_][\w:]*(?:<[^<>;{}()]*>)?(?:\s*[*&]+\s*|\s+)[A-Za-z_]\w*\s*[,)=]"
)
_ATTRIBUTE_NAME = regex(
    rb"(?:INLINE|CONSTEXPR|_API|EXPORTS?|EXTERN|NODISCARD|NORETURN|DEPRECATED|UNUSED|_PUBLIC|_LOCAL|EXPLICIT)\Z"
)
_TEMPLATE = regex(rb"\btemplate\s*<[^;{}()]*\Z")
_POINTER_FOLLOWS = regex(rb"\*\s*\w+\s*\)\s*\(")
_MAX_CONTEXT_BYTES = 400
_MAX_HEAD_BYTES = 4000  # the parameters of a function may span many lines


class MacroUse(Enum):
    """How to treat a macro."""

    KEEP = auto()
    BLANK = auto()  # an attribute, or alone on its line
    BLOCK = auto()  # heads a block of statements
    FUNCTION = auto()  # turns the block after it into a function
    UNWRAP = auto()  # wraps a declaration
    STATEMENTS = auto()  # takes statements as arguments
    NAME = auto()  # an enumerator
    TYPE = auto()  # a condition in a template parameter list
    HEAD = auto()  # the whole head of a function


class Macro:
    """A macro name with its arguments and the code around it."""

    def __init__(self, code: bytearray, start: int, name_end: int, end: int) -> None:
        self.code = code
        self.start = start
        self.name_end = name_end
        self.end = end  # after the arguments
        self.has_arguments = end > name_end
        head = bytes(code[max(start - _MAX_CONTEXT_BYTES, 0) : start])
        tail = bytes(code[end : end + _MAX_CONTEXT_BYTES])
        self.before = head.rstrip()
        self.after = tail.lstrip()
        self.starts_line = b"\n" in head[len(self.before) :] or not self.before
        self.ends_line = b"\n" in tail[: len(tail) - len(self.after)] or not self.after
        self.at_column_0 = head[-1:] in (b"", b"\n")
        self.previous = self.before[-1:]
        self.next = self.after[:1]

    def word_before(self) -> bytes:
        match = _WORD_BEFORE.search(self.before[-80:])
        return match.group() if match else b""

    def word_after(self) -> bytes:
        match = _WORD.match(self.after)
        return match.group() if match else b""


def judge(macro: Macro, scope_at: Callable[[int], str]) -> MacroUse:
    """The first rule that fits. `scope_at` tells what the braces around an offset hold: declarations, names or statements."""
    if macro.next == b"{" and macro.at_column_0 and macro.previous in (b"", b";", b"}"):
        return MacroUse.FUNCTION if macro.has_arguments else MacroUse.HEAD
    if macro.next == b"{" and macro.has_arguments:
        if macro.at_column_0:
            return MacroUse.FUNCTION
        if macro.previous in (b";", b"{", b"}", b":") and scope_at(macro.start) == "statements":
            return MacroUse.BLOCK
    listed = macro.previous in (b"{", b",") and macro.next in (b",", b"}", b"=")
    if macro.has_arguments and listed and scope_at(macro.start) == "names":
        return MacroUse.NAME
    if macro.next == b"{" and not macro.has_arguments and macro.previous in (b";", b"{", b"}"):
        return MacroUse.BLANK if scope_at(macro.start) == "statements" else MacroUse.KEEP
    if macro.has_arguments and macro.previous in (b",", b"<") and _TEMPLATE.search(macro.before):
        return MacroUse.TYPE
    if (macro.previous.isalnum() or macro.previous == b"_") and scope_at(macro.start) == "names":
        return MacroUse.BLANK  # an attribute of an enumerator
    if _is_attribute(macro):
        return MacroUse.BLANK
    if macro.has_arguments:
        inside = bytes(macro.code[macro.name_end : macro.end])
        if _DECLARATION_INSIDE.match(inside) and macro.next == b";" and macro.previous in (b";", b"{", b"}"):
            return MacroUse.UNWRAP
        if b";" in inside and macro.next == b";" and macro.previous in (b";", b"{", b"}"):
            return MacroUse.UNWRAP
        if b"return" in inside or b"throw " in inside or inside.rstrip(b") \t\r\n").endswith(b";"):
            return MacroUse.STATEMENTS
    return MacroUse.KEEP


def _is_attribute(macro: Macro) -> bool:
    if macro.previous == b"(" and _POINTER_FOLLOWS.match(macro.after):
        return True  # the calling convention of a function pointer
    if macro.previous == b"]" and macro.next == b";":
        return True  # an attribute of an array
    if b'"' in (macro.previous, macro.next):
        return True  # part of a string in pieces
    return (
        _follows_head(macro)
        or _is_alone_on_line(macro)
        or _is_among_words(macro)
        or _starts_declaration(macro)
    )


def _follows_head(macro: Macro) -> bool:
    """After the head of a function: `void f() LOCKS(m);`."""
    if not _ends_declaration(macro) and macro.word_after() not in _AFTER_HEAD:
        return False
    before = bytes(macro.code[max(macro.start - _MAX_HEAD_BYTES, 0) : macro.start]).rstrip()
    if re.search(rb"\)\s*(?:const\s*)?&+\Z", before[-40:]) and macro.next in (b";", b"{"):
        before = before.rstrip(b"&").rstrip() if b"const" in before[-10:] else before
    while (match := _WORD_BEFORE.search(before[-20:])) and match.group() in _AFTER_HEAD:
        before = before[: -len(match.group())].rstrip()
    if not before.endswith(b")"):
        return False
    head = before[: _opening_parenthesis(before)].rstrip()
    if (
        head.endswith(b"]")
        or re.search(rb"\(\s*\*\s*\w+\s*\)\Z", head[-80:])
        or re.search(rb"\boperator\W+\Z", head[-20:])
    ):
        return True  # a lambda or an operator
    word = _WORD_BEFORE.search(head[-80:])
    return word is not None and word.group() not in _KEYWORDS and not word.group().isupper()


def _ends_declaration(macro: Macro) -> bool:
    if macro.next in (b";", b"{", b"=", b",", b":", b")") or macro.after.startswith(b"->"):
        return True
    return macro.word_after().isupper()


def _is_alone_on_line(macro: Macro) -> bool:
    """Alone on a line, without a semicolon, between declarations or statements."""
    return (
        macro.starts_line
        and macro.ends_line
        and macro.previous in (b"", b";", b"{", b"}", b":", b")", b">")
        and (macro.next in (b"", b"#", b"}", b"~", b"[") or macro.next.isalpha() or macro.next == b"_")
    )


def _is_among_words(macro: Macro) -> bool:
    before = macro.word_before()
    after = macro.word_after()
    if before in _CLASS_KEYWORDS and after:
        rest = macro.after[len(after) :].lstrip()[:1]
        return rest in (b"{", b":", b";", b"<") or rest.isalpha()
    if before in _PRIMITIVE_TYPES and (after or macro.next in (b"*", b"&")):
        return True
    if macro.previous in (b"*", b"&") and after:
        return macro.after[len(after) :].lstrip()[:1] in (b",", b")", b";", b"=", b"[", b"(")
    follows = macro.after[len(after) :].lstrip()
    if before and before not in _KEYWORDS and after and follows.startswith((b"(", b"<", b"::")):
        return True  # BOOL WINAPI name(
    if before and before not in _KEYWORDS and after and macro.has_arguments:
        return follows[:1] in (b";", b"=", b"{", b"[")  # int GUARDED_BY(lock) count;
    return bool(before) and _ends_declaration(macro) and _follows_variable(macro)


def _follows_variable(macro: Macro) -> bool:
    """After a type and a name: `int count GUARDED_BY(lock);`."""
    near = re.split(rb"[;{}(,]", macro.before[-160:])[-1]
    words = _QUALIFIED.findall(near)
    if not words or _STATEMENT_WORDS.intersection(words) or words[-1] in _KEYWORDS or b"=" in near:
        return False
    between = near[: near.rindex(words[-1])].rstrip().removesuffix(b"const").rstrip()
    return between[-1:] in (b">", b"*", b"&", b"]") or (len(words) > 1 and words[-2] not in _KEYWORDS)


def _starts_declaration(macro: Macro) -> bool:
    """At the start of a declaration: `EXPORT int name(`."""
    if macro.previous in (b"(", b","):
        return not macro.has_arguments and _PARAMETER_FOLLOWS.match(macro.after) is not None
    if not macro.has_arguments and bytes(macro.code[macro.start : macro.name_end]).endswith(b"EMIT"):
        return True
    is_at_start = (
        macro.previous in (b"", b";", b"{", b"}", b":", b")", b">") or macro.word_before() in _SPECIFIERS
    )
    if not is_at_start and not macro.before.endswith(b"]]"):
        return False
    if _ATTRIBUTE_NAME.search(bytes(macro.code[macro.start : macro.name_end])) and (
        macro.word_after() or macro.next == b"~"
    ):
        return True
    after = macro.word_after()
    is_receiver = bool(after) and macro.after[len(after) :].lstrip().startswith((b"->", b"."))
    return is_receiver or _DECLARATION_FOLLOWS.match(macro.after) is not None


def _opening_parenthesis(text: bytes) -> int:
    """Offset of the parenthesis that the last byte closes."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == 0x29) - (text[at] == 0x28)
        if depth == 0:
            return at
    return 0
