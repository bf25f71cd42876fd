"""What a command reports on: paths, types, severities, patterns, settings; the rest of the repository stays in view."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from crimes.model.errors import UsageError
from crimes.system.roots import Scope, resolve_scope
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import LOOPING, PLAIN, tangled

ANSI = re.compile("\x1b\\[[0-9;]*m|\x1b\\]8[^\x1b]*\x1b\\\\")
TANGLED_A, TANGLED_B = tangled("first"), tangled("second").replace("a", "b")


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    files = {
        "api/core.py": TANGLED_A,
        "web/page.py": TANGLED_B,
        "web/plain.py": PLAIN,
        "notes/empty.txt": "x",
    }
    made.commit(files, "Begin", days_ago=300)
    return made


def scan(repo: GitRepo, *arguments: str | Path, cwd: Path | None = None) -> dict[str, Any]:
    done = run_crimes(cwd or repo.path, "scan", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def files_of(report: dict[str, Any]) -> list[str]:
    return sorted(finding["file"] for finding in report["findings"])


# Paths.


def test_a_path_narrows_the_report_and_keeps_ids_scores_and_trust(repo: GitRepo) -> None:
    whole, part = scan(repo), scan(repo, "api")
    assert files_of(whole) == ["api/core.py", "web/page.py"]
    assert part["findings"] == [finding for finding in whole["findings"] if finding["file"] == "api/core.py"]
    assert part["trust"] == whole["trust"]
    assert part["summary"]["findings"] == 1
    assert part["selection"]["paths"] == ["api"]
    assert part["selection"]["left_out"] == 1
    assert whole["selection"] is None


@pytest.mark.parametrize(
    "options", [("web",), ("--exclude", "api/"), ("--files", "web/page.py,web/plain.py")]
)
def test_edit_risk_is_of_the_chosen_files_with_ranks_of_the_whole(
    repo: GitRepo, options: tuple[str, ...]
) -> None:
    whole, part = scan(repo)["edit_risk"], scan(repo, *options)["edit_risk"]
    assert whole["ranked"] == part["ranked"] == 3
    assert part["files"] == [file for file in whole["files"] if file["file"].startswith("web/")]
    assert len(part["files"]) == 2


def test_several_paths_files_and_folders_may_be_given(repo: GitRepo) -> None:
    assert files_of(scan(repo, "api/core.py", "web")) == ["api/core.py", "web/page.py"]


def test_the_root_is_found_upwards_from_the_path_and_from_here(repo: GitRepo, tmp_path: Path) -> None:
    expected = scan(repo, "web")["findings"]
    assert scan(repo, "page.py", cwd=repo.path / "web")["findings"] == expected
    assert scan(repo, repo.path / "web", cwd=tmp_path)["findings"] == expected


def test_settings_and_ignores_of_the_root_hold_for_a_path(repo: GitRepo) -> None:
    (finding,) = scan(repo, "api")["findings"]
    done = run_crimes(repo.path, "ignore", finding["id"], "--reason", "known and tested")
    assert done.returncode == 0, done.stderr
    assert files_of(scan(repo, "api")) == []
    (repo.path / "crimes.toml").write_text(
        "[detectors.god_function]\nmax_cognitive = 900\nlong_cognitive = 900\n"
    )
    assert files_of(scan(repo, "web")) == []


def test_root_makes_a_folder_a_repository_of_its_own(repo: GitRepo) -> None:
    report = scan(repo, "--root", "api")
    assert files_of(report) == ["core.py"]
    assert files_of(scan(repo, "--root", "api", "api/core.py")) == ["core.py"]


@pytest.mark.parametrize(
    "command", [("scan",), ("hotspots",), ("diff",), ("check",), ("context",), ("plan",)]
)
def test_every_command_takes_a_path_from_here_or_else_from_the_root(
    repo: GitRepo, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "away" / "web").mkdir(parents=True)
    (tmp_path / "away" / "web" / "page.py").write_text(
        ""
    )  # not of this repository: that of the root is meant
    expected = run_crimes(repo.path, *command, "web/page.py")
    for cwd, words in (
        (tmp_path, ("shop/web/page.py", "--root", "shop")),
        (tmp_path, ("web/page.py", "--root", "shop")),
        (tmp_path / "away", ("web/page.py", "--root", "../shop")),
        (repo.path / "web", ("page.py",)),
        (repo.path / "api", ("web/page.py",)),
    ):
        done = run_crimes(cwd, *command, *words)
        assert done.returncode == 0, done.stderr
        shown = done.stdout.replace(" --root shop", "").replace(" --root ../shop", "")
        assert shown == expected.stdout


def test_a_path_here_wins_over_one_below_the_root(repo: GitRepo) -> None:
    repo.commit({"web/api/core.py": PLAIN}, "Nest", days_ago=200)
    paths = scan(repo, "api/core.py", "--root", "..", cwd=repo.path / "web")["selection"]["paths"]
    assert paths == ["web/api/core.py"]


@pytest.mark.parametrize("command", ["scan", "hotspots", "diff", "check", "context", "plan"])
def test_a_path_outside_the_root_is_refused(repo: GitRepo, tmp_path: Path, command: str) -> None:
    (tmp_path / "other.py").write_text("")
    done = run_crimes(tmp_path, command, "other.py", "--root", "shop")
    assert (done.returncode, done.stdout) == (2, "")
    assert "other.py is outside the repository" in done.stderr


def test_a_git_repository_inside_another_is_its_own(repo: GitRepo) -> None:
    inner = GitRepo(repo.path / "vendored")
    inner.commit({"core.py": tangled("third")})
    assert files_of(scan(repo, "vendored")) == ["core.py"]


def test_the_old_name_of_root_still_works(repo: GitRepo, tmp_path: Path) -> None:
    assert files_of(scan(repo, "--path", repo.path / "api", cwd=tmp_path)) == ["core.py"]
    assert files_of(scan(repo, f"--path={repo.path / 'api'}", cwd=tmp_path)) == ["core.py"]


def test_a_path_that_does_not_exist_is_refused(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such file or folder: nowhere" in done.stderr


def test_a_path_without_source_files_is_mentioned_and_passes_no_gate(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "notes")
    assert done.returncode == 0
    assert "No source files found in notes." in done.stderr
    assert run_crimes(repo.path, "scan", "notes", "--fail-on", "high").returncode == 2
    assert run_crimes(repo.path, "scan", "web/plain.py", "--fail-on", "high").returncode == 0


def test_paths_of_two_repositories_are_refused(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GitRepo(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="different repositories"):
        resolve_scope([repo.path, other.path])
    with pytest.raises(UsageError, match="outside the repository"):
        resolve_scope([other.path], repo.path)
    assert resolve_scope([repo.path]) == Scope(repo.path, ())


def test_outside_of_any_repository_the_folder_itself_is_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain" / "deep").mkdir(parents=True)
    (tmp_path / "plain" / "a.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert resolve_scope([Path("plain")]) == Scope(tmp_path / "plain", ())
    assert resolve_scope([Path("plain/a.py")]) == Scope(tmp_path / "plain", ("a.py",))


def test_a_link_is_named_and_not_followed(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    (repo.path / "link.py").symlink_to("/etc/hostname")
    monkeypatch.chdir(repo.path)
    assert resolve_scope([Path("link.py")]).paths == ("link.py",)


# Types, severities, patterns.


def test_select_and_ignore_take_types_and_families(repo: GitRepo) -> None:
    assert files_of(scan(repo, "--select", "god_function")) == ["api/core.py", "web/page.py"]
    assert files_of(scan(repo, "--select", "structure,tests")) == ["api/core.py", "web/page.py"]
    assert files_of(scan(repo, "--select", "tests")) == []
    assert files_of(scan(repo, "--ignore", "structure")) == []
    assert scan(repo, "--ignore", "structure")["selection"]["ignore"] == ["structure"]


def test_a_detector_that_is_off_runs_when_it_is_selected(repo: GitRepo) -> None:
    off = scan(repo)
    assert {run["id"]: run["status"] for run in off["detectors"]}["silent_failure"] == "off"
    on = scan(repo, "--select", "silent_failure")
    assert {run["id"]: run["status"] for run in on["detectors"]}["silent_failure"] == "ran"
    # And the next scan without it is what it was.
    assert scan(repo) == off


def test_a_selected_detector_that_does_not_apply_says_why_it_did_not_run(repo: GitRepo) -> None:
    repo.write({"web/__init__.py": "".join(f"import web.gone{number}\n" for number in range(40))})
    done = run_crimes(repo.path, "scan", "--select", "orphan_file")
    reason = "40 of 40 imports inside the repository are unresolved"
    assert f"# orphan_file did not run: {reason}\n" in done.stdout


def test_an_unknown_type_is_refused_with_a_suggestion(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "scan", "--select", "god_funtion")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "'god_funtion' is not a detector or a detector family (see `crimes detectors`); did you mean 'god_function'?"
        in done.stderr
    )


def test_severity_is_a_lower_limit_and_the_gate_follows_it(repo: GitRepo) -> None:
    severities = {finding["severity"] for finding in scan(repo)["findings"]}
    assert severities == {"low"} or severities == {"medium"}
    assert files_of(scan(repo, "--severity", "high")) == []
    assert run_crimes(repo.path, "scan", "--fail-on", "low").returncode == 1
    assert run_crimes(repo.path, "scan", "--fail-on", "low", "--severity", "high").returncode == 0


def test_exclude_leaves_out_findings_and_keeps_the_others_as_they_are(repo: GitRepo) -> None:
    whole = scan(repo)
    part = scan(repo, "--exclude", "web/", "--exclude", "*.rb")
    assert part["findings"] == [finding for finding in whole["findings"] if finding["file"] == "api/core.py"]
    done = run_crimes(repo.path, "scan", "--exclude", "****/x")
    assert done.returncode == 2
    assert "--exclude: '****/x' has more than three wildcards" in done.stderr


def test_sort_orders_findings_in_every_format(repo: GitRepo) -> None:
    repo.commit({"api/late.py": "\n" * 3 + tangled("late").replace("a", "c")})
    by_file = [finding["file"] for finding in scan(repo, "--sort", "file")["findings"]]
    assert by_file == sorted(by_file)
    ranks = [
        ("high", "medium", "low").index(f["severity"]) for f in scan(repo, "--sort", "severity")["findings"]
    ]
    assert ranks == sorted(ranks)
    done = run_crimes(repo.path, "scan", "--sort", "size")
    assert done.returncode == 2
    assert "use risk, severity or file" in done.stderr


def test_diff_sorts_and_groups_what_is_new(repo: GitRepo) -> None:
    files = {
        f"{name}.py": tangled(name).replace("a", letter) for name, letter in (("two", "b"), ("one", "c"))
    }
    repo.write({**files, "one.py": files["one.py"] + "\n\n" + tangled("more").replace("a", "d")})
    risky = json.loads(run_crimes(repo.path, "diff", "--format", "json").stdout)["new"]
    sorted_ = json.loads(run_crimes(repo.path, "diff", "--sort", "file", "--format", "json").stdout)["new"]
    places = [(crime["file"], crime["lines"]["start"]) for crime in sorted_]
    assert places == sorted((crime["file"], crime["lines"]["start"]) for crime in risky)
    piped = run_crimes(repo.path, "diff", "--group-by", "file").stdout.splitlines()
    named = [row.partition(":")[0] for row in piped if not row.startswith("# ")]
    assert [name for name, before in zip(named, ["", *named], strict=False) if name != before] == list(
        dict.fromkeys(named)
    )
    for key, headings in (("file", ["one.py", "two.py"]), ("type", ["god_function"])):
        seen = run_crimes(repo.path, "diff", "--group-by", key, "--color").stdout
        rows = [ANSI.sub("", row).strip() for row in seen.splitlines()]
        assert set(headings) <= set(rows[rows.index("New") :]), seen


def test_config_replaces_the_settings_of_the_repository(repo: GitRepo, tmp_path: Path) -> None:
    (repo.path / "crimes.toml").write_text("[detectors.god_function]\nenabled = false\n")
    other = tmp_path / "strict.toml"
    other.write_text("")
    assert files_of(scan(repo)) == []
    assert files_of(scan(repo, "--config", other)) == ["api/core.py", "web/page.py"]
    other.write_text('exclude = ["web/"]\n')  # an edit of the named file is noticed
    assert files_of(scan(repo, "--config", other)) == ["api/core.py"]
    other.write_text("excludes = []\n")
    done = run_crimes(repo.path, "scan", "--config", other)
    assert done.returncode == 2
    assert "did you mean exclude?" in done.stderr
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    done = run_crimes(repo.path, "scan", "--config", tmp_path / "pyproject.toml")
    assert "has no [tool.crimes] table" in done.stderr
    assert "cannot be read" in run_crimes(repo.path, "scan", "--config", "nowhere.toml").stderr


# Other commands.


def test_diff_and_check_are_narrowed_in_the_same_way(repo: GitRepo) -> None:
    more = tangled("more").replace("a", "d")
    (repo.path / "api/more.py").write_text(more)
    (repo.path / "web/other.py").write_text(LOOPING)
    for command in ("diff", "check"):
        whole = json.loads(run_crimes(repo.path, command, "--format", "json").stdout)
        assert sorted(crime["file"] for crime in whole["new"]) == ["api/more.py", "web/other.py"]
        part = json.loads(run_crimes(repo.path, command, "api", "--format", "json").stdout)
        assert [crime["file"] for crime in part["new"]] == ["api/more.py"]
        options = ("--ignore", "structure", "--format", "json")
        assert json.loads(run_crimes(repo.path, command, *options).stdout)["new"] == []
    part = json.loads(run_crimes(repo.path, "check", "api", "--severity", "high", "--format", "json").stdout)
    assert part["line"].startswith("no problems found")
    repo.commit({}, "More")
    range_ = json.loads(run_crimes(repo.path, "diff", "HEAD~1...HEAD", "web", "--format", "json").stdout)
    assert [crime["file"] for crime in range_["new"]] == ["web/other.py"]


@pytest.fixture
def changed(repo: GitRepo) -> GitRepo:
    """A repository whose working tree breaks a reference and takes a check out of a test."""
    use = "from util import half, total\n\n\ndef report():\n    return half(total([4]))\n"
    test = "from util import total\n\n\ndef test_total():\n    assert total([1]) == 1\n    assert total([]) == 0\n"
    half = "def half(n):\n    return n / 2\n"
    total = "def total(items):\n    return sum(items)\n"
    repo.commit({"util.py": f"{half}\n\n{total}", "use.py": use, "test_util.py": test}, "Add totals")
    repo.write(
        {
            "util.py": total.replace("sum(items)", "sum(items) + 0"),
            "test_util.py": test.replace("    assert total([]) == 0\n", ""),
        }
    )
    return repo


@pytest.mark.parametrize("command", ["diff", "check"])
@pytest.mark.parametrize(
    ("options", "broken", "look"),
    [
        ((), 1, 1),
        (("--severity", "high"), 1, 0),  # something to look at counts as medium
        (("--select", "god_function"), 1, 0),  # what is broken is shown whatever is selected
        (("--select", "weakened_test"), 1, 1),
        (("--ignore", "weakened_test"), 1, 0),
        (("--ignore", "broken_reference"), 0, 1),
    ],
)
def test_what_a_change_broke_or_forgot_is_chosen_by_kind_and_severity(
    changed: GitRepo, command: str, options: tuple[str, ...], broken: int, look: int
) -> None:
    done = run_crimes(changed.path, command, *options, "--format", "json")
    made = json.loads(done.stdout)
    assert (len(made["broken"]), len(made["look"])) == (broken, look), done.stdout
    assert done.returncode == (1 if broken else 0)
    missing = [*["1 broken thing"] * (not broken), *["1 thing to look at"] * (not look)]
    expected = f"not selected, so not shown: {', '.join(missing)}"
    assert made["warnings"] == ([expected] if missing else [])


def test_a_kind_of_change_is_no_type_of_a_scan(repo: GitRepo) -> None:
    assert "is not a detector" in run_crimes(repo.path, "scan", "--select", "weakened_test").stderr


def test_a_quiet_command_is_silent_about_a_gate_that_passed(repo: GitRepo) -> None:
    for format_ in ((), ("--format", "json")):
        passed = run_crimes(repo.path, "scan", "-q", "--fail-on-risk", "1", *format_)
        failed = run_crimes(repo.path, "scan", "-q", "--fail-on-risk", "0.1", *format_)
        assert "Gate passed" not in passed.stdout + passed.stderr
        assert "Gate failed" in failed.stdout + failed.stderr
        assert (passed.returncode, failed.returncode) == (0, 1)


def test_a_folder_is_no_report(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "report", "web")
    assert (done.returncode, done.stderr) == (
        2,
        "crimes: web is a folder; give a report that `crimes scan --format json` wrote\n",
    )


def test_the_working_tree_is_named_without_a_commit(changed: GitRepo) -> None:
    rows = run_crimes(changed.path, "diff").stdout.splitlines()
    assert any(row.startswith("# HEAD (") and row.endswith(") to the working tree") for row in rows)


def test_a_saved_report_is_narrowed_and_sorted(repo: GitRepo, tmp_path: Path) -> None:
    saved = tmp_path / "scan.json"
    run_crimes(repo.path, "scan", "--json-output", saved, "--quiet")
    done = run_crimes(repo.path, "report", saved, "--exclude", "web/", "--format", "json")
    assert files_of(json.loads(done.stdout)) == ["api/core.py"]
    assert (
        files_of(json.loads(run_crimes(repo.path, "report", saved, "--select", "tests", "-f", "json").stdout))
        == []
    )


def test_both_names_of_markdown_are_accepted(repo: GitRepo) -> None:
    for command in (("scan",), ("diff",), ("check",), ("context", "api/core.py"), ("plan", "api/core.py")):
        md = run_crimes(repo.path, *command, "--format", "md")
        markdown = run_crimes(repo.path, *command, "--format", "markdown")
        assert md.returncode in (0, 1), md.stderr
        assert md.stdout == markdown.stdout


def test_help_leaks_no_type_names() -> None:
    from crimes.cli.app import _HEADINGS

    for name in _HEADINGS:
        shown = run_crimes(Path(), name, "--help").stdout
        for leak in ("INTEGER", "FLOAT", "RANGE", "<int", "<str", "<path", "x>=", "<=x", "[TEXT"):
            assert leak not in shown, (name, leak)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--top", "zero"), "--top must be a whole number, at least 1, not 'zero'."),
        (("--fail-on-risk", "2"), "--fail-on-risk must be a number from 0 to 1, not '2'."),
        (("-f", "jsn"), "--format 'jsn' is not valid; did you mean 'json'?"),
    ],
)
def test_a_value_that_is_refused_is_named_with_its_option(
    arguments: tuple[str, str], text: str, tmp_path: Path
) -> None:
    done = run_crimes(tmp_path, "scan", *arguments)
    assert done.returncode == 2
    assert f"Error: {text}\n" in done.stderr
