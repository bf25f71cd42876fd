"""Words that messages share."""

from __future__ import annotations

import pytest

from crimes.model.wording import cut_at_word, quoted_names


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


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["a"], "`a`"),
        (["a", "b"], "`a` and `b`"),
        (["a", "b", "c"], "`a`, `b` and `c`"),
        (["a", "b", "c", "d", "e"], "`a`, `b`, `c` and 2 more"),
    ],
)
def test_list_of_names_ends_with_and_or_a_count(names: list[str], text: str) -> None:
    assert quoted_names(names, 3) == text
