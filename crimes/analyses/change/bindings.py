"""Where a name is bound or used in the text of a file: for what facts do not say."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cache

from crimes.analyses.change.state import State, words_of
from crimes.languages import by_id
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex
from crimes.model.line_counter import LineCounter

_INDEX_NAMES = frozenset({"__init__", "index", "mod", "lib", "main"})
_ENTRY = regex(r"(?:(?<=\{)|(?<=,))\s*([A-Za-z_$][\w$]*)")
_QUOTES = "\"'`"


def is_module_of(path: str, name: str) -> bool:
    """Whether a file is the module or package of that name."""
    folder, file = posixpath.split(path)
    stem = file.partition(".")[0]
    return name == stem or (stem in _INDEX_NAMES and name == posixpath.basename(folder))


def is_bound(state: State, path: str, name: str) -> bool:
    """Whether the text of a file seems to bind a name, though its facts do not show it."""
    facts = state.facts(path)
    if facts is None:
        return True
    language = by_id[facts.language]
    states_exports = language.syntax is not None and not language.syntax.imports.exports_all_public
    pattern = (_export_pattern if states_exports else _binding_pattern)(name)
    return any(pattern.search(line) for line in state.code(path) if name in line)


def has_word(code: Sequence[str], name: str) -> bool:
    """Whether a name stands anywhere in the code, strings included."""
    pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return any(pattern.search(line) for line in code if name in line)


def names_taken_apart(code: Sequence[str], target: str) -> Iterator[tuple[str, int]]:
    """Names with their lines that `{ name, other: local } = require("target")` takes from a module."""
    text = "\n".join(code)
    lines = LineCounter(text)
    for match in _taken_apart_pattern(target).finditer(text):
        for entry in _ENTRY.finditer(text, match.start(), match.end(1)):
            yield entry[1], lines.line(entry.start(1))


@cache
def _taken_apart_pattern(target: str) -> re.Pattern[str]:
    return re.compile(rf"\{{([^{{}}]*)\}}\s*=\s*require\(\s*[\"'`]{re.escape(target)}[\"'`]\s*\)")


@cache
def _binding_pattern(name: str) -> re.Pattern[str]:
    """Bindings that are no definitions: `as name`, `for name in`, `global name`, `#define name`, an assignment."""
    word = re.escape(name)
    keyword = rf"\b(?:as|global|define|typedef|extern|alias|alias_method|macro_rules!)\s+:?(?:\w+\s*,\s*)*{word}(?![\w$])"
    loop = rf"\bfor\s+(?:\w+\s*,\s*)*{word}\s+in\b"
    assigned = rf"^\s*(?:[\w*]+\s*,\s*)*{word}\s*(?::[^:=()]*)?(?::=|=(?!=))"
    return re.compile(f"{keyword}|{loop}|{assigned}|\\({word}\\s*:=")


@cache
def _export_pattern(name: str) -> re.Pattern[str]:
    """Exports that facts do not list: `export declare const name`, `exports.name`."""
    word = re.escape(name)
    return re.compile(rf"\bexport\s+(?:[\w*]++\s++){{0,8}}{word}(?![\w$])|\bexports\.{word}(?![\w$])")


def mentions(name: str, before: FileFacts, after: FileFacts) -> list[tuple[str, int]]:
    """Texts with their lines in the later state that use a name, in words that the earlier one has too."""
    wanted = words_of(name)
    former = {text for text, _ in _uses(before)}
    return sorted(
        {(text, line) for text, line in _uses(after) if text in former and _contains(words_of(text), wanted)}
    )


def _uses(facts: FileFacts) -> Iterator[tuple[str, int]]:
    yield from ((call.target, call.line) for call in facts.calls)
    yield from ((reference.name, reference.line) for reference in facts.references)
    for function in facts.functions:
        yield from ((name, function.start) for name in function.attributes)


def _contains(words: Sequence[str], wanted: Sequence[str]) -> bool:
    return any(list(words[at : at + len(wanted)]) == list(wanted) for at in range(len(words)))


def qualified_lines(code: Sequence[str], module: str, name: str) -> Iterator[int]:
    """Lines that use a name through a module, `module.name`, outside of strings."""
    pattern = _qualified_pattern(module, name)
    for number, line in enumerate(code, start=1):
        if name in line and any(not is_in_string(line, match.start()) for match in pattern.finditer(line)):
            yield number


def plain_lines(code: Sequence[str], name: str) -> Iterator[int]:
    """Lines that use a name by itself, outside of strings."""
    pattern = re.compile(rf"(?<![\w$.:]){re.escape(name)}(?![\w$])")
    for number, line in enumerate(code, start=1):
        if name in line and any(not is_in_string(line, match.start()) for match in pattern.finditer(line)):
            yield number


@cache
def _qualified_pattern(module: str, name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.$]){re.escape(module)}\s*(?:\.|::)\s*{re.escape(name)}(?![\w$])")


def is_in_string(line: str, at: int) -> bool:
    """Whether a position lies within quotes that opened on the same line."""
    opened = ""
    for char in line[:at]:
        if opened:
            opened = "" if char == opened else opened
        elif char in _QUOTES:
            opened = char
    return bool(opened)
