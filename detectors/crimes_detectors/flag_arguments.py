"""Calls pass several bare booleans, and nothing at the call says which is which.

It reports a function with three boolean parameters when a call passes them by position, two or more as bare literals; and
one with two when at least three calls pass both as bare literals. Only calls that lead to the function count.

## Why it matters

`render(page, true, false, true)` cannot be read without opening `render`, and swapping two of them still compiles. Every
flag also doubles the paths inside.

## What to do

Pass one options value with named fields, make the flags keyword-only, or give each mode a function of its own.

## What it accepts

- Flags that the calls name: keyword arguments, or a comment before the literal.
- Keyword-only parameters, and flags nobody passes by position.
- Flags with defaults that calls leave out.
- Calls that hand on variables: their names say what they are.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from crimes.api import (
    ANY,
    SYMBOLS,
    Category,
    Detector,
    Effort,
    Example,
    FileFacts,
    Finding,
    Function,
    Measure,
    Param,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    Site,
    Symbol,
    at_function,
    each_file,
    option,
    regex,
)

_TWO = 2
_LITERALS = frozenset({"True", "False", "true", "false"})
_LITERAL = regex("[Tt]rue|[Ff]alse")
_RECEIVERS = frozenset({"self", "cls"})
_NAMED = regex(r"[^\W\d]\w*\s*[:=](?![=:])")  # a keyword argument
_OPENING, _CLOSING, _QUOTES = "([{", ")]}", "\"'`"
_LONGEST = 2000  # characters of a call's arguments that are looked at
_MOST_LINES = 39  # of a call, besides its first
_RELATED = 3


@dataclass(frozen=True)
class Options:
    min_flags: int = option(
        3, "Report a function with this many boolean parameters, when a call passes them bare."
    )
    min_sites: int = option(3, "Report one with two, when so many calls pass two bare literals.")


class Bare(Struct, frozen=True):
    """A call, how many boolean parameters it fills by position, and how many of those with a literal."""

    site: Site
    flags: int
    literals: int
    text: str


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    symbols = scan[SYMBOLS]
    flagged = dict(_flagged(scan))
    calls = symbols.callers(flagged, (Role.SOURCE,))
    lines: dict[str, list[str]] = {}
    for symbol, function in flagged.items():
        sites = [site for site in calls.get(symbol, ()) if _counts(scan, site)]
        bare = [one for site in sites if (one := _bare(scan, site, function, lines)) is not None]
        flags = _flags(function)
        blind = [one for one in bare if one.literals >= _TWO]
        many = len(flags) >= options.min_flags and any(one.flags >= options.min_flags for one in blind)
        if many or len(blind) >= options.min_sites:
            yield _report(scan, symbol, function, sorted(blind, key=_order), len(sites), options)


def _order(one: Bare) -> tuple[int, str, int]:
    return -one.literals, one.site.path, one.site.call.line


def _flagged(scan: Pass) -> Iterator[tuple[Symbol, Function]]:
    """Functions of source files with two flags or more; of overloads and redefinitions none, a call may mean either."""
    for path, indexes in scan[FLAGGED].items():
        for index in indexes:
            function = scan.repo.files[path].facts.functions[index]
            yield Symbol(path, function.qualname), function


def flagged_in(facts: FileFacts) -> tuple[int, ...]:
    """Of a file, by their numbers."""
    found = [
        (index, one)
        for index, one in enumerate(facts.functions)
        if len(one.params) >= _TWO
        and not (one.is_anonymous or one.in_test or one.is_test)
        and len(_flags(one)) >= _TWO
    ]
    known = Counter(one.qualname for one in facts.functions if not one.is_anonymous) if found else {}
    return tuple(index for index, one in found if known[one.qualname] == 1)


def _flags(function: Function) -> list[Param]:
    return [one for one in function.params if one.boolean and not one.keyword_only and not one.star]


FLAGGED = each_file("flag_arguments.flagged", tuple[int, ...], flagged_in, frozenset({Role.SOURCE}))


def _counts(scan: Pass, site: Site) -> bool:
    file = scan.repo.files[site.path]
    inside = file.facts.functions[site.call.function] if site.call.function >= 0 else None
    return not (inside and (inside.in_test or inside.is_test))


def _bare(scan: Pass, site: Site, function: Function, lines: dict[str, list[str]]) -> Bare | None:
    """What a call passes by position; None where its arguments cannot be read from the text, or hold no two literals."""
    if site.path not in lines:
        lines[site.path] = scan.repo.read(site.path).decode("utf-8", "replace").split("\n")
    text = "\n".join(lines[site.path][site.call.line - 1 : site.call.line + _MOST_LINES])
    if len(_LITERAL.findall(text)) < _TWO:
        return None  # which most end with
    name = re.escape(re.split(r"\W", site.call.target)[-1])
    match = re.search(rf"{name}\s*(?:<[^()]*>)?\(", text)
    if match is None or not name:
        return None
    given = arguments(text[match.end() : match.end() + _LONGEST])
    params = [one for one in function.params if one.name not in _RECEIVERS]
    pairs = list(zip(params, given, strict=False))
    filled = [value for param, value in pairs if param.boolean and not _NAMED.match(value) and not param.star]
    literals = sum(value in _LITERALS for value in filled)
    return Bare(site, len(filled), literals, f"{site.call.target}({', '.join(given)})")


def arguments(text: str) -> list[str]:
    """The arguments of a call, from behind its opening parenthesis; empty when it does not close."""
    found, depth, start, quote = [], 0, 0, ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[at - 1] != "\\" else quote
        elif char in _QUOTES:
            quote = char
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING and depth:
            depth -= 1
        elif char == ")" or (char == "," and not depth):
            found.append(" ".join(text[start:at].split()))
            start = at + 1
            if char == ")":
                return [one for one in found if one]
    return []


def _report(
    scan: Pass, symbol: Symbol, function: Function, bare: list[Bare], calls: int, options: Options
) -> Finding:
    file = scan.repo.files[symbol.path]
    flags = [one.name for one in _flags(function)]
    listed = ", ".join(f"`{name}`" for name in flags)
    shown = bare[0].text if len(bare[0].text) <= 100 else bare[0].text[:100] + "…"
    return Finding(
        at_function(file, function),
        Severity.MEDIUM
        if len(flags) >= options.min_flags and len(bare) >= options.min_sites
        else Severity.LOW,
        f"`{function.name}` takes {len(flags)} flags ({listed}), and {_times(len(bare))} they are passed bare, as in `{shown}`. "
        "A reader cannot tell them apart, and swapping two goes unnoticed. Pass named options, or make a function of each mode.",
        signals=(
            Signal("flag_arguments", Category.SYNTAX, 75, f"{len(flags)} boolean parameters"),
            Signal(
                "flag_arguments",
                Category.GRAPH,
                80,
                f"{_times(len(bare))} passed bare, of {calls} calls that lead here",
            ),
        ),
        evidence={
            "flags": Measure(len(flags), options.min_flags),
            "flag_names": Measure(tuple(flags)),
            "bare_calls": Measure(len(bare), options.min_sites),
            "calls": Measure(calls),
        },
        related=tuple(
            Related(
                Place(one.site.path, one.site.call.line, one.site.call.line),
                f"passes {one.flags} flags by position, {one.literals} as literals",
            )
            for one in bare[:_RELATED]
        ),
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


DETECTOR = Detector(
    id="flag_arguments",
    title="Bare boolean arguments",
    category="structure",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    needs=(SYMBOLS,),
    in_each_file=(FLAGGED,),
    examples=(
        Example(
            "three flags passed by position in Python",
            {
                "page.py": "def render(page, draft=False, cached=True, minify=False):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    return render(page, True, False, True)\n",
            },
            ("page.py:1",),
            severity=Severity.LOW,
        ),
        Example(
            "two flags as literals at three places in TypeScript",
            {
                "src/page.ts": "export function render(page: Page, draft: boolean, cached: boolean) {\n  return page;\n}\n",
                "src/site.ts": 'import { render } from "./page";\n\nexport function build(page: Page) {\n  render(page, true, false);\n'
                "  render(page, false, false);\n  return render(page, true, true);\n}\n",
            },
            ("src/page.ts:1",),
        ),
        Example(
            "three flags as literals at three places",
            {
                "page.py": "def render(page, draft=False, cached=True, minify=False):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    render(page, True, False, True)\n"
                "    render(page, False, False, page.small)\n    return render(page, True, True)\n",
            },
            ("page.py:1",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent when the calls name them",
            {
                "page.py": "def render(page, draft=False, cached=True, minify=False):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    return render(page, draft=True, cached=False, minify=True)\n",
            },
        ),
        Example(
            "silent on keyword-only flags",
            {
                "page.py": "def render(page, *, draft=False, cached=True, minify=False):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    return render(page, draft=True)\n",
            },
        ),
        Example(
            "silent when a comment names each literal",
            {
                "src/page.ts": "export function render(page: Page, draft: boolean, cached: boolean, minify: boolean) {\n  return page;\n}\n",
                "src/site.ts": 'import { render } from "./page";\n\nexport function build(page: Page) {\n'
                "  return render(page, /* draft */ true, /* cached */ false, /* minify */ true);\n}\n",
            },
        ),
        Example(
            "silent on variables handed on",
            {
                "src/page.ts": "export function render(page: Page, draft: boolean, cached: boolean, minify: boolean) {\n  return page;\n}\n",
                "src/site.ts": 'import { render } from "./page";\n\nexport function build(page: Page) {\n'
                "  return render(page, page.draft, page.cached, page.minify);\n}\n",
            },
        ),
        Example(
            "silent in a test",
            {
                "page.py": "def render(page, draft=False, cached=True, minify=False):\n    return page\n",
                "tests/test_page.py": "from page import render\n\n\ndef test_render():\n    assert render(1, True, False, True)\n",
            },
        ),
    ),
)
