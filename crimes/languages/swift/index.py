"""What the files of each Swift module define: types by name, types inside types, and what extensions add."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from crimes.languages.swift.modules import Modules
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

# A member of one word (`success`, `width`) may be anybody's; two words and some length are a name of one's own.
_OWN_NAME = regex(r"(?=\w{8})(?!test)[a-z]+[a-z0-9]*[A-Z]\w*")


class Index:
    """The definitions of one module, by what other files may call them."""

    def __init__(self) -> None:
        self.names: defaultdict[str, list[str]] = defaultdict(list)  # top-level name -> files
        self.nested: defaultdict[str, list[tuple[str, str]]] = defaultdict(
            list
        )  # name -> (its outer type, file)
        self.members: dict[str, str] = {}  # what an extension adds under a name of its own -> file

    def locate(self, name: str, seen: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Files behind a type's name as written, and the part of the name they stand for."""
        words = name.split(".")
        if len(words) == 1:
            yield from self._plain(name, seen)
            return
        for outer, inner in pairwise(words):
            for around, file in self.nested.get(inner, ()):
                if around.rpartition(".")[2] == outer:
                    yield file, inner
        yield from self._plain(words[0], seen)

    def _plain(self, name: str, seen: frozenset[str]) -> Iterator[tuple[str, str]]:
        files = self.names.get(name)
        if files:
            yield from ((file, name) for file in files)
            return
        # `State` is many things: that of a type the file speaks of
        for outer, file in self.nested.get(name, ()):
            if not seen.isdisjoint(outer.split(".")):
                yield file, name


def indexes(facts: Mapping[str, FileFacts], modules: Modules) -> Mapping[str, Index]:
    """The index of each module."""
    found: defaultdict[str, Index] = defaultdict(Index)
    files: defaultdict[str, list[str]] = defaultdict(list)
    for path, known in sorted(facts.items()):
        module = modules.of(path)
        files[module].append(path)
        index = found[module]
        for name in known.definitions:
            index.names[name].append(path)
        for one in known.classes:
            outer, dot, name = one.qualname.rpartition(".")
            if dot:
                index.nested[name].append((outer, path))
    for module, paths in files.items():
        found[module].members = _members({path: facts[path] for path in paths})
    return found


def _members(facts: Mapping[str, FileFacts]) -> dict[str, str]:
    """Methods and properties of extensions whose name nothing else in the module has."""
    uses = Counter(name for known in facts.values() for name in {one.name for one in known.functions})
    return {
        name: path
        for path, known in facts.items()
        for name in _added(known)
        if uses[name] == 1 and _OWN_NAME.fullmatch(name)
    }


def _added(facts: FileFacts) -> Iterable[str]:
    own = set(facts.definitions)
    extended = {
        at for at, one in enumerate(facts.classes) if one.qualname == one.name and one.name not in own
    }
    return {one.name for one in facts.functions if one.class_index in extended}
