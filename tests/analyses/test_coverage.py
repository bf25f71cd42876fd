"""Coverage data in a scan: found or given, merged, dated, shown; and never part of test_gap."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from crimes.analyses.coverage.analysis import COVERAGE, USUAL_PATHS, FileRun, LineCount
from crimes.analyses.coverage.load import load_coverage_files
from crimes.config.schema import Config
from crimes.detection.registry import catalogue
from crimes.engine.scan import Scan, scan
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.errors import UsageError
from crimes.model.report import LineCoverage
from crimes.render import context as context_view
from crimes.render.formats import plain
from crimes.render.lines import plain as text_of
from crimes.workflows.briefing.build import brief
from tests.kit.command import run_crimes
from tests.kit.examples import run as run_example
from tests.kit.gitrepo import NOW, GitRepo
from tests.kit.paths import COVERAGE_DATA
from tests.kit.sample_code import TANGLED

CART = '''"""A cart."""


def total(items, voucher=None):
    amount = 0
    for price, number in items:
        if number < 0:
            raise ValueError("negative")
        amount += price * number
    if voucher:
        amount -= voucher
    return max(amount, 0)


def refund(items):
    back = 0
    for price, number in items:
        back += price * number
    return -back
'''
SHOP: dict[str, str | bytes | None] = {
    "src/shop/__init__.py": "",
    "src/shop/cart.py": CART,
    "src/shop/never.py": "def never():\n    return 1\n",
    "src/shop/rates/__init__.py": "",
    "src/shop/rates/tax.py": 'def tax(amount, country):\n    if country == "fr":\n        return amount * 20 // 100\n    return 0\n',
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([(2, 3)]) == 6\n",
}
AGE = 1_000_000_000  # seconds since the epoch: the time of all sources, far from the machine's clock


@pytest.fixture
def shop(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "shop")
    repo.commit(SHOP, "Begin", days_ago=30)
    for name in SHOP:
        os.utime(repo.path / name, (AGE, AGE))
    return repo


def write_dated(repo: GitRepo, place: str, data: str | bytes, *, age: int = AGE + 3600) -> None:
    repo.write({place: data})
    os.utime(repo.path / place, (age, age))


def sample_data(name: str) -> bytes:
    return (COVERAGE_DATA / name).read_bytes()


def scan_with(repo: GitRepo, given: Iterable[Path] = ()) -> Scan:
    return scan(repo.path, Config(), coverage=load_coverage_files(given, repo.path))


def lcov(path: str, **lines: int) -> str:
    rows = "".join(f"DA:{name[1:]},{hits}\n" for name, hits in lines.items())
    return f"TN:\nSF:{path}\n{rows}end_of_record\n"


def covered_lines(found: Scan) -> dict[str, tuple[int, int, bool]]:
    return {file.file: (file.covered, file.total, file.stale) for file in found.report.coverage.files}


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("coverage.json", "coverage_py.json"),
        ("coverage.xml", "coverage_py.xml"),
        ("lcov.info", "coverage_py.lcov"),
        ("coverage/lcov.info", "coverage_py.lcov"),
        ("cover.out", "coverage_py.xml"),  # the content decides, not the name
    ],
)
def test_data_at_usual_places_are_found(shop: GitRepo, place: str, name: str) -> None:
    write_dated(shop, place, sample_data(name))
    report = scan_with(shop).report
    (source,) = report.coverage.sources
    assert (source.file, source.files, source.matched, source.unmatched) == (place, 5, 5, 0)
    assert [(file.file, file.covered, file.total) for file in report.coverage.files] == [
        ("src/shop/__init__.py", 0, 0),
        ("src/shop/cart.py", 8, 14),
        ("src/shop/never.py", 0, 2),
        ("src/shop/rates/__init__.py", 0, 0),
        ("src/shop/rates/tax.py", 3, 4),
    ]


def test_report_does_not_mention_coverage_without_data(shop: GitRepo) -> None:
    found = scan_with(shop)
    assert found.report.coverage == LineCoverage()
    assert "overage" not in text_of(plain.lines(found.report, top=None, always_profile=True, verbose=True))


def test_the_database_of_coverage_py_is_left_alone(shop: GitRepo) -> None:
    write_dated(shop, ".coverage", b"SQLite format 3\0")
    assert scan_with(shop).report.coverage.notices == ()
    assert ".coverage" not in USUAL_PATHS


def test_explicit_coverage_files_replace_discovered_ones(shop: GitRepo, tmp_path: Path) -> None:
    write_dated(shop, "coverage.json", sample_data("coverage_py.json"))
    elsewhere = tmp_path / "artifacts" / "data"
    elsewhere.parent.mkdir()
    elsewhere.write_text(lcov("src/shop/never.py", L1=1, L2=1))
    report = scan_with(shop, [elsewhere]).report
    assert [source.file for source in report.coverage.sources] == ["data"]
    assert covered_lines(scan_with(shop, [elsewhere])) == {"src/shop/never.py": (2, 2, False)}


def test_several_coverage_files_are_merged_and_a_repeated_one_is_read_once(
    shop: GitRepo, tmp_path: Path
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(lcov("src/shop/never.py", L1=1, L2=0))
    two.write_text(lcov("/ci/src/shop/never.py", L1=0, L2=4) + lcov("src/shop/rates/tax.py", L2=1))
    found = scan_with(shop, [one, two, one])
    assert [source.file for source in found.report.coverage.sources] == ["one", "two"]
    assert covered_lines(found) == {
        "src/shop/never.py": (2, 2, False),
        "src/shop/rates/tax.py": (1, 1, False),
    }


def test_names_that_lead_nowhere_are_counted_and_shown(shop: GitRepo) -> None:
    write_dated(
        shop,
        "lcov.info",
        lcov("src/shop/never.py", L1=1)
        + lcov("gone\x1b[2J.py", L1=1)
        + lcov("../../etc/passwd", L1=1)
        + lcov("__init__.py", L1=1)
        + "SF:src/shop/cart.py\nDA:-3,1\nend_of_record\n",
    )
    report = scan_with(shop).report
    (source,) = report.coverage.sources
    assert (source.files, source.matched, source.unmatched, source.ambiguous, source.ignored) == (
        5,
        2,
        2,
        1,
        1,
    )
    assert report.coverage.unmatched_examples == ("../../etc/passwd", "gone\x1b[2J.py")
    assert report.coverage.ambiguous_examples == ("__init__.py",)
    shown = text_of(plain.lines(report, top=None, always_profile=False, verbose=True))
    assert "Not analysed: lcov.info: 2 names match no file in the repository" in shown
    assert "Not analysed: lcov.info: 1 name matches several files" in shown
    assert "gone\\x1b[2J.py" in shown


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("<!DOCTYPE coverage [<!ENTITY a 'b'>]><coverage/>", "declares entities"),
        ('{"total": 90}', "not a coverage.py report"),
        ("", "it is empty"),
    ],
)
def test_found_data_that_cannot_be_used_are_a_notice(shop: GitRepo, data: str, reason: str) -> None:
    write_dated(shop, "coverage.json", data)
    write_dated(shop, "lcov.info", lcov("src/shop/never.py", L1=1))
    report = scan_with(shop).report
    (notice,) = report.coverage.notices
    assert notice.startswith("coverage data in coverage.json was not used: ")
    assert reason in notice
    assert [source.file for source in report.coverage.sources] == ["lcov.info"]
    assert notice in text_of(plain.lines(report, top=None, always_profile=False, verbose=False))


def test_links_out_of_the_repository_folders_and_pipes_are_not_data(shop: GitRepo, tmp_path: Path) -> None:
    secret = tmp_path / "secret.info"
    secret.write_text(lcov("src/shop/never.py", L1=1))
    (shop.path / "lcov.info").symlink_to(secret)
    (shop.path / "coverage").symlink_to(tmp_path)
    (shop.path / "coverage.xml").mkdir()
    os.mkfifo(shop.path / "cover.out")
    coverage = scan_with(shop).report.coverage
    assert coverage.files == ()
    assert [notice.split()[3] for notice in coverage.notices] == ["coverage.xml", "cover.out", "lcov.info"]


def test_a_file_written_after_the_data_makes_them_stale(shop: GitRepo) -> None:
    write_dated(shop, "coverage.json", sample_data("coverage_py.json"))
    os.utime(shop.path / "src/shop/never.py", (AGE + 7200, AGE + 7200))
    found = scan_with(shop)
    assert {file for file, (_, _, stale) in covered_lines(found).items() if stale} == {"src/shop/never.py"}
    assert found.report.coverage.sources[0].stale == 1
    assert "coverage.json is older than 1 file it describes" in text_of(
        plain.lines(found.report, top=None, always_profile=False, verbose=False)
    )


def test_a_commit_long_after_the_stated_time_makes_data_stale(shop: GitRepo) -> None:
    def stale(**before: float) -> bool:
        made = NOW - timedelta(days=30) - timedelta(**before)
        write_dated(shop, "coverage.json", json.dumps(_coverage_json(made.isoformat(), "src/shop/never.py")))
        return covered_lines(scan_with(shop))["src/shop/never.py"][2]

    assert not stale(hours=-5)
    assert not stale(hours=5)  # a run comes before its commit
    assert stale(days=2)


def test_lines_past_the_end_of_the_file_make_data_stale(shop: GitRepo) -> None:
    write_dated(shop, "lcov.info", lcov("src/shop/never.py", L2=1) + lcov("src/shop/cart.py", L900=1))
    assert {file: stale for file, (_, _, stale) in covered_lines(scan_with(shop)).items()} == {
        "src/shop/cart.py": True,
        "src/shop/never.py": False,
    }


def test_newer_data_replace_stale_ones(shop: GitRepo) -> None:
    write_dated(shop, "coverage.json", json.dumps(_coverage_json("", "src/shop/never.py")), age=AGE - 3600)
    write_dated(shop, "lcov.info", lcov("src/shop/never.py", L2=0))
    assert covered_lines(scan_with(shop)) == {"src/shop/never.py": (0, 1, False)}


def _coverage_json(stamp: str, path: str) -> dict[str, Any]:
    lines = {"executed_lines": [1, 2], "missing_lines": []}
    return {"meta": {"timestamp": stamp}, "files": {path: lines}}


def test_share_of_executed_lines_is_counted_per_function(shop: GitRepo) -> None:
    write_dated(shop, "coverage.json", sample_data("coverage_py.json"))
    context = scan_with(shop).context
    run = context[COVERAGE].files["src/shop/cart.py"]
    total, refund = context.repo.files["src/shop/cart.py"].facts.functions
    assert run.body(total) == LineCount(6, 8)
    assert run.body(refund) == LineCount(0, 4)  # its first line ran when the file was loaded


def test_covered_closing_brace_does_not_make_a_function_executed() -> None:
    source = (
        "function total() {\n  return 1;\n}\n\nconst refund = () => {\n  let back = 0;\n  return -back;\n};\n"
    )
    total, refund = read_facts(by_id["javascript"], source.encode()).functions
    ran = FileRun({1: True, 2: True, 3: True, 4: True, 5: True, 6: False, 7: False, 8: True}, stale=False)
    assert (ran.body(total), ran.body(refund)) == (LineCount(2, 2), LineCount(0, 2))


def test_coverage_is_shown_but_does_not_close_the_test_gap(shop: GitRepo) -> None:
    shop.commit({"src/shop/odd.py": TANGLED}, "Grow")
    before = scan_with(shop).report.findings
    os.utime(shop.path / "src/shop/odd.py", (AGE, AGE))
    write_dated(shop, "lcov.info", lcov("src/shop/odd.py", **{f"L{line}": 1 for line in range(1, 18)}))
    after = scan_with(shop).report
    (crime,) = after.findings
    assert (crime.type, crime.scores.test_gap) == ("god_function", 1.0)
    assert [crime.scores for crime in before] == [finding.scores for finding in after.findings]
    assert [crime.fingerprint for crime in before] == [crime.fingerprint]
    run = crime.risk_evidence.lines_run
    assert run is not None
    assert (run.covered, run.total, run.stale) == (17, 17, False)
    shown = text_of(plain.lines(after, top=None, always_profile=True, verbose=False))
    assert "no test file imports it; coverage data: 17 of 17 lines ran" in shown
    assert "Coverage data of 1 file: 17 of 17 lines ran, from lcov.info (lcov)\n" in shown


@pytest.mark.parametrize(
    ("executed", "value"),
    [((1, 10), 0.93), ((1, 2, 10), 0.30), ((1, 2, 3, 4, 5, 10), 0.15), ((), 0.93)],
)
def test_coverage_raises_or_lowers_confidence_in_a_hotspot(
    tmp_path: Path, executed: tuple[int, ...], value: float
) -> None:
    """The hardest function has eight lines after its first; another one of ten lines never ran."""
    detector = catalogue()["untested_hotspot"]
    source = str(detector.examples[0].files["route.py"]) + "def idle():\n" + "    return 1\n" * 10
    data = {"executed_lines": executed, "missing_lines": [n for n in range(1, 21) if n not in executed]}
    files = {"route.py": source, "coverage.json": json.dumps({"meta": {}, "files": {"route.py": data}})}
    example = replace(detector.examples[0], files={**detector.examples[0].files, **files})
    (crime,) = run_example(detector, example, tmp_path / "repo").findings
    (signal,) = [signal for signal in crime.confidence_signals if signal.category == "tests"]
    assert signal.value == value
    assert signal.reason.startswith("coverage data: ")
    assert crime.evidence["hardest_lines_known"].value == 8
    assert crime.scores.test_gap == 1.0


def test_stale_coverage_does_not_affect_a_hotspot(tmp_path: Path) -> None:
    detector = catalogue()["untested_hotspot"]
    past_the_end = {"executed_lines": [2, 900], "missing_lines": []}
    files = {"coverage.json": json.dumps({"meta": {}, "files": {"route.py": past_the_end}})}
    example = replace(detector.examples[0], files={**detector.examples[0].files, **files})
    (crime,) = run_example(detector, example, tmp_path / "repo").findings
    assert [signal.value for signal in crime.confidence_signals if signal.category == "tests"] == [0.8]
    assert "lines_run" not in crime.evidence


def test_briefing_names_functions_that_no_test_runs(shop: GitRepo) -> None:
    write_dated(shop, "coverage.json", sample_data("coverage_py.json"))
    briefing = brief(scan_with(shop), "src/shop/cart.py")
    assert briefing.coverage is not None
    assert [(function.name, function.line) for function in briefing.coverage.never_ran] == [("refund", 15)]
    assert "No test runs `refund`: write one before you change it." in briefing.advice
    shown = text_of(context_view.lines([briefing]))
    assert "coverage data: 8 of 14 lines ran" in shown
    assert "never ran: refund:15" in shown


def test_briefing_mentions_covered_lines_of_a_file_no_test_imports(shop: GitRepo) -> None:
    write_dated(shop, "coverage.json", sample_data("coverage_py.json"))
    briefing = brief(scan_with(shop), "src/shop/rates/tax.py")
    assert briefing.advice[0].startswith("No test imports this file, but tests run 3 of its 4 lines")
    assert brief(scan_with(shop), "src/shop/rates/__init__.py").coverage is None


def test_stale_data_give_no_advice(shop: GitRepo) -> None:
    write_dated(shop, "coverage.json", sample_data("coverage_py.json"), age=AGE - 3600)
    briefing = brief(scan_with(shop), "src/shop/cart.py")
    assert not any("refund" in sentence for sentence in briefing.advice)
    assert "before it last changed" in text_of(context_view.lines([briefing]))


def test_the_same_data_give_the_same_bytes(shop: GitRepo) -> None:
    write_dated(shop, "coverage.json", sample_data("coverage_py.json"))
    write_dated(shop, "coverage.xml", sample_data("coverage_py.xml"))
    assert scan_with(shop).report == scan_with(shop).report


def test_all_faults_of_the_given_coverage_files_are_reported_at_once(shop: GitRepo, tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("nothing")
    with pytest.raises(UsageError) as told:
        load_coverage_files([tmp_path / "gone.xml", wrong, tmp_path, Path("a\0b")], shop.path)
    first, second, third, fourth = str(told.value).split("\n")
    assert first.endswith("gone.xml cannot be read: No such file or directory")
    assert "notes.txt cannot be used: its format is unknown" in second
    assert third.endswith("cannot be read: Is a directory")
    assert "cannot be read: " in fourth


def test_unusable_coverage_file_exits_with_two(shop: GitRepo, tmp_path: Path) -> None:
    done = run_crimes(tmp_path, "scan", shop.path, "--coverage", tmp_path / "gone.xml")
    assert (done.returncode, done.stdout) == (2, "")
    assert "gone.xml cannot be read: No such file or directory" in done.stderr


def test_coverage_option_works_for_scan_explain_and_context(shop: GitRepo, tmp_path: Path) -> None:
    shop.commit({"src/shop/odd.py": TANGLED}, "Grow")
    data = tmp_path / "data"
    data.write_text(lcov("src/shop/odd.py", L1=1, L2=0, L3=0))
    done = run_crimes(tmp_path, "scan", shop.path, "--format", "json", "--coverage", data, "--coverage", data)
    report = json.loads(done.stdout)
    assert [source["file"] for source in report["coverage"]["sources"]] == ["data"]
    (finding,) = report["findings"]
    assert finding["risk_evidence"]["lines_run"] == {"covered": 1, "total": 3, "stale": False}
    explained = run_crimes(tmp_path, "explain", finding["id"], "--root", shop.path).stdout
    assert "coverage data: 1 of 3 lines ran" in explained
    told = run_crimes(tmp_path, "context", shop.path / "src/shop/odd.py", "--coverage", data).stdout
    assert "never ran: tangled:1" in told
