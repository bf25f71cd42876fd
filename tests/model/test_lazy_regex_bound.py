"""A pattern with a bound finds nothing in a longer text, whichever method is asked."""

from __future__ import annotations

from crimes.model.lazy_regex import regex

WORD = regex(r"a+", within=3)


def test_text_within_the_bound_is_read() -> None:
    assert WORD.search("baa") is not None
    assert WORD.sub("x", "baa") == "bx"


def test_longer_text_has_no_match() -> None:
    text = "aaaa"
    assert (WORD.search(text), WORD.match(text), WORD.fullmatch(text)) == (None, None, None)
    assert (WORD.findall(text), list(WORD.finditer(text))) == ([], [])
    assert (WORD.split(text), WORD.sub("x", text), WORD.subn("x", text)) == ([text], text, (text, 0))
