"""Which commits changed a tangled function, and what that means for the severity of the finding about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.analyses.function_edits import is_in
from crimes.config.loader import load_config
from crimes.engine.scan import scan
from crimes.model.report import Crime
from crimes.system.git_hunks import Hunk
from tests.kit.gitrepo import GitRepo


def tangled(name: str, blocks: int, wrong: int = -1) -> str:
    """A function that costs 16 for each block; the block `wrong` has a mistake."""
    rows = "".join(
        f"    if {name}{n}:\n        while x:\n            if x and y:\n                for z in x:\n                    if z:\n"
        f"                        {name}_{n}(z, {'0' if n == wrong else '1'})\n"
        for n in range(blocks)
    )
    return f"def {name}(x, y):\n{rows}    return x\n\n\n"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "repo")


def fix_often(repo: GitRepo, blocks: int, fixes: int, days_ago: int = 300) -> None:
    """A file of two functions, two years old; each fix changes another block of the first one."""
    second = tangled("second", 5)
    repo.commit({"a.py": tangled("first", blocks, wrong=0) + second}, "Begin", days_ago=730)
    for number in range(1, fixes + 1):
        code = tangled("first", blocks, wrong=number % blocks if number < fixes else -1) + second
        repo.commit({"a.py": code}, f"Fix the block {number - 1} of it", days_ago=days_ago - 4 * number)


def crimes(repo: GitRepo) -> dict[str, Crime]:
    """Findings of god_function by symbol, with the hidden ones."""
    repo.commit({"b.py": "x = 1\n"}, "Go on")
    report = scan(repo.path, load_config(repo.path, None)).report
    return {
        crime.symbol: crime for crime in (*report.findings, *report.hidden) if crime.type == "god_function"
    }


@pytest.mark.parametrize(
    ("blocks", "fixes", "severity"),
    [
        (5, 1, "low"),
        (5, 2, "low"),
        (5, 3, "low"),
        (5, 8, "medium"),
        (8, 1, "low"),
        (8, 2, "low"),
        (10, 5, "medium"),
    ],
)
def test_severity_follows_complexity_and_fixes(repo: GitRepo, blocks: int, fixes: int, severity: str) -> None:
    fix_often(repo, blocks, fixes)
    first = crimes(repo)["first"]
    assert (first.severity, first.evidence["fixes_3y"].value) == (severity, fixes)


def test_fixes_of_another_function_do_not_count(repo: GitRepo) -> None:
    fix_often(repo, 5, 3)
    found = crimes(repo)
    assert "; changed by 3 fixes in three years (" in found["first"].fact
    assert found["second"].evidence["fixes_3y"].value == 0


def test_function_that_no_fix_changed_is_hidden(repo: GitRepo) -> None:
    repo.commit({"a.py": tangled("first", 5) + tangled("second", 8)}, "Begin", days_ago=730)
    found = crimes(repo)
    assert all(crime.scores.confidence < 0.5 for crime in found.values())
    assert {crime.severity for crime in found.values()} == {"low"}


def test_small_function_that_one_fix_changed_is_hidden(repo: GitRepo) -> None:
    fix_often(repo, 4, 1)
    first = crimes(repo)["first"]
    assert (first.severity, first.scores.confidence < 0.5) == ("low", True)


def test_fixes_of_the_last_month_do_not_count(repo: GitRepo) -> None:
    fix_often(repo, 8, 5, days_ago=25)
    first = crimes(repo)["first"]
    assert (first.severity, first.evidence["fixes_3y"].value) == ("low", 0)


def test_young_file_is_shown_before_it_was_fixed(repo: GitRepo) -> None:
    repo.commit({"old.py": "x = 0\n"}, "Begin", days_ago=730)
    repo.commit({"a.py": tangled("first", 5)}, "Add it", days_ago=100)
    first = crimes(repo)["first"]
    assert (first.severity, first.scores.confidence >= 0.5) == ("low", True)


def test_less_complex_function_of_a_young_file_is_hidden(repo: GitRepo) -> None:
    repo.commit({"old.py": "x = 0\n"}, "Begin", days_ago=730)
    repo.commit({"a.py": tangled("first", 4)}, "Add it", days_ago=100)
    assert crimes(repo)["first"].scores.confidence < 0.5


def test_function_that_was_just_added_to_an_old_file_is_shown(repo: GitRepo) -> None:
    old = tangled("old", 6)
    repo.commit({"a.py": old}, "Begin", days_ago=900)
    repo.commit({"a.py": old + tangled("first", 6)}, "Add to it", days_ago=10)
    found = crimes(repo)
    assert {name: crime.scores.confidence >= 0.5 for name, crime in found.items()} == {
        "old": False,
        "first": True,
    }


def test_function_that_moved_within_its_file_is_not_new(repo: GitRepo) -> None:
    first, old = tangled("first", 6), tangled("old", 6)
    repo.commit({"a.py": first + old}, "Begin", days_ago=900)
    repo.commit({"a.py": old + first}, "Put it in order", days_ago=10)
    assert {crime.scores.confidence >= 0.5 for crime in crimes(repo).values()} == {False}


def test_two_fixes_among_five_commits_make_a_very_large_function_medium(repo: GitRepo) -> None:
    repo.commit({"a.py": tangled("first", 10, wrong=0)}, "Begin", days_ago=730)
    for number in range(1, 6):
        verb = "Fix" if number < 3 else "Change"
        code = tangled("first", 10, wrong=number)
        repo.commit({"a.py": code}, f"{verb} the block {number}", days_ago=300 - 10 * number)
    assert crimes(repo)["first"].severity == "medium"


def test_edits_before_a_file_was_moved_count(repo: GitRepo) -> None:
    fix_often(repo, blocks=10, fixes=5)
    code = (repo.path / "a.py").read_text()
    repo.commit({"a.py": None, "src/a.py": code}, "Move it", days_ago=100)
    first = crimes(repo)["first"]
    assert (first.file, first.evidence["fixes_3y"].value, first.severity) == ("src/a.py", 5, "medium")


def test_moved_file_is_not_young(repo: GitRepo) -> None:
    code = tangled("first", 6)
    repo.commit({"a.py": code}, "Begin", days_ago=900)
    repo.commit({"a.py": None, "src/a.py": code}, "Move it", days_ago=100)
    assert crimes(repo)["first"].scores.confidence < 0.5


def test_file_that_took_the_name_of_a_moved_one_has_its_own_edits(repo: GitRepo) -> None:
    fix_often(repo, blocks=5, fixes=3)
    code = (repo.path / "a.py").read_text()
    repo.commit({"a.py": None, "src/a.py": code}, "Move it", days_ago=100)
    repo.commit({"a.py": tangled("third", 6)}, "Add another", days_ago=90)
    repo.commit({"a.py": tangled("third", 6, wrong=1)}, "Fix the other", days_ago=60)
    found = crimes(repo)
    assert found["first"].evidence["fixes_3y"].value == 3
    assert found["third"].evidence["fixes_3y"].value == 1


def test_complexity_alone_decides_in_a_young_repository(repo: GitRepo) -> None:
    repo.commit({"a.py": tangled("first", 5) + tangled("second", 10)}, "Begin", days_ago=100)
    assert {name: crime.severity for name, crime in crimes(repo).items()} == {
        "first": "low",
        "second": "medium",
    }


def test_old_file_whose_commits_are_all_recent_is_not_young(repo: GitRepo) -> None:
    repo.commit({"a.py": tangled("first", 5) + tangled("second", 5, wrong=1)}, "Begin", days_ago=1400)
    repo.commit({"c.py": "x = 1\n"}, "Go on", days_ago=900)
    repo.commit({"a.py": tangled("first", 5) + tangled("second", 5)}, "Count again", days_ago=100)
    first = crimes(repo)["first"]
    assert first.scores.confidence < 0.5
    assert any("in the two years before" in str(signal) for signal in first.confidence_signals)


def test_import_of_many_files_is_no_edit_and_no_start(repo: GitRepo) -> None:
    repo.commit({"old.py": "x = 0\n"}, "Begin", days_ago=730)
    others = {f"part{number}.py": "x = 1\n" for number in range(40)}
    repo.commit({"a.py": tangled("first", 8), **others}, "Import it", days_ago=100)
    assert crimes(repo)["first"].scores.confidence < 0.5


def edit_often(repo: GitRepo, blocks: int, edits: int) -> None:
    """Like `fix_often`, with commits of which only the first calls itself a fix."""
    repo.commit({"a.py": tangled("first", blocks, wrong=0)}, "Begin", days_ago=730)
    for number in range(1, edits + 1):
        code = tangled("first", blocks, wrong=number % blocks)
        verb = "Fix" if number == 1 else "Ensure"
        repo.commit({"a.py": code}, f"{verb} the block {number}", days_ago=300 - 10 * number)


@pytest.mark.parametrize(("blocks", "edits", "state"), [(5, 4, "hidden"), (5, 8, "shown"), (4, 8, "shown")])
def test_many_edits_with_one_fix_among_them_show_a_function(
    repo: GitRepo, blocks: int, edits: int, state: str
) -> None:
    edit_often(repo, blocks, edits)
    first = crimes(repo)["first"]
    is_shown = first.scores.confidence >= 0.5
    assert (is_shown, first.evidence["edits_3y"].value) == (state == "shown", edits)
    assert f"; changed by {edits} commits, 1 of them a fix, in three years (" in first.fact


def test_comments_and_steps_of_one_piece_of_work_are_no_further_edits(repo: GitRepo) -> None:
    code = tangled("first", 5)
    repo.commit({"a.py": tangled("first", 5, wrong=1)}, "Begin", days_ago=730)
    repo.commit({"a.py": tangled("first", 5, wrong=2)}, "Count anew", days_ago=102)
    repo.commit({"a.py": code}, "Count anew, part two", days_ago=101)
    commented = code.replace("        while x:", "        # as long as it lasts\n        while x:")
    repo.commit({"a.py": commented}, "Explain it", days_ago=50)
    assert crimes(repo)["first"].evidence["edits_3y"].value == 1


def test_change_is_in_a_function_that_has_most_of_the_lines_around_it() -> None:
    around = ("    total = sum(prices)", "    rate = rates[country]", "    total = total * rate")
    hunk = Hunk(around, (*around[:2], "    total = round(total * rate)"), ((2, 3, 2, 3),))
    lines = {line.strip() for line in (*hunk.new, "other = 1")}
    assert is_in(hunk, lines, set())
    assert not is_in(hunk, {"total = sum(prices)", "other = 1"}, set())


def test_change_is_not_in_a_function_whose_lines_all_stand_elsewhere_too() -> None:
    hunk = Hunk(
        ("for price in prices:", "total += 1"), ("for price in prices:", "total += price"), ((1, 2, 1, 2),)
    )
    lines = set(hunk.new)
    assert is_in(hunk, lines, {"for price in prices:"})
    assert not is_in(hunk, lines, lines)
