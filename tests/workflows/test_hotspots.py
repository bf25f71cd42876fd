"""Hotspots of real histories: files by edit risk, per line, of a folder, without history; and the functions in them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from crimes.config.schema import Config
from crimes.engine.report_builder import stopped_report
from crimes.engine.scan import scan
from crimes.model.edit_risk import RankedFiles
from crimes.model.errors import EnvironmentFault
from crimes.model.report import Diagnostic
from crimes.render.hotspots import lines
from crimes.render.lines import plain
from crimes.render.risk_text import edit_risk_text
from crimes.workflows.hot_functions import fixes_by_function, hot_functions
from crimes.workflows.hotspots import HotFunction, Hotspots, rank_files
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.reports import ranked_files, report
from tests.kit.sample_code import PLAIN, tangled

PADDING = "".join(f"VALUE_{number} = {number}\n" for number in range(60))


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """Tangled and often changed; tangled and never touched again; plain and often changed; long and tangled."""
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    made = GitRepo(tmp_path / "shop")
    for number in range(6):
        note = f"# {number}\n"
        files = {
            "shop/hot.py": note + tangled("hot") + PADDING,
            "shop/plain.py": note + PLAIN,
            "shop/short.py": note + tangled("short").replace("+=", "-="),
            "shop/long.py": note + tangled("long").replace("+=", "*=") + PADDING * 20,
        }
        if number < 2:
            files["shop/calm.py"] = note + tangled("calm").replace("+=", "/=") + PADDING
            files["tests/test_hot.py"] = note + tangled("test_it")
        made.commit(files, "Fix total" if number == 5 else "Change", days_ago=60 - number)
    return made


def hotspots(repo: GitRepo, *arguments: str) -> str:
    done = run_crimes(repo.path, "hotspots", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_files_are_ranked_by_edit_risk_without_floors(repo: GitRepo) -> None:
    made = scan(repo.path, Config())
    ranking = rank_files(made.report)
    assert [spot.file for spot in ranking.files] == [
        "shop/long.py",
        "shop/hot.py",
        "shop/short.py",
        "shop/calm.py",
        "shop/plain.py",
    ]
    first = ranking.files[1]
    assert (first.rank, first.commits_365d, first.fixes_365d, first.complexity) == (2, 6, 1, 66)
    assert (ranking.ranked, ranking.asked, ranking.fixed_180d, ranking.calm) == (5, 5, 4, False)
    own = [crime for crime in made.report.findings if crime.file == "shop/hot.py"]
    code, place = sorted(own, key=lambda crime: crime.kind)
    assert (code.kind, place.kind) == ("code", "place")
    assert (first.findings, first.worst_id, first.worst_risk) == (1, code.id, code.scores.agent_risk)
    assert first.places == (place.short,)
    text = plain(lines(ranking, terminal=False))
    assert (
        f"\n2. shop/hot.py: {edit_risk_text(first)}; 6 commits, 1 of them a fix, in the past year; complexity 66 in {first.lines} lines of code; 1 finding, "
        f"{code.id[:7]}; {place.short}\n" in text
    )


def test_ranks_are_those_of_the_json_report(repo: GitRepo) -> None:
    data = json.loads(run_crimes(repo.path, "scan", "--format", "json").stdout)["edit_risk"]
    ranking = json.loads(hotspots(repo, "--format", "json"))
    assert data["ranked"] == ranking["ranked"] == 5
    for file, spot in zip(data["files"], ranking["files"], strict=True):
        assert file == {key: spot[key] for key in file}
        assert round(sum(file["terms"].values()), 2) == file["edit_risk"]
    assert {"churn", "test_gap", "blast_radius"} <= data["files"][0].keys()


def test_per_line_a_short_file_comes_before_a_long_one(repo: GitRepo) -> None:
    ranking = rank_files(scan(repo.path, Config()).report, per_line=True)
    files = [spot.file for spot in ranking.files]
    assert files.index("shop/short.py") < files.index("shop/hot.py") < files.index("shop/long.py")
    assert [spot.rank_per_line for spot in ranking.files] == [1, 2, 3, 4, 5]
    rows = hotspots(repo, "--per-line", "--top", "1").splitlines()
    assert rows[0].startswith("# Trust: directional: too little code to judge: 5 functions")
    assert rows[1] == "# shop: 1 of 5 files, ranked by fixes to expect per line read."
    assert rows[3].startswith(f"1. {files[0]}: ")


def test_folder_and_number_limit_the_list_and_ranks_stay(repo: GitRepo) -> None:
    made = scan(repo.path, Config()).report
    assert rank_files(made, below=["tests"]).files == ()
    assert "No source files to rank" in plain(lines(rank_files(made, below=["tests"]), terminal=True))
    assert len(rank_files(made, top=1).files) == 1
    (one,) = rank_files(made, below=["shop/calm.py"]).files
    assert (one.file, one.rank) == ("shop/calm.py", 4)
    assert "1 file (5 in the whole repository), ranked by edit risk" in hotspots(repo, "shop/calm.py")


def test_calm_repository_gets_one_line() -> None:
    calm = report(edit_risk=ranked_files("a.py", "b.py", band="under 1 in 20"))
    ranking = rank_files(calm, top=1)
    assert ranking.calm
    for terminal in (True, False):
        (row,) = plain(lines(ranking, terminal=terminal)).splitlines()
        assert row.removeprefix("# ") == (
            "shop: nothing stands out in 2 files. Even of files like the riskiest, a.py, fewer than 1 in 20 need a fix within "
            "six months."
        )
    assert not rank_files(report(edit_risk=ranked_files("a.py", band="about 1 in 10"))).calm
    assert not rank_files(report(edit_risk=RankedFiles())).calm


def test_scan_that_did_not_finish_ranks_nothing_and_says_why(tmp_path: Path) -> None:
    stopped = stopped_report(
        tmp_path, Config(), Diagnostic("timeout", "reading", "no result within 1 seconds")
    )
    with pytest.raises(EnvironmentFault, match=r"did not finish.*: no result within 1 seconds"):
        rank_files(stopped)


def test_without_git_size_and_complexity_are_listed_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "plain"
    root.mkdir()
    (root / "a.py").write_text(tangled("a"))
    (root / "b.py").write_text(PLAIN)
    done = run_crimes(root, "hotspots")
    assert done.returncode == 0
    rows = done.stdout.splitlines()
    assert rows[0] == "# Trust: directional: no git history, and 2 more reasons"
    assert rows[1].startswith("# plain: files are not ranked: trust is too low: 0.")
    assert rows[3] == "# History is limited: not a git repository."
    assert rows[4].startswith("a.py: complexity 66 in ")
    assert rows[5] == "b.py: 2 lines"


def test_hotspots_of_an_empty_folder_say_that_there_is_nothing_to_rank(tmp_path: Path) -> None:
    done = run_crimes(tmp_path, "hotspots")
    assert done.stdout == f"# {tmp_path.name}: files are not ranked: no source files found.\n"


def test_shallow_clone_without_a_past_lists_files_without_ranks(repo: GitRepo, tmp_path: Path) -> None:
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=2")
    data = json.loads(hotspots(clone, "--format", "json"))
    assert data["history_limited"].startswith("shallow clone")
    assert data["files"] == []
    assert data["withheld"].startswith("trust is too low")
    assert data["unranked"][0]["file"] == "shop/long.py"
    assert "# History is limited: shallow clone" in hotspots(clone)


def test_json_follows_its_schema(repo: GitRepo) -> None:
    for options in ((), ("--per-line",), ("--functions",)):
        data = json.loads(hotspots(repo, "--format", "json", *options))
        jsonschema.validate(data, msgspec.json.schema(Hotspots))
        assert data["order"] == ("per_line" if options == ("--per-line",) else "risk")


STEADY = "def steady(a):\n    if a:\n        return 1\n    return 2\n\n\n"
BROKEN = "def broken(a):\n    if a > 0:\n        return 1\n    return 2\n"
CALLBACK = """export function outer(a) {
  a.each((b) => {
    if (b) {
      return 1;
    }
    return 2;
  });
}
"""


def test_functions_that_fixes_changed_are_counted_by_name(repo: GitRepo) -> None:
    repo.commit({"shop/calm.py": STEADY + BROKEN}, "Start again", days_ago=50)
    repo.commit({"shop/calm.py": STEADY + BROKEN.replace("> 0", "> 1")}, "Fix limit", days_ago=40)
    repo.commit(
        {"shop/calm.py": "# moved\n" + STEADY + BROKEN.replace("> 0", "> 2")}, "Fix it all", days_ago=30
    )
    repo.commit({"shop/calm.py": "# moved\n" + STEADY + BROKEN.replace("> 0", "> 3")}, "Tune", days_ago=20)
    context = scan(repo.path, Config()).context
    assert fixes_by_function(context, ["shop/calm.py"]) == {"shop/calm.py": {"broken": 2}}
    rows = hotspots(repo, "shop/calm.py", "--functions").splitlines()
    assert rows[3].startswith(
        "# Below a file are its functions, with their complexity and the fixes that changed them"
    )
    assert rows[5:7] == [
        "  shop/calm.py:8-11: broken: complexity 1, changed by 2 fixes",
        "  shop/calm.py:2-5: steady: complexity 1",
    ]


def test_fix_that_only_deletes_counts_for_the_function_it_deleted_from(repo: GitRepo) -> None:
    repo.commit({"shop/calm.py": STEADY + BROKEN}, "Start again", days_ago=50)
    shorter = STEADY + BROKEN.replace("    return 2\n", "")
    repo.commit({"shop/calm.py": shorter}, "Fix end", days_ago=40)
    context = scan(repo.path, Config()).context
    assert fixes_by_function(context, ["shop/calm.py"]) == {"shop/calm.py": {"broken": 1}}


def test_functions_need_no_history(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(tangled("a"))
    context = scan(tmp_path, Config()).context
    assert fixes_by_function(context, ["a.py"]) == {}
    (function,) = hot_functions(context.repo.files["a.py"].facts.functions, {})
    assert function == HotFunction("a", 1, 24, 66, 0)


def test_three_functions_at_most_and_fixes_weigh_twice(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("".join(tangled(name) for name in "abcd") + BROKEN + PLAIN)
    functions = scan(tmp_path, Config()).context.repo.files["a.py"].facts.functions
    assert [function.name for function in hot_functions(functions, {})] == ["a", "b", "c"]
    assert [function.name for function in hot_functions(functions, {"broken": 7})] == ["broken", "a", "b"]


def test_of_functions_with_one_name_the_most_complex_is_listed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN + tangled("broken") + PLAIN)
    functions = scan(tmp_path, Config()).context.repo.files["a.py"].facts.functions
    assert hot_functions(functions, {"broken": 2, "plain": 9}) == (HotFunction("broken", 5, 28, 66, 2),)


def test_function_without_a_name_belongs_to_the_one_around_it(repo: GitRepo) -> None:
    repo.commit({"shop/page.js": CALLBACK}, "Start page", days_ago=50)
    repo.commit({"shop/page.js": CALLBACK.replace("1;", "3;")}, "Fix page", days_ago=40)
    context = scan(repo.path, Config()).context
    fixes = fixes_by_function(context, ["shop/page.js"])["shop/page.js"]
    assert fixes == {"outer": 1}
    functions = context.repo.files["shop/page.js"].facts.functions
    assert hot_functions(functions, fixes) == (HotFunction("outer", 1, 8, 1, 1),)
