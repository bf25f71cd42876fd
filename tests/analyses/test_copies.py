"""Copied regions, what excuses them, and edits that history made in several copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crimes.analyses.clones import Copy
from crimes.analyses.copies import past_edits
from crimes.analyses.copies.excuses import are_mirrors, are_variants
from crimes.analyses.copies.groups import CloneGroup, SourceLines, regions_of
from crimes.analyses.copies.shared_edits import SharedEdit, is_upkeep
from crimes.analyses.history.fixes import CommitRef
from crimes.model.codec import encode
from crimes.model.report import Crime
from crimes.model.severity import Severity
from crimes.system.git import WorkTree
from crimes.system.git_hunks import patches_of
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from crimes_detectors.cloned_logic import DETECTOR, severity_of
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import CLONED

COLD = ScanOptions(cache=False, jobs=1)
EDITED = next(example for example in DETECTOR.examples if example.title.startswith("two copies that three"))
LATE = next(example for example in DETECTOR.examples if "later" in example.title)


class _Lines(SourceLines):
    """A file in which every line holds code."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        return self._lines.setdefault(path, ["code"] * 500)


def group(*places: tuple[str, int, int], verbatim: bool = True) -> CloneGroup:
    copies = tuple(Copy(path, 0, start, end) for path, start, end in places)
    return CloneGroup(copies, places[0][2] - places[0][1] + 1, 100, 100, verbatim)


def places(groups: Sequence[CloneGroup]) -> list[list[tuple[str, int, int]]]:
    return [
        [(copy.path, copy.start, copy.end) for copy in region.copies]
        for region in regions_of(groups, _Lines())
    ]


def test_blocks_that_follow_one_another_in_two_places_are_one_region() -> None:
    blocks = [group(("a", 10, 30), ("b", 110, 130)), group(("a", 35, 50), ("b", 136, 151))]
    assert places(blocks) == [[("a", 10, 50), ("b", 110, 151)]]
    [region] = regions_of(blocks, _Lines())
    assert (region.lines, region.verbatim_lines) == (37, 37)


def test_blocks_that_overlap_in_one_place_are_one_region() -> None:
    assert places([group(("a", 10, 40), ("b", 1, 31)), group(("a", 25, 45), ("c", 1, 21))]) == [
        [("a", 10, 45), ("b", 1, 31), ("c", 1, 21)]
    ]


def test_a_region_has_as_many_lines_as_both_of_its_first_places_share() -> None:
    [region] = regions_of([group(("a", 10, 40), ("b", 1, 31)), group(("a", 25, 45), ("c", 1, 21))], _Lines())
    assert (region.lines, region.verbatim_lines) == (31, 31)


def test_blocks_far_from_each_other_are_two_regions() -> None:
    blocks = [group(("a", 10, 30), ("b", 10, 30)), group(("a", 60, 75), ("b", 60, 75))]
    assert len(places(blocks)) == 2


def test_more_blocks_of_the_same_functions_are_no_further_copies() -> None:
    shared = [group(("a.py", 1, 40), ("b.py", 1, 40)), group(("a.py", 30, 60), ("b.py", 90, 120))]
    assert places(shared) == [[("a.py", 1, 60), ("b.py", 1, 120)]]


def test_copies_of_a_region_do_not_run_into_each_other() -> None:
    blocks = [group(("a", 10, 30), ("a", 36, 56)), group(("a", 20, 40), ("a", 46, 66))]
    [[first, second]] = places(blocks)
    assert first[2] < second[1]


@pytest.mark.parametrize(
    ("names", "mirrored"),
    [
        (("read_frame", "write_frame"), True),
        (("Client.send", "AsyncClient.send"), True),
        (("ByteChunker.decode", "TextChunker.decode"), True),
        (("total_sale", "total_refund"), False),
        (("Sales.total", "Refunds.total"), False),
    ],
)
def test_mirrors_differ_in_twins_only(names: tuple[str, str], mirrored: bool) -> None:
    assert are_mirrors(names) == mirrored


def test_paths_that_differ_in_a_version_are_variants() -> None:
    assert are_variants(["rx2/src/await.kt", "rx3/src/await.kt"])
    assert not are_variants(["src/sales.kt", "src/refunds.kt"])


@pytest.mark.parametrize(
    ("subject", "upkeep"),
    [
        ("refactor: one way to count", True),
        ("Bump the parser to 2.3", True),
        ('Revert "Count discounts"', True),
        ("Fix -Wshadow warnings", True),
        ("Use atomics where appropriate", True),
        ("Count only active discounts", False),
        ("Fix rounding of refunds", False),
    ],
)
def test_upkeep_is_told_by_the_subject(subject: str, upkeep: bool) -> None:
    assert is_upkeep(subject) == upkeep


def committed(repo: GitRepo, extra: Mapping[str, str] | None = None) -> GitRepo:
    """The example's history; its edits also change the extra files."""
    for commit in EDITED.history:
        more = {path: f"{text}# {commit.message}\n" for path, text in (extra or {}).items()}
        repo.commit({**commit.files, **more}, commit.message, days_ago=commit.days_ago)
    repo.commit({"notes.txt": "done"})
    return repo


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    return GitRepo(tmp_path / "repo")


def cloned(repo: GitRepo) -> list[Crime]:
    """The findings of a warm scan, which are those of a cold one."""
    warm = Session(repo.path).report()
    assert encode(warm) == encode(Session(repo.path, COLD).report())
    return [crime for crime in warm.findings if crime.type == DETECTOR.id]


