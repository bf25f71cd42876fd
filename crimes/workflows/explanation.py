"""What `crimes explain` tells about a finding or a detector, as values and as the types behind its JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from crimes.config.schema import Config
from crimes.detection.detector import Detector
from crimes.detection.doc_sections import doc_sections
from crimes.detection.registry import DOCS_ADDRESS
from crimes.model.change import CHANGE_KINDS, ChangeItem
from crimes.model.kind import Kind
from crimes.model.report import Crime, HistoryCoverage, Report
from crimes.model.severity import Severity
from crimes.workflows.precision import Precision, measured_precision
from crimes.workflows.source_lines import Source, read_source

SCHEMA_VERSION = "1.2"
WHAT_TITLE = "What it looks for"
_MAX_BLAMED_LINES = 3
_MAX_CODE_LINES = 400  # of one finding, in the JSON

OptionValue = bool | int | float | str | tuple[str, ...]


class CodeLine(Struct, frozen=True):
    """A line of source."""

    number: int  # 1-based
    text: str  # without its line end
    blamed: bool  # the finding is about this line in particular


class ExplainedFinding(Struct, frozen=True):
    """A finding as in its report, with its code as it is now."""

    finding: Crime  # as in the report
    code: tuple[CodeLine, ...]  # lines of the finding, at most 400
    code_note: str  # why the code is missing or may have moved; empty when all is well
    commits_ever: int  # to its file; 0 when unknown
    advice_withheld: str  # why no advice is given; empty when it is
    trust: str = ""  # class and main reason of a scan that is not trusted; empty for one that is


class DocSection(Struct, frozen=True):
    """A section of a detector's page."""

    title: str  # empty for what stands before the first heading
    paragraphs: tuple[str, ...]  # paragraphs, list items and fenced code, in order


class ExplainedOption(Struct, frozen=True):
    """An option of a detector."""

    name: str  # as in crimes.toml
    default: OptionValue  # the value without any settings
    value: OptionValue  # in this repository
    help: str  # what it does


class DetectorSettings(Struct, frozen=True):
    """How a detector is set in this repository."""

    enabled: bool  # whether it runs here
    source: str  # the configuration file; empty when there is none
    scanned: bool  # whether there is a report to take an example from
    options: tuple[ExplainedOption, ...]  # its options and their values here


class ExampleFinding(Struct, frozen=True):
    """The top finding of a detector in the last scan."""

    id: str  # for `crimes explain`
    severity: Severity  # how bad it is
    file: str  # relative to the root
    line: int  # 1-based
    symbol: str  # the qualified name; empty for a whole file
    fact: str  # what is there, in one sentence


class DetectorPage(Struct, frozen=True):
    """A detector: what it looks for, why, what to do, and how often it is right."""

    id: str  # its name in settings and options
    title: str  # its name for people
    category: str  # its family
    severity: Severity  # the worst it reports
    effort: str  # how long a fix takes: minutes, hours or days
    languages: tuple[str, ...]  # "*" is every language
    enabled_by_default: bool  # whether it runs without any settings
    docs: str  # the address of its page; empty for a plugin without one
    sections: tuple[DocSection, ...]  # its page
    precision: Precision | None  # null when it was not measured
    settings: DetectorSettings | None = None  # null unless the detector itself was asked for
    example: ExampleFinding | None = None  # its top finding in the last scan; null when there is none
    kind: Kind = Kind.CODE  # whether it finds code that can be fixed, or states a fact about a place


class ExplainedChange(Struct, frozen=True):
    """A kind of problem that only a change can have, and the one that was asked for."""

    kind: str  # such as `broken_reference`
    meaning: str  # when `check` and `diff` report it
    docs: str  # the address of the page about it
    item: ChangeItem | None = None  # null when the kind itself was asked for
    states: str = ""  # which states were compared; empty when the kind itself was asked for


