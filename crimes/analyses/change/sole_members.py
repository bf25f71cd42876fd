"""Calls on objects of unknown class whose name can only mean one member of the repository.

A name is evidence where no other file of the later state gives it a meaning, whoever calls it was led to the member's file by
imports, however many, and objects from outside are unlikely to have such a member. It is weaker where the member hands on to
one of the same name, or where the change edited other calls of it: then the object has to be called like the class, or like one
of those that were edited.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from crimes.analyses.change.bindings import has_word
from crimes.analyses.change.lost_names import Changes
from crimes.analyses.change.other_meanings import may_mean_other
from crimes.analyses.change.outside_members import as_listed, is_common_outside
from crimes.analyses.change.state import State, last_word, words_of
from crimes.languages import by_id
from crimes.model.facts import Call, FileFacts
from crimes.model.lazy_regex import regex

OWN_OBJECT = frozenset({"self", "this", "cls", "$this", "Self", "static"})
PARENT_OBJECT = frozenset({"super", "super()", "parent", "base"})
_MIN_NAME_CHARS = 5
_MIN_RECEIVER_CHARS = 3  # of a word that says which class an object is of
_MAX_BASES_FOLLOWED = 10
_HUMP = regex(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


class Member(Struct, frozen=True):
    """A method, and the file of the earlier state that defines it. `lines` are its own in the later state; none if it is gone."""

    path: str
    owner: str
    name: str
    lines: frozenset[int] = frozenset()


class SoleMembers:
    """Finds the calls that can only mean one member."""

    def __init__(self, before: State, after: State, changes: Changes) -> None:
        self._before, self._after, self._changes = before, after, changes
        self._users_of: dict[str, frozenset[str]] = {}

    def calls(self, member: Member) -> Iterator[tuple[str, Call]]:
        """Calls of the later state with their files, in the order of the files."""
        callers = self._callers.get(member.name)
        if not callers or not is_specific(member.name):
            return
        family = self._family(member.path)
        near = [path for path in sorted(callers) if self._family_now(path) == family]
        if not near or not all(self._is_connected(path, member) for path in near):
            return  # whoever calls it without knowing the file means something from outside
        if self._has_other_meaning(member, family):
            return
        edited = self._edited_receivers(member)
        is_doubtful = bool(edited) or self._delegates(member)
        for path in near:
            for call in self._unedited_calls(path, member.name):
                if self._is_meant(path, call, member) and (
                    not is_doubtful or _is_like(_receiver(words_of(call.target)), member.owner, edited)
                ):
                    yield path, call

    def _is_connected(self, path: str, member: Member) -> bool:
        """Whether imports lead from a file to that of the member, or it names the class, or need not."""
        is_user = self.former(path) in self.users_of(member.path)
        return (
            is_user
            or has_word(self._after.code(path), member.owner)
            or (self._is_extension(member) and self._sees_package(path, member))
        )

    def _is_extension(self, member: Member) -> bool:
        """Whether a method is called on its first argument, so that its class is not named."""
        facts = self._before.facts(member.path)
        syntax = by_id[facts.language].syntax if facts else None
        pattern = syntax.calling.extension if syntax and syntax.calling else None
        code = self._before.code(member.path)
        return pattern is not None and any(
            pattern.search(line, line.find(member.name)) for line in code if f"{member.name}(" in line
        )

    def _sees_package(self, path: str, member: Member) -> bool:
        """Whether a file is part of the member's package, or of one below it, or imports it."""
        home, facts = self._before.facts(member.path), self._after.facts(path)
        if home is None or facts is None:
            return False
        seen = [*facts.packages, *(item.target for item in facts.imports)]
        return any(
            name == package or (name in facts.packages and name.startswith(f"{package}."))
            for package in home.packages
            for name in seen
        )

    @cached_property
    def _callers(self) -> Mapping[str, set[str]]:
        """By the last word of a call: the files of the later state that have one."""
        callers: defaultdict[str, set[str]] = defaultdict(set)
        for path, file in self._after.files.items():
            for word in {_last_of(call.target) for call in file.facts.calls}:
                callers[word].add(path)
        return callers

    def _family(self, path: str) -> str:
        facts = self._before.facts(path)
        return by_id[facts.language].family if facts else ""

    def _family_now(self, path: str) -> str:
        facts = self._after.facts(path)
        return by_id[facts.language].family if facts else ""

    @cached_property
    def _former_names(self) -> Mapping[str, str]:
        return {file.new: file.old for file in self._changes.files}

    def former(self, path: str) -> str:
        """What a file of the later state was called; empty for an added one."""
        return self._former_names.get(path, path)

    def users_of(self, path: str) -> frozenset[str]:
        """The files of the earlier state that use a file, directly or through others; and itself."""
        if path not in self._users_of:
            reached, pending = {path}, [path]
            while pending:
                fresh = self._before.users.get(pending.pop(), frozenset()) - reached
                reached |= fresh
                pending += fresh
            self._users_of[path] = frozenset(reached)
        return self._users_of[path]

    def _delegates(self, member: Member) -> bool:
        """Whether the member calls one of its own name on another object: what it wraps may be called elsewhere too."""
        facts = self._before.facts(member.path)
        return facts is None or any(
            _last_of(call.target) == member.name
            and call.function >= 0
            and facts.functions[call.function].name == member.name
            and _receiver(words_of(call.target)) not in {*OWN_OBJECT, *PARENT_OBJECT, member.owner, ""}
            for call in facts.calls
        )

    def _has_other_meaning(self, member: Member, family: str) -> bool:
        """Whether some file of the later state may define the name, or was not read and has it."""
        home, wanted = self._changes.now(member.path), member.name.encode()
        endings = {
            ending
            for language in by_id.values()
            if language.family == family
            for ending in language.extensions
        }
        for path in sorted(self._after.paths):
            facts = self._after.facts(path)
            is_near = self._family_now(path) == family if facts else PurePosixPath(path).suffix in endings
            if not is_near:
                continue
            try:
                has_name = wanted in self._after.read(path)
            except OSError:
                return True
            own = member.lines if path == home else frozenset()
            if has_name and (
                facts is None or may_mean_other(facts, self._after.code(path), member.name, own)
            ):
                return True
        return False

    def _edited_receivers(self, member: Member) -> frozenset[str]:
        """What calls of the name that the change took away from other files were made on."""
        receivers = set()
        for file in self._changes.files:
            facts = self._before.facts(file.old)
            if facts is None or file.old == member.path:
                continue
            left = {call.target for call in _calls(self._after.facts(file.new))}
            gone = {call.target for call in facts.calls if _last_of(call.target) == member.name} - left
            receivers |= {_receiver(words_of(target)) for target in gone}
        return frozenset(receivers - {""})

    def _unedited_calls(self, path: str, name: str) -> Iterator[Call]:
        """The calls of a name in a file that it had before."""
        former = {call.target for call in _calls(self._before.facts(self.former(path)))}
        for call in _calls(self._after.facts(path)):
            if _last_of(call.target) == name and call.target in former:
                yield call

    def _is_meant(self, path: str, call: Call, member: Member) -> bool:
        """Whether a call means the member, and not that of something from outside."""
        facts = self._after.facts(path)
        assert facts is not None
        words = words_of(call.target)
        receiver = _receiver(words)
        knows_owner = has_word(self._after.code(path), member.owner)
        if receiver in PARENT_OBJECT or call.target[:1] in "\"'`[{" or self._is_from_outside(path, words[0]):
            return False
        if not receiver or receiver in OWN_OBJECT:
            syntax = by_id[facts.language].syntax
            is_implicit = syntax is not None and (syntax.names.implicit_self or syntax.names.bare_calls)
            return (bool(receiver) or is_implicit) and (
                knows_owner or self._has_known_bases(path, facts, call)
            )
        return knows_owner or is_compound(member.name) or _is_like(receiver, member.owner)

    def _is_from_outside(self, path: str, word: str) -> bool:
        """Whether a name is that of an import which leads out of the repository."""
        return any(
            link.resolution.external
            and not link.resolution.targets
            and word
            in (link.item.alias, link.item.target, *(name.alias or name.name for name in link.item.names))
            for link in self._after.linked(path)
        )

    def _has_known_bases(self, path: str, facts: FileFacts, call: Call) -> bool:
        """Whether all bases of the class around a call are of the repository."""
        index = call.function
        while index >= 0 and facts.functions[index].class_index < 0:
            index = facts.functions[index].parent
        if index < 0:
            return False
        pending, seen = [facts.classes[facts.functions[index].class_index].name], set[str]()
        while pending and len(seen) < _MAX_BASES_FOLLOWED:
            name = pending.pop()
            homes = self._after.class_homes.get(name)
            if not homes:
                return False
            seen.add(name)
            for home in homes:
                home_facts = self._after.facts(home)
                for class_ in home_facts.classes if home_facts else ():
                    if class_.name == name:
                        pending += [
                            base for base in map(last_word, class_.bases) if base not in {*seen, "object"}
                        ]
        return not pending


