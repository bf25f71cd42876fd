"""What the views print, checked on reports built by hand."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import jsonschema
import msgspec
import pytest
from rich.cells import cell_len

from crimes.cli.delivery import deliver_also
from crimes.config.schema import Config
from crimes.detection.detector import Detector
from crimes.model.codec import decode
from crimes.model.facts import Role
from crimes.model.finding import Effort
from crimes.model.report import Columns, Gate, HistoryCoverage, Lines, MeasureOut, Report, SkippedFile
from crimes.model.sanitize import safe
from crimes.model.severity import Severity
from crimes.render import catalogue, explain
from crimes.render import lines as lines_module
from crimes.render.checkout import Checkout
from crimes.render.formats import human, plain
from crimes.render.formats import json as json_view
from crimes.render.lines import Span, line, terminal
from crimes.render.text import blast_radius_text, brief_profile, risk_profile, short_ids
from crimes.workflows.explanation import FindingDetails, comment_in, detector_page
from crimes.workflows.source_lines import Source
from tests.kit.paths import ROOT
from tests.kit.reports import EVIDENCE, TRUST, crime, report, scores

RISKY = scores(severity=0.9, confidence=0.9, churn=0.55, test_gap=0.0, blast_radius=0.1, agent_risk=0.7)
EDGE = scores(severity=0.9, confidence=0.9, churn=0.5, test_gap=0.5, blast_radius=0.5, agent_risk=0.7)


def piped_rows(made: Report, width: int = 0, **options: object) -> list[str]:
    chosen = {"top": None, "always_profile": False, "verbose": False, **options}
    return lines_module.plain(plain.lines(made, **chosen)).splitlines()  # type: ignore[arg-type]


def terminal_rows(made: Report, width: int = 100, **options: object) -> list[str]:
    chosen = {"top": None, "always_profile": False, "verbose": False, "columns": width, **options}
    return terminal(human.lines(made, **chosen), width, color=False).splitlines()  # type: ignore[arg-type]


FINDING = re.compile(
    r"(?P<path>.+):(?P<line>\d+):(?P<column>\d+): (high|medium|low) (?P<type>\w+) (?P<message>.+) \[(?P<id>[0-9a-f]{7,})\]"
)
FACT = "`run` has cognitive complexity 31 in 40 lines of code."
ADVICE = {"god_function": ("Edits to it miss a path.", "Split it.")}


def code_of(path: str) -> list[str]:
    return [f"{path} {number}" for number in range(1, 101)]


# One line a finding, for pipes and logs.


def test_a_piped_finding_is_path_line_column_severity_type_message_and_id() -> None:
    (label, first, *_) = piped_rows(report(crime(fact=FACT, columns=Columns(5, 9))))
    assert (
        label
        == "# trusted: enough of the code and its history was read to compare scores and to gate a build"
    )
    assert first == f"src/core.py:10:5: medium god_function {FACT} [{crime().id[:7]}]"


def test_report_without_facts_shows_the_whole_message() -> None:
    (_, first, *_) = piped_rows(report(crime()))
    assert "god_function run has cognitive complexity 31 (limit 25). Split it. [" in first


@pytest.mark.parametrize(
    "path", ["a b.py", "a:3:4: high x y.py", "# a.py", "::error::x.py", "new\nline.py", "#"]
)
@pytest.mark.parametrize("group_by", ["", "file", "type"])
def test_every_piped_line_is_a_finding_or_a_remark(path: str, group_by: str) -> None:
    made = report(
        crime(path, fact=FACT), crime(path, 20, scores=RISKY), crime("b.py"), hidden=(crime(path, 30),)
    )
    rows = piped_rows(made, always_profile=True, verbose=True, group_by=group_by)
    findings = [row for row in rows if not row.startswith("# ")]
    assert len(findings) == 4
    for row in findings:
        match = FINDING.fullmatch(row)
        assert match, row
        assert match["line"] in {"10", "20", "30"}
        assert match["path"].removeprefix("\\").removeprefix("./") in {safe(path), "b.py"}


def test_a_piped_finding_is_never_cut_or_wrapped() -> None:
    long = crime("deep/" * 60 + "core.py", fact="word " * 200 + "end")
    (_, first, *_) = piped_rows(report(long))
    assert first.startswith("deep/" * 60 + "core.py:10:1: ")
    assert " end [" in first


@pytest.mark.parametrize(
    ("group_by", "order"),
    [
        ("", ["b.py:1", "a.py:2", "b.py:3"]),
        ("file", ["b.py:1", "b.py:3", "a.py:2"]),
        ("type", ["b.py:1", "b.py:3", "a.py:2"]),
    ],
)
def test_findings_keep_the_order_of_the_report_unless_grouped(group_by: str, order: list[str]) -> None:
    made = report(crime("b.py", 1), crime("a.py", 2, type="import_cycle"), crime("b.py", 3))
    assert [row.split(":1: ")[0] for row in piped_rows(made, group_by=group_by)[1:4]] == order


# The risk profile.


def test_the_risk_profile_appears_only_above_a_half() -> None:
    assert any("Risk profile" in row for row in terminal_rows(report(crime(scores=RISKY))))
    assert not any("Risk profile" in row for row in terminal_rows(report(crime(scores=EDGE))))


@pytest.mark.parametrize(("group_by", "profiles"), [("", 3), ("file", 2), ("type", 3)])
def test_the_risk_profile_stands_with_every_finding_or_the_heading_of_its_file(
    group_by: str, profiles: int
) -> None:
    made = report(crime(scores=RISKY), crime(line=20, scores=RISKY), crime("b.py", scores=RISKY))
    shown = terminal_rows(made, group_by=group_by)
    assert sum("Risk profile" in row for row in shown) == profiles


def test_the_risk_profile_is_in_a_pipe_only_with_all_as_a_remark() -> None:
    made = report(crime(scores=RISKY))
    assert not any("Risk profile" in row for row in piped_rows(made))
    (profile,) = [row for row in piped_rows(made, always_profile=True) if "Risk profile" in row]
    assert profile.startswith("# src/core.py: Risk profile: churn 0.55 ")


def test_all_shows_the_risk_profile_always() -> None:
    assert any(
        "Risk profile" in row for row in terminal_rows(report(crime(scores=EDGE)), always_profile=True)
    )


def test_the_risk_profile_has_the_raw_evidence() -> None:
    text = risk_profile(crime(), report().history)
    assert "churn 0.20 (4 commits in the 90 days before 2025-06-01)" in text
    assert "test gap 0.00 (1 test file imports it)" in text
    assert "blast radius 0.14 (7 files depend on it, 2 directly)" in text


def test_the_risk_profile_names_the_last_commit_where_commits_are_counted_back_from_it() -> None:
    text = risk_profile(crime(), report().history, until_head=True)
    assert "(4 commits in the 90 days before the last commit, 2025-06-01)" in text
    made = report(crime(scores=RISKY))
    assert any("before the last commit, " in row for row in terminal_rows(made, 200, until_head=True))
    assert not any("before the last commit, " in row for row in terminal_rows(made, 200))


def test_a_second_profile_is_brief_where_the_long_one_does_not_fit() -> None:
    made = report(crime(scores=RISKY), crime("b.py", scores=RISKY))
    brief = (
        "Risk profile: churn 0.55 (4 commits); test gap 0.00 (1 test file); blast radius 0.10 (7 dependents)"
    )
    assert [row.strip() for row in terminal_rows(made, 120) if "(4 commits)" in row] == [brief]
    wide = [row for row in terminal_rows(made, 200) if "Risk profile" in row]
    assert all("(4 commits in the 90 days before 2025-06-01)" in row for row in wide)
    assert all("(7 files depend on it, 2 directly)" in row for row in wide)


@pytest.mark.parametrize(
    ("sure", "text"),
    [
        (7, "7 files depend on it, 2 directly, tests included"),
        (
            5,
            "7 files depend on it, 2 directly, tests included; 5 of the 7 load it, the others have only dynamic, deferred or type-only imports",
        ),
        (
            0,
            "7 files depend on it, 2 directly, tests included; all of them only through dynamic, deferred or type-only imports",
        ),
    ],
)
def test_blast_radius_names_importers_that_are_not_certain(sure: int, text: str) -> None:
    assert blast_radius_text(msgspec.structs.replace(EVIDENCE, importers_sure=sure)) == text


def test_risk_profile_distinguishes_a_test_by_name_from_no_test() -> None:
    named = msgspec.structs.replace(
        EVIDENCE, tests_importing=(), tests_importing_count=0, tests_by_name=("tests/test_core.py",)
    )
    none = msgspec.structs.replace(named, tests_by_name=())
    assert "only tests/test_core.py matches its name" in risk_profile(crime(risk_evidence=named), None)
    untested = msgspec.structs.replace(EDGE, test_gap=1.0)
    assert "(no test file imports it)" in risk_profile(crime(risk_evidence=none, scores=untested), None)
    assert "no tests expected" in risk_profile(crime(risk_evidence=none, role=Role.DOCS), None)
    assert "it is a test" in risk_profile(crime(risk_evidence=none, role=Role.TEST), None)


def test_unknown_history_is_not_shown_as_zero_commits() -> None:
    limited = HistoryCoverage(True, "not a git repository", "", "", 0, "")
    nothing = msgspec.structs.replace(EVIDENCE, commits_90d=0, commits_365d=0, commits_3y=0)
    assert "churn 0.20 (not a git repository)" in risk_profile(crime(risk_evidence=nothing), limited)
    assert "churn 0.20 (not a git repository)" in brief_profile(crime(risk_evidence=nothing), limited)


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
    assert "[abcdefgh1]" in piped_rows(made)[1]


# What is left out, and saying so.


def test_top_limits_what_is_shown_and_says_how_much_more_there_is() -> None:
    made = report(*(crime(line=number) for number in range(1, 31)))
    shown = terminal_rows(made, top=20)
    assert sum("src/core.py:" in row for row in shown) == 20
    assert "10 more findings: show them with --all" in shown
    assert "30 findings in 1 file: 30 medium" in shown
    assert "# 1 more finding: show it with --all" in piped_rows(made, top=29)


GAPS = (
    "1 file not read: larger than 2,000,000 bytes (data/big.py)",
    "1 file read in part: 2 places do not parse (src/odd.py)",
    "42 files that no detector reads: .svg 30, .css 12",
    "12 imports unresolved, 1.3% of those inside the repository: src/a.py:3 legacy.thing",
    "1 detector skipped, not a git repository: hidden_coupling",
    "1 detector off: import_cycle",
)


@pytest.mark.parametrize("render", [piped_rows, terminal_rows])
def test_what_was_not_covered_is_one_line_and_named_when_verbose(render: object) -> None:
    short = "\n".join(render(report(crime()), width=200))  # type: ignore[operator]
    assert (
        "Not analysed: 1 file not read, 1 file read in part, 42 files that no detector reads, 12 imports unresolved, "
        "1 detector skipped (details with --verbose)"
    ) in short
    assert "import_cycle" not in short
    full = "\n".join(render(report(crime()), verbose=True, width=200))  # type: ignore[operator]
    for gap in GAPS:
        assert gap in full


def test_limited_history_and_warnings_are_shown() -> None:
    limited = HistoryCoverage(True, "shallow clone: 12 commits", "", "", 12, "")
    rows = piped_rows(report(history=limited, warnings=("something odd",)))
    assert "# History is limited: shallow clone: 12 commits" in rows
    assert "# something odd" in rows


def test_all_skipped_files_are_listed_when_verbose() -> None:
    skipped = tuple(SkippedFile(f"big/{number}.py", "too large") for number in range(9))
    files = msgspec.structs.replace(report().files, skipped=skipped)
    assert any("9 files not read" in row for row in piped_rows(report(files=files)))
    assert not any("big/0.py" in row for row in piped_rows(report(files=files)))
    assert any("big/8.py" in row for row in piped_rows(report(files=files), verbose=True))


def test_hidden_and_ignored_findings_are_counted_and_hidden_ones_shown_on_request() -> None:
    made = report(crime(), hidden=(crime("doubt.py", scores=RISKY),), ignored=(crime("known.py"),))
    assert "# 1 low-confidence finding hidden: show it with --verbose" in piped_rows(made)
    assert "# 1 finding ignored" in piped_rows(made)
    assert "1 finding ignored" in terminal_rows(made)
    assert not any("doubt.py" in row for row in piped_rows(made))
    for render in (piped_rows, terminal_rows):
        rows = render(made, verbose=True)
        (heading,) = [number for number, row in enumerate(rows) if "Low confidence: " in row]
        assert "doubt.py:10" in rows[heading + 1]


def test_report_without_findings_is_marked_clean() -> None:
    assert "# shop: no findings" in piped_rows(report())
    assert "No findings" in terminal_rows(report())


@pytest.mark.parametrize("quiet", [False, True])
def test_a_folder_without_source_files_takes_one_line(quiet: bool) -> None:
    trust = msgspec.structs.replace(TRUST, degraded_category="no-files", classification="abstained")
    files = msgspec.structs.replace(report().files, read=0, not_supported={})
    made = report(trust=trust, files=files)
    assert terminal_rows(made, quiet=quiet) == ([] if quiet else ["No source files found in shop."])
    assert piped_rows(made, quiet=quiet) == ([] if quiet else ["# No source files found in shop."])


# On a terminal.


def test_the_first_line_is_the_repository_the_trust_and_what_was_read() -> None:
    assert terminal_rows(report(crime()))[:2] == [
        "shop: 1,200 files, 45,000 lines of code, trusted",
        "",
    ]


def test_a_finding_takes_one_row_where_it_fits() -> None:
    row = terminal_rows(report(crime(severity=Severity.HIGH, line=77, fact=FACT)), 120)[3]
    assert row == f"high      0.48  src/core.py:77  Core.run  {FACT}  god_function {crime(line=77).id[:7]}"


def test_a_finding_takes_two_rows_where_it_does_not_fit() -> None:
    rows = terminal_rows(report(crime(severity=Severity.HIGH, line=77, fact=FACT)), 80)[3:5]
    assert rows == [
        f"high      0.48  src/core.py:77  Core.run  god_function {crime(line=77).id[:7]}",
        " " * 16 + FACT,
    ]


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("group_by", ["", "file", "type"])
def test_no_row_is_wider_than_the_terminal_but_a_path(width: int, group_by: str) -> None:
    paths = ("deep/" * 30 + "core.py", "日本/" * 12 + "b.py")
    made = report(
        crime(scores=RISKY, fact=FACT, symbol="Core." * 20),
        crime(paths[1], scores=RISKY, fact="word " * 60, why="why " * 40, fix="fix " * 40),
        crime(paths[0], fact=FACT),
        warnings=("warning " * 40,),
    )
    source = ["code " * 80] * 40
    rows = terminal_rows(
        made, width, always_profile=True, verbose=True, group_by=group_by, source=lambda path: source
    )
    wide = [row for row in rows if cell_len(row) > width]
    assert all(row.strip().endswith((*paths, *(f"{path}:10" for path in paths))) for row in wide)
    assert bool(wide) == (width < 200)


def test_a_word_is_never_cut() -> None:
    made = report(crime(fact="complexity cognitive " * 30, why="something " * 30, fix="advice " * 30))
    words = Counter(" ".join(terminal_rows(made, 60)).split())
    assert [words[word] for word in ("complexity", "cognitive", "something", "advice")] == [30] * 4


def test_grouping_by_file_puts_the_path_above_its_findings() -> None:
    made = report(crime("b.py", 1, fact=FACT), crime("a.py", 2, fact=FACT), crime("b.py", 3, fact=FACT))
    rows = terminal_rows(made, 140, group_by="file")
    assert rows[2:4] == [
        "severity, agent_risk (0 to 1, ranks findings), line, symbol, type, id",
        "b.py",
    ]
    assert rows[4].startswith("medium    0.48  line 1  Core.run")
    assert rows[5].startswith("medium    0.48  line 3  Core.run")
    assert rows[6:8] == ["", "a.py"]


@pytest.mark.parametrize(
    ("risks", "header"),
    [
        (
            (0.6, 0.5),
            "severity, agent_risk (0 to 1, ranks findings), file:line, symbol, type, id; riskiest first",
        ),
        (
            (0.5, 0.6),
            "severity, agent_risk (0 to 1, ranks findings), file:line, symbol, type, id",
        ),  # in another order that was asked for
        ((0.5,), "severity, agent_risk (0 to 1, ranks findings), file:line, symbol, type, id"),
    ],
)
def test_the_header_states_the_order_only_where_it_is_that_of_the_risk(
    risks: tuple[float, ...], header: str
) -> None:
    made = report(*(crime(f"{risk}.py", scores=scores(risk)) for risk in risks))
    assert terminal_rows(made, 140)[2] == header
    assert header not in terminal_rows(made, 140, quiet=True)


def test_header_of_a_narrow_terminal_leaves_the_order_out() -> None:
    made = report(*(crime(f"{risk}.py", scores=scores(risk)) for risk in (0.6, 0.5)))
    assert terminal_rows(made, 60)[2] == "severity, agent_risk (0 to 1), file:line, symbol, type, id"


def test_a_type_that_is_not_shown_completely_says_how_many_are() -> None:
    made = report(*(crime(f"{number}.py", fact=FACT) for number in range(9)))
    text = "\n".join(terminal_rows(made, top=4, group_by="type", advice=ADVICE))
    assert "god_function (4 of 9 shown)  " in text
    assert "god_function (9)  " in "\n".join(terminal_rows(made, group_by="type", advice=ADVICE))
    assert "god_function (" not in "\n".join(terminal_rows(made, top=4, advice=ADVICE))


# Why and advice.


@pytest.mark.parametrize("group_by", ["", "file", "type"])
def test_why_and_fix_appear_once_per_type(group_by: str) -> None:
    made = report(*(crime(f"{number}.py", fact=FACT, why="own", fix="own") for number in range(9)))
    text = " ".join(" ".join(terminal_rows(made, group_by=group_by, advice=ADVICE)).split())
    number = " (9)" if group_by == "type" else ""
    assert text.count(f"god_function{number} Edits to it miss a path. Split it.") == 1
    assert text.count("Split it.") == 1
    assert "own" not in text


def test_an_unknown_type_has_the_why_and_fix_of_its_first_finding() -> None:
    made = report(crime(type="theirs", fact=FACT, why="It hurts.", fix="Mend it."))
    assert "  theirs  It hurts. Mend it." in terminal_rows(made, advice=ADVICE)


@pytest.mark.parametrize("group_by", ["", "file", "type"])
def test_no_advice_when_actions_are_withheld(group_by: str) -> None:
    trust = msgspec.structs.replace(TRUST, withheld={"actions": "too little was seen"})
    text = "\n".join(terminal_rows(report(crime(fact=FACT), trust=trust), advice=ADVICE, group_by=group_by))
    assert "Split it." not in text
    assert "what to do" not in text
    assert "Edits to it miss a path." in text
    assert "Withheld: advice (too little was seen)." in text


def test_the_last_line_tells_how_to_learn_more() -> None:
    (last,) = terminal_rows(report(crime()), place=" --path x")[-1:]
    assert last == f"Run `crimes explain {crime().id[:7]} --path x` for details on the top finding."


# Frames of code.


def framed_lines(made: Report, **options: object) -> list[str]:
    shown = terminal_rows(made, 100, source=code_of, **options)
    return [row.strip() for row in shown if re.match(r" +\d+ > ", row)]


def test_the_first_three_findings_have_a_frame_at_the_blamed_line() -> None:
    branch = {"heaviest_branches": MeasureOut(("for at line 44: 9",), items=({"line": 44},))}
    made = report(
        crime("whole.py", lines=Lines(1, 1), symbol=""),
        crime("a.py", lines=Lines(40, 60), evidence=branch),
        *(crime(f"{number}.py", 10) for number in range(5)),
    )
    assert framed_lines(made) == ["44 > a.py 44", "10 > 0.py 10", "10 > 1.py 10"]


def test_a_frame_has_six_lines_and_starts_with_no_blank_one() -> None:
    source = [f"text {number}" for number in range(1, 40)]
    source[7] = source[8] = ""
    rows = terminal_rows(report(crime(line=10, fact=FACT)), source=lambda path: source)
    frame = [row.strip() for row in rows if "text " in row]
    assert frame == ["10 > text 10", *(f"{number}   text {number}" for number in range(11, 16))]
    source[7] = source[8] = "code"
    rows = terminal_rows(report(crime(line=10, fact=FACT)), source=lambda path: source)
    assert next(row.strip() for row in rows if re.match(r" +\d+ ", row)) == "8   code"


def test_no_frame_when_quiet_or_without_source() -> None:
    assert framed_lines(report(crime()))
    assert not framed_lines(report(crime()), quiet=True)
    assert not framed_lines(report(crime(line=101)))
    assert not any(">" in row for row in terminal_rows(report(crime())))


# Gates.


@pytest.mark.parametrize("mark", ["✗", "FAIL"])
def test_findings_that_failed_the_gate_are_marked(mark: str) -> None:
    bad, good = crime(severity=Severity.HIGH, fact=FACT), crime("good.py", fact=FACT)
    gate = Gate("severity", "high", "failed", 1, "threshold met", 1, failed=(bad.id,))
    rows = terminal_rows(report(bad, good, gate=gate), 140, fail_mark=mark)
    assert rows[2].startswith("severity, agent_risk (0 to 1, ranks findings), file:line, symbol, type, id")
    assert rows[3].startswith(f"{mark} high      0.48  src/core.py:10")
    assert rows[4].startswith(" " * len(mark) + " medium    0.48  good.py:10")
    assert f"Gate failed: 1 finding at high or above: {bad.id[:7]}" in rows


def test_findings_are_not_marked_without_a_gate() -> None:
    assert terminal_rows(report(crime(fact=FACT)), 120)[3].startswith("medium")


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
    details = FindingDetails(made, detector, source, report().history, comment=comment_in(made.file))
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
    assert f"4 commits in the 90 days before 2025-06-01, 9 in the past year, {said}\n" in rows


def test_explain_holds_every_part_in_order() -> None:
    rows = explain_rows(numbered(40), why="Here, it did so twice.", fix="Move the loop.")
    text = "\n".join(rows)
    parts = (
        "src/core.py:10-15  Core.run",
        "run has cognitive complexity 31 (limit 25). Split it.",
        "Why\n  Here, it did so twice.\n\nWhat to do\n  Move the loop.\n  A fix usually takes a few hours.",
        "Code",
        "Evidence",
        "cognitive complexity  31 (limit 25)",
        "branches              for line 12, if line 14",
        "Related places",
        "src/other.py:3 helper: called from here",
        "Risk profile: agent_risk 0.48",
        "churn         0.20  4 commits in the 90 days before 2025-06-01, 9 in the past year, 31 in three years",
        "test gap      0.00  1 test file imports it: tests/test_core.py",
        "0.48 = 0.40 x 0.70 severity",
        "Confidence that it is real and worth acting on: 0.80 (strong; hidden below 0.50)",
        "syntax  0.80  the parser counted it",
        "About god_function",
        "A function too complex to hold in mind.",
        "It counts branches as they nest.",
        "were checked against the code by two readers: ",
        "To ignore it",
        "With a comment on line 10 or the line above:",
        "# crimes: ignore[god_function] REASON",
        "[detectors.god_function]",
        "enabled = false",
        f"full id {crime().fingerprint}",
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
    [(31, "31 (limit 25)"), (25, "25 (limit 25)"), (9, "9 (below the limit of 25)")],
)
def test_explain_says_on_which_side_of_its_limit_a_number_is(value: int, said: str) -> None:
    rows = explain_rows(numbered(40), evidence={"cognitive": MeasureOut(value, 25)})
    assert f"  cognitive complexity  {said}" in rows


def test_explain_leaves_out_evidence_that_counts_nothing() -> None:
    evidence = {"nesting": MeasureOut(0, 4), "discounts": MeasureOut(()), "logic_lines": MeasureOut(40)}
    rows = explain_rows(numbered(40), evidence=evidence)
    assert "  lines of code  40" in rows
    assert not any("nesting" in row or "discounts" in row for row in rows)


def test_explain_writes_out_a_confidence_only_if_it_is_more_than_its_one_signal() -> None:
    alone = explain_rows(numbered(40))
    assert not any("alone" in row or "In short" in row for row in alone)
    steps = ("weighted mean: 0.80", "at most 0.80: one source")
    assert "  - at most 0.80: one source" in explain_rows(numbered(40), confidence_steps=steps)
    assert "  0.80 = 0.80 x 1.00: syntax alone" in explain_rows(numbered(40), confidence_steps=())


@pytest.mark.parametrize(
    ("file", "comment"),
    [
        ("a.py", "# crimes: ignore[god_function] REASON"),
        ("a.ts", "// crimes: ignore[god_function] REASON"),
        ("a.md", "<!-- crimes: ignore[god_function] REASON -->"),
        ("a.json", "crimes: ignore[god_function] REASON"),
    ],
)
def test_explain_shows_the_comment_of_the_language_of_the_file(file: str, comment: str) -> None:
    assert f"    {comment}" in explain_rows(numbered(40), file=file)


def test_explain_says_when_the_code_is_gone_or_shorter_than_it_was() -> None:
    gone = explain_rows(Source((), "The file no longer exists."))
    assert "  The file no longer exists." in code(gone)
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
## What it does not report

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
        "\nWhat it does not report\n  - A table.\n",
        "Not measured yet",
    )
    assert sorted(parts, key=text.index) == list(parts)


# The catalogue.


def test_the_catalogue_lists_a_detector_with_its_columns() -> None:
    rows = lines_module.plain(catalogue.lines({"god_function": DETECTOR}, Config())).splitlines()
    assert rows[0].split() == ["id", "family", "kind", "max", "severity", "state", "languages", "title"]
    assert rows[1].split(maxsplit=6) == [
        "god_function",
        "structure",
        "finding",
        "high",
        "on",
        "any",
        "Function that does too much",
    ]


def test_catalogue_as_json_has_the_same_columns() -> None:
    made = json.loads(catalogue.render({"god_function": DETECTOR}, Config()))
    assert made["detectors"][0]["id"] == "god_function"
    assert made["detectors"][0]["enabled"] is True
    assert made["detectors"][0]["options"] == []


def test_totals_name_low_confidence_findings_where_they_are_listed() -> None:
    made = report(hidden=(crime(), crime("b.py")))
    assert any(
        row.endswith(": no findings; also listed: 2 of low confidence")
        for row in piped_rows(made, verbose=True)
    )
    assert any(row.endswith(": no findings") for row in piped_rows(made))
