"""The report as SARIF 2.1.0, within what GitHub's code scanning takes.

A finding is anchored on one line: in a pull request GitHub shows an alert only where all its lines changed.
No rule has `security-severity`: it would turn every finding into a security alert. Ignored findings are left out:
GitHub opens an alert for a result whatever its `suppressions` say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from crimes.detection.detector import Detector
from crimes.model.codec import encode
from crimes.model.kind import Kind
from crimes.model.report import Crime, HistoryCoverage, RelatedOut, Report
from crimes.model.sanitize import safe
from crimes.model.severity import Severity
from crimes.model.trust import Trust, Withheld
from crimes.render.checkout import NOWHERE, Checkout, first_line
from crimes.render.line_hash import line_hashes
from crimes.render.summary import collapse_text
from crimes.render.text import risk_profile

MAX_RESULTS = 5_000  # GitHub keeps so many of an upload
_MAX_RELATED_LOCATIONS = 100  # GitHub shows so many locations of a result
_MAX_DESCRIPTION_CHARS = 1_024  # of a rule
_MAX_MESSAGE_CHARS = 10_000
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
_PROBLEM = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "recommendation"}


def render(report: Report, *, detectors: Mapping[str, Detector], checkout: Checkout = NOWHERE) -> bytes:
    """The worst findings, as many as GitHub keeps. `detectors` describe the rules."""
    return encode({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(report, detectors, checkout)]})


def notices(report: Report) -> list[str]:
    """That findings are missing, where there are too many for GitHub."""
    kept = f"the SARIF holds the {MAX_RESULTS:,} worst findings, as many as GitHub keeps"
    return [f"{kept}; {_left_out(report):,} are left out"] if _left_out(report) else []


def _left_out(report: Report) -> int:
    return max(len(report.code_findings) - MAX_RESULTS, 0)


def _run(report: Report, detectors: Mapping[str, Detector], checkout: Checkout) -> dict[str, Any]:
    shown = report.code_findings[:MAX_RESULTS]
    places = {id_ for id_, detector in detectors.items() if detector.kind is Kind.PLACE}
    collapsed = report.trust.is_collapsed
    ran = (run.id for run in report.detectors if run.status == "ran" and not collapsed)  # rules have levels
    titles = {id_: "" for id_ in ran if id_ not in places}
    titles |= {_rule_id(crime): crime.title for crime in shown}
    ids = sorted(titles)
    index = {id_: number for number, id_ in enumerate(ids)}
    driver = {
        "name": report.tool.name,
        "version": report.tool.version,
        "semanticVersion": report.tool.version,
        "rules": [_rule(id_, titles[id_], detectors.get(id_), report.trust) for id_ in ids],
    }
    files = _Files(checkout)
    return {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"crimes/{_uri(checkout.prefix)}"},
        "columnKind": "utf16CodeUnits",
        "invocations": [_invocation(report)],
        "results": [_result(crime, index[_rule_id(crime)], files, report.history) for crime in shown],
        "properties": {
            "findings": report.summary.findings if collapsed else len(report.code_findings),
            "leftOut": _left_out(report),
            "trust": report.trust.classification,
            "trustReason": safe(report.trust.main_reason),
            "withheld": report.trust.withheld,
        },
    }


def _invocation(report: Report) -> dict[str, Any]:
    """How the scan went; a collapse is told in the one place that hosts show beside results."""
    invocation: dict[str, Any] = {"executionSuccessful": report.trust.finished}
    if report.trust.is_collapsed:
        message = {"text": safe(collapse_text(report))}
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": message}]
    return invocation


def _rule_id(crime: Crime) -> str:
    return crime.type or "unknown"


def _rule(id_: str, title: str, detector: Detector | None, trust: Trust) -> dict[str, Any]:
    """What a host shows of a type; without what to do about it where advice is withheld."""
    if detector is None:
        about = safe(title).strip() or id_
        text = {"text": about[:_MAX_DESCRIPTION_CHARS]}
        return {"id": id_, "shortDescription": text, "fullDescription": text, "help": text}
    what = detector.doc.strip().partition("\n\n")[0].replace("\n", " ")
    about = _sentence(what) if Withheld.ACTIONS in trust.withheld else detector.doc.strip()
    return {
        "id": id_,
        "name": "".join(word.capitalize() for word in id_.split("_")),
        "shortDescription": {"text": _sentence(detector.title)},
        "fullDescription": {"text": _sentence(what)},
        "help": {"text": about, "markdown": about},
        "defaultConfiguration": {"level": _LEVEL[detector.max_severity]},
        "properties": {
            "tags": ["maintainability", detector.category],
            "problem.severity": _PROBLEM[detector.max_severity],
            # A detector is on by default when its precision was measured to be good.
            "precision": "high" if detector.default else "medium",
        },
    }


def _sentence(text: str) -> str:
    return text.rstrip(".")[: _MAX_DESCRIPTION_CHARS - 1] + "."


def _result(crime: Crime, rule: int, files: _Files, history: HistoryCoverage) -> dict[str, Any]:
    line = first_line(crime)
    content = files.of(crime.file)
    fingerprints = {"crimesFindingId/v1": crime.fingerprint}
    if line <= len(content.hashes):
        fingerprints["primaryLocationLineHash"] = content.hashes[line - 1]
    result: dict[str, Any] = {
        "ruleId": _rule_id(crime),
        "ruleIndex": rule,
        "level": _LEVEL[crime.severity],
        "message": {"text": _message(crime.message) or _rule_id(crime)},
        "locations": [_location(crime, files.uri(crime.file), line, content.width(line))],
        "partialFingerprints": dict(sorted(fingerprints.items())),
        "properties": {
            "severity": str(crime.severity),
            "confidence": crime.scores.confidence,
            "agentRisk": crime.scores.agent_risk,
            "effort": crime.effort,
            "riskProfile": _message(risk_profile(crime, history)),
        },
    }
    if crime.related:
        pairs = enumerate(crime.related[:_MAX_RELATED_LOCATIONS], 1)
        result["relatedLocations"] = [_related(number, place, files) for number, place in pairs]
    if crime.scores.agent_risk is not None:
        result["rank"] = round(100 * crime.scores.agent_risk, 1)
    return result


def _location(crime: Crime, uri: str, line: int, width: int) -> dict[str, Any]:
    region = {"startLine": line, "startColumn": 1, "endLine": line, "endColumn": width + 1}
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
    if crime.symbol:
        location["logicalLocations"] = [{"fullyQualifiedName": safe(crime.symbol)}]
    return location


def _related(number: int, place: RelatedOut, files: _Files) -> dict[str, Any]:
    line = max(place.lines.start, 1)
    return {
        "id": number,
        "physicalLocation": {
            "artifactLocation": {"uri": files.uri(place.file)},
            "region": {"startLine": line, "endLine": max(place.lines.end, line)},
        },
        "message": {"text": _message(place.note) or "related"},
    }


def _message(text: str) -> str:
    """Plain text: what looks like a link in untrusted text must not become one."""
    return safe(text).strip().replace("](", "] (")[:_MAX_MESSAGE_CHARS]


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"))


class _Content:
    """The hashes of a file's lines, and their widths in UTF-16 units."""

    def __init__(self, data: bytes | None) -> None:
        self.hashes = [] if data is None else line_hashes(data)
        text = "" if data is None else data.decode("utf-8", "replace").removeprefix("\ufeff")
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def width(self, line: int) -> int:
        """The width of a line; 1 in a missing file, as hosts require an end column."""
        if not self.hashes or line > len(self._lines):
            return 1
        return len(self._lines[line - 1].encode("utf-16-le")) // 2


class _Files:
    """The files of the findings, each read once."""

    def __init__(self, checkout: Checkout) -> None:
        self._checkout = checkout
        self._contents: dict[str, _Content] = {}

    def of(self, file: str) -> _Content:
        if file not in self._contents:
            self._contents[file] = _Content(self._checkout.read(file))
        return self._contents[file]

    def uri(self, file: str) -> str:
        return _uri(self._checkout.path(file))
