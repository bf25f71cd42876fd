"""A briefing as text: for people, and as markdown of at most 6 KB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from crimes.briefing.record import Briefing
from crimes.model import Role
from crimes.report import Crime
from crimes.views.lines import Line, Span, bullet, heading, line
from crimes.views.safe import safe
from crimes.views.text import commits_behind, count, importers_behind, risk, short_ids, tests_behind

LARGEST = 6_000  # bytes of markdown
_FOR_THE_END = 400  # of those, kept for saying what was left out
_LONGEST = 400  # characters of one text from the repository
_SHOWN = 12  # names in a list
_RUN = "run "  # before a command, which a terminal must not break: somebody will copy it
_IN_BACKTICKS = re.compile("(?<!`)`([^`]+)`(?!`)")
_SPECIAL = re.compile(
    r"([\\`*\[\]<>&@])"
)  # an underscore inside a word means nothing, and names are full of them


@dataclass(frozen=True)
class Name:
    """Text of the repository that is a name: a path, a symbol, a command."""

    text: str


@dataclass(frozen=True)
class Quote:
    """Text of the repository: a commit's subject, a person's name."""

    text: str


@dataclass(frozen=True)
class Sentence:
    """A sentence of ours about the repository; names stand in backticks."""

    text: str


Part = str | Name | Quote | Sentence
Item = tuple[Part, ...]


@dataclass(frozen=True)
class Section:
    title: str
    items: tuple[Item, ...]


def lines(briefing: Briefing) -> Iterator[Line]:
    """The briefing for a person."""
    yield line(Span(briefing.file, "path"), Span(f"  {_kind(briefing)}", "dim"), fixed=True)
    for section in _sections(briefing):
        yield from heading(section.title)
        for item in section.items:
            yield bullet(
                *(part if isinstance(part, str) else part.text for part in item), fixed=item[0] == _RUN
            )


def markdown(briefing: Briefing) -> str:
    """The briefing as markdown, cut to size; the end says what was left out."""
    rows = [f"# {_code(briefing.file)}", "", safe(_kind(briefing))]
    left_out = []
    room = LARGEST - _FOR_THE_END - _size(rows)
    for section in _sections(briefing):
        written = ["", f"## {section.title}", ""]
        for item in section.items:
            row = "- " + "".join(_marked(part) for part in item)
            if _size([*written, row]) > room:
                break
            written.append(row)
        taken = len(written) - 3
        if taken:
            rows += written
            room -= _size(written)
        if taken < len(section.items):
            left_out.append(f"{section.title.lower()} ({len(section.items) - taken} of {len(section.items)})")
    if left_out:
        rows += ["", f"Left out to stay short: {', '.join(left_out)}. `--format json` has everything."]
    return "\n".join(rows) + "\n"


def _size(rows: list[str]) -> int:
    return sum(len(row.encode()) + 1 for row in rows)


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
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _clipped(text: str) -> str:
    shown = safe(text)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + "..."


def _kind(briefing: Briefing) -> str:
    """Language and role in a few words."""
    role = briefing.role_note or (briefing.role.value if briefing.role else "not read")
    return ", ".join(filter(None, (briefing.language, role)))


def _sections(briefing: Briefing) -> Iterator[Section]:
    """The parts that hold something, the most useful first."""
    for title, items in (
        ("Before you edit", [(Sentence(text),) for text in briefing.advice]),
        ("Findings", list(_findings(briefing.findings))),
        ("Risk profile", list(_profile(briefing))),
        ("Tests", list(_tests(briefing))),
        ("Who imports it", list(_importers(briefing))),
        ("Changes together with", list(_together(briefing))),
        ("Recent fixes", [(f"{fix.date} {fix.sha} ", Quote(fix.subject)) for fix in briefing.fixes]),
        ("What it imports", list(_imports(briefing))),
        ("Who to ask", list(_owners(briefing))),
        ("Not known", [(Sentence(text),) for text in briefing.limits]),
    ):
        if items:
            yield Section(title, tuple(items))


def _findings(findings: tuple[Crime, ...]) -> Iterator[Item]:
    short = short_ids(findings)
    for crime in findings:
        symbol = (Name(crime.symbol), ": ") if crime.symbol else ()
        where = f"{crime.severity} {risk(crime).strip()} line {crime.lines.start} "
        yield (where, f"{crime.type} [{short[crime.id]}] ", *symbol, Sentence(crime.message))


def _profile(briefing: Briefing) -> Iterator[Item]:
    if briefing.role is None:
        return
    profile = briefing.profile
    evidence = profile.evidence
    more = (
        f", {evidence.commits_365d:,} in a year, {evidence.commits_all:,} in all"
        if evidence.commits_all
        else ""
    )
    yield (f"churn {profile.churn:.2f}: ", Sentence(commits_behind(evidence, briefing.history)), more)
    yield (
        f"test gap {profile.test_gap:.2f}: ",
        Sentence(tests_behind(profile.test_gap, evidence, briefing.role)),
    )
    yield (f"blast radius {profile.blast_radius:.2f}: {importers_behind(evidence)}",)


def _tests(briefing: Briefing) -> Iterator[Item]:
    tests = briefing.tests
    if tests.command:
        reaching = 1 if briefing.role is Role.TEST else len(tests.importing or tests.by_name)
        part = f" ({tests.command_runs} of {reaching} test files)" if reaching > tests.command_runs else ""
        yield (_RUN, Name(tests.command), part)
    if tests.importing:
        yield ("import it: ", *_names(tests.importing))
    if tests.by_name:
        yield ("have its name only: ", *_names(tests.by_name))
    if tests.transitive:
        yield (f"{count(tests.transitive, 'test file')} reach it through other files",)
    ran = briefing.coverage
    if ran is not None:
        when = ", before it changed: lines may have moved" if ran.stale else ""
        yield (f"coverage data: {ran.covered:,} of {count(ran.total, 'line')} ran{when}",)
        if ran.never_ran:
            more = ran.never_ran_count - len(ran.never_ran)
            names = tuple(f"{function.name}:{function.line}" for function in ran.never_ran)
            yield ("never ran: ", *_names(names), f" and {more:,} more" if more else "")


def _importers(briefing: Briefing) -> Iterator[Item]:
    who = briefing.importers
    if who.possible:
        yield (f"{who.direct:,} directly; {who.possible:,} in all, {who.sure:,} for sure",)
        yield ("closest: ", *_names(who.closest))
    if briefing.cycle:
        yield ("import cycle: ", *_names(briefing.cycle))


def _imports(briefing: Briefing) -> Iterator[Item]:
    for label, names in (
        ("of the repository: ", briefing.imports.internal),
        ("packages: ", briefing.imports.external),
        ("unresolved: ", briefing.imports.unresolved),
    ):
        if names:
            yield (label, *_names(names))


def _together(briefing: Briefing) -> Iterator[Item]:
    for partner in briefing.together:
        share = f"{100 * partner.share:.0f} %"
        yield (
            Name(partner.file),
            f": {partner.commits} of {count(partner.of, 'commit')} in a year ({share})",
        )


def _owners(briefing: Briefing) -> Iterator[Item]:
    if briefing.owners.codeowners:
        yield ("CODEOWNERS: ", *_names(briefing.owners.codeowners))
    for author in briefing.owners.authors:
        yield (
            Quote(author.name),
            f": {count(author.commits, 'commit')} ({100 * author.share:.0f} %), last seen {author.last_seen}",
        )


def _names(names: tuple[str, ...]) -> Iterator[str | Name]:
    for index, name in enumerate(names[:_SHOWN]):
        yield ", " if index else ""
        yield Name(name)
    if len(names) > _SHOWN:
        yield f" and {len(names) - _SHOWN:,} more"
