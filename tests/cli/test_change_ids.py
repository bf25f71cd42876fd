"""What a change broke or forgot has an id, which `explain` and `ignore` take as they take that of a finding."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from crimes.model.change import CHANGE_KINDS, ChangeItem, Level, Spot, with_ids
from crimes.workflows.explanation import Explanation
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.sample_code import PLAIN, tangled

USER = "from shop.core import first\n\n\ndef use(a):\n    return first(a)\n"
ROW = re.compile(r"(\S+):(\d+):(\d+): (high|medium|low) (\w+) (.+) \[([0-9a-f]{7,12})\]")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def broken(tmp_path: Path) -> GitRepo:
    """A repository whose work tree lacks a function that is still imported."""
    made = GitRepo(tmp_path / "shop")
    files = {"shop/__init__.py": "", "shop/core.py": tangled("first") + PLAIN, "shop/user.py": USER}
    made.commit(files, "Begin", days_ago=300)
    made.write({"shop/core.py": PLAIN})
    return made


def id_of_broken(repo: GitRepo) -> str:
    made: list[dict[str, Any]] = json.loads(run_crimes(repo.path, "check", "--format", "json").stdout)[
        "broken"
    ]
    return str(made[0]["id"])


def item(**changes: Any) -> ChangeItem:
    made = ChangeItem("broken_reference", Level.BROKEN, "a.py", "f", "fact", "fix", (Spot("b.py", 3, "f"),))
    return msgspec.structs.replace(made, **changes)


def test_every_line_of_a_piped_diff_ends_with_an_id_or_is_a_remark(broken: GitRepo) -> None:
    broken.write({"shop/other.py": tangled("other").replace("a", "b")})
    rows = run_crimes(broken.path, "diff").stdout.splitlines()
    named = [match[5] for row in rows if (match := ROW.fullmatch(row))]
    assert "broken_reference" in named
    assert "god_function" in named
    assert [row for row in rows if not ROW.fullmatch(row) and not row.startswith("# ")] == []


def test_an_id_outlives_shifted_lines_and_changes_with_the_places() -> None:
    (first,) = with_ids([item()])
    (shifted,) = with_ids([item(places=(Spot("b.py", 90, "f"),), fact="another sentence")])
    (more,) = with_ids([item(places=(Spot("b.py", 3, "f"), Spot("c.py", 1, "f")))])
    (other,) = with_ids([item(name="g")])
    assert re.fullmatch("[0-9a-f]{12}", first.id)
    assert first.id == shifted.id
    assert len({first.id, more.id, other.id}) == 3


def test_two_items_that_are_alike_have_two_ids() -> None:
    assert len({made.id for made in with_ids([item(), item(), item(fact="as well")])}) == 3


def test_explain_shows_every_place_of_what_is_broken_in_each_format(broken: GitRepo) -> None:
    id_ = id_of_broken(broken)
    text = run_crimes(broken.path, "explain", id_[:7])
    assert text.returncode == 0, text.stderr
    assert text.stdout.startswith(f"broken  broken_reference  {id_}\n")
    assert "`first` is gone from shop/core.py, but 1 place in 1 file still uses it." in text.stdout
    assert "  - shop/user.py:1  first\n" in text.stdout
    assert f'crimes ignore {id_} --reason "why"' in text.stdout
    made = json.loads(run_crimes(broken.path, "explain", id_, "--format", "json").stdout)
    jsonschema.validate(made, msgspec.json.schema(Explanation))
    assert [change["item"]["id"] for change in made["changes"]] == [id_]
    assert f"`{id_}`" in run_crimes(broken.path, "explain", id_, "--format", "md").stdout


def test_explain_forgets_what_the_last_check_no_longer_finds(broken: GitRepo) -> None:
    id_ = id_of_broken(broken)
    broken.write({"shop/core.py": tangled("first") + PLAIN})
    assert run_crimes(broken.path, "check").returncode == 0
    done = run_crimes(broken.path, "explain", id_)
    assert done.returncode == 2
    assert f"'{id_}' is not a finding in the last scan of shop" in done.stderr


@pytest.mark.parametrize("kind", CHANGE_KINDS)
def test_explain_says_what_a_kind_of_change_means(tmp_path: Path, kind: str) -> None:
    done = run_crimes(tmp_path, "explain", kind)
    assert done.returncode == 0, done.stderr
    assert CHANGE_KINDS[kind] in done.stdout


def test_an_ignored_break_fails_nothing_and_is_named(broken: GitRepo) -> None:
    id_ = id_of_broken(broken)
    done = run_crimes(broken.path, "ignore", id_[:7], "--reason", "loaded by name")
    assert done.returncode == 0, done.stderr
    assert f"ignored: broken_reference {id_} at shop/core.py (in .crimes/ignore.toml)" in done.stderr
    for command in ("check", "diff"):
        after = run_crimes(broken.path, command)
        assert after.returncode == 0, after.stdout
        assert f"ignored in .crimes/ignore.toml: broken_reference {id_} (loaded by name)" in after.stdout
        assert "is gone from" not in after.stdout
    (ignore,) = json.loads(run_crimes(broken.path, "diff", "--format", "json").stdout)["ignores"]
    assert (ignore["status"], ignore["findings"]) == ("used", 1)
    assert "matches no finding" not in run_crimes(broken.path, "scan", "--verbose").stdout


def test_an_ignored_break_that_reaches_another_file_fails_again(broken: GitRepo) -> None:
    run_crimes(broken.path, "ignore", id_of_broken(broken), "--reason", "loaded by name")
    broken.write({"shop/user.py": USER, "shop/late.py": USER})
    broken.commit({"shop/core.py": tangled("first") + PLAIN, "shop/late.py": USER})
    broken.write({"shop/core.py": PLAIN})
    assert run_crimes(broken.path, "check").returncode == 1


def test_an_expired_ignore_of_a_break_has_no_effect(broken: GitRepo) -> None:
    run_crimes(broken.path, "ignore", id_of_broken(broken), "--reason", "for now", "--until", "2001-01-31")
    assert run_crimes(broken.path, "check").returncode == 1


def test_feedback_on_a_break_is_refused_with_what_to_do_instead(broken: GitRepo) -> None:
    id_ = id_of_broken(broken)
    done = run_crimes(broken.path, "feedback", "wrong", id_)
    assert done.returncode == 2
    assert (
        f"{id_} is about a change, and feedback is about findings; to hide it, use `crimes ignore`"
        in done.stderr
    )
