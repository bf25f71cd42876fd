"""Every format of a report, read back with a parser or schema of that format, whatever a repository is called."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import junitparser
import msgspec
import pytest
from markdown_it import MarkdownIt

from crimes.detection.registry import catalogue
from crimes.model.report import Crime, Diagnostic, Gate, Ignored, Lines, Report, WorkingSet
from crimes.model.sanitize import safe
from crimes.model.severity import Severity
from crimes.render.checkout import Checkout
from crimes.render.formats import (
    BY_NAME,
    checkstyle,
    github,
    gitlab,
    jsonl,
    junit,
    markdown,
    rdjson,
    render,
    sarif,
)
from crimes.render.line_hash import line_hashes
from tests.kit.hostile_text import HOSTILE, is_clean, tainted_finding
from tests.kit.paths import TESTS
from tests.kit.reports import TRUST, crime, report

SCHEMAS = TESTS / "schemas"
TEXTS = (
    *HOSTILE,
    "##[error]from a log",
    "##vso[task.setvariable variable=x]y",
    "::error file=x.py::taken over",
    "%0A::stop-commands::x",
    "a,line=1::b%25",
    "]]></failure><!-- & \" ' -->",
    "[text](https://example.org/) {0} {",
    "\ufffe\uffff",
    "x" * 70_000,
    "",
)
# Every format there is, and the page one of them adds to a job's summary. JSON keeps text as it is.
FORMATS: dict[str, Callable[[Report], bytes]] = {
    **{name: partial(render, name=name, checkout=Checkout) for name in BY_NAME if name != "json"},
    "summary": github.summary,
}
EMPTY = report()
STOPPED = report(
    trust=msgspec.structs.replace(TRUST, summary=None, composite=None, classification="abstained"),
    diagnostics=(Diagnostic("timeout", "reading", "the scan took longer than 5 s"),),
)


def hostile_report(text: str) -> Report:
    """The text wherever a repository, or a stranger's report, can put it."""
    odd = tainted_finding(text + "2")
    return report(
        tainted_finding(text),
        msgspec.structs.replace(odd, type=text, id=text, severity=Severity.LOW, lines=Lines(-3, -9)),
        hidden=(tainted_finding(text + "3"),),
        ignored=(
            msgspec.structs.replace(tainted_finding(text + "4"), ignored=Ignored("comment", text, text, "")),
        ),
        repository=text,
        warnings=(text,),
    )


