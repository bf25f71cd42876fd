"""The names of one file: defined in it, bound by its declarations, taken by a star."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from crimes.languages.rust.modules import is_declaration, is_inclusion
from crimes.model.facts import EdgeKind, FileFacts

Way = tuple[str, ...]


class Scope(Struct, frozen=True):
    """What names mean in a file. Names of inline modules are kept with the file's own."""

    defined: frozenset[str] = frozenset()
    bound: Mapping[str, tuple[Way, ...]] = field(default_factory=dict)  # name -> paths it was declared with
    stars: tuple[Way, ...] = ()
    passed: frozenset[str] = frozenset()  # of the bound names, those it passes on
    macros: frozenset[str] = frozenset()
    inline: frozenset[str] = frozenset()  # modules inside the file


def scope_of(facts: FileFacts) -> Scope:
    bound: dict[str, tuple[Way, ...]] = {}
    stars: list[Way] = []
    passed: set[str] = set()
    for item in facts.imports:
        if is_declaration(item) or is_inclusion(item):
            continue
        way = tuple(item.target.split("::"))
        if item.kind is EdgeKind.REEXPORT:
            passed.update(imported.alias for imported in item.names)
        for imported in item.names:
            if imported.name == "*":
                stars.append(way)
            else:
                bound[imported.alias] = (*bound.get(imported.alias, ()), (*way, imported.name))
        if not item.names:
            own = ("crate",) if way == ("self",) else way  # `extern crate self as name`
            bound[item.alias] = (*bound.get(item.alias, ()), own)
    kinds = {function.name for function in facts.functions if function.class_index < 0}
    kinds |= {made.name for made in facts.classes} | {one.name for one in facts.statements}
    others = frozenset(name for name in facts.definitions if name not in kinds and name[:1].islower())
    return Scope(frozenset(facts.definitions), bound, tuple(stars), frozenset(passed), others, others)
