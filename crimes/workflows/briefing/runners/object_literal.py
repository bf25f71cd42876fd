"""What can be read of a configuration that is written as a program, without running it."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.lazy_regex import regex

# What is skipped as a whole: comments, and strings of all kinds.
_ATOM = regex(
    r"//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|'(?:\\.|[^'\\\n])*+'?|\"(?:\\.|[^\"\\\n])*+\"?|`(?:\\.|[^`\\])*+`?"
)
_KEY = regex(r"\s*(?:(['\"])(?P<quoted>[\w$.-]+)\1|(?P<plain>[\w$]+))\s*:")
_STRING = regex(r"'((?:\\.|[^'\\\n])*)'|\"((?:\\.|[^\"\\\n])*)\"|`([^`\\$]*)`")
_OPENING, _CLOSING = "([{", ")]}"


def objects_with(text: str, key: str) -> Iterator[dict[str, str]]:
    """The values of `key` in the text that are object literals, each as its members."""
    for match in regex(rf"(?<![\w$.]){key}['\"]?\s*:\s*\{{").finditer(text):
        yield members(text, match.end())


def object_after(text: str, *openings: str) -> dict[str, str]:
    """The members of the first object literal that follows one of these words; empty without one."""
    for opening in openings:
        match = regex(rf"{opening}[^{{;]{{0,120}}\{{").search(text)
        if match:
            return members(text, match.end())
    return {}


def members(text: str, start: int) -> dict[str, str]:
    """The members of the object literal whose content begins at `start`, each value as written."""
    found: dict[str, str] = {}
    depth, position, begin = 0, start, start
    while position < len(text):
        atom = _ATOM.match(text, position)
        char = text[position]
        if atom:
            position = atom.end()
            continue
        if depth == 0 and char in ",}":
            _add_member(found, _without_comments(text[begin:position]))
            begin = position + 1
            if char == "}":
                break
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        position += 1
    return found


def strings(value: str) -> tuple[str, ...]:
    """The string literals of a value, without those that are put together at run time."""
    return tuple("".join(filter(None, match.groups())) for match in _STRING.finditer(value))


def _add_member(found: dict[str, str], text: str) -> None:
    match = _KEY.match(text)
    if match:
        found[match["quoted"] or match["plain"]] = text[match.end() :].strip()


def _without_comments(text: str) -> str:
    return _ATOM.sub(lambda match: "" if match[0].startswith("/") else match[0], text)
