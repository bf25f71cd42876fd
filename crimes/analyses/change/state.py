"""One state of a repository as a comparison needs it: where its imports lead, and which names its files provide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from crimes.analyses.code_tokens import code_lines
from crimes.languages import by_id
from crimes.languages.linking.linker import Linker
from crimes.languages.linking.reexports import Linked
from crimes.languages.spec import ImplicitUse, Resolution
from crimes.model.facts import EdgeKind, FileFacts, Import
from crimes.model.lazy_regex import regex
from crimes.model.repository import File

_SEPARATORS = regex(r"::|->|[.\\/]")
# What makes names that no statement binds.
_OPENING_NAMES = frozenset({"__getattr__", "method_missing", "const_missing"})
_OPENING_CALLS = frozenset({"globals", "const_set", "define_method"})
_EXPORTING_CALLS = frozenset({"Object.assign", "Object.defineProperty", "__exportStar", "define"})


class Provided(Struct, frozen=True):
    """The names others can take from a file. `is_open`: it may have more than can be seen."""

    names: frozenset[str]
    members: Mapping[str, frozenset[str]]  # of each class, by its own name
    is_open: bool


class State:
    """One state. Imports are resolved on demand, since few files matter to a change."""

    def __init__(
        self,
        files: Mapping[str, File],
        paths: frozenset[str],
        read: Callable[[str], bytes],
        roots: tuple[str, ...] = (),
    ) -> None:
        self.files, self.paths, self.read, self._roots = files, paths, read, roots
        self._provided: dict[str, Provided | None] = {}
        self._code: dict[str, tuple[str, ...]] = {}

    def replaced(self, files: Mapping[str, File], read: Callable[[str], bytes]) -> State:
        """The same state with other contents of its files."""
        return State(files, self.paths, read, self._roots)

    @cached_property
    def linker(self) -> Linker:
        return Linker(self.files, self.paths, self._roots, self.read, by_id)

    @cached_property
    def users(self) -> Mapping[str, frozenset[str]]:
        """By file: the files that use it in any way."""
        users: defaultdict[str, set[str]] = defaultdict(set)
        for path in self.linker.linkable_paths():
            for edge in self.linker.links_of(path).edges:
                users[edge.target].add(path)
                if edge.via:
                    users[edge.via].add(path)
        return {target: frozenset(sources) for target, sources in users.items()}

    @cached_property
    def definers(self) -> Mapping[str, frozenset[str]]:
        """By name: the files that define it at their top."""
        definers: defaultdict[str, set[str]] = defaultdict(set)
        for path, file in self.files.items():
            for name in file.facts.definitions:
                definers[last_word(name)].add(path)
        return {name: frozenset(paths) for name, paths in definers.items()}

    @cached_property
    def class_homes(self) -> Mapping[str, frozenset[str]]:
        """By the own name of a class: the files that define it or add to it."""
        homes: defaultdict[str, set[str]] = defaultdict(set)
        for path, file in self.files.items():
            for class_ in file.facts.classes:
                homes[class_.name].add(path)
        return {name: frozenset(paths) for name, paths in homes.items()}

    @cached_property
    def declarations(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """By folder and file: the modules that the file declares to exist, `mod name;`."""
        folders: defaultdict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        for path, file in self.files.items():
            declared = {item.target.rpartition(" ")[2] for item in file.facts.imports if " " in item.target}
            if declared:
                folders[path.rpartition("/")[0]][path] = frozenset(declared)
        return dict(folders)

    def facts(self, path: str) -> FileFacts | None:
        """The facts of a file; None if it is not there, or was not read."""
        file = self.files.get(path)
        return file.facts if file else None

    def linked(self, path: str) -> Sequence[Linked]:
        """The imports of a file and where they lead."""
        return self.linker.linked(path)

    def resolution(self, path: str, item: Import) -> Resolution | None:
        """Where an import would lead if this file had it; None if the file cannot import."""
        return self.linker.resolution(path, item)

    def uses(self, path: str) -> tuple[ImplicitUse, ...]:
        """The files that a file uses without importing them."""
        return self.linker.uses(path)

    def code(self, path: str) -> tuple[str, ...]:
        """The lines of a file without its comments; none if it cannot be read."""
        if path not in self._code:
            facts = self.facts(path)
            try:
                self._code[path] = tuple(code_lines(facts, self.read(path))) if facts else ()
            except OSError:
                self._code[path] = ()
        return self._code[path]

    def provides(self, path: str, name: str, owner: str = "") -> bool | None:
        """Whether others can take a name from a file, or from the class `owner` in it; None where that is not sure."""
        return self._provides(path, name, owner, frozenset())

    def _provides(self, path: str, name: str, owner: str, seen: frozenset[str]) -> bool | None:
        provided = self.provided(path)
        if path in seen:
            return False  # it was asked already
        if provided is None:
            return None
        if name in provided.names or name in provided.members.get(owner, ()):
            return True
        answers = [
            self._provides(target, name, "", seen | {path}) if target else None
            for target in self._stars(path)
        ]
        if True in answers:
            return True
        return None if provided.is_open or None in answers else False

    def origins(self, path: str, name: str) -> Iterator[str]:
        """The files that a file has a name from by its stars, however many lie between."""
        seen, pending = {path}, [path]
        while pending:
            for target in self._stars(pending.pop()):
                if target in seen or not target:
                    continue
                seen.add(target)
                pending.append(target)
                provided = self.provided(target)
                if provided and name in provided.names:
                    yield target

    def _stars(self, path: str) -> Iterator[str]:
        """Where the stars of a file lead that pass all names on; empty for one that leads out of the repository.

        Where a compiler takes all files together, a star is passed on only if the file says so.
        """
        facts = self.facts(path)
        syntax = by_id[facts.language].syntax if facts else None
        must_say = syntax is not None and syntax.imports.kind is EdgeKind.LINKED
        for link in self.linked(path):
            if must_say and not link.through:
                continue
            if link.item.function == -1 and any(
                name.name == "*" and name.alias in ("", "*") for name in link.item.names
            ):
                targets = [target.path for target in link.resolution.targets]
                yield from targets or [""]

    def provided(self, path: str) -> Provided | None:
        """The names of a file; None if it is not known."""
        if path not in self._provided:
            facts = self.facts(path)
            self._provided[path] = provided_names(facts) if facts else None
        return self._provided[path]


def provided_names(facts: FileFacts) -> Provided:
    """The names that others can take from a file."""
    language = by_id[facts.language]
    states_exports = language.syntax is not None and not language.syntax.imports.exports_all_public
    own = {*facts.definitions, *_imported_names(facts)}
    # An export may name what is gone; a default has no name of its own.
    exported = {
        export.name
        for export in facts.exports
        if export.name == "default" or export.local in own or export.name in own
    }
    calls = {call.target for call in facts.calls}
    makers = {function.name for function in facts.functions if function.class_index < 0}
    exports_by_call = states_exports and not facts.exports and not calls.isdisjoint(_EXPORTING_CALLS)
    return Provided(
        frozenset(exported if states_exports else own),
        _members(facts),
        is_open=bool(makers & _OPENING_NAMES or calls & _OPENING_CALLS) or exports_by_call,
    )


def _members(facts: FileFacts) -> dict[str, frozenset[str]]:
    """Methods and nested classes of each class, by its own name."""
    members: defaultdict[str, set[str]] = defaultdict(set)
    for function in facts.functions:
        if function.class_index >= 0:
            members[facts.classes[function.class_index].name].add(function.name)
    for class_ in facts.classes:
        outer = last_word(class_.qualname.rpartition(".")[0])
        if outer:
            members[outer].add(class_.name)
    return {name: frozenset(own) for name, own in members.items()}


def _imported_names(facts: FileFacts) -> Iterator[str]:
    """Names that a file imports and so provides. Where a compiler takes all files together, it has to say so."""
    syntax = by_id[facts.language].syntax
    must_say = syntax is not None and syntax.imports.kind is EdgeKind.LINKED
    for item in facts.imports:
        if must_say and item.kind != EdgeKind.REEXPORT:
            continue
        if item.function == -1 and item.kind != EdgeKind.DYNAMIC:
            yield from (bound.alias or bound.name for bound in item.names)
            if not item.names:
                yield item.alias or item.target.partition(".")[0]


def last_word(name: str) -> str:
    """The last part of a qualified name, however its parts are separated."""
    return _SEPARATORS.split(name)[-1]


def words_of(name: str) -> list[str]:
    """The parts of a qualified name."""
    return [word for word in _SEPARATORS.split(name) if word]