class Explanation(Struct, frozen=True):
    """The answer of `crimes explain --format json`: findings with their detectors, a detector alone, or what a change did."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    findings: tuple[ExplainedFinding, ...]  # those that share the id; empty when a detector was asked for
    detectors: tuple[DetectorPage, ...]  # the detectors of the findings, or the one that was asked for
    changes: tuple[
        ExplainedChange, ...
    ] = ()  # what a change broke or forgot; empty when anything else was asked for


class FindingDetails(Struct, frozen=True):
    """Everything that an explanation of one finding needs."""

    crime: Crime
    detector: Detector | None
    source: Source
    history: HistoryCoverage
    withheld: str = ""  # why the scan is too weak for advice
    commits_ever: int = 0  # to the file; 0 when unknown
    comment: str = "{}"  # a comment in the language of the file, with {} for its text
    place: str = ""  # what other commands need besides an id to find this repository: ` --root DIR`
    trust: str = ""  # class and main reason of a scan that is not trusted


def finding_details(
    root: Path,
    report: Report,
    crime: Crime,
    scanned_at: float,
    detectors: Mapping[str, Detector],
    place: str = "",
) -> FindingDetails:
    """The details of a finding, with its code as it is now and the age of its file."""
    from crimes.analyses.history.git_log import count_commits

    return FindingDetails(
        crime,
        detectors.get(crime.type),
        read_source(root, crime.file, scanned_at),
        report.history,
        report.trust.withheld.get("actions", ""),
        0 if report.history.limited else count_commits(root, crime.file),
        comment_in(crime.file),
        place,
        report.trust.caveat,
    )


def comment_in(file: str) -> str:
    """A comment in the language of the file, with {} for its text; only that where the language is not known."""
    from crimes.languages import by_id

    return next((language.comment for language in by_id.values() if file.endswith(language.extensions)), "{}")


def blamed_lines(crime: Crime) -> tuple[int, ...]:
    """The lines a finding is about in particular: those its evidence names, heaviest first; else its first one."""
    numbers = [
        item["line"]
        for measure in crime.evidence.values()
        for item in measure.items
        if isinstance(item.get("line"), int)
    ]
    inside = [int(number) for number in numbers if crime.lines.start <= int(number) <= crime.lines.end]
    return tuple(dict.fromkeys(inside))[:_MAX_BLAMED_LINES] or (crime.lines.start,)


def explain_findings(details: list[FindingDetails]) -> Explanation:
    """Findings that share an id, with the detectors of their types."""
    detectors = {detail.detector.id: detail.detector for detail in details if detail.detector}
    pages = tuple(detector_page(detector) for detector in detectors.values())
    return Explanation(SCHEMA_VERSION, tuple(map(_explained, details)), pages)


def _explained(details: FindingDetails) -> ExplainedFinding:
    crime, rows = details.crime, details.source.lines
    last = min(crime.lines.end, len(rows), crime.lines.start + _MAX_CODE_LINES - 1)
    blamed = blamed_lines(crime)
    code = tuple(
        CodeLine(number, rows[number - 1], number in blamed)
        for number in range(max(crime.lines.start, 1), last + 1)
    )
    return ExplainedFinding(
        crime, code, details.source.note, details.commits_ever, details.withheld, details.trust
    )


def explain_detector(detector: Detector, config: Config, report: Report | None) -> Explanation:
    """A detector as it is set in a repository, with its top finding of the last scan."""
    page = detector_page(
        detector, _settings(detector, config, report is not None), _example(detector, report)
    )
    return Explanation(SCHEMA_VERSION, findings=(), detectors=(page,))


def explain_kind(kind: str) -> Explanation:
    """One of CHANGE_KINDS."""
    return Explanation(SCHEMA_VERSION, findings=(), detectors=(), changes=(_explained_change(kind),))


def explain_items(items: Iterable[ChangeItem], states: str) -> Explanation:
    """What a change broke or forgot."""
    changes = tuple(_explained_change(item.kind, item, states) for item in items)
    return Explanation(SCHEMA_VERSION, findings=(), detectors=(), changes=changes)


def _explained_change(kind: str, item: ChangeItem | None = None, states: str = "") -> ExplainedChange:
    return ExplainedChange(kind, CHANGE_KINDS[kind], f"{DOCS_ADDRESS}/changes.md", item, states)


def detector_page(
    detector: Detector, settings: DetectorSettings | None = None, example: ExampleFinding | None = None
) -> DetectorPage:
    """The page of a detector; settings and example are those of a repository."""
    sections = doc_sections(detector.doc).items()
    return DetectorPage(
        id=detector.id,
        title=detector.title,
        category=detector.category,
        severity=detector.max_severity,
        effort=detector.effort.value,
        languages=detector.languages,
        enabled_by_default=detector.default,
        docs=detector.docs,
        sections=tuple(DocSection(title or WHAT_TITLE, texts) for title, texts in sections if texts),
        precision=measured_precision().get(detector.id),
        settings=settings,
        example=example,
        kind=detector.kind,
    )


def _settings(detector: Detector, config: Config, scanned: bool) -> DetectorSettings:
    chosen = config.detectors.get(detector.id)
    enabled = detector.default if chosen is None or chosen.enabled is None else chosen.enabled
    values = chosen.options if chosen else {}
    options = tuple(
        ExplainedOption(
            field.name,
            cast(Any, field.default),
            values.get(field.name, field.default),
            str(field.metadata.get("help", "")),
        )
        for field in dataclasses.fields(detector.options)
    )
    return DetectorSettings(enabled, config.source, scanned, options)


def _example(detector: Detector, report: Report | None) -> ExampleFinding | None:
    crimes = report.findings if report else ()
    crime = next((crime for crime in crimes if crime.type == detector.id), None)
    if crime is None:
        return None
    return ExampleFinding(
        crime.id, crime.severity, crime.file, crime.lines.start, crime.symbol, crime.fact or crime.message
    )
