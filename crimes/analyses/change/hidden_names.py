"""Names that a change took out of the sight of files that still use them: no longer public, exported or in reach.

Compared is how far each definition of a changed file reaches in both states. A use counts if it leads to the definition in both
states and stands in a file that might name it before and may not now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from crimes.analyses.change.bindings import is_module_of, mentions, qualified_lines
from crimes.analyses.change.broken_members import MemberSearch
from crimes.analyses.change.callees import Callees
from crimes.analyses.change.entities import Functions
from crimes.analyses.change.insiders import Insiders
from crimes.analyses.change.lost_names import Changes
from crimes.analyses.change.outlines import Outlines
from crimes.analyses.change.state import State, last_word
from crimes.analyses.change.two_states import TwoStates
from crimes.analyses.change.used_names import modules_bound, used_names
from crimes.languages import by_id
from crimes.languages.engine.reading import Unreadable
from crimes.languages.engine.visibility import read_visibility
from crimes.model.change import Spot
from crimes.model.facts import FileFacts
from crimes.model.visibility import Reach, Visible


class Narrowed(Struct, frozen=True):
    """A definition of a file with the reach it had and the one it has."""

    path: str
    before: Visible
    after: Visible


class HiddenName(Struct, frozen=True):
    """A definition with the places that may not use it any more."""

    file: str
    name: str
    places: tuple[Spot, ...]


def find_hidden_names(states: TwoStates) -> list[HiddenName]:
    """What the change hid from its users, by file and name."""
    narrowed = list(find_narrowed(states.changed_before, states.changed_after, states.changes))
    if not narrowed:
        return []  # the rest of the repository need not be read
    search = _Search(states.before, states.after, states.changes)
    places = {(item.path, item.after.qualname): search.places(item) for item in narrowed}
    return [HiddenName(file, name, spots) for (file, name), spots in sorted(places.items()) if spots]


def find_narrowed(before: State, after: State, changes: Changes) -> Iterator[Narrowed]:
    """Definitions of changed files that reach less far than they did."""
    for file in changes.files:
        facts, facts_now = before.facts(file.old), after.facts(file.new)
        if not facts or not facts_now or file.old != file.new or len(facts_now.errors) > len(facts.errors):
            continue
        reaches, reaches_now = _visibility(before, file.old), _visibility(after, file.new)
        for qualname, reach in sorted(reaches.items()):
            reach_now = reaches_now.get(qualname, reach)
            if reach_now < reach:
                owner, _, name = qualname.rpartition(".")
                yield Narrowed(file.old, Visible(owner, name, reach), Visible(owner, name, reach_now))


def _visibility(state: State, path: str) -> dict[str, Reach]:
    facts = state.facts(path)
    try:
        return read_visibility(by_id[facts.language], state.read(path)) if facts else {}
    except (OSError, Unreadable):
        return {}


class _Search:
    """Finds the uses of hidden definitions in files that may not use them any more."""

    def __init__(self, before: State, after: State, changes: Changes) -> None:
        self._before, self._after, self._changes = before, after, changes
        self._insiders, self._insiders_now = Insiders(before), Insiders(after)
        self._outlines = Outlines()
        self._callees = Callees(after, self._outlines)
        self._members = MemberSearch(before, after, changes)

    def places(self, narrowed: Narrowed) -> tuple[Spot, ...]:
        """Every use in a file that may not use the definition now, one a line."""
        spots = [*self._imports(narrowed)]
        if narrowed.after.owner:
            spots += [*self._uses_through_class(narrowed), *self._calls(narrowed)]
        else:
            spots += [*self._uses_by_name(narrowed), *self._uses_through_module(narrowed)]
        by_line: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        for spot in sorted(set(spots)):
            by_line[spot.file, spot.line].append(spot.name)
        return tuple(Spot(file, line, names[0]) for (file, line), names in by_line.items())

    def _outsiders(self, narrowed: Narrowed, *, distant: bool = False) -> Iterator[tuple[str, str]]:
        """Files that use the home of a definition and may not use it now: their earlier and later name.

        `distant`: also files that use these.
        """
        users = set(self._before.users.get(narrowed.path, ()))
        if distant:
            users.update(*(self._before.users.get(user, ()) for user in users))
        for user in sorted(users):
            now = self._changes.now(user)
            if self._after.facts(now) is not None and self._is_shut_out(user, now, narrowed):
                yield user, now

    def _is_shut_out(self, user: str, now: str, narrowed: Narrowed) -> bool:
        path = narrowed.path
        return self._insiders.may_use(user, path, narrowed.before) and not self._insiders_now.may_use(
            now, path, narrowed.after
        )

    def _imports(self, narrowed: Narrowed) -> Iterator[Spot]:
        """Imports of the name itself, or of what it holds: `use orders::Kind::*`."""
        name, owner = narrowed.after.name, narrowed.after.owner
        for user, now in self._outsiders(narrowed):
            for link in self._after.linked(now):
                item, qualifier = link.item, last_word(link.item.target)
                base = self._before.resolution(user, item)
                if item.guarded or base is None or base.targets != link.resolution.targets:
                    continue
                taken = {end.path for end in link.resolution.targets if name in end.names}
                is_named = any(bound.name == name for bound in item.names) and owner in ("", qualifier)
                if not is_named:
                    taken = {end.path for end in link.resolution.targets}
                holds = qualifier == name and not owner and not is_module_of(narrowed.path, name)
                if (is_named or holds) and taken == {narrowed.path}:
                    yield Spot(now, item.line, name)

    def _uses_by_name(self, narrowed: Narrowed) -> Iterator[Spot]:
        """Uses that no import spells out."""
        name = narrowed.after.name
        for user, now in self._outsiders(narrowed):
            facts, facts_now = self._before.facts(user), self._after.facts(now)
            if facts is None or facts_now is None or name in map(last_word, facts_now.definitions):
                continue
            if any(bound.name == name for item in facts_now.imports for bound in item.names):
                continue  # the import is the place
            used, used_now = used_names(self._before, user), used_names(self._after, now)
            for text, use in used_now.items():
                is_same = text in used and used[text].targets == use.targets == {narrowed.path}
                if last_word(text) == name and is_same:
                    yield from (Spot(now, line, text) for _, line in mentions(text, facts, facts_now))

    def _uses_through_module(self, narrowed: Narrowed) -> Iterator[Spot]:
        """Uses such as `module.name`."""
        name = narrowed.after.name
        for _, now in self._outsiders(narrowed):
            for link in self._after.linked(now):
                for target, local in modules_bound(link):
                    if target == narrowed.path and not link.item.guarded:
                        lines = qualified_lines(self._after.code(now), local, name)
                        yield from (Spot(now, line, f"{local}.{name}") for line in lines)

    def _uses_through_class(self, narrowed: Narrowed) -> Iterator[Spot]:
        """Uses such as `Order.LIMIT`."""
        visible = narrowed.after
        outside = {now for _, now in self._outsiders(narrowed)}
        for now, local in self._members.files_naming(narrowed.path, visible.owner):
            if now in outside:
                lines = qualified_lines(self._after.code(now), local, visible.name)
                yield from (Spot(now, line, f"{local}.{visible.name}") for line in lines)

    def _calls(self, narrowed: Narrowed) -> Iterator[Spot]:
        """Calls that lead to the method, as far as calls are followed."""
        visible = narrowed.after
        calling = self._outlines.calling(self._after, narrowed.path)
        if calling is None:
            return
        is_constructor = visible.name == (
            visible.owner if calling.constructor == "=" else calling.constructor
        )
        words = {visible.name, visible.owner, *calling.base_objects} if is_constructor else {visible.name}
        for user, now in self._outsiders(narrowed, distant=True):
            facts, facts_now = self._before.facts(user), self._after.facts(now)
            if (
                facts is None
                or facts_now is None
                or not any(_calls_one_of(each, words) for each in (facts, facts_now))
            ):
                continue
            outline = self._outlines.of(self._after, now)
            former = {call.target for call in facts.calls}
            for site in outline.calls if outline else ():
                if last_word(site.target) in words and site.target in former:
                    callee = self._callees.callee(now, site)
                    if isinstance(callee, Functions) and self._is_meant(callee, narrowed):
                        yield Spot(now, site.line, site.target)

    def _is_meant(self, callee: Functions, narrowed: Narrowed) -> bool:
        """Whether a call leads to the definition and to nothing else."""
        if callee.path != narrowed.path or any(other.path != narrowed.path for other in callee.others):
            return False
        function = self._callees.function_of(callee.path, callee.indexes[0])
        return function is not None and function.qualname.endswith(narrowed.after.qualname)


def _calls_one_of(facts: FileFacts, words: set[str]) -> bool:
    return any(last_word(call.target) in words for call in facts.calls)
