"""A planned change of several files: in which order to read them, who breaks, what changes too, what to test.

All of it follows from the briefings of the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from crimes.workflows.briefing.command import without_parts
from crimes.workflows.briefing.record import Briefing, User

SCHEMA_VERSION = "1.0"
_COMPANIONS = 30


class Reading(Struct, frozen=True):
    """A file of the plan: what to know of it first, and its worst finding if it has one; the parts that are meant, if not all."""

    file: str
    why: str
    finding: str
    parts: tuple[str, ...] = ()


class Breaking(Struct, frozen=True):
    """A file outside of the plan that uses files of it, each with the names it uses."""

    file: str
    uses: dict[str, tuple[str, ...]]
    test: bool


class Plan(Struct, frozen=True):
    """`reading` is in order: what others of the plan rest on comes first."""

    schema_version: str
    reading: tuple[Reading, ...]
    breaks: tuple[Breaking, ...]  # those that use most of the plan first, tests last
    changes_too: tuple[str, ...]  # outside of the plan, the most likely first
    copies: tuple[str, ...]  # "file:first-last = file:first-last"
    commands: tuple[str, ...]
    tests: tuple[str, ...]
    limits: tuple[str, ...]


def plan_of(briefings: Sequence[Briefing]) -> Plan:
    """The plan for changing these files together."""
    files, parts = _by_file(briefings)
    order = reading_order(_imports(files))
    tests = dict.fromkeys(
        test for file in order for test in (*files[file].tests.importing, *files[file].tests.by_name)
    )
    return Plan(
        schema_version=SCHEMA_VERSION,
        reading=tuple(_reading(files[file], parts[file]) for file in order),
        breaks=_breaks(files),
        changes_too=_changes_too(files),
        copies=tuple(
            f"{file}:{clone.start}-{clone.end} = {copy}"
            for file in order
            for clone in files[file].clones
            for copy in clone.copies
            if copy.rpartition(":")[0] != file
        ),
        commands=without_parts(files[file].tests.command for file in order),
        tests=tuple(tests),
        limits=tuple(dict.fromkeys(limit for one in briefings for limit in one.limits)),
    )


def _by_file(briefings: Sequence[Briefing]) -> tuple[dict[str, Briefing], dict[str, tuple[str, ...]]]:
    """One briefing a file, and the parts of it that were asked about: what is said of any of them is said of the file."""
    files: dict[str, Briefing] = {}
    parts: dict[str, tuple[str, ...]] = {}
    for one in briefings:
        before = files.get(one.file, one)
        whole = one if not one.focus else before if not before.focus else None
        parts[one.file] = () if whole else tuple(dict.fromkeys((*parts.get(one.file, ()), one.focus)))
        files[one.file] = whole or msgspec.structs.replace(
            before,
            findings=tuple({crime.id: crime for crime in (*before.findings, *one.findings)}.values()),
            clones=tuple(dict.fromkeys((*before.clones, *one.clones))),
            users=_users_of_both(before.users, one.users),
        )
    return files, parts


def _users_of_both(some: Sequence[User], others: Sequence[User]) -> tuple[User, ...]:
    """Those that use either part. No names: all of it."""
    found: dict[str, User] = {}
    for user in (*some, *others):
        known = found.get(user.file, user)
        names = sorted({*known.names, *user.names}) if known.names and user.names else ()
        found[user.file] = User(user.file, tuple(names), user.test)
    return tuple(found.values())


def _imports(files: Mapping[str, Briefing]) -> dict[str, list[str]]:
    """By file: those it imports, by way of a package that passes their names on too."""
    through = {file: {user.file for user in one.users} for file, one in files.items()}
    return {
        file: [*one.imports.internal, *(other for other in files if file in through[other])]
        for file, one in files.items()
    }


def reading_order(imports: Mapping[str, Sequence[str]]) -> list[str]:
    """What is imported before who imports it; in a cycle, what needs fewest others first, then what most others need."""
    left = {file: {one for one in found if one in imports and one != file} for file, found in imports.items()}
    order: list[str] = []
    while left:
        needed = Counter(one for file in left for one in left[file])
        following = min(left, key=lambda file: (len(left[file] & left.keys()), -needed[file], file))
        order.append(following)
        del left[following]
    return order


def _reading(briefing: Briefing, parts: tuple[str, ...]) -> Reading:
    """The first piece of advice that is not about the worst finding, which is told beside it, nor about the tests, told below."""
    worst = briefing.findings[0] if briefing.findings else None
    elsewhere = filter(None, (worst.id if worst else "", briefing.tests.command))
    told = [*briefing.advice]
    for words in elsewhere:
        told = [text for text in told if words not in text]
    place = f"{worst.symbol or 'line'} {worst.lines.start}" if worst else ""
    return Reading(
        briefing.file,
        told[0] if told else "",
        f"{worst.severity} {worst.type} at {place}" if worst else "",
        parts,
    )


def _breaks(files: Mapping[str, Briefing]) -> tuple[Breaking, ...]:
    uses: dict[str, dict[str, tuple[str, ...]]] = {}
    tests = set()
    for file, briefing in sorted(files.items()):
        for user in briefing.users:
            if user.file not in files:
                uses.setdefault(user.file, {})[file] = user.names
                if user.test:
                    tests.add(user.file)
    found = [Breaking(file, used, file in tests) for file, used in uses.items()]
    return tuple(sorted(found, key=lambda one: (one.test, -len(one.uses), one.file)))


def _changes_too(files: Mapping[str, Briefing]) -> tuple[str, ...]:
    """Companions by how high they stand with each file of the plan."""
    weights: dict[str, float] = {}
    for briefing in files.values():
        for rank, one in enumerate(briefing.companions):
            if one.file not in files:
                weights[one.file] = weights.get(one.file, 0.0) + 1 / (2 + rank)
    return tuple(sorted(weights, key=lambda file: (-weights[file], file))[:_COMPANIONS])
