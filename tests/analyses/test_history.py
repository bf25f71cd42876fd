"""Churn, fixes, authors and co-change, from real repositories made on the spot."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from crimes.analyses.history.git_log import count_commits
from crimes.analyses.history.history import History
from crimes.analyses.history.subjects import is_bot, is_fix, quotable_subject
from crimes.model.errors import Unavailable
from tests.kit.gitrepo import NOW, GitRepo
from tests.kit.histories import history_of
from tests.kit.paths import ROOT

GRACE = "Grace <grace@example.org>"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    return GitRepo(tmp_path / "repo", past=False)


def counts(found: History, path: str) -> tuple[int, int, int]:
    file = found.files[path]
    return file.commits_90d, file.commits_365d, file.commits_3y


def test_windows_are_counted_back_from_head(repo: GitRepo) -> None:
    for days in (400, 366, 365, 91, 90, 5):
        repo.commit({"a.py": f"{days}\n"}, days_ago=days)
    head = repo.commit({"b.py": ""}, days_ago=0)
    found = history_of(repo.path)
    assert counts(found, "a.py") == (2, 4, 6)
    assert counts(found, "b.py") == (1, 1, 1)
    assert (found.head, found.commits, found.reference_time) == (head, 7, NOW)
    assert found.first_commit == NOW - timedelta(days=400)
    assert (found.limited, found.reason) == (False, "")


def test_commits_older_than_three_years_do_not_count(repo: GitRepo) -> None:
    for days in (1100, 1096, 1095, 3):
        repo.commit({"a.py": f"{days}\n"}, days_ago=days)
    repo.commit({"b.py": ""}, days_ago=0)
    found = history_of(repo.path)
    assert counts(found, "a.py") == (1, 1, 2)
    assert (found.commits, found.first_commit) == (3, NOW - timedelta(days=1095))


def test_counts_are_relative_to_the_given_reference_time(repo: GitRepo) -> None:
    repo.commit({"a.py": "1"}, days_ago=200)
    repo.rename("a.py", "b.py", days_ago=100)
    repo.commit({"b.py": "2"}, days_ago=50)
    repo.commit({"b.py": "3"}, "fix: late", days_ago=0)
    earlier = history_of(repo.path, NOW - timedelta(days=60))
    assert counts(earlier, "b.py") == (1, 2, 2)
    assert earlier.files["b.py"].fixes == ()
    assert (earlier.commits, earlier.reference_time) == (2, NOW - timedelta(days=60))
    later = history_of(repo.path, NOW + timedelta(days=300))
    assert counts(later, "b.py") == (0, 2, 4)
    before = history_of(repo.path, NOW - timedelta(days=1000))
    assert (counts(before, "b.py"), before.commits, before.first_commit) == ((0, 0, 0), 0, None)


@pytest.mark.parametrize("name", ["a.py", "shop/a*.py", ":(top)a.py"])
def test_count_commits_counts_the_whole_history_of_a_file(repo: GitRepo, name: str) -> None:
    for days in (4000, 2000, 3):
        repo.commit({name: f"{days}\n", "shop/ab.py": f"{days}\n"}, days_ago=days)
    repo.commit({"shop/ab.py": ""}, days_ago=1)
    assert count_commits(repo.path, name) == 3
    folder, _, last = name.rpartition("/")
    assert count_commits(repo.path / folder, last) == 3


@pytest.mark.parametrize("name", ["gone.py", "../a.py", "/etc/passwd", "a\0b", "--all"])
def test_count_commits_is_zero_for_unknown_paths(repo: GitRepo, name: str) -> None:
    repo.commit({"b.py": "1\n"})
    assert count_commits(repo.path, name) == 0


def test_fix_with_a_repeated_subject_counts_once(repo: GitRepo) -> None:
    repo.commit({"a.py": "x = 0\n"}, "Begin", days_ago=50)
    for day, subject in enumerate(["Fix the total of an empty cart", "fix it"] * 2):
        repo.commit({"a.py": f"x = {day + 1}\n"}, subject, days_ago=40 - day)
    fixes = history_of(repo.path).files["a.py"].fixes
    assert [(fix.subject, fix.when) for fix in fixes] == [
        ("fix it", NOW - timedelta(days=37)),
        ("Fix the total of an empty cart", NOW - timedelta(days=38)),
        ("fix it", NOW - timedelta(days=39)),
    ]


def test_history_has_authors_last_change_and_fixes_of_a_file(repo: GitRepo) -> None:
    repo.commit({"a.py": "1", ".mailmap": "Grace <grace@example.org> <old@example.org>\n"}, days_ago=500)
    repo.commit({"a.py": "2"}, "fix: crash on start", days_ago=400)
    repo.commit(
        {"a.py": "3"}, "Fixed #7 -- Fixed crash on stop", days_ago=30, author="G. H. <old@example.org>"
    )
    sha = repo.commit({"a.py": "4"}, "fix: crash in between", days_ago=10, author=GRACE)
    repo.commit({"a.py": "5"}, "fix: typo", days_ago=9, author="renovate[bot] <r@example.org>")
    repo.commit({"b.py": "1"}, days_ago=0)
    file = history_of(repo.path).files["a.py"]
    assert [fix.subject for fix in file.fixes] == ["fix: crash in between", "Fixed #7 -- Fixed crash on stop"]
    assert [fix.subject for fix in file.older_fixes] == ["fix: crash on start"]
    assert file.fixes[0].sha == sha[:12]
    assert file.fixes[0].author == "Grace"
    assert file.fixes[0].when == NOW - timedelta(days=10)
    assert file.authors == (("Ada", 2), ("Grace", 2))  # a bot is no author
    assert file.commits_3y == 5  # but its commit is churn
    assert file.last is not None
    assert file.last.subject == "fix: typo"
    assert file.author_last_seen == {"Ada": NOW, "Grace": NOW - timedelta(days=10)}


def test_renames_are_followed(repo: GitRepo) -> None:
    repo.commit({"a.py": "one\n", "x.py": "ex\n"}, days_ago=50)
    repo.commit({"a.py": "two\n"}, days_ago=40)
    repo.rename("a.py", "pkg/b.py", days_ago=30)
    repo.commit({"a.py": "another file under the old name\n"}, days_ago=20)
    repo.rename("pkg/b.py", "pkg/c.py", days_ago=10)
    found = history_of(repo.path)
    assert found.files["pkg/c.py"].commits_3y == 4  # a.py twice, and two moves
    assert found.files["a.py"].commits_3y == 1
    assert found.files["x.py"].commits_3y == 1


def test_recreated_file_keeps_its_history_and_a_deleted_one_is_dropped(repo: GitRepo) -> None:
    repo.commit({"a.py": "1", "b.py": ""}, days_ago=30)
    repo.delete("a.py", days_ago=20)
    repo.commit({"a.py": "2"}, days_ago=10)
    repo.delete("b.py", days_ago=0)
    found = history_of(repo.path)
    assert counts(found, "a.py") == (3, 3, 3)
    assert list(found.files) == ["a.py"]


def test_empty_files_are_not_renames_of_each_other(repo: GitRepo) -> None:
    repo.commit({"a/__init__.py": ""}, days_ago=20)
    repo.rename("a/__init__.py", "b/__init__.py", days_ago=0)
    assert history_of(repo.path).files["b/__init__.py"].commits_3y == 1


def test_merges_do_not_count(repo: GitRepo) -> None:
    repo.commit({"a.py": "1\n", "b.py": "1\n"}, days_ago=30)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.py": "2\n"}, days_ago=20)
    repo.git("checkout", "-q", "main")
    repo.commit({"b.py": "2\n"}, days_ago=10)
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    found = history_of(repo.path)
    assert counts(found, "a.py") == (2, 2, 2)
    assert found.commits == 4


def test_files_that_change_together_are_coupled(repo: GitRepo) -> None:
    for number in range(4):
        repo.commit(
            {"a.py": f"{number}", "b.py": f"{number}", "c.py": f"{number // 2}"}, days_ago=100 - number
        )
    repo.commit({"a.py": "alone"}, days_ago=50)
    repo.commit({"a.py": "old", "c.py": "old"}, days_ago=0)
    found = history_of(repo.path)
    assert found.together == {("a.py", "b.py"): 4, ("a.py", "c.py"): 3}
    assert found.pair_commits == {"a.py": 6, "b.py": 4, "c.py": 3}
    assert found.partners("a.py", 5) == (("b.py", 4), ("c.py", 3))
    assert found.partners("a.py", 1) == (("b.py", 4),)
    assert found.partners("unknown.py", 5) == ()


def test_bulk_bot_old_and_formatting_commits_create_no_coupling(repo: GitRepo) -> None:
    both = ("a.py", "b.py")
    many = [f"data/{number}.txt" for number in range(29)]
    for number in range(3):
        days = 90 - number * 10
        repo.commit(dict.fromkeys((*both, *many), f"bulk {number}"), "Bulk", days_ago=days + 1)
        repo.commit(
            dict.fromkeys(both, f"bot {number}"), days_ago=days, author="dependabot[bot] <d@example.org>"
        )
        repo.commit(dict.fromkeys(both, f"old {number}"), days_ago=500 - number)
        sha = repo.commit(dict.fromkeys(both, f"format {number}"), "Reformat", days_ago=days - 1)
        revisions = repo.path / ".git-blame-ignore-revs"
        old = revisions.read_text() if revisions.exists() else "# formatting\n"
        revisions.write_text(old + sha + "\n")
    repo.commit(dict.fromkeys((*both, *many[:27]), "thirty files"), days_ago=0)
    found = history_of(repo.path)
    assert found.together == {}
    assert found.pair_commits == {"a.py": 1, "b.py": 1}
    assert counts(found, "a.py") == (6, 7, 10)  # reformatting is not churn; bots and bulk are
    assert found.commits == 13


def test_history_of_a_subfolder_uses_its_own_paths(repo: GitRepo) -> None:
    repo.commit({"old.py": "moves in\n", "sub/a.py": "1", "other/a.py": "1"}, days_ago=20)
    repo.rename("old.py", "sub/new.py", days_ago=10)
    repo.commit({"other/a.py": "2"}, days_ago=0, author=GRACE)
    repo.git("config", "diff.relative", "true")
    found = history_of(repo.path / "sub")
    assert list(found.files) == ["a.py", "new.py"]
    assert counts(found, "a.py") == (1, 1, 1)
    assert counts(found, "new.py") == (2, 2, 2)
    assert found.commits == 3


def test_untracked_file_has_an_empty_past(repo: GitRepo) -> None:
    repo.commit({"a.py": ""})
    repo.write({"new.py": ""})
    file = history_of(repo.path).files["new.py"]
    assert (file.commits_3y, file.authors, file.last, file.fixes) == (0, (), None, ())


def test_unusual_file_names_and_subjects_are_read(repo: GitRepo) -> None:
    raw = "caf\udce9.py"
    repo.commit(
        {"new\nline.py": "", raw: "", "R100": "", "M.py": ""},
        "Subject \x1b[31m\tred",
        author="Ünï \x1b <u@x>",
    )
    found = history_of(repo.path)
    assert found.files["new\nline.py"].commits_3y == 1
    assert found.files[raw].commits_3y == 1
    last = found.files["M.py"].last
    assert last is not None
    assert "red" in last.subject


def test_history_ends_at_a_detached_head(repo: GitRepo) -> None:
    first = repo.commit({"a.py": "1"}, days_ago=10)
    repo.commit({"a.py": "2"}, days_ago=0)
    repo.git("checkout", "-q", "--detach", first)
    found = history_of(repo.path)
    assert (found.head, found.commits, found.reference_time) == (first, 1, NOW - timedelta(days=10))


@pytest.mark.parametrize("seconds", [0, 1, 2**31, 2**32, 253402300799, 10**12, 2**63 - 1])
def test_commits_with_extreme_dates_are_read(repo: GitRepo, seconds: int) -> None:
    repo.commit({"a.py": "1"}, days_ago=10)
    tree = repo.git("rev-parse", "HEAD^{tree}")
    head = repo.git("rev-parse", "HEAD")
    body = f"tree {tree}\nparent {head}\nauthor A <a@x> {seconds} +9999\ncommitter A <a@x> {seconds} +9999\n\nodd\n"
    (repo.path / "commit.txt").write_text(body)
    odd = repo.git("hash-object", "-t", "commit", "-w", "--literally", "commit.txt")
    repo.git("update-ref", "HEAD", odd)
    found = history_of(repo.path)
    ahead = seconds > 2**31 - 1  # so far that it leaves the other behind
    assert (found.commits, found.files["a.py"].commits_3y) == ((1, 0) if ahead else (2, 1))
    assert found.reference_time.tzinfo is UTC


def test_commit_without_dates_or_names_is_read(repo: GitRepo) -> None:
    repo.commit({"a.py": "1"}, days_ago=10)
    tree, head = repo.git("rev-parse", "HEAD^{tree}"), repo.git("rev-parse", "HEAD")
    (repo.path / "commit.txt").write_text(f"tree {tree}\nparent {head}\n\nno one\n")
    repo.git("update-ref", "HEAD", repo.git("hash-object", "-t", "commit", "-w", "--literally", "commit.txt"))
    assert history_of(repo.path).commits == 2


def test_shallow_clone_is_limited_with_a_reason(repo: GitRepo, tmp_path: Path) -> None:
    for days in (90, 60, 30, 12, 0):
        repo.commit({"a.py": f"{days}", "b.py": "same"}, days_ago=days)
    clone = GitRepo.clone(repo, tmp_path / "clone", "--depth=3")
    found = history_of(clone.path)
    assert found.limited
    assert (
        found.reason
        == "shallow clone with 30 days of history; run `git fetch --unshallow`, or set fetch-depth: 0 in CI"
    )
    assert counts(found, "a.py") == (2, 2, 2)  # the commit it was cut at seems to add everything
    assert counts(found, "b.py") == (0, 0, 0)
    assert found.commits == 3
    one = history_of(GitRepo.clone(repo, tmp_path / "one", "--depth=1").path)
    assert (one.limited, counts(one, "a.py")) == (True, (0, 0, 0))
    assert one.reason.startswith("shallow clone with 0 days of history")
    whole = GitRepo.clone(repo, tmp_path / "whole", "--depth=50")
    assert not history_of(whole.path).limited
    assert counts(history_of(whole.path), "a.py") == (5, 5, 5)


def test_history_is_read_without_blob_contents(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"a.py": "one\n", "b.py": "bee\n"}, days_ago=20)
    repo.commit({"a.py": "two\n"}, days_ago=10)
    repo.rename("b.py", "c.py", days_ago=0)
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = GitRepo.clone(repo, tmp_path / "clone", "--filter=blob:none")
    assert "?" in clone.git("rev-list", "--objects", "--missing=print", "HEAD")  # the trap works
    clone.git("remote", "set-url", "origin", (tmp_path / "gone").as_uri())
    found = history_of(clone.path)
    assert (found.limited, counts(found, "a.py"), counts(found, "c.py")) == (False, (2, 2, 2), (2, 2, 2))


def test_log_that_breaks_off_is_limited_with_a_reason(repo: GitRepo) -> None:
    repo.commit({"a.py": "1"}, days_ago=20)
    tree = repo.git("rev-parse", "HEAD^{tree}")
    repo.commit({"a.py": "2"}, days_ago=10)
    repo.commit({"a.py": "3"}, days_ago=0)
    (repo.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    found = history_of(repo.path)
    assert found.limited
    assert found.reason.startswith("git log stopped early: ")
    assert tree in found.reason
    assert found.files["a.py"].commits_3y >= 1


def test_missing_history_is_unavailable_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(Unavailable, match=r"^not a git repository$"):
        history_of(plain)
    with pytest.raises(Unavailable, match="does not have any commits yet"):
        history_of(GitRepo(tmp_path / "empty", past=False).path)
    whole = GitRepo(tmp_path / "whole", past=False)
    whole.commit({"a.py": ""})
    bare = GitRepo.clone(whole, tmp_path / "bare", "--bare")
    with pytest.raises(Unavailable, match=r"^a bare repository has no files"):
        history_of(bare.path)
    (whole.path / ".git/HEAD").write_text("rubbish \x1b[31m")
    with pytest.raises(Unavailable, match="not a git repository"):
        history_of(whole.path)


def test_repository_of_another_user_is_unavailable(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.py": ""})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    with pytest.raises(Unavailable, match=r"^detected dubious ownership in repository at '\.'$"):
        history_of(repo.path)


def test_mailmap_that_is_a_pipe_does_not_block(repo: GitRepo) -> None:
    repo.commit({"a.py": ""})
    os.mkfifo(repo.path / ".mailmap")
    code = "import sys; from pathlib import Path; from tests.kit.histories import history_of; history_of(Path(sys.argv[1]))"
    here = ROOT
    subprocess.run([sys.executable, "-c", code, str(repo.path)], cwd=here, check=True, timeout=60)


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        # django
        ("Fixed #36714 -- Fixed context sharing among async signal handlers.", True),
        ("Fixed #35442 -- Prevented N+1 queries in RelatedManager with only().", True),
        ("[4.2.x] Fixed CVE-2025-64458 -- Mitigated potential DoS in HttpResponseRedirect on Windows.", True),
        ("Fixed #35606, Refs #34045 -- Fixed rendering of ModelAdmin.action_checkbox.", True),
        ("Fixed #35837 -- Added missing alters_data=True to QuerySet and UserManager methods.", True),
        ("Refs #30664 -- Fixed migrations crash when altering AutoField on PostgreSQL.", True),
        ("Fixed a regression in forms changed_data", True),
        ("Fix bug introduced in contrib.gis in 74f3884ae0", True),
        ("[py3] Fix encoding issues in contrib.sessions", True),
        ("Closes #8815, Fix date/time formats for Arabic. Thanks Ossama M. Khayat.", True),
        ("Fixed is_safe_url() to handle leading whitespace.", True),
        ("Fixed #36532 -- Added Content Security Policy view decorators.", False),
        ("Fixed #36848 -- Mentioned BadRequest exception in docs/ref/views.txt.", False),
        ("Fixed #31327 -- Deprecated providing_args argument for Signal.", False),
        ("Fixed #23842 -- Fixed flaky GeoQuerySetTest.test_make_line() test.", False),
        ("Fixed typo in django/contrib/gis/geos/geometry.py.", False),
        ("Fixed spelling in docs.", False),
        ("Fixed F841 flake8 warning.", False),
        ("Fixed a couple of test failures on Windows.", False),
        ("Fixed references to django.core.cache in docs.", False),
        ("Fixed a deprecation warning introduced by 96dd48c83f.", False),
        ("Fixed permissions for GitHub action with screenshots.", False),
        ("Refs #36121 -- Fixed location of release note.", False),
        ("Refs #4476 -- Added tests for assertRedirects() when following redirect chains.", False),
        ("Fixed #25243 -- Added inspectdb regression test for sqlite_schema FK.", False),
        ('Reverted "Fixed #27818 -- Replaced try/except/pass with contextlib.suppress()."', False),
        ("Added CVE-2026-3902 to security archive.", False),
        ("Fixed docs typos.", False),
        # vue
        ("fix(runtime-dom): prevent unnecessary updates in v-model checkbox (#12146)", True),
        ("fix(types): fix distribution of union types when unwrapping setup bindings (#9909)", True),
        ("fix(compiler-core): should not condense whitespace in RCDATA text mode (#3482)", True),
        ("fix(compiler-sfc): should extract comment for import or type declarations (#2107)", True),
        ("fix: $emit should check for raw parent data for listeners", True),
        ("fix(deps): update all non-major dependencies (#14070)", False),
        ("chore: fix typos in CHANGELOG.md (#9746) [ci skip]", False),
        ("test: fix await patch prop case (#7600)", False),
        ("types: fix internal exports from @vue/shared", False),
        ("ci: fix canary release workflow (#11516)", False),
        ("build: fix size check", False),
        ("refactor: improve the fix for #4138", False),
        ("feat(runtime-dom/style): support CSS variables and auto prefixing", False),
        ('Revert "fix(compiler-sfc): infer correct type for enums"', False),
        ("release: v3.5.37", False),
        # elsewhere
        ("parser: fix crash on empty input", True),
        ("hotfix: stop charging twice", True),
        ("Hotfix for the login loop", True),
        (":bug: fix the login loop", True),
        ("🐛 Fix the login loop", True),
        ("FIX: off by one", True),
        ("fix!: drop the wrong default", True),
        ("Handle empty carts, fix total", True),
        ("Add dark mode, fixes #12", False),
        ("Add prefix and suffix options", False),
        ("fix: typo in readme", False),
        ("fix docs", False),
        ("Fix two Javadoc errors in StringUtils (#1763)", False),
        ("Fix the docker image", True),
        ("fixed pyright issues", False),
        ("[Fix #13876] Do not consider `pp` for redundant requires", True),
        ("[Fix acme#12343] Add a rule for empty classes", False),
        ("tls: Only make a solver if none is set (fix #6880)", True),
        ("headers: Allow empty operations (fix #6893)", False),
        ("rewrite: Avoid panic on bad argument count (#6571)", True),
        ("config.c: Don't leak the file handle of an empty file (#12828)", True),
        ("tls: panic when the pool is remote (#7393)", True),
        ("Crash report: Use more characters of arguments (#13413)", False),
        ("Bug 1234567 - Fix an off-by-one in the scroll bar", True),
        ("Fix name lookup of annotations on Python 3.14 (#10165)", True),
        ("Fix return type annotations (#12)", False),
        ("Fix docblocks of the helpers", False),
        ("Fix new clippy lints (#3054)", False),
        ("fix(examples): add a missing feature (#3773)", False),
        ("Fix race in the failover test (#11900)", False),
        ("Fix the test client losing cookies", True),
        ("Fix compilation warning in auth.c (#11925)", False),
        ("Fix link to the policy in CONTRIBUTING.md (#7576)", False),
        ("Fix merge conflicts", False),
        ("fix last commit", False),
        ('fix: Revert "fix: Offline Shopping List Fixes" (#3835)', False),
        ("fix: release the lock when the job ends", True),
        ("fix lint", False),
        ("Fix formatting", False),
        ("Update bug report template", False),
        ("debugging output", False),
        ("[FIXED] Deletes of a stream can stall", True),
        ("[FIXED] Typo in the README", False),
        ("[fix] lint", False),
        ("[FIX] ci", False),
        ("Fixed: the total of an empty cart", True),
        ("Fixed: typo", False),
        ("[BUG][Sales] The total is wrong", True),
        ("(bugfix) The total is wrong", True),
        ("Resolve #12: the total of an empty cart is None", True),
        ("Resolved issue ABC-12", True),
        ("Resolves #12: Add a button", False),
        ("Resolves #12: typo in the docs", False),
        ("Issue #45: wrong total", True),
        ("Issue templates", False),
        ("Resolve merge conflict", False),
        ("Resolve dependencies", False),
        ("Merge pull request #3 from ada/fix-crash", False),
        ("", False),
        ("[" * 10_000, False),
        ("in " * 100_000, False),
    ],
)
def test_fix_commits_are_recognized_by_their_subject(subject: str, expected: bool) -> None:
    assert is_fix(subject) is expected


@pytest.mark.parametrize(
    ("author", "email", "expected"),
    [
        ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", True),
        ("Renovate", "bot@renovateapp.com", True),
        ("pre-commit-ci", "x@example.org", True),
        ("github-actions", "x@example.org", True),
        ("vue-bot", "x@example.org", True),
        ("Someone", "12+some[bot]@users.noreply.github.com", True),
        ("Ada Abbot", "abbot@example.org", False),
        ("Robotham", "r@bot.example.org", False),
    ],
)
def test_bots_are_recognized_by_author_and_email(author: str, email: str, expected: bool) -> None:
    assert is_bot(author, email) is expected


@pytest.mark.parametrize(
    ("subject", "quoted"),
    [
        ("Fix rounding of totals", "Fix rounding of totals"),
        ("fix(cart)!: round totals (#1234)", "round totals"),
        ("\U0001f41b fix: round totals", "round totals"),
        (":bug: Round totals \u2728", "Round totals"),
        ("[4.2.x] Fixed crash of the cart.", "Fixed crash of the cart"),
        ("SHOP-12: round totals [closes #12, #13]", "round totals"),
        ("fix: SHOP-12 - round totals", "round totals"),
        ("#12: round totals", "round totals"),
        ("3 fixes for the parser (v2)", "3 fixes for the parser (v2)"),
        ("parser: handle an empty file", "parser: handle an empty file"),
        ("Keep the order of items when two of them share a price", "Keep the order of items when two of…"),
        ("fix: ", "fix:"),
        ("Fixed #37259, #8 -- Restored support.", "Restored support"),
        ("Refs #12 -- Made it strict", "Made it strict"),
        ("Fix 3 crashes", "Fix 3 crashes"),
        ("Fixed CVE-2026-1285 -- Capped it.", "Fixed CVE-2026-1285 -- Capped it"),
        ("SHOP-12-3: round totals", "round totals"),
    ],
)
def test_quoted_subject_has_no_decoration_and_ends_with_a_word(subject: str, quoted: str) -> None:
    assert quotable_subject(subject, 36) == quoted
