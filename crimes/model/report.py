"""The report of one scan: the versioned types behind `--format json`. Views render it, nothing else is stored.

Adding a key is a minor version; renaming or removing one is a major version.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, Struct, UnsetType

from crimes.model.edit_risk import RankedFiles
from crimes.model.facts import Role
from crimes.model.kind import Kind
from crimes.model.scores import RiskEvidence, Scores, Weights
from crimes.model.severity import Severity
from crimes.model.trust import Share as Share
from crimes.model.trust import Trust

SCHEMA_VERSION = "1.3"


class Tool(Struct, frozen=True):
    """The program that made a report."""

    name: str  # always `crimes`
    version: str  # version of the program, as `crimes --version` prints it
    # What read the files: `native`, or `python` where that is not installed. Only with `--profile`: both make the same report.
    reader: str | UnsetType = UNSET


class SignalOut(Struct, frozen=True):
    """One reason to believe a finding, or not to."""

    source: str  # what gave the signal, such as the name of a check
    category: str  # `syntax`, `graph`, `tests`, `docs`, `history` or `review`
    target: str  # what it speaks of: `path` or `path#symbol`
    value: Share  # how strongly it speaks for the finding; under 0.50 it speaks against it
    reason: str  # what was seen
    measured_on: int = 0  # labelled findings that `value` was measured on; 0 if it is a starting value


class MeasureOut(Struct, frozen=True, omit_defaults=True):
    """A measurement of a detector."""

    value: int | float | str | tuple[str, ...]  # what was measured
    limit: int | float | None = None  # what the value was compared with; null without a limit
    # the same as `value`, item by item, where `value` is text for people
    items: tuple[dict[str, int | float | str], ...] = ()


class Lines(Struct, frozen=True):
    """A range of lines, from 1, both ends included."""

    start: int  # the first line, from 1
    end: int  # the last line, itself included


class Columns(Struct, frozen=True):
    """A range of characters, from 1, over the lines of a finding."""

    start: int  # where the name or the code begins on the first line, from 1
    end: int  # the end of the last line


class RelatedOut(Struct, frozen=True):
    """Another place a finding is about."""

    file: str  # another file the finding is about
    lines: Lines  # where in that file
    symbol: str  # the function or class there; empty for none
    note: str  # what that place has to do with the finding


class Charge(Struct, frozen=True):
    """A finding of the same family on the same target as a stronger one, which stands for it."""

    fingerprint: str  # identity of the finding
    type: str  # id of its detector
    title: str  # the detector's title
    severity: Severity  # how bad it is
    confidence: Share  # how sure it is
    lines: Lines  # where it is in the same file
    message: str  # what was found


class Ignored(Struct, frozen=True):
    """Why a finding is left out."""

    kind: str  # `comment`, `file-comment`, `list` or `triage`
    reason: str  # the reason that was given
    place: str  # the comment or file that says so
    until: str  # the date it ends; empty without one


class Ignore(Struct, frozen=True):
    """Something that leaves findings out, and what became of it."""

    place: str  # the comment or file that says so
    kind: str  # `comment`, `file-comment`, `list` or `triage`
    types: tuple[str, ...]  # detectors whose findings it leaves out
    target: str  # of an entry in a list: the fingerprint
    reason: str  # the reason that was given
    until: str  # the date it ends; empty without one
    # `used`, `unused`, `expired`, `unknown type`, `invalid`, `untested` (no detector ran), `returned` (file was touched)
    status: str
    findings: int  # how many findings it leaves out
    note: str  # what to do about it; empty when all is well


class Crime(Struct, frozen=True):
    """A judged finding."""

    id: str  # short identity for commands such as `crimes explain`; the beginning of `fingerprint`
    fingerprint: str  # identity that survives moved lines, reformatting and edits elsewhere
    type: str  # id of the detector
    title: str  # the detector's title
    category: str  # family of the detector, such as structure or correctness
    severity: Severity  # how bad it is
    file: str  # path from the root, with `/`
    role: Role  # what the file is for
    symbol: str  # qualified name of the function or class; empty for none
    lines: Lines  # where it is in the file
    message: str  # `fact`, `why` and `fix` in one text
    effort: str  # time to fix: `minutes`, `hours` or `days`
    scores: Scores  # numbers from 0 to 1 that rank the finding
    risk_evidence: RiskEvidence  # raw counts behind churn, test_gap and blast_radius
    risk_trace: str  # agent_risk written out: "0.76 = 0.40 x 0.90 + 0.20 x 0.88 + ..."
    confidence_band: str  # `strong`, `moderate`, `weak` or `negligible`
    confidence_trace: str  # confidence written out: "0.92 = 0.80 x 1.15: syntax and graph agree"
    confidence_steps: tuple[str, ...]  # `confidence_trace` in more detail, one step per entry
    confidence_signals: tuple[SignalOut, ...]  # reasons to believe the finding, or not to
    confidence_caps: tuple[str, ...]  # what limited the confidence, each with its reason
    evidence: dict[str, MeasureOut]  # the detector's own measurements by name
    related: tuple[RelatedOut, ...]  # other places the finding is about
    notes: tuple[str, ...]  # further remarks on the finding
    # weaker findings of the same family on the same target, merged into this one, strongest first
    also: tuple[Charge, ...] = ()
    ignored: Ignored | None = None  # why the finding is ignored; only in the list `ignored`
    within: str = ""  # identity inside its file; survives a rename of the file
    # sketch of the code: survives a move, a rename and reformatting; an edit keeps most of its second half
    code: str = ""
    fact: str = ""  # what is there, in one sentence
    why: str = ""  # how it hurts the next edit
    fix: str = ""  # what to do about it
    columns: Columns = Columns(1, 1)  # where it begins on its first line and ends on its last
    docs: str = ""  # address of the detector's page; empty for a plugin without one
    # `code`: something can be fixed here; `place`: be careful here, a fact that is never new and never gates
    kind: Kind = Kind.CODE
    short: str = ""  # of a fact about a place: its numbers in a few words


def code_only(crimes: Iterable[Crime]) -> tuple[Crime, ...]:
    """The findings about code: those that are listed, gated, annotated, compared and posted."""
    return tuple(crime for crime in crimes if crime.kind is Kind.CODE)


class SkippedFile(Struct, frozen=True):
    """A file that was not read, or not all of it."""

    path: str  # path from the root
    reason: str  # why it was not read, or not all of it


class FileCoverage(Struct, frozen=True):
    """What was looked at and what was not."""

    read: int  # files that were read
    logic_lines: int  # lines of code in them, without comments and blank lines
    by_language: dict[str, int]  # files read by language
    by_role: dict[str, int]  # files read by what they are for
    partial: tuple[SkippedFile, ...]  # files read with places the grammar could not parse
    skipped: tuple[SkippedFile, ...]  # files not read at all
    not_supported: dict[str, int]  # files of no supported language, by extension


class ImportCoverage(Struct, frozen=True):
    """How many imports lead where."""

    internal: int  # imports that lead to a file of the repository
    external: int  # imports of the standard library and of packages
    unresolved: int  # imports that should lead to a file of the repository and lead to none
    unresolved_examples: tuple[str, ...]  # "file:line target", at most twenty


class HistoryCoverage(Struct, frozen=True):
    """How much of the git history was read."""

    limited: bool  # whether history is missing or incomplete
    reason: str  # why it is limited; empty when it is not
    head: str  # the commit that was scanned; empty without one
    reference_time: str  # the moment up to which commits are counted
    commits: int  # commits that were read
    first_commit: str  # time of the oldest commit that was read


class CoverageSource(Struct, frozen=True):
    """A coverage file that was read, and what became of the files it names."""

    file: str  # the coverage file
    format: str  # its format
    files: int  # files it names
    matched: int  # of these, found in the repository
    unmatched: int  # of these, not in the repository
    ambiguous: int  # of these, matching more than one file
    ignored: int  # entries that could not be used
    stale: int  # matched files that changed after the data were recorded


class CoveredFile(Struct, frozen=True):
    """Line coverage of one file."""

    file: str  # path from the root
    covered: int  # lines that ran under the tests
    total: int  # lines that could have run
    stale: bool  # whether the file changed after the data were recorded


class LineCoverage(Struct, frozen=True):
    """Which lines ran under the tests, where coverage data were given or found. It is no part of test_gap."""

    sources: tuple[CoverageSource, ...] = ()  # coverage files that were read
    files: tuple[CoveredFile, ...] = ()  # coverage of each file
    unmatched_examples: tuple[str, ...] = ()  # names in the data that match no file, at most twenty
    ambiguous_examples: tuple[str, ...] = ()  # names in the data that match several files, at most twenty
    notices: tuple[str, ...] = ()  # coverage files at the usual places that could not be used


class DetectorRun(Struct, frozen=True):
    """What became of a detector in this scan."""

    id: str  # id of the detector
    status: str  # `ran`, `skipped` or `off`
    reason: str  # why it did not run; empty when it did
    findings: int  # how many findings it gave


class Diagnostic(Struct, frozen=True):
    """Something that went wrong during the scan without ending it, or that ended it."""

    kind: str  # `evidence`, `timeout`, `out-of-memory` or `crash`
    source: str  # the detector, or the stage of the scan
    message: str  # what happened


class Timing(Struct, frozen=True):
    """How long a stage took, in seconds; `cpu` counts processes that ended in it too."""

    stage: str  # name of the stage
    seconds: float  # wall time
    cpu: float  # CPU time in seconds, with that of processes that ended in the stage


class Gate(Struct, frozen=True):
    """A gate that was asked for: `--fail-on` (severity), `--fail-on-risk` (agent_risk) or `--fail-on-new` (new).

    A change that breaks references fails the gate `broken`, which nobody has to ask for.
    """

    metric: (
        str  # `severity` (`--fail-on`), `agent_risk` (`--fail-on-risk`), `new` (`--fail-on-new`) or `broken`
    )
    threshold: str | float  # what a finding has to reach
    outcome: str  # `passed`, `passed_with_warning`, `failed` or `not_evaluated`
    exit: int  # the exit code
    why: str  # the reason for the outcome
    hits: int  # findings that reach the threshold
    new: tuple[str, ...] = ()  # ids of the new findings, worst first, for `--fail-on-new`
    failed: tuple[str, ...] = ()  # ids of the findings that failed the gate, worst first


class WorkingSet(Struct, frozen=True):
    """The files a scan was asked about. All of the repository was scanned, these are the findings that concern them."""

    kind: str  # `changed`, `staged`, `files` or `related`
    base: str  # the commit that `changed` compares with
    files: tuple[str, ...]  # paths of the set
    unmatched: tuple[str, ...]  # names that were given and match nothing
    notes: tuple[str, ...]  # remarks on how the set was chosen


class Selection(Struct, frozen=True):
    """What of a scan this report shows. Scores, ids and trust are those of the whole repository."""

    paths: tuple[str, ...] = ()  # files and folders, relative to the root; none: all of it
    exclude: tuple[str, ...] = ()  # gitignore patterns of files whose findings are left out
    select: tuple[str, ...] = ()  # the types that were asked for; none: all of them
    ignore: tuple[str, ...] = ()  # the types that are left out
    severity: str = ""  # the lowest that is shown; empty: all of them
    left_out: int = 0  # findings about code in the whole repository that are not in this report


class Summary(Struct, frozen=True):
    """The totals of a report."""

    findings: int  # all findings about code, also when `--top` shortened the list
    high: int | None  # of these, of high severity; null where findings are withheld
    medium: int | None  # of these, of medium severity; null where findings are withheld
    low: int | None  # of these, of low severity; null where findings are withheld
    files_with_findings: int  # files with at least one of these
    hidden_low_confidence: int  # findings about code under a confidence of 0.50
    discarded: int  # findings under a confidence of 0.20, which are dropped
    merged: int = 0  # findings that a stronger one of their family stands for
    by_type: dict[str, int] = {}  # findings about code by detector, most first
    places: int = 0  # facts about places


class Report(Struct, frozen=True):
    """One scan. Findings are sorted worst first: security, then agent_risk, edit risk of the file, severity, how far over its limits, then path and line."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    repository: str  # the folder's own name, never its absolute path
    weights: Weights  # weights of agent_risk
    files: FileCoverage  # which files were read
    imports: ImportCoverage  # how many imports were followed
    history: HistoryCoverage  # how much history was read
    detectors: tuple[DetectorRun, ...]  # each detector, and whether it ran
    summary: Summary  # totals
    # of both kinds, worst first: those of security, then by agent_risk, edit risk of the file, severity, how far over its limits, path and line
    findings: tuple[Crime, ...]
    hidden: tuple[Crime, ...]  # findings under a confidence of 0.50: shown on request, never gate
    warnings: tuple[str, ...]  # anything else a reader should know
    trust: Trust  # how far the scan can be trusted
    diagnostics: tuple[Diagnostic, ...]  # what went wrong without ending the scan, or ended it
    coverage: LineCoverage = LineCoverage()  # coverage data that were used
    gate: Gate | None = None  # how the gate ended; null when none was asked for
    ignored: tuple[Crime, ...] = ()  # findings ignored on request: counted nowhere, never gate
    ignores: tuple[Ignore, ...] = ()  # every comment and entry that ignores findings
    working_set: WorkingSet | None = None  # the files the report is about; null for the whole repository
    selection: Selection | None = (
        None  # what the report was narrowed down to; null when nothing was asked for
    )
    edit_risk: RankedFiles = RankedFiles()  # where the next fix is likely to be: every source file and script
    # time of each stage; only on request, because it differs from run to run
    timings: tuple[Timing, ...] | UnsetType = UNSET

    @property
    def code_findings(self) -> tuple[Crime, ...]:
        """The findings about code, in the order of the report."""
        return code_only(self.findings)

    @property
    def place_facts(self) -> tuple[Crime, ...]:
        """The facts about places, in the order of the report."""
        return tuple(crime for crime in self.findings if crime.kind is Kind.PLACE)
