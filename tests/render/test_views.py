"""What the views print, checked on reports built by hand."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import jsonschema
import msgspec
import pytest

from crimes.cli.delivery import deliver_also
from crimes.detection.detector import Detector
from crimes.model.codec import decode
from crimes.model.facts import Role
from crimes.model.finding import Effort
from crimes.model.report import HistoryCoverage, Lines, MeasureOut, Report, SkippedFile
from crimes.model.severity import Severity
from crimes.render import catalogue, explain
from crimes.render import lines as lines_module
from crimes.render.checkout import Checkout
from crimes.render.formats import human, plain
from crimes.render.formats import json as json_view
from crimes.render.lines import Span, line, terminal
from crimes.render.text import risk_profile, short_ids
from crimes.workflows.explanation import FindingDetails, detector_page
from crimes.workflows.source_lines import Source
from tests.kit.paths import ROOT
from tests.kit.reports import EVIDENCE, crime, report, scores

RISKY = scores(severity=0.9, confidence=0.9, churn=0.55, test_gap=0.0, blast_radius=0.1, agent_risk=0.7)
EDGE = scores(severity=0.9, confidence=0.9, churn=0.5, test_gap=0.5, blast_radius=0.5, agent_risk=0.7)


def piped_rows(made: Report, **options: object) -> list[str]:
    chosen = {"top": None, "always_profile": False, "verbose": False, **options}
    return lines_module.plain(plain.lines(made, **chosen)).splitlines()  # type: ignore[arg-type]


def terminal_rows(made: Report, width: int = 100, **options: object) -> list[str]:
    chosen = {"top": None, "always_profile": False, "verbose": False, **options}
    return terminal(human.lines(made, **chosen), width, color=False).splitlines()  # type: ignore[arg-type]


# One line a finding, for pipes and logs.


def test_a_piped_finding_is_one_line_with_everything() -> None:
    (first, *_) = piped_rows(report(crime()))
    assert first == (
        f"src/core.py:10: medium god_function 0.48 [{crime().id[:7]}] "
        "run has cognitive complexity 31 (limit 25). Split it."
    )


def test_a_piped_finding_is_never_cut_or_wrapped() -> None:
    long = crime("deep/" * 60 + "core.py", message="word " * 200 + "end")
    (first, *_) = piped_rows(report(long))
    assert first.startswith("deep/" * 60 + "core.py:10: ")
    assert first.endswith("end")


def test_findings_of_one_file_stand_together_the_worst_file_first() -> None:
    made = report(crime("b.py", 1), crime("a.py", 2), crime("b.py", 3))
    assert [row.split(": ")[0] for row in piped_rows(made)[:3]] == ["b.py:1", "b.py:3", "a.py:2"]


# The risk profile.


def test_the_risk_profile_appears_only_above_a_half() -> None:
    assert any("Risk profile" in row for row in piped_rows(report(crime(scores=RISKY))))
    assert any("Risk profile" in row for row in terminal_rows(report(crime(scores=RISKY))))
    assert not any("Risk profile" in row for row in piped_rows(report(crime(scores=EDGE))))
    assert not any("Risk profile" in row for row in terminal_rows(report(crime(scores=EDGE))))


def test_all_shows_the_risk_profile_always() -> None:
    assert any("Risk profile" in row for row in piped_rows(report(crime(scores=EDGE)), always_profile=True))


def test_the_risk_profile_has_the_raw_evidence() -> None:
    told = risk_profile(crime(), None)
    assert "churn 0.20 (4 commits in 90 days)" in told
    assert "test gap 0.00 (1 test file imports it)" in told
    assert "blast radius 0.14 (7 files reach it, 5 for sure, 2 directly)" in told


def test_risk_profile_distinguishes_a_test_by_name_from_no_test() -> None:
    named = msgspec.structs.replace(
        EVIDENCE, tests_importing=(), tests_importing_count=0, tests_by_name=("tests/test_core.py",)
    )
    none = msgspec.structs.replace(named, tests_by_name=())
    assert "tests/test_core.py has its name" in risk_profile(crime(risk_evidence=named), None)
    untested = msgspec.structs.replace(EDGE, test_gap=1.0)
    assert "no test imports it or has its name" in risk_profile(
        crime(risk_evidence=none, scores=untested), None
    )
    assert "not something to be tested" in risk_profile(crime(risk_evidence=none, role=Role.DOCS), None)
    assert "it is a test" in risk_profile(crime(risk_evidence=none, role=Role.TEST), None)


def test_unknown_history_is_not_shown_as_zero_commits() -> None:
    limited = HistoryCoverage(True, "not a git repository", "", "", 0, "")
    nothing = msgspec.structs.replace(EVIDENCE, commits_90d=0, commits_365d=0, commits_3y=0)
    assert "churn 0.20 (not a git repository)" in risk_profile(crime(risk_evidence=nothing), limited)


# Short ids.


def test_short_id_has_seven_characters_or_more_until_unique() -> None:
    crimes = [crime(id=id_) for id_ in ("aaaaaaaaaaaa", "bbbbbbbbb111", "bbbbbbbbb122", "bbbbbbbbc000")]
    assert short_ids(crimes) == {
        "aaaaaaaaaaaa": "aaaaaaa",
        "bbbbbbbbb111": "bbbbbbbbb11",
        "bbbbbbbbb122": "bbbbbbbbb12",
        "bbbbbbbbc000": "bbbbbbbbc",
    }


def test_a_short_id_is_unique_among_hidden_findings_too() -> None:
    made = report(crime(id="abcdefgh1111"), hidden=(crime(id="abcdefgh2222", line=4),))
    assert "[abcdefgh1]" in piped_rows(made)[0]


# What is left out, and saying so.


def test_top_limits_what_is_shown_and_says_how_much_more_there_is() -> None:
    made = report(*(crime(line=number) for number in range(1, 31)))
    shown = terminal_rows(made, top=20)
    assert sum("god_function" in row for row in shown) == 20
    assert "10 findings more, --all shows them." in shown
    assert "shop: 30 findings in 1 file: 0 high, 30 medium, 0 low." in shown


@pytest.mark.parametrize("render", [piped_rows, terminal_rows])
def test_skipped_and_partial_files_are_named(render: object) -> None:
    text = "\n".join(render(report(crime())))  # type: ignore[operator]
    for part in (
        "1 file not read: larger than 2,000,000 bytes (data/big.py)",
        "1 file read in part: 2 places do not parse (src/odd.py)",
        "42 files of other kinds: .svg 30, .css 12",
        "12 imports unresolved, 1.3 % of those inside the repository: src/a.py:3 legacy.thing",
        "1 detector skipped, not a git repository: hidden_coupling",
        "1 detector off: import_cycle",
    ):
        assert part in text


def test_limited_history_and_warnings_are_shown() -> None:
    limited = HistoryCoverage(True, "shallow clone: 12 commits", "", "", 12, "")
    text = "\n".join(piped_rows(report(history=limited, warnings=("something odd",))))
    assert "history limited: shallow clone: 12 commits" in text
    assert "something odd" in text


def test_a_long_list_of_skipped_files_is_short_unless_verbose() -> None:
    skipped = tuple(SkippedFile(f"big/{number}.py", "too large") for number in range(9))
    files = msgspec.structs.replace(report().files, skipped=skipped)
    assert any(
        "too large (big/0.py, big/1.py, big/2.py, and 6 more)" in row
        for row in piped_rows(report(files=files))
    )
    assert any("big/8.py" in row for row in piped_rows(report(files=files), verbose=True))


def test_hidden_findings_are_counted_and_shown_on_request() -> None:
    made = report(crime(), hidden=(crime("doubt.py", scores=RISKY),))
    assert any("1 low-confidence finding hidden, --verbose shows it." in row for row in piped_rows(made))
    assert not any("doubt.py" in row for row in piped_rows(made))
    assert any(
        row.startswith("doubt.py:10: ") and "(low confidence 0.90)" in row
        for row in piped_rows(made, verbose=True)
    )
    assert any(row.startswith("doubt.py") for row in terminal_rows(made, verbose=True))


def test_report_without_findings_is_marked_clean() -> None:
    assert "shop: no findings." in piped_rows(report())
    assert "shop: no findings." in terminal_rows(report())


# On a terminal.


def test_every_finding_on_a_terminal_has_severity_id_line_type_and_message() -> None:
    shown = terminal_rows(report(crime(severity=Severity.HIGH, line=77)))
    assert shown[0] == "src/core.py"
    assert shown[1].split() == [
        "high",
        "0.48",
        "line",
        "77",
        "god_function",
        crime(line=77).id[:7],
        "Core.run",
    ]
    assert shown[2].strip() == "run has cognitive complexity 31 (limit 25). Split it."


def test_prose_wraps_under_its_indent_and_names_do_not() -> None:
    text = terminal(
        [line("word " * 30, indent=4), line(Span("deep/" * 30, "path"), fixed=True)], 40, color=False
    )
    rows = text.splitlines()
    assert all(row.startswith("    word") and len(row) <= 40 for row in rows[:-1])
    assert rows[-1] == "deep/" * 30


def test_no_colour_means_no_escape_sequence_at_all() -> None:
    made = report(crime(scores=RISKY), crime("x.py", severity=Severity.HIGH))
    chosen = {"top": None, "always_profile": True, "verbose": True}
    assert "\x1b" not in terminal(human.lines(made, **chosen), 80, color=False)  # type: ignore[arg-type]
    assert "\x1b[1;31m" in terminal(human.lines(made, **chosen), 80, color=True)  # type: ignore[arg-type]


# JSON.


@pytest.fixture(scope="module")
def schema() -> dict[str, object]:
    loaded: dict[str, object] = json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8"))
    return loaded


def test_json_is_valid_against_the_published_schema(schema: dict[str, object]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    made = report(crime(), crime("caf\udce9.py"), hidden=(crime(line=4),))
    jsonschema.validate(json.loads(json_view.render(made)), schema)


def test_schema_refuses_an_invalid_report(schema: dict[str, object]) -> None:
    broken = json.loads(json_view.render(report(crime())))
    broken["findings"][0]["scores"]["agent_risk"] = 1.5
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema)


def test_the_schemas_are_fresh_and_check_notices_when_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = importlib.util.spec_from_file_location("docs_schema", ROOT / "docs" / "schema.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.main(["--check"]) == 0
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    assert module.main(["--check"]) == 1
    assert "docs/report.schema.json is not fresh" in capsys.readouterr().out
    module.main([])
    assert module.main(["--check"]) == 0


def test_json_round_trips_ends_with_a_newline_and_repeats() -> None:
    made = report(crime(), hidden=(crime(line=4),))
    data = json_view.render(made)
    assert decode(data) == made
    assert data.endswith(b"}\n")
    assert data == json_view.render(report(crime(), hidden=(crime(line=4),)))


def test_top_shortens_the_findings_of_json_and_leaves_the_summary(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    deliver_also(report(crime(), crime(line=20)), {"json": file}, 1, Checkout)
    made = json.loads(file.read_bytes())
    assert len(made["findings"]) == 1
    assert made["summary"]["findings"] == 2


# explain.

DETECTOR = Detector(
    id="god_function",
    title="Function that does too much",
    category="structure",
    doc="""A function too complex to hold in mind.

