"""Where calls lead in one state of a repository.

A call is followed only through names that say what they mean: imports, definitions of the file or package, the own object or
class, and names whose type is declared or follows from the call that made them. Anything else leads nowhere: no name is matched
by its spelling alone.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from crimes.analyses.change.bindings import is_module_of
from crimes.analyses.change.entities import Entity, Functions, Missing, Module, Type, plain_type
from crimes.analyses.change.outlines import Outlines
from crimes.analyses.change.state import State, last_word, words_of
from crimes.languages import by_id
from crimes.languages.engine.call_outline import Binding, CallOutline, CallSite
from crimes.languages.linking.reexports import Linked
from crimes.languages.spec import CallSyntax, Syntax
from crimes.model.facts import Class, EdgeKind, FileFacts, Function

MAX_STEPS = 80  # imports, bases and values that one call is followed through
_HERE = ("self::",)
_PATH_WORDS = frozenset({"crate", "self", "super"})


class Callees:
    """Follows the calls of one state."""

    def __init__(self, state: State, outlines: Outlines) -> None:
        self._state, self._outlines = state, outlines
        self._steps = 0
        self._looked_up: dict[tuple[str, str], Entity | None] = {}
        self._uses_of: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def callee(self, path: str, site: CallSite) -> Entity | None:
        """The functions that a call leads to, or the method that is missing; None if that is not known."""
        calling = self._calling(path)
        words = words_of(site.target)
        if calling is None or not words or words[-1].endswith(")") or "…" in site.target:
            return None
        self._steps = 0
        if len(words) == 1 and (entity := self._own(path, calling, words[0], site.function)):
            if isinstance(entity, Type) and (entity.is_object or entity.is_base):  # `super(…)`, `this(…)`
                return self._constructor(entity)
        entity = self._follow(path, words, site.function, is_path=site.target.startswith(_HERE))
        if isinstance(entity, Type) and not entity.is_object:
            return self._constructor(entity) if site.creates == calling.new_creates else None
        is_chain = any(word.endswith("()") for word in words)  # `new Order().save()`
        return entity if isinstance(entity, (Functions, Missing)) and (is_chain or not site.creates) else None

    def function_of(self, path: str, index: int) -> Function | None:
        """The fact of a function."""
        facts = self._state.facts(path)
        return facts.functions[index] if facts else None

    # Names.

    def _follow(
        self, path: str, words: Sequence[str], function: int, *, is_path: bool = False
    ) -> Entity | None:
        """What a dotted name stands for, written in a function of a file."""
        calling = self._calling(path)
        self._steps += 1
        if calling is None or self._steps > MAX_STEPS:
            return None
        if is_path:
            return self._descend(path, self.lookup(path, words[1]), words[2:]) if len(words) > 1 else None
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
        if isinstance(entity, Type) and not entity.is_object:
            return Type(entity.path, entity.qualname, is_object=True)
        return self._result(entity, 0) if isinstance(entity, Functions) else None

    def _global(self, path: str, words: Sequence[str], function: int, line: int = 0) -> Entity | None:
        """What a name of the file or its imports stands for."""
        missing: Missing | None = None
        if self._syntax(path).names.implicit_self:
            around = list(self._classes_around(path, function, line))
            for owner in around:
                entity = self._inside_class(path, owner, words)
                if entity is not None and not isinstance(entity, Missing):
                    return entity
                missing = entity if entity is not None and owner is around[0] else missing
        for prefix in range(len(words), 1, -1):  # `import a.b` and `a.b.f()`
            module = self._imported(path, ".".join(words[:prefix]), function)
            if isinstance(module, Module):
                return self._descend(path, module, words[prefix:])
        entity = self._defined(path, words[0]) or self._imported(path, words[0], function)
        entity = entity or self._used(path, words[0])
        if entity is not None:
            return self._descend(path, entity, words[1:])
        if missing is not None and not self._is_imported(path, words[0]):
            return missing
        return self._qualified(path, words)

    def _inside_class(self, path: str, owner: Class, words: Sequence[str]) -> Entity | None:
        """What a name means in a class without a prefix: an inner class, a field or a method of it."""
        inner = self._class(path, f"{owner.qualname}.{words[0]}")
        if inner is not None:
            return self._descend(path, Type(path, inner.qualname), words[1:])
        own = Type(path, owner.qualname, is_object=True)
        fields = self._fields(own, words[0]) if len(words) > 1 else []
        if fields:
            return self._descend(path, self._value_of(path, fields), words[1:])
        is_method = len(words) == 1 and words[0] != owner.name  # a constructor is no method
        return self._method(own, words[0]) if is_method else None

    def _qualified(self, path: str, words: Sequence[str]) -> Entity | None:
        """What a path such as `crate::orders::save` leads to, as the resolver sees it."""
        for at in range(len(words) - 1, 0, -1):
            entities = {
                self.lookup(target, words[at])
                for target in self._uses(path).get(words[at], ())
                if words[at - 1] in _PATH_WORDS or is_module_of(target, words[at - 1])
            } - {None}
            if len(entities) == 1:
                return self._descend(path, entities.pop(), words[at + 1 :])
        return None

    def _own(self, path: str, calling: CallSyntax, word: str, function: int) -> Type | None:
        """The own object, its class or its base, by the word for it."""
        outline = self._outlines.of(self._state, path)
        own = next(
            (name for index in self._chain(path, function) if outline and (name := outline.own_names.get(index))), ""
        )
        is_object = word in calling.own_objects or (bool(own) and word == own)
        if not is_object and word not in calling.own_types and word not in calling.base_objects:
            return None
        owner = next(self._classes_around(path, function), None)
        if owner is None:
            return None
        return Type(path, owner.qualname, is_object=word not in calling.own_types, is_base=word in calling.base_objects)

    def _local(self, path: str, name: str, function: int) -> tuple[bool, Entity | None]:
        """Whether a name is bound in the function or one around it, and what it stands for there."""
        facts, outline = self._state.facts(path), self._outlines.of(self._state, path)
        if facts is None or outline is None:
            return True, None
        for index in self._chain(path, function):
            bound = [binding for binding in outline.names.get(index, ()) if binding.name == name]
            if bound:
                return True, self._value_of(path, bound)
            if any(param.name == name for param in facts.functions[index].params):
                return True, None
            if any(inner.parent == index and inner.name == name for inner in facts.functions):
                return True, None
        return False, None

    def _value_of(self, path: str, bound: Iterable[Binding]) -> Entity | None:
        """What all these bindings of one name agree on."""
        entities = {self._bound_entity(path, binding) for binding in bound}
        return entities.pop() if len(entities) == 1 else None

    def _bound_entity(self, path: str, binding: Binding) -> Entity | None:
        """The object or module that a binding holds."""
        written = plain_type(binding.type) if binding.type else ""
        if written:
            entity = self._type_named(path, written, binding.function, binding.line)
            return Type(entity.path, entity.qualname, is_object=True) if entity else None
        if not binding.value:
            return None
        if binding.value in self._syntax(path).imports.calls:
            return self._required(path, binding)
        entity = self._follow(path, words_of(binding.value), binding.function) if binding.value else None
        calling = self._calling(path)
        if isinstance(entity, Type) and not entity.is_object and calling is not None:
            creates = binding.creates == calling.new_creates
            return Type(entity.path, entity.qualname, is_object=True) if creates and not binding.index else None
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
            named = self._type_named(functions.path, written, at, function.start)
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
        return self.lookup(target, binding.key) if binding.key else Module((target,))

    def _type_named(self, path: str, written: str, function: int, line: int = 0) -> Type | None:
        """The type that is written, in a function of a file."""
        if not written:
            return None
        words = words_of(written)
        calling = self._calling(path)
        if calling is not None and len(words) == 1 and words[0] in calling.own_types:
            return self._own(path, calling, words[0], function)
        self._steps += 1
        entity = self._global(path, words, function, line) if self._steps <= MAX_STEPS else None
        return entity if isinstance(entity, Type) and not entity.is_object else None

    # Files and what they have.

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
        return self._defined(path, local) or self._imported(path, local, -1)

    def _default(self, path: str) -> str:
        """The name behind the default export of a file."""
        calling = self._calling(path)
        pattern = calling.default_export if calling else None
        names = [
            next(filter(None, match.groups()))
            for line in (self._state.code(path) if pattern else ())
            if pattern and (match := pattern.search(line))
        ]
        return names[0] if len(names) == 1 else ""

    def _defined(self, path: str, name: str) -> Entity | None:
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
        outline = self._outlines.of(self._state, path)
        bound = [binding for binding in outline.names.get(-1, ()) if binding.name == name] if outline else []
        if bound:
            return self._value_of(path, bound)
        inner = any(function.qualname.startswith(f"{name}.") for function in facts.functions)
        return Type(path, name) if inner else None  # a module inside the file

    def _imported(self, path: str, name: str, function: int) -> Entity | None:
        """What an import binds to a name in a file; None if several differ."""
        chain = {-1, *self._chain(path, function)}
        entities = set()
        for link in self._state.linked(path):
            if link.item.function in chain and link.kind != EdgeKind.DYNAMIC:
                for entity in self._taken(link, name):
                    entities.add(None if link.item.guarded else entity)
        return entities.pop() if len(entities) == 1 else None

    def _is_imported(self, path: str, name: str) -> bool:
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
            local = item.alias or item.target
            if name in (local, last_word(local) if "/" in local else local) and targets:
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

    def _taken_name(self, path: str, name: str, owner: str) -> Entity | None:
        if name == "*":
            return Module((path,))
        entity = self.lookup(path, name)
        if entity is None and is_module_of(path, name):
            return Module((path,))
        if entity is None and self._class(path, owner) is not None:  # a static member
            return self._member(Type(path, owner), name)
        return entity

    def _used(self, path: str, name: str) -> Entity | None:
        """What a name means that files of a package share without an import."""
        entities = {self.lookup(target, name) for target in self._uses(path).get(name, ())}
        return entities.pop() if len(entities) == 1 else None

    def _uses(self, path: str) -> Mapping[str, tuple[str, ...]]:
        """By name: the files that a file takes it from without an import."""
        if path not in self._uses_of:
            uses: defaultdict[str, list[str]] = defaultdict(list)
            for use in self._state.uses(path):
                for name in use.names:
                    uses[name].append(use.path)
            self._uses_of[path] = {name: tuple(targets) for name, targets in uses.items()}
        return self._uses_of[path]

    # Members.

    def _descend(self, path: str, entity: Entity | None, words: Sequence[str]) -> Entity | None:
        for written in words:
            self._steps += 1
            word = written.removesuffix("()")
            if isinstance(entity, Module):
                entities = {self.lookup(target, word) for target in entity.paths} - {None}
                entity = entities.pop() if len(entities) == 1 else None
            elif isinstance(entity, Type):
                entity = self._member(entity, word)
            else:
                return None
            entity = entity if word == written else self._made_by(entity)
        if isinstance(entity, Module) and len(entity.paths) == 1:
            return self.lookup(entity.paths[0], "default") or entity
        return entity

    def _member(self, owner: Type, word: str) -> Entity | None:
        """A method, field or inner class of a type."""
        if not owner.is_object and not owner.is_base:
            inner = self._class(owner.path, f"{owner.qualname}.{word}")
            if inner is not None:
                return Type(owner.path, inner.qualname)
            function = self._inside_module(owner, word)
            if function is not None:
                return function
        calling = self._calling(owner.path)
        method = self._method(owner, word)
        if calling is not None and not calling.calls_fields and isinstance(method, Functions):
            return method
        fields = self._fields(owner, word)
        return self._value_of(owner.path, fields) if fields else method

    def _inside_module(self, owner: Type, word: str) -> Functions | None:
        """A function of a module that is part of a file."""
        facts = self._state.facts(owner.path)
        if facts is None or self._class(owner.path, owner.qualname) is not None:
            return None
        indexes = tuple(
            index
            for index, function in enumerate(facts.functions)
            if function.class_index < 0 and function.parent < 0 and function.qualname == f"{owner.qualname}.{word}"
        )
        return Functions(owner.path, indexes) if indexes else None

    def _fields(self, owner: Type, name: str) -> list[Binding]:
        """The declarations of a field in a class."""
        calling = self._calling(owner.path)
        if calling is None:
            return []
        spellings = {name, f"${name}", *(f"{word}.{name}" for word in calling.own_objects)}
        return [
            binding
            for path, class_ in self._parts(owner)
            if path == owner.path and (outline := self._outlines.of(self._state, path))
            for binding in (*outline.fields, *outline.names.get(-1, ()))
            if binding.name in spellings and self._innermost(path, binding.line) is class_
        ]

    def _method(self, owner: Type, name: str, seen: frozenset[Type] = frozenset()) -> Entity | None:
        """The method of a type or the nearest of its bases; Missing if all of them are known and none has it."""
        if owner in seen or len(seen) > MAX_STEPS:
            return None
        parts = self._parts(owner)
        if not parts:
            return None
        if not owner.is_base:
            for path, class_ in parts:
                indexes = self._methods_named(path, class_, name)
                if indexes:
                    return Functions(path, indexes, owner.qualname, is_bound=owner.is_object)
        is_open = False
        for path, base in [(path, base) for path, class_ in parts for base in class_.bases]:
            type_ = self._base(path, base)
            if type_ is None:
                is_open = is_open or not self._is_inert(path, base)
                continue
            inherited = self._method(
                Type(type_.path, type_.qualname, owner.is_object), name, seen | {owner}
            )
            if isinstance(inherited, Functions):
                return inherited
            is_open = is_open or inherited is None or (isinstance(inherited, Missing) and not inherited.is_sure)
        if owner.is_base or self._may_have(parts, name):
            return None
        return Missing(Type(owner.path, owner.qualname), name, is_sure=not is_open)

    def _base(self, path: str, written: str) -> Type | None:
        return self._type_named(path, plain_type(written), -1)

    def _is_inert(self, path: str, base: str) -> bool:
        calling, outline = self._calling(path), self._outlines.of(self._state, path)
        inert = (calling.inert_bases if calling else frozenset()) | (outline.inert_bases if outline else frozenset())
        return plain_type(base) in inert or last_word(base) in inert

    def _may_have(self, parts: Sequence[tuple[str, Class]], name: str) -> bool:
        """Whether a type may have a member that no statement of it shows."""
        for path, class_ in parts:
            calling, provided = self._calling(path), self._state.provided(path)
            if calling is None or provided is None or provided.is_open or name in calling.derived_methods:
                return True
            facts = self._state.facts(path)
            if facts is None or any(facts.functions[at].name in calling.open_methods for at in class_.methods):
                return True
            outline = self._outlines.of(self._state, path)
            if outline is None or any(class_.start <= line <= class_.end for line in outline.mixins):
                return True
            if calling.has_extensions and self._is_extension(name):
                return True
            if calling.scattered and self._is_bare_base(facts, class_):
                return True
            generating = calling.generating_decorators
            if generating is not None and any(generating.search(decorator) for decorator in class_.decorators):
                return True
            if calling.assigns_methods and self._is_mentioned(path, class_, name):
                return True
        return False

    def _is_mentioned(self, path: str, class_: Class, name: str) -> bool:
        """Whether a class has a name other than in a call: it may assign a function to it."""
        pattern = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])|\.{re.escape(name)}\s*(?::[^=]*)?=(?!=)")
        code = self._state.code(path)[class_.start - 1 : class_.end]
        return any(pattern.search(line) for line in code if name in line)

    def _is_extension(self, name: str) -> bool:
        """Whether some function outside of the classes that methods are looked for in has the name."""
        return any(
            function.name == name for file in self._state.files.values() for function in file.facts.functions
        )

    def _is_bare_base(self, facts: FileFacts, class_: Class) -> bool:
        """Whether a type shows neither methods nor fields: an interface whose methods are no functions."""
        return not class_.methods and not class_.attributes and class_.name in facts.definitions

    def _methods_named(self, path: str, class_: Class, name: str) -> tuple[int, ...]:
        facts = self._state.facts(path)
        return tuple(index for index in class_.methods if facts and facts.functions[index].name == name)

    def _constructor(self, owner: Type) -> Entity | None:
        """The constructor of a type or the nearest base that has one."""
        calling = self._calling(owner.path)
        if calling is None or not calling.constructor:
            return None
        name = last_word(owner.qualname) if calling.constructor == "=" else calling.constructor
        target = Type(owner.path, owner.qualname, is_object=True, is_base=owner.is_base)
        if owner.is_base and calling.constructor == "=":
            bases = [base for path, class_ in self._parts(owner) for base in class_.bases]
            type_ = self._base(owner.path, bases[0]) if bases else None
            return self._constructor(Type(type_.path, type_.qualname)) if type_ else None
        facts = self._state.facts(owner.path)
        class_ = self._class(owner.path, owner.qualname)
        if facts is None or class_ is None or class_.decorators and calling.neutral_decorators is not None:
            return None
        if any(facts.functions[index].name == "__new__" for index in class_.methods):
            return None
        entity = self._method(target, name)
        return entity if isinstance(entity, Functions) else None

    # Classes.

    def _class(self, path: str, qualname: str) -> Class | None:
        classes = self._classes_named(path, qualname)
        return classes[0] if classes else None

    def _classes_named(self, path: str, qualname: str) -> list[Class]:
        """The class of a name in a file; in several parts, where its methods may stand outside of it."""
        facts, calling = self._state.facts(path), self._calling(path)
        classes = [class_ for class_ in facts.classes if class_.qualname == qualname] if facts else []
        return classes if len(classes) < 2 or (calling and calling.scattered) else []

    def _parts(self, owner: Type) -> list[tuple[str, Class]]:
        """The class in its file, and in other files where its methods may stand."""
        calling = self._calling(owner.path)
        parts = [(owner.path, class_) for class_ in self._classes_named(owner.path, owner.qualname)]
        if calling is not None and calling.scattered:
            parts += [
                (path, class_)
                for path, class_ in self._by_name.get(owner.qualname, ())
                if path != owner.path and self._is_same_type(owner.path, path, class_.name)
            ]
        return parts

    @cached_property
    def _by_name(self) -> Mapping[str, list[tuple[str, Class]]]:
        by_name: defaultdict[str, list[tuple[str, Class]]] = defaultdict(list)
        for path, file in self._state.files.items():
            for class_ in file.facts.classes:
                by_name[class_.qualname].append((path, class_))
        return by_name

    def _is_same_type(self, path: str, other: str, name: str) -> bool:
        """Whether the methods for a type in another file are those of this type."""
        facts, others = self._state.facts(path), self._state.facts(other)
        if facts is None or others is None or facts.language != others.language:
            return False
        if facts.packages or others.packages:
            return facts.packages == others.packages and posixpath.dirname(path) == posixpath.dirname(other)
        return name not in others.definitions

    def _classes_around(self, path: str, function: int, line: int = 0) -> Iterator[Class]:
        """The class whose method a function is or is part of, and the classes around that, innermost first.

        Outside of functions, the class that a line stands in.
        """
        facts = self._state.facts(path)
        index = next(
            (at for at in self._chain(path, function) if facts and facts.functions[at].class_index >= 0), -1
        )
        if facts is None:
            return
        owner = facts.classes[facts.functions[index].class_index] if index >= 0 else self._innermost(path, line)
        if owner is None:
            return
        qualname = owner.qualname
        yield owner
        while "." in qualname:
            qualname = qualname.rpartition(".")[0]
            outer = self._class(path, qualname)
            if outer is not None:
                yield outer

    def _innermost(self, path: str, line: int) -> Class | None:
        facts = self._state.facts(path)
        around = [class_ for class_ in (facts.classes if facts else ()) if class_.start <= line <= class_.end]
        return min(around, key=lambda class_: class_.end - class_.start) if around else None

    def _chain(self, path: str, function: int) -> Iterator[int]:
        """A function and those around it, innermost first."""
        facts = self._state.facts(path)
        while function >= 0 and facts is not None:
            yield function
            function = facts.functions[function].parent

    def _syntax(self, path: str) -> Syntax:
        facts = self._state.facts(path)
        syntax = by_id[facts.language].syntax if facts else None
        assert syntax is not None, path
        return syntax

    def _calling(self, path: str) -> CallSyntax | None:
        return self._outlines.calling(self._state, path)


def _is_top_level(function: Function, name: str) -> bool:
    return function.qualname == name and function.class_index < 0 and function.parent < 0 and not function.is_anonymous


def _is_reassigned(facts: FileFacts, name: str, starts: Sequence[int]) -> bool:
    """Whether a statement of the file gives a function's name another value."""
    return bool(starts) and any(
        statement.kind == "assign"
        and statement.name == name
        and not any(statement.line <= start <= statement.end for start in starts)
        for statement in facts.statements
    )
