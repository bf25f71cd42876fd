"""`crimes explain`: all about one finding, or about one detector."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import BriefingFormatOption, ColorOption, FromOption, RootOption
from crimes.cli.output import print_result, root_option, session_for, terminal_style

if TYPE_CHECKING:
    from crimes.detection.detector import Detector
    from crimes.workflows.session import Session


SubjectArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID|DETECTOR",
        help="The id of a finding, or the first characters of it; or a detector, such as god_function.",
    ),
]


def explain(
    id: SubjectArgument,
    from_: FromOption = None,
    format: BriefingFormatOption = "human",
    color: ColorOption = None,
    root: RootOption = None,
) -> None:
    """Explain a finding or a detector, down to the numbers."""
    from crimes.detection.registry import catalogue

    session = session_for(root)
    detector = catalogue().get(id)
    if detector is None:
        _explain_finding(session, id, from_, format, color)
    else:
        _explain_detector(session, detector, from_, format, color)


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
        finding_details(session.root, report, crime, scanned_at, catalogue(), root_option(session.root))
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
    place = root_option(session.root)
    text = detector_lines(page, place)
    print_result(format_, explanation, text, color, markdown=lambda: detector_markdown(page, place))
