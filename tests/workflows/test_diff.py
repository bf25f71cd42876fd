"""`crimes diff` and `crimes verdict` on real git repositories: what is new, what only moved, and that nothing is touched."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import jsonschema
import msgspec
import pytest

from crimes.detection.detector import Detector
from crimes.detection.registry import catalogue
from crimes.model.errors import UsageError
from crimes.model.kind import Kind
from crimes.workflows.comparing import compare_states, parse_range
from crimes.workflows.comparison import Comparison, VerdictReport
from crimes.workflows.session import Session
from tests.kit.command import run_crimes
from tests.kit.gitrepo import NOW, GitRepo
from tests.kit.sample_code import PLAIN, tangled


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    test = "from shop.core import first\n\n\ndef test():\n    assert not first(0)\n"
    files = {"shop/__init__.py": "", "shop/core.py": tangled("first") + PLAIN, "tests/test_core.py": test}
    made.commit(files, "Begin", days_ago=300)
    return made


UNTANGLED = "def first(a):\n    return a\n\n\n" + PLAIN


def compare_states_of(repo: GitRepo, range_: str | None = None, base: str = "") -> Comparison:
    return compare_states(Session(repo.path), parse_range([range_] if range_ else [], base)).comparison


def symbols_by_state(comparison: Comparison) -> dict[str, list[str]]:
    """The symbols under each heading that is not empty."""
    lists: dict[str, list[Any]] = {
        "new": list(comparison.new),
        "fixed": list(comparison.fixed),
        "gone": list(comparison.gone),
        "moved": [match.finding for match in comparison.moved],
        "unchanged": [match.finding for match in comparison.unchanged],
    }
    return {name: [crime.symbol for crime in crimes] for name, crimes in lists.items() if crimes}


def test_diff_reports_a_new_finding_and_one_whose_function_is_gone(repo: GitRepo) -> None:
    repo.commit({"shop/core.py": PLAIN + tangled("second")})
    made = compare_states_of(repo, "HEAD~1...HEAD")
    # `first` was replaced by other code of the same words but one name: that is a rename, and tells the two apart.
    assert symbols_by_state(made) == {"moved": ["second"]}
    repo.commit({"shop/core.py": PLAIN + tangled("second").replace("+=", "-= 2 +")})
    repo.commit({"shop/core.py": PLAIN, "shop/other.py": tangled("third").replace("a", "b")})
    made = compare_states_of(repo, "HEAD~1...HEAD")
    assert symbols_by_state(made) == {"new": ["third"], "gone": ["second"]}
    assert made.verdict.verdict == "worse"
    assert made.verdict.line == "1 new finding (1 low), 1 gone with its code"
    assert compare_states_of(repo, "HEAD...HEAD~1").verdict.verdict == "unchanged"  # from where they part
    assert symbols_by_state(compare_states_of(repo, "HEAD..HEAD~1")) == {
        "new": ["second"],
        "gone": ["third"],
    }


def test_verdict_is_better_worse_or_unchanged(repo: GitRepo) -> None:
    repo.commit({"shop/core.py": UNTANGLED})
    made = compare_states_of(repo, "HEAD~1...")
    assert symbols_by_state(made) == {"fixed": ["first"]}
    assert made.verdict.verdict == "better"
    assert made.verdict.line == "no problems found: no new findings, 1 fixed (1 low)"
    back = compare_states_of(repo, "HEAD..HEAD~1")
    assert back.verdict.verdict == "worse"
    assert back.verdict.line == "1 new finding (1 low)"
    assert back.verdict.why == ("new: low god_function in shop/core.py:1 first",)
    assert compare_states_of(repo).verdict.verdict == "unchanged"


def test_edited_function_in_a_renamed_file_is_moved(repo: GitRepo) -> None:
    more = "".join(f"def helper_{number}(a):\n    return a + {number}\n\n\n" for number in range(30))
    repo.commit({"shop/core.py": tangled("first") + more})
    repo.write({"shop/core.py": None, "shop/kernel.py": tangled("first").replace("a > 3", "a >= 3") + more})
    repo.git("add", "--all")
    assert symbols_by_state(compare_states_of(repo)) == {"moved": ["first"]}
    repo.commit({}, "Rename")
    made = compare_states_of(repo, "HEAD~1...HEAD")
    assert symbols_by_state(made) == {"moved": ["first"]}
    assert made.moved[0].was is not None
    assert (made.moved[0].was.file, made.moved[0].finding.file) == ("shop/core.py", "shop/kernel.py")


def test_function_moved_to_an_untracked_file_is_moved(repo: GitRepo) -> None:
    repo.write({"shop/core.py": PLAIN, "shop/kernel.py": "import os\n\n\n" + tangled("first")})
    assert symbols_by_state(compare_states_of(repo)) == {"moved": ["first"]}


def test_shifted_and_reformatted_finding_is_unchanged(repo: GitRepo) -> None:
    text = "import os\n\n" + PLAIN + tangled("first").replace("(a)", "(\n    a,\n)")
    repo.write({"shop/core.py": text})
    assert symbols_by_state(compare_states_of(repo)) == {"unchanged": ["first"]}


def test_a_copy_is_new(repo: GitRepo) -> None:
    repo.write({"shop/other.py": tangled("first")})
    made = compare_states_of(repo)
    assert symbols_by_state(made) == {"new": ["first"], "unchanged": ["first"]}
    assert made.new[0].file == "shop/other.py"


def test_since_a_branch_only_the_own_work_counts(repo: GitRepo) -> None:
    repo.git("checkout", "-q", "-b", "work")
    repo.commit({"shop/mine.py": tangled("mine")})
    repo.git("checkout", "-q", "main")
    repo.commit({"shop/core.py": PLAIN})
    repo.git("checkout", "-q", "work")
    assert symbols_by_state(compare_states_of(repo, base="main")) == {"new": ["mine"], "unchanged": ["first"]}
    assert symbols_by_state(compare_states_of(repo, "main...work")) == {
        "new": ["mine"],
        "unchanged": ["first"],
    }
    assert symbols_by_state(compare_states_of(repo, "main..work")) == {"new": ["mine", "first"]}


def test_history_of_files_that_were_not_touched_is_no_work_of_the_change(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two files change together long enough to be found; the last commit is about another one, half a year later."""
    detectors = cast(dict[str, Detector], catalogue())
    about_code = msgspec.structs.replace(detectors["hidden_coupling"], kind=Kind.CODE)
    monkeypatch.setitem(detectors, "hidden_coupling", about_code)
    pair = {"shop/one.py": "ONE = {0}\n", "shop/two.py": "TWO = {0}\n"}
    for number in range(12):
        files = {name: text.format(number) for name, text in pair.items()}
        repo.commit(files, "Both", days_ago=200 - number)
    repo.commit({"shop/core.py": PLAIN + tangled("first")}, "Another", days_ago=150)
    assert "hidden_coupling" in {
        match.finding.type for match in compare_states_of(repo, "HEAD~1...HEAD").unchanged
    }
    repo.commit({"shop/core.py": UNTANGLED}, "Much later", when=NOW + timedelta(days=400))
    made = compare_states_of(repo, "HEAD~1...HEAD")
    assert [finding.type for finding in made.fixed] == ["god_function"]
    assert {(item.finding.type, item.state) for item in made.unclear} == {("hidden_coupling", "base")}
    touching = {name: text.format("now") for name, text in pair.items()}
    repo.commit(touching, "Both again", when=NOW + timedelta(days=401))
    assert "hidden_coupling" in {finding.type for finding in compare_states_of(repo, "HEAD~2...HEAD").fixed}