def valid(schema: str, document: Any) -> None:
    loaded = json.loads((SCHEMAS / schema).read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(loaded)(loaded).validate(document)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_hostile_text_is_harmless_in_every_format(name: str, text: str) -> None:
    shown = FORMATS[name](hostile_report(text)).decode("utf-8")
    assert is_clean(shown)
    assert "##[" not in shown
    assert "##vso[" not in shown
    commands = [row for row in shown.splitlines() if row.lstrip().startswith("::")]
    assert all(re.match(r"::(error|warning|notice) title=", row) for row in commands)
    assert bool(commands) == (name == "github")


@pytest.mark.parametrize("made", [EMPTY, STOPPED, report(crime())], ids=["empty", "stopped", "one"])
@pytest.mark.parametrize("name", FORMATS)
def test_the_same_report_gives_the_same_bytes(name: str, made: Report) -> None:
    assert FORMATS[name](made) == FORMATS[name](made)


# JSON lines.


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_json_lines_hold_the_scan_and_each_finding(text: str) -> None:
    made = hostile_report(text)
    first, *rest = [json.loads(row) for row in jsonl.render(made).decode().splitlines()]
    assert first["record"] == "scan"
    assert first["trust"]["classification"] == "trusted"
    assert "findings" not in first
    assert [row["record"] for row in rest] == ["finding", "finding", "hidden", "ignored"]
    assert rest[0]["message"] == text.replace("\udce9", "\\xe9")


# SARIF.


def sarif_of(made: Report, checkout: Checkout | None = None) -> Any:
    document = json.loads(sarif.render(made, detectors=catalogue(), checkout=checkout or Checkout()))
    valid("sarif-2.1.0.json", document)
    return document


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_sarif_is_valid_and_meets_the_limits_of_github(text: str) -> None:
    (run,) = sarif_of(hostile_report(text))["runs"]
    for rule in run["tool"]["driver"]["rules"]:
        for part in ("shortDescription", "fullDescription"):
            assert 1 <= len(rule[part]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["id"]
        assert rule.get("name") != rule["id"]
    for result in run["results"]:
        assert result["message"]["text"]
        assert "](" not in result["message"]["text"]
        place = result["locations"][0]["physicalLocation"]
        assert re.fullmatch(r"[A-Za-z0-9/_.~%-]+", place["artifactLocation"]["uri"])
        region = place["region"]
        assert region["startLine"] == region["endLine"] >= 1
        assert 1 <= region["startColumn"] < region["endColumn"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    first = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(first, errors="surrogateescape") == f"src/{text}.py"


def test_sarif_has_no_security_severity() -> None:
    assert b"security-severity" not in sarif.render(
        report(*(crime(type=id_) for id_ in catalogue())), detectors=catalogue()
    )


def test_sarif_has_the_precision_github_sorts_by() -> None:
    detectors = catalogue()
    made = report(*(crime(type=id_) for id_ in ("god_function", "lying_name")))
    run = json.loads(sarif.render(made, detectors=detectors))["runs"][0]
    told = {rule["id"]: rule["properties"]["precision"] for rule in run["tool"]["driver"]["rules"]}
    assert told["god_function"] == "high"
    assert told["lying_name"] == "medium"


def test_sarif_anchors_a_finding_on_one_line_with_the_hash_of_github() -> None:
    text = "first = 1\nsecond = '😀'\n"
    checkout = Checkout("services/api/", {"src/core.py": text.encode()}.get)
    (run,) = sarif_of(report(crime(line=2)), checkout)["runs"]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "services/api/src/core.py"
    assert place["region"] == {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 14}
    assert result["partialFingerprints"] == {
        "crimesFindingId/v1": crime(line=2).fingerprint,
        "primaryLocationLineHash": line_hashes(text.encode())[1],
    }
    assert run["automationDetails"]["id"] == "crimes/services/api/"
    assert result["rank"] == 48.0


def test_sarif_without_the_file_leaves_the_hash_to_the_upload() -> None:
    (result,) = sarif_of(report(crime()))["runs"][0]["results"]
    assert "primaryLocationLineHash" not in result["partialFingerprints"]


def test_sarif_holds_the_worst_five_thousand_and_says_so() -> None:
    many = report(*(crime(line=number) for number in range(1, 5_003)))
    (run,) = json.loads(sarif.render(many, detectors=catalogue()))["runs"]
    assert len(run["results"]) == 5_000
    assert run["results"][-1]["locations"][0]["physicalLocation"]["region"]["startLine"] == 5_000
    assert run["properties"]["leftOut"] == 2
    (notice,) = sarif.notices(many)
    assert notice.endswith("; 2 are left out")
    assert not sarif.notices(report(crime()))


def test_sarif_of_a_stopped_scan_is_unsuccessful() -> None:
    (run,) = sarif_of(STOPPED)["runs"]
    assert run["invocations"] == [{"executionSuccessful": False}]
    assert sarif_of(EMPTY)["runs"][0]["invocations"] == [{"executionSuccessful": True}]


# GitHub.


def commands(made: Report, prefix: str = "") -> list[tuple[str, dict[str, str], str]]:
    """Level, properties and message of each command, decoded as the runner does it."""
    told = []
    for row in github.render(made, Checkout(prefix)).decode().splitlines():
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", row)
        assert match, row
        properties = dict(pair.split("=", 1) for pair in match[2].split(","))
        told.append(
            (match[1], {key: _decoded(value) for key, value in properties.items()}, _decoded(match[3]))
        )
    return told


def _decoded(text: str) -> str:
    for code, char in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_annotation_carries_file_line_and_message(text: str) -> None:
    level, properties, message = commands(hostile_report(text), "api/")[0]
    assert level == "error"
    assert properties["file"] == safe(f"api/src/{text}.py")
    assert properties["line"] == "10"
    assert message == (safe(text[:4_000]) or "god_function")
    assert len(properties["title"]) <= 255


def test_annotations_stay_within_the_limits_of_github() -> None:
    severities = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
    many = [crime(line=number + 1, severity=severities[number % 3]) for number in range(99)]
    gate = Gate("severity", "high", "failed", 1, "hit", 33)
    told = commands(report(*many, gate=gate))
    assert max(Counter(level for level, _, _ in told).values()) <= 10
    assert len(told) == 30
    assert told[0][2] == "Gate failed: 33 findings at high or above"
    assert told[-1][2].startswith("71 more findings")
    assert told[-1][0] == "notice"
    assert [properties["line"] for level, properties, _ in told[1:] if level == "error"] == [
        str(number) for number in range(1, 28, 3)
    ]


def test_annotations_begin_with_the_working_set() -> None:
    asked = WorkingSet("changed", "", ("b.py",), (), ())
    made = report(crime("a.py", 1), crime("b.py", 2), crime("a.py", 3), crime("b.py", 4), working_set=asked)
    assert [properties["line"] for _, properties, _ in commands(made)] == ["2", "4", "1", "3"]


def test_ignored_findings_appear_only_in_json_lines() -> None:
    left = msgspec.structs.replace(crime(file="left_out.py"), ignored=Ignored("comment", "old", "x:1", ""))
    made = report(crime(), ignored=(left,))
    for name, rendering in FORMATS.items():
        assert (b"left_out.py" in rendering(made)) == (name == "jsonl"), name


def test_a_scan_that_was_stopped_is_an_error_of_the_job() -> None:
    assert [(level, message) for level, _, message in commands(STOPPED)] == [
        ("error", "timeout: the scan took longer than 5 s (reading)")
    ]


def test_the_job_summary_stays_below_a_mebibyte() -> None:
    wide = "\U0001f600" * 5_000
    many = report(*(crime(wide, number, message=wide) for number in range(1, 200)), warnings=(wide,) * 500)
    page = github.summary(many)
    assert len(page) < 2**20
    assert "149 more findings" in page.decode() or "does not fit" in page.decode()


# GitLab.


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_gitlab_entries_have_the_fields_of_its_widget(text: str) -> None:
    entries = json.loads(gitlab.render(hostile_report(text)))
    for entry in entries:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["description"]
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["lines"]["begin"] >= 1
    assert entries[0]["location"]["path"] == f"src/{text}.py".replace("\udce9", "\\xe9")


def test_gitlab_fingerprints_are_unique() -> None:
    twin = crime(fingerprint="a" * 32)
    same = report(twin, twin, twin)
    marks = [entry["fingerprint"] for entry in json.loads(gitlab.render(same))]
    assert marks == ["a" * 32, "a" * 32 + "-2", "a" * 32 + "-3"]
    (other, *_) = json.loads(gitlab.render(same, Checkout("services/api/")))
    assert other["fingerprint"] not in marks
    assert other["location"]["path"] == "services/api/src/core.py"


# JUnit and Checkstyle.


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_junit_shows_a_finding_as_a_failed_test(text: str, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    file.write_bytes(junit.render(hostile_report(text)))
    suites = list(junitparser.JUnitXml.fromfile(str(file)))
    assert [len(suite) for suite in suites] == [1, 1]
    (case,) = suites[0]
    assert case.classname == safe(f"src/{text}.py")
    (failure,) = case.result
    assert isinstance(failure, junitparser.Failure)
    assert failure.message == safe(text)
    assert failure.type == "god_function"


@pytest.mark.parametrize(("made", "errors"), [(EMPTY, 0), (STOPPED, 1)], ids=["empty", "stopped"])
def test_junit_of_a_report_without_findings_is_one_test(made: Report, errors: int, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    file.write_bytes(junit.render(made))
    whole = junitparser.JUnitXml.fromfile(str(file))
    assert (whole.tests, whole.failures, whole.errors) == (1, 0, errors)
    ((case,),) = whole
    assert len(case.result) == errors


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_checkstyle_is_xml_with_every_finding(text: str) -> None:
    root = ET.fromstring(checkstyle.render(hostile_report(text)))
    assert root.tag == "checkstyle"
    assert [file.get("name") for file in root] == [safe(f"src/{text}.py"), safe(f"src/{text}2.py")]
    errors = list(root.iter("error"))
    assert [error.get("message") for error in errors] == [safe(text), safe(text + "2")]
    assert [error.get("severity") for error in errors] == ["error", "info"]
    assert [error.get("line") for error in errors] == ["10", "1"]


# Reviewdog.


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_rdjson_is_valid_against_its_schema(text: str) -> None:
    document = json.loads(rdjson.render(hostile_report(text), Checkout("api/")))
    valid("rdjson.json", document)
    first = document["diagnostics"][0]
    assert first["location"]["path"] == f"api/src/{text}.py".replace("\udce9", "\\xe9")
    assert first["location"]["range"]["start"]["line"] == 10
    assert (first["severity"], first["code"]["value"]) == ("ERROR", "god_function")


# Markdown.


def structure(page: bytes) -> list[str]:
    """The blocks of a page as GitHub's flavour of markdown has them."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(page.decode())
    assert not [
        token for token in tokens if token.type in ("html_block", "table_open", "code_block", "fence")
    ]
    for token in tokens:
        for child in token.children or ():
            assert child.type not in ("html_inline", "image", "link_open"), child
    return [token.tag for token in tokens]


@pytest.mark.parametrize("render", [markdown.render, github.summary], ids=["page", "summary"])
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_hostile_text_does_not_change_the_structure_of_a_page(
    text: str, render: Callable[[Report], bytes]
) -> None:
    assert structure(render(hostile_report(text))) == structure(render(hostile_report("x")))


def test_the_page_lists_every_finding_the_summary_the_worst() -> None:
    many: list[Crime] = [crime(line=number) for number in range(1, 61)]
    assert markdown.render(report(*many)).count(b"- **medium**") == 60
    assert github.summary(report(*many)).count(b"- **medium**") == 50
    assert b"10 more findings in the whole report." in github.summary(report(*many))
