"""Calls pass several bare booleans, and nothing at the call says which is which.

It reports a function with three boolean parameters when at least four calls pass them by position, two or more of them as literals that differ; and
one with two when at least twenty calls pass both as different literals. Only calls that resolve to the function count.

## Why it matters

A call with several bare booleans cannot be read without opening the function, and swapping two of them goes unnoticed.
Every flag also doubles the paths inside.

## What to do

Let the calls say which flag is which, as far as the language allows: named arguments, an options value, an enum, or a function for each mode.

## Before

```python
def render(page, draft=False, cached=True, minify=False):
    ...

def build(page):
    return render(page, True, False, True)
```

## After

```python
def render(page, *, draft=False, cached=True, minify=False):
    ...

def build(page):
    return render(page, draft=True, cached=False, minify=True)
```

## What it accepts

- Flags that the calls name: keyword arguments, or a comment before the literal.
- Keyword-only parameters, and flags that no call passes by position.
- Flags with defaults that calls leave out.
- Parameters that `false` only leaves empty, by their names: `$id_zone = false`, `$products = false`.
- Calls that pass variables: their names say what they are.
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
    admitted_in_a_comment,
    at_function,
    last_name,
    option,
    per_file,
    per_file_given,
    regex,
)

_MIN_BARE_FLAGS = 2  # a single bare literal is clear enough
_LITERALS = frozenset({"True", "False", "true", "false"})
_RECEIVERS = frozenset({"self", "cls"})
_KEYWORD = regex(r"[^\W\d]\w*\s*[:=](?![=:])")  # a keyword argument
_VALUE_NAME = regex(
    r"\$?(?:(?:id|ids|conf)$|id_|\w*(?:_ids?|Ids?|qty|quantity|count|list|products|items|rows|data|value|name)$)"
)
_OPENING, _CLOSING, _QUOTES = "([{", ")]}", "\"'`"
_MAX_ARGUMENT_CHARS = 2000
_MAX_FURTHER_LINES = 39  # of a call, after its first
_MAX_RELATED = 3


@dataclass(frozen=True)
class Options:
    min_flags: int = option(3, "Report a function with this many boolean parameters if calls pass them bare.")
    min_sites: int = option(4, "Report it if at least this many calls do so.")
    min_sites_of_two: int = option(
        20, "Report a function with two if this many calls pass two bare literals."
    )


class PassingCall(Struct, frozen=True, array_like=True):
    """A call that passes two or more bare literals: its index and its arguments."""

    call: int
    arguments: tuple[str, ...]


class BareCall(Struct, frozen=True):
    """A call, how many boolean parameters it fills by position, and how many of them with a literal; none if all are the same."""

    site: CallSite
    flags: int
    literals: int
    text: str


PassingSite = tuple[CallSite, tuple[str, ...]]  # a call and its arguments


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    functions, symbols = _flagged_functions(scan), scan[SYMBOLS]
    passing = _passing_sites(scan, frozenset(functions))
    reported: dict[Symbol, tuple[Function, list[BareCall]]] = {}
    for symbol in functions:
        function = symbols.fact_of(symbol) if symbol in passing else None
        if not isinstance(function, Function):
            continue
        bare = (_bare_call(site, arguments, function) for site, arguments in passing[symbol])
        bare_calls = [call for call in bare if call.literals >= _MIN_BARE_FLAGS]
        full = sum(call.flags >= options.min_flags for call in bare_calls)
        if full >= options.min_sites or len(bare_calls) >= options.min_sites_of_two:
            reported[symbol] = function, sorted(bare_calls, key=_sort_key)
    calls = symbols.callers(reported, (Role.SOURCE,))
    for symbol, (function, bare_calls) in reported.items():
        sites = sum(_is_outside_tests(scan, site) for site in calls[symbol])
        yield _report(scan, symbol, function, bare_calls, sites, options)


def _sort_key(call: BareCall) -> tuple[int, str, int]:
    return -call.literals, call.site.path, call.site.call.line


def _passing_sites(scan: Pass, flagged: Container[Symbol]) -> dict[Symbol, list[PassingSite]]:
    """By function with flags: the calls of it that pass two bare literals, with their arguments."""
    by_function: dict[Symbol, list[PassingSite]] = {}
    for path, calls in scan[PASSED].items():
        for call in calls:
            site = CallSite(path, scan.repo.files[path].facts.calls[call.call])
            symbol = scan[SYMBOLS].resolve(path, site.call.target, site.call.function)
            if symbol is not None and symbol in flagged and _is_outside_tests(scan, site):
                by_function.setdefault(symbol, []).append((site, call.arguments))
    return by_function


def _flagged_functions(scan: Pass) -> list[Symbol]:
    return [Symbol(path, name) for path, names in scan[FLAGGED].items() for name in names]


def flagged_functions_in(facts: FileFacts) -> tuple[str, ...]:
    """Names of functions with two or more flags, without overloads: a call may mean either."""
    names = [
        function.qualname
        for function in facts.functions
        if len(function.params) >= _MIN_BARE_FLAGS
        and not (function.is_anonymous or function.in_test or function.is_test)
        and len(_flags(function)) >= _MIN_BARE_FLAGS
    ]
    named = (function for function in facts.functions if not function.is_anonymous)
    counts = Counter(function.qualname for function in named) if names else {}
    return tuple(name for name in names if counts[name] == 1)


def _flags(function: Function) -> list[Param]:
    return [param for param in function.params if _is_flag(param) and not param.keyword_only]


def _is_flag(param: Param) -> bool:
    """Whether a parameter is boolean, and not named like a value that `false` stands in for where there is none."""
    return param.boolean and not param.star and not (param.has_default and _VALUE_NAME.match(param.name))


FLAGGED = per_file("flag_arguments.flagged", tuple[str, ...], flagged_functions_in, frozenset({Role.SOURCE}))


def _call_names(scan: Pass) -> dict[str, list[str]]:
    """By file: the last parts of the names by which a function with flags can be called."""
    by_path = scan[SYMBOLS].names_for(_flagged_functions(scan), (Role.SOURCE,))
    return {path: sorted(names) for path, names in by_path.items()}


def _passing_calls(facts: FileFacts, text: Callable[[], str], names: list[str]) -> tuple[PassingCall, ...]:
    """The calls by one of these names that pass two or more bare literals."""
    wanted = frozenset(names)
    indices = [index for index, call in enumerate(facts.calls) if last_name(call.target) in wanted]
    lines = text().split("\n") if indices else []
    passed = ((index, arguments_of(facts.calls[index], lines)) for index in indices)
    return tuple(
        PassingCall(index, tuple(arguments))
        for index, arguments in passed
        if sum(argument in _LITERALS for argument in arguments) >= _MIN_BARE_FLAGS
    )


PASSED = per_file_given(
    "flag_arguments.passed", tuple[PassingCall, ...], (SYMBOLS, FLAGGED), _call_names, _passing_calls
)


def _is_outside_tests(scan: Pass, site: CallSite) -> bool:
    file = scan.repo.files[site.path]
    inside = file.facts.functions[site.call.function] if site.call.function >= 0 else None
    return not (inside and (inside.in_test or inside.is_test))


def arguments_of(call: Call, lines: list[str]) -> list[str]:
    """The arguments of a call; empty if they cannot be read, or the text has no two literals."""
    text = "\n".join(lines[call.line - 1 : call.line + _MAX_FURTHER_LINES])
    if sum(text.count(word) for word in _LITERALS) < _MIN_BARE_FLAGS:
        return []  # as for most calls
    name = re.escape(re.split(r"\W", call.target)[-1])
    match = re.search(rf"{name}\s*(?:<[^()]*>)?\(", text)
    if match is None or not name:
        return []
    return split_arguments(text[match.end() : match.end() + _MAX_ARGUMENT_CHARS])


def _bare_call(site: CallSite, arguments: Iterable[str], function: Function) -> BareCall:
    params = [param for param in function.params if param.name not in _RECEIVERS]
    pairs = list(zip(params, arguments, strict=False))
    filled = [value for param, value in pairs if _is_flag(param) and not _KEYWORD.match(value)]
    literals = [value for value in filled if value in _LITERALS]
    mixed = len(literals) if len(set(literals)) > 1 else 0  # to swap `false, false` changes nothing
    return BareCall(site, len(filled), mixed, f"{site.call.target}({', '.join(arguments)})")


def split_arguments(text: str) -> list[str]:
    """The arguments in the text after an opening parenthesis; empty if it does not close."""
    arguments, depth, start, quote = [], 0, 0, ""
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
            arguments.append(" ".join(text[start:at].split()))
            start = at + 1
            if char == ")":
                return [argument for argument in arguments if argument]
    return []


def _report(
    scan: Pass, symbol: Symbol, function: Function, bare: list[BareCall], calls: int, options: Options
) -> Finding:
    file = scan.repo.files[symbol.path]
    flags = [param.name for param in _flags(function)]
    listed = ", ".join(f"`{name}`" for name in flags)
    shown = bare[0].text if len(bare[0].text) <= 100 else bare[0].text[:100] + "…"
    return Finding(
        at_function(file, function),
        Severity.LOW,
        f"`{function.name}` takes {len(flags)} boolean flags ({listed}), and {_calls(len(bare))} bare literals for them, "
        f"as in `{shown}`.",
        signals=(
            Signal("flag_arguments", Category.SYNTAX, 75, f"{len(flags)} boolean parameters"),
            Signal(
                "flag_arguments",
                Category.GRAPH,
                80,
                f"{_calls(len(bare))} bare literals, of {calls} that resolve to it",
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
                Place(call.site.path, call.site.call.line, call.site.call.line),
                f"passes {call.flags} flags by position, {call.literals} as literals",
            )
            for call in bare[:_MAX_RELATED]
        ),
        fix=_FIXES[file.traits.named_arguments],
    )


# By how a call can name an argument.
_FIXES = {
    "declared": "Make the calls name the flags: declare them as keyword arguments, or write a function for each mode.",
    "at_call": "Name the flags at the calls, replace them with an enum, or write a function for each mode.",
    "object": "Pass one options object with named fields, or write a function for each mode.",
    "": "Replace the flags with an enum or a struct of named options, or write a function for each mode.",
}


def _calls(count: int) -> str:
    return "1 call passes" if count == 1 else f"{count} calls pass"


# What a comment has to say to settle a finding in doubt.
_ADMITTED = r"boolean trap|FBT00|too[- ]many[- ](positional|arguments|params)|(todo|fixme).{0,40}(flag|boolean|enum|keyword)"

DETECTOR = Detector(
    id="flag_arguments",
    title="Bare boolean arguments",
    category="structure",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    needs=(SYMBOLS,),
    in_each_file=(FLAGGED, PASSED),
    deferred=(admitted_in_a_comment(_ADMITTED),),
    examples=(
        Example(
            "three flags passed by position in Python",
            {
                "page.py": "def render(page, draft=False, cached=True, minify=False):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    return render(page, True, False, True)\n",
            },
            ("page.py:1",),
            options={"min_sites": 1},
            severity=Severity.LOW,
        ),
        Example(
            "silent on flags that only two calls pass",
            {
                "page.py": "def render(page, draft=False, cached=True, minify=False):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    render(page, False, False, True)\n    return render(page, True, False, True)\n",
            },
        ),
        Example(
            "two flags as literals that differ in three of five calls in TypeScript",
            {
                "src/page.ts": "export function render(page: Page, draft: boolean, cached: boolean) {\n  return page;\n}\n",
                "src/site.ts": 'import { render } from "./page";\n\nexport function build(page: Page) {\n  render(page, true, false);\n'
                "  render(page, false, false);\n  render(page, false, true);\n  render(page, true, false);\n  return render(page, true, true);\n}\n",
            },
            ("src/page.ts:1",),
            options={"min_sites_of_two": 3},
        ),
        Example(
            "three flags as literals in four calls",
            {
                "page.py": "def render(page, draft=False, cached=True, minify=False):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    render(page, True, False, True)\n"
                "    render(page, False, True, page.small)\n    render(page, False, True, False)\n    return render(page, True, True, False)\n",
            },
            ("page.py:1",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on values that false leaves empty",
            {
                "page.py": "def render(page, products=False, id_zone=False, cached=True):\n    return page\n",
                "site.py": "from page import render\n\n\ndef build(page):\n    return render(page, False, False, True)\n",
            },
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
            "silent on variables",
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
