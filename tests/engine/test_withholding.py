"""What a scan that saw too little does not say: in no format and by no command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from crimes.config.schema import Config
from crimes.detection.registry import catalogue
from crimes.engine.scan import Scan, scan
from crimes.lsp.service import file_facts
from crimes.mcp.data import file_data
from crimes.model.change import ChangeItem, Level, Spot
from crimes.model.errors import UsageError
from crimes.model.report import Report
from crimes.model.severity import Severity
from crimes.render.brief import markdown
from crimes.render.checkout import NOWHERE
from crimes.render.comparison import lines as comparison_lines
from crimes.render.explain import lines as explain_lines
from crimes.render.explain_markdown import finding_markdown
from crimes.render.formats import BY_NAME, render, view_of
from crimes.render.formats import human as human_view
from crimes.render.formats import plain as plain_view
from crimes.render.formats.github import summary
from crimes.render.hotspots import lines as hotspot_lines
from crimes.render.lines import plain
from crimes.system.git_diff import Difference
from crimes.workflows.briefing.build import brief
from crimes.workflows.briefing.plan import build_plan
from crimes.workflows.change_summary import ChangeSummary
from crimes.workflows.comparison import State, compare_reports
from crimes.workflows.explanation import explain_findings, finding_details
from crimes.workflows.find_finding import find_matches
from crimes.workflows.gating import Before, Gates
from crimes.workflows.hotspots import rank_files
from crimes.workflows.repository_map import map_of
from crimes.workflows.review.own import broken_record
from crimes.workflows.trend import load_points, save_point
from tests.kit.gitrepo import GitRepo
from tests.kit.little_seen import BROKEN, FUNCTIONS, HIDDEN, LOST

TANGLED = "def f(a):\n" + "".join(
    f"{'    ' * depth}if a > {depth}:\n{'    ' * (depth + 1)}a += 1\n" for depth in range(1, 12)
)
CHANGE = ChangeSummary("1 thing to look at")
RENAMED = ChangeItem(
    "broken_reference",
    Level.BROKEN,
    "app/functions.py",
    "f1",
    "`f1` is gone from app/functions.py, but 1 place in 1 file still uses it.",
    "Use `g1` there.",
    (Spot("app/use.py", 1, "f1"),),
    "g1",
)


def scan_of(root: Path, files: dict[str, str]) -> Scan:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return scan(root, Config())


@pytest.fixture
def collapsed(tmp_path: Path) -> Scan:
    """Almost nothing parses, nothing resolves, no git, no tests; and one document that endangers its reader."""
    bad = {f"bad{n}.py": BROKEN for n in range(12)}
    return scan_of(
        tmp_path / "collapsed", {**bad, "app/__init__.py": LOST, "app/ok.py": TANGLED, "AGENTS.md": HIDDEN}
    )


@pytest.fixture
def without_advice(tmp_path: Path) -> Scan:
    """All of it parses, imports lead nowhere, no git, no tests."""
    return scan_of(
        tmp_path / "without_advice",
        {"app/__init__.py": LOST, "app/tangled.py": TANGLED, "app/functions.py": FUNCTIONS},
    )


@pytest.fixture
def without_ranks(tmp_path: Path) -> Scan:
    """A sound folder without git."""
    return scan_of(
        tmp_path / "without_ranks",
        {
            "app/__init__.py": "",
            "app/tangled.py": TANGLED,
            "app/functions.py": FUNCTIONS,
            "tests/test_f.py": "from app.functions import f1\n\n\ndef test_f():\n    assert f1() == 1\n",
        },
    )


def every_output(report: Report) -> dict[str, str]:
    """The report in every format, as a pipe, a terminal, a job's page and a host's annotations have it."""
    texts = {name: render(report, name, lambda: NOWHERE, lambda: CHANGE).decode() for name in BY_NAME}
    texts["pipe"] = plain(plain_view.lines(report, top=None, always_profile=False, verbose=True))
    texts["terminal"] = plain(human_view.lines(report, top=None, always_profile=False, verbose=True))
    texts["job summary"] = summary(report, NOWHERE, None).decode()
    return texts


def test_collapse_lists_and_ranks_nothing(collapsed: Scan) -> None:
    report = collapsed.report
    assert (report.trust.classification, report.trust.degraded_category) == (
        "abstained",
        "confidence-collapse",
    )
    assert (report.summary.findings, report.summary.by_type) == (1, {"hidden_text": 1})
    assert (report.summary.high, report.summary.medium, report.summary.low) == (None, None, None)
    assert (report.findings, report.hidden, report.edit_risk.files) == ((), (), ())
    for name, text in every_output(report).items():
        assert "AGENTS.md" not in text, name
        assert "agent_risk 0" not in text, name
        assert "::error file" not in text, name
        assert "::warning file" not in text, name


def test_collapse_says_what_was_counted_why_and_what_to_do(collapsed: Scan) -> None:
    texts = every_output(collapsed.report)
    for name in ("pipe", "terminal", "markdown", "job summary", "junit", "sarif"):
        assert "1 finding in 1 file counted and not listed (hidden_text 1)" in texts[name].replace(
            "\\", ""
        ), name
    for name in ("pipe", "terminal", "markdown", "sarif", "github", "junit", "checkstyle", "job summary"):
        assert "To improve it:" in texts[name], name
    assert "<failure" not in texts["junit"]
    assert 'type="collapsed"' in texts["junit"]
    (run,) = json.loads(texts["sarif"])["runs"]
    assert (run["results"], run["tool"]["driver"]["rules"], run["properties"]["findings"]) == ([], [], 1)


def test_a_quiet_view_of_a_collapse_is_the_label_alone(collapsed: Scan, without_ranks: Scan) -> None:
    label = collapsed.report.trust.label
    for view, shown in ((plain_view, f"# {label}"), (human_view, label)):
        rows = view.lines(collapsed.report, top=None, always_profile=False, verbose=False, quiet=True)
        assert plain(rows).splitlines() == [shown]
        other = view.lines(without_ranks.report, top=None, always_profile=False, verbose=False, quiet=True)
        assert "directional" not in plain(other)


@pytest.mark.parametrize(
    "gates",
    [Gates(fail_on=Severity.LOW), Gates(fail_on_risk=0.1), Gates(fail_on_new=True)],
    ids=["severity", "risk", "new"],
)
def test_any_gate_exits_with_2_after_a_collapse(collapsed: Scan, gates: Gates) -> None:
    report = collapsed.report
    gated = gates.apply_to(report, Before((), report.trust))
    assert gated.gate is not None
    assert (gated.gate.outcome, gated.gate.exit) == ("not_evaluated", 2)


def test_commands_after_a_collapse(collapsed: Scan, tmp_path: Path) -> None:
    report = collapsed.report
    with pytest.raises(UsageError, match="findings are withheld: too little was seen"):
        find_matches(report, "abcdef")
    ranking = rank_files(report)
    assert (ranking.files, ranking.unranked) == ((), ())
    assert "files are not ranked: trust is too low" in plain(hotspot_lines(ranking, terminal=False))
    briefing = brief(collapsed, "app/ok.py")
    assert (briefing.advice, briefing.findings, briefing.edit_risk, briefing.profile) == ((), (), None, None)
    shown = markdown([briefing])
    for score in ("Risk profile", "churn", "test gap", "blast radius"):
        assert score not in shown, score
    assert "no findings in this file" not in shown, "they are withheld, not absent"
    assert "no findings: too little was seen" in shown
    assert file_data(briefing).risk_profile == ""
    map_ = map_of([briefing], report, [])
    assert [(file.test_gap, file.dependents, file.commits_90d) for file in map_.files] == [(None, None, None)]
    state = State("HEAD", "")
    comparison = compare_reports(report, report, {}, state, state)
    assert (comparison.verdict.state, comparison.new, comparison.look) == ("unknown", (), ())
    save_point(tmp_path, report)
    assert load_points(tmp_path) == []


def test_formats_without_room_for_trust_say_it_in_the_log(collapsed: Scan, without_ranks: Scan) -> None:
    for name in ("gitlab", "rdjson"):
        assert BY_NAME[name].notices
        label, counted = view_of(name).notices(collapsed.report)
        assert label == f"trust: {collapsed.report.trust.label}"
        assert label.startswith("trust: abstained: too little of the repository could be read")
        assert counted.startswith("1 finding in 1 file counted and not listed (hidden_text 1)")
        assert "To improve it:" in counted
        (label,) = view_of(name).notices(without_ranks.report)
        assert label == "trust: directional: no git history, and 1 more reason"


@pytest.mark.parametrize("collapsed_side", ["base", "head", "both"])
def test_nothing_is_new_fixed_or_broken_beside_a_scan_that_collapsed(
    collapsed: Scan, tmp_path_factory: pytest.TempPathFactory, collapsed_side: str
) -> None:
    sound = scan_of(
        tmp_path_factory.mktemp("sound"),
        {"app/__init__.py": "", "app/ok.py": TANGLED, "app/functions.py": FUNCTIONS, "AGENTS.md": HIDDEN},
    )
    assert {crime.type for crime in sound.report.findings} == {"god_function", "hidden_text"}
    before, now = {
        "base": (collapsed.report, sound.report),
        "head": (sound.report, collapsed.report),
        "both": (collapsed.report, collapsed.report),
    }[collapsed_side]
    state = State("HEAD", "0123456789ab")
    comparison = compare_reports(before, now, {}, state, state, items=(RENAMED,), touched=("app/ok.py",))
    assert comparison.verdict.state == "unknown"
    assert list(comparison.crimes()) == []
    assert (comparison.broken, comparison.look, comparison.grown) == ((), (), ())
    assert any(text.startswith("findings are not compared: too little") for text in comparison.warnings)
    gates = (Gates(), Gates(fail_on=Severity.LOW), Gates(fail_on_risk=0.1), Gates(fail_on_new=True))
    for gate in (gates.apply_to_new(comparison, now).gate for gates in gates):
        assert gate is not None
        assert (gate.outcome, gate.exit) == ("not_evaluated", 2)
    change = ChangeSummary(comparison.verdict.line, None, comparison.broken, comparison.look)
    annotations = render(replace(now, findings=()), "github", lambda: NOWHERE, lambda: change).decode()
    assert "broken_reference" not in annotations
    assert "confidence-collapse" not in annotations, "a code, where people read"


def test_no_advice_on_broken_references_under_a_mean_of_40(without_advice: Scan) -> None:
    report = without_advice.report
    state = State("HEAD", "0123456789ab")
    comparison = compare_reports(report, report, {}, state, state, items=(RENAMED,))
    (item,) = comparison.broken
    assert (item.fact, item.fix, item.likely) == (RENAMED.fact, "", "")
    change = ChangeSummary(comparison.verdict.line, None, comparison.broken, comparison.look)
    texts = {name: render(report, name, lambda: NOWHERE, lambda: change).decode() for name in BY_NAME}
    texts["pipe"] = plain(comparison_lines(comparison, terminal=False, all=False))
    texts["terminal"] = plain(comparison_lines(comparison, terminal=True, all=False))
    texts["review"] = broken_record(item, Difference("0123456789ab", {})).message
    for name, text in texts.items():
        assert "g1" not in text, name
    assert "uses it.%0A" not in texts["github"], "no empty lines after it"


def test_no_advice_under_a_mean_of_40(without_advice: Scan) -> None:
    report = without_advice.report
    assert report.trust.mean is not None
    assert 0.2 <= report.trust.mean < 0.4
    (crime,) = [crime for crime in report.findings if crime.type == "god_function"]
    assert crime.fix == ""
    assert crime.message == f"{crime.fact} {crime.why}"
    advice = {detector.fix for detector in catalogue().values()}
    for name, text in every_output(report).items():
        assert not [fix for fix in advice if fix and fix in text], name
    texts = every_output(report)
    for name in ("pipe", "terminal", "markdown", "job summary"):
        assert "advice" in texts[name].partition("god_function")[0], name
    assert brief(without_advice, "app/tangled.py").advice == ()


def test_no_ranks_verdicts_and_suggestions_under_a_composite_of_50(without_ranks: Scan) -> None:
    report = without_ranks.report
    assert report.trust.composite is not None
    assert report.trust.composite < 0.5
    assert {"edit_risk", "verdict", "suggestions"} <= set(report.trust.withheld)
    assert "actions" not in report.trust.withheld
    assert report.edit_risk.files == ()
    assert "trust is too low: 0." in report.edit_risk.withheld
    for name, text in every_output(report).items():
        assert "Files most likely to need a fix" not in text, name
    briefing = brief(without_ranks, "app/tangled.py")
    assert briefing.edit_risk is None
    assert any(limit.startswith("no edit risk: trust is too low") for limit in briefing.limits)
    assert "churn 0.00 (not a git repository)" in markdown([briefing]), "not 0 commits of no day"
    plan = build_plan([briefing])
    assert (plan.by_risk(), plan.changes_too) == ([], ())
    state = State("HEAD", "0123456789ab")
    comparison = compare_reports(report, report, {}, state, state, touched=("app/tangled.py",))
    assert comparison.verdict.state == "unknown"
    assert "trust is too low" in comparison.verdict.line
    assert any("nothing is suggested to look at" in warning for warning in comparison.warnings)


def test_files_that_change_together_are_not_suggested_under_a_composite_of_50(tmp_path: Path) -> None:
    whole = GitRepo(tmp_path / "whole")
    files = {"app/__init__.py": "", "app/tangled.py": TANGLED, "app/functions.py": FUNCTIONS}
    whole.commit({**files, "tests/test_f.py": "from app.functions import f1\n"}, days_ago=20)
    for number in range(6):
        whole.commit({name: f"{text}# {number}\n" for name, text in files.items()}, days_ago=18 - 3 * number)
    shallow = GitRepo.clone(whole, tmp_path / "shallow", "--depth=6")
    seen = scan(shallow.path, Config())
    assert set(seen.report.trust.withheld) == {"edit_risk", "verdict", "suggestions"}
    together = "changed in 7 of 7 commits to this file in the year before 2025-05-29: check it too"
    assert together in " ".join(brief(scan(whole.path, Config()), "app/functions.py").advice)
    briefing = brief(seen, "app/functions.py")
    assert (briefing.together, briefing.companions) == ((), ())
    assert "check it too" not in " ".join(briefing.advice)


def test_bottlenecks_are_listed_in_the_order_of_the_values_shown(collapsed: Scan) -> None:
    weak = collapsed.report.trust.bottlenecks
    assert [item.dimension for item in weak] == [
        "import_resolution",
        "history_depth",
        "test_discovery",
        "parse_coverage",
    ]
    assert [item.value for item in weak] == sorted(item.value for item in weak)


def test_signals_agree_in_number(without_ranks: Scan) -> None:
    signals = without_ranks.report.trust.signals
    assert signals["import_resolution"][0].reason == "1 of 1 import inside the repository leads to a file"
    assert signals["test_discovery"][0].reason == "1 of 1 test file imports code of the repository"


def test_hotspots_without_git_answer_by_size_and_say_so(without_ranks: Scan) -> None:
    ranking = rank_files(without_ranks.report, top=2)
    assert (ranking.files, ranking.ranked) == ((), 0)
    assert [file.file for file in ranking.unranked] == ["app/functions.py", "app/tangled.py"]
    text = plain(hotspot_lines(ranking, terminal=False))
    assert "\napp/functions.py: 24 lines\napp/tangled.py: complexity " in text
    assert "files are not ranked: trust is too low" in text
    assert "not a git repository" in text


def test_label_comes_before_what_is_said_of_files_and_findings(without_ranks: Scan) -> None:
    report = without_ranks.report
    label = "directional: no git history, and 1 more reason"
    (crime, *_) = report.findings
    details = finding_details(Path(), report, crime, 0, catalogue())
    briefing = brief(without_ranks, crime.file)
    texts = {
        "context": markdown([briefing]).partition("Danger")[0],
        "hotspots": plain(hotspot_lines(rank_files(report), terminal=False)).partition("\napp/")[0],
        "explain": plain(explain_lines(details)).partition("\nWhy")[0],
        "explain, markdown": finding_markdown(details).partition("## Why")[0],
        "editor": file_facts(briefing).partition(" · ")[0],
    }
    for name, text in texts.items():
        assert label in text, name
    assert explain_findings([details]).findings[0].trust == label


def test_label_comes_before_the_results(without_ranks: Scan) -> None:
    report = without_ranks.report
    (crime, *_) = report.findings
    texts = every_output(report)
    for name in ("pipe", "terminal", "markdown", "job summary", "junit", "checkstyle", "github"):
        before = texts[name].partition(crime.type)[0]
        assert "directional" in before.lower(), name
        assert "no git history" in before, name
    assert '"trust": "directional"' in texts["sarif"]
    assert '"trustReason": "no git history' in texts["sarif"]
