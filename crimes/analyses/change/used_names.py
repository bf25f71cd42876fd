"""Names that a file uses: those its imports do not spell out, and the modules it binds as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from crimes.analyses.change.bindings import is_module_of
from crimes.analyses.change.state import State, last_word, words_of
from crimes.languages.linking.reexports import Linked
from crimes.model.facts import FileFacts


class Use(Struct):
    """Where a name that a file uses leads. `is_implicit`: no import says which package it is of."""

    targets: set[str]
    is_implicit: bool = False


def used_names(state: State, path: str) -> dict[str, Use]:
    """Names that a file uses and that its imports do not spell out."""
    used: dict[str, Use] = {}
    for link in state.linked(path):
        spelt = {name.name for name in link.item.names}
        for target in link.resolution.targets:
            for name in target.names:
                if name not in spelt:
                    used.setdefault(name, Use(set())).targets.add(target.path)
    for use in state.uses(path):
        for name in filter(None, use.names):
            entry = used.setdefault(name, Use(set(), is_implicit=True))
            entry.targets.add(use.path)
    return used


def is_qualified(state: State, user: str, text: str, name: str, target: str) -> bool:
    """Whether the word before a name in a text is the module or package of a file, or what the user calls it."""
    words = words_of(text)
    at = words.index(name) if name in words else 0
    if not at:
        return False
    word = words[at - 1]
    if is_module_of(target, word) or word in map(last_word, packages_of(state, target)):
        return True
    return any(
        link.item.alias == word and any(end.path == target for end in link.resolution.targets)
        for link in state.linked(user)
    )


def packages_of(state: State, path: str) -> tuple[str, ...]:
    facts = state.facts(path)
    return facts.packages if facts else ()


def is_imported_anew(name: str, before: FileFacts, after: FileFacts) -> bool:
    """Whether the file imports the name, or a whole package, in a way it did not before."""
    former = {(item.target, bound.name) for item in before.imports for bound in item.names}
    return any(
        bound.name in (name, "*") or bound.alias == name
        for item in after.imports
        for bound in item.names
        if (item.target, bound.name) not in former
    )


def modules_bound(link: Linked) -> Iterator[tuple[str, str]]:
    """Files that an import binds as a whole, with the local name."""
    item = link.item
    for target in link.resolution.targets:
        if not item.names and not target.names:
            yield target.path, item.alias or item.target
        for bound in item.names:
            local = bound.alias or bound.name
            is_whole = (bound.name == "*" and local != "*") or is_module_of(target.path, bound.name)
            if bound.name in target.names and is_whole:
                yield target.path, local
