"""Facts about places in every format: machines that annotate never see one, people see the riskiest files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crimes.model.codec import decode, encode
from crimes.model.edit_risk import RankedFiles
from crimes.model.kind import Kind
from crimes.model.report import Crime, Report
from crimes.render.checkout import Checkout
from crimes.render.formats import human, render
from crimes.render.lines import terminal
from crimes.system.git_diff import Change
from crimes.workflows.change_summary import ChangeSummary
from crimes.workflows.riskiest_files import riskiest_files
from tests.kit.reports import crime, ranked_file, ranked_files, report, scores


def place(file: str, risk: float, type_: str = "load_bearing_file", **changes: Any) -> Crime:
    own = {
        "symbol": "",
        "short": f"short of {type_}",
        "message": f"message of {type_}",
        "related": (),
    } | changes
    return crime(file, 1, type=type_, kind=Kind.PLACE, scores=scores(risk), **own)


def mixed() -> Report:
    return report(
        place("src/core.py", 0.9),
        crime("src/api.py", message="message of god_function"),
        edit_risk=ranked_files("src/core.py", "src/api.py"),
    )


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif", "checkstyle", "rdjson", "junit"])
def test_formats_that_annotate_hold_findings_about_code_only(name: str) -> None:
    changes = {
        file: Change(file, file, shown=(range(1, 30),), added=(range(1, 30),))
        for file in ("src/core.py", "src/api.py")
    }
    change = ChangeSummary("worse", changes=changes)
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


_RANKED = f"edit risk {ranked_file('src/core.py').edit_risk:.2f} (about 1 in 2 files like it needs a fix);"


def test_terminal_lists_code_and_ends_with_the_riskiest_files() -> None:
    text = terminal(
        human.lines(mixed(), top=None, always_profile=False, verbose=False), 100, color=False
    ).splitlines()
    listed = [row for row in text if row.startswith(("high", "medium", "low"))]
    assert len(listed) == 1
    assert "src/api.py:10" in listed[0]
    at = text.index("Files most likely to need a fix")
    assert " ".join(row.strip() for row in text[at + 1 : at + 4]) == (
        "The first 2 of 2 source files by edit risk, with the share of similar files that needed a fix within six months. Commits and fixes are "
        "those of the year before 2025-06-01. Run `crimes explain ID` with the id at the end of a row for details."
    )
    assert text[at + 4] == "  1. src/core.py"
    row = " ".join(part.strip() for part in text[at + 5 : at + 8])
    assert row.startswith(
        f"{_RANKED} 46 commits, 12 of them fixes, in the past year; complexity 500 in 5,000 lines of code; "
    )
    assert "  2. src/api.py" in text[at + 5 :]
    assert not any(row.startswith("  load_bearing_file") for row in text)  # no advice on it by type


def test_markdown_has_a_section_of_riskiest_files() -> None:
    page = render(mixed(), "markdown", Checkout).decode()
    findings, _, rest = page.partition("## Files most likely to need a fix")
    assert "god\\_function" in findings
    assert "core.py" not in findings
    assert (
        f"`src/core.py`: {_RANKED} 46 commits, 12 of them fixes, in the past year; complexity 500 in 5,000 lines of code; short of"
        in rest
    )
    assert "(about 1 in 2 files like it needs a fix); " in rest.partition("`src/api.py`: edit risk ")[2]


def test_riskiest_files_are_the_five_first_by_edit_risk_with_all_their_facts() -> None:
    facts = [place(f"src/f{number}.py", number / 10) for number in range(1, 8)]
    second = place("src/f2.py", 0.2, "repeat_offender", short="")
    names = [f"src/f{number}.py" for number in range(9)]
    files = riskiest_files(report(*facts, second, crime("src/code.py"), edit_risk=ranked_files(*names)))
    assert [risky.ranked.file for risky in files] == names[:5]
    assert files[0].facts_text == ""
    assert files[2].facts_text == f"short of load_bearing_file; {second.title}"


def test_calm_repository_has_no_riskiest_files() -> None:
    calm = ranked_files("src/core.py", "src/api.py", band="under 1 in 20")
    made = report(place("src/core.py", 0.9), edit_risk=calm)
    assert riskiest_files(made) == []
    assert "Riskiest" not in render(made, "markdown", Checkout).decode()


def test_riskiest_files_have_code_and_more_than_the_lowest_band() -> None:
    files = (
        ranked_file("src/core.py", 1),
        ranked_file("src/__init__.py", 2, lines=0),
        ranked_file("src/api.py", 3),
        ranked_file("src/web.py", 4, band="under 1 in 20"),
    )
    risky = riskiest_files(report(edit_risk=RankedFiles(4, 1, "", files)))
    assert [file.ranked.file for file in risky] == ["src/core.py", "src/api.py"]


def test_riskiest_files_without_history_say_so_and_have_no_share() -> None:
    made = report(edit_risk=ranked_files("src/core.py", history_limited="not a git repository"))
    page = render(made, "markdown", Checkout).decode()
    assert (
        "The only source file, computed from size, complexity and visible commits (history is limited)."
        in page
    )
    assert " in 2" not in page


def test_riskiest_files_of_a_selection_are_not_called_the_first() -> None:
    ranked = ranked_files("src/core.py", "src/api.py", "src/web.py")
    made = report(edit_risk=RankedFiles(3, 1, "", ranked.files[1:]))
    assert (
        "The first 2 here by edit risk, ranked among all 3 source files, "
        in render(made, "markdown", Checkout).decode()
    )


def test_json_lines_have_one_line_a_ranked_file() -> None:
    rows = [json.loads(row) for row in render(mixed(), "jsonl", Checkout).splitlines()]
    assert rows[0]["edit_risk"] == {"ranked": 2, "fixed_180d": 1, "history_limited": "", "withheld": ""}
    assert [(row["file"], row["rank"]) for row in rows if row["record"] == "file"] == [
        ("src/core.py", 1),
        ("src/api.py", 2),
    ]
