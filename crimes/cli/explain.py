"""`crimes explain`: all about one finding, or about one detector."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import ColorOption, FromOption, PathOption
from crimes.cli.output import print_result, session_for, terminal_style

if TYPE_CHECKING:
    from crimes.detection.detector import Detector
    from crimes.workflows.session import Session


class ExplainFormat(StrEnum):
    """The formats of explanations; `markdown` is `md`."""

    HUMAN = "human"
    JSON = "json"
    MD = "md"
    MARKDOWN = "markdown"


SubjectArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID|DETECTOR",
        help="A finding's id, the beginning of it or its fingerprint; or a detector, like god_function.",
    ),
]
ExplainFormatOption = Annotated[ExplainFormat, typer.Option("--format", "-f", help="How to print it.")]


def explain(
    id: SubjectArgument,
    path: PathOption = None,
    from_: FromOption = None,
    format: ExplainFormatOption = ExplainFormat.HUMAN,
    color: ColorOption = None,
) -> None:
    """Explain a finding (evidence, code, arithmetic, what to do) or a detector (page, options, precision)."""
    from crimes.detection.registry import catalogue

    chosen = "md" if format is ExplainFormat.MARKDOWN else format.value
    session = session_for(path)
    detector = catalogue().get(id)
    if detector is None:
        _explain_finding(session, id, from_, chosen, color)
    else:
        _explain_detector(session, detector, from_, chosen, color)


def _explain_finding(
    session: Session, text: str, from_: Path | None, format_: str, color: bool | None
) -> None:
    from crimes.detection.registry import catalogue
    from crimes.render.explain import lines
    from crimes.render.explain_markdown import finding_markdown
    from crimes.render.lines import no_link
    from crimes.render.links import links_into
    from crimes.workflows.explanation import explain_findings, finding_details
    from crimes.workflows.find_finding import check_id, check_is_id, find_matches, load_report

    check_is_id(text, catalogue())
    prefix = check_id(text)
    report, scanned_at = load_report(session, from_)
    details = [
        finding_details(session.root, report, crime, scanned_at, catalogue())
        for crime in find_matches(report, prefix)
    ]
    link = links_into(session.root) if terminal_style(color).links else no_link
    print_result(
        format_,
        explain_findings(details),
        (row for detail in details for row in lines(detail, link)),
        color,
        markdown=lambda: "\n".join(map(finding_markdown, details)),
    )


def _explain_detector(
    session: Session, detector: Detector, from_: Path | None, format_: str, color: bool | None
) -> None:
    from crimes.detection.registry import load_checked_config
    from crimes.render.explain import detector_lines
    from crimes.render.explain_markdown import detector_markdown
    from crimes.workflows.explanation import explain_detector
    from crimes.workflows.find_finding import read_report

    if from_ is None:
        stored = session.last()
        report = stored.report if stored else None
    else:
        report = read_report(from_)
    explanation = explain_detector(detector, load_checked_config(session.root), report)
    (page,) = explanation.detectors
    print_result(format_, explanation, detector_lines(page), color, markdown=lambda: detector_markdown(page))
