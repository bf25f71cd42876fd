"""What of a briefing fits a budget, and its markdown: one text for the command, the hook and the server.

Standard library only. A briefing may be any object with the same attributes: the hook passes plain ones.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from crimes.analyses.history.subjects import quotable_subject
from crimes.model.sanitize import safe
from crimes.model.wording import count, quoted_names
from crimes.render.brief_commands import RULES, rule_rows
from crimes.render.brief_rows import call_rows, companion_rows, copy_rows, name_rows, profile_text, test_rows
from crimes.render.fitting import (
    BYTES_PER_TOKEN,
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
    from crimes.workflows.briefing.record import Briefing

DEFAULT_BUDGET = 1_500  # tokens
MIN_BUDGET = 200  # tokens
_MAX_ENDING_BYTES = 400  # for what was left out, and at most a quarter of the budget
_FIRST_USERS = 5  # files that use it, listed before copies of its code
_MAX_USERS = 8  # the rest is counted
_MAX_CALLING_TESTS = 5  # files; the rest is counted
_MAX_CYCLE_NAMES = 3
_MAX_SUBJECT_CHARS = 100
# Facts about a file whose numbers the heading has.
_STATED_IN_HEADING = ("load_bearing_file", "repeat_offender", "untested_hotspot")
# How much of the room each section may take before the others had theirs.
_SHARES = {
    "Danger": 0.25,
    "Keep in step": 0.35,
    "Names": 0.15,
    "Tests": 0.2,
    RULES: 0.0,
    "Past": 0.05,
    "Not known": 0.0,
}


class FittedBriefing(NamedTuple):
    """What fits of one file's briefing: its name, its edit risk, a line of facts, and sections of lines."""

    total_bytes: int  # of the whole briefing
    left_out: dict[str, int]
    title: str = ""  # empty when not even the heading fits
    facts: tuple[str, ...] = ()  # lines
    sections: tuple[tuple[str, tuple[Item, ...]], ...] = ()


def markdown(briefings: Sequence[Briefing], budget: int = DEFAULT_BUDGET, place: str = "") -> str:
    """The briefings as markdown of at most `budget` tokens; the end says what was left out and how to see it.

    `place` is the option that names the repository, where one is needed.
    """
    fitted, end = fit_briefings(briefings, budget, place)
    rows: list[str] = []
    for briefing in fitted:
        if briefing.title:
            rows += [""] if rows else []
            rows += [f"# {code_span(briefing.title)}", *map(safe, briefing.facts)]
            rows += section_rows(briefing.sections)
    return "\n".join([*rows, *(["", to_markdown(end)] if end else [])]) + "\n"


