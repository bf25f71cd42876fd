"""What of a briefing fits a budget, and its markdown: one text for the command, the hook and the server.

Standard library only, and nothing is asked of a briefing but its attributes: the hook hands in plain objects.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from crimes.model.sanitize import safe
from crimes.model.wording import count
from crimes.render.fitting import (
    BYTES,
    File,
    Item,
    Name,
    Quote,
    Row,
    Sentence,
    code,
    command_row,
    fit,
    left_out_text,
    section_rows,
    written,
)

if TYPE_CHECKING:
    from crimes.model.report import Crime
    from crimes.workflows.briefing.record import Briefing, Companion

BUDGET = 1_500  # tokens
LEAST = 200
_FOR_THE_END = 400  # bytes kept for saying what was left out, at most a quarter of the budget
_FIRST_USERS = 5  # files that use it, before those that are less likely to change with it
_LIKELY = 12
# How much of the room each section may take before the others had theirs.
_SHARES = {"Danger": 0.25, "Keep in step": 0.55, "Tests": 0.15, "Past": 0.05, "Not known": 0.0}


class Shown(NamedTuple):
    """What is said of one file: its name, a line on it, and sections of lines."""

    title: str
    kind: str
    sections: tuple[tuple[str, tuple[Item, ...]], ...]
    left_out: dict[str, int]
    whole: int  # bytes it would take to say everything


def markdown(briefings: Sequence[Briefing], budget: int = BUDGET) -> str:
    """The briefings as markdown of at most `budget` tokens; the end says what was left out and how to see it."""
    shown, end = chosen(briefings, budget)
    rows: list[str] = []
    for one in (one for one in shown if one.title):
        rows += ["", *_head(one)] if rows else _head(one)
        rows += section_rows(one.sections)
    return "\n".join([*rows, *(["", written(end)] if end else [])]) + "\n"


def chosen(briefings: Sequence[Briefing], budget: int = BUDGET) -> tuple[list[Shown], Item]:
    """What is said of each file, and at the end of what was left out: nothing when nothing was."""
    room, longest = budget * BYTES, min(_FOR_THE_END, budget * BYTES // 4)
    shown = _within(briefings, room)
    if not any(one.left_out for one in shown):
        return shown, ()
    # What the end takes is known when it is written; then what it leaves can be filled.
    end = _ending(briefings, _within(briefings, room - longest), longest)
    longest = len(written(end).encode()) + 2
    shown = _within(briefings, room - longest)
    return shown, _ending(briefings, shown, longest)


def _within(briefings: Sequence[Briefing], room: int) -> list[Shown]:
    """What is said of each file within so many bytes."""
    asked = {one.file for one in briefings}
    rows = [list(_rows(one, asked)) for one in briefings]
    heads = [len(code(_title(one)).encode()) + len(safe(_kind(one)).encode()) + 5 for one in briefings]
    needs = [fit(some, _SHARES, 0).whole + head for some, head in zip(rows, heads, strict=True)]
    found = []
    for one, some, head, need, part in zip(briefings, rows, heads, needs, _parts(needs, room), strict=True):
        fitted = fit(some, _SHARES, max(0, part - head))
        if head > part:
            found.append(Shown("", "", (), {"files": 1}, need))
        else:
            found.append(Shown(_title(one), _kind(one), fitted.sections, fitted.left_out, need))
    return found


def _parts(needs: Sequence[int], room: int) -> list[int]:
    """The room of each file: those that need less than an even part leave the rest of it to the others."""
    parts = [0] * len(needs)
    for number, index in enumerate(sorted(range(len(needs)), key=needs.__getitem__)):
        parts[index] = min(needs[index], room // (len(needs) - number))
        room -= parts[index]
    return parts


def _ending(briefings: Sequence[Briefing], shown: Sequence[Shown], longest: int) -> Item:
    """What was left out, and the call that shows it, as exactly as there is room."""
    left: dict[str, int] = {}
    for one in shown:
        for kind, number in one.left_out.items():
            left[kind] = left.get(kind, 0) + number
    needed = -(-sum(one.whole for one in shown) // (100 * BYTES)) * 100
    names = " ".join(shlex.quote(one.file + (f":{one.focus}" if one.focus else "")) for one in briefings)
    full, short = f"crimes context {names} --budget {needed}", f"--budget {needed}"
    counted, told = left_out_text(left), f"Left out: {count(sum(left.values()), 'thing')}. "
    said: list[Item] = [
        (f"{text}All of it: ", Name(call)) for text, call in ((counted, full), (told, full), (counted, short))
    ]
    fitting = [item for item in said if len(written(item).encode()) + 2 <= longest]
    return fitting[0] if fitting else (f"{told}All of it: ", Name(short))


def _rows(briefing: Briefing, asked: set[str]) -> Iterator[Row]:
    """All there is to say, the most useful first."""
    yield from _danger_rows(briefing)
    yield from _step_rows(briefing, asked)
    if briefing.tests.command:
        known = {
            *briefing.tests.importing,
            *briefing.tests.by_name,
            *(one.file for one in briefing.companions),
        }
        yield command_row("Tests", briefing.tests.command, known, needed=True)
    for test in (*briefing.tests.importing, *briefing.tests.by_name):
        yield Row("Tests", "tests", "reach it", (File(test),))
    yield from _coverage_rows(briefing)
    others = briefing.tests.transitive - sum(test != briefing.file for test in briefing.tests.importing)
    if others > 0:
        yield Row("Tests", "notes", "", (f"through other files: {count(others, 'file')} with tests",))
    for fix in briefing.fixes:
        yield Row("Past", "fixes", "", (f"fix {fix.date} {fix.sha} ", Quote(fix.subject)))
    for owner in briefing.owners.codeowners:
        yield Row("Past", "owners", "CODEOWNERS", (Name(owner),))
    for author in briefing.owners.authors:
        yield Row("Past", "authors", "wrote most", (Quote(author.name), f" {author.commits}"))
    for text in briefing.limits:
        yield Row("Not known", "limits", "", (Sentence(text),))


def _danger_rows(briefing: Briefing) -> Iterator[Row]:
    """Advice and findings; the worst finding stands where the advice speaks of it."""
    findings = [_finding_row(crime, worst=not number) for number, crime in enumerate(briefing.findings)]
    worst = briefing.findings[0].id if briefing.findings else ""
    below = tuple(_said_below(briefing))
    for text in briefing.advice:
        if worst and worst in text:
            yield findings.pop(0)
        elif not any(words in text for words in below):
            yield Row("Danger", "warnings", "", (Sentence(text),))
    yield from findings


def _finding_row(crime: Crime, *, worst: bool) -> Row:
    risk = crime.scores.agent_risk
    symbol = (Name(crime.symbol), ": ") if crime.symbol else ()
    where = f"{crime.severity} {'n/a' if risk is None else format(risk, '.2f')} line {crime.lines.start} "
    what = f"{where}{crime.type} [{crime.id[:7]}]"
    told = Sentence(crime.message.partition(". ")[0])
    return Row("Danger", "findings", "", (f"{what} ", *symbol, told), needed=worst, short=(what,))


def _said_below(briefing: Briefing) -> Iterator[str]:
    """What marks the advice that rows of their own say in full: the tests, what changes with it, whom to ask, who uses it."""
    yield from filter(None, (briefing.tests.command,))
    tied = {one.file for one in _tied(briefing)}
    yield from (f"`{one.file}` changed in " for one in briefing.together if one.file in tied)
    yield from ("CODEOWNERS asks ", "When in doubt ask ")
    if briefing.users:
        yield " if what it offers changes."


def _tied(briefing: Briefing) -> list[Companion]:
    """Files that changed in a third of its commits or more."""
    return [one for one in briefing.companions if one.commits > 1 and 3 * one.commits >= one.of]


def _step_rows(briefing: Briefing, asked: set[str]) -> Iterator[Row]:
    """Files that change with it for sure, those that use it, copies of its code, files that may change with it."""
    rank = {one.file: number for number, one in enumerate(briefing.companions)}
    users = sorted(
        (one for one in briefing.users if one.file not in asked and not one.test),
        key=lambda one: (rank.get(one.file, len(rank)), not one.names),
    )
    others = [one for one in briefing.companions if one.file not in asked]
    tied = [one for one in _tied(briefing) if one.file not in asked]
    told = {one.file for one in tied} | {user.file for user in users[:_FIRST_USERS]}
    for one in tied:
        often = File(one.file, f" {one.commits}/{one.of}")
        yield Row("Keep in step", "changes with it", "changes with it", (often,))
    likely = [one.file for one in others if one.file not in told]
    for file in likely[:_LIKELY]:
        yield Row("Keep in step", "may change with it", "may change with it", (File(file),))
    for user in users[:_FIRST_USERS]:
        yield _user_row(user.file, user.names)
    for clone in briefing.clones:
        here = [
            f"{briefing.file}:{one.start}-{one.end}" for one in briefing.clones if one.start < clone.start
        ]
        for copy in (copy for copy in clone.copies if copy not in here):
            yield Row("Keep in step", "copies", "same code", (f"{clone.start}-{clone.end} = ", Name(copy)))
    for file in likely[_LIKELY:]:
        told.add(file)
        yield Row("Keep in step", "may change with it", "may change with it", (File(file),))
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
    told = f"coverage data: {ran.covered:,} of {count(ran.total, 'line')} ran{when}"
    yield Row("Tests", "notes", "", (told,))


def _user_row(file: str, names: Sequence[str]) -> Row:
    said = ", ".join(safe(name) for name in names[:3]) + (", ..." if len(names) > 3 else "")
    return Row("Keep in step", "uses it", "uses it", (Name(file), Quote(f" ({said})") if said else ""))


def _title(briefing: Briefing) -> str:
    return briefing.file + (f":{briefing.focus}" if briefing.focus else "")


def _kind(briefing: Briefing) -> str:
    """Language and role, and the numbers behind the risk, in one line."""
    kind = ", ".join(filter(None, (briefing.language, briefing.role_note or briefing.role or "not read")))
    evidence = briefing.profile.evidence
    if briefing.role is None:
        return kind
    who = briefing.importers
    reach = f"{count(who.possible, 'file reaches', 'files reach')} it, {who.direct:,} directly"
    tests = f"tests that import it: {len(briefing.tests.importing):,}"
    numbers = (
        "" if briefing.role == "docs" else reach,
        "" if briefing.role in ("docs", "test") else tests,
        f"{count(evidence.commits_90d, 'commit')} in 90 days, {evidence.commits_365d:,} in a year",
        f"{count(briefing.fixes_365d, 'fix', 'fixes')} in a year" if briefing.fixes_365d else "",
    )
    return f"{kind}; {'; '.join(filter(None, numbers))}"


def _head(shown: Shown) -> list[str]:
    return [f"# {code(shown.title)}", safe(shown.kind)]
