"""Which fixes count: one for a pull request, none that changed no code, and the reasons for those left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from crimes.analyses.history import fixes as fixes_module
from crimes.analyses.history.cached_history import load_history, save_history
from crimes.analyses.history.fixes import BROAD, COSMETIC, REVERTED, SAME_PULL_REQUEST, UPKEEP, is_cosmetic
from crimes.analyses.history.history import HISTORY, FileHistory
from crimes.analyses.history.pull_requests import MAX_PULL_REQUEST_COMMITS, merged_branches
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.discovery.discover import discover
from crimes.incremental.store import Cache
from crimes.languages import by_id
from crimes.languages.engine import code_tokens as code_tokens_module
from crimes.languages.spec import Language
from crimes.model.facts import FileFacts, Role
from crimes.model.repository import File, Repo
from crimes.system import git
from crimes.system.git_patches import WHOLE_FILE_LINES, Patch, Version, read_patches
from tests.kit.gitrepo import NOW, GitRepo
from tests.kit.histories import history_of


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "repo", past=False)
    made.commit({"a.py": "x = 0\n"}, "Begin", days_ago=90)
    return made


def past_of(repo: GitRepo, path: str = "a.py") -> FileHistory:
    return history_of(repo.path).files[path]


def subjects(past: FileHistory) -> list[str]:
    return [fix.subject for fix in past.fixes]


def test_merged_branch_is_one_fix(repo: GitRepo) -> None:
    repo.git("switch", "-q", "-c", "side")
    for number in range(3):
        repo.commit({"a.py": f"x = {number + 1}\n"}, f"Fix case {number} of the cart", days_ago=50 - number)
    repo.git("switch", "-q", "main")
    repo.commit({"b.py": "y = 1\n"}, "Go on", days_ago=45)
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    repo.commit({"a.py": "x = 9\n"}, "Fix the empty cart on main", days_ago=20)
    past = past_of(repo)
    assert subjects(past) == ["Fix the empty cart on main", "Fix case 2 of the cart"]
    assert past.left_out_fixes == ((SAME_PULL_REQUEST, 2),)


def test_number_in_the_subject_and_a_fixup_are_one_fix(repo: GitRepo) -> None:
    repo.commit({"a.py": "x = 1\n"}, "fix: empty cart (#12)", days_ago=30)
    repo.commit({"a.py": "x = 2\n"}, "fix: cart without rows (#12)", days_ago=29)
    repo.commit({"a.py": "x = 3\n"}, "fix it", days_ago=20)
    repo.commit({"a.py": "x = 4\n"}, "fixup! fix it", days_ago=19.6)
    repo.commit({"a.py": "x = 5\n"}, "fix it", days_ago=19.2)
    past = past_of(repo)
    assert subjects(past) == ["fix it", "fix: cart without rows (#12)"]
    assert dict(past.left_out_fixes) == {SAME_PULL_REQUEST: 2, UPKEEP: 1}


def test_reverted_fix_does_not_count_and_one_that_came_back_does(repo: GitRepo) -> None:
    repo.commit({"a.py": "x = 1\n"}, "Fix rounding of gifts", days_ago=30)
    repo.commit({"a.py": "x = 0\n"}, 'Revert "Fix rounding of gifts"', days_ago=29)
    repo.commit({"a.py": "x = 2\n"}, "Fix total of returns", days_ago=28)
    repo.commit({"a.py": "x = 0\n"}, 'Revert "Fix total of returns"', days_ago=27)
    repo.commit({"a.py": "x = 2\n"}, 'Revert "Revert "Fix total of returns""', days_ago=26)
    past = past_of(repo)
    assert subjects(past) == ["Fix total of returns"]
    assert dict(past.left_out_fixes) == {REVERTED: 1, UPKEEP: 3}


def test_commit_of_many_source_files_is_no_fix_of_any(repo: GitRepo) -> None:
    many = {f"m{number}.py": "y = 1\n" for number in range(30)}
    repo.commit({"a.py": "x = 1\n", **many}, "Fix all totals at once", days_ago=30)
    documents = {f"d{number}.txt": "" for number in range(40)}
    repo.commit({"a.py": "x = 2\n", **documents}, "Fix one total and tell of it", days_ago=20)
    past = past_of(repo)
    assert subjects(past) == ["Fix one total and tell of it"]
    assert past.left_out_fixes == ((BROAD, 1),)


def test_subjects_about_upkeep_are_counted_as_left_out(repo: GitRepo) -> None:
    repo.commit({"a.py": "x = 1\n"}, "Fix typo in the cart", days_ago=20)
    assert past_of(repo).left_out_fixes == ((UPKEEP, 1),)


CODE = '"""Cart."""\nimport os\n\n\ndef total(rows):\n    # all of them\n    return sum(rows)\n'
HARMLESS = {
    "a comment": CODE.replace("all of them", "every one of them"),
    "an import": CODE.replace("import os", "import os\nimport sys"),
    "a docstring": CODE.replace("Cart.", "The cart of a shop (see help)."),
    "a type": CODE.replace("total(rows)", "total(rows: list[int]) -> int"),
    "a blank line": CODE.replace("    return", "\n    return"),
    "a line break": CODE.replace("sum(rows)", "sum(\n        rows,\n    )"),
}


def commit_fixes(repo: GitRepo, versions: Mapping[str, str]) -> None:
    for number, text in enumerate(versions.values()):
        repo.commit({"a.py": CODE}, "Go back", days_ago=60.5 - number)
        repo.commit({"a.py": text}, f"Fix case {number} of the cart", days_ago=60 - number)


def test_fixes_that_changed_no_code_do_not_count(repo: GitRepo) -> None:
    commit_fixes(repo, {**HARMLESS, "of code": CODE.replace("sum(rows)", "sum(rows) + 1")})
    past = past_of(repo)
    assert subjects(past) == ["Fix case 6 of the cart"]
    assert past.left_out_fixes == ((COSMETIC, len(HARMLESS)),)


def test_changes_of_files_with_few_fixes_are_not_read(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixes_module, "read_patches", lambda *args: pytest.fail("read"))
    commit_fixes(repo, dict(list(HARMLESS.items())[:3]))
    assert len(past_of(repo).fixes) == 3


def test_changes_that_git_cannot_show_count(repo: GitRepo, tmp_path: Path) -> None:
    commit_fixes(repo, HARMLESS)
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = GitRepo.clone(repo, tmp_path / "clone", "--filter=blob:none")
    clone.git("remote", "set-url", "origin", (tmp_path / "gone").as_uri())
    assert len(past_of(clone).fixes) == len(HARMLESS)


class Memory:
    """A MemoStore in a dictionary."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}

    def content_key(self, path: str) -> bytes:
        return b""

    def load(self, name: str) -> bytes | None:
        return self.values.get(name)

    def save(self, name: str, value: bytes) -> None:
        self.values[name] = value


