"""The report of one scan: the versioned types behind `--format json`. Views render it, nothing else is stored.

Adding a key is a minor version; renaming or removing one is a major version.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from crimes.model.facts import Role
from crimes.model.scores import RiskEvidence, Scores, Weights
from crimes.model.severity import Severity
from crimes.model.trust import Share as Share
from crimes.model.trust import Trust

SCHEMA_VERSION = "1.1"


class Tool(Struct, frozen=True):
    name: str
    version: str


class SignalOut(Struct, frozen=True):
    source: str
    category: str
    target: str
    value: Share
    reason: str


class MeasureOut(Struct, frozen=True, omit_defaults=True):
    value: int | float | str | tuple[str, ...]
    limit: int | float | None = None
    items: tuple[
        dict[str, int | float | str], ...
    ] = ()  # the same as values, where `value` is text for people


class Lines(Struct, frozen=True):
    start: int
    end: int


class Columns(Struct, frozen=True):
    """1-based, in characters: where the name (or the code) begins on the first line, and the end of the last line."""

    start: int
    end: int


class RelatedOut(Struct, frozen=True):
    file: str
    lines: Lines
    symbol: str
    note: str


class Charge(Struct, frozen=True):
    """A finding of the same family on the same target as a stronger one, which stands for it."""

    fingerprint: str
    type: str
    title: str
    severity: Severity
    confidence: Share
    lines: Lines
    message: str


class Ignored(Struct, frozen=True):
    """Why a finding is left out."""

    kind: str  # comment, file-comment, list, triage
    reason: str
    place: str  # where that is said
    until: str  # a date, empty without one


class Ignore(Struct, frozen=True):
    """Something that leaves findings out, and what became of it."""

    place: str
    kind: str
    types: tuple[str, ...]
    target: str  # of a list: the fingerprint
    reason: str
    until: str
    status: str  # used, unused, expired, unknown type, invalid, untested: no detector ran, returned: file was touched
    findings: int
    note: str  # what to do about it; empty when all is well


class Crime(Struct, frozen=True):
    """A judged finding."""

    id: str
    fingerprint: str
    type: str
    title: str
    category: str
    severity: Severity
    file: str
    role: Role
    symbol: str
    lines: Lines
    message: str
    effort: str
    scores: Scores
    risk_evidence: RiskEvidence
    risk_trace: str  # "0.76 = 0.40 x 0.90 + 0.20 x 0.88 + ..."
    confidence_band: str
    confidence_trace: str  # "0.92 = 0.80 x 1.15: syntax and graph agree"
    confidence_steps: tuple[str, ...]  # the same, a step a line
    confidence_signals: tuple[SignalOut, ...]
    confidence_caps: tuple[str, ...]
    evidence: dict[str, MeasureOut]
    related: tuple[RelatedOut, ...]
    notes: tuple[str, ...]
    also: tuple[Charge, ...] = ()  # charges this one stands for, strongest first
    ignored: Ignored | None = None  # only in the list of those that are left out
    within: str = ""  # its identity within its file, whatever that is called
    code: str = ""  # a sketch of its code: survives a move, a rename and reformatting; an edit keeps most of its second half
    fact: str = ""  # one sentence: what is there. `message` is fact, why and fix in one text
    why: str = ""  # how it hurts the next edit
    fix: str = ""  # what to do about it
    columns: Columns = Columns(1, 1)
    docs: str = ""  # the address of the detector's page; empty for a plugin without one


class SkippedFile(Struct, frozen=True):
    path: str
    reason: str


class FileCoverage(Struct, frozen=True):
    """What was looked at and what was not."""

    read: int
    logic_lines: int
    by_language: dict[str, int]
    by_role: dict[str, int]
    partial: tuple[SkippedFile, ...]  # read, with places the grammar could not parse
    skipped: tuple[SkippedFile, ...]  # not read at all
    not_supported: dict[str, int]  # files of no supported language, by extension


class ImportCoverage(Struct, frozen=True):
    internal: int
    external: int
    unresolved: int
    unresolved_examples: tuple[str, ...]  # "file:line target", at most twenty


class HistoryCoverage(Struct, frozen=True):
    limited: bool
    reason: str  # empty when not limited
    head: str
    reference_time: str
    commits: int
    first_commit: str


class CoverageSource(Struct, frozen=True):
    """A coverage file that was read, and what became of the files it names."""

    file: str
    format: str
    files: int
    matched: int
    unmatched: int
    ambiguous: int
    ignored: int  # entries that make no sense
    stale: int  # of the matched: they changed after the data were made


class CoveredFile(Struct, frozen=True):
    file: str
    covered: int
    total: int
    stale: bool


class LineCoverage(Struct, frozen=True):
    """Which lines ran under the tests, where coverage data were given or found. It is no part of test_gap."""

    sources: tuple[CoverageSource, ...] = ()
    files: tuple[CoveredFile, ...] = ()
    unmatched_examples: tuple[str, ...] = ()  # names in the data, at most twenty
    ambiguous_examples: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()  # data at usual places that could not be used


class DetectorRun(Struct, frozen=True):
    id: str
    status: str  # ran, skipped, off
    reason: str
    findings: int


class Diagnostic(Struct, frozen=True):
    """Something that went wrong during the scan without ending it, or that ended it."""

    kind: str  # evidence, timeout, out-of-memory, crash
    source: str  # the detector, or the stage the scan was in
    message: str


class Timing(Struct, frozen=True):
    """How long a stage took, in seconds; `cpu` counts processes that ended in it too."""

    stage: str
    seconds: float
    cpu: float


class Gate(Struct, frozen=True):
    """A gate that was asked for: `--fail-on` (severity), `--fail-on-risk` (agent_risk) or `--fail-on-new` (new)."""

    metric: str
    threshold: str | float
    outcome: str  # passed, passed_with_warning, failed, not_evaluated
    exit: int
    why: str
    hits: int  # findings that reach the threshold
    new: tuple[str, ...] = ()  # the ids of these, worst first, when the gate is `--fail-on-new`
    failed: tuple[str, ...] = ()  # the ids of the findings that failed the gate, worst first


class WorkingSet(Struct, frozen=True):
    """The files a scan was asked about. All of the repository was scanned, these are the findings that concern them."""

    kind: str  # changed, staged, files, related
    base: str  # the commit that `changed` is counted from
    files: tuple[str, ...]
    unmatched: tuple[str, ...]  # names that were asked for and lead to nothing
    notes: tuple[str, ...]


class Selection(Struct, frozen=True):
    """What of a scan this report shows. Scores, ids and trust are those of the whole repository."""

    paths: tuple[str, ...] = ()  # files and folders, relative to the root; none: all of it
    exclude: tuple[str, ...] = ()  # gitignore patterns of files whose findings are left out
    select: tuple[str, ...] = ()  # the types that were asked for; none: all of them
    ignore: tuple[str, ...] = ()  # the types that are left out
    severity: str = ""  # the lowest that is shown; empty: all of them
    left_out: int = 0  # findings of the whole repository that are not in this report


class Summary(Struct, frozen=True):
    findings: int
    high: int
    medium: int
    low: int
    files_with_findings: int
    hidden_low_confidence: int
    discarded: int
    merged: int = 0  # charges that a stronger one of their family stands for
    by_type: dict[str, int] = {}  # findings of each type, most first


class Report(Struct, frozen=True):
    """One scan. Findings are sorted worst first: agent_risk, severity, how far over its limits, then path and line."""

    schema_version: str
    tool: Tool
    repository: str  # the folder's own name, never its absolute path
    weights: Weights
    files: FileCoverage
    imports: ImportCoverage
    history: HistoryCoverage
    detectors: tuple[DetectorRun, ...]
    summary: Summary
    findings: tuple[Crime, ...]
    hidden: tuple[Crime, ...]  # under .50: shown on request, never gates
    warnings: tuple[str, ...]
    trust: Trust
    diagnostics: tuple[Diagnostic, ...]
    coverage: LineCoverage = LineCoverage()
    gate: Gate | None = None  # null when no gate was asked for
    ignored: tuple[Crime, ...] = ()  # findings that were asked to be left out: counted nowhere, never gate
    ignores: tuple[Ignore, ...] = ()  # what asked for that
    working_set: WorkingSet | None = None  # null when all of the repository was asked about
    selection: Selection | None = None  # null when nothing was narrowed down
    timings: tuple[Timing, ...] | UnsetType = UNSET  # only when asked for: they differ from run to run
