"""What a briefing holds: the versioned types behind `crimes context --format json`."""

from __future__ import annotations

from msgspec import Struct

from crimes.model.edit_risk import RankedFile
from crimes.model.facts import Role
from crimes.model.report import Crime, HistoryCoverage, Share, Tool
from crimes.model.scores import RiskEvidence

SCHEMA_VERSION = "1.4"


class Profile(Struct, frozen=True):
    """The file's own part of agent_risk, with the raw evidence."""

    churn: Share  # how often it changes; full at 20 commits in 90 days
    test_gap: Share  # 1 without tests, 0.5 with a test of its name, 0 when a test imports it
    blast_radius: Share  # how many files reach it; full at 50
    evidence: RiskEvidence  # the raw counts


class Importers(Struct, frozen=True):
    """Who depends on the file. `closest` names at most eight, nearest first."""

    direct: int  # files that import it
    sure: int  # files that reach it over imports that certainly execute
    possible: int  # files that reach it over any import
    closest: tuple[str, ...]  # at most eight of them, nearest first


class Imports(Struct, frozen=True):
    """What the file depends on."""

    internal: tuple[str, ...]  # files of the repository
    external: tuple[str, ...]  # packages
    unresolved: tuple[str, ...]  # imports that do not resolve to a file
    # of `internal`, those not loaded with the file: imported in functions, for types, or by a string
    not_at_load: tuple[str, ...] = ()


class TestEvidence(Struct, frozen=True):
    """What else is known of tests of the file; it does not move test_gap.

    `kind` is `changes_with_it` (in `commits` of its last `of` commits), `same_package`, `public_api` (they import `via`, which passes
    its names on), `starts_program`; or, of tests that import it, `types_only` or `mocked`: those are no test of it.
    """

    kind: str  # what the tests have to do with it
    tests: tuple[str, ...]  # test files: all that only import it, of the others at most three
    total: int  # how many there are
    commits: int = 0  # of `changes_with_it`: commits that changed both
    of: int = 0  # of `changes_with_it`: the last commits of this file that were looked at
    via: str = ""  # of `public_api`: the file that passes its names on


class ReachingTests(Struct, frozen=True):
    """Tests that reach the file. `command` runs `command_runs` of those that are likely to execute it; empty where that is not known."""

    importing: tuple[str, ...]  # tests that import the file
    by_name: tuple[str, ...]  # tests with the matching name
    transitive: int  # how many other files with tests reach it
    command: str  # command that runs tests likely to execute it; empty where none is known
    command_runs: int  # how many test files the command runs
    own: bool = False  # whether the file holds its own tests
    evidence: tuple[
        TestEvidence, ...
    ] = ()  # what else says that tests reach it, or that an import is no test
    command_note: str = ""  # why no command is named though tests may reach it; empty as a rule


class CheckCommand(Struct, frozen=True):
    """A command that checks code without running it, as a file of the repository states it."""

    kind: str  # `lint` or `types`
    command: str  # the command, run from the root
    stated_in: str  # the file that names or configures it


class Function(Struct, frozen=True):
    """A function of the file."""

    name: str  # qualified name
    line: int  # its first line


class RanUnderTests(Struct, frozen=True):
    """What coverage data say of the file; `stale` when it changed after them. `never_ran` names at most eight."""

    covered: int  # lines that ran under the tests
    total: int  # lines that could have run
    stale: bool  # whether the file changed after the data were recorded
    never_ran: tuple[Function, ...]  # functions of which no line ran, at most eight
    never_ran_count: int  # how many functions that are


class Partner(Struct, frozen=True):
    """A file that changed in `commits` of the `of` commits that changed this one, within 365 days."""

    file: str  # a file that changes with this one
    commits: int  # commits that changed both
    of: int  # commits that changed this file, within 365 days
    share: Share  # `commits` divided by `of`


class Fix(Struct, frozen=True):
    """A commit of the last 365 days that fixed something here."""

    sha: str  # the commit
    date: str  # its date
    author: str  # its author
    subject: str  # first line of its message


class Author(Struct, frozen=True):
    """Someone who wrote `commits` of the file's commits, and was last seen anywhere in the repository on that date."""

    name: str  # name of the author
    commits: int  # how many of the file's commits are theirs
    share: Share  # their share of the file's commits
    last_seen: str  # date of their last commit anywhere in the repository


class Months(Struct, frozen=True):
    """The commits of the 365 days before the reference time that edit risk counts, in twelve equal parts, the oldest first."""

    commits: tuple[int, ...] = ()  # by people; empty without any
    fixes: tuple[int, ...] = ()  # of these, fixes; empty without any


class Owners(Struct, frozen=True):
    """Who to ask: those CODEOWNERS names, and the file's main authors, those seen in the last year if any."""

    codeowners: tuple[str, ...]  # owners named in CODEOWNERS
    authors: tuple[Author, ...]  # main authors of the file, those of the last year if there are any


class User(Struct, frozen=True):
    """A file that imports this one, and the names of it that the import spells out; none: all of it."""

    file: str  # a file that imports this one
    names: tuple[str, ...]  # names it imports; empty for the whole file
    test: bool = False  # whether it is a test