def test_diff_leaves_the_repository_untouched(repo: GitRepo) -> None:
    repo.commit({"shop/core.py": PLAIN})
    repo.write({"shop/core.py": PLAIN + tangled("half"), "notes.txt": "mine"})
    before = repo.git("status", "--porcelain"), (repo.path / ".git/index").read_bytes(), _names(repo.path)
    compare_states_of(repo, "HEAD~1...HEAD")
    compare_states_of(repo)
    assert (
        repo.git("status", "--porcelain"),
        (repo.path / ".git/index").read_bytes(),
        _names(repo.path),
    ) == before


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_the_later_configuration_counts_for_both(repo: GitRepo) -> None:
    repo.write({"crimes.toml": "[detectors.god_function]\nenabled = false\n"})
    made = compare_states_of(repo)
    assert symbols_by_state(made) == {}
    assert made.warnings == (
        "the settings differ between the two states; both were scanned with the newer ones",
    )


def test_cached_base_report_is_reused_and_the_cached_log_stays(repo: GitRepo) -> None:
    from crimes.incremental.store import Cache
    from crimes.system.user_dirs import database_of

    repo.commit({"shop/other.py": tangled("other")})
    first = msgspec.json.encode(compare_states_of(repo, base="HEAD~1"))
    cache = Cache(database_of(repo.path), print)
    log = cache.state("log")
    assert log is not None
    repo.commit({"shop/new.py": PLAIN})
    assert msgspec.json.encode(compare_states_of(repo, base="HEAD~2").new) in first
    past = cache.state("past reports")
    assert past is not None
    assert len(msgspec.msgpack.decode(past)) == 1  # the same base: its report was not made again
    assert repo.git("rev-parse", "HEAD").encode() in (cache.state("log") or b"")
    cache.close()


