"""What stands inside a macro call: imports, definitions, calls and paths, found by pattern."""

from __future__ import annotations

import re

from msgspec.structs import replace

from crimes.languages.rust.use_trees import module, relative, used
from crimes.languages.spec import ImportDraft, InTokens
from crimes.model.lazy_regex import regex

_COMMENT = regex(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING = regex(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PATH = regex(rb"\$?[A-Za-z_][\w\x80-\xff]{0,60}(?:::[A-Za-z_][\w\x80-\xff]{0,60}){1,8}")
_CALL = regex(
    rb"(?<![\w.$:])\$?([A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*){0,8})(?:\(|!\s*[(\[{])|[)\]?]\s*(\.\s*[a-z_]\w*)\("
)
_KEYWORDS = frozenset(
    [b"as", b"else", b"fn", b"for", b"if", b"in", b"let", b"loop", b"match", b"move", b"return", b"while"]
)
_WORTH = regex(rb"\b(?:mod|use|struct|enum|union|trait|type|static|const|macro_rules!)\s")
_ITEM = regex(
    rb"(?P<open>(?:(?P<branch>if\s*#\s*\[[^\]]*\]|else)\s*|mod\s+(?P<inline>\w+)\s*)?\{)|(?P<close>\})"
    rb"|\bmod\s+(?P<mod>\w+)\s*(?=;)|(?<![\w.])(?P<public>pub(?:\([^)]*\))?\s+)?use\s+(?P<use>[^;]{1,5000})(?=;)"
    rb"|\b(?:struct|enum|union|trait|type|static\s+ref|static|const|macro_rules!)\s+(?P<item>[A-Za-z_]\w*)"
)
_STATED = regex(rb'path\s*=\s*"([^"]+)"\s*\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+$')


def in_tokens(written: bytes) -> InTokens:
    """Paths may stand in strings, as in `#[serde(with = "crate::date")]`; the rest does not."""
    if written.find(b"//") >= 0 or written.find(b"/*") >= 0:
        written = _COMMENT.sub(_blank, written)
    code = _STRING.sub(_blank, written) if written.find(b'"') >= 0 else written
    imports: list[tuple[int, ImportDraft]] = []
    definitions: list[str] = []
    if _WORTH.search(code):
        _items(written, code, imports, definitions)
        for offset, _ in imports:  # the path of an import is not a use
            end = max(code.find(b";", offset), offset)
            written = written[:offset] + b" " * (end - offset) + written[end:]
    found = _CALL.finditer(code)
    calls = ((match.start(), match[1] or b"()" + b"".join(match[2].split())) for match in found)
    return InTokens(
        tuple(imports),
        tuple(definitions),
        tuple((at, target.decode("utf-8", "replace")) for at, target in calls if target not in _KEYWORDS),
        tuple((match.start(), match.group()) for match in _PATH.finditer(written)),
    )


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


def _items(
    written: bytes, code: bytes, imports: list[tuple[int, ImportDraft]], definitions: list[str]
) -> None:
    """Declarations and definitions, as in `cfg_net! { mod tcp; pub struct Stream; }`."""
    braces: list[
        str | None
    ] = []  # open ones: of inline modules by name; None for those of `cfg_if!` branches
    for match in _ITEM.finditer(code, 1, len(code) - 1):
        at, outermost = match.start(), all(name is None for name in braces)
        around = "::".join(filter(None, braces))
        if match["open"]:
            name = (match["inline"] or b"").decode("utf-8", "replace")
            if name and outermost:
                definitions.append(name)
            braces.append(None if match["branch"] else name)
        elif match["close"]:
            braces = braces[:-1]
        elif match["use"]:
            drafts = used(match["use"].decode("utf-8", "replace"), public=bool(match["public"]))
            imports.extend((at, _seen_from(draft, around)) for draft in drafts)
        elif match["mod"]:
            draft = module(match["mod"].decode("utf-8", "replace"))
            stated = _STATED.search(written[max(at - 300, 0) : match.start("mod")])
            if stated:
                draft = replace(draft, target=stated[1].decode("utf-8", "replace"))
            imports.append((at, _seen_from(draft, around)))
        elif outermost:
            definitions.append(match["item"].decode("utf-8", "replace"))


def _seen_from(draft: ImportDraft, around: str) -> ImportDraft:
    return replace(draft, target=relative(draft.target, around)) if around else draft
