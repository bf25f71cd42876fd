"""What is kept of a run, and what the report and the comparison say of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from crimes.config.fleet import Limits
from crimes.model.codec import encode
from crimes.model.errors import EnvironmentFault, UsageError
from crimes.render.fleet import diff_lines, report_lines
from crimes.render.html.fleet_page import fleet_page
from crimes.render.lines import plain
from crimes.workflows.fleet.columns import TABLES, TABLES_VERSION
from crimes.workflows.fleet.diff import FleetDiff, compare_runs
from crimes.workflows.fleet.members import Member
from crimes.workflows.fleet.rates import per_kloc
from crimes.workflows.fleet.report import FleetReport, build_report
from crimes.workflows.fleet.run import FleetRun
from crimes.workflows.fleet.store import Store
from crimes.workflows.fleet.tables import TableWriter, read_rows
from crimes.workflows.fleet.tasks import Task
from crimes.workflows.fleet.tasks import encode as encode_task
from crimes.workflows.fleet.worker import scan_repository
from tests.kit import fleet
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT

SAME = "def choose(flag):\n    if flag:\n        return send(1)\n    else:\n        return send(1)\n\n\ndef send(x):\n    return x\n"
PLAIN = "def choose(flag):\n    return send(flag)\n\n\ndef send(x):\n    return x\n"
TEST = "import app\n\n\ndef test_choose():\n    assert app.choose(1) == 1\n"
# Enough code to be judged: a scan of less is not trusted.
PARTS = {
    f"part{part}.py": "\n\n".join(f"def step_{part}_{n}(x):\n    return x + {n}\n" for n in range(5))
    for part in range(3)
}
HOSTILE = "<script>alert(1)</script>\x1b[31m"


class Runs(NamedTuple):
    """Two runs of a fleet, with commits in between."""

    store: Store
    first: FleetRun
    again: FleetRun  # with nothing changed
    later: FleetRun


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    work = tmp_path_factory.mktemp("fleet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRIMES_CACHE_DIR", str(work / "cache"))
        worse, better, small = (GitRepo(work / name) for name in ("worse", "better", "small"))
        young = GitRepo(work / "young", past=False)
        empty = GitRepo(work / "empty")
        worse.commit({**PARTS, "app.py": PLAIN, "test_app.py": TEST})
        better.commit({**PARTS, "app.py": SAME, "test_app.py": TEST})
        small.commit({**PARTS, "app.py": PLAIN, "test_app.py": TEST})
        young.commit({**PARTS, "app.py": SAME})
        members = [
            Member("worse", folder=str(worse.path), tags={"team": "pay", "tier": "1"}),
            Member("better", folder=str(better.path), group="core", tags={"team": "web"}),
            Member(f"small{HOSTILE}", folder=str(small.path)),
            Member("young", folder=str(young.path)),
            Member("empty", folder=str(empty.path)),
            Member("gone", address=(work / "nowhere").as_uri()),
        ]
        first = fleet.run(members, work / "store", began=1_000_000)
        again = fleet.run(members, work / "store", began=1_000_100)
        worse.commit({"app.py": SAME})
        better.commit({"app.py": PLAIN})
        later = fleet.run(members[:-1], work / "store", began=1_000_200)
        yield Runs(Store(work / "store"), first, again, later)


@pytest.fixture(scope="module")
def report(runs: Runs) -> FleetReport:
    return build_report(runs.store, "last")


@pytest.fixture(scope="module")
def comparison(runs: Runs) -> FleetDiff:
    return compare_runs(runs.store, "previous", "last")


def test_two_runs_of_the_same_commits_give_the_same_bytes(runs: Runs) -> None:
    assert runs.first.folder != runs.again.folder
    for table in TABLES:
        first, again = (run.folder / f"{table}.parquet" for run in (runs.first, runs.again))
        assert first.read_bytes() == again.read_bytes(), table


def test_tables_have_the_documented_columns_and_version(runs: Runs) -> None:
    for table, columns in TABLES.items():
        schema = pq.read_schema(runs.first.folder / f"{table}.parquet")
        assert schema.names == [column.name for column in columns]
        assert schema.metadata[b"crimes.tables_version"].decode() == TABLES_VERSION
        rows = pq.read_table(runs.first.folder / f"{table}.parquet")["repository"].to_pylist()
        assert rows == sorted(rows)


def test_tables_of_another_major_version_are_refused(tmp_path: Path) -> None:
    old = pa.table({"repository": ["a"]}).replace_schema_metadata({"crimes.tables_version": "0.9"})
    pq.write_table(old, tmp_path / "trust.parquet")
    with pytest.raises(EnvironmentFault, match=r"tables version 0\.9"):
        list(read_rows(tmp_path, "trust", ("repository",)))


def test_rows_beyond_a_group_are_written_and_read_back(tmp_path: Path) -> None:
    with TableWriter(tmp_path, "trust") as writer:
        row: tuple[object, ...] = (
            "trusted",
            "complete",
            "fully_comparable",
            True,
            1.0,
            1.0,
            1.0,
            None,
            1.0,
            [],
            [],
        )
        writer.add((f"r{number:06}", *row) for number in range(45_000))
    names = [name for (name,) in read_rows(tmp_path, "trust", ("repository",))]
    assert names == [f"r{number:06}" for number in range(45_000)]


def test_only_trusted_scans_are_ranked(report: FleetReport) -> None:
    assert [row.repository for row in report.repositories] == ["worse", "better", f"small{HOSTILE}"]
    assert [row.repository for row in report.unranked] == ["young"]
    assert report.unranked[0].reasons
    assert [(row.repository, row.status) for row in report.failed] == [("empty", "empty")]
    young = next(row for row in report.unranked if row.repository == "young")
    assert young.findings == 1
    assert report.findings == 1, "a finding of an untrusted scan counts in no sum"


def test_report_says_what_changed_since_the_run_before(report: FleetReport) -> None:
    changes = {row.repository: row.change for row in report.repositories}
    worse, better = changes["worse"], changes["better"]
    assert worse is not None
    assert better is not None
    assert (worse.findings, better.findings) == (1, -1)
    assert worse.risk_per_kloc > 0 > better.risk_per_kloc
    assert changes[f"small{HOSTILE}"] is None
    assert report.removed == ("gone",)


def test_findings_are_counted_by_type_and_team(runs: Runs, report: FleetReport) -> None:
    assert report.by == "team"
    (row,) = report.types
    assert (row.type, row.findings, row.by_team) == ("identical_branches", 1, {"pay": 1})
    assert {team.team: team.not_ranked for team in report.teams} == {"pay": 0, "web": 0, "": 2}
    assert {team.team for team in build_report(runs.store, "last", by="group").teams} == {"core", ""}
    assert {team.team for team in build_report(runs.store, "last", by="tier").teams} == {"1", ""}


def test_riskiest_files_of_all_come_from_trusted_repositories(report: FleetReport) -> None:
    assert {file.repository for file in report.files} == {"worse", "better", f"small{HOSTILE}"}
    risks = [file.edit_risk for file in report.files]
    assert risks == sorted(risks, reverse=True)


def test_comparison_names_new_and_fixed_findings(comparison: FleetDiff) -> None:
    by_name = {change.repository: change for change in comparison.changed}
    assert (comparison.new, comparison.fixed, comparison.unchanged) == (1, 1, 2)
    assert [finding.type for finding in by_name["worse"].new] == ["identical_branches"]
    assert [finding.type for finding in by_name["better"].fixed] == ["identical_branches"]
    assert [(change.repository, change.after) for change in comparison.statuses] == [("gone", "")]


def test_json_follows_its_schema(report: FleetReport, comparison: FleetDiff) -> None:
    for name, value in (("fleet", report), ("fleet-diff", comparison)):
        schema = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text())
        Draft202012Validator(schema).validate(json.loads(encode(value)))


def test_text_and_page_hold_the_lists_and_no_hostile_name(report: FleetReport, comparison: FleetDiff) -> None:
    shown = plain(report_lines(report, top=10))
    for part in (
        "Riskiest repositories",
        "Changed since",
        "Files most likely to need a fix",
        "Not ranked",
        "Not scanned",
    ):
        assert part in shown
    assert "worse: more risk" in shown
    assert "empty: empty: it has no commit" in shown
    assert "new: app.py:4: identical_branches" in plain(diff_lines(comparison, top=10))
    html = fleet_page(report).decode()
    assert "\x1b" not in shown + html
    assert "<script>alert" not in html
    assert html.count("<script") == 2, "the page's own data and code"
    for title in ("Map", "Repositories", "Changes", "Files", "Findings", "Not ranked", "Not scanned"):
        assert f">{title}</h2>" in html
    assert fleet_page(report) == fleet_page(report)


def test_rates_are_per_thousand_lines_and_tiny_repositories_lead_no_list() -> None:
    assert per_kloc(30, 10_000) == 3.0
    assert per_kloc(1, 10) == 1.0


def test_runs_are_found_by_the_beginning_of_their_id_and_misspelled_ones_refused(runs: Runs) -> None:
    assert runs.store.run_folder(runs.later.info.id) == runs.later.folder
    with pytest.raises(UsageError, match="did you mean 1970"):
        runs.store.run_folder("19700112T135641Z")
    with pytest.raises(UsageError, match="run `crimes fleet run` first"):
        Store(Path("nowhere")).run_folder("last")


def test_a_known_scan_is_not_made_again_until_commit_configuration_or_code_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"app.py": PLAIN})
    member = Member("repo", folder=str(repo.path))
    first = fleet.scan(member)
    assert fleet.scan(member, known=(first.key,)).status == "known"
    repo.write({"app.py": SAME, "crimes.toml": "not even TOML"})  # neither is committed
    assert fleet.scan(member, known=(first.key,)).status == "known"
    strict = Member("repo", folder=str(repo.path), settings={"exclude": ["app.py"]})
    assert fleet.scan(strict, known=(first.key,)).status == "scanned"
    monkeypatch.setattr(fleet, "VERSION", "other code")
    assert fleet.scan(member, known=(first.key,)).status == "scanned"


def test_each_failure_has_its_own_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"app.py": PLAIN, "crimes.toml": "exclud = []\n", "large.bin": b"x" * 2_000_000})
    broken = GitRepo(tmp_path / "broken")
    broken.commit({"app.py": SAME})
    for file in (broken.path / ".git" / "objects").rglob("*"):
        if file.is_file():
            file.chmod(0o600)
            file.write_bytes(b"nothing of the kind")
    (tmp_path / "folder").mkdir()
    folder = str(repo.path)
    cases = {
        "gone: no such folder": Member("a", folder=str(tmp_path / "nowhere")),
        "gone: not a git repository": Member("b", folder=str(tmp_path / "folder")),
        "gone: it has no branch 'release'": Member("c", folder=folder, branch="release"),
        "settings: crimes.toml is not a valid configuration": Member("d", folder=folder),
        "too-large: its files take more than 1 MB": Member("e", folder=folder, settings={}),
        "corrupt: ": Member("f", folder=str(broken.path)),
        "refused: ": Member("g", address="ext::sh -c true"),
        "empty: it has no commit": Member("h", address=GitRepo(tmp_path / "new").path.as_uri()),
    }
    for expected, member in cases.items():
        outcome = fleet.scan(member, Limits(size_mb=1))
        assert f"{outcome.status}: {outcome.reason}".startswith(expected)


def test_a_worker_with_other_code_refuses_the_task() -> None:
    task = Task("a", "/nowhere", "", "", None, "other code", (), Limits())
    with pytest.raises(EnvironmentFault, match="another version of crimes"):
        scan_repository(encode_task(task))
