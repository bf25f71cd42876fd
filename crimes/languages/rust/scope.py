"""The names of one file: defined in it, bound by its declarations, imported by a star."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from crimes.languages.rust.modules import is_declaration, is_inclusion
from crimes.model.facts import EdgeKind, FileFacts

UsePath = tuple[str, ...]


class Scope(Struct, frozen=True):
    """What names mean in a file. Names of inline modules count as the file's own."""

    defined: frozenset[str] = frozenset()
    bound: Mapping[str, tuple[UsePath, ...]] = field(
        default_factory=dict
    )  # name -> paths it was declared with
    stars: tuple[UsePath, ...] = ()
    reexported: frozenset[str] = frozenset()  # some of the bound names
    macros: frozenset[str] = frozenset()
    inline: frozenset[str] = frozenset()  # modules inside the file


def scope_of(facts: FileFacts) -> Scope:
    """The scope of one file."""
    bound: dict[str, tuple[UsePath, ...]] = {}
    stars: list[UsePath] = []
    reexported: set[str] = set()
    for item in facts.imports:
        if is_declaration(item) or is_inclusion(item):
            continue
        use_path = tuple(item.target.split("::"))
        if item.kind is EdgeKind.REEXPORT:
            reexported.update(imported.alias for imported in item.names)
        for imported in item.names:
            if imported.name == "*":
                stars.append(use_path)
            else:
                bound[imported.alias] = (*bound.get(imported.alias, ()), (*use_path, imported.name))
        if not item.names:
            crate_path = ("crate",) if use_path == ("self",) else use_path  # `extern crate self as name`
            bound[item.alias] = (*bound.get(item.alias, ()), crate_path)
    known = {function.name for function in facts.functions if function.class_index < 0}
    known |= {definition.name for definition in facts.classes}
    known |= {statement.name for statement in facts.statements}
    # Of the other definitions in lower case, facts do not tell macros from inline modules.
    others = frozenset(name for name in facts.definitions if name not in known and name[:1].islower())
    return Scope(
        defined=frozenset(facts.definitions),
        bound=bound,
        stars=tuple(stars),
        reexported=frozenset(reexported),
        macros=others,
        inline=others,
    )