def _calls(facts: FileFacts | None) -> tuple[Call, ...]:
    return facts.calls if facts else ()


def _last_of(target: str) -> str:
    """The last word of a call, as `last_word` has it for targets of calls, at a tenth of the time."""
    return target[max(target.rfind("."), target.rfind(":"), target.rfind(">"), target.rfind("\\")) + 1 :]


def _receiver(words: list[str]) -> str:
    """The last word of what a call is made on; empty for a plain call."""
    return words[-2] if len(words) > 1 else ""


def is_specific(name: str) -> bool:
    """Whether hardly anything from outside has a member of that name."""
    is_long = len(as_listed(name)) >= _MIN_NAME_CHARS
    return is_long and not name.startswith("__") and not is_common_outside(name)


def is_compound(name: str) -> bool:
    return len(_HUMP.findall(name)) > 1


def _is_like(receiver: str, owner: str, known: Collection[str] = ()) -> bool:
    """Whether an object is called like its class or the end of that, `client` for `HttpClient`, or like a known one."""
    words = [word.lower() for word in _HUMP.findall(receiver.removesuffix("()"))]
    owned = [word.lower() for word in _HUMP.findall(owner)]
    is_named = bool(words) and len(words[-1]) >= _MIN_RECEIVER_CHARS and words[-1] == owned[-1]
    return receiver in known or is_named
