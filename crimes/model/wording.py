"""Words that messages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def count(number: int, noun: str, plural: str = "") -> str:
    """1 file, 2,000 files."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def capitalized(text: str) -> str:
    """The text with a capital letter first, and the rest as it is."""
    return text[:1].upper() + text[1:]


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 1,002nd."""
    teen = number % 100 in (11, 12, 13)
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def direct_tests_text(own: bool, importing: int) -> str:
    """Whether a file has its own tests, and how many test files import it; empty where neither is so."""
    imported = f"{count(importing, 'test file imports', 'test files import')} it" if importing else ""
    return ", and ".join(filter(None, ("has its own tests" if own else "", imported)))


def dependents_text(total: int, direct: int) -> str:
    """How many files depend on a file, and how many of them import it."""
    if not total:
        return "nothing imports it"
    files = f"{count(total, 'file depends', 'files depend')} on it"
    return f"{files} directly" if direct == total else f"{files}, {direct:,} directly"


def quoted_names(names: Sequence[str], max_names: int) -> str:
    """`a`, `a` and `b`, or `a`, `b` and 3 more."""
    shown = [f"`{name}`" for name in names[:max_names]]
    if len(names) > max_names:
        return f"{', '.join(shown)} and {len(names) - max_names} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def cut_at_word(text: str, max_chars: int) -> str:
    """The text if it is short enough; otherwise its first words and an ellipsis, in `max_chars` at most."""
    if len(text) <= max_chars:
        return text
    head = text[:max_chars]  # one of these makes room for the ellipsis
    words, space, _ = head.rpartition(" ")
    return (words if space else head[:-1]).rstrip(" ,;:.(-") + "…"


def closest(name: str, known: Iterable[str]) -> str:
    """The known name that `name` is most likely a misspelling of; empty when none is close."""
    import difflib  # only when something is misspelled

    return next(iter(difflib.get_close_matches(name, sorted(known), 1)), "")
