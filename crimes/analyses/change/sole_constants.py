"""Uses of a class or constant that the resolver could not follow, where the name meant one thing in the repository and means none now.

Only where a file may see the names of a module that another one opened for it, as in Ruby: a test names the classes of a module
that its helper includes.
"""

from __future__ import annotations

from collections.abc import Iterator

from crimes.analyses.change.lost_names import Changes, Lost
from crimes.analyses.change.sole_members import SoleMembers, is_compound, is_specific
from crimes.analyses.change.state import State, last_word, words_of
from crimes.languages import by_id
from crimes.model.change import Spot
from crimes.model.facts import FileFacts


class SoleConstants:
    """Finds the uses of lost classes and constants by their names."""

    def __init__(self, before: State, after: State, changes: Changes, members: SoleMembers) -> None:
        self._before, self._after, self._changes, self._members = before, after, changes, members

    def uses(self, lost: Lost) -> Iterator[tuple[str, Spot]]:
        """The name of each lost constant that is still used, with the place."""
        facts = self._before.facts(lost.path)
        syntax = by_id[facts.language].syntax if facts else None
        if facts is None or syntax is None or not syntax.names.reopens:
            return
        for name in sorted(lost.names):
            is_telling = name[:1].isupper() and name.isalnum() and is_compound(name) and is_specific(name)
            if is_telling and name not in self._after.definers and name not in self._after.class_homes:
                yield from ((name, spot) for spot in self._places(lost.path, facts, name))

    def _places(self, path: str, home: FileFacts, name: str) -> Iterator[Spot]:
        modules = {class_.name for class_ in home.classes}
        for user in sorted(self._members.users_of(path)):
            facts, now = self._before.facts(user), self._changes.now(user)
            facts_now = self._after.facts(now) if now else None
            if facts is None or facts_now is None or facts.language != home.language:
                continue
            former = {reference.name for reference in facts.references if last_word(reference.name) == name}
            for reference in facts_now.references:
                if reference.name in former and set(words_of(reference.name)[:-1]) <= modules:
                    yield Spot(now, reference.line, reference.name)
