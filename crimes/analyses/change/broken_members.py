"""Calls of a method that a change took out of its class: on the own object, through a subclass, or on the class itself; and on
any object, where the name can mean nothing else.

Nothing is said of a class that may have the method from elsewhere: a base outside the repository, another part of the class, or
a method of that name that the change adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from crimes.analyses.change.bindings import is_bound, qualified_lines
from crimes.analyses.change.library_bases import is_library_base
from crimes.analyses.change.lost_names import Changes, Lost
from crimes.analyses.change.outlines import Outlines
from crimes.analyses.change.sole_constants import SoleConstants
from crimes.analyses.change.sole_members import OWN_OBJECT, PARENT_OBJECT, Member, SoleMembers, is_specific
from crimes.analyses.change.state import State, last_word, words_of
from crimes.model.change import Spot
from crimes.model.facts import Class, FileFacts

_ROOT_CLASSES = frozenset({"object", "Object"})
_MAX_BASES_FOLLOWED = 10


class MemberSearch:
    """Finds the calls of lost methods, class by class."""

    def __init__(self, before: State, after: State, changes: Changes) -> None:
        self._before, self._after, self._changes = before, after, changes
        self._sole = SoleMembers(before, after, changes)
        self._outlines = Outlines()

    def calls_of_lost_methods(self, lost: Lost) -> Iterator[tuple[str, Spot]]:
        """The qualified name of each lost method that is still called, with the place."""
        for name in sorted(lost.names):
            owner, dot, method = name.partition(".")
            if dot and not method.startswith("__") and self._is_lost(lost.now, owner, method):
                yield from ((name, spot) for spot in self._calls(lost.now, owner, method))
                for path, call in self._sole.calls(Member(lost.path, owner, method)):
                    yield name, Spot(path, call.line, call.target)

    def uses_of_lost_constants(self, lost: Lost) -> Iterator[tuple[str, Spot]]:
        """The qualified name of each lost constant that another file still takes from the class, with the place."""
        for name in sorted(lost.constants):
            owner, _, constant = name.rpartition(".")
            if self._is_lost(lost.now, owner, constant):
                for now, local in self.files_naming(lost.now, owner):
                    for line in qualified_lines(self._after.code(now), local, constant):
                        yield name, Spot(now, line, f"{local}.{constant}")
                for now, line in self._imports_of(lost.now, owner, constant):
                    yield name, Spot(now, line, constant)

    def uses_of_sole_constants(self, lost: Lost) -> Iterator[tuple[str, Spot]]:
        """The lost classes and constants whose name can mean nothing else and is still used, with the place."""
        yield from SoleConstants(self._before, self._after, self._changes, self._sole).uses(lost)

    def _imports_of(self, path: str, owner: str, constant: str) -> Iterator[tuple[str, int]]:
        """Imports that take a constant from a class: `import static shop.Cart.LIMIT`."""
        for user in sorted(self._before.users.get(path, ())):
            now = self._changes.now(user)
            for link in self._after.linked(now) if now and self._after.facts(now) is not None else ():
                leads_here = any(target.path == path for target in link.resolution.targets)
                is_taken = any(bound.name == constant for bound in link.item.names) and not link.item.guarded
                if leads_here and is_taken and last_word(link.item.target) == owner:
                    yield now, link.item.line

    def _is_lost(self, path: str, owner: str, method: str) -> bool:
        facts = self._after.facts(path)
        if facts is None or not any(class_.name == owner for class_ in facts.classes):
            return False
        if (
            is_bound(self._after, path, method)
            or method in self._added_methods
            or self._is_in_other_part(path, owner, method)
        ):
            return False
        may_inherit = self._may_inherit(path, owner, method, _MAX_BASES_FOLLOWED)
        return may_inherit is False or (may_inherit is None and self._was_own(path, owner, method))

    def _was_own(self, path: str, owner: str, member: str) -> bool:
        """Whether a member was none that its class also inherits, where the language marks those that are."""
        calling, facts = self._outlines.calling(self._before, path), self._before.facts(path)
        if calling is None or facts is None or not calling.marks_overrides:
            return False
        outline = self._outlines.of(self._before, path)
        if outline is None:
            return False
        return not any(
            facts.functions[index].name == member
            for index in outline.overriding
            if index >= 0 and facts.classes[facts.functions[index].class_index].name == owner
        )

    @cached_property
    def _added_methods(self) -> frozenset[str]:
        """Names of methods that the change adds anywhere: a call may mean one of these now."""
        added: set[str] = set()
        for file in self._changes.files:
            before, after = self._before.facts(file.old), self._after.facts(file.new)
            added.update(name for _, name in {*_methods(after)} - {*_methods(before)})
        return frozenset(added)

    def _is_in_other_part(self, path: str, owner: str, method: str) -> bool:
        """Whether another file adds the method to a class of that name."""
        return any(
            (owner, method) in {*_methods(self._after.facts(other))}
            for other in self._after.class_homes.get(owner, ())
            if other != path
        )

    def _may_inherit(self, path: str, owner: str, method: str, left: int) -> bool | None:
        """Whether a class has a method by its bases; None where a base is not known."""
        facts = self._after.facts(path)
        own = [class_ for class_ in facts.classes if class_.name == owner] if facts else []
        if not own or not left:
            return None
        for written in (base for class_ in own for base in class_.bases):
            base = last_word(written)
            if base in _ROOT_CLASSES:
                continue
            home = self._home_of(path, base)
            if not home and is_library_base(self._after, path, written) and is_specific(method):
                continue
            if not home:
                return None
            if (base, method) in set(_methods(self._after.facts(home))):
                return True
            inherited = self._may_inherit(home, base, method, left - 1)
            if inherited is not False:
                return inherited
        return False

    def _home_of(self, path: str, name: str) -> str:
        """The file of a class that another file names; empty if it is not of the repository."""
        facts = self._after.facts(path)
        if facts is not None and any(class_.name == name for class_ in facts.classes):
            return path
        return next((target for local, target, _ in self._names_in(path) if local == name), "")

    def _names_in(self, path: str) -> Iterator[tuple[str, str, str]]:
        """Names that a file takes from others: the local name, the file, and the name there."""
        for link in self._after.linked(path):
            local = {bound.name: bound.alias or bound.name for bound in link.item.names}
            for target in link.resolution.targets:
                yield from ((local.get(name, name), target.path, name) for name in target.names)
        for use in self._after.uses(path):
            yield from ((last_word(name), use.path, last_word(name)) for name in use.names)

    def _calls(self, path: str, owner: str, method: str) -> Iterator[Spot]:
        """Calls in the file of the class, and in files that name it."""
        yield from self._calls_in(path, owner, owner, method, inside=True)
        for now, local in self.files_naming(path, owner):
            yield from self._calls_in(now, local, owner, method, inside=False)

    def files_naming(self, path: str, owner: str) -> Iterator[tuple[str, str]]:
        """Other files that name a class of a file, and what they call it."""
        for user in sorted(self._before.users.get(path, ())):
            now = self._changes.now(user)
            if not now or self._after.facts(now) is None or now == path:
                continue
            names = {local for local, target, name in self._names_in(now) if target == path and name == owner}
            yield from ((now, local) for local in sorted(names))

    def _calls_in(self, path: str, local: str, owner: str, method: str, *, inside: bool) -> Iterator[Spot]:
        facts = self._after.facts(path)
        assert facts is not None
        own = {n for n, class_ in enumerate(facts.classes) if inside and class_.name == owner}
        heirs = {n for n, class_ in enumerate(facts.classes) if self._is_heir(facts, class_, local, method)}
        for call in facts.calls:
            words = words_of(call.target)
            if len(words) != 2 or words[1] != method:
                continue
            around = _class_around(facts, call.function)
            by_own = words[0] in OWN_OBJECT and around in own | heirs
            by_parent = words[0] in PARENT_OBJECT and around in heirs
            if by_own or by_parent or (words[0] == local and around not in own):
                yield Spot(path, call.line, call.target)

    def _is_heir(self, facts: FileFacts, class_: Class, local: str, method: str) -> bool:
        """Whether a class has this one as its only base and does not define the method itself."""
        has_own = any(facts.functions[index].name == method for index in class_.methods)
        return not has_own and [last_word(base) for base in class_.bases] == [local]


def _methods(facts: FileFacts | None) -> Iterator[tuple[str, str]]:
    """Every method of a file with its class."""
    for function in facts.functions if facts else ():
        if function.class_index >= 0 and facts is not None:
            yield facts.classes[function.class_index].name, function.name


def _class_around(facts: FileFacts, function: int) -> int:
    """The class that a function is a method of, or that it is nested in; -1 for none."""
    while function >= 0:
        if facts.functions[function].class_index >= 0:
            return facts.functions[function].class_index
        function = facts.functions[function].parent
    return -1
