"""crimes' own findings as records: what the diff brought in, with a verdict that follows from the evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from crimes.analyses.history.history import HISTORY
from crimes.detection.detector import Detector
from crimes.detection.registry import catalogue
from crimes.judging.confidence import REPORTED_FROM, Cap, band
from crimes.model.change import ChangeItem, Spot
from crimes.model.errors import CrimesError
from crimes.model.finding import Category
from crimes.model.report import Crime, Report
from crimes.model.severity import Severity
from crimes.model.trust import Withheld
from crimes.system.commit_checkout import temporary_files
from crimes.system.git_diff import Change, Difference
from crimes.tracking.feedback import PATH, FeedbackVerdict, read_feedback
from crimes.tracking.matching import compare, side_of
from crimes.workflows.change_summary import changed_line
from crimes.workflows.change_verdict import UNKNOWN
from crimes.workflows.comparing import Range, compare_with
from crimes.workflows.review.record import Evidence, Kind, Record, ReviewVerdict, Visibility
from crimes.workflows.session import Session

PARSER_MATCH = 80  # a syntax signal of this strength is the parser's own fact, not a name that looks alike
GRAVE = frozenset({"correctness", "security"})  # families whose findings keep a high severity
KINDS: Mapping[str, Kind] = {
    "correctness": Kind.LOGIC_ERROR,
    "security": Kind.SECURITY,
    "tests": Kind.TESTING,
}


class Grounds(Struct, frozen=True):
    """What the verdict on an own finding rests on. Numbers are in hundredths."""

    confidence: int
    confirming: Collection[str]  # categories of evidence at .50 or more
    measured: bool  # a number over a limit: nothing to interpret
    primary_on_plus: bool  # the line it is reported at is a new one
    in_range: bool  # a new line is inside of what it is about
    syntax_value: int
    caps: Collection[str]
    parsed: bool
    dismissed: bool = False  # marked as a false alarm by feedback


def judged(grounds: Grounds) -> tuple[ReviewVerdict, Evidence, Visibility]:
    """Confirmed takes a strong confidence and either a measurement or two kinds of evidence that agree."""
    sure = band(grounds.confidence) == "strong" and (grounds.measured or len(grounds.confirming) >= 2)
    verdict = ReviewVerdict.CONFIRMED if sure else ReviewVerdict.LIKELY
    direct = grounds.primary_on_plus and grounds.syntax_value >= PARSER_MATCH
    evidence = Evidence.DIRECT if direct else Evidence.CIRCUMSTANTIAL
    context = Visibility.PARTIAL if grounds.caps or not grounds.in_range else Visibility.FULL
    return (
        ReviewVerdict.DISMISSED if grounds.dismissed else verdict,
        evidence,
        context if grounds.parsed else Visibility.NONE,
    )


def own_records(
    now: Report,
    before: Report,
    diff: Difference,
    detectors: Mapping[str, Detector],
    dismissed: Collection[str] = (),
) -> Iterator[Record]:
    """The findings about code that the diff touches or caused, worst first. `before` is the scan of the base.

    Caused: new, and not a matter of history; a file that a document still names may be deleted, for one.
    """
    since = _Since(before, now, diff.moved)
    for crime in now.code_findings:
        detector = detectors.get(crime.type)
        of_history = detector is None or HISTORY in (*detector.needs, *detector.wants)
        new, note = since.compare(crime)
        places = {crime.file, *(related.file for related in crime.related)}
        if places & diff.changes.keys() or (new and not of_history):
            yield _record(crime, diff.changes.get(crime.file), new, note, crime.fingerprint in dismissed)


def gaps(now: Report, diff: Difference) -> Iterator[str]:
    """Files of the diff that crimes could not look at, or not at all of them: silence about these means nothing."""
    for what, files in (("not read", now.files.skipped), ("read in part", now.files.partial)):
        yield from (f"{file.path} was {what}: {file.reason}" for file in files if file.path in diff.changes)


class _Since:
    """What came between the two scans, as a sentence about each finding."""

    def __init__(self, before: Report, now: Report, moved: Mapping[str, str]) -> None:
        self._found = compare(side_of(before), side_of(now), moved)
        self._new = frozenset(self._found.new)
        self._files = {known.fingerprint: known.file for known in side_of(before).findings}

    def compare(self, crime: Crime) -> tuple[bool, str]:
        """Whether the finding is new, and a sentence about that."""
        mark = crime.fingerprint
        if mark in self._new:
            grown = mark in self._found.grown
            return True, "new: one more copy than the base has" if grown else "new: the base does not have it"
        if mark in self._found.unclear:
            return False, f"not known to be new: {self._found.unclear[mark]}"
        old = self._files[self._found.previous[mark]]
        return False, "not new: the base has it" + ("" if old == crime.file else f" in {old}")


def _record(crime: Crime, change: Change | None, new: bool, note: str, dismissed: bool) -> Record:
    line = _line(crime, change)
    placed = change is not None and change.shows(line)
    verdict, evidence, context = judged(_grounds(crime, change, dismissed))
    notes = (note,) if placed else (note, "the diff does not show its line")
    severity = crime.severity
    if severity is Severity.HIGH and crime.category not in GRAVE:
        severity = Severity.MEDIUM
        notes = (*notes, f"severity high counts as medium: {crime.category} is not about correctness")
    if dismissed:
        notes = (*notes, "dismissed: the last feedback calls it a false alarm")
    return Record(
        file=crime.file,
        line=line,
        category=KINDS.get(crime.category, Kind.MAINTAINABILITY),
        verdict=verdict,
        evidence=evidence,
        context=context,
        drafter=None,
        verifier=severity,
        in_diff=True,
        in_changed_code=new,
        title=f"{crime.title} ({crime.type})",
        message=crime.message,
        id=crime.id,
        checks=notes,
        placed=placed,
    )


def _grounds(crime: Crime, change: Change | None, dismissed: bool) -> Grounds:
    strengths: dict[str, int] = {}
    for signal in crime.confidence_signals:
        value = round(signal.value * 100)
        strengths[signal.category] = max(value, strengths.get(signal.category, 0))
    # A measured value tells what a finding is worth, not how it was seen; names alone are not measured.
    is_measured = any(
        signal.measured_on for signal in crime.confidence_signals if signal.category == Category.SYNTAX
    )
    caps = frozenset(text.partition(":")[0] for text in crime.confidence_caps)
    return Grounds(
        confidence=round(crime.scores.confidence * 100),
        confirming=[category for category, value in strengths.items() if value >= REPORTED_FROM],
        measured=any(measure.limit is not None for measure in crime.evidence.values()),
        primary_on_plus=change is not None and change.adds(crime.lines.start),
        in_range=changed_line(crime, change) is not None,
        syntax_value=max(strengths.get(Category.SYNTAX, 0), PARSER_MATCH if is_measured else 0),
        caps=caps,
        parsed=Cap.PARSE_FALLBACK not in caps,
        dismissed=dismissed,
    )


def _line(crime: Crime, change: Change | None) -> int:
    """The line to comment on: the finding's own where the diff shows it, else the first changed one inside."""
    if change is None or change.shows(crime.lines.start):
        return crime.lines.start
    return changed_line(crime, change) or crime.lines.start


