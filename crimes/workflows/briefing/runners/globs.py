"""Patterns by which JavaScript runners choose files: `**/*.{test,spec}.?(c|m)[jt]s?(x)`.

They come from the scanned repository, so they are never made into regular expressions: alternatives are written out, and what is
left is matched folder by folder.
"""

from __future__ import annotations

from functools import lru_cache

from crimes.languages.javascript.globs import matches

_MAX_ALTERNATIVES = 200
_BRACKETS = {"{": ("}", ","), "(": (")", "|")}


def includes(pattern: str, path: str) -> bool:
    """Whether a pattern includes a path; one that is not understood includes all."""
    plain = written_out(pattern.removeprefix("./"))
    return plain is None or any(matches(text, path) for text in plain)


@lru_cache(maxsize=512)
def written_out(pattern: str) -> tuple[str, ...] | None:
    """The pattern without alternatives, once for each; a repeated group counts once. None where it is not understood."""
    plain: list[str] = []
    waiting = [pattern]
    while waiting:
        text = waiting.pop()
        group = _first_group(text)
        if group is None:
            plain.append(text)
        else:
            waiting += _choices(text, *group)
        if "!(" in text or len(plain) + len(waiting) > _MAX_ALTERNATIVES:
            return None
    return tuple(sorted(plain))


def _choices(text: str, start: int, end: int) -> list[str]:
    """The pattern with each choice of the group between these offsets in its place."""
    separator = _BRACKETS[text[start]][1]
    before, mark = text[:start], ""
    if text[start] == "(" and before[-1:] in ("?", "*", "+", "@"):
        before, mark = before[:-1], before[-1]
    choices = _split(text[start + 1 : end], separator)
    if mark in ("?", "*"):
        choices.append("")
    return [before + choice + text[end + 1 :] for choice in choices]


def _first_group(text: str) -> tuple[int, int] | None:
    """Offsets of the first bracket that opens alternatives, and of the one that closes it."""
    for start, char in enumerate(text):
        if char in _BRACKETS:
            depth = 0
            for end in range(start, len(text)):
                depth += (text[end] in _BRACKETS) - (text[end] in ")}")
                if depth == 0:
                    return start, end
    return None


def _split(text: str, separator: str) -> list[str]:
    """The alternatives of a group, those of inner groups left together."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in _BRACKETS) - (char in ")}")
        if char == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts
