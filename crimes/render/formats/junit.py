"""The report as JUnit XML: each finding is a failed test, a scan that was stopped is a test with an error."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime, HistoryCoverage, Report
from crimes.render.checkout import NOWHERE, Checkout, first_line
from crimes.render.summary import collapse_text
from crimes.render.text import by_file, risk, risk_profile
from crimes.render.xml import HEAD, start, text


def render(report: Report, checkout: Checkout = NOWHERE) -> bytes:
    """One suite per file. Readers reject a report without tests, so a clean scan is one test that passed."""
    return ("\n".join(_rows(report, checkout)) + "\n").encode()


def _rows(report: Report, checkout: Checkout) -> Iterator[str]:
    failures = len(report.code_findings)
    stopped = not report.trust.finished or report.trust.is_collapsed
    counts = {"tests": failures or 1, "failures": failures, "errors": int(stopped)}
    yield HEAD
    yield f"<{start('testsuites', name='crimes', **counts)}>"
    for number, group in enumerate(by_file(report.code_findings)):
        path = checkout.path(group[0].file)
        suite = start("testsuite", name=path, file=path, tests=len(group), failures=len(group), errors=0)
        yield f"  <{suite}>"
        yield from () if number else _properties(report)
        for crime in group:
            yield from _case(crime, path, report.history)
        yield "  </testsuite>"
    if not report.code_findings:
        yield f"  <{start('testsuite', name='crimes', tests=1, failures=0, errors=int(stopped))}>"
        yield from _properties(report)
        yield from _scan_case(report, stopped)
        yield "  </testsuite>"
    yield "</testsuites>"


def _properties(report: Report) -> Iterator[str]:
    """How far to trust the scan: in the first suite, as readers expect properties in a suite."""
    yield "    <properties>"
    trust = {"trust": report.trust.classification, "trust.reason": report.trust.main_reason}
    for name, value in trust.items():
        if value:
            yield f"      <{start('property', name=name, value=value)}/>"
    yield "    </properties>"


def _case(crime: Crime, path: str, history: HistoryCoverage) -> Iterator[str]:
    line = first_line(crime)
    name = f"{crime.type} {crime.symbol}".strip()
    yield f"    <{start('testcase', name=f'{name} [{crime.id}]', classname=path)}>"
    details = f"{path}:{line}: {crime.severity}, agent_risk {risk(crime).strip()}, confidence {crime.scores.confidence:.2f}"
    details += f"; {risk_profile(crime, history)}"
    yield f"      <{start('failure', message=crime.message, type=crime.type)}>{text(details)}</failure>"
    yield "    </testcase>"


def _scan_case(report: Report, stopped: bool) -> Iterator[str]:
    case = start("testcase", name="scan", classname=report.repository)
    if not stopped:
        yield f"    <{case}/>"
        return
    why = "; ".join(diagnostic.message for diagnostic in report.diagnostics)
    if report.trust.is_collapsed:
        why = collapse_text(report)
    kind = "collapsed" if report.trust.is_collapsed else "stopped"
    yield f"    <{case}>"
    yield f"      <{start('error', message=why or 'the scan did not come to its end', type=kind)}/>"
    yield "    </testcase>"
