"""References that led somewhere in the repository before a change, and lead nowhere now.

Three ways to refer are followed: an import; a name that a file uses without importing it, as its resolver sees it; and a
name used through a module, `module.name`. A reference counts only if it stands in the later state: what was edited away in the
same change is not broken. Whatever may still be there, by a star from outside, code that cannot be parsed or names made at run
time, is left alone.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from crimes.analyses.change.bindings import (
    has_word,
    is_bound,
    is_module_of,
    mentions,
    names_taken_apart,
    plain_lines,
    qualified_lines,
)
from crimes.analyses.change.broken_members import MemberSearch
from crimes.analyses.change.lost_names import Changes, Lost, find_lost
from crimes.analyses.change.state import State, last_word
from crimes.analyses.change.used_names import (
    Use,
    is_imported_anew,
    is_qualified,
    modules_bound,
    packages_of,
    used_names,
)
from crimes.languages import by_id
from crimes.languages.linking.reexports import Linked
from crimes.languages.spec import Resolution
from crimes.model.change import Spot
from crimes.model.facts import FileFacts, Import, ImportedName
from crimes.model.lazy_regex import regex

_MANIFEST_ENDINGS = (
    ".toml", ".json", ".txt", ".cfg", ".xml", ".gradle", ".kts", ".mod", ".csproj", ".props", ".gemspec", ".sbt", ".in",
    "setup.py", "Gemfile", "Podfile", "Package.swift",
)  # fmt: skip
_CONSTANT_NAME = regex(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{5,}")
_EXACT_QUALIFIERS = ("::", "\\")  # what stands before them is a module or a class, never an object


class Cause(Struct, frozen=True, order=True):
    """A file of the earlier state, and the name in it that is gone; empty for the whole file."""

    file: str
    name: str = ""


class Broken(Struct, frozen=True):
    """The references that one cause broke."""

    cause: Cause
    lost: Lost
    places: tuple[Spot, ...]


def find_broken_references(before: State, after: State, changes: Changes) -> list[Broken]:
    """What the change broke, by cause."""
    lost = find_lost(before, after, changes)
    if not lost:
        return []
    search = _Search(before, after, changes, lost)
    users = {user for path in lost for user in before.users.get(path, ())} | lost.keys()
    users |= {path for gone in lost.values() if gone.is_gone for path in _declaring(before, gone.path)}
    for path in sorted(users):
        now = changes.now(path)
        if now and after.facts(now) is not None:
            search.look_at(path, now)
    for gone in lost.values():
        if not gone.is_gone:
            search.add_calls_of_lost_methods(gone)
    return search.results()


def _declaring(state: State, path: str) -> Iterator[str]:
    """Files near a module that declare it and need not lead to it by an edge: `mod name;`."""
    folder = posixpath.dirname(path)
    for near in {folder, posixpath.dirname(folder)}:
        for other, declared in state.declarations.get(near, {}).items():
            if any(is_module_of(path, name) for name in declared):
                yield other


class _Search:
    """Gathers broken references, file by file."""

    def __init__(self, before: State, after: State, changes: Changes, lost: Mapping[str, Lost]) -> None:
        self._before, self._after, self._changes, self._lost = before, after, changes, lost
        self._places: defaultdict[Cause, set[Spot]] = defaultdict(set)
        self._members = MemberSearch(before, after, changes)
        self._manifest_changed = any(path.endswith(_MANIFEST_ENDINGS) for path in changes.touched)

    def results(self) -> list[Broken]:
        """All that was gathered."""
        return [
            Broken(cause, self._lost[cause.file], _one_a_line(places))
            for cause, places in sorted(self._places.items())
        ]

    def look_at(self, path: str, now: str) -> None:
        """Gather the broken references of one file, which is called `now` in the later state."""
        for link in self._after.linked(now):
            if not link.item.guarded:
                self._check_import(path, now, link)
        self._check_uses(path, now)
        self._check_modules(path, now)
        self._check_stars(now)

    def add_calls_of_lost_methods(self, lost: Lost) -> None:
        """Gather the calls of methods that a file's classes no longer have."""
        for name, spot in self._members.calls_of_lost_methods(lost):
            self._places[Cause(lost.path, name)].add(spot)
        for name, spot in self._members.uses_of_sole_constants(lost):
            self._places[Cause(lost.path, name)].add(spot)
        for name, spot in self._members.uses_of_lost_constants(lost):
            self._places[Cause(lost.path, name)].add(spot)

    # Imports.

    def _check_import(self, path: str, now: str, link: Linked) -> None:
        item = link.item
        base = self._before.resolution(path, item)
        if base is None:
            return
        if not base.targets:
            self._check_known_import(now, link, base)
        for imported in item.names:
            self._check_name(path, now, link, base, imported)
        if base.targets and not item.names and not link.resolution.targets:
            self._add_lost_import(path, now, link, [target.path for target in base.targets])

    def _check_known_import(self, now: str, link: Linked, base: Resolution) -> None:
        """A declaration such as `mod name;` whose file is gone: the resolver knew it, and had no edge for it."""
        item = link.item
        if base.known and not link.resolution.known and not link.resolution.targets:
            for path, lost in self._lost.items():
                if lost.is_gone and is_module_of(path, last_word(item.target.rpartition(" ")[2])):
                    self._add(Cause(path), now, item.line, item.target)
                    return

    def _check_name(
        self, path: str, now: str, link: Linked, base: Resolution, imported: ImportedName
    ) -> None:
        item, name, owner = link.item, imported.name, last_word(link.item.target)
        targets = [target.path for target in base.targets if name in target.names]
        if not targets:
            return
        facts_now = self._after.facts(now)
        now_targets = [
            target.path
            for target in link.resolution.targets
            # A file that imports a name from its own package has it by this very import; a star stands for what is there.
            if name in target.names
            and (target.path != now or name == "*" or facts_now is None or name in facts_now.definitions)
        ]
        if not now_targets:
            self._add_lost_import(path, now, link, targets, "" if name == "*" else name)
            return
        sources = (*targets, *(origin for target in targets for origin in self._before.origins(target, name)))
        source = next((path for path in sources if path in self._lost), "")
        if not source or name == "*" or not self._was_there(source, name, owner):
            return
        others = [target for target in now_targets if target != source]
        if any(is_module_of(target, name) for target in others):
            return
        if not any(self._may_provide(target, name, owner) for target in now_targets):
            whole = self._lost[source].is_gone
            self._add(Cause(source, "" if whole else name), now, item.line, name)

    def _was_there(self, source: str, name: str, owner: str) -> bool:
        """Whether a file had a name before, or was itself the module of that name and is gone."""
        if self._before.provides(source, name, owner) is True:
            return True
        return self._lost[source].is_gone and is_module_of(source, name)

    def _add_lost_import(
        self, path: str, now: str, link: Linked, targets: Iterable[str], name: str = ""
    ) -> None:
        """An import that leads to no file now: the cause is its former file, or the move of the importing one."""
        item = link.item
        if link.resolution.known or (link.resolution.external and self._is_excused(item)):
            return
        source = next((target for target in targets if target in self._lost), path if path != now else "")
        if source not in self._lost:
            return
        whole = self._lost[source].is_gone or not name
        self._add(Cause(source, "" if whole else name), now, item.line, name or item.target)

    def _is_excused(self, item: Import) -> bool:
        """Whether something outside may provide it now: a manifest changed, or a build makes the file of a template."""
        name = posixpath.basename(item.target.strip("<>"))
        return self._manifest_changed or any(
            posixpath.basename(path).startswith(f"{name}.") for path in self._changes.added
        )

    def _may_provide(self, path: str, name: str, owner: str) -> bool:
        provides = self._after.provides(path, name, owner)
        if provides is None and self._is_open_as_before(path):
            return name in self._after.definers or has_word(self._after.code(path), name)
        return provides is not False or is_bound(self._after, path, name)

    def _is_open_as_before(self, path: str) -> bool:
        """Whether a file made names at run time before and now: what it lost by name was not made so."""
        before, after = self._before.provided(path), self._after.provided(path)
        return before is not None and after is not None and before.is_open and after.is_open

    # Names in use without an import.

    def _check_uses(self, path: str, now: str) -> None:
        used, used_now = used_names(self._before, path), used_names(self._after, now)
        facts, facts_now = self._before.facts(path), self._after.facts(now)
        if facts is None or facts_now is None:
            return
        for name, use in used.items():
            short = last_word(name)
            lost = sorted(target for target in use.targets if self._has_lost(target, short))
            if not short or not lost or short in map(last_word, facts_now.definitions):
                continue
            if is_imported_anew(short, facts, facts_now) or (
                use.is_implicit and self._may_be_global(facts_now, short)
            ):
                continue
            # The name may lead elsewhere as well: then only what stands before it tells which is meant.
            targets_now = [
                target
                for target in (used_now[name].targets if name in used_now else ())
                if not self._has_lost(target, short) and not self._only_holds(target, short)
            ]
            elsewhere = bool(targets_now) or len(lost) < len(use.targets)
            unsure = self._has_twin(use, short) or (use.is_implicit and short in self._functions_in_change)
            for text, line in mentions(name, facts, facts_now):
                if any(is_qualified(self._after, now, text, short, target) for target in targets_now):
                    continue
                sources = [target for target in lost if is_qualified(self._before, path, text, short, target)]
                if elsewhere or (unsure and not any(mark in text for mark in _EXACT_QUALIFIERS)):
                    lost_here = sources
                else:
                    lost_here = sources or lost
                for source in lost_here[:1]:
                    self._add(Cause(source, "" if self._lost[source].is_gone else short), now, line, name)

    def _may_be_global(self, facts: FileFacts, name: str) -> bool:
        """Whether a name may come from the language or a library: helpers are dropped when a newer one brings the same."""
        return self._manifest_changed or name in by_id[facts.language].global_names

    def _has_lost(self, target: str, name: str) -> bool:
        """Whether a file had the name and has it no more."""
        lost = self._lost.get(target)
        if lost is None or not any(last_word(own) == name for own in lost.names):
            return False
        return lost.is_gone or not is_bound(self._after, target, name)

    def _only_holds(self, target: str, name: str) -> bool:
        """Whether a resolver fell back on the file of the class around a constant, which does not define it."""
        facts, provided = self._after.facts(target), self._after.provided(target)
        syntax = by_id[facts.language].syntax if facts else None
        if (
            facts is None
            or provided is None
            or provided.is_open
            or syntax is None
            or not syntax.names.reopens
        ):
            return False
        defined = {*map(last_word, facts.definitions), *(class_.name for class_ in facts.classes)}
        return name not in defined and not is_bound(self._after, target, name)

    @cached_property
    def _functions_in_change(self) -> frozenset[str]:
        """Functions that changed files define, as a member of anything: an object may be meant that has one of these."""
        known = (self._after.facts(file.new) for file in self._changes.files if file.new)
        functions = [function for facts in known if facts for function in facts.functions]
        names = {function.name for function in functions if function.class_index >= 0}
        return frozenset(name for name in names if not name[:1].isupper())

    def _has_twin(self, use: Use, name: str) -> bool:
        """Whether a file of the same package defines the name now: which of the two was meant is not sure."""
        packages = {packages_of(self._before, target) for target in use.targets}
        return any(packages_of(self._after, path) in packages for path in self._after.definers.get(name, ()))

    # Constants that a star brings: facts have no references to these, since a variable looks the same.

    def _check_stars(self, now: str) -> None:
        stars = [
            link for link in self._after.linked(now) if any(bound.name == "*" for bound in link.item.names)
        ]
        targets = [target.path for link in stars for target in link.resolution.targets]
        if any(not link.resolution.targets for link in stars):
            return  # one from outside may bring it
        for source in targets:
            lost = self._lost.get(source)
            for name in sorted(lost.names if lost is not None and not lost.is_gone else ()):
                if (
                    _CONSTANT_NAME.fullmatch(name)
                    and self._before.provides(source, name) is True
                    and not any(self._may_provide(target, name, "") for target in targets)
                    and not self._names_itself(now, name)
                ):
                    for line in plain_lines(self._after.code(now), name):
                        self._add(Cause(source, name), now, line, name)

    def _names_itself(self, path: str, name: str) -> bool:
        """Whether a file defines or imports a name by itself."""
        facts = self._after.facts(path)
        if facts is None or name in map(last_word, facts.definitions) or is_bound(self._after, path, name):
            return True
        return any(name in (bound.alias, bound.name) for item in facts.imports for bound in item.names)

    # Names used through a module.

    def _check_modules(self, path: str, now: str) -> None:
        for link in self._after.linked(now):
            for target, local in modules_bound(link):
                lost = self._lost.get(target)
                if lost is None or lost.is_gone or link.item.guarded:
                    continue
                for name in sorted(lost.names):
                    provided = self._before.provides(target, name) is True
                    if provided and not self._may_provide(target, name, ""):
                        for line in qualified_lines(self._after.code(now), local, name):
                            self._add(Cause(target, name), now, line, f"{local}.{name}")
            for end in link.resolution.targets:
                self._check_taken_apart(now, link.item, end.path)

    def _check_taken_apart(self, now: str, item: Import, target: str) -> None:
        """A name that a file defined and that no word of it is now, taken by `{ name } = require(...)`."""
        lost = self._lost.get(target)
        if lost is None or lost.is_gone or item.guarded:
            return
        for name, line in names_taken_apart(self._after.code(now), item.target):
            if name in lost.names and not has_word(self._after.code(target), name):
                self._add(Cause(target, name), now, line, name)

    def _add(self, cause: Cause, file: str, line: int, name: str) -> None:
        self._places[cause].add(Spot(file, line, name))


def _one_a_line(places: Iterable[Spot]) -> tuple[Spot, ...]:
    """The places by file and line; names on one line are one place."""
    names: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for place in sorted(places):
        names[place.file, place.line].append(place.name)
    return tuple(Spot(file, line, ", ".join(used)) for (file, line), used in names.items())
