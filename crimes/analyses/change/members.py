"""Members of types: methods with those of their bases, fields, and constructors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crimes.analyses.change.classes import Classes
from crimes.analyses.change.entities import Entity, Follower, Functions, Missing, Type, plain_type
from crimes.analyses.change.library_bases import is_library_base
from crimes.analyses.change.sole_members import is_specific
from crimes.analyses.change.state import last_word
from crimes.model.calls import Binding
from crimes.model.facts import Class

MAX_BASES = 12  # classes that a method is followed through


class Members:
    """Finds members of types. `follower` says what the names in a class stand for."""

    def __init__(self, classes: Classes, follower: Follower) -> None:
        self._classes, self._state, self._follower = classes, classes.state, follower

    def member(self, owner: Type, word: str) -> Entity | None:
        """A method, field or inner class of a type."""
        if not owner.is_object and not owner.is_base:
            inner = self._classes.named(owner.path, f"{owner.qualname}.{word}")
            if inner is not None:
                return Type(owner.path, inner.qualname)
            function = self._inside_module(owner, word)
            if function is not None:
                return function
        calling = self._classes.calling(owner.path)
        method = self.method(owner, word)
        if calling is not None and not calling.calls_fields and isinstance(method, Functions):
            return method
        fields = self.fields(owner, word)
        return self._follower.value_of(owner.path, fields) if fields else method

    def _inside_module(self, owner: Type, word: str) -> Functions | None:
        """A function of a module that is part of a file."""
        facts = self._state.facts(owner.path)
        if facts is None or self._classes.named(owner.path, owner.qualname) is not None:
            return None
        indexes = tuple(
            index
            for index, function in enumerate(facts.functions)
            if function.class_index < 0
            and function.parent < 0
            and function.qualname == f"{owner.qualname}.{word}"
        )
        return Functions(owner.path, indexes) if indexes else None

    def fields(self, owner: Type, name: str) -> list[Binding]:
        """The declarations of a field in a class."""
        calling = self._classes.calling(owner.path)
        if calling is None:
            return []
        spellings = {name, f"${name}", *(f"{word}.{name}" for word in calling.own_objects)}
        return [
            binding
            for path, class_ in self._classes.parts(owner)
            if path == owner.path and (outline := self._classes.outline(path))
            for binding in (*outline.fields, *outline.names.get(-1, ()))
            if binding.name in spellings and self._classes.innermost(path, binding.line) is class_
        ]

    def method(self, owner: Type, name: str, seen: frozenset[Type] = frozenset()) -> Entity | None:
        """The method of a type or the nearest of its bases; Missing if none is known to have it."""
        parts = self._classes.parts(owner)
        if owner in seen or len(seen) > MAX_BASES or not parts:
            return None
        own = [] if owner.is_base else list(self._own_methods(owner, parts, name))
        calling = self._classes.calling(owner.path)
        if own and (calling is None or not calling.has_overloads):
            return own[0]
        inherited, is_open = self._inherited(owner, parts, name, seen | {owner})
        functions = [*own, *(entity for entity in inherited if isinstance(entity, Functions))]
        if functions:
            first = functions[0]
            others = tuple(functions[1:]) if calling is not None and calling.has_overloads else ()
            return Functions(first.path, first.indexes, first.owner, first.is_bound, others)
        if owner.is_base or self._may_have(parts, name):
            return None
        return Missing(Type(owner.path, owner.qualname), name, is_sure=not is_open)

    def _own_methods(self, owner: Type, parts: Sequence[tuple[str, Class]], name: str) -> Iterator[Functions]:
        for path, class_ in parts:
            indexes = self._methods_named(path, class_, name)
            if indexes:
                yield Functions(path, indexes, owner.qualname, is_bound=owner.is_object)

    def _inherited(
        self, owner: Type, parts: Sequence[tuple[str, Class]], name: str, seen: frozenset[Type]
    ) -> tuple[list[Entity | None], bool]:
        """What the bases have under a name, and whether one of them is not known well enough to tell."""
        inherited: list[Entity | None] = []
        is_open = False
        for path, base in [(path, base) for path, class_ in parts for base in class_.bases]:
            type_ = self._base(path, base)
            if type_ is None:
                is_known = is_library_base(self._state, path, base) and is_specific(name)
                is_open = is_open or not (is_known or self._is_inert(path, base))
                continue
            entity = self.method(Type(type_.path, type_.qualname, owner.is_object), name, seen)
            is_open = is_open or entity is None or (isinstance(entity, Missing) and not entity.is_sure)
            inherited.append(entity)
        return inherited, is_open

    def _base(self, path: str, written: str) -> Type | None:
        return self._follower.type_named(path, plain_type(written), -1)

    def _is_inert(self, path: str, base: str) -> bool:
        calling, outline = self._classes.calling(path), self._classes.outline(path)
        inert = (calling.inert_bases if calling else frozenset()) | (
            outline.inert_bases if outline else frozenset()
        )
        return plain_type(base) in inert or last_word(base) in inert

    def _may_have(self, parts: Sequence[tuple[str, Class]], name: str) -> bool:
        """Whether a type may have a member that no statement of it shows."""
        calling = self._classes.calling(parts[0][0])
        is_scattered = calling is not None and calling.scattered
        if is_scattered and all(self._is_bare(path, class_) for path, class_ in parts):
            return True
        return any(self._part_may_have(path, class_, name) for path, class_ in parts)

    def _part_may_have(self, path: str, class_: Class, name: str) -> bool:
        calling, outline = self._classes.calling(path), self._classes.outline(path)
        facts = self._state.facts(path)
        if calling is None or outline is None or facts is None:
            return True
        methods = {facts.functions[index].name for index in class_.methods}
        generating = calling.generating_decorators
        return (
            name in calling.derived_methods
            or bool(methods & calling.open_methods)
            or any(class_.start <= line <= class_.end for line in outline.mixins)
            or (generating is not None and any(map(generating.search, class_.decorators)))
            or (calling.has_extensions and self._is_extension(name))
            or self._is_reopened(path, class_)
            or (calling.assigns_methods and self._is_mentioned(path, class_, name))
        )

    def _is_reopened(self, path: str, class_: Class) -> bool:
        """Whether several files add to a class of that name, where any may."""
        reopens = self._classes.syntax(path).names.reopens
        return reopens and len(self._state.class_homes.get(class_.name, ())) > 1

    def _is_mentioned(self, path: str, class_: Class, name: str) -> bool:
        """Whether a class has a name other than in a call: it may assign a function to it."""
        pattern = re.compile(
            rf"(?<![\w$.]){re.escape(name)}(?![\w$])|\.{re.escape(name)}\s*+(?::[^=]{{0,200}})?=(?!=)"
        )
        code = self._state.code(path)[class_.start - 1 : class_.end]
        return any(pattern.search(line) for line in code if name in line)

    def _is_extension(self, name: str) -> bool:
        """Whether some function outside of the classes that methods are looked for in has the name."""
        return any(
            function.name == name for file in self._state.files.values() for function in file.facts.functions
        )

    def _is_bare(self, path: str, class_: Class) -> bool:
        """Whether a part of a type shows neither methods nor fields: that of an interface, whose methods are no functions."""
        outline = self._classes.outline(path)
        return not class_.methods and not any(
            self._classes.innermost(path, field.line) is class_
            for field in (outline.fields if outline else ())
        )

    def _methods_named(self, path: str, class_: Class, name: str) -> tuple[int, ...]:
        facts = self._state.facts(path)
        return tuple(index for index in class_.methods if facts and facts.functions[index].name == name)

    def constructor(self, owner: Type) -> Entity | None:
        """The constructor of a type or the nearest base that has one."""
        calling = self._classes.calling(owner.path)
        if calling is None or not calling.constructor:
            return None
        name = last_word(owner.qualname) if calling.constructor == "=" else calling.constructor
        target = Type(owner.path, owner.qualname, is_object=True, is_base=owner.is_base)
        if owner.is_base and calling.constructor == "=":
            bases = [base for path, class_ in self._classes.parts(owner) for base in class_.bases]
            type_ = self._base(owner.path, bases[0]) if bases else None
            return self.constructor(Type(type_.path, type_.qualname)) if type_ else None
        facts = self._state.facts(owner.path)
        class_ = self._classes.named(owner.path, owner.qualname)
        if facts is None or class_ is None or (class_.decorators and calling.neutral_decorators is not None):
            return None
        if any(facts.functions[index].name == "__new__" for index in class_.methods):
            return None
        entity = self.method(target, name)
        return entity if isinstance(entity, Functions) else None
