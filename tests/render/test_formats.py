"""Every format of a report, read back with a parser or schema of that format, whatever a repository is called."""

from __future__ import annotations

import itertools
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
from crimes.model.change import ChangeItem, Level, Spot
from crimes.model.report import Crime, Diagnostic, Gate, Ignored, Lines, Report
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
from crimes.render.text import risk_profile
from crimes.system.git_diff import Change
from crimes.workflows.change_summary import ChangeSummary
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
ALL_NEW = ChangeSummary("worse: 2 new findings (1 high, 1 low), 0 fixed, 3 unchanged")
ADDRESS = "https://git.example.org/ada/shop/blob/" + "0" * 40
# Every format there is, and the page one of them adds to a job's summary. JSON keeps text as it is.
FORMATS: dict[str, Callable[[Report], bytes]] = {
    **{
        name: partial(render, name=name, checkout=Checkout, change=lambda: ALL_NEW)
        for name in BY_NAME
        if name != "json"
    },
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
    made = report(*(crime(type=id_) for id_ in ("god_function", "silent_failure")))
    run = json.loads(sarif.render(made, detectors=detectors))["runs"][0]
    told = {rule["id"]: rule["properties"]["precision"] for rule in run["tool"]["driver"]["rules"]}
    assert told["god_function"] == "high"
    assert told["silent_failure"] == "medium"


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


def commands(
    made: Report, prefix: str = "", change: ChangeSummary | None = ALL_NEW
) -> list[tuple[str, dict[str, str], str]]:
    """Level, properties and message of each command, decoded as the runner does it."""
    decoded = []
    first, *rows = github.render(made, Checkout(prefix), change).decode().splitlines()
    assert first.startswith("crimes: ")
    for row in rows:
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", row)
        assert match, row
        properties = dict(pair.split("=", 1) for pair in match[2].split(","))
        decoded.append(
            (match[1], {key: _decoded(value) for key, value in properties.items()}, _decoded(match[3]))
        )
    return decoded


def _decoded(text: str) -> str:
    for code, char in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_annotation_carries_file_line_and_message(text: str) -> None:
    level, properties, message = commands(hostile_report(text), "api/")[0]
    assert level == "error"
    assert properties["file"] == safe(f"api/src/{text}.py")
    assert properties["line"] == properties["endLine"] == "10"
    assert message.partition("\n\n")[0] == (safe(text[:1_000]) or "god_function")
    assert len(properties["title"]) <= 255


def test_annotation_says_fact_why_fix_and_page_apart() -> None:
    found = crime(fact="fact 50 %", why="why\n::error::x", fix="fix", docs="https://example.org/god.md")
    ((_, properties, message),) = commands(report(found))
    profile = risk_profile(found, report(found).history)
    assert message == f"fact 50 %\n\nwhy\\x0a::error::x\nfix\n{profile}\nhttps://example.org/god.md"
    assert properties["title"] == f"god_function: Function that does too much ({found.id[:7]})"


def test_annotation_leaves_out_an_address_that_is_none() -> None:
    ((_, _, message),) = commands(report(crime(fact="fact", docs="javascript:alert(1)")))
    assert "javascript" not in message


def test_plain_scan_annotates_nothing() -> None:
    made = report(crime(), gate=Gate("severity", "high", "passed", 0, "no_hit", 0))
    assert commands(made, change=None) == []
    assert github.render(made) == b"crimes: Trusted. 1 finding in 1 file: 1 medium\n"


def test_only_changed_lines_are_annotated() -> None:
    changes = {
        "a.py": Change("a.py", "a.py", added=(range(10, 12), range(24, 30))),
        "b.py": Change("b.py", "b.py", added=(range(90, 95),)),
    }
    made = report(
        crime("a.py", 10),  # its first line changed
        crime("a.py", 20),  # 24 and 25 of it did
        crime("a.py", 3),  # ends at 8
        crime("a.py", 40),
        crime("b.py", 1, symbol="", lines=Lines(1, 1)),  # about the whole file
        crime("c.py", 10),
    )
    change = msgspec.structs.replace(ALL_NEW, changes=changes)
    places = [(properties["file"], properties["line"]) for _, properties, _ in commands(made, change=change)]
    assert places == [("a.py", "10"), ("a.py", "24"), ("b.py", "90")]
    page = github.summary(made, change=change).decode()
    assert "3 new findings are outside the changed lines, so not annotated." in page
    assert page.count("| medium |") == 6


def test_annotations_stay_within_the_limits_of_github() -> None:
    severities = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
    many = [crime(line=number + 1, severity=severities[number % 3]) for number in range(99)]
    gate = Gate("severity", "high", "failed", 1, "hit", 33)
    annotations = commands(report(*many, gate=gate))
    assert max(Counter(level for level, _, _ in annotations).values()) <= 10
    assert len(annotations) == 30
    assert annotations[0][2] == "Gate failed: 33 new findings at high or above"
    assert annotations[-1][2].startswith("71 places are not annotated: GitHub shows at most 10")
    assert annotations[-1][0] == "notice"
    assert [properties["line"] for level, properties, _ in annotations[1:] if level == "error"] == [
        str(number) for number in range(1, 28, 3)
    ]


def test_ignored_findings_appear_only_in_json_lines() -> None:
    left = msgspec.structs.replace(crime(file="left_out.py"), ignored=Ignored("comment", "old", "x:1", ""))
    made = report(crime(), ignored=(left,))
    for name, rendering in FORMATS.items():
        assert (b"left_out.py" in rendering(made)) == (name == "jsonl"), name


def test_a_scan_that_was_stopped_is_an_error_of_the_job() -> None:
    assert [(level, message) for level, _, message in commands(STOPPED, change=None)] == [
        ("error", "timeout: the scan took longer than 5 s (reading)")
    ]


def test_the_job_summary_stays_below_a_mebibyte() -> None:
    wide = "\U0001f600" * 5_000
    many = report(*(crime(wide, number, message=wide) for number in range(1, 200)), warnings=(wide,) * 500)
    page = github.summary(many, Checkout(address=ADDRESS))
    assert len(page) < 2**20
    assert "189 more findings" in page.decode()
    assert "490 more warnings" in page.decode()


def table(page: bytes) -> list[list[str]]:
    """The cells of the one table of a page below its head, as HTML. Everything outside of it stays text."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(page.decode())
    assert [token.type for token in tokens].count("table_open") <= 1
    assert not [token for token in tokens if token.type in ("html_block", "code_block", "fence")]
    links = [child for token in tokens for child in token.children or () if child.type == "link_open"]
    for link in links:
        assert str(link.attrs["href"]).startswith(("https://git.example.org/", "https://example.org/docs/"))
    kinds = {child.type for token in tokens for child in token.children or ()}
    assert kinds <= {"text", "code_inline", "link_open", "link_close", "text_special"}
    rows: list[list[str]] = []
    for before, token in itertools.pairwise(tokens):
        if before.type == "tr_open":
            rows.append([])
        if before.type in ("td_open", "th_open"):
            rows[-1].append(parser.renderer.render([token], parser.options, {}))
    return rows[1:]


@pytest.mark.parametrize("change", [ALL_NEW, None], ids=["change", "scan"])
@pytest.mark.parametrize(
    "text", [*TEXTS, "a|b", "`a|b`", r"a\|b", "`a", "|", "x | y"], ids=lambda text: ascii(text)[:40]
)
def test_hostile_text_does_not_break_the_table_of_the_job_summary(
    text: str, change: ChangeSummary | None
) -> None:
    rows = table(github.summary(hostile_report(text), Checkout(address=ADDRESS), change))
    assert [len(row) for row in rows] == [5, 5]
    assert [row[0] for row in rows] == ["high", "low"]
    assert all("<code>" in row[2] and "<script" not in "".join(row) for row in rows)


def test_bars_in_code_and_text_are_shown_as_written() -> None:
    found = crime("a|b.py", fact=r"`x|y` is | and \| is")
    ((*_, place, _, fact),) = table(github.summary(report(found)))
    assert place == "<code>a|b.py:10</code>"
    assert fact == "<code>x|y</code> is | and \\| is"


def test_job_summary_lists_what_is_broken_and_what_to_look_at() -> None:
    places = tuple(Spot("use.py", line, "half") for line in range(3, 15))
    broken = ChangeItem(
        "broken_reference", Level.BROKEN, "util.py", "half", "`half` is gone.", "Use `part`.", places
    )
    look = ChangeItem(
        "forgotten_copy",
        Level.LOOK,
        "a.py",
        "",
        "b.py was not edited.",
        "Check whether it needs the same change.",
        (Spot("b.py", 0),),
    )
    change = msgspec.structs.replace(ALL_NEW, broken=(broken,), look=(look,))
    rows = github.summary(report(), Checkout(address=ADDRESS), change).decode().splitlines()
    first = rows[rows.index("**Broken**") + 2]
    assert first.startswith(f"- `half` is gone. Use `part`. [`use.py:3`]({ADDRESS}/use.py#L3), [`use.py:4`](")
    assert first.endswith(" and 2 more")
    assert rows[rows.index("**Look at**") + 2] == (
        "- b.py was not edited. Check whether it needs the same change."
    )
    assert not any("forgotten" in message for _, _, message in commands(report(), change=change))


def test_gate_of_a_change_says_that_it_looked_at_new_findings() -> None:
    gate = Gate("severity", "high", "passed", 0, "none", 0)
    assert (
        "- Gate passed: no new findings at high or above"
        in github.summary(report(gate=gate), change=ALL_NEW).decode()
    )
    assert "- Gate passed: no findings at high or above" in github.summary(report(gate=gate)).decode()


def test_job_summary_links_place_and_type() -> None:
    found = crime("a b(1).py", docs="https://example.org/docs/god.md", fact="too long")
    checkout = Checkout("api/", address=ADDRESS)
    ((severity, risk, place, type_, fact),) = table(github.summary(report(found), checkout, ALL_NEW))
    assert (severity, risk, fact) == ("medium", "0.48", "too long")
    assert place == f'<a href="{ADDRESS}/api/a%20b%281%29.py#L10"><code>api/a b(1).py:10</code></a>'
    assert type_ == '<a href="https://example.org/docs/god.md">god_function</a>'


@pytest.mark.parametrize(
    "docs", ["", "javascript:alert(1)", "https://user@example.org/", "https://e.org/) x"]
)
def test_job_summary_has_no_link_that_could_mislead(docs: str) -> None:
    ((*_, place, type_, _),) = table(github.summary(report(crime(docs=docs)), Checkout()))
    assert (place, type_) == ("<code>src/core.py:10</code>", "god_function")


def test_job_summary_starts_with_trust_verdict_totals_and_gate() -> None:
    gate = Gate("severity", "high", "failed", 1, "hit", 1)
    page = github.summary(report(crime(), gate=gate), change=ALL_NEW).decode().splitlines()
    assert page[:3] == [
        "# crimes",
        "",
        "Trusted: enough of the code and its history was read to compare scores and to gate a build.",
    ]
    assert page[4] == "Worse: 2 new findings (1 high, 1 low), 0 fixed, 3 unchanged"
    assert page[6].startswith("- Gate")


@pytest.mark.parametrize(("change", "shown"), [(ALL_NEW, 20), (None, 10)], ids=["change", "scan"])
def test_job_summary_lists_the_worst_and_counts_the_rest(change: ChangeSummary | None, shown: int) -> None:
    many = report(*(crime(line=number) for number in range(1, 61)))
    page = github.summary(many, change=change)
    assert [row[2] for row in table(page)] == [
        f"<code>src/core.py:{number}</code>" for number in range(1, shown + 1)
    ]
    assert f"{60 - shown} more findings" in page.decode()


@pytest.mark.parametrize(
    "show",
    [
        partial(sarif.render, detectors=catalogue()),
        junit.render,
        gitlab.render,
        rdjson.render,
        markdown.render,
        partial(github.render, change=ALL_NEW),
    ],
    ids=["sarif", "junit", "gitlab", "rdjson", "md", "github"],
)
def test_risk_profile_stands_with_each_finding_where_the_host_has_room(
    show: Callable[[Report], bytes],
) -> None:
    found = crime()
    made = report(found)
    profile = risk_profile(found, made.history)
    assert profile.startswith("Risk profile: churn ")
    assert profile in show(made).decode()


# GitLab.


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_gitlab_entries_have_the_fields_of_its_widget(text: str) -> None:
    entries = json.loads(gitlab.render(hostile_report(text)))
    for entry in entries:
        assert set(entry) == {"description", "content", "check_name", "fingerprint", "severity", "location"}
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


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_hostile_text_does_not_change_the_structure_of_a_page(text: str) -> None:
    assert structure(markdown.render(hostile_report(text))) == structure(markdown.render(hostile_report("x")))


def test_the_page_lists_every_finding() -> None:
    many: list[Crime] = [crime(line=number) for number in range(1, 61)]
    assert markdown.render(report(*many)).count(b"- **medium**") == 60
