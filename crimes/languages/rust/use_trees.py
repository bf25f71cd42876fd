"""What `use`, `mod` and `extern crate` bring in. Read from their text: inside a macro call there is nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from crimes.languages.nodes import text_of
from crimes.languages.spec import ImportDraft
from crimes.model import ImportedName

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_NAMES = 1000  # of one declaration
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_RAW = re.compile(r"\br#")
_TOKEN = re.compile(r"(?:r#)?[\w$]+|::|[{},*]")
_NOT_CODE = re.compile(rb'//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORTH = re.compile(rb"\b(?:mod|use|struct|enum|union|trait|type|static|const|macro_rules!)\s")
_IN_TOKENS = re.compile(
    rb"(?P<open>(?:(?P<branch>if\s*#\s*\[[^\]]*\]|else)\s*|mod\s+(?P<inline>\w+)\s*)?\{)|(?P<close>\})"
    rb"|\bmod\s+(?P<mod>\w+)\s*(?=;)|(?<![\w.])(?P<public>pub(?:\([^)]*\))?\s+)?use\s+(?P<use>[^;]{1,5000})(?=;)"
    rb"|\b(?:struct|enum|union|trait|type|static\s+ref|static|const|macro_rules!)\s+(?P<item>[A-Za-z_]\w*)"
)
_STATED = re.compile(rb'path\s*=\s*"([^"]+)"\s*\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+$')


def imports(node: Node, source: bytes) -> Iterator[ImportDraft]:
    """Imports of one declaration. A module in a file of its own is `mod name`."""
    name = text_of(node.child_by_field_name("name"), source)
    if node.type == "mod_item":
        yield module(name)
    elif node.type == "extern_crate_declaration":
        yield ImportDraft(name, alias=text_of(node.child_by_field_name("alias"), source) or name)
    else:
        public = source.startswith(b"pub", node.start_byte)
        yield from used(text_of(node.child_by_field_name("argument"), source), public=public)


def in_tokens(written: bytes) -> Iterator[tuple[int, ImportDraft | str]]:
    """Imports and definitions among the tokens of a macro call, as in `cfg_net! { mod tcp; }`, with their offsets."""
    if not _WORTH.search(written):
        return
    code = _NOT_CODE.sub(lambda match: b" " * len(match.group()), written)
    open_braces: list[str | None] = []  # inline modules by name; None for those of `cfg_if!` branches
    for match in _IN_TOKENS.finditer(code, 1, len(code) - 1):
        at = match.start()
        around = "::".join(filter(None, open_braces))
        if match["open"]:
            name = (match["inline"] or b"").decode("utf-8", "replace")
            if name and not any(one is not None for one in open_braces):
                yield at, name
            open_braces.append(None if match["branch"] else name)
        elif match["close"]:
            open_braces = open_braces[:-1]
        elif match["use"]:
            for draft in used(match["use"].decode("utf-8", "replace"), public=bool(match["public"])):
                yield at, _seen_from(draft, around)
        elif match["mod"]:
            draft = module(match["mod"].decode("utf-8", "replace"))
            stated = _STATED.search(written[max(at - 300, 0) : match.start("mod")])
            yield at, _seen_from(replace(draft, target=stated[1].decode()) if stated else draft, around)
        elif not any(one is not None for one in open_braces):
            yield at, match["item"].decode("utf-8", "replace")


def _seen_from(draft: ImportDraft, around: str) -> ImportDraft:
    return replace(draft, target=relative(draft.target, around)) if around else draft


def module(name: str) -> ImportDraft:
    return ImportDraft(f"mod {name}", alias=name)


def used(tree: str, *, public: bool = False) -> Iterator[ImportDraft]:
    """The names of a use tree, grouped by the path they stand in; a path of one name has none."""
    if "#" in _RAW.sub("", tree):
        return  # a template for code that is made elsewhere
    groups: dict[tuple[str, ...], list[ImportedName]] = {}
    for path, alias in _leaves(_COMMENT.sub("", tree)):
        if path[-1] == "self" and len(path) > 1:
            path = path[:-1]
        if len(path) == 1:
            yield ImportDraft(path[0], alias=alias or path[0], reexport=public)
        else:
            groups.setdefault(path[:-1], []).append(ImportedName(path[-1], alias or path[-1]))
    for parent, names in groups.items():
        yield ImportDraft("::".join(parent), tuple(names), reexport=public)


def _leaves(tree: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every path of a use tree in full, with its new name if it gets one."""
    outer: list[tuple[str, ...]] = []
    prefix: tuple[str, ...] = ("",) if tree.lstrip().startswith("::") else ()  # `::name` is a crate
    path: list[str] = []
    alias, renaming, found = "", False, 0
    for word in (*_TOKEN.findall(tree), ","):
        if word == "{":
            outer.append(prefix)
            prefix, path = (*prefix, *path), []
        elif word in (",", "}"):
            if path and found < MOST_NAMES:
                found += 1
                yield (*prefix, *path), alias
            path, alias, renaming = [], "", False
            if word == "}" and outer:
                prefix = outer.pop()
        elif word == "as":
            renaming = True
        elif renaming:
            alias = word
        elif word != "::":
            path.append(word.removeprefix("r#").removeprefix("$"))


def relative(name: str, around: str) -> str:
    """A path as the file would write it at its top, given the inline modules around it."""
    if name.startswith("mod "):
        return f"mod {around}::{name[4:]}"
    first, *rest = name.split("::")
    inside = around.split("::")
    if first == "self":
        return "::".join(("self", *inside, *rest))
    if first != "super":
        return name
    inside.pop()
    while inside and rest and rest[0] == "super":
        inside.pop()
        rest.pop(0)
    above = rest if rest and rest[0] == "super" and not inside else ["self", *inside, *rest]
    return "::".join(above)