It counts branches
as they nest.

## Why it matters

An edit breaks a path nobody looked at.

## What to do

Split it.
""",
    languages=("*",),
    max_severity=Severity.HIGH,
    effort=Effort.HOURS,
    detect=lambda scan, options: (),
    examples=(),
)


def explain_rows(source: Source, detector: Detector | None = DETECTOR, **changes: object) -> list[str]:
    made = crime(**changes)  # type: ignore[arg-type]
    details = FindingDetails(made, detector, source, report().history)
    return lines_module.plain(explain.lines(details)).splitlines()


def code(rows: list[str]) -> list[str]:
    start = rows.index("Code") + 1
    return rows[start : rows.index("", start)]


def numbered(length: int) -> Source:
    return Source(tuple(f"text {number}" for number in range(1, length + 1)))


@pytest.mark.parametrize(
    ("ever", "said"),
    [(0, "31 in three years"), (31, "31 in three years"), (842, "31 in three years, 842 in all")],
)
def test_explain_shows_the_total_of_commits_when_known(ever: int, said: str) -> None:
    details = FindingDetails(crime(), DETECTOR, numbered(40), report().history, commits_ever=ever)
    rows = lines_module.plain(explain.lines(details))
    assert f"4 commits in the 90 days before 2025-06-01, 9 in a year, {said}\n" in rows


def test_explain_holds_every_part_in_order() -> None:
    rows = explain_rows(numbered(40), why="Here, it did so twice.", fix="Move the loop.")
    text = "\n".join(rows)
    parts = (
        "src/core.py:10-15  Core.run",
        "run has cognitive complexity 31 (limit 25). Split it.",
        "Why\n  Here, it did so twice.",
        "An edit breaks a path nobody looked at.",
        "What to do\n  Move the loop.",
        "Split it.",
        "A fix usually takes hours.",
        "Code",
        "Evidence",
        "cognitive  31 (over the limit of 25)",
        "branches   for line 12, if line 14",
        "Related places",
        "src/other.py:3 helper: called from here",
        "Risk profile: agent_risk 0.48",
        "churn         0.20  4 commits in the 90 days before 2025-06-01, 9 in a year, 31 in three years",
        "test gap      0.00  1 test file imports it: tests/test_core.py",
        "0.48 = 0.40 x 0.70 severity",
        "Confidence 0.80: strong",
        "syntax  0.80  the parser counted it (parser)",
        "syntax alone: 0.80",
        "0.80 = 0.80 x 1.00: syntax alone",
        "About god_function",
        "A function too complex to hold in mind.",
        "It counts branches as they nest.",
        "Judged ",
        "To ignore it",
        "[detectors.god_function]",
        "enabled = false",
        crime().fingerprint,
    )
    position = 0
    for part in parts:
        assert part in text[position:], part
        position = text.index(part, position)


def test_explain_marks_the_lines_of_the_finding_only() -> None:
    rows = code(explain_rows(numbered(40)))
    assert [row.split()[0] for row in rows if ">" in row] == ["10"]
    assert [row.split()[0] for row in rows if "|" in row] == ["11", "12", "13", "14", "15"]
    assert rows[0] == "   7   text 7"
    assert rows[-1] == "  18   text 18"


def test_explain_shows_the_beginning_of_a_long_function_whose_evidence_names_no_line() -> None:
    rows = code(explain_rows(numbered(400), lines=Lines(10, 300)))
    assert len(rows) == 31
    assert (rows[0].split()[0], rows[-2].split()[0]) == ("7", "36")
    assert rows[-1].strip() == "... 264 lines not shown ..."


def heaviest(*numbers: int) -> dict[str, MeasureOut]:
    items: tuple[dict[str, int | float | str], ...] = tuple(
        {"keyword": "if", "line": number, "cost": 9} for number in numbers
    )
    return {
        "heaviest_branches": MeasureOut(tuple(f"if at line {number}: 9" for number in numbers), items=items)
    }


def test_explain_shows_and_marks_the_heaviest_branches_of_a_long_function() -> None:
    rows = code(explain_rows(numbered(400), lines=Lines(10, 300), evidence=heaviest(250, 120)))
    assert [row.split()[0] for row in rows if ">" in row] == ["120", "250"]
    shown = [int(row.split()[0]) for row in rows if "not shown" not in row]
    assert shown == [9, 10, 11, *range(117, 127), *range(247, 257)]
    assert [row.strip() for row in rows if "not shown" in row] == [
        "... 105 lines not shown ...",
        "... 120 lines not shown ...",
        "... 44 lines not shown ...",
    ]


def test_explain_ignores_a_line_in_evidence_that_is_outside_the_finding() -> None:
    rows = code(explain_rows(numbered(40), evidence=heaviest(30)))
    assert [row.split()[0] for row in rows if ">" in row] == ["10"]


def test_explain_cuts_a_line_of_code_that_is_too_long() -> None:
    rows = code(explain_rows(Source(("x" * 5_000,)), lines=Lines(1, 1)))
    assert len(rows[0]) < 260
    assert rows[0].endswith("...")


def test_explain_prefers_the_fact_to_the_message_of_all_three() -> None:
    rows = explain_rows(numbered(40), fact="`run` has 31 paths.")
    assert rows[3] == "`run` has 31 paths."
    assert not any(crime().message in row for row in rows)


def test_explain_does_not_repeat_why_when_the_detector_says_the_same() -> None:
    rows = explain_rows(numbered(40), why="An edit breaks a path nobody looked at.")
    assert sum("An edit breaks a path" in row for row in rows) == 1


@pytest.mark.parametrize(
    ("value", "said"),
    [(31, "31 (over the limit of 25)"), (25, "25 (at the limit)"), (9, "9 (under the limit of 25)")],
)
def test_explain_says_on_which_side_of_its_limit_a_number_is(value: int, said: str) -> None:
    rows = explain_rows(numbered(40), evidence={"cognitive": MeasureOut(value, 25)})
    assert f"  cognitive  {said}" in rows


def test_explain_says_when_the_code_is_gone_or_shorter_than_it_was() -> None:
    gone = explain_rows(Source((), "The file is not there any more."))
    assert "  The file is not there any more." in code(gone)
    assert code(explain_rows(numbered(2), lines=Lines(90, 95))) == [
        "  The file has changed since the scan: it now has only 2 lines."
    ]
    assert code(explain_rows(numbered(2), lines=Lines(2, 95)))[-1] == "  2 > text 2"


def test_explain_of_an_unknown_detector_still_explains_the_finding() -> None:
    text = "\n".join(explain_rows(numbered(20), detector=None))
    assert "no detector called god_function" in text
    assert "Risk profile" in text


def test_page_of_a_detector_shows_before_and_after_as_code_behind_the_advice() -> None:
    sections = """
