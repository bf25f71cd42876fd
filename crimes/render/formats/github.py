"""The report inside a GitHub job: annotations on stdout, and a page for the job summary. Neither needs a token."""

from __future__ import annotations

from crimes.model.report import Crime, Report
from crimes.model.sanitize import safe
from crimes.model.severity import Severity
from crimes.model.wording import count
from crimes.render.checkout import NOWHERE, Checkout, first_line
from crimes.render.page import rows
from crimes.render.text import risk
from crimes.render.trust_text import endings

MAX_ANNOTATIONS_PER_LEVEL = 10  # GitHub takes so many from one step and silently drops the rest
_MAX_TITLE_CHARS = 255
_MAX_MESSAGE_CHARS = 4_000
_MAX_SUMMARY_BYTES = 1_000_000  # GitHub refuses more than a mebibyte
_MAX_SUMMARY_FINDINGS = 50
_LEVEL = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}


def render(report: Report, checkout: Checkout = NOWHERE) -> bytes:
    """Workflow commands: how the scan ended, then the worst findings, as many as GitHub takes."""
    ending = "; ".join(endings(report))
    failed = report.trust.summary is None or (report.gate is not None and report.gate.exit != 0)
    left = dict.fromkeys(_LEVEL.values(), MAX_ANNOTATIONS_PER_LEVEL)
    left["notice"] -= 1  # for the number of those left out
    commands = []
    if ending:
        level = "error" if failed else "notice"
        left[level] -= 1
        commands.append(_command(level, ending, title="crimes"))
    shown = 0
    for crime in _changed_first(report):
        level = _LEVEL[crime.severity]
        if left[level]:
            left[level] -= 1
            shown += 1
            commands.append(_annotation(level, crime, checkout))
    if shown < len(report.findings):
        number = count(len(report.findings) - shown, "more finding")
        more = f"{number}: GitHub takes {MAX_ANNOTATIONS_PER_LEVEL} annotations of a level from a step."
        commands.append(_command("notice", more, title="crimes"))
    return "".join(f"{command}\n" for command in commands).encode()


def _changed_first(report: Report) -> list[Crime]:
    """Findings in files of the working set, then the others; each part worst first."""
    changed = frozenset(report.working_set.files if report.working_set else ())
    return sorted(report.findings, key=lambda crime: crime.file not in changed)


def summary(report: Report) -> bytes:
    """The page for the job summary, which is appended to what other commands of the step wrote there."""
    page = ""
    for row in rows(report, _MAX_SUMMARY_FINDINGS):
        if len(page) + len(row) > _MAX_SUMMARY_BYTES // 4:  # a character has at most four bytes
            return f"{page}\nThe rest does not fit in here.\n".encode()
        page += f"{row}\n"
    return f"{page}\n".encode()


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
    properties["title"] = properties["title"][:_MAX_TITLE_CHARS]
    fields = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{level} {fields}::{_data(message[:_MAX_MESSAGE_CHARS])}"


def _data(text: str) -> str:
    """One line of text, without escapes that the runner would decode."""
    return safe(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
