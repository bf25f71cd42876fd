"""Code is called, loaded or made by a name that is put together while the program runs.

## Why it matters

A search for the callers finds nothing, and an import graph has no edge. Whoever renames one of the functions, or deletes it because
nobody seems to use it, breaks a call that only shows when it happens.

## What to do

Put a table in its place: names on one side, functions on the other, so that each is mentioned once. Where the names have to be
open, write down beside the call which ones there are, and check them when the program starts.

## What counts

In a source file that others import: a method looked up by a name made of a fixed part and a computed one (`"visit_" + kind`), where at
least two functions in reach have such a name; modules and classes of the repository loaded that way; definitions that are put
together of text and executed. Calls count by what they are: a function of the repository's own called `eval` does not.

## What is accepted

Names that are written out; names and code that come from elsewhere as a whole, like a setting, a plugin or what a user types; attributes
that are read by such a name; functions that a decorator hands to whoever calls them; tests and scripts; files nobody imports.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from msgspec import Struct

from crimes.api import (
    ANY,
    IMPORT_GRAPH,
    SYMBOLS,
    Call,
    Category,
    Detector,
    Effort,
    Example,
    File,
    FileFacts,
    Finding,
    Function,
    Measure,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    option,
    per_file_text,
    regex,
)

EXECUTES = frozenset({"eval", "exec", "Function", "instance_eval", "class_eval", "module_eval"})
FUNCTIONS_ONLY = frozenset(
    {"eval", "exec", "Function", "import", "require", "__import__", "getattr"}
)  # methods of these names do something else
LOADS = frozenset({
    "import_module", "__import__", "import_string", "forName", "loadClass", "import", "require",
    "constantize", "safe_constantize", "NSClassFromString",
})  # fmt: skip
LOOKS_UP = frozenset({
    "getattr", "send", "public_send", "__send__", "call_user_func", "call_user_func_array",
    "getMethod", "getDeclaredMethod", "GetMethod", "MethodByName",
})  # fmt: skip
_HOLE = r"(?:\{[^{}\"']*\}|\$\{[^{}]*\}|#\{[^{}]*\}|%s|\$\w+)"
# A name that is partly written out: f"visit_{kind}", `on${Kind}`, "visit_" + kind, kind . "_handler".
COMPOSED = regex(
    rf"[fF]?[\"'`](?P<before>[\w./@-]*){_HOLE}(?P<after>[\w./-]*)[\"'`]|[\"'](?P<prefix>[\w./@-]+)[\"'](?:\s*\+|\s*\.(?=\s*\$)|\s\.\s)\s*[\w$(]"
    r"|[\w$)\]](?:\s*\+\s*|\s\.\s)[\"'](?P<suffix>[\w./-]+)[\"']"
)
MEMBER = regex(rf"(?:\[|->\{{)\s*(?:{COMPOSED.pattern})[^\]\}}]*[\]\}}]\s*(?:\?\.)?\(")
# Text with holes that holds a definition: no search finds what it defines.
COMPOSED_CODE = regex(
    rf"\s*\(\s*(?:[rR]?[fF])?[\"'`]+(?=[^\n]*(?:{_HOLE}|[\"']\s*[+%]))[^\n]*?\b(?:def|class|function)\b"
)
FIRST_ARGUMENT = regex(r"\s*\(\s*([A-Za-z_$][\w$]*)\s*[,)]")
SECOND_ARGUMENT = regex(r"\s*\(\s*[\w.$]+\s*,\s*([A-Za-z_$][\w$]*)\s*[,)]")
NO_LOOKUP = regex(r"\s*\(\s*(?:\$|sys\.modules|[\"']?(?:which|sudo)\b)")  # a shell command, names of a module
MAX_LINES_BACK = 4  # where the name may have been put together
PLAIN_DECORATOR = regex(
    r"@?(?:staticmethod|classmethod|property|cached_property|override|Override|\w*typing\w*)\b"
)
OWN_RECEIVER = regex(r"\s*\(?\s*(?:self|cls|this|type\(self\))\s*,")
MIN_PREFIX_CHARS = 3
MIN_FIXED_CHARS = 4  # of a name, outside the holes
COMMON_PARTS = frozenset(
    {"get", "set", "get_", "set_", "is_", "has_", "_id", "test", "test_", "self", "name", "_name"}
)
MAX_RELATED = 5
MAX_LINE_CHARS = 400  # nobody writes longer lines by hand


@dataclass(frozen=True)
class Options:
    min_matches: int = option(
        2, "Report a composed name that at least this many functions, modules or classes have."
    )


class ComputedCall(Struct, frozen=True, array_like=True):
    """A call by a partly composed name or of composed code, judged from its own file alone."""

    call: int  # its index
    does: str  # defines, calls, calls own, loads
    before: str = ""  # the fixed parts of the name
    after: str = ""


class Lookup(Struct, frozen=True):
    """What a call does by a computed name."""

    kind: str
    what: str
    severity: Severity
    targets: tuple[tuple[str, Place], ...] = ()  # what the name can mean


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    graph = scan[IMPORT_GRAPH]
    for path, computed_calls in scan[COMPUTED_CALLS].items():
        file = scan.repo.files[path]
        importers = graph.direct(path)
        if not importers:
            continue
        near = {path: scan.repo.files[path] for path in (file.path, *importers) if path in scan.repo.files}
        seen: set[tuple[str, str]] = set()
        for computed in computed_calls:
            call = file.facts.calls[computed.call]
            lookup = lookup_of(scan, file, call, computed, near, options)
            symbol = file.facts.functions[call.function].qualname if call.function >= 0 else ""
            if lookup and (symbol, lookup.what) not in seen:
                seen.add((symbol, lookup.what))
                yield report(file, call, symbol, lookup, len(importers))


@cache
def may_compute(target: str) -> bool:
    last = last_part(target)
    if is_member(target):
        return True
    return (last in EXECUTES or last in LOADS or last in LOOKS_UP) and (
        last not in FUNCTIONS_ONLY or target == last
    )


def is_member(target: str) -> bool:
    return target.endswith(("[]", "->"))


def last_part(target: str) -> str:
    return re.split(r"\.|::|->", target)[-1]


def computed_calls_in(facts: FileFacts, text: Callable[[], str]) -> tuple[ComputedCall, ...]:
    """The calls of a file that use a composed name, or code composed of text."""
    targets = set(filter(may_compute, {call.target for call in facts.calls}))
    if not targets:
        return ()
    lines = text().split("\n")
    calls = (
        computed_call(index, call, lines)
        for index, call in enumerate(facts.calls)
        if call.target in targets and not (call.function >= 0 and is_of_test(facts.functions[call.function]))
    )
    return tuple(call for call in calls if call is not None)


COMPUTED_CALLS = per_file_text(
    "dynamic_dispatch.written", tuple[ComputedCall, ...], computed_calls_in, frozenset({Role.SOURCE})
)


def is_of_test(function: Function) -> bool:
    return function.in_test or function.is_test


def computed_call(index: int, call: Call, lines: list[str]) -> ComputedCall | None:
    """How a call uses a composed name; None if the name is a literal, or computed entirely."""
    last = last_part(call.target)
    line = lines[call.line - 1] if call.line <= len(lines) else ""
    if len(line) > MAX_LINE_CHARS:
        return None
    if is_member(call.target):
        match = MEMBER.search(line)
        return from_parts(index, "calls", match) if match else None
    arguments = line[line.find(last) + len(last) :]
    if last in EXECUTES:
        return ComputedCall(index, "defines") if COMPOSED_CODE.match(arguments) else None
    match = composed_name(last, call, lines)
    if match is None:
        return None
    if last in LOOKS_UP:
        own = OWN_RECEIVER.match(arguments) or last in ("send", "__send__")
        return from_parts(index, "calls own" if own else "calls", match)
    return ComputedCall(index, "loads", *fixed_parts(match))


def from_parts(index: int, does: str, match: re.Match[str]) -> ComputedCall | None:
    before, after = fixed_parts(match)
    if len(before) < MIN_PREFIX_CHARS or before in COMMON_PARTS or len(before) + len(after) < MIN_FIXED_CHARS:
        return None  # an ending alone is more often an attribute's
    return ComputedCall(index, does, before, after)


def lookup_of(
    scan: Pass, file: File, call: Call, computed: ComputedCall, near: Mapping[str, File], options: Options
) -> Lookup | None:
    """What a call can reach; None if nothing here fits, or the called function is the repository's own."""
    if (
        not is_member(call.target)
        and scan[SYMBOLS].resolve(file.path, call.target, call.function) is not None
    ):
        return None
    if computed.does == "defines":
        what = f"`{last_part(call.target)}` defines something by code that is put together of text"
        return Lookup("defines", what, Severity.MEDIUM)
    if computed.does == "loads":
        return files_or_classes(computed.before, computed.after, scan, file, options)
    return functions_in_reach(
        computed.before, computed.after, {file.path: file} if computed.does == "calls own" else near, options
    )


