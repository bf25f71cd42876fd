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
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass

from msgspec import Struct

from crimes.api import (
    ANY,
    SYMBOLS,
    Call,
    CallSite,
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
    Symbol,
    at_function,
    last_name,
    option,
    per_file,
    per_file_given,
    regex,
)

_TWO = 2
_LITERALS = frozenset({"True", "False", "true", "false"})
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


class Passed(Struct, frozen=True, array_like=True):
    """A call with two bare literals or more, by its number, and all its arguments."""

    call: int
    given: tuple[str, ...]


class Bare(Struct, frozen=True):
    """A call, how many boolean parameters it fills by position, and how many of those with a literal."""

    site: CallSite
    flags: int
    literals: int
    text: str


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    flagged, symbols = _flagged(scan), scan[SYMBOLS]
    passed = _passed(scan, frozenset(flagged))
    told: dict[Symbol, tuple[Function, list[Bare]]] = {}
    for symbol in flagged:
        function = symbols.fact_of(symbol) if symbol in passed else None
        if not isinstance(function, Function):
            continue
        bare = (_bare(site, given, function) for site, given in passed[symbol])
        blind = [one for one in bare if one.literals >= _TWO]
        many = len(_flags(function)) >= options.min_flags and any(
            one.flags >= options.min_flags for one in blind
        )
        if many or len(blind) >= options.min_sites:
            told[symbol] = function, sorted(blind, key=_order)
    calls = symbols.callers(told, (Role.SOURCE,))
    for symbol, (function, blind) in told.items():
        sites = sum(_counts(scan, site) for site in calls[symbol])
        yield _report(scan, symbol, function, blind, sites, options)


def _order(one: Bare) -> tuple[int, str, int]:
    return -one.literals, one.site.path, one.site.call.line


def _passed(scan: Pass, flagged: Container[Symbol]) -> dict[Symbol, list[tuple[CallSite, tuple[str, ...]]]]:
    """By function with flags: the calls that lead to it with two bare literals, and what they pass."""
    found: dict[Symbol, list[tuple[CallSite, tuple[str, ...]]]] = {}
    for path, some in scan[PASSED].items():
        for one in some:
            site = CallSite(path, scan.repo.files[path].facts.calls[one.call])
            symbol = scan[SYMBOLS].resolve(path, site.call.target, site.call.function)
            if symbol is not None and symbol in flagged and _counts(scan, site):
                found.setdefault(symbol, []).append((site, one.given))
    return found


def _flagged(scan: Pass) -> list[Symbol]:
    return [Symbol(path, name) for path, names in scan[FLAGGED].items() for name in names]


def flagged_in(facts: FileFacts) -> tuple[str, ...]:
    """Functions with two flags or more, by their names; of overloads and redefinitions none, a call may mean either."""
    found = [
        one.qualname
        for one in facts.functions
        if len(one.params) >= _TWO
        and not (one.is_anonymous or one.in_test or one.is_test)
        and len(_flags(one)) >= _TWO
    ]
    known = Counter(one.qualname for one in facts.functions if not one.is_anonymous) if found else {}
    return tuple(name for name in found if known[name] == 1)


def _flags(function: Function) -> list[Param]:
    return [one for one in function.params if one.boolean and not one.keyword_only and not one.star]


FLAGGED = per_file("flag_arguments.flagged", tuple[str, ...], flagged_in, frozenset({Role.SOURCE}))


def _names(scan: Pass) -> dict[str, list[str]]:
    """By file: the last names of calls that can lead to a function with flags."""
    found = scan[SYMBOLS].names_for(_flagged(scan), (Role.SOURCE,))
    return {path: sorted(names) for path, names in found.items()}


def _passing(facts: FileFacts, text: Callable[[], str], names: list[str]) -> tuple[Passed, ...]:
    """The calls by one of these names that pass two bare literals."""
    wanted = frozenset(names)
    numbers = [at for at, call in enumerate(facts.calls) if last_name(call.target) in wanted]
    lines = text().split("\n") if numbers else []
    found = ((at, arguments_of(facts.calls[at], lines)) for at in numbers)
    return tuple(
        Passed(at, tuple(given)) for at, given in found if sum(one in _LITERALS for one in given) >= _TWO
    )


PASSED = per_file_given("flag_arguments.passed", tuple[Passed, ...], (SYMBOLS, FLAGGED), _names, _passing)


def _counts(scan: Pass, site: CallSite) -> bool:
    file = scan.repo.files[site.path]
    inside = file.facts.functions[site.call.function] if site.call.function >= 0 else None
    return not (inside and (inside.in_test or inside.is_test))


def arguments_of(call: Call, lines: list[str]) -> list[str]:
    """What a call passes; empty where that cannot be read from the text, or the text holds no two literals."""
    text = "\n".join(lines[call.line - 1 : call.line + _MOST_LINES])
    if sum(text.count(word) for word in _LITERALS) < _TWO:
        return []  # which most end with
    name = re.escape(re.split(r"\W", call.target)[-1])
    match = re.search(rf"{name}\s*(?:<[^()]*>)?\(", text)
    if match is None or not name:
        return []
    return arguments(text[match.end() : match.end() + _LONGEST])


def _bare(site: CallSite, given: Iterable[str], function: Function) -> Bare:
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
    in_each_file=(FLAGGED, PASSED),
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