def fit_briefings(
    briefings: Sequence[Briefing], budget: int = DEFAULT_BUDGET, place: str = ""
) -> tuple[list[FittedBriefing], Item]:
    """What fits of each briefing, and a last line on what was left out; that is empty when nothing was."""
    room = budget * BYTES_PER_TOKEN
    fitted = _fit(briefings, room)
    if not any(briefing.left_out for briefing in fitted):
        return fitted, ()
    # Fit with the longest ending first: the real one is shorter and leaves room for more.
    ending_bytes = min(_MAX_ENDING_BYTES, room // 4)
    end = _ending(briefings, _fit(briefings, room - ending_bytes), ending_bytes, place)
    ending_bytes = len(to_markdown(end).encode()) + 2
    fitted = _fit(briefings, room - ending_bytes)
    return fitted, _ending(briefings, fitted, ending_bytes, place)


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


def _ending(
    briefings: Sequence[Briefing], fitted: Sequence[FittedBriefing], max_bytes: int, place: str
) -> Item:
    """What was left out, and the command that shows it, as precise as `max_bytes` allows."""
    left: dict[str, int] = {}
    for briefing in fitted:
        for kind, number in briefing.left_out.items():
            left[kind] = left.get(kind, 0) + number
    option = f"--budget {budget_for(sum(briefing.total_bytes for briefing in fitted))}"
    files = " ".join(shlex.quote(_title(briefing)) for briefing in briefings)
    command = f"crimes context {files} {option}{place}"
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
    yield from name_rows(briefing)
    yield from test_rows(briefing)
    yield from rule_rows(briefing)
    for fix in briefing.fixes:
        subject = quotable_subject(fix.subject, _MAX_SUBJECT_CHARS)
        yield Row("Past", "fixes", "", (f"fix {fix.date} {fix.sha} ", Quote(subject)))
    for owner in briefing.owners.codeowners:
        yield Row("Past", "owners", "CODEOWNERS", (Name(owner),))
    for author in briefing.owners.authors:
        yield Row("Past", "authors", "most commits by", (Quote(author.name), f" {author.commits}"))
    for text in briefing.limits:
        yield Row("Not known", "limits", "", (Sentence(text),))


def _danger_rows(briefing: Briefing) -> Iterator[Row]:
    """Findings, the worst first, then what holds for the whole file."""
    code = [crime for crime in briefing.findings if crime.kind != "place"]
    yield from (_finding_row(crime, worst=not number) for number, crime in enumerate(code))
    yield from (_place_row(crime) for crime in briefing.findings if crime.kind == "place")
    others = [path for path in briefing.cycle if path != briefing.file]
    if others and not any(crime.type == "import_cycle" for crime in briefing.findings):
        text = f"in an import cycle with {quoted_names(others, _MAX_CYCLE_NAMES)}: one more top-level import between them may fail at load time"
        yield Row("Danger", "warnings", "", (Sentence(text),))


def _place_row(crime: Crime) -> Row:
    """A fact about the file in short, and what it asks for. The heading has the numbers of some already."""
    is_stated = crime.type in _STATED_IN_HEADING and bool(crime.fix)
    what = f"{crime.type} [{crime.id[:7]}]" + ("" if is_stated else f" {crime.short or crime.title}")
    asked = (" ", Sentence(crime.fix)) if crime.fix else ()
    return Row("Danger", "facts", "", (Sentence(f"{what}{':' if is_stated else '.'}"), *asked), short=(what,))


def _finding_row(crime: Crime, *, worst: bool) -> Row:
    risk = crime.scores.agent_risk
    symbol = (Name(crime.symbol), ": ") if crime.symbol else ()
    where = f"{crime.severity} {'n/a' if risk is None else format(risk, '.2f')} line {crime.lines.start} "
    what = f"{where}{crime.type} [{crime.id[:7]}]"
    message = Sentence(crime.message.partition(". ")[0])
    return Row("Danger", "findings", "", (f"{what} ", *symbol, message), needed=worst, short=(what,))


def _step_rows(briefing: Briefing, briefed: set[str]) -> Iterator[Row]:
    """Files that change with it, calls and users, copies of its code."""
    yield from companion_rows(briefing, briefed)
    rank = {companion.file: number for number, companion in enumerate(briefing.companions)}
    called = {call.file for call in briefing.calls} | {place.file for place in briefing.references}
    users = sorted(
        (user for user in briefing.users if user.file not in briefed | called and not user.test),
        key=lambda user: (
            rank.get(user.file, len(rank)),
            not _same_top(user.file, briefing.file),
            not user.names,
        ),
    )
    yield from call_rows(briefing, _MAX_CALLING_TESTS)
    if _is_method(briefing):
        users = []  # of its class
    for user in users[:_FIRST_USERS]:
        yield _user_row(user.file, user.names)
    yield from copy_rows(briefing)
    for user in users[_FIRST_USERS:_MAX_USERS]:
        yield _user_row(user.file, user.names)
    if users[_MAX_USERS:]:
        yield Row("Keep in step", "notes", "used by", (count(len(users) - _MAX_USERS, "more file"),))


def _is_method(briefing: Briefing) -> bool:
    """Whether a briefing is about a method, and not about lines, a function or a class."""
    part = briefing.focus.replace("::", ".").replace("#", ".")
    names = [symbol.name for symbol in briefing.symbols]
    asked = [name for name in names if part and (name == part or name.endswith(f".{part}"))]
    return bool(asked) and not any("." not in name or _holds_others(name, names) for name in asked)


def _holds_others(name: str, names: Sequence[str]) -> bool:
    return any(other.startswith(f"{name}.") for other in names)


def _same_top(first: str, second: str) -> bool:
    """Whether two files are in the same folder of the root."""
    return first.partition("/")[0] == second.partition("/")[0]


def _user_row(file: str, names: Sequence[str]) -> Row:
    used = ", ".join(safe(name) for name in names[:3]) + (", ..." if len(names) > 3 else "")
    return Row("Keep in step", "uses it", "used by", (Name(file), Quote(f" ({used})") if used else ""))


def _title(briefing: Briefing) -> str:
    return briefing.file + (f":{briefing.focus}" if briefing.focus else "")


def _facts(briefing: Briefing) -> tuple[str, ...]:
    """How far to trust the scan, unless it is trusted; edit risk, where the file is ranked; the risk profile with its evidence;
    language and role."""
    kind = ", ".join(filter(None, (briefing.language, briefing.role or "not read")))
    if briefing.role is None:
        return (kind,)
    if briefing.role_note:
        return (f"Do not edit this file: {briefing.role_note}",)
    trust = f"Trust: {briefing.trust}" if briefing.trust else ""
    ranked = briefing.edit_risk
    risk = (f"Edit risk: {risk_sentence(ranked, briefing.ranked_files)}",) if ranked else ()
    listed_or_withheld = briefing.findings or briefing.profile is None  # findings are withheld with scores
    found = "" if listed_or_withheld else f"no findings in this {'part' if briefing.focus else 'file'}"
    return tuple(filter(None, (trust, *risk, profile_text(briefing), "; ".join(filter(None, (kind, found))))))
