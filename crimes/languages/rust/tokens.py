"""Contents of a macro call, found by pattern: imports, definitions, calls and paths."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from crimes.languages.engine.walk.frames import MAX_DOTTED_CHARS
from crimes.languages.rust.use_trees import module_import, path_at_file_level, use_imports
from crimes.languages.spec import ImportDraft, MacroContents
from crimes.model.lazy_regex import regex

_COMMENT = regex(rb"//[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING = regex(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_PATH = regex(rb"\$?[A-Za-z_][\w\x80-\xff]{0,60}(?:::[A-Za-z_][\w\x80-\xff]{0,60}){1,8}")
_CALL = regex(
    rb"(?<![\w.$:])\$?([A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*){0,8})(?:\(|!\s*[(\[{])|[)\]?]\s*(\.\s*[a-z_]\w*)\("
)
_KEYWORDS = frozenset(
    [b"as", b"else", b"fn", b"for", b"if", b"in", b"let", b"loop", b"match", b"move", b"return", b"while"]
)
_DECLARES = regex(rb"\b(?:mod|use|struct|enum|union|trait|type|static|const|macro_rules!)\s")
_ITEM = regex(
    rb"(?P<open>(?:(?P<branch>if\s*+#\s*+\[[^\]]{0,200}\]|else)\s*+|mod\s++(?P<inline>\w++)\s*+)?\{)|(?P<close>\})"
    rb"|\bmod\s++(?P<mod>\w++)\s*+(?=;)|(?<![\w.])(?P<public>pub(?:\([^)]{0,200}\))?\s++)?use\s++(?P<use>(?:(?!\buse\s)[^;]){1,5000}+)(?=;)"
    rb"|\b(?:struct|enum|union|trait|type|static\s+ref|static|const|macro_rules!)\s+(?P<item>[A-Za-z_]\w*)"
)
_PATH_ATTRIBUTE = regex(rb'path\s*+=\s*+"([^"]{1,300})"\s*+\]\s*+(?:pub(?:\([^)]{0,100}\))?\s++)?mod\s++$')


def read_tokens(source: bytes) -> MacroContents:
    """Facts of a macro call. Only paths are read from strings too, as in `#[serde(with = "crate::date")]`."""
    if source.find(b"//") >= 0 or source.find(b"/*") >= 0:
        source = _COMMENT.sub(_blank, source)
    code = _STRING.sub(_blank, source) if source.find(b'"') >= 0 else source
    imports: list[tuple[int, ImportDraft]] = []
    definitions: list[str] = []
    if _DECLARES.search(code):
        _collect_items(source, code, imports, definitions)
        source = _without_imports(source, code, [offset for offset, _ in imports])
    matches = _CALL.finditer(code)
    calls = ((match.start(), match[1] or b"()" + b"".join(match[2].split())) for match in matches)
    return MacroContents(
        imports=tuple(imports),
        definitions=tuple(definitions),
        calls=tuple((at, call.decode("utf-8", "replace")) for at, call in calls if call not in _KEYWORDS),
        names=tuple((match.start(), match.group()) for match in _PATH.finditer(source)),
    )


def _without_imports(source: bytes, code: bytes, offsets: Iterable[int]) -> bytes:
    """The source with blanks in place of imports: the path of one is not a use."""
    left = bytearray(source)
    for offset in dict.fromkeys(offsets):
        end = max(code.find(b";", offset), offset)
        left[offset:end] = b" " * (end - offset)
    return bytes(left)


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


class _Brace(NamedTuple):
    """What an open brace means for what it holds."""

    around: str  # the path of inline modules
    outermost: bool  # whether there are only branches of `cfg_if!` around it


def _collect_items(
    source: bytes, code: bytes, imports: list[tuple[int, ImportDraft]], definitions: list[str]
) -> None:
    """Append declarations and definitions, as in `cfg_net! { mod tcp; pub struct Stream; }`."""
    braces = [_Brace(around="", outermost=True)]
    for match in _ITEM.finditer(code, 1, len(code) - 1):
        at, (around, outermost) = match.start(), braces[-1]
        if match["open"]:
            name = (match["inline"] or b"").decode("utf-8", "replace")
            if name and outermost:
                definitions.append(name)
            if name and not match["branch"] and len(around) < MAX_DOTTED_CHARS:
                around = f"{around}::{name}" if around else name
            braces.append(_Brace(around, outermost and bool(match["branch"])))
        elif match["close"]:
            if len(braces) > 1:
                braces.pop()
        elif match["use"]:
            drafts = use_imports(match["use"].decode("utf-8", "replace"), public=bool(match["public"]))
            imports.extend((at, _at_file_level(draft, around)) for draft in drafts)
        elif match["mod"]:
            draft = module_import(match["mod"].decode("utf-8", "replace"))
            path = _PATH_ATTRIBUTE.search(source[max(at - 300, 0) : match.start("mod")])
            if path:
                draft = replace(draft, target=path[1].decode("utf-8", "replace"))
            imports.append((at, _at_file_level(draft, around)))
        elif outermost:
            definitions.append(match["item"].decode("utf-8", "replace"))


def _at_file_level(draft: ImportDraft, around: str) -> ImportDraft:
    return replace(draft, target=path_at_file_level(draft.target, around)) if around else draft