## What it accepts

- A table.

## After

```python
def f():
    return g()
```

## Before

```python
def f():
    if x:
        pass
```
"""
    detector = msgspec.structs.replace(DETECTOR, id="new_one", doc=DETECTOR.doc + sections)
    text = lines_module.plain(explain.detector_lines(detector_page(detector)))
    parts = (
        "\nWhat to do\n  Split it.\n",
        "\nBefore\n    def f():\n        if x:\n            pass\n\n",
        "\nAfter\n    def f():\n        return g()\n\n",
        "\nWhat it accepts\n  - A table.\n",
        "Not measured: nobody has judged",
    )
    assert sorted(parts, key=text.index) == list(parts)


# The catalogue.


def test_the_catalogue_lists_a_detector_with_its_columns() -> None:
    rows = lines_module.plain(catalogue.lines({"god_function": DETECTOR})).splitlines()
    assert rows[0].split() == ["id", "category", "max", "severity", "default", "languages", "title"]
    assert rows[1].split(maxsplit=5) == [
        "god_function",
        "structure",
        "high",
        "on",
        "any",
        "Function that does too much",
    ]


def test_catalogue_as_json_has_the_same_columns() -> None:
    made = json.loads(catalogue.render({"god_function": DETECTOR}))
    assert made["detectors"][0]["id"] == "god_function"
    assert made["detectors"][0]["enabled"] is True
    assert made["detectors"][0]["options"] == []
