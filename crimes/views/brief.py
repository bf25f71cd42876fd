"""What of a briefing fits a budget, and its markdown: one text for the command, the hook and the server.

Standard library only, and nothing is asked of a briefing but its attributes: the hook hands in plain objects.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from crimes.views.safe import safe

if TYPE_CHECKING:
    from crimes.briefing.record import Briefing

BUDGET = 1_500  # tokens
LEAST = 200
BYTES = 4  # counted as one token
_FOR_THE_END = 400  # bytes kept for saying what was left out
_LONGEST_CALL = 160
_LONGEST = 300  # characters of one text from the repository
_FIRST_USERS = 8  # files that use it, before those that change with it
_LIKELY = 12  # files that change with it, before tests and the past have their turn
_IN_BACKTICKS = re.compile("(?<!`)`([^`]+)`(?!`)")
# An underscore inside a word means nothing, and names are full of them.
_SPECIAL = re.compile(r"([\\`*\[\]<>&@])")
# How much of the room each section may take before the others had theirs.
_SHARES = {"Danger": 0.35, "Keep in step": 0.40, "Tests": 0.15, "Past": 0.10, "Not known": 0.0}


class Name(NamedTuple):
    """Text of the repository that is a name: a path, a symbol, a command."""

    text: str


class Quote(NamedTuple):
    """Text of the repository: a commit's subject, a person's name."""

    text: str


class Sentence(NamedTuple):
    """A sentence of ours about the repository; names stand in backticks."""

    text: str


Part = str | Name | Quote | Sentence
Item = tuple[Part, ...]


class Row(NamedTuple):
    """One thing to say. Those with the same label become one line, in order."""

    section: str
    kind: str  # what it is called when it is left out
    label: str  # "" for a line of its own
    parts: Item


class Shown(NamedTuple):
    """What is said of one file: its name, a line on it, and sections of lines."""

    title: str
    kind: str
    sections: tuple[tuple[str, tuple[Item, ...]], ...]
    left_out: dict[str, int]
    whole: int  # bytes it would take to say everything


def markdown(briefings: Sequence[Briefing], budget: int = BUDGET) -> str:
    """The briefings as markdown of at most `budget` tokens; the end says what was left out and how to see it."""
    shown = chosen(briefings, budget)
    rows: list[str] = []
    for one in (one for one in shown if one.title):
        rows += ["", *_head(one)] if rows else _head(one)
        for title, items in one.sections:
            rows += ["", f"## {title}", *("- " + written(item) for item in items)]
    end = ending(briefings, shown)
    return "\n".join([*rows, *(["", written(end)] if end else [])]) + "\n"


def chosen(briefings: Sequence[Briefing], budget: int = BUDGET) -> list[Shown]:
    """What is said of each file. A file that needs less than its part leaves room to those after it."""
    room = budget * BYTES - _FOR_THE_END
    asked = {one.file for one in briefings}
    found = []
    for index, one in enumerate(briefings):
        shown, used = _fitting(one, asked, room // (len(briefings) - index))
        room -= used
        found.append(shown)
    return found


def ending(briefings: Sequence[Briefing], shown: Sequence[Shown]) -> Item:
    """What was left out, and the call that shows it; nothing when nothing was."""
    left: dict[str, int] = {}
    for one in shown:
        for kind, number in one.left_out.items():
            left[kind] = left.get(kind, 0) + number
    if not left:
        return ()
    needed = -(-(sum(one.whole for one in shown) + _FOR_THE_END) // (100 * BYTES)) * 100
    names = [one.file + (f":{one.focus}" if one.focus else "") for one in briefings]
    call = f"crimes context {' '.join(map(shlex.quote, names))} --budget {needed}"
    if len(call.encode()) > _LONGEST_CALL:
        call = f"--budget {needed}"
    told = ", ".join(f"{number} {kind}" for kind, number in left.items())
    return (f"Left out: {told}. All of it: ", Name(call))


def _fitting(briefing: Briefing, asked: set[str], room: int) -> tuple[Shown, int]:
    """The rows that fit, section by section: first each within its share, then what is left goes from the top."""
    rows = list(_rows(briefing, asked))
    used = sum(len(line.encode()) + 1 for line in _head(Shown(_title(briefing), _kind(briefing), (), {}, 0)))
    costs = [len(written(row.parts).encode()) + 4 for row in rows]
    whole = sum(costs) + 40 * len(_SHARES) + used
    free = room - used
    if free < 0:
        return Shown("", "", (), {"files": 1}, whole), 0
    taken: set[int] = set()
    opened: set[str] = set()
    spent: dict[str, float] = {}

    def take(limit: dict[str, float] | None) -> None:
        nonlocal free
        full: set[str] = set()
        for index, row in enumerate(rows):
            if index in taken or row.section in full:
                continue
            new = {row.section, f"{row.section}/{row.label}"} - opened
            cost = costs[index] + sum(len(name) + 2 for name in new)
            share = free if limit is None else limit[row.section] - spent.get(row.section, 0)
            if cost > min(free, share):
                full.add(row.section)
                continue
            free -= cost
            spent[row.section] = spent.get(row.section, 0) + cost
            opened.update(new)
            taken.add(index)

    take({title: share * free for title, share in _SHARES.items()})
    take(None)
    left: dict[str, int] = {}
    for index, row in enumerate(rows):
        if index not in taken:
            left[row.kind] = left.get(row.kind, 0) + 1
    said = tuple(_sections([rows[index] for index in sorted(taken)]))
    return Shown(_title(briefing), _kind(briefing), said, left, whole), room - free


def _sections(rows: Sequence[Row]) -> Iterator[tuple[str, tuple[Item, ...]]]:
    for title in _SHARES:
        lines: dict[str, list[Part]] = {}
        for number, row in enumerate(row for row in rows if row.section == title):
            key = row.label or f" {number}"
            if key in lines:
                lines[key] += [", ", *row.parts]
            else:
                lines[key] = [f"{row.label}: ", *row.parts] if row.label else [*row.parts]
        if lines:
            yield title, tuple(tuple(parts) for parts in lines.values())


def _rows(briefing: Briefing, asked: set[str]) -> Iterator[Row]:
    """All there is to say, the most useful first."""
    worst = briefing.findings[0].id if briefing.findings else "\0"
    command = briefing.tests.command or "\0"
    for text in briefing.advice:
        if worst not in text and command not in text:  # both are said in full below
            yield Row("Danger", "warnings", "", (Sentence(text),))
    for crime in briefing.findings:
        risk = crime.scores.agent_risk
        symbol = (Name(crime.symbol), ": ") if crime.symbol else ()
        where = f"{crime.severity} {'n/a' if risk is None else format(risk, '.2f')} line {crime.lines.start} "
        told = Sentence(crime.message.partition(". ")[0])
        yield Row("Danger", "findings", "", (where, f"{crime.type} [{crime.id[:7]}] ", *symbol, told))
    yield from _step_rows(briefing, asked)
    if briefing.tests.command:
        yield Row("Tests", "test commands", "", ("run ", Name(briefing.tests.command)))
    for test in (*briefing.tests.importing, *briefing.tests.by_name):
        yield Row("Tests", "tests", "reach it", (Name(test),))
    if briefing.tests.transitive:
        yield Row(
            "Tests", "counts", "", (f"{briefing.tests.transitive:,} test files reach it through others",)
        )
    if briefing.coverage and briefing.coverage.never_ran:
        for idle in briefing.coverage.never_ran:
            yield Row("Tests", "functions no test runs", "no test runs", (Name(idle.name),))
    for fix in briefing.fixes:
        yield Row("Past", "fixes", "", (f"fix {fix.date} {fix.sha} ", Quote(fix.subject)))
    for owner in briefing.owners.codeowners:
        yield Row("Past", "owners", "CODEOWNERS", (Name(owner),))
    for author in briefing.owners.authors:
        yield Row("Past", "authors", "wrote most", (Quote(author.name), f" {author.commits}"))
    for text in briefing.limits:
        yield Row("Not known", "limits", "", (Sentence(text),))


def _step_rows(briefing: Briefing, asked: set[str]) -> Iterator[Row]:
    """Files that use it, copies of its code, files that change with it; whom history ties to it comes first."""
    rank = {one.file: number for number, one in enumerate(briefing.companions)}
    far = len(rank)
    users = sorted(
        (one for one in briefing.users if one.file not in asked and not one.test),
        key=lambda one: (rank.get(one.file, far), not one.names),
    )
    told = {one.file for one in users[:_FIRST_USERS]}
    for user in users[:_FIRST_USERS]:
        yield _user_row(user.file, user.names)
    for clone in briefing.clones:
        here = [
            f"{briefing.file}:{one.start}-{one.end}" for one in briefing.clones if one.start < clone.start
        ]
        for copy in (copy for copy in clone.copies if copy not in here):
            yield Row("Keep in step", "copies", "same code", (f"{clone.start}-{clone.end} = ", Name(copy)))
    others = [one for one in briefing.companions if one.file not in told and one.file not in asked]
    for one in others:
        told.add(one.file)
        often = f" {one.commits}/{one.of}" if one.commits > 1 else ""
        yield Row("Keep in step", "files that change with it", "changes with it", (Name(one.file), often))
    for user in users[_FIRST_USERS:]:
        if user.file not in told:
            yield _user_row(user.file, user.names)


def _coverage_rows(briefing: Briefing) -> Iterator[Row]:
    ran = briefing.coverage
    if ran is None:
        return
    for idle in ran.never_ran:
        yield Row("Tests", "functions no test runs", "never ran", (Name(f"{idle.name}:{idle.line}"),))
    when = ", before it changed: lines may have moved" if ran.stale else ""
    told = f"coverage data: {ran.covered:,} of {_count(ran.total, 'line')} ran{when}"
    yield Row("Tests", "counts", "", (told,))


def _user_row(file: str, names: Sequence[str]) -> Row:
    said = ", ".join(safe(name) for name in names[:3]) + (", ..." if len(names) > 3 else "")
    return Row(
        "Keep in step", "files that use it", "uses it", (Name(file), Quote(f" ({said})") if said else "")
    )


def _title(briefing: Briefing) -> str:
    return briefing.file + (f":{briefing.focus}" if briefing.focus else "")


def _kind(briefing: Briefing) -> str:
    """Language and role, and the numbers behind the risk, in one line."""
    kind = ", ".join(filter(None, (briefing.language, briefing.role_note or briefing.role or "not read")))
    evidence = briefing.profile.evidence
    if briefing.role is None:
        return kind
    numbers = (
        f"{_count(briefing.importers.possible, 'file')} reach it, {briefing.importers.direct:,} directly",
        f"{_count(len(briefing.tests.importing), 'test')} import it" if briefing.role != "test" else "",
        f"{_count(evidence.commits_90d, 'commit')} in 90 days, {evidence.commits_365d:,} in a year",
        f"{_count(briefing.fixes_365d, 'fix', 'fixes')} in a year" if briefing.fixes_365d else "",
    )
    return f"{kind}; {'; '.join(filter(None, numbers))}"


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _head(shown: Shown) -> list[str]:
    return [f"# {_code(shown.title)}", safe(shown.kind)]


def written(item: Iterable[Part]) -> str:
    """A line as markdown."""
    return "".join(_marked(part) for part in item)


def _marked(part: Part) -> str:
    match part:
        case Name(text):
            return _code(text)
        case Quote(text):
            return _SPECIAL.sub(r"\\\1", _clipped(text))
        case Sentence(text):
            pieces = enumerate(_IN_BACKTICKS.split(_clipped(text)))
            return "".join(_marked(Name(piece) if at % 2 else Quote(piece)) for at, piece in pieces)
        case _:
            return part


def _code(text: str) -> str:
    """A code span, with a fence longer than any run of backticks inside it."""
    shown = _clipped(text)
    if "`" not in shown:
        return f"`{shown}`"
    fence = "`" * (max(len(run) for run in re.findall("`+", shown)) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _clipped(text: str) -> str:
    shown = safe(text)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + "..."