class Companion(Struct, frozen=True):
    """A file that changed in `commits` of the last `of` commits here; 0: the test of a file with fewer than six commits."""

    file: str  # a file that is likely to change with this one
    commits: int  # commits that changed both
    of: int  # the last commits of this file that were looked at, at most 60


class Clone(Struct, frozen=True):
    """Lines of this file that stand elsewhere too: `file:first-last`."""

    start: int  # first line in this file
    end: int  # last line
    copies: tuple[str, ...]  # where the same code is: `file:first-last`


class CopyPlace(Struct, frozen=True):
    """One place of duplicated code."""

    file: str  # path from the root
    symbol: str  # the function it stands in; empty outside of functions
    start: int  # first line
    end: int  # last line


class CopyGroup(Struct, frozen=True):
    """Functions, or lines outside of functions, that repeat the same code; at least one is in this file."""

    places: tuple[CopyPlace, ...]  # those of this file first, at most forty
    total: int  # how many there are
    lines: int  # lines that any two of them share, at most
    same_parameters: bool  # whether all are functions with the same parameters


class CallSite(Struct, frozen=True):
    """A call that leads to a function or class of the file."""

    symbol: str  # what is called
    file: str  # where the call stands
    line: int  # its line
    caller: str  # the function it stands in; empty outside of functions
    test: bool  # whether it stands in a test


class Reference(Struct, frozen=True):
    """A place that names a function or class of the file without calling it, and breaks when it is renamed: as a rule an import."""

    file: str  # where the name stands
    line: int  # its line
    test: bool  # whether it stands in a test


class Symbol(Struct, frozen=True):
    """A function or class of the file by its qualified name."""

    name: str  # qualified name
    start: int  # first line
    end: int  # last line
    signature: str = ""  # its parameters and result; empty for a class, and for a name that is private
    exported_by: str = ""  # another file that passes the name on, the one nearest to the root
    public_api: bool = False  # whether that file, or this one without it, is the main file of a package
    defined_once: bool = False  # whether no other file of code defines the name at its top
    public: bool = (
        True  # whether other files can use it, as far as exports and the place of its definition tell
    )
    documented_in: str = ""  # the document that says most about it, looked up for what is asked about


class Briefing(Struct, frozen=True):
    """One file before an edit. Findings are sorted worst first; `limits` says what is not known, and why."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    file: str  # path from the root
    language: str  # its name; empty when crimes does not read it
    role: Role | None  # what the file is for; null when unknown
    role_note: str  # "generated: edit X instead"; empty as a rule
    advice: tuple[str, ...]  # what to mind, in sentences
    findings: tuple[Crime, ...]  # findings and facts about the file (`kind`), worst first
    profile: Profile | None  # the file's own part of agent_risk; null where trust withholds scores
    importers: Importers  # how many files depend on it
    imports: Imports  # what it depends on
    cycle: tuple[str, ...]  # the import cycle it is part of; empty for none
    tests: ReachingTests  # tests that reach it
    together: tuple[Partner, ...]  # files that changed with it within 365 days
    fixes: tuple[Fix, ...]  # the five latest fixes
    fixes_365d: int  # fixes within 365 days
    owners: Owners  # who to ask
    history: HistoryCoverage  # how much history was read
    limits: tuple[str, ...]  # what is not known, and why
    coverage: RanUnderTests | None = None  # coverage of the file; null without data
    users: tuple[User, ...] = ()  # files that import it, at most 400, tests last
    companions: tuple[
        Companion, ...
    ] = ()  # at most ten, the likeliest first; each in one commit in six or more
    clones: tuple[Clone, ...] = ()  # code of the file that is duplicated
    symbols: tuple[Symbol, ...] = ()  # functions and classes in order of lines
    focus: str = ""  # the symbol or lines it is about; empty for the whole file
    edit_risk: RankedFile | None = (
        None  # how likely it is to need the next fix; null for a file that is not ranked
    )
    ranked_files: int = 0  # files that were ranked
    other_companions: int = 0  # files that changed with it and are not in `companions`
    copies: tuple[CopyGroup, ...] = ()  # duplicated code of the file by function
    calls: tuple[CallSite, ...] = ()  # of the symbol that was asked for: calls that lead to it, tests last
    references: tuple[
        Reference, ...
    ] = ()  # of the same symbol: places that name it without a call, tests last
    checks: tuple[CheckCommand, ...] = ()  # commands that lint the file and check its types
    instructions: tuple[str, ...] = ()  # instruction files that apply to it, the nearest first
    lines: int = 0  # lines of code
    complexity: int = 0  # cognitive complexity, summed over its functions
    last_change: str = ""  # date of the last commit that changed it, within three years; empty without one
    months: Months = Months()  # its commits and fixes over a year
    trust: str = ""  # class and main reason of a scan that is not trusted; empty for one that is


class Briefings(Struct, frozen=True):
    """The briefings of several files, or of parts of files, in the order they were asked for."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    briefings: tuple[Briefing, ...]  # in the order they were asked for
