"""What a lost file or name is most likely called now. Only what is obvious is said; a wrong name costs more than none."""

from __future__ import annotations

import posixpath
from difflib import SequenceMatcher

from crimes.analyses.change.lost_names import Changes, Lost
from crimes.analyses.change.state import State, last_word
from crimes.model.facts import Class, FileFacts, Function

_MIN_SHARED_NAMES = 0.8  # of the names of two files, for one to be the other under a new name
_MIN_NAME_LIKENESS = 0.6


def likely_file(before: State, after: State, changes: Changes, lost: Lost) -> str:
    """The path a file has now: where git saw it move, or an added file with the same content or names; else empty."""
    if lost.now:
        return lost.now
    ending = posixpath.splitext(lost.path)[1]
    added = [path for path in changes.added if path.endswith(ending)]
    same = [path for path in added if _content(after, path) == _content(before, lost.path)]
    alike = same or [path for path in added if _shared_names(before, after, lost.path, path)]
    return alike[0] if len(alike) == 1 else ""


def _content(state: State, path: str) -> bytes | None:
    try:
        return state.read(path)
    except OSError:
        return None


def _shared_names(before: State, after: State, old: str, new: str) -> bool:
    first, second = before.facts(old), after.facts(new)
    names, others = (set(facts.definitions if facts else ()) for facts in (first, second))
    return bool(names) and len(names & others) >= _MIN_SHARED_NAMES * len(names | others)


def likely_name(before: State, after: State, changes: Changes, lost: Lost, name: str) -> str:
    """What a name of a file is called now, or the changed file that has it now; else empty."""
    former, now = before.facts(lost.path), after.facts(lost.now)
    if former is not None and now is not None:
        renamed = _renamed(former, now, name)
        if renamed:
            return renamed
    homes = [
        file.new
        for file in changes.files
        if file.new != lost.now and _defines_anew(before.facts(file.old), after.facts(file.new), name)
    ]
    return homes[0] if len(homes) == 1 else ""


def _renamed(before: FileFacts, after: FileFacts, name: str) -> str:
    """The one added name of the file with the same body, else the one that reads alike or that alone takes its place."""
    former, now = _defined(before), _defined(after)
    added = {other: fact for other, fact in now.items() if other not in former}
    fact = former.get(name)
    same = [other for other, own in added.items() if fact is not None and _body(own) == _body(fact)]
    if len(same) == 1:
        return same[0]
    alike = [
        other
        for other in added
        if SequenceMatcher(None, name.lower(), other.lower()).ratio() >= _MIN_NAME_LIKENESS
    ]
    if len(alike) == 1:
        return alike[0]
    lost = [other for other in former if other not in now]
    return next(iter(added)) if len(added) == 1 and lost == [name] else ""


def _defined(facts: FileFacts) -> dict[str, Function | Class | None]:
    """What a file defines, with its fact where there is one."""
    named: dict[str, Function | Class | None] = {last_word(name): None for name in facts.definitions}
    named.update({class_.name: class_ for class_ in facts.classes})
    named.update({function.name: function for function in facts.functions if not function.is_anonymous})
    return named


def _body(fact: Function | Class | None) -> object:
    """What stays the same when only the name changes; nothing is equal to a fact without a body."""
    if isinstance(fact, Function):
        return (fact.params, fact.logic_lines, fact.cyclomatic, fact.returns, fact.end - fact.start)
    if isinstance(fact, Class):
        return (fact.logic_lines, fact.bases, fact.attributes, fact.end - fact.start)
    return object()


def _defines_anew(before: FileFacts | None, after: FileFacts | None, name: str) -> bool:
    """Whether a file has a name that it did not have."""
    had = before is not None and name in _defined(before)
    return after is not None and not had and name in _defined(after)
