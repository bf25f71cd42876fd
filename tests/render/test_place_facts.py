"""Facts about places in every format: machines that annotate never see one, people see the riskiest files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crimes.model.codec import decode, encode
from crimes.model.kind import Kind
from crimes.model.report import Crime, Report
from crimes.render.checkout import Checkout
from crimes.render.formats import human, render
from crimes.render.lines import terminal
from crimes.system.git_diff import Change
from crimes.workflows.change_summary import ChangeSummary
from crimes.workflows.riskiest_files import riskiest_files
from tests.kit.reports import crime, report, scores


def place(file: str, risk: float, type_: str = "load_bearing_file", **changes: Any) -> Crime:
    own = {
        "symbol": "",
        "short": f"short of {type_}",
        "message": f"message of {type_}",
        "related": (),
    } | changes
    return crime(file, 1, type=type_, kind=Kind.PLACE, scores=scores(risk), **own)


def mixed() -> Report:
    return report(place("src/core.py", 0.9), crime("src/api.py", message="message of god_function"))


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif", "checkstyle", "rdjson", "junit"])
def test_formats_that_annotate_hold_findings_about_code_only(name: str) -> None:
    changes = {
        file: Change(file, file, shown=(range(1, 30),), added=(range(1, 30),))
        for file in ("src/core.py", "src/api.py")
    }
    change = ChangeSummary("worse", new=1, fixed=0, changes=changes)
    text = render(mixed(), name, Checkout, lambda: change).decode()
    assert "god_function" in text
    assert "load_bearing_file" not in text


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_formats_for_programs_hold_both_kinds(name: str) -> None:
    text = render(mixed(), name, Checkout).decode()
    findings = (
        json.loads(text)["findings"]
        if name == "json"
        else [row for row in map(json.loads, text.splitlines()) if row["record"] == "finding"]
    )
    assert [finding["kind"] for finding in findings] == ["place", "code"]


def test_report_without_kinds_is_about_code() -> None:
    data = json.loads(encode(mixed()))
    for finding in data["findings"]:
        del finding["kind"], finding["short"]
    del data["summary"]["places"]
    read = decode(json.dumps(data).encode())
    assert (len(read.code_findings), read.place_facts, read.summary.places) == (2, (), 0)


def test_terminal_lists_code_and_ends_with_the_riskiest_files() -> None:
    text = terminal(
        human.lines(mixed(), top=None, always_profile=False, verbose=False), 100, color=False
    ).splitlines()
    listed = [row for row in text if row.startswith(("high", "medium", "low"))]
    assert len(listed) == 1
    assert "src/api.py:10" in listed[0]
    at = text.index("Riskiest files")
    assert text[at + 1] == "  0.90  src/core.py"
    assert text[at + 2].startswith("        short of load_bearing_file  ")
    assert not any(row.startswith("  load_bearing_file") for row in text)  # no advice on it by type


def test_markdown_has_a_section_of_riskiest_files() -> None:
    page = render(mixed(), "markdown", Checkout).decode()
    findings, _, rest = page.partition("## Riskiest files")
    assert "god\\_function" in findings
    assert "core.py" not in findings
    assert "`src/core.py`: short of load" in rest


def test_riskiest_files_are_five_by_their_worst_fact_with_all_facts() -> None:
    facts = [place(f"src/f{number}.py", number / 10) for number in range(1, 8)]
    second = place("src/f6.py", 0.2, "repeat_offender", short="")
    files = riskiest_files(report(*facts, second, crime("src/code.py")))
    assert [risky.file for risky in files] == [f"src/f{number}.py" for number in (7, 6, 5, 4, 3)]
    assert files[1].text == f"short of load_bearing_file; {second.title}"