def test_diff_of_a_subfolder_covers_its_own_files(repo: GitRepo) -> None:
    repo.commit({"shop/core.py": UNTANGLED, "shop/other.py": PLAIN})
    made = compare_states(Session(repo.path / "shop"), parse_range(["HEAD~1...HEAD"], "")).comparison
    assert symbols_by_state(made) == {"fixed": ["first"]}
    assert made.fixed[0].file == "core.py"


@pytest.mark.parametrize(
    ("range_", "base", "words"),
    [
        ("main", "", "is not a range"),
        ("...", "", "is not a range"),
        ("a...b", "main", "use one of them"),
    ],
)
def test_malformed_ranges_are_refused(range_: str, base: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse_range([range_] if range_ else [], base)


def test_diff_command_reports_findings_and_gates(repo: GitRepo) -> None:
    repo.commit({"shop/core.py": UNTANGLED, "shop/other.py": tangled("other").replace("a", "b")})
    done = run_crimes(repo.path, "diff", "HEAD~1...HEAD", "--format", "json", "--fail-on-new")
    assert done.returncode == 1, done.stderr
    made = json.loads(done.stdout)
    jsonschema.validate(made, msgspec.json.schema(Comparison))
    assert made["gate"]["metric"] == "new"
    assert made["gate"]["hits"] == 1
    assert "Gate failed: 1 new finding: " in done.stderr
    done = run_crimes(repo.path, "diff", "HEAD~1...HEAD", "--fail-on", "high")
    assert done.returncode == 0, done.stderr
    label, first, _, *rows = done.stdout.splitlines()
    assert label.startswith("# directional: ")
    verdict = "1 new finding (1 low), 1 fixed (1 low)"
    assert first == f"# {verdict}"
    assert rows[0].startswith("shop/other.py:1:5: low god_function new: ")
    assert rows[1].startswith("shop/core.py:1:5: low god_function fixed: ")
    assert rows[-1] == (
        "# Gate passed with a warning: no new findings at high or above, but too little is known of "
        "a repository this small to be sure"
    )
    # A gate looks at what is new, not at what was there.
    assert run_crimes(repo.path, "diff", "--fail-on", "low", "--fail-on-new").returncode == 0
    done = run_crimes(repo.path, "verdict", "HEAD~1...HEAD")
    assert (done.returncode, done.stdout) == (0, f"{verdict}\n")
    done = run_crimes(repo.path, "verdict", "HEAD~1...HEAD", "--format", "json")
    told = json.loads(done.stdout)
    jsonschema.validate(told, msgspec.json.schema(VerdictReport))
    assert (told["verdict"], told["line"]) == ("mixed", verdict)
    quiet = run_crimes(repo.path, "diff", "HEAD~1...HEAD", "--quiet")
    assert (quiet.stdout.splitlines(), quiet.stderr) == (rows[:2], "")
    done = run_crimes(repo.path, "diff", "nowhere...HEAD")
    assert done.returncode == 2
    assert "nowhere" in done.stderr


def test_machine_formats_hold_only_new_findings(repo: GitRepo, tmp_path: Path) -> None:
    repo.write({"shop/other.py": tangled("other").replace("a", "b")})
    sarif, full = tmp_path / "new.sarif", tmp_path / "diff.json"
    done = run_crimes(
        repo.path, "diff", "--format", "github", "--sarif-output", str(sarif), "--json-output", str(full)
    )
    assert done.returncode == 0, done.stderr
    assert "file=shop/other.py,line=1" in done.stdout
    assert "shop/core.py" not in done.stdout
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    assert places == ["shop/other.py"]
    assert json.loads(full.read_text())["summary"]["unchanged"] == 1


def test_a_gate_is_not_evaluated_where_one_side_cannot_be_compared(repo: GitRepo) -> None:
    broken = {f"shop/broken_{number}.py": "def (((:\n" * 20 for number in range(8)}
    repo.commit({**broken, "shop/other.py": tangled("other")})
    repo.commit(dict.fromkeys(broken, PLAIN) | {"shop/more.py": tangled("more").replace("a", "b")})
    done = run_crimes(repo.path, "diff", "HEAD~1...HEAD", "--fail-on-new")
    assert done.returncode == 2, done.stdout
    assert "unknown: the base cannot be compared" in done.stdout
    assert "not evaluated" in done.stdout


def test_in_a_new_repository_everything_is_new(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "new")
    repo.write({"core.py": tangled("first")})
    repo.git("add", "--all")
    made = compare_states_of(repo)
    assert symbols_by_state(made) == {"new": ["first"]}
    done = run_crimes(repo.path, "diff", "--fail-on", "low")
    # Nothing is concluded from one file and no commit.
    assert (done.returncode, "\n# nothing to the working tree\n" in done.stdout) == (2, True)
    assert "Gate not evaluated: there is no commit yet to compare with: " in done.stdout
    done = run_crimes(repo.path, "scan", "--changed", "--fail-on-new", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["working_set"]["files"]) == (2, ["core.py"])
    assert run_crimes(repo.path, "diff", "--base", "main").returncode == 2


def test_finding_that_became_more_severe_is_reported(repo: GitRepo) -> None:
    head, body = tangled("first").split("\n", 1)
    repo.write({"shop/core.py": f"{head}\n{body.rstrip()}\n{body.rstrip()}\n{body}"})
    made = compare_states_of(repo)
    assert made.verdict.line == "no new findings, 1 more severe than before"
    assert made.verdict.why == ("more severe: medium god_function in shop/core.py:1 first, was low",)
    assert (
        "\nshop/core.py:1:5: medium god_function unchanged, was low: " in run_crimes(repo.path, "diff").stdout
    )


def test_quiet_still_reports_a_failed_gate(repo: GitRepo) -> None:
    repo.write({"shop/other.py": tangled("second").replace("a", "b")})
    done = run_crimes(repo.path, "diff", "--quiet", "--fail-on-new")
    assert (done.returncode, done.stderr) == (1, "")
    finding, gate = done.stdout.splitlines()
    assert " god_function new: " in finding
    assert gate.startswith("# Gate failed: 1 new finding: ")
    (only,) = run_crimes(repo.path, "diff", "--quiet", "--fail-on", "high").stdout.splitlines()
    assert only == finding


@pytest.mark.parametrize("format_", ["github", "markdown", "sarif"])
def test_every_format_of_a_diff_tells_of_an_added_ignore(repo: GitRepo, format_: str) -> None:
    repo.write({"shop/core.py": "# crimes: ignore[god_function] a table\n" + tangled("first")})
    done = run_crimes(repo.path, "diff", "--format", format_)
    assert "Ignore added at shop/core.py:1: god_function (ignores 1 finding): a table" in done.stderr
    assert ("Ignore added" in done.stdout) == (format_ == "markdown")


def test_word_that_is_neither_a_range_nor_a_path_is_refused(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "diff", "foo")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "crimes: no such revision or path: foo; a range is BASE...HEAD, such as main...HEAD"
    )


def test_revision_instead_of_a_range_is_refused_with_what_to_type(repo: GitRepo) -> None:
    done = run_crimes(repo.path, "diff", "HEAD~0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "use --base HEAD~0 to compare the working tree with it, or HEAD~0...HEAD" in done.stderr


def test_markdown_of_a_change_has_its_verdict_and_new_findings_only(repo: GitRepo) -> None:
    page = run_crimes(repo.path, "diff", "HEAD...HEAD", "--format", "md").stdout
    assert ": no problems found: no new findings" in page
    assert "no findings" not in page
    assert "Files most likely to need a fix" not in page
