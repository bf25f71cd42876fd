"""`crimes explain`: all about one finding, about one detector, or about what a change broke or forgot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import BriefingFormatOption, ColorOption, FromOption, RootOption
from crimes.cli.output import print_result, root_option, session_for, terminal_style

if TYPE_CHECKING:
    from crimes.detection.detector import Detector
    from crimes.workflows.explanation import Explanation
    from crimes.workflows.session import Session


SubjectArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID|DETECTOR",
        help="An id that `crimes scan`, `check` or `diff` printed, or its first characters; or a detector, such as god_function.",
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
    from crimes.model.change import CHANGE_KINDS
    from crimes.workflows.explanation import explain_items, explain_kind
    from crimes.workflows.find_finding import check_id, check_is_id, find_items
    from crimes.workflows.last_scan import load_change

    session = session_for(root)
    if detector := catalogue().get(id):
        _explain_detector(session, detector, from_, format, color)
        return
    if id in CHANGE_KINDS:
        _show_change(explain_kind(id), root_option(session.root), format, color)
        return
    check_is_id(id, (*catalogue(), *CHANGE_KINDS))
    prefix = check_id(id)
    change = None if from_ else load_change(session.root)
    if change and (items := find_items(change, prefix)):
        _show_change(explain_items(items, change.states), root_option(session.root), format, color)
    else:
        _explain_finding(session, prefix, from_, format, color)


def _show_change(explanation: Explanation, place: str, format_: str, color: bool | None) -> None:
    from crimes.render.explain import change_lines
    from crimes.render.explain_markdown import change_markdown

    print_result(
        format_,
        explanation,
        (row for change in explanation.changes for row in change_lines(change, place)),
        color,
        markdown=lambda: "\n".join(change_markdown(change, place) for change in explanation.changes),
    )


def _explain_finding(
    session: Session, prefix: str, from_: Path | None, format_: str, color: bool | None
) -> None:
    from crimes.detection.registry import catalogue
    from crimes.render.explain import lines
    from crimes.render.explain_markdown import finding_markdown
    from crimes.render.lines import no_link
    from crimes.render.links import links_into
    from crimes.workflows.explanation import explain_findings, finding_details
    from crimes.workflows.find_finding import find_matches, load_report

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