def composed_name(last: str, call: Call, lines: list[str]) -> re.Match[str] | None:
    """The composed name that a call is given, in the call itself or a few lines before."""
    line = lines[call.line - 1]
    if last.endswith("constantize"):
        return COMPOSED.search(line[: line.find(last)])
    arguments = line[line.find(last) + len(last) :]
    if arguments.rstrip().endswith("("):
        arguments += "".join(lines[call.line : call.line + 2])
    if NO_LOOKUP.match(arguments):
        return None
    here = COMPOSED.search(arguments)
    name = (SECOND_ARGUMENT if last == "getattr" else FIRST_ARGUMENT).match(arguments)
    if here is not None or name is None:
        return here
    assignment = re.compile(rf"(?<![\w.]){re.escape(name[1])}\s*=(?!=)")
    assignments = (
        row
        for row in reversed(lines[max(0, call.line - 1 - MAX_LINES_BACK) : call.line - 1])
        if assignment.search(row)
    )
    line_before = next(assignments, None)
    return COMPOSED.search(line_before) if line_before is not None else None


def fixed_parts(match: re.Match[str]) -> tuple[str, str]:
    return match["before"] or match["prefix"] or "", match["after"] or match["suffix"] or ""


def functions_in_reach(before: str, after: str, near: Mapping[str, File], options: Options) -> Lookup | None:
    """Functions in reach whose names have the fixed parts."""
    targets = tuple(
        (function.name, Place(path, function.start, function.end, function.qualname))
        for path, file in near.items()
        for function in file.facts.functions
        if fits(function.name, before, after)
        and not (is_of_test(function) or function.is_anonymous or is_registered(function))
    )
    return lookup_if_enough("functions", f"{before}…{after}", targets, options)


