"""The report as Checkstyle XML, which Jenkins, reviewdog and many editors read."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Report
from crimes.model.severity import Severity
from crimes.render.checkout import NOWHERE, Checkout, first_line
from crimes.render.summary import collapse_text
from crimes.render.text import by_file
from crimes.render.xml import HEAD, start, text

_SEVERITY = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "info"}


def render(report: Report, checkout: Checkout = NOWHERE) -> bytes:
    """One element per file, the file of the worst finding first."""
    return ("\n".join(_rows(report, checkout)) + "\n").encode()


def _rows(report: Report, checkout: Checkout) -> Iterator[str]:
    yield HEAD
    yield '<checkstyle version="10.0">'
    yield _comment(f"trust: {report.trust.label}")
    if report.trust.is_collapsed:
        yield _comment(collapse_text(report))
    for group in by_file(report.code_findings):
        yield f"  <{start('file', name=checkout.path(group[0].file))}>"
        for crime in group:
            error = start(
                "error",
                line=first_line(crime),
                severity=_SEVERITY[crime.severity],
                message=crime.message,
                source=f"crimes.{crime.type}",
            )
            yield f"    <{error}/>"
        yield "  </file>"
    yield "</checkstyle>"


def _comment(about: str) -> str:
    return f"  <!-- {text(about).replace('--', '- -')} -->"
