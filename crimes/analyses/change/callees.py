"""Where calls lead in one state of a repository.

A call is followed only through names that say what they mean: imports, definitions of the file or package, the own object or
class, and names whose type is declared or follows from the call that made them. Anything else leads nowhere: no name is matched
by its spelling alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crimes.analyses.change.bindings import is_module_of
from crimes.analyses.change.classes import Classes
from crimes.analyses.change.entities import Entity, Functions, Missing, Module, Type, plain_type
from crimes.analyses.change.file_names import FileNames
from crimes.analyses.change.members import Members
from crimes.analyses.change.outlines import Outlines
from crimes.analyses.change.state import State, words_of
from crimes.languages.spec import CallSyntax
from crimes.model.calls import Binding, CallSite
from crimes.model.facts import Class, Function

MAX_STEPS = 80  # imports, bases and values that one call is followed through
_HERE = ("self::",)
_PATH_WORDS = frozenset({"crate", "self", "super"})


class Callees:
    """Follows the calls of one state."""

    def __init__(self, state: State, outlines: Outlines) -> None:
        self._state = state
        self._classes = Classes(state, outlines)
        self._names = FileNames(self._classes, self)
        self._members = Members(self._classes, self)
        self._steps = 0

    def callee(self, path: str, site: CallSite) -> Entity | None:
        """The functions that a call leads to, or the method that is missing; None if that is not known."""
        calling = self._classes.calling(path)
        words = words_of(site.target)
        if calling is None or not words or words[-1].endswith(")") or "…" in site.target:
            return None
        self._steps = 0
        own = self._own(path, calling, words[0], site.function) if len(words) == 1 else None
        if own is not None and own.is_object:  # `super(…)`, `this(…)`
            return self._members.constructor(own)
        if len(words) > 1 and words[-1] == calling.maker:
            made = self._follow(path, words, site.function)
            return self._members.constructor(made) if isinstance(made, Type) else None
        entity = self._follow(path, words, site.function, is_path=site.target.startswith(_HERE))
        if isinstance(entity, Type) and not entity.is_object:
            return self._members.constructor(entity) if site.creates == calling.new_creates else None
        is_chain = any(word.endswith("()") for word in words)  # `new Order().save()`
        return entity if isinstance(entity, (Functions, Missing)) and (is_chain or not site.creates) else None

    def function_of(self, path: str, index: int) -> Function | None:
        """The fact of a function."""
        facts = self._state.facts(path)
        return facts.functions[index] if facts else None

    def _follow(
        self, path: str, words: Sequence[str], function: int, *, is_path: bool = False
    ) -> Entity | None:
        """What a dotted name stands for, written in a function of a file."""
        calling = self._classes.calling(path)
        self._steps += 1
        if calling is None or self._steps > MAX_STEPS:
            return None
        if is_path:
            return (
                self._descend(path, self._names.lookup(path, words[1]), words[2:]) if len(words) > 1 else None
            )
        entity: Entity | None = self._own(path, calling, words[0], function)
        if entity is not None:
            return self._descend(path, entity, words[1:])
        at = next((at for at, word in enumerate(words) if word.endswith("()")), -1)
        if at >= 0:
            called = self._follow(path, [*words[:at], words[at].removesuffix("()")], function)
            return self._descend(path, self._made_by(called), words[at + 1 :])
        is_local, entity = False, None
        if len(words) > 1 or calling.calls_variables:
            is_local, entity = self._local(path, words[0], function)
        if is_local:
            return self._descend(path, entity, words[1:])
        return self._global(path, words, function)

    def _made_by(self, entity: Entity | None) -> Entity | None:
        """The object that a call returns."""
        if isinstance(entity, Type) and (not entity.is_object or self._has_maker(entity.path)):
            return Type(entity.path, entity.qualname, is_object=True)
        return self._result(entity, 0) if isinstance(entity, Functions) else None

    def _has_maker(self, path: str) -> bool:
        calling = self._classes.calling(path)
        return calling is not None and bool(calling.maker)

    def _global(self, path: str, words: Sequence[str], function: int, line: int = 0) -> Entity | None:
        """What a name of the file or its imports stands for."""
        missing: Missing | None = None
        names = self._classes.syntax(path).names
        if names.implicit_self or names.bare_calls:
            around = list(self._classes.around(path, function, line))
            for owner in around:
                entity = self._inside_class(path, owner, words)
                if entity is not None and not isinstance(entity, Missing):
                    return entity
                missing = entity if entity is not None and owner is around[0] else missing
        for prefix in range(len(words), 1, -1):  # `import a.b` and `a.b.f()`
            module = self._names.imported(path, ".".join(words[:prefix]), function)
            if isinstance(module, Module):
                return self._descend(path, module, words[prefix:])
        if names.reopens:
            constant, count = self._names.constant(path, words)
            if constant is not None:
                return self._descend(path, constant, words[count:])
        entity = self._names.named(path, words[0], function) or self._names.used(path, words[0])
        if entity is not None:
            return self._descend(path, entity, words[1:])
        if missing is not None and not self._names.is_imported(path, words[0]):
            return missing
        return self._qualified(path, words)

    def _inside_class(self, path: str, owner: Class, words: Sequence[str]) -> Entity | None:
        """What a name means in a class without a prefix: an inner class, a field or a method of it."""
        inner = self._classes.named(path, f"{owner.qualname}.{words[0]}")
        if inner is not None:
            return self._descend(path, Type(path, inner.qualname), words[1:])
        own = Type(path, owner.qualname, is_object=True)
        fields = self._members.fields(own, words[0]) if len(words) > 1 else []
        if fields:
            return self._descend(path, self.value_of(path, fields), words[1:])
        is_method = len(words) == 1 and words[0] != owner.name  # a constructor is no method
        return self._members.method(own, words[0]) if is_method else None

    def _qualified(self, path: str, words: Sequence[str]) -> Entity | None:
        """What a path such as `crate::orders::save` leads to, as the resolver sees it."""
        for at in range(len(words) - 1, 0, -1):
            entities = {
                self._names.lookup(target, words[at])
                for target in self._names.uses(path).get(words[at], ())
                if words[at - 1] in _PATH_WORDS or is_module_of(target, words[at - 1])
            } - {None}
            if len(entities) == 1:
                return self._descend(path, entities.pop(), words[at + 1 :])
        return None

    def _own(self, path: str, calling: CallSyntax, word: str, function: int) -> Type | None:
        """The own object, its class or its base, by the word for it."""
        outline = self._classes.outline(path)
        own = next(
            (
                name
                for index in self._classes.chain(path, function)
                if outline and (name := outline.own_names.get(index))
            ),
            "",
        )
        is_object = word in calling.own_objects or (bool(own) and word == own)
        if not is_object and word not in calling.own_types and word not in calling.base_objects:
            return None
        owner = next(self._classes.around(path, function), None)
        if owner is None:
            return None
        return Type(
            path,
            owner.qualname,
            is_object=word not in calling.own_types,
            is_base=word in calling.base_objects,
        )

    def _local(self, path: str, name: str, function: int) -> tuple[bool, Entity | None]:
        """Whether a name is bound in the function or one around it, and what it stands for there."""
        facts, outline = self._state.facts(path), self._classes.outline(path)
        if facts is None or outline is None:
            return True, None
        for index in self._classes.chain(path, function):
            bound = [binding for binding in outline.names.get(index, ()) if binding.name == name]
            if bound:
                return True, self.value_of(path, bound)
            if any(param.name == name for param in facts.functions[index].params):
                return True, None
            if any(inner.parent == index and inner.name == name for inner in facts.functions):
                return True, None
        return False, None

    def value_of(self, path: str, bound: Iterable[Binding]) -> Entity | None:
        """What all these bindings of one name agree on."""
        entities = {self._bound_entity(path, binding) for binding in bound}
        return entities.pop() if len(entities) == 1 else None

    def _bound_entity(self, path: str, binding: Binding) -> Entity | None:
        """The object or module that a binding holds."""
        written = plain_type(binding.type) if binding.type else ""
        if written:
            type_ = self.type_named(path, written, binding.function, binding.line)
            return Type(type_.path, type_.qualname, is_object=True) if type_ else None
        if not binding.value:
            return None
        if binding.value in self._classes.syntax(path).imports.calls:
            return self._required(path, binding)
        entity = self._follow(path, words_of(binding.value), binding.function) if binding.value else None
        calling = self._classes.calling(path)
        if isinstance(entity, Type) and not entity.is_object and calling is not None:
            creates = binding.creates == calling.new_creates
            return (
                Type(entity.path, entity.qualname, is_object=True) if creates and not binding.index else None
            )
        if isinstance(entity, Type) and calling is not None and calling.maker:
            return entity
        return self._result(entity, binding.index) if isinstance(entity, Functions) else None

    def _result(self, functions: Functions, index: int) -> Entity | None:
        """The object that a function returns, by its declared type."""
        types = set()
        for at in functions.indexes:
            function = self.function_of(functions.path, at)
            if function is None or function.is_async:
                return None
            written = plain_type(function.result, index)
            owner = Type(functions.path, functions.owner) if functions.owner else None
            named = self.type_named(functions.path, written, at, function.start)
            types.add(owner if written in ("Self", "this") else named)
        found = types.pop() if len(types) == 1 else None
        return Type(found.path, found.qualname, is_object=True) if found else None

    def _required(self, path: str, binding: Binding) -> Entity | None:
        """The module that a binding takes from an import call, or the name in it that it destructures."""
        targets = {
            target.path
            for link in self._state.linked(path)
            if link.item.line == binding.line and not link.item.names
            for target in link.resolution.targets
        }
        if len(targets) != 1:
            return None
        target = targets.pop()
        return self._names.lookup(target, binding.key) if binding.key else Module((target,))

    def type_named(self, path: str, written: str, function: int, line: int = 0) -> Type | None:
        """The type that is written, in a function of a file."""
        if not written:
            return None
        words = words_of(written)
        calling = self._classes.calling(path)
        if calling is not None and len(words) == 1 and words[0] in calling.own_types:
            return self._own(path, calling, words[0], function)
        self._steps += 1
        entity = self._global(path, words, function, line) if self._steps <= MAX_STEPS else None
        return entity if isinstance(entity, Type) and not entity.is_object else None

    def _descend(self, path: str, entity: Entity | None, words: Sequence[str]) -> Entity | None:
        for written in words:
            self._steps += 1
            word = written.removesuffix("()")
            if isinstance(entity, Module):
                entities = {self._names.lookup(target, word) for target in entity.paths} - {None}
                entity = entities.pop() if len(entities) == 1 else None
            elif isinstance(entity, Type):
                entity = self._made(entity, word) or self._members.member(entity, word)
            else:
                return None
            entity = entity if word == written else self._made_by(entity)
        if isinstance(entity, Module) and len(entity.paths) == 1:
            return self._names.lookup(entity.paths[0], "default") or entity
        return entity

    def _made(self, owner: Type, word: str) -> Type | None:
        """The object that the method of a class for that makes, `Order.new`; None for any other, or one of the class's own."""
        calling = self._classes.calling(owner.path)
        if calling is None or word != calling.maker or owner.is_object:
            return None
        is_own = isinstance(self._members.method(owner, word), Functions)
        return None if is_own else Type(owner.path, owner.qualname, is_object=True)

    def member(self, owner: Type, word: str) -> Entity | None:
        """A method, field or inner class of a type."""
        return self._members.member(owner, word)
