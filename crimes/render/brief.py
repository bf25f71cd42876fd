"""What of a briefing fits a budget, and its markdown: one text for the command, the hook and the server.

Standard library only. A briefing may be any object with the same attributes: the hook passes plain ones.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from crimes.model.sanitize import safe
from crimes.model.wording import count, dependents_text
from crimes.render.brief_commands import RULES, rule_rows, test_command_rows
from crimes.render.fitting import (
    BYTES_PER_TOKEN,
    File,
    Item,
    Name,
    Quote,
    Row,
    Sentence,
    budget_for,
    code_span,
    fit,
    left_out_text,
    section_rows,
    to_markdown,
)
from crimes.render.risk_text import risk_sentence

if TYPE_CHECKING:
    from crimes.model.report import Crime
    from crimes.workflows.briefing.record import Briefing, Companion

DEFAULT_BUDGET = 1_500  # tokens
MIN_BUDGET = 200  # tokens
_MAX_ENDING_BYTES = 400  # for what was left out, and at most a quarter of the budget
_FIRST_USERS = 5  # files that use it, listed before those less likely to change with it
_FIRST_LIKELY = 12  # files that may change with it, listed before its users
# How much of the room each section may take before the others had theirs.
_SHARES = {"Danger": 0.25, "Keep in step": 0.55, "Tests": 0.15, RULES: 0.0, "Past": 0.05, "Not known": 0.0}


class FittedBriefing(NamedTuple):
    """What fits of one file's briefing: its name, its edit risk, a line of facts, and sections of lines."""

    total_bytes: int  # of the whole briefing
    left_out: dict[str, int]
    title: str = ""  # empty when not even the heading fits
    facts: tuple[str, ...] = ()  # lines
    sections: tuple[tuple[str, tuple[Item, ...]], ...] = ()


def markdown(briefings: Sequence[Briefing], budget: int = DEFAULT_BUDGET) -> str:
    """The briefings as markdown of at most `budget` tokens; the end says what was left out and how to see it."""
    fitted, end = fit_briefings(briefings, budget)
    rows: list[str] = []
    for briefing in fitted:
        if briefing.title:
            rows += [""] if rows else []
            rows += [f"# {code_span(briefing.title)}", *map(safe, briefing.facts)]
            rows += section_rows(briefing.sections)
    return "\n".join([*rows, *(["", to_markdown(end)] if end else [])]) + "\n"