def test_changes_are_read_once(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_fixes(repo, HARMLESS)
    tree, memory = discover(repo.path, Config(), by_id), Memory()
    files = {file.path: File(file.path, file.role, FileFacts(file.language, 0, 0, "")) for file in tree.files}
    sources = Repo(tree.root, files, tree.paths, (), (), tree.read)
    first = Context(sources, Config(), memory=memory)[HISTORY]
    monkeypatch.setattr(fixes_module, "read_patches", lambda *args: pytest.fail("read again"))
    assert Context(sources, Config(), memory=memory)[HISTORY] == first
    assert first.files["a.py"].fixes == ()


def test_patch_of_a_quoted_name_has_both_versions(repo: GitRepo) -> None:
    name = 'sub/ä "b".py'
    repo.commit({name: "one\ntwo\nthree"}, days_ago=9)
    sha = repo.commit({name: "one\n2\nthree\nfour\n", "a.py": "x = 3\n"}, days_ago=8)
    tree = git.find(repo.path / "sub")
    [patch] = read_patches(tree, [sha.encode()], [name.encode()], WHOLE_FILE_LINES)
    assert (patch.sha, patch.path) == (sha.encode(), name.encode())
    assert patch.before == Version([b"one", b"two", b"three"], [2, 3])
    assert patch.after == Version([b"one", b"2", b"three", b"four"], [2, 3, 4])
    [short] = read_patches(tree, [sha.encode()], [name.encode()])
    assert short.after == Version([b"2", b"three", b"four"], [1, 2, 3])


@pytest.mark.parametrize(
    ("language", "before", "after", "expected"),
    [
        ("python", "for a in b:\n    f(a)\n    g(a)\n", "for a in b:\n    f(a)\ng(a)\n", False),
        ("python", "f(1)\nkeep()\n", "keep()\nf(1)\n", False),
        ("python", "f('a')\n", "f('b')\n", False),
        ("typescript", "f(a)\n", "f( a )\n", True),
        ("rust", "fn f() {}\n", "#[allow(dead_code)]\nfn f() {}\n", True),
        ("java", "class A { int f() { return 1; } }\n", "class A { int f() { return 2; } }\n", False),
        ("typescript", "f(a)\n", "// g\nf(a)\n", True),
        ("typescript", "// g\nf(a)\n", "// h\nf(a)\n", True),
        ("typescript", "g(a, b)\n", "b(g, a)\n", False),
        ("python", "f(a)\n", "f(a, 'a')\n", False),
        ("vue", "<template>\n<a/>\n</template>\n", "<template>\n<b/>\n</template>\n", False),
    ],
)
def test_is_cosmetic_compares_the_code_where_it_stands(
    tmp_path: Path, language: str, before: str, after: str, expected: bool
) -> None:
    made = GitRepo(tmp_path / "repo", past=False)
    made.commit({"file": before}, days_ago=2)
    sha = made.commit({"file": after}, days_ago=1)
    [patch] = read_patches(git.find(made.path), [sha.encode()], [b"file"], WHOLE_FILE_LINES)
    assert isinstance(patch, Patch)
    assert is_cosmetic(patch, language) is expected


def test_a_side_is_not_parsed_when_it_lacks_a_word_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    tokens_of = code_tokens_module.code_tokens

    def code_tokens(language: Language, source: bytes, lines: Sequence[int]) -> object:
        parsed.append(source)
        return tokens_of(language, source, lines)

    monkeypatch.setattr(code_tokens_module, "code_tokens", code_tokens)
    patch = Patch(b"", b"", Version([b"f(old)"], [1]), Version([b"f(new)"], [1]))
    assert not is_cosmetic(patch, "python")
    assert parsed == [b"f(new)"]


def test_commits_of_an_import_count_when_they_were_written(tmp_path: Path) -> None:
    made = GitRepo(tmp_path / "repo", past=False)
    stream = []
    imported = int(NOW.timestamp())
    for number in range(60):
        written = int((NOW - timedelta(days=600 - 10 * number)).timestamp())
        text = f"x = {number}\n"
        stream.append(
            f"commit refs/heads/main\nauthor Ada <ada@example.org> {written} +0000\n"
            f"committer Importer <i@example.org> {imported} +0000\ndata 4\nWork\n"
            f"M 100644 inline a.py\ndata {len(text)}\n{text}"
        )
    (made.path / "stream").write_text("\n".join(stream))
    made.git("-c", "alias.load=!git fast-import --quiet < stream", "load")
    made.git("reset", "-q", "--hard")
    (made.path / "stream").unlink()
    found = history_of(made.path)
    past = found.files["a.py"]
    assert found.reference_time == NOW - timedelta(days=10)
    assert (past.commits_90d, past.commits_365d, past.commits_3y) == (10, 37, 60)


def test_large_branch_is_taken_apart_by_its_own_merges() -> None:
    parents = {b"M": b"base tip", b"tip": b"r0 p1", b"p1": b"p0", b"p0": b"r1", b"base": b""}
    long = MAX_PULL_REQUEST_COMMITS
    parents |= {f"r{number}".encode(): f"r{number + 1}".encode() for number in range(long)}
    parents[f"r{long}".encode()] = b"base"
    assert merged_branches(b"M", parents) == {b"p0": b"tip", b"p1": b"tip"}


def test_cached_history_is_not_used_when_the_role_of_a_file_changed(repo: GitRepo, tmp_path: Path) -> None:
    tree = discover(repo.path, Config(), by_id)
    cache = Cache(tmp_path / "x.sqlite", lambda text: None)

    def context(role: Role) -> Context:
        files = {file.path: File(file.path, role, FileFacts(file.language, 0, 0, "")) for file in tree.files}
        return Context(Repo(tree.root, files, tree.paths, (), (), tree.read), Config())

    first = context(Role.SOURCE)
    assert first[HISTORY].commits == 1
    assert save_history(cache, first)
    cache.write()
    assert load_history(cache, context(Role.SOURCE))
    assert not load_history(cache, context(Role.TEST))
