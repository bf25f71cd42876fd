"""What the names of a file stand for: its own definitions, and what it imports or shares with its package."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from crimes.analyses.change.bindings import is_module_of
from crimes.analyses.change.classes import Classes
from crimes.analyses.change.entities import Entity, Follower, Functions, Module, Type
from crimes.analyses.change.state import last_word
from crimes.languages import by_id
from crimes.languages.linking.reexports import Linked
from crimes.languages.spec import Resolved
from crimes.model.facts import EdgeKind, FileFacts, Function, Import


class FileNames:
    """Looks names up, file by file. `follower` says what a name is bound to."""

    def __init__(self, classes: Classes, follower: Follower) -> None:
        self._classes, self._state, self._follower = classes, classes.state, follower
        self._looked_up: dict[tuple[str, str], Entity | None] = {}
        self._uses_of: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def lookup(self, path: str, name: str) -> Entity | None:
        """What a name means that others take from a file."""
        key = (path, name)
        if key not in self._looked_up:
            self._looked_up[key] = None  # a name that leads back to itself leads nowhere
            self._looked_up[key] = self._look_up(path, name)
        return self._looked_up[key]

    def _look_up(self, path: str, name: str) -> Entity | None:
        facts = self._state.facts(path)
        if facts is None:
            return None
        local = self._default(path) if name == "default" else name
        for export in facts.exports:
            if export.name == name and export.local not in ("", "default"):
                local = export.local
        if not local:
            return None
        return self.named(path, local, -1) or self._submodule(path, facts.language, name)

    def _submodule(self, path: str, language_id: str, name: str) -> Module | None:
        """The file of a package that its name means after an import of the package."""
        language, calling = by_id[language_id], self._classes.calling(path)
        if calling is None or not calling.has_submodules or not language.is_barrel(path):
            return None
        folder = posixpath.dirname(path)
        spellings = (posixpath.join(folder, spelling.format(path=name)) for spelling in language.below_root)
        return next((Module((spelling,)) for spelling in spellings if spelling in self._state.files), None)

    def named(self, path: str, name: str, function: int) -> Entity | None:
        """What a name means in a file: what the file binds to it, or else imports."""
        facts = self._state.facts(path)
        entity = self.defined(path, name)
        if entity is None and (facts is None or name not in facts.definitions):
            entity = self.imported(path, name, function)
        return entity

    def _default(self, path: str) -> str:
        """The name behind the default export of a file."""
        calling = self._classes.calling(path)
        pattern = calling.default_export if calling else None
        names = [
            next(filter(None, match.groups()))
            for line in (self._state.code(path) if pattern else ())
            if pattern and (match := pattern.search(line))
        ]
        return names[0] if len(names) == 1 else ""

    def defined(self, path: str, name: str) -> Entity | None:
        """What a file itself defines under a name at its top level."""
        facts = self._state.facts(path)
        if facts is None or (
            name not in facts.definitions and all(export.name != name for export in facts.exports)
        ):
            return None
        functions = tuple(
            index for index, function in enumerate(facts.functions) if _is_top_level(function, name)
        )
        types = [class_ for class_ in facts.classes if class_.qualname == name]
        if _is_reassigned(facts, name, [facts.functions[index].start for index in functions]):
            return None
        if functions:
            return None if types else Functions(path, functions)
        if types:
            return Type(path, name)
        outline = self._classes.outline(path)
        bound = [binding for binding in outline.names.get(-1, ()) if binding.name == name] if outline else []
        if bound:
            return self._follower.value_of(path, bound)
        inner = any(function.qualname.startswith(f"{name}.") for function in facts.functions)
        return Type(path, name) if inner else None  # a module inside the file

    def imported(self, path: str, name: str, function: int) -> Entity | None:
        """What an import binds to a name in a file; None if several differ."""
        chain = {-1, *self._classes.chain(path, function)}
        entities = set()
        for link in self._state.linked(path):
            if link.item.function in chain and link.kind != EdgeKind.DYNAMIC:
                for entity in self._taken(link, name):
                    entities.add(None if link.item.guarded else entity)
        return entities.pop() if len(entities) == 1 else None

    def is_imported(self, path: str, name: str) -> bool:
        """Whether an import binds a name, or may bind any name, from outside too."""
        return any(
            name in (bound.alias, bound.name) or (bound.name == "*" and not link.resolution.targets)
            for link in self._state.linked(path)
            for bound in link.item.names
        )

    def _taken(self, link: Linked, name: str) -> Iterator[Entity | None]:
        item = link.item
        targets = link.resolution.targets
        if not item.names:
            if targets and name in self._module_names(item, targets):
                yield Module(tuple(target.path for target in targets))
            return
        for bound in item.names:
            is_star = bound.name == "*" and bound.alias in ("", "*")
            if (bound.alias or bound.name) != name and not is_star:
                continue
            for target in targets:
                if is_star:
                    entity = self.lookup(target.path, name)
                    if entity is not None:
                        yield entity
                elif bound.name in target.names:
                    yield self._taken_name(target.path, bound.name, last_word(item.target))
            if not targets and not is_star:
                yield None  # from outside

    def _module_names(self, item: Import, targets: Sequence[Resolved]) -> set[str]:
        """What a file may call a module that it imports as a whole."""
        if item.alias or "/" not in item.target:
            return {item.alias or item.target}
        facts = self._state.facts(targets[0].path)  # a package may be called other than its folder
        return {last_word(item.target), *(facts.packages if facts else ())}

    def _taken_name(self, path: str, name: str, owner: str) -> Entity | None:
        if name == "*":
            return Module((path,))
        entity = self.lookup(path, name)
        if entity is None and is_module_of(path, name):
            return Module((path,))
        if entity is None and self._classes.named(path, owner) is not None:  # a static member
            return self._follower.member(Type(path, owner), name)
        return entity

    def used(self, path: str, name: str) -> Entity | None:
        """What a name means that files of a package share without an import."""
        entities = {self.lookup(target, name) for target in self.uses(path).get(name, ())}
        return entities.pop() if len(entities) == 1 else None

    def constant(self, path: str, words: Sequence[str]) -> tuple[Type | None, int]:
        """The class that the first words name, `Shop::Cart`, in the file or in another one; and how many words that takes."""
        facts = self._state.facts(path)
        for count in range(len(words), 0, -1):
            name = ".".join(words[:count])
            own = _classes_called(facts, name)
            if len(own) == 1:
                return Type(path, own.pop()), count
            targets = set(self.uses(path).get("::".join(words[:count]), ()))
            classes = {
                Type(target, own)
                for target in targets
                for own in _classes_called(self._state.facts(target), name)
            }
            if len(classes) == 1:
                return classes.pop(), count
        return None, 0

    def uses(self, path: str) -> Mapping[str, tuple[str, ...]]:
        """By name: the files that a file takes it from without an import."""
        if path not in self._uses_of:
            uses: defaultdict[str, list[str]] = defaultdict(list)
            for use in self._state.uses(path):
                for name in use.names:
                    uses[name].append(use.path)
            self._uses_of[path] = {name: tuple(targets) for name, targets in uses.items()}
        return self._uses_of[path]


def _classes_called(facts: FileFacts | None, name: str) -> set[str]:
    """Classes of a file whose qualified name is a name, or ends with it."""
    qualnames = {class_.qualname.replace("::", ".") for class_ in (facts.classes if facts else ())}
    return {qualname for qualname in qualnames if qualname == name or qualname.endswith(f".{name}")}


def _is_top_level(function: Function, name: str) -> bool:
    return (
        function.qualname == name
        and function.class_index < 0
        and function.parent < 0
        and not function.is_anonymous
    )


def _is_reassigned(facts: FileFacts, name: str, starts: Sequence[int]) -> bool:
    """Whether a statement of the file gives a function's name another value."""
    return bool(starts) and any(
        statement.kind == "assign"
        and statement.name == name
        and not any(statement.line <= start <= statement.end for start in starts)
        for statement in facts.statements
    )