class OwnReview(NamedTuple):
    """crimes' own findings on a diff, what it could not look at, the verdict on the change in one line, and how far to trust the scan.

    `undecided` says that too little was seen for a verdict on the change: then no records are no sign that all is well.
    """

    records: tuple[Record, ...] = ()
    warnings: tuple[str, ...] = ()
    verdict: str = ""
    undecided: bool = False
    trust: str = ""


def review_own(session: Session, diff: Difference) -> OwnReview:
    """What crimes itself says of the diff: the work tree is scanned, and the base."""
    scan = session.scan()  # not its JSON: names of files that are not text have to be those of the diff
    now, before = scan.report, session.report_on_commit(diff.base, scan.context.config)
    with temporary_files(session.root, diff.base, (PATH,)) as base:
        dismissed, faults = _dismissed(base)
    comparison = compare_with(session, Range(diff.base, "", from_merge_base=False), now)
    verdict, undecided = comparison.verdict.line, comparison.verdict.state == UNKNOWN
    if before.trust.is_collapsed or now.trust.is_collapsed:
        whose, trust = ("", now.trust) if now.trust.is_collapsed else (" on the base", before.trust)
        reason = f"findings of crimes{whose} are withheld: {trust.withheld[Withheld.FINDINGS]}"
        return OwnReview(
            warnings=(reason, *faults), verdict=verdict, undecided=undecided, trust=now.trust.caveat
        )
    broken = [broken_record(item, diff) for item in comparison.broken]
    records = (*broken, *own_records(now, before, diff, catalogue(), dismissed))
    return OwnReview(records, (*gaps(now, diff), *faults), verdict, undecided, now.trust.caveat)


def broken_record(item: ChangeItem, diff: Difference) -> Record:
    """What the diff broke, at a place that it shows where there is one."""

    def is_shown(place: Spot) -> bool:
        change = diff.changes.get(place.file)
        return change is not None and change.shows(place.line)

    place = next(filter(is_shown, item.places), item.places[0])
    others = ", ".join(f"{other.file}:{other.line}" for other in item.places if other != place)
    return Record(
        file=place.file,
        line=place.line,
        category=Kind.API_CONTRACT,
        verdict=ReviewVerdict.CONFIRMED,
        evidence=Evidence.DIRECT,
        context=Visibility.FULL,
        drafter=None,
        verifier=Severity.HIGH,
        in_diff=True,
        in_changed_code=True,
        title=f"Broken reference ({item.kind})",
        message=f"{item.fact} {item.fix}".rstrip() + (f" Also at {others}." if others else ""),
        id="",
        checks=("new: it led somewhere at the base",)
        if is_shown(place)
        else ("new: it led somewhere at the base", "the diff does not show its line"),
        placed=is_shown(place),
    )


def _dismissed(base: Path) -> tuple[frozenset[str], list[str]]:
    """Findings whose last verdict was false alarm. Those of the base only: a change must not dismiss its own."""
    try:
        last = {feedback.fingerprint: feedback.verdict for feedback in read_feedback(base)}
    except CrimesError as error:
        first = str(error).partition("\n")[0]
        return frozenset(), [f"verdicts recorded at the base were not used: {first}"]
    false_alarms = (fingerprint for fingerprint, verdict in last.items() if verdict is FeedbackVerdict.FP)
    return frozenset(false_alarms), []