def is_registered(function: Function) -> bool:
    """Whether a decorator registers it: then it is found through the registry."""
    return any(not PLAIN_DECORATOR.match(decorator) for decorator in function.decorators)


def files_or_classes(before: str, after: str, scan: Pass, file: File, options: Options) -> Lookup | None:
    """Files or classes of the repository whose names have the fixed parts."""
    folder, _, start = before.rpartition("/" if "/" in before else ".")
    folder = folder if "/" in before else folder.replace(".", "/")
    if folder.startswith("."):
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), folder))
    if len(folder) >= MIN_FIXED_CHARS:
        files = (other for other in scan.repo.files.values() if other.role is Role.SOURCE)
        modules = tuple(
            (posixpath.basename(other.path), Place(other.path, 1, 1))
            for other in files
            if f"/{posixpath.dirname(other.path)}".endswith(f"/{folder}")
            and posixpath.basename(other.path).startswith(start)
            and (other.path if "." in after else posixpath.splitext(other.path)[0]).endswith(after)
            and not posixpath.basename(other.path).startswith("__")
        )
        return lookup_if_enough("modules", f"{before}…{after}", modules, options)
    if len(after) < MIN_FIXED_CHARS or not after[0].isupper():
        return None
    classes = tuple(
        (class_.name, Place(path, class_.start, class_.end, class_.qualname))
        for path, other in scan.repo.files.items()
        if other.role is Role.SOURCE
        for class_ in other.facts.classes
        if fits(class_.name, before, after)
    )
    return lookup_if_enough("classes", f"{before}…{after}", classes, options)


def fits(name: str, before: str, after: str) -> bool:
    return name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)


def lookup_if_enough(
    what: str, pattern: str, targets: tuple[tuple[str, Place], ...], options: Options
) -> Lookup | None:
    if len({name for name, _ in targets}) < options.min_matches:
        return None
    verb = "called" if what == "functions" else "loaded"
    return Lookup(what, f"{what} named `{pattern}` are {verb} by a computed name", Severity.LOW, targets)