def fit_briefings(
    briefings: Sequence[Briefing], budget: int = DEFAULT_BUDGET
) -> tuple[list[FittedBriefing], Item]:
    """What fits of each briefing, and a last line on what was left out; that is empty when nothing was."""
    room = budget * BYTES_PER_TOKEN
    fitted = _fit(briefings, room)
    if not any(briefing.left_out for briefing in fitted):
        return fitted, ()
    # Fit with the longest ending first: the real one is shorter and leaves room for more.
    ending_bytes = min(_MAX_ENDING_BYTES, room // 4)
    end = _ending(briefings, _fit(briefings, room - ending_bytes), ending_bytes)
    ending_bytes = len(to_markdown(end).encode()) + 2
    fitted = _fit(briefings, room - ending_bytes)
    return fitted, _ending(briefings, fitted, ending_bytes)


def _fit(briefings: Sequence[Briefing], room: int) -> list[FittedBriefing]:
    """What fits of each briefing into `room` bytes for all."""
    briefed = {briefing.file for briefing in briefings}
    rows = [list(_rows(briefing, briefed)) for briefing in briefings]
    heads = [(_title(briefing), _facts(briefing)) for briefing in briefings]
    costs = [
        len(code_span(title).encode()) + sum(len(safe(text).encode()) + 1 for text in facts) + 4
        for title, facts in heads
    ]
    needs = [fit(own, _SHARES, 0).total_bytes + cost for own, cost in zip(rows, costs, strict=True)]
    fitted = []
    for own, head, cost, need, part in zip(rows, heads, costs, needs, _divide(room, needs), strict=True):
        if cost > part:
            fitted.append(FittedBriefing(total_bytes=need, left_out={"files": 1}))
        else:
            sections, left_out, _ = fit(own, _SHARES, part - cost)
            fitted.append(FittedBriefing(need, left_out, *head, sections))
    return fitted


def _divide(room: int, needs: Sequence[int]) -> list[int]:
    """The room of each file: those that need less than an even part leave the rest to the others."""
    parts = [0] * len(needs)
    for number, index in enumerate(sorted(range(len(needs)), key=needs.__getitem__)):
        parts[index] = min(needs[index], room // (len(needs) - number))
        room -= parts[index]
    return parts


def _ending(briefings: Sequence[Briefing], fitted: Sequence[FittedBriefing], max_bytes: int) -> Item:
    """What was left out, and the command that shows it, as precise as `max_bytes` allows."""
    left: dict[str, int] = {}
    for briefing in fitted:
        for kind, number in briefing.left_out.items():
            left[kind] = left.get(kind, 0) + number
    option = f"--budget {budget_for(sum(briefing.total_bytes for briefing in fitted))}"
    command = f"crimes context {' '.join(shlex.quote(_title(briefing)) for briefing in briefings)} {option}"
    by_kind, total = left_out_text(left), f"Not shown: {count(sum(left.values()), 'item')}. "
    for text, call in ((by_kind, command), (total, command), (by_kind, option)):
        ending: Item = (f"{text}Show all: ", Name(call))
        if len(to_markdown(ending).encode()) + 2 <= max_bytes:
            return ending
    return f"{total}Show all: ", Name(option)


def _rows(briefing: Briefing, briefed: set[str]) -> Iterator[Row]:
    """All rows of a briefing, the most useful first. `briefed` are the files with briefings of their own here."""
    yield from _danger_rows(briefing)
    yield from _step_rows(briefing, briefed)
    yield from test_command_rows(briefing)
    also = "also " if briefing.tests.command else ""
    for test in briefing.tests.importing:
        yield Row("Tests", "tests", f"{also}import it", (File(test),))
    for test in briefing.tests.by_name:
        yield Row("Tests", "tests", "named after it", (File(test),))
    yield from _coverage_rows(briefing)
    others = briefing.tests.transitive - sum(test != briefing.file for test in briefing.tests.importing)
    if others > 0:
        yield Row(
            "Tests",
            "notes",
            "",
            (f"{count(others, 'more test file reaches', 'more test files reach')} it through other files",),
        )
    yield from rule_rows(briefing)
    for fix in briefing.fixes:
        yield Row("Past", "fixes", "", (f"fix {fix.date} {fix.sha} ", Quote(fix.subject)))
    for owner in briefing.owners.codeowners:
        yield Row("Past", "owners", "CODEOWNERS", (Name(owner),))
    for author in briefing.owners.authors:
        yield Row("Past", "authors", "top authors", (Quote(author.name), f" {author.commits}"))
    for text in briefing.limits:
        yield Row("Not known", "limits", "", (Sentence(text),))


def _danger_rows(briefing: Briefing) -> Iterator[Row]:
    """Advice, facts about the file and findings; the worst finding takes the place of the advice about it."""
    code = [crime for crime in briefing.findings if crime.kind != "place"]
    findings = [_finding_row(crime, worst=not number) for number, crime in enumerate(code)]
    worst = code[0].id if code else ""
    repeated = tuple(_repeated_advice(briefing))
    for text in briefing.advice:
        if worst and worst in text:
            yield findings.pop(0)
        elif not any(words in text for words in repeated):
            yield Row("Danger", "warnings", "", (Sentence(text),))
    yield from (_place_row(crime) for crime in briefing.findings if crime.kind == "place")
    yield from findings


def _place_row(crime: Crime) -> Row:
    """A fact about the file in short, and what it asks for."""
    what = f"{crime.type} [{crime.id[:7]}] {crime.short or crime.title}"
    return Row(
        "Danger",
        "facts",
        "",
        (Sentence(f"{what}."), *((" ", Sentence(crime.fix)) if crime.fix else ())),
        short=(what,),
    )


def _finding_row(crime: Crime, *, worst: bool) -> Row:
    risk = crime.scores.agent_risk
    symbol = (Name(crime.symbol), ": ") if crime.symbol else ()
    where = f"{crime.severity} {'n/a' if risk is None else format(risk, '.2f')} line {crime.lines.start} "
    what = f"{where}{crime.type} [{crime.id[:7]}]"
    message = Sentence(crime.message.partition(". ")[0])
    return Row("Danger", "findings", "", (f"{what} ", *symbol, message), needed=worst, short=(what,))


def _repeated_advice(briefing: Briefing) -> Iterator[str]:
    """Words of advice that other rows give in full: the tests, what changes with it, whom to ask, who uses it."""
    if briefing.tests.command:
        yield briefing.tests.command
    tied = {companion.file for companion in _tied(briefing)}
    yield from (f"`{other.file}` changed in " for other in briefing.together if other.file in tied)
    yield from ("CODEOWNERS asks ", "When in doubt ask ")
    if briefing.users:
        yield " if its interface changes."


def _tied(briefing: Briefing) -> list[Companion]:
    """Files that changed in a third of its commits or more."""
    return [other for other in briefing.companions if other.commits > 1 and 3 * other.commits >= other.of]


def _step_rows(briefing: Briefing, briefed: set[str]) -> Iterator[Row]:
    """Files that change with it for sure, those that use it, copies of its code, files that may change with it."""
    rank = {companion.file: number for number, companion in enumerate(briefing.companions)}
    users = sorted(
        (user for user in briefing.users if user.file not in briefed and not user.test),
        key=lambda user: (rank.get(user.file, len(rank)), not user.names),
    )
    tied = [companion for companion in _tied(briefing) if companion.file not in briefed]
    listed = {companion.file for companion in tied} | {user.file for user in users[:_FIRST_USERS]}
    for companion in tied:
        often = File(companion.file, f" in {companion.commits}")
        label = f"changed together, in the last {companion.of} commits to this file"
        yield Row("Keep in step", "changes with it", label, (often,))
    others = [companion.file for companion in briefing.companions if companion.file not in briefed]
    likely = [file for file in others if file not in listed]
    for file in likely[:_FIRST_LIKELY]:
        yield Row("Keep in step", "may change with it", "may change with it", (File(file),))
    for user in users[:_FIRST_USERS]:
        yield _user_row(user.file, user.names)
    for clone in briefing.clones:
        earlier = [other for other in briefing.clones if other.start < clone.start]
        listed_copies = [f"{briefing.file}:{other.start}-{other.end}" for other in earlier]
        for copy in (copy for copy in clone.copies if copy not in listed_copies):
            yield Row("Keep in step", "copies", "same code", (f"{clone.start}-{clone.end} = ", Name(copy)))
    for file in likely[_FIRST_LIKELY:]:
        listed.add(file)
        yield Row("Keep in step", "may change with it", "may change with it", (File(file),))
    for user in users[_FIRST_USERS:]:
        if user.file not in listed:
            yield _user_row(user.file, user.names)


def _coverage_rows(briefing: Briefing) -> Iterator[Row]:
    coverage = briefing.coverage
    if coverage is None:
        return
    for function in coverage.never_ran:
        name = Name(f"{function.name}:{function.line}")
        yield Row("Tests", "functions no test runs", "never ran", (name,))
    when = " before it last changed, so lines may have moved" if coverage.stale else ""
    text = f"coverage data: {coverage.covered:,} of {count(coverage.total, 'line')} ran{when}"
    yield Row("Tests", "notes", "", (text,))


def _user_row(file: str, names: Sequence[str]) -> Row:
    used = ", ".join(safe(name) for name in names[:3]) + (", ..." if len(names) > 3 else "")
    return Row("Keep in step", "uses it", "uses it", (Name(file), Quote(f" ({used})") if used else ""))


def _title(briefing: Briefing) -> str:
    return briefing.file + (f":{briefing.focus}" if briefing.focus else "")


def _facts(briefing: Briefing) -> tuple[str, ...]:
    """Edit risk, where the file is ranked; then language and role, and further numbers in one line."""
    ranked = briefing.edit_risk
    kind = ", ".join(filter(None, (briefing.language, briefing.role_note or briefing.role or "not read")))
    if briefing.role is None:
        return (kind,)
    evidence, importers = briefing.profile.evidence, briefing.importers
    reach = dependents_text(importers.possible, importers.direct)
    importing = len(briefing.tests.importing)
    tests = (
        count(importing, "test file imports", "test files import") if importing else "no test imports"
    ) + " it"
    past: tuple[str, ...] = (f"{count(evidence.commits_90d, 'commit')} in 90 days",)
    if not ranked:  # the sentence on edit risk has the year
        past = (
            f"{past[0]}, {evidence.commits_365d:,} in a year",
            f"{count(briefing.fixes_365d, 'fix', 'fixes')} in a year" if briefing.fixes_365d else "",
        )
    numbers = (
        "" if briefing.role == "docs" else reach,
        "" if briefing.role in ("docs", "test") else tests,
        *past,
    )
    risk = (f"Edit risk: {risk_sentence(ranked, briefing.ranked_files)}",) if ranked else ()
    return *risk, f"{kind}; {'; '.join(filter(None, numbers))}"
