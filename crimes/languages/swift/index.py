"""The definitions of each Swift module: types by name, nested types, and members of extensions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from crimes.languages.swift.modules import Modules
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex

# A member of one word (`success`, `width`) may belong to any type; a longer name of two words is distinctive.
_DISTINCTIVE_NAME = regex(r"(?=\w{8})(?!test)[a-z][a-z0-9]*+[A-Z]\w*+")


class Index:
    """The definitions of one module, by the names other files may use."""

    def __init__(self) -> None:
        self.names: defaultdict[str, list[str]] = defaultdict(list)  # top-level name -> files
        self.nested: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)  # name -> (outer type, file)
        self.members: dict[str, str] = {}  # distinctive name of an extension member -> file

    def locate(self, name: str, mentioned: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Files that a type name may mean, each with the part of the name it defines.

        `mentioned` are the first words of all names in the using file.
        """
        words = name.split(".")
        if len(words) == 1:
            yield from self._plain(name, mentioned)
            return
        for outer, inner in pairwise(words):
            for outer_type, file in self.nested.get(inner, ()):
                if outer_type.rpartition(".")[2] == outer:
                    yield file, inner
        yield from self._plain(words[0], mentioned)

    def _plain(self, name: str, mentioned: frozenset[str]) -> Iterator[tuple[str, str]]:
        files = self.names.get(name)
        if files:
            yield from ((file, name) for file in files)
            return
        # `State` may be nested in many types: take that of a type the file mentions
        for outer, file in self.nested.get(name, ()):
            if not mentioned.isdisjoint(outer.split(".")):
                yield file, name


def build_indexes(facts: Mapping[str, FileFacts], modules: Modules) -> Mapping[str, Index]:
    """The index of each module, by folder."""
    by_module: defaultdict[str, Index] = defaultdict(Index)
    files: defaultdict[str, list[str]] = defaultdict(list)
    for path, file_facts in sorted(facts.items()):
        module = modules.module_of(path)
        files[module].append(path)
        index = by_module[module]
        for name in file_facts.definitions:
            index.names[name].append(path)
        for class_ in file_facts.classes:
            outer, dot, name = class_.qualname.rpartition(".")
            if dot:
                index.nested[name].append((outer, path))
    for module, paths in files.items():
        by_module[module].members = _distinctive_members({path: facts[path] for path in paths})
    return by_module


def _distinctive_members(facts: Mapping[str, FileFacts]) -> dict[str, str]:
    """Files of extension members whose name is unique in the module."""
    files_with_name = Counter(
        name for file_facts in facts.values() for name in {function.name for function in file_facts.functions}
    )
    return {
        name: path
        for path, file_facts in facts.items()
        for name in _extension_members(file_facts)
        if files_with_name[name] == 1 and _DISTINCTIVE_NAME.fullmatch(name)
    }


def _extension_members(facts: FileFacts) -> Iterable[str]:
    own = set(facts.definitions)
    extended = {
        index
        for index, class_ in enumerate(facts.classes)
        if class_.qualname == class_.name and class_.name not in own
    }
    return {function.name for function in facts.functions if function.class_index in extended}
