"""The report inside a GitHub job: annotations on stdout, and a page for the job's summary. Neither needs a token."""

from __future__ import annotations

from crimes.model.facts import Severity
from crimes.model.report import Crime, Report
from crimes.model.sanitize import safe
from crimes.model.wording import count
from crimes.render.checkout import NOWHERE, Checkout, first_line
from crimes.render.page import rows
from crimes.render.text import risk
from crimes.render.trust_text import endings

MOST_OF_A_LEVEL = 10  # annotations GitHub takes from one step; it drops the rest without a word
_LONGEST_TITLE = 255
_LONGEST_MESSAGE = 4_000
_LARGEST_SUMMARY = 1_000_000  # bytes; GitHub refuses one above a mebibyte
_IN_SUMMARY = 50  # findings
_LEVEL = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}


def render(report: Report, checkout: Checkout = NOWHERE) -> bytes:
    """Workflow commands: how the scan ended, then the worst findings, as many as GitHub takes."""
    ending = "; ".join(endings(report))
    failed = report.trust.summary is None or (report.gate is not None and report.gate.exit != 0)
    left = dict.fromkeys(_LEVEL.values(), MOST_OF_A_LEVEL)
    left["notice"] -= 1  # for the number of those left out
    told = []
    if ending:
        level = "error" if failed else "notice"
        left[level] -= 1
        told.append(_command(level, ending, title="crimes"))
    shown = 0
    for crime in _changed_first(report):
        level = _LEVEL[crime.severity]
        if left[level]:
            left[level] -= 1
            shown += 1
            told.append(_annotation(level, crime, checkout))
    if shown < len(report.findings):
        number = count(len(report.findings) - shown, "finding")
        more = f"{number} more: GitHub takes {MOST_OF_A_LEVEL} annotations of a level from a step."
        told.append(_command("notice", more, title="crimes"))
    return "".join(f"{command}\n" for command in told).encode()


def _changed_first(report: Report) -> list[Crime]:
    """The worst first, but those in the files that were asked about before what they concern elsewhere."""
    asked = frozenset(report.working_set.files if report.working_set else ())
    return sorted(report.findings, key=lambda crime: crime.file not in asked)


def summary(report: Report) -> bytes:
    """The page for the job's summary. It is added to what other commands of the step wrote there."""
    made = ""
    for row in rows(report, _IN_SUMMARY):
        if len(made) + len(row) > _LARGEST_SUMMARY // 4:  # a character has at most four bytes
            return f"{made}\nThe rest does not fit in here.\n".encode()
        made += f"{row}\n"
    return f"{made}\n".encode()


def _annotation(level: str, crime: Crime, checkout: Checkout) -> str:
    line = first_line(crime)
    return _command(
        level,
        crime.message or crime.type,
        title=f"{crime.type} {risk(crime).strip()} {crime.id}",
        file=checkout.path(crime.file),
        line=str(line),
        endLine=str(line),
    )


def _command(level: str, message: str, **properties: str) -> str:
    properties["title"] = properties["title"][:_LONGEST_TITLE]
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{level} {given}::{_data(message[:_LONGEST_MESSAGE])}"


def _data(text: str) -> str:
    """On one line, and with no sign that the runner would read as one of its own."""
    return safe(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
