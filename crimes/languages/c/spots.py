"""Patterns in C and C++ source that the grammar stumbles over in any context.

Each entry has a word that must occur, which is searched for first, and a pattern whose first group is overwritten.
"""

from __future__ import annotations

_TYPE = rb"(?:void|int|char|bool|float|double|long|short|unsigned|signed|size_t|u?int\d+_t)"
_TYPES = _TYPE + rb"(?:\s+" + _TYPE + rb")*"
_NO_QUALIFIER = (
    rb"(?!(?:const|static|unsigned|signed|long|short|extern|inline|volatile|return|else|register|struct|typedef|new|case|virtual"
    rb"|friend|explicit|constexpr|mutable|auto|goto|operator|delete|throw|using|typename|enum|union|class|do|co_\w+)\b)"
)
# Groups to blank out.
BLANK = (
    (b"__", rb"\b(__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__extension__\b)"),
    (b"template", rb"^[ \t]*((?:extern[ \t]+)?template\s+(?!\s|<)[^;{}]*;)"),
    (b"emit", rb"[;{})]\s*(emit)\s+(?=\w)"),
    (
        b"",
        rb"^[ \t]*(?:(?:static|extern|volatile)[ \t]+)*" + _NO_QUALIFIER + rb"([A-Za-z_]\w*)[ \t]+"
        rb"(?=(?:void|int|char|float|double|long|size_t|bool|struct|unsigned|\w+_t)\b[\s*]+\w+\s*[;=,\[(\w])",
    ),
    (b"lots", rb"\b(?:public|private|protected)\s+(Q_SLOTS|slots)(?=\s*:)"),
    (b"SLOTS", rb"\b(?:public|private|protected)\s+(Q_SLOTS|slots)(?=\s*:)"),
    (b"SIGNALS", rb"^[ \t]*(Q_SIGNALS\s*:)"),
    (b"signals", rb"^[ \t]*(signals\s*:)"),
    (b"new", rb"\bnew\s+[\w:]+\s*(\*+)(?=\s*\[)"),
    (b'"', rb'"\s+([A-Za-z_]\w*)(?=\s*")'),
    (b"", rb"[(,]\s*(?:const\s+)?(struct|union|enum)\s+\w+\s*(?:\*\s*)*(?=[,)])"),
    (b"", rb"^([a-z_]\w*[ \t]*\([^()]*\))[ \t\r]*\n(?=[ \t\r]*(?:\n|\Z))"),
    (b"__", rb"(\b__declspec\s*\([^()]*\)|\b__(?:stdcall|cdecl|fastcall|thiscall|vectorcall)\b)"),
    (b"typename", rb"[(,=?:]\s*(typename)\s+(?=\w+(?:<[^<>;]*>)?::[\w:]+(?:<[^<>;]*>)?\s*[({])"),
    (b"friend", rb"[\w>&*]\s+(friend)(?=\s+operator\b)"),
    (b"delete", rb"\)\s*(?:const\s*|noexcept\s*|&\s*)*(=\s*delete)(?=\s*;)"),
    (b".*", rb"(?<=\w)\.(\*)(?=\s*\w)"),
    (b'"s', rb'" *"(sv?)\b'),
    (b"::", rb"\(\s*((?:\w+(?:<[^<>;]*>)?::)+)(?=\*)"),
    (b":", rb"\w\s*:\s*\d+\s*(\{[^{};]*\})(?=\s*;)"),
    (b"...", rb"\boperator\s*\(\)\s*(\.\.\.)(?=\s*;)"),
    (b"&", rb"\)\s*(?:const\s*)?&{1,2}\s*([A-Z][A-Z0-9_]+)(?=\s*\{)"),
    (b"]", rb"\]\s*([A-Z][A-Z0-9_]+\s*\([^()]*\))(?=\s*[=;{])"),
)
# Groups to replace: the word, the pattern and the replacement.
NAMED = (
    (b"=", rb"=\s*(\{\s*\})(?=\s*[,)])", b"0"),
    (b"__builtin_available", rb"\b(__builtin_available\s*\([^()]*\))", b"x"),
    (b"va_arg", rb"\bva_arg\s*\([^,()]*,([^()]*)\)", b"x"),
    (b",", rb",\s*((?:const\s+)?" + _TYPES + rb"(?:\s*\*)*|\w+\s*\*+)(?=\s*[,)])", b"x"),
    (b"(", rb"\((?<=\w\()\s*(" + _TYPES + rb"(?:\s*\*)*)(?=\s*,)", b"x"),
    (b"(", rb"\((?<=\w\()\s*(" + _TYPES + rb"(?:\s*\*)+)(?=\s*\))", b"x"),
    (b"->*", rb"(->\*)", b"+"),
    (b"template", rb"\btemplate\s*<[^;{}]*=\s*((?:const|" + _TYPE + rb")\b[\w\s]*?)(?=\s*[>,])", b"x"),
    (b"decltype", rb"(\bdecltype\s*\([^()]*\)\s*\{\s*\})", b"x"),
    # An operator called by its name, and the comma after an assignment inside an expression.
    (
        b"operator",
        rb"[;{})]\s*(operator\s*(?:\(\)(?:\s*<[^<>;{}()]*>)?|\[\]|[-+*/<>=!&|^%~]{1,3}))(?=\s*\([^;{}]*\)\s*;)",
        b"x",
    ),
    (b"=", rb"[?:]\s*\(\s*\w+\s*=(?!=)[^=;{}()]*\([^()]*\)\s*(,)(?=\s*&)", b"+"),
)
