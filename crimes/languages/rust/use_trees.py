"""Imports of `use`, `mod` and `extern crate`, read from their text: inside a macro call there is nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crimes.languages.engine.nodes import Node, text_of
from crimes.languages.spec import ImportDraft
from crimes.model.facts import ImportedName
from crimes.model.lazy_regex import regex

MAX_NAMES_PER_DECLARATION = 1000
_COMMENT = regex(r"//[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_RAW = regex(r"\br#")
_TOKEN = regex(r"(?:r#)?[\w$]+|::|[{},*]")


def imports(node: Node, source: bytes) -> Iterator[ImportDraft]:
    """Imports of one declaration. A module in a file of its own is `mod name`."""
    name = text_of(node.child_by_field_name("name"), source)
    public = source.startswith(b"pub", node.start_byte)
    if node.type == "mod_item":
        yield module_import(name)
    elif node.type == "extern_crate_declaration":
        alias = text_of(node.child_by_field_name("alias"), source) or name
        yield ImportDraft(name, alias=alias, reexport=public)
    else:
        yield from use_imports(text_of(node.child_by_field_name("argument"), source), public=public)


def module_import(name: str) -> ImportDraft:
    """The import of `mod name;`."""
    return ImportDraft(f"mod {name}", alias=name)


def use_imports(tree: str, *, public: bool = False) -> Iterator[ImportDraft]:
    """Imports of a use tree, names with the same path together; a path of one name is an import of its own."""
    if "#" in _RAW.sub("", tree):
        return  # a template of a macro that generates code
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
    """Every path of a use tree in full, with its alias or ""."""
    outer: list[tuple[str, ...]] = []
    prefix: tuple[str, ...] = ("",) if tree.lstrip().startswith("::") else ()  # `::name` is a crate
    path: list[str] = []
    alias, renaming, count = "", False, 0
    for word in (*_TOKEN.findall(tree), ","):
        if word == "{":
            outer.append(prefix)
            prefix, path = (*prefix, *path), []
        elif word in (",", "}"):
            if path and count < MAX_NAMES_PER_DECLARATION:
                count += 1
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


def path_at_file_level(name: str, around: str) -> str:
    """A path inside the inline modules `around`, as it reads at the top of the file."""
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
