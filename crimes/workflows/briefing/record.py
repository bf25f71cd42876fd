"""What a briefing holds: the versioned types behind `crimes context --format json`."""

from __future__ import annotations

from msgspec import Struct

from crimes.model.facts import Role
from crimes.model.report import Crime, HistoryCoverage, Share, Tool
from crimes.model.scores import RiskEvidence

SCHEMA_VERSION = "1.1"


class Profile(Struct, frozen=True):
    """The file's own part of agent_risk, with the raw evidence."""

    churn: Share
    test_gap: Share
    blast_radius: Share
    evidence: RiskEvidence


class Importers(Struct, frozen=True):
    """Who depends on the file. `closest` names at most eight, nearest first."""

    direct: int
    sure: int
    possible: int
    closest: tuple[str, ...]


class Imports(Struct, frozen=True):
    """What the file depends on."""

    internal: tuple[str, ...]
    external: tuple[str, ...]
    unresolved: tuple[str, ...]


class ReachingTests(Struct, frozen=True):
    """Tests that reach the file. `command` runs `command_runs` of the nearest, also of those that change with it; empty: no runner."""

    importing: tuple[str, ...]
    by_name: tuple[str, ...]
    transitive: int
    command: str
    command_runs: int


class Function(Struct, frozen=True):
    name: str
    line: int


class RanUnderTests(Struct, frozen=True):
    """What coverage data say of the file; `stale` when it changed after them. `never_ran` names at most eight."""

    covered: int
    total: int
    stale: bool
    never_ran: tuple[Function, ...]
    never_ran_count: int


class Partner(Struct, frozen=True):
    """A file that changed in `commits` of the `of` commits that changed this one, within 365 days."""

    file: str
    commits: int
    of: int
    share: Share


class Fix(Struct, frozen=True):
    """A commit of the last 365 days that fixed something here."""

    sha: str
    date: str
    author: str
    subject: str


class Author(Struct, frozen=True):
    """Someone who wrote `commits` of the file's commits, and was last seen anywhere in the repository on that date."""

    name: str
    commits: int
    share: Share
    last_seen: str


class Owners(Struct, frozen=True):
    """Who to ask: those CODEOWNERS names, and the file's main authors, those seen in the last year if any."""

    codeowners: tuple[str, ...]
    authors: tuple[Author, ...]


class User(Struct, frozen=True):
    """A file that imports this one, and the names of it that the import spells out; none: all of it."""

    file: str
    names: tuple[str, ...]
    test: bool = False


class Companion(Struct, frozen=True):
    """A file that changed in `commits` of the last `of` commits here; 0: it changes with others of this folder."""

    file: str
    commits: int
    of: int


class Clone(Struct, frozen=True):
    """Lines of this file that stand elsewhere too: `file:first-last`."""

    start: int
    end: int
    copies: tuple[str, ...]


class Symbol(Struct, frozen=True):
    """A function or class of the file by its qualified name."""

    name: str
    start: int
    end: int


class Briefing(Struct, frozen=True):
    """One file before an edit. Findings are sorted worst first; `limits` says what is not known, and why."""

    schema_version: str
    tool: Tool
    repository: str
    file: str
    language: str  # empty when it is no language crimes reads
    role: Role | None
    role_note: str  # "generated: edit X instead"
    advice: tuple[str, ...]
    findings: tuple[Crime, ...]
    profile: Profile
    importers: Importers
    imports: Imports
    cycle: tuple[str, ...]  # the cycle of imports it is part of, where files load one after the other
    tests: ReachingTests
    together: tuple[Partner, ...]
    fixes: tuple[Fix, ...]  # the newest five
    fixes_365d: int
    owners: Owners
    history: HistoryCoverage
    limits: tuple[str, ...]
    coverage: RanUnderTests | None = None  # without coverage data of the file
    users: tuple[User, ...] = ()  # at most 400, tests last
    companions: tuple[Companion, ...] = ()  # the 60 most likely to change with it
    clones: tuple[Clone, ...] = ()
    symbols: tuple[Symbol, ...] = ()  # in order of lines
    focus: str = ""  # the symbol or lines it is about, when not the whole file


class Briefings(Struct, frozen=True):
    """The briefings of several files, or of parts of files, in the order they were asked for."""

    schema_version: str
    briefings: tuple[Briefing, ...]