def test_the_finding_names_the_commits_that_edited_both_copies(repo: GitRepo) -> None:
    [crime] = cloned(committed(repo))
    assert crime.fact.endswith("; 3 commits since 2024-11 made the same edit in both copies.")
    assert [item["subject"] for item in crime.evidence["shared_edits"].items] == [
        "Discounts are a share of the price",
        "Only active discounts count",
        "Taxes are a share of the price",
    ]
    assert crime.fix == "Extract a shared function and pass the differences as parameters."


def test_the_finding_names_the_days_of_an_edit_that_came_late(repo: GitRepo) -> None:
    for commit in LATE.history:
        repo.commit(commit.files, commit.message, days_ago=commit.days_ago)
    repo.commit({"crimes.toml": "[detectors.cloned_logic]\nmin_large_lines = 12\n"})
    [crime] = cloned(repo)
    assert "an edit of 2024-11-13 reached another copy only on 2025-02-21" in crime.fact


def test_commits_of_many_files_are_no_evidence(repo: GitRepo) -> None:
    assert cloned(committed(repo, {f"part{n}.py": "a = 1\n" for n in range(30)})) == []


def test_an_edit_made_all_over_a_file_is_no_evidence(repo: GitRepo) -> None:
    """Calls that change in four more functions change because of what they call."""
    parts = ["        price = row.price * row.amount\n", "        if row.discount"]
    other = "".join(
        f"def other_{n}(row):\n    for row in row:\n{''.join(parts)}:\n            pass\n" for n in range(4)
    )
    files = {path: text + other for path, text in EDITED.history[-1].files.items() if text}
    edited = {
        path: text.replace("row.price * row.amount", "row.price.of(row.amount, 2)")
        for path, text in files.items()
    }
    repo.commit(files, "Add totals", days_ago=300)
    repo.commit(edited, "Prices know their amount", days_ago=100)
    repo.commit({"notes.txt": "done"})
    assert cloned(repo) == []


def test_the_id_does_not_depend_on_history(repo: GitRepo, tmp_path: Path) -> None:
    [with_history] = cloned(committed(repo))
    other = GitRepo(tmp_path / "other")
    files = {path: text for path, text in EDITED.history[-1].files.items() if text}
    sales = files["sales.py"].replace("total_sale", "total_refund").replace("sale", "refund")
    settings = "[detectors.cloned_logic]\nmin_verbatim_lines = 12\n"
    other.commit({**files, "sales.py": sales, "crimes.toml": settings})
    [without] = cloned(other)
    assert without.id == with_history.id
    assert "commits since" in with_history.fact
    assert "commit" not in without.fact


_REF = CommitRef("a" * 12, datetime(2025, 1, 1, tzinfo=UTC), "Ada", "Fix totals")
_TOGETHER, _LATE = SharedEdit(_REF, None, 2), SharedEdit(_REF, _REF, 2)


@pytest.mark.parametrize(
    ("lines", "edits", "severity"),
    [
        (85, [], Severity.LOW),
        (73, [_TOGETHER] * 2, Severity.MEDIUM),
        (43, [_TOGETHER] * 2, Severity.LOW),
        (43, [_TOGETHER] * 3, Severity.MEDIUM),
        (43, [_LATE], Severity.MEDIUM),
        (19, [_TOGETHER] * 3, Severity.LOW),
        (19, [_LATE], Severity.LOW),
    ],
)
def test_severity_follows_how_much_has_to_be_edited_twice(
    lines: int, edits: list[SharedEdit], severity: Severity
) -> None:
    assert severity_of(lines, edits, further_runs=0) is severity


@pytest.mark.parametrize(("runs", "severity"), [(9, Severity.LOW), (10, Severity.MEDIUM)])
def test_a_copy_of_a_whole_file_is_medium(runs: int, severity: Severity) -> None:
    assert severity_of(50, [], further_runs=runs) is severity


def test_a_shallow_clone_shows_no_shared_edits(repo: GitRepo, tmp_path: Path) -> None:
    clone = GitRepo.clone(committed(repo), tmp_path / "clone", "--depth=2")
    assert cloned(clone) == []


def test_git_is_asked_once_for_what_commits_changed(
    repo: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "asked"  # a scan runs in a process of its own

    def logged(tree: WorkTree, commits: Sequence[str], paths: Sequence[str]) -> object:
        with log.open("a") as file:
            file.write(f"{len(commits)} of {' '.join(paths)}\n")
        return patches_of(tree, commits, paths)

    monkeypatch.setattr(past_edits, "patches_of", logged)
    committed(repo)
    for text in ("one", "two", "three"):
        repo.write({"notes.py": f"{text} = 1\n"})
        Session(repo.path).report()
    assert log.read_text() == "4 of refunds.py sales.py\n"


@pytest.mark.parametrize(("edited_path", "reported"), [("notes.txt", False), ("one/totals.py", True)])
def test_long_copies_that_nobody_touched_for_three_years_are_left_alone(
    repo: GitRepo, edited_path: str, reported: bool
) -> None:
    settings = {"crimes.toml": "[detectors.cloned_logic]\nmin_verbatim_lines = 35\n"}
    copies = {f"{part}/totals.py": CLONED for part in ("one", "two")}
    repo.commit({**copies, **settings}, "Add totals", days_ago=2000)
    repo.commit({"other.py": "a = 1\n"}, "Add other", days_ago=1090)
    repo.commit({edited_path: f"{CLONED}# done\n"}, "Note", days_ago=50)
    repo.commit({"other.py": "a = 2\n"}, "Change")
    assert bool(cloned(repo)) == reported
