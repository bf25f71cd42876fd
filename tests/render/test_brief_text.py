"""Briefings as text within a budget, of whole files and of parts, of one file and of several."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from crimes.model.errors import UsageError
from crimes.model.facts import Role
from crimes.model.kind import Kind
from crimes.model.report import Lines, RelatedOut
from crimes.render import context
from crimes.render import lines as lines_module
from crimes.render.brief import markdown
from crimes.workflows.briefing.record import (
    Companion,
    ReachingTests,
    User,
)
from crimes.workflows.briefing.target import narrow, parse_target, parse_targets
from tests.kit.briefings import briefing
from tests.kit.gitrepo import GitRepo
from tests.kit.reports import crime

HUGE = briefing(
    findings=tuple(crime("src/core.py", number, message="é" * 900) for number in range(1, 200)),
    tests=ReachingTests(tuple(f"tests/{'deep/' * 50}test_{number}.py" for number in range(50)), (), 3, "", 0),
    users=tuple(User(f"src/user_{number}.py", ("total",)) for number in range(300)),
)


@pytest.mark.parametrize("budget", [200, 300, 1_500, 4_000])
def test_text_stays_within_its_budget_and_names_what_is_left_out(budget: int) -> None:
    for several in ([HUGE], [HUGE, briefing(), HUGE]):
        text = markdown(several, budget)
        assert len(text.encode()) <= budget * 4
        assert "Not shown: " in text


def test_the_call_at_the_end_shows_everything() -> None:
    few = msgspec.structs.replace(HUGE, findings=HUGE.findings[:40], users=HUGE.users[:7])
    call = markdown([few], 600).splitlines()[-1]
    assert "`crimes context src/core.py --budget " in call
    whole = markdown([few], _budget_of(call))
    assert "Not shown" not in whole
    assert "src/user_6.py" in whole


@pytest.mark.parametrize("budget", [200, 600, 1_500])
def test_the_call_at_the_end_shows_everything_of_several_files(budget: int) -> None:
    """However unequal they are: what one does not need is for the others, whichever comes first."""
    findings = tuple(crime("a.py", number, message="Too complex.") for number in range(1, 90))
    several = [briefing("a.py", findings=findings), briefing("b.py", users=()), briefing("c.py")]
    call = markdown(several, budget).splitlines()[-1]
    assert "`crimes context a.py b.py c.py --budget " in call
    whole = markdown(several, _budget_of(call))
    assert "Not shown" not in whole
    assert len(whole.encode()) > 4 * (_budget_of(call) - 100), "no more is asked for than is needed"


def _budget_of(call: str) -> int:
    return int(call.rstrip("`").rpartition(" ")[2])


@pytest.mark.parametrize("budget", [450, 700, 1_500])
def test_text_uses_nearly_all_of_its_budget(budget: int) -> None:
    findings = tuple(crime("src/core.py", number, message="Too complex.") for number in range(1, 200))
    text = markdown([briefing(findings=findings)], budget)
    assert 4 * budget - 150 < len(text.encode()) <= 4 * budget


def test_long_lists_are_capped_and_the_rest_is_counted() -> None:
    tests = ReachingTests(tuple(f"t/test_{number}.py" for number in range(30)), (), 30, "", 0)
    companions = tuple(Companion(f"src/{number}.py", 20 - number, 20) for number in range(10))
    text = markdown([briefing(tests=tests, users=HUGE.users, companions=companions, other_companions=7)])
    assert "`src/4.py` in 16, 12 more files, less often\n" in text
    assert "src/5.py" not in text
    assert "src/user_7.py" in text
    assert "src/user_8.py" not in text
    assert "(total), 292 more files\n" in text
    assert ", 22 more test files\n" in text


def test_path_in_a_command_is_in_no_list_and_each_list_is_whole() -> None:
    tests = ReachingTests(("t/a.py", "t/b.py", "t/c.py"), (), 3, "python -m pytest t/a.py t/x.py", 2)
    companions = tuple(Companion(name, 4, 9) for name in ("t/b.py", "d.md"))
    text = markdown([briefing(tests=tests, companions=companions)])
    assert (
        "- usually changed together: `t/b.py` in 4 of the last 9 commits to this file, `d.md` in 4\n" in text
    )
    assert "- test files that also import it: `t/c.py`\n" in text
    assert "Not shown" not in text


def test_a_test_that_the_command_names_by_its_class_is_not_listed_again() -> None:
    importing = ("src/a/MoneyTest.java", "src/a/CartTest.java", "src/b/CartTest.java")
    for command, left in (
        ("mvn test -Dtest=MoneyTest,CartTest", "`src/a/CartTest.java`, `src/b/CartTest.java`"),
        ("gradle test --tests a.MoneyTest --tests b.CartTest", "`src/a/CartTest.java`"),
    ):
        text = markdown([briefing(tests=ReachingTests(importing, (), 3, command, 2))])
        assert f"- test files that also import it: {left}\n" in text


def test_a_test_that_the_command_names_by_its_module_is_not_listed_again() -> None:
    importing = ("tests/delete/tests.py", "tests/indexes/tests.py", "tests/schema/tests.py")
    command = "python tests/runtests.py delete.tests indexes.tests"
    text = markdown([briefing(tests=ReachingTests(importing, (), 3, command, 2))])
    assert "- test files that also import it: `tests/schema/tests.py`\n" in text


def test_a_test_in_a_folder_that_the_command_runs_is_not_listed_again() -> None:
    tests = ReachingTests(
        ("a_test.go", "b_test.go", "sub/c_test.go", "far/d_test.go"), (), 4, "go test . ./sub", 3
    )
    assert "- test files that also import it: `far/d_test.go`\n" in markdown([briefing(tests=tests)])


def test_a_command_in_a_folder_names_no_path_of_the_root() -> None:
    tests = ReachingTests(("t/a.py",), (), 1, "cd sub && npx vitest run t/a.py", 1)
    assert "- test files that also import it: `t/a.py`\n" in markdown([briefing(tests=tests)])


def test_files_that_change_with_it_are_written_with_their_odds() -> None:
    companions = tuple(
        Companion(name, often, 9) for name, often in (("a/x.py", 8), ("b.py", 7), ("a/y.py", 6))
    )
    row = (
        "- usually changed together: a/x.py in 8 of the last 9 commits to this file, b.py in 7, a/y.py in 6\n"
    )
    assert row in markdown([briefing(companions=companions)]).replace("`", "")
    assert row in lines_module.plain(context.lines([briefing(companions=companions)]))


def test_odds_are_not_made_of_one_commit() -> None:
    only = briefing(companions=(Companion("a.py", 1, 1), Companion("test_core.py", 0, 1)))
    row = "- usually changed together: `a.py` in the only commit to this file, `test_core.py` (named after it, too new for odds)\n"
    assert row in markdown([only])


def test_tests_that_only_have_the_name_of_a_file_are_told_apart_from_those_that_import_it() -> None:
    tests = ReachingTests(("t/a.py",), ("t/core_test.py",), 1, "", 0)
    text = markdown([briefing(tests=tests)])
    assert "- test files that import it: `t/a.py`\n- tests named after it: `t/core_test.py`\n" in text


def test_file_with_its_own_tests_says_so_and_is_no_test_file_that_imports_it() -> None:
    alone = markdown([briefing(tests=ReachingTests((), (), 0, "cargo test", 1, own=True))])
    assert "(has its own tests); " in alone
    assert "- run `cargo test`\n" in alone
    assert alone.count("its own tests") == 1  # each fact once
    assert "import it" not in alone
    both = markdown([briefing(tests=ReachingTests(("tests/a.rs",), (), 1, "cargo test", 2, own=True))])
    assert "(has its own tests, and 1 test file imports it); " in both
    assert "also import it" not in both  # without `--test`, Cargo runs it too
    some = ReachingTests(("tests/a.rs", "tests/b.rs"), (), 2, "cargo test --test b", 1)
    assert "- test files that also import it: `tests/a.rs`\n" in markdown([briefing(tests=some)])


def test_the_smallest_briefing_has_the_worst_finding_and_a_test() -> None:
    names = tuple(f"packages/shop/src/__tests__/cart_{at}.spec.ts" for at in range(5))
    tests = ReachingTests(names, (), 30, f"pnpm exec vitest run {' '.join(names)}", 5)
    finding = crime("src/core.py", 7, message="Too much of everything " + "and more " * 20)
    text = markdown([briefing(findings=(finding,), tests=tests, users=HUGE.users)], 200)
    assert f"god_function [{finding.id[:7]}]\n" in text
    assert "Too much" not in text
    assert f"- run `pnpm exec vitest run {names[0]}`\n" in text


def test_every_section_gets_its_share_of_a_small_budget() -> None:
    text = markdown([msgspec.structs.replace(HUGE, findings=briefing().findings * 9)], 600)
    assert text.count(" god_function ") >= 1
    assert "src/user_" in text
    assert "## Past" in text


def test_small_briefing_is_shown_completely() -> None:
    text = markdown([briefing()])
    assert "Not shown" not in text
    assert text.startswith(
        "# `src/core.py`\nRisk profile: churn 0.20 (4 commits in the 90 days before 2025-06-01, 9 in the past year with 2 fixes); "
    )
    assert "blast radius 0.14 (7 files depend on it, 2 directly)\npython, source\n" in text
    for title in ("Danger", "Keep in step", "Tests", "Past", "Not known"):
        assert f"\n## {title}\n" in text
    assert "- run `python -m pytest src/core.py`" in text
    assert "- lines 3-20 repeat 18 lines of `src/core.py:30-47`" in text
    assert "- used by: `src/api.py`\n" in text
    assert "- usually changed together: `docs/core.md` in 4 of the last 5 commits to this file\n" in text


def test_files_briefed_together_are_not_listed_for_each_other() -> None:
    one = briefing("a.py", users=(User("b.py", ()), User("c.py", ())), companions=(Companion("b.py", 9, 9),))
    text = markdown([one, briefing("b.py", users=(), companions=())])
    assert "used by: `c.py`" in text
    assert "used by: `b.py`" not in text
    assert "usually changed together" not in text


def test_paths_of_one_folder_are_grouped_unless_ambiguous() -> None:
    names = ("a/x.py", "b/{z}.py", "a/y.py", "top.py", "a/c/w.py", "b/u,v.py")
    text = markdown([briefing(tests=ReachingTests(names, (), 6, "", 0))])
    assert (
        "- test files that import it: `a/{x.py, y.py}`, `b/{z}.py`, `top.py`, `a/c/w.py`, `b/u,v.py`\n"
        in text
    )


def test_plain_objects_give_the_same_text_as_a_briefing() -> None:
    """The hook has no msgspec: it reads the kept JSON with the standard library."""
    made = briefing()
    plain = json.loads(msgspec.json.encode(made), object_hook=lambda entry: SimpleNamespace(**entry))
    assert markdown([plain]) == markdown([made])


def test_the_text_is_made_with_the_standard_library() -> None:
    program = "import sys, crimes.render.brief; print('msgspec' in sys.modules or 'rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_path_is_shown_unescaped_for_copying() -> None:
    assert "`src/my_core_test.py`" in markdown([briefing("src/my_core_test.py")])


def test_terminal_view_shows_the_same_sections() -> None:
    text = lines_module.plain(context.lines([briefing()]))
    assert text.startswith("src/core.py\nRisk profile: churn 0.20 ")
    assert (
        "Keep in step\n  - usually changed together: docs/core.md in 4 of the last 5 commits to this file\n  - used by: src/api.py\n"
        in text
    )


# Parts of a file.


def test_briefing_of_a_symbol_keeps_what_concerns_it() -> None:
    part = narrow(
        briefing(
            findings=(crime("src/core.py", 12, symbol="Cart.total"), crime("src/core.py", 50, symbol="pay")),
            users=(User("a.py", ("pay",)), User("b.py", ("Cart",)), User("c.py", ())),
        ),
        "total",
        Path(),
    )
    assert [finding.symbol for finding in part.findings] == ["Cart.total"]
    assert [user.file for user in part.users] == ["b.py", "c.py"]
    assert [clone.start for clone in part.clones] == [3]
    assert markdown([part]).startswith("# `src/core.py:total`\n")


def test_briefing_of_lines_keeps_what_touches_them() -> None:
    whole = briefing(findings=(crime("src/core.py", 12), crime("src/core.py", 50)))
    assert [finding.lines.start for finding in narrow(whole, "45-60", Path()).findings] == [50]
    assert narrow(whole, "45-60", Path()).clones == ()
    assert len(narrow(whole, "3", Path()).clones) == 1


@pytest.mark.parametrize("part", ["0", "4", "2-4", "90-99"])
def test_lines_outside_the_file_are_an_error_that_says_how_many_there_are(part: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1\nb = 2\nc = 3\n")
    assert narrow(briefing("a.py"), "2-3", tmp_path).focus == "2-3"
    with pytest.raises(UsageError, match=f"^a.py has 3 lines: {part} is outside$"):
        narrow(briefing("a.py"), part, tmp_path)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("Cart.totl", "^no `Cart.totl` in src/core.py; it defines `Cart`; did you mean Cart.total"),
        ("9-3", "ends before it begins"),
    ],
)
def test_unknown_part_is_refused_with_a_suggestion(part: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        narrow(briefing(), part, Path())


def test_target_is_parsed_into_file_and_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = GitRepo(tmp_path)
    repo.write({"a.py": "", "odd:name.py": "", "b/c.rs": ""})
    monkeypatch.chdir(repo.path)
    for written, path, part in (
        ("a.py", "a.py", ""),
        ("a.py:Cart.total", "a.py", "Cart.total"),
        ("a.py:3-9", "a.py", "3-9"),
        ("odd:name.py", "odd:name.py", ""),
        ("odd:name.py:7", "odd:name.py", "7"),
        ("b/c.rs:Shape::area", "b/c.rs", "Shape::area"),
    ):
        found = parse_target(written)
        assert (found.path, found.part) == (path, part)


def test_targets_of_two_repositories_are_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        GitRepo(tmp_path / name).write({"a.py": ""})
    with pytest.raises(UsageError, match="different repositories"):
        parse_targets([str(tmp_path / "one/a.py"), str(tmp_path / "two/a.py")])


def test_part_without_findings_does_not_show_findings_of_the_file() -> None:
    whole = briefing(together=(), fixes_365d=0, cycle=(), findings=(crime("src/core.py", 30),))
    part = narrow(whole, "1-9", Path())
    assert "\npython, source; no findings in this part\n" in markdown([part])


def test_worst_finding_and_test_command_survive_the_smallest_budget() -> None:
    command = "pnpm exec vitest run " + " ".join(
        f"packages/shop/__tests__/cart_{n}.spec.ts" for n in range(5)
    )
    several = briefing(tests=ReachingTests(("t.py",) * 30, (), 30, command, 5), users=HUGE.users)
    text = markdown([several], 350)
    assert " god_function " in text
    assert f"- run `{command}`" in text


def test_briefing_of_a_document_does_not_mention_importers() -> None:
    text = markdown([briefing(role=Role.DOCS, language="markdown")])
    assert text.splitlines()[1:3] == [
        "Risk profile: churn 0.20 (4 commits in the 90 days before 2025-06-01, 9 in the past year with 2 fixes)",
        "markdown, docs",
    ]


def test_the_same_fact_stands_once() -> None:
    """The heading has commits, importers and tests; a fact about the file that repeats them gives only its advice."""
    place = crime(
        "src/core.py", kind=Kind.PLACE, type="load_bearing_file", short="7 files depend on it", fix="Keep it."
    )
    text = markdown([briefing(findings=(place,))])
    assert text.count("7 files depend on it") == 1
    assert f"- load_bearing_file [{place.id[:7]}]: Keep it.\n" in text.replace("\\", "")
    assert "2 fixes" in text
    assert text.count("fixes") == 1


def test_coupled_files_of_a_finding_are_not_listed_again() -> None:
    coupled = crime("src/core.py", type="hidden_coupling", related=(RelatedOut("b.py", Lines(1, 1), "", ""),))
    assert "changes with it" not in markdown(
        [briefing(findings=(coupled,), companions=(Companion("b.py", 9, 9),))]
    )
