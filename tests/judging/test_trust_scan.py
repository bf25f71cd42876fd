"""Trust in real scans: what is counted, what it means, and what a report says about it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from crimes.config.schema import Config, DetectorConfig
from crimes.detection.context import Pass
from crimes.detection.detector import NoOptions
from crimes.detection.registry import catalogue
from crimes.engine.scan import assess_trust, scan
from crimes.engine.working_set import by_name
from crimes.judging.trust.assess import profile_of
from crimes.model.finding import Category, Finding, Place, Signal
from crimes.model.report import Report
from crimes.model.repository import File
from crimes.model.severity import Severity
from crimes.model.trust import Trust
from crimes.render.trust_text import trust_lines
from tests.kit.built_repo import file
from tests.kit.gitrepo import GitRepo

BROKEN = "def f(:\n    return ((\nclass ]\n"
CODE = {f"pkg/m{n}.py": f"from pkg import m{n + 1}\n\n\ndef f():\n    return m{n + 1}\n" for n in range(9)}


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """Ten modules, a test, and a year of history."""
    made = GitRepo(tmp_path / "shop")
    made.commit(
        {**CODE, "pkg/m9.py": "x = 1\n\n\ndef f():\n    return x\n", "pkg/__init__.py": ""},
        "Begin",
        days_ago=300,
    )
    made.commit(
        {"tests/test_m.py": "from pkg.m9 import x\n\n\ndef test():\n    assert x\n"}, "Test", days_ago=1
    )
    return made


def report(repo: GitRepo, *working_set: str, config: Config | None = None) -> Report:
    made = scan(repo.path, config or Config(), choose=by_name(working_set) if working_set else None)
    return made.part or made.report


def fit(trust: Trust, id_: str) -> tuple[str, str]:
    found = next(entry for entry in trust.applicability if entry.id == id_)
    return found.applicability, found.reason


def test_a_whole_repository_is_trusted(repo: GitRepo) -> None:
    trust = report(repo).trust
    assert (trust.classification, trust.validity, trust.status) == ("trusted", "fully_comparable", "complete")
    assert (trust.can_compare, trust.can_gate, trust.composite) == (True, True, 0.92)
    assert trust.dimensions == {
        "parse_coverage": 1.0,
        "import_resolution": 0.95,
        "history_depth": 0.95,
        "test_discovery": 0.9,
        # the old names, for one version of the schema
        "parse": 1.0,
        "blast_radius": 0.95,
        "churn": 0.95,
        "test_gap": 0.9,
    }
    assert (trust.mean, trust.level, trust.undersampling) == (0.95, "high", "none")
    assert [signal.reason for signals in trust.signals.values() for signal in signals] == [
        "11 of 11 source files parsed",
        "10 of 10 imports inside the repository lead to a file",
        "complete history",
        "1 of 1 test file imports code of the repository",
    ]
    assert trust.composite_reasons == (
        "0.6 x 0.90, the weakest dimension: test_discovery",
        "0.4 x 0.95, the mean of the four",
    )
    assert (trust.reasons, trust.bottlenecks, trust.withheld) == ((), (), {})
    assert trust.profile.primary_language == "Python"
    assert {
        fit(trust, entry.id)
        for entry in trust.applicability
        if catalogue()[entry.id].default and entry.id != "stale_instruction"
    } == {("applicable", "")}
    assert fit(trust, "stale_instruction") == ("not_applicable", "no files in markdown")


def test_trust_of_equals_the_trust_of_a_scan(repo: GitRepo, tmp_path: Path) -> None:
    shallow = GitRepo.clone(repo, tmp_path / "clone", "--depth=1")
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.py").write_text("x = 1\n")
    for root in (repo.path, shallow.path, plain):
        config = Config(detectors={"god_function": DetectorConfig(enabled=False)})
        alone, scanned = assess_trust(root, config), scan(root, config).report.trust
        for trust in (alone, scanned):
            assert fit(trust, "god_function") == ("not_applicable", "off in the settings")
        # Why a detector could not run, only running it tells.
        assert msgspec.structs.replace(alone, applicability=()) == msgspec.structs.replace(
            scanned, applicability=()
        )


def test_shallow_clone_is_directional_and_names_missing_history(repo: GitRepo, tmp_path: Path) -> None:
    trust = report(GitRepo.clone(repo, tmp_path / "clone", "--depth=1")).trust
    assert (trust.classification, trust.validity) == ("directional", "partially_comparable")
    assert trust.reasons == (
        "history: shallow clone",
        "history: too little history to judge: 1 commit (at least 10 needed); "
        "0 days between the first and the last commit (at least 30 needed)",
    )
    assert trust.gates == {"severity": (), "agent_risk": ("history",)}
    (bottleneck,) = trust.bottlenecks
    assert (bottleneck.dimension, bottleneck.value) == ("history_depth", 0.1)
    assert "0 days" in bottleneck.explanation
    assert bottleneck.fix == "run `git fetch --unshallow`, or set fetch-depth: 0 in CI"
    assert fit(trust, "hidden_coupling") == ("not_applicable", "shallow clone: 0 days of history")
    assert fit(trust, "identical_branches") == ("applicable", "")


def test_the_days_of_a_shallow_clone_are_counted(tmp_path: Path) -> None:
    source = GitRepo(tmp_path / "source")
    for day in (100, 45, 0):
        source.commit({"a.py": f"x = {day}\n"}, "Change", days_ago=day)
    clone = GitRepo.clone(source, tmp_path / "clone", "--depth=2")
    assert (
        report(clone).trust.dimensions["history_depth"]
        == assess_trust(clone.path, Config()).dimensions["history_depth"]
        == 0.5
    )


def test_without_git_history_is_the_bottleneck(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    trust = scan(tmp_path, Config()).report.trust
    assert trust.reasons[0] == "history: no git history"
    assert trust.undersampling == "severe"
    assert [bottleneck.dimension for bottleneck in trust.bottlenecks] == ["history_depth", "test_discovery"]
    assert all(bottleneck.explanation and bottleneck.fix for bottleneck in trust.bottlenecks)
    assert fit(trust, "hidden_coupling") == ("not_applicable", "not a git repository")


def test_an_empty_folder_abstains(tmp_path: Path) -> None:
    trust = scan(tmp_path, Config()).report.trust
    assert (trust.classification, trust.status, trust.degraded_category) == (
        *("abstained", "unsupported", "no-files"),
    )
    assert trust.dimensions["parse"] is None
    assert {entry.applicability for entry in trust.applicability} == {"not_applicable"}


def test_unparsed_files_weaken_a_scan(repo: GitRepo) -> None:
    repo.commit({f"pkg/bad{n}.py": BROKEN for n in range(2)}, "Break")
    trust = report(repo).trust
    assert trust.dimensions["parse"] == 0.85  # 11 of 13, read by more than half
    assert trust.reasons == ("parse: more than 10% of the source files were not parsed",)
    repo.commit({f"pkg/worse{n}.py": BROKEN for n in range(12)}, "Break more")
    trust = report(repo).trust
    assert (trust.validity, trust.classification) == ("not_comparable", "directional")
    assert trust.bottlenecks[0].dimension == "parse_coverage"


def test_partially_parsed_file_counts_half(repo: GitRepo) -> None:
    repo.commit({"pkg/m9.py": "x = 1\n" * 20 + "y = = 2\n" + "z = 3\n" * 20}, "One bad line")
    assert report(repo).trust.dimensions["parse"] == 0.95  # 10.5 of 11


def test_broken_test_fixtures_do_not_lower_trust(repo: GitRepo) -> None:
    repo.commit({f"tests/fixtures/bad{n}.py": BROKEN for n in range(20)}, "Fixtures")
    assert report(repo).trust.dimensions["parse"] == 1.0


def test_documents_count_when_there_is_no_code(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"README.md": "# Hello\n"}, "Begin")
    trust = report(repo).trust
    assert (trust.status, trust.dimensions["parse"]) == ("complete", 1.0)
    assert trust.profile.primary_language == ""


@pytest.mark.parametrize(
    "content",
    [BROKEN.encode(), b"\x7fELF\0\0", b"x = 1\n" * 400_000],
    ids=["syntax", "binary", "too large"],
)
def test_a_changed_file_that_was_not_parsed_cannot_be_judged(content: bytes, repo: GitRepo) -> None:
    repo.commit({"pkg/new.py": content}, "Add")
    assert report(repo, "pkg/m1.py", "pkg/gone.py").trust.validity == "fully_comparable"
    trust = report(repo, "pkg/new.py").trust
    assert (trust.validity, trust.can_gate, trust.can_compare) == ("not_comparable", False, False)
    assert "parse: 1 file(s) of the working set could not be parsed" in trust.reasons


def test_unresolved_imports_weaken_the_graph_dimension(repo: GitRepo) -> None:
    missing = "".join(f"from pkg import gone{n}\n" for n in range(60))
    repo.commit({"pkg/lost.py": "x = 1\n" + missing.replace("from pkg import ", "import pkg.")}, "Lose them")
    trust = report(repo).trust
    assert trust.reasons == ("graph: import graph unavailable or mostly unresolved",)
    (bottleneck,) = trust.bottlenecks
    assert bottleneck.dimension == "import_resolution"
    assert "roots" in bottleneck.fix
    assert fit(trust, "orphan_file")[0] in ("insufficient_evidence", "not_applicable")


def test_one_day_of_commits_is_no_past(tmp_path: Path) -> None:
    young = GitRepo(tmp_path, past=False)
    young.commit({**CODE, "pkg/m9.py": "x = 1\n\n\ndef f():\n    return x\n", "pkg/__init__.py": ""}, "Begin")
    for trust in (report(young).trust, assess_trust(young.path, Config())):
        assert (trust.classification, trust.undersampling, trust.level) == ("directional", "moderate", "low")
        assert trust.dimensions["history_depth"] == 0.1
        assert trust.reasons[0] == "history: no past: all commits are of one day"
        assert fit(trust, "repeat_offender") == ("not_applicable", "no past: 0 days of history")


def test_commits_before_the_window_count_as_past(tmp_path: Path) -> None:
    old = GitRepo(tmp_path, past=False)
    for year in range(10, 0, -1):
        old.commit({"a.py": f"x = {year}\n"}, "Change", days_ago=366 * year)
    assert "commit" not in report(old).trust.reasons[0]


def test_the_profile_names_a_second_language_that_is_large() -> None:
    def files(python: int, typescript: int) -> list[File]:
        return [file(f"a{n}.py") for n in range(python)] + [
            file(f"b{n}.ts", language="typescript") for n in range(typescript)
        ]

    def told(python: int, typescript: int) -> tuple[str, str, float | None]:
        made = profile_of(files(python, typescript))
        return made.primary_language, made.second_language, made.ratio

    assert told(6, 4) == ("Python", "", None)
    assert told(11, 9) == ("Python", "TypeScript", 0.82)
    assert told(5, 5) == ("Python", "TypeScript", 1.0)
    assert told(1, 3) == ("TypeScript", "", None)
    assert told(0, 0) == ("", "", None)


def test_failing_provider_appears_in_the_report(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(scan: Pass, finding: Finding) -> list[Signal]:
        raise KeyError("no such index")

    def detect(scan: Pass, options: object) -> list[Finding]:
        weak = Signal("name", Category.SYNTAX, 44, "by its name alone")
        return [Finding(Place(path, 1, 1), Severity.LOW, "looks odd", (weak,)) for path in sorted(CODE)[:2]]

    odd = msgspec.structs.replace(
        catalogue()["god_function"], id="odd_name", detect=detect, deferred=(broken,), options=NoOptions
    )
    monkeypatch.setattr("crimes.engine.scan.catalogue", lambda: {"odd_name": odd})
    made = report(repo)
    assert (made.findings, len(made.hidden), made.summary.hidden_low_confidence) == ((), 2, 2)
    assert [(diagnostic.kind, diagnostic.source) for diagnostic in made.diagnostics] == [
        ("evidence", "odd_name")
    ] * 2
    assert "KeyError" in made.diagnostics[0].message
    assert any("evidence: broken failed on" in text for text in trust_lines(made))


def test_findings_below_the_discard_limit_are_dropped_and_counted(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def detect(scan: Pass, options: object) -> list[Finding]:
        return [
            Finding(
                Place("pkg/m1.py", 1, 1), Severity.HIGH, "odd", (Signal("name", Category.DOCS, value, "so"),)
            )
            for value in (19, 20, 49, 50)
        ]

    odd = msgspec.structs.replace(
        catalogue()["god_function"], id="odd_name", detect=detect, options=NoOptions
    )
    monkeypatch.setattr("crimes.engine.scan.catalogue", lambda: {"odd_name": odd})
    made = report(repo)
    assert (len(made.findings), len(made.hidden), made.summary.discarded) == (1, 2, 1)
    assert made.summary.high == 1
