"""Words that messages share."""

from __future__ import annotations

import pytest

from crimes.model.wording import cut_at_word


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("two words", "two words"),
        ("twelve chars", "twelve chars"),
        ("twelve chars and more", "twelve…"),
        ("first words, more of it", "first…"),
        ("a, bcdefghijklmnop", "a…"),
        ("onelongwordwithoutspace", "onelongword…"),
    ],
)
def test_text_is_cut_after_a_whole_word(text: str, cut: str) -> None:
    assert cut_at_word(text, 12) == cut
