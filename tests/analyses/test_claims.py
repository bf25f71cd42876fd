"""Claims in texts: what counts as one, what stands beside it, and what never changes the answer."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from crimes.analyses.claims.audit import Claim, audit
from crimes.analyses.claims.markers import Marker, MarkerKind
from crimes.config.claims.kinds import Kind
from crimes.config.claims.phrases import PHRASES
from crimes.config.claims.settings import PRESETS, Settings
from tests.kit.paths import TESTS

DEFAULT = Settings()
VECTORS = json.loads((TESTS / "vectors" / "claims.json").read_text())

# One sentence for each kind that a phrase makes.
SAMPLES: Mapping[str, tuple[Kind, str]] = {
    "I think the cache is stale.": (Kind.SPECULATION, "I think"),
    "I’d guess the cache is stale.": (Kind.SPECULATION, "I’d guess"),
    "The lock should now work.": (Kind.SPECULATION, "should now work"),
    "TODO: should work": (Kind.SPECULATION, "should work"),
    "This lock should work.": (Kind.SPECULATION, "This lock should work"),
    "Not sure why this is here.": (Kind.SPECULATION, "Not sure why"),
    "The queue is probably full.": (Kind.SPECULATION, "probably"),
    "This should be fine.": (Kind.SPECULATION, "should be fine"),
    "It fails because the queue is full.": (Kind.CAUSALITY, "because"),
    "It fails probably because of a race.": (Kind.CAUSALITY, "probably because of"),
    "The root cause is a race.": (Kind.CAUSALITY, "The root cause"),
    "I rate it 8/10.": (Kind.QUANTITY, "8/10"),
    "I am 95% sure of that.": (Kind.QUANTITY, "95% sure"),
    "That makes it 10x faster.": (Kind.QUANTITY, "10x faster"),
    "The leak is fully resolved.": (Kind.COMPLETENESS, "fully resolved"),
    "All the tests pass.": (Kind.COMPLETENESS, "All the tests pass"),
    "No remaining issues.": (Kind.COMPLETENESS, "No remaining issues"),
    "This is the cleanest approach.": (Kind.EVALUATION, "the cleanest approach"),
    "There is no other caller.": (Kind.ABSENCE, "There is no"),
    "It is never called anywhere.": (Kind.ABSENCE, "never called anywhere"),
    "It works.": (Kind.BEHAVIOUR, "It works"),
    "Done.": (Kind.BEHAVIOUR, "Done"),
    "That is definitely so.": (Kind.BEHAVIOUR, "definitely"),
}

SILENT = (
    "You may use tabs.",  # permission
    "Released in May 2024.",  # the month
    "Never assume the file exists.",  # an order
    "Values should be strings.",  # a demand
    "You should work on one thing.",
    "Short names are more likely to clash.",  # a comparison
    "Is it caused by a race?",  # a question
    "Make sure all tests pass.",  # an order
    "If there is no file, one is made.",  # a condition
    "The bug is not fully resolved.",
    "The width is fixed in pixels.",
    "Step 3/10 of the build.",
    "On 8/10/2024 it was.",
    "This is due to be removed.",
    "I think this is cleaner.",  # an opinion
    "Not sure if that is worth it.",
    "Hopefully the parser will improve.",  # a plan
    "Unlikely and maybelline.",  # whole words only
    "Write `I think` in code, \"probably\" in quotes, 'maybe' too, and “definitely”.",
    "<!-- I think this is a template -->",
    "See src/because/maybe.py and https://example.org/probably/likely.html here.",
)


def kinds_and_evidence(text: str, settings: Settings = DEFAULT) -> list[tuple[Kind, str]]:
    return [(claim.kind, claim.evidence) for claim in audit(text, settings)]


def single_claim(text: str, settings: Settings = DEFAULT, **more: Any) -> Claim:
    (claim,) = audit(text, settings, **more)
    return claim


@pytest.mark.parametrize("text", SAMPLES)
def test_a_claim_of_each_kind(text: str) -> None:
    assert kinds_and_evidence(text) == [SAMPLES[text]]


@pytest.mark.parametrize("text", SILENT)
def test_text_without_a_claim_yields_no_matches(text: str) -> None:
    assert kinds_and_evidence(text) == []


# The texts of the reference on which it counts no match twice, and knows no phrase less than we do.
ALIKE = {"01", "02", "05", "06", "08", "11", "13", "16", "17", "18", "20"}
TEXTS = [vector for vector in VECTORS["presetA_reference"] if vector["id"][-2:] in ALIKE]


@pytest.mark.parametrize("vector", TEXTS, ids=lambda vector: vector["id"])
def test_the_reference_from_text_to_score(vector: dict[str, Any]) -> None:
    claims = audit(vector["text"], PRESETS["reference"])
    phrase = vector["input"]["phrase"].removesuffix(" (epistemic)").lower()
    assert vector["expected"] in [
        claim.confidence for claim in claims if claim.evidence.lower().startswith(phrase)
    ]


def test_claim_carries_its_line_and_evidence() -> None:
    text = "# Title\r\n\r\nFirst line,\r\nI\r\nthink so.\r\n"
    claim = single_claim(text)
    assert claim.line == 4
    assert text[claim.offset :].startswith("I\r\nthink")
    assert claim.evidence == "I think"
    assert claim.sentence == "First line, I think so."


def test_each_span_of_text_matches_once() -> None:
    assert kinds_and_evidence("Maybe. It may be. It is probably because of that.") == [
        (Kind.SPECULATION, "Maybe"),
        (Kind.SPECULATION, "may"),
        (Kind.CAUSALITY, "probably because of"),
    ]


def test_kinds_stack_in_a_sentence_and_claims_gather_in_a_paragraph() -> None:
    alone = single_claim("I think so.").confidence
    beside = audit("I think so. It is probably full.", DEFAULT)[0].confidence
    stacked = audit("I think it is caused by a race.", DEFAULT)[0].confidence
    apart = audit("I think so.\n\nIt is probably full.", DEFAULT)[0].confidence
    assert (alone, beside, stacked, apart) == (75, 78, 92, 75)


def test_a_long_block_is_less_doubtful() -> None:
    assert single_claim("I think so. " + "word " * 60).confidence == 65


def test_contradictions_are_found_word_for_word_in_either_order() -> None:
    yes, no = "The parser is thread-safe.", "The parser isn’t thread-safe."
    for text, own, other in ((f"{yes}\n\n{no}", 3, 1), (f"{no}\n\n{yes}", 1, 3)):
        claim = single_claim(text)
        assert (claim.kind, claim.evidence) == (Kind.CONTRADICTION, no)
        assert (claim.line, claim.denies_line) == (own, other)
    assert kinds_and_evidence("Tests pass here. Tests do not pass here.")[0][0] is Kind.CONTRADICTION
    assert (
        kinds_and_evidence(
            "| Do not | Do |\n|---|---|\n| Share the one lock | Copy |\n\nDo not share the one lock."
        )
        == []
    )
    assert kinds_and_evidence("It works on Linux. The parser is fast. The lexer is not fast.") == [
        (Kind.BEHAVIOUR, "It works")
    ]


def knowing(*names: str) -> Any:
    return lambda marker: marker.text in names


@pytest.mark.parametrize(
    ("beside", "known", "confidence"),
    [
        ("", (), 75),
        (" See src/app.py.", (), 65),
        (" See src/app.py.", ("src/app.py",), 55),
        (" See src/app.", (), 75),  # it may be two words with a slash
        (" See src/app.", ("src/app",), 55),
        (" On line 12.", (), 65),
        (" It raised KeyError.", (), 65),
        (" It left with exit code 127.", (), 65),
        (' It said "no such file".', (), 65),
        (" See `load_config`.", (), 65),
        (" See `load_config`.", ("load_config",), 55),
        (" See load_config there.", (), 75),
        (" See load_config there.", ("load_config",), 55),
        ("\n```\nTraceback\n```", (), 65),
        ("\n\n> It said so.", (), 65),
        ("\n\n```\nat src/app.py\n```", ("src/app.py",), 55),
        ("\n\nAnother paragraph names src/app.py.", ("src/app.py",), 75),
    ],
)
def test_markers_lower_the_doubt(beside: str, known: tuple[str, ...], confidence: int) -> None:
    assert audit(f"I think so.{beside}", DEFAULT, knowing(*known))[0].confidence == confidence


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("src/app.py:12", 12),
        ("src/app.py:12:3", 12),
        ("src/app.py#L12-L14", 12),
        ("src/app.py, line 12", 12),
        ('File "src/app.py", line 12, in main', 12),
        ("line 12 of src/app.py", 12),
        ("`src/app.py:12`", 12),
        ("src/app.py.", 0),
    ],
)
def test_line_number_of_a_path_marker_is_read(text: str, line: int) -> None:
    asked: list[Marker] = []

    def ask(marker: Marker) -> bool:
        asked.append(marker)
        return False

    audit(f"I think so: {text}", DEFAULT, ask)
    assert [(marker.text, marker.line) for marker in asked if marker.kind is MarkerKind.PATH] == [
        ("src/app.py", line)
    ]


def test_every_strength_is_that_of_a_phrase_or_kind() -> None:
    names = {phrase.name for phrase in PHRASES}
    for preset in PRESETS.values():
        assert set(preset.phrases) <= names
        assert set(preset.kinds) == set(Kind)


claims = st.sampled_from(sorted(SAMPLES))
fences = st.sampled_from(["```", "~~~", "````", "```python", " ```"])
prose = st.lists(claims, min_size=1, max_size=4).map(" ".join)


@given(prose, fences, st.booleans(), st.sampled_from(["", "  ", "> "]))
def test_text_in_a_fence_never_matches(inside: str, fence: str, closed: bool, margin: str) -> None:
    """At the margin, in a list item or in a quotation; one that is not closed goes on to the end."""
    rows = [fence, inside, "", inside, *([fence.removesuffix("python")] if closed else [])]
    text = "".join(f"{margin}{row}\n" for row in rows)
    assert audit(f"- item\n\n{text}" if margin == "  " else text, DEFAULT) == ()


@given(prose)
def test_quoted_text_never_matches(inside: str) -> None:
    assert audit(f"> {inside}\n", DEFAULT) == ()
    assert audit(f"He said “{inside}” then", DEFAULT) == ()


def sorted_scores(found: tuple[Claim, ...]) -> list[tuple[str, str, int]]:
    return sorted((claim.kind, claim.evidence, claim.confidence) for claim in found)


@given(st.lists(prose, min_size=1, max_size=5), st.randoms())
def test_the_order_of_paragraphs_changes_no_score(paragraphs: list[str], random_: random.Random) -> None:
    before = audit("\n\n".join(paragraphs), DEFAULT)
    random_.shuffle(paragraphs)
    assert sorted_scores(audit("\n\n".join(paragraphs), DEFAULT)) == sorted_scores(before)


@given(prose, st.randoms())
def test_order_of_the_phrases_does_not_change_the_claims(text: str, random_: random.Random) -> None:
    mixed = list(PHRASES)
    random_.shuffle(mixed)
    alike = audit(text, DEFAULT, phrases=tuple(PHRASES))
    assert audit(text, DEFAULT, phrases=tuple(mixed)) == alike


MARKERS = ("src/app.py", "docs/because.md", "`load_config`", "src/app.py:3", "`I think`", "maybe_later()")


@given(
    prose,
    st.sampled_from(MARKERS),
    st.sampled_from(["See {}.", "({})", "- {}"]),
    st.sampled_from(sorted(PRESETS)),
)
def test_a_verified_marker_never_raises_a_score(text: str, marker: str, how: str, preset: str) -> None:
    """It may be there or come anew: neither makes any claim more doubtful, and it makes none of its own."""
    settings = PRESETS[preset]
    without = audit(text, settings)
    marked = f"{text} {how.format(marker)}"
    doubted = audit(marked, settings)
    verified = audit(marked, settings, lambda marker: True)
    assert (
        [claim.evidence for claim in without]
        == [claim.evidence for claim in doubted]
        == [claim.evidence for claim in verified]
    )
    for plain, unverified, known in zip(without, doubted, verified, strict=True):
        assert known.confidence <= unverified.confidence <= plain.confidence


@given(st.text(max_size=400))
def test_any_text_can_be_audited(text: str) -> None:
    for claim in audit(text, DEFAULT):
        assert 0 <= claim.confidence <= 100
        assert 0 <= claim.offset < len(text)
        assert 1 <= claim.line <= text.count("\n") + text.count("\r") + 1


@pytest.mark.parametrize(
    "part",
    ["maybe ", "`", "<!-- ", "> ", "- ", '"', "a/", "(", "[", "I think. ", "|a|\n|-|\n", "# a\n", "``` \n"],
)
def test_long_repetitive_text_is_audited_without_hanging(part: str) -> None:
    audit(part * 5_000, DEFAULT)


def test_zero_weights_leave_only_the_strength() -> None:
    zero = replace(DEFAULT.weights, evidence_proximity=0, text_length=0)
    assert single_claim("I think so.", replace(DEFAULT, weights=zero)).confidence == 45
    assert audit("", DEFAULT) == ()
