"""unverified_claim: quick where there is nothing, and never a reason for a gate to fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.analyses.claims.analysis import CLAIMS, Claims, holds_a_guess, may_hold_a_guess
from crimes.config.claims.phrases import STRONG_PHRASES
from crimes.config.schema import Config
from crimes.detection.context import Context
from crimes.engine.scan import scan
from crimes.model.facts import FileFacts, Role
from crimes.model.repository import File
from tests.kit.built_repo import context
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.memory import FakeMemoStore

# Every way to say each strong phrase; what finds them quickly must know them all.
SAID = {
    "not sure why": ("not sure why", "unsure if it", "not really sure what"),
    "no idea why": ("no idea why", "no clue what it", "don't know why"),
    "i think": ("I think so", "I don't think so"),
    "i believe": ("I believe so",),
    "i suspect": ("I suspect so", "I'd suspect it"),
    "hopefully": ("hopefully nobody", "hopefully it'll do"),
    "should work": ("this should work", "should now work"),
}


def claims_with(notes: FakeMemoStore) -> Claims:
    made = context([])
    made.memory = notes
    return made[CLAIMS]


def test_every_strong_phrase_passes_the_prefilter(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit({"a.py": "A = 1\n"}, "Begin")
    scanned: Context = scan(tmp_path, Config()).context
    claims = scanned[CLAIMS]
    assert set(SAID) == {phrase.name for phrase in STRONG_PHRASES}
    every = [text for texts in SAID.values() for text in texts]
    read = claims.read(every, ())
    for said in every:
        assert may_hold_a_guess(said), said
        assert holds_a_guess(said), said
        assert claims.in_comment("a.py", read[said]), said


def test_texts_read_before_are_answered_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = FakeMemoStore({})
    comments, documents = ["I think so.\nIt is."], ["# Rules\n\nHopefully short.\n"]
    first = claims_with(notes).read(comments, documents)
    assert set(first) == {comments[0], documents[0]}
    monkeypatch.setattr(
        "crimes.analyses.claims.analysis.read_document", lambda text: pytest.fail(f"read again: {text}")
    )
    assert claims_with(notes).read(comments, documents) == first
    assert claims_with(notes).read(comments, ()) == {comments[0]: first[comments[0]]}
    with pytest.raises(
        pytest.fail.Exception, match=r"read again: # Rules"
    ):  # nobody asked for it the last time
        claims_with(notes).read(comments, documents)


def test_a_comment_that_only_looks_like_a_guess_is_left_out() -> None:
    assert may_hold_a_guess("Hopefullyness is no word.")
    assert not holds_a_guess("Hopefullyness is no word.")


def test_repository_names_are_gathered_only_for_new_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = "# Rules\n\nI think this is quick: `run_all()`.\n"
    notes = FakeMemoStore({})

    def support(*defined: str) -> list[str]:
        facts = FileFacts("python", 1, 1, "", definitions=defined)
        made = context([File("a.py", Role.SOURCE, facts)])
        made.memory = notes
        claims = made[CLAIMS]
        (claim,) = claims.in_document("AGENTS.md", claims.read((), [document])[document])
        return [claim.band, str(claim.confidence)]

    unknown = support("other")
    assert support("other", "run_all") != unknown  # it shows something that is there
    assert support("other") == unknown
    monkeypatch.setattr(
        "crimes.analyses.claims.analysis.symbols_of", lambda files: pytest.fail("gathered again")
    )
    assert support("other") == unknown
    with pytest.raises(pytest.fail.Exception, match="gathered again"):
        support("run_all")


def test_unverified_claim_is_reported_and_fails_no_gate(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop")
    repo.commit({"shop.py": "def lock():\n    take()  # not sure why this is needed\n"}, "Begin")
    done = run_crimes(tmp_path, "scan", "shop", "--fail-on", "low")
    assert "shop.py:2:5: low unverified_claim" in done.stdout
    assert done.returncode == 0, done.stderr