def report(file: File, call: Call, symbol: str, lookup: Lookup, importers: int) -> Finding:
    signals = [Signal("call", Category.SYNTAX, 75, lookup.what)]
    names = sorted({name for name, _ in lookup.targets})
    which, why = "", "No search and no import shows what is reached from here."
    if names:
        signals.append(
            Signal("names", Category.GRAPH, 80, f"{len(names)} {lookup.kind} in reach have such a name")
        )
        which = (
            f" {len(names)} are in reach: {', '.join(names[:3])}{' and others' if len(names) > 3 else ''}."
        )
        why = (
            "A search for their names does not lead here, so whoever renames or removes one breaks it unseen."
        )
    else:
        signals.append(Signal("importers", Category.GRAPH, 60, f"{importers} files import this one"))
    return Finding(
        Place(file.path, call.line, call.line, symbol),
        lookup.severity,
        f"Here {lookup.what}.{which} {why} Use a table of names, or write down beside it which ones there are.",
        tuple(signals),
        evidence={
            "kind": Measure(lookup.kind),
            "importers": Measure(importers),
            **({"names": Measure(tuple(names[:MAX_RELATED])), "count": Measure(len(names))} if names else {}),
        },
        related=tuple(Related(place, "can be meant") for _, place in lookup.targets[:MAX_RELATED]),
        discriminator=lookup.what,
    )


DETECTOR = Detector(
    id="dynamic_dispatch",
    title="Called by a name that is put together at run time",
    category="agents",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.HOURS,
    options=Options,
    needs=(IMPORT_GRAPH, SYMBOLS),
    in_each_file=(COMPUTED_CALLS,),
    detect=detect,
    examples=(
        Example(
            "methods that are looked up by part of their name, in Python",
            {
                "shop/events.py": "class Events:\n    def handle(self, event):\n        return getattr(self, f'on_paid_{event.kind}')(event)\n\n"
                "    def on_paid_card(self, event):\n        return 1\n\n    def on_paid_cash(self, event):\n        return 2\n",
                "shop/app.py": "from shop.events import Events\n\nEVENTS = Events()\n",
            },
            ("shop/events.py:3",),
            severity=Severity.LOW,
        ),
        Example(
            "the same in JavaScript",
            {
                "src/events.js": "export class Events {\n  handle(event) {\n    return this[`onPaid${event.kind}`](event);\n  }\n"
                "  onPaidCard(event) {\n    return 1;\n  }\n  onPaidCash(event) {\n    return 2;\n  }\n}\n",
                "src/app.js": "import { Events } from './events';\n\nexport const events = new Events();\n",
            },
            ("src/events.js:3",),
        ),
        Example(
            "a module that is loaded by a computed name",
            {
                "shop/plugins.py": "import importlib\n\n\ndef load(name):\n    return importlib.import_module('shop.taxes.' + name)\n",
                "shop/app.py": "from shop.plugins import load\n\nload('norway')\n",
                "shop/taxes/norway.py": "RATE = 25\n",
                "shop/taxes/sweden.py": "RATE = 25\n",
            },
            ("shop/plugins.py:5",),
            severity=Severity.LOW,
        ),
        Example(
            "a function that is made of text",
            {
                "shop/rules.py": "def make(name):\n    exec(f'def {name}(order): return order.{name} > 1', globals())\n",
                "shop/app.py": "from shop.rules import make\n\nmake('weight')\n",
            },
            ("shop/rules.py:2",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent when nobody imports the file",
            {
                "shop/rules.py": "def make(name):\n    exec(f'def {name}(order): return order.{name} > 1', globals())\n"
            },
        ),
        Example(
            "silent on names that are written out",
            {
                "shop/plugins.py": "import importlib\n\n\ndef load(thing):\n    importlib.import_module('shop.tax')\n    return getattr(thing, 'total')()\n",
                "shop/app.py": "from shop.plugins import load\n\nload(1)\n",
            },
        ),
        Example(
            "silent on names that come from elsewhere as a whole",
            {
                "shop/plugins.py": "import importlib\n\n\ndef load(settings):\n    eval(settings.code)\n    return importlib.import_module(settings.module)\n",
                "shop/app.py": "from shop.plugins import load\n\nload(1)\n",
            },
        ),
        Example(
            "silent on attributes that are only read",
            {
                "shop/rows.py": "def column(row, name):\n    return getattr(row, name, None)\n",
                "shop/app.py": "from shop.rows import column\n\nA = column(1, 'a')\n",
            },
        ),
        Example(
            "silent on a function of its own that has such a name",
            {
                "src/run.ts": "function exec(command: string) {\n  return command;\n}\n\nexport function run(command: string) {\n  return exec(command + '!');\n}\n",
                "src/app.ts": "import { run } from './run';\n\nrun('a');\n",
            },
        ),
        Example(
            "silent on a method that has such a name",
            {
                "src/match.ts": "export function first(pattern: RegExp, text: string) {\n  return pattern.exec(text);\n}\n",
                "src/app.ts": "import { first } from './match';\n\nfirst(/a/, 'a');\n",
            },
        ),
    ),
)
