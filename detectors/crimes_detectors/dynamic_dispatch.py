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
BARE = frozenset(
    {"eval", "exec", "Function", "import", "require", "__import__", "getattr"}
)  # as methods they are others
LOADS = frozenset(
    {"import_module", "__import__", "import_string", "forName", "loadClass", "import", "require"}
) | {
    "constantize",
    "safe_constantize",
    "NSClassFromString",
}
LOOKS_UP = frozenset(
    {"getattr", "send", "public_send", "__send__", "call_user_func", "call_user_func_array"}
) | {
    "getMethod",
    "getDeclaredMethod",
    "GetMethod",
    "MethodByName",
}
_HOLE = r"(?:\{[^{}\"']*\}|\$\{[^{}]*\}|#\{[^{}]*\}|%s|\$\w+)"
# A name that is partly written out: f"visit_{kind}", `on${Kind}`, "visit_" + kind, kind . "_handler".
COMPOSED = regex(
    rf"[fF]?[\"'`](?P<before>[\w./@-]*){_HOLE}(?P<after>[\w./-]*)[\"'`]|[\"'](?P<prefix>[\w./@-]+)[\"'](?:\s*\+|\s*\.(?=\s*\$)|\s\.\s)\s*[\w$(]"
    r"|[\w$)\]](?:\s*\+\s*|\s\.\s)[\"'](?P<suffix>[\w./-]+)[\"']"
)
MEMBER = regex(rf"(?:\[|->\{{)\s*(?:{COMPOSED.pattern})[^\]\}}]*[\]\}}]\s*(?:\?\.)?\(")
# Text with holes that holds a definition: what it defines is found by no search.
MADE_CODE = regex(
    rf"\s*\(\s*(?:[rR]?[fF])?[\"'`]+(?=[^\n]*(?:{_HOLE}|[\"']\s*[+%]))[^\n]*?\b(?:def|class|function)\b"
)
ARGUMENT = regex(r"\s*\(\s*([A-Za-z_$][\w$]*)\s*[,)]")
SECOND = regex(r"\s*\(\s*[\w.$]+\s*,\s*([A-Za-z_$][\w$]*)\s*[,)]")
OTHERS = regex(r"\s*\(\s*(?:\$|sys\.modules|[\"']?(?:which|sudo)\b)")  # a shell's command, names of a module
LOOKED_BACK = 4  # lines in which a name that is handed over may have been put together
PLAIN_DECORATOR = regex(
    r"@?(?:staticmethod|classmethod|property|cached_property|override|Override|\w*typing\w*)\b"
)
OWN = regex(r"\s*\(?\s*(?:self|cls|this|type\(self\))\s*,")
SHORTEST = 3
FIXED = 4  # characters of a name that are written out
PLAIN = frozenset(
    {"get", "set", "get_", "set_", "is_", "has_", "_id", "test", "test_", "self", "name", "_name"}
)
MOST_RELATED = 5
LONGEST_LINE = 400  # characters; a person writes no longer ones


@dataclass(frozen=True)
class Options:
    min_matches: int = option(
        2, "Report a composed name that at least this many functions, modules or classes have."
    )


class Written(Struct, frozen=True, array_like=True):
    """A call that does something by a name which is partly written out, or by code: as far as its own file tells."""

    call: int  # its number
    does: str  # defines, calls, calls own, loads
    before: str = ""  # the parts that are written out
    after: str = ""


class Lookup(Struct, frozen=True):
    """What a call does by a computed name."""

    kind: str
    what: str
    severity: Severity
    meant: tuple[tuple[str, Place], ...] = ()  # what it can be, by name


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    graph = scan[IMPORT_GRAPH]
    for path, some in scan[WRITTEN].items():
        file = scan.repo.files[path]
        importers = graph.direct(path)
        if not importers:
            continue
        near = {path: scan.repo.files[path] for path in (file.path, *importers) if path in scan.repo.files}
        seen: set[tuple[str, str]] = set()
        for written in some:
            call = file.facts.calls[written.call]
            lookup = lookup_of(scan, file, call, written, near, options)
            symbol = file.facts.functions[call.function].qualname if call.function >= 0 else ""
            if lookup and (symbol, lookup.what) not in seen:
                seen.add((symbol, lookup.what))
                yield report(file, call, symbol, lookup, len(importers))


@cache
def may_compute(target: str) -> bool:
    last = last_of(target)
    if is_member(target):
        return True
    return (last in EXECUTES or last in LOADS or last in LOOKS_UP) and (last not in BARE or target == last)


def is_member(target: str) -> bool:
    return target.endswith(("[]", "->"))


def last_of(target: str) -> str:
    return re.split(r"\.|::|->", target)[-1]


def written_in(facts: FileFacts, text: Callable[[], str]) -> tuple[Written, ...]:
    """The calls of a file that find or make something by what is put together in its text."""
    targets = set(filter(may_compute, {call.target for call in facts.calls}))
    if not targets:
        return ()
    lines = text().split("\n")
    found = (
        written(at, call, lines)
        for at, call in enumerate(facts.calls)
        if call.target in targets and not (call.function >= 0 and is_of_test(facts.functions[call.function]))
    )
    return tuple(one for one in found if one is not None)


WRITTEN = per_file_text("dynamic_dispatch.written", tuple[Written, ...], written_in, frozenset({Role.SOURCE}))


def is_of_test(function: Function) -> bool:
    return function.in_test or function.is_test


def written(at: int, call: Call, lines: list[str]) -> Written | None:
    """What the text says of a call; None where the name is written out, or wholly computed."""
    last = last_of(call.target)
    line = lines[call.line - 1] if call.line <= len(lines) else ""
    if len(line) > LONGEST_LINE:
        return None
    if is_member(call.target):
        match = MEMBER.search(line)
        return by_parts(at, "calls", match) if match else None
    arguments = line[line.find(last) + len(last) :]
    if last in EXECUTES:
        return Written(at, "defines") if MADE_CODE.match(arguments) else None
    match = composed(last, call, lines)
    if match is None:
        return None
    if last in LOOKS_UP:
        own = OWN.match(arguments) or last in ("send", "__send__")
        return by_parts(at, "calls own" if own else "calls", match)
    return Written(at, "loads", *parts(match))


def by_parts(at: int, does: str, match: re.Match[str]) -> Written | None:
    before, after = parts(match)
    if len(before) < SHORTEST or before in PLAIN or len(before) + len(after) < FIXED:
        return None  # an ending alone is more often that of an attribute
    return Written(at, does, before, after)


def lookup_of(
    scan: Pass, file: File, call: Call, written: Written, near: Mapping[str, File], options: Options
) -> Lookup | None:
    """What is computed at a call; None where nothing here is meant, or the call is of something of the repository's own."""
    if (
        not is_member(call.target)
        and scan[SYMBOLS].resolve(file.path, call.target, call.function) is not None
    ):
        return None
    if written.does == "defines":
        what = f"`{last_of(call.target)}` defines something by code that is put together of text"
        return Lookup("defines", what, Severity.MEDIUM)
    if written.does == "loads":
        return by_place(written.before, written.after, scan, file, options)
    return by_name(
        written.before, written.after, {file.path: file} if written.does == "calls own" else near, options
    )


def composed(last: str, call: Call, lines: list[str]) -> re.Match[str] | None:
    """The name that a call is handed, where parts of it are written out: in the call, or a few lines before."""
    line = lines[call.line - 1]
    if last.endswith("constantize"):
        return COMPOSED.search(line[: line.find(last)])
    arguments = line[line.find(last) + len(last) :]
    if arguments.rstrip().endswith("("):
        arguments += "".join(lines[call.line : call.line + 2])
    if OTHERS.match(arguments):
        return None
    here = COMPOSED.search(arguments)
    name = (SECOND if last == "getattr" else ARGUMENT).match(arguments)
    if here is not None or name is None:
        return here
    made = re.compile(rf"(?<![\w.]){re.escape(name[1])}\s*=(?!=)")
    before = (
        row
        for row in reversed(lines[max(0, call.line - 1 - LOOKED_BACK) : call.line - 1])
        if made.search(row)
    )
    found = next(before, None)
    return COMPOSED.search(found) if found is not None else None


def parts(match: re.Match[str]) -> tuple[str, str]:
    return match["before"] or match["prefix"] or "", match["after"] or match["suffix"] or ""


def by_name(before: str, after: str, near: Mapping[str, File], options: Options) -> Lookup | None:
    """Functions in reach whose names have the parts that are written out."""
    meant = tuple(
        (function.name, Place(path, function.start, function.end, function.qualname))
        for path, file in near.items()
        for function in file.facts.functions
        if between(function.name, before, after)
        and not (is_of_test(function) or function.is_anonymous or registered(function))
    )
    return told("functions", f"{before}…{after}", meant, options)


def registered(function: Function) -> bool:
    """Whether a decorator hands it to somebody who calls it: that is how it is found."""
    return any(not PLAIN_DECORATOR.match(one) for one in function.decorators)


def by_place(before: str, after: str, scan: Pass, file: File, options: Options) -> Lookup | None:
    """Files or classes of the repository that can be loaded by the parts that are written out."""
    folder, _, start = before.rpartition("/" if "/" in before else ".")
    folder = folder if "/" in before else folder.replace(".", "/")
    if folder.startswith("."):
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), folder))
    if len(folder) >= FIXED:
        files = (one for one in scan.repo.files.values() if one.role is Role.SOURCE)
        meant = tuple(
            (posixpath.basename(one.path), Place(one.path, 1, 1))
            for one in files
            if f"/{posixpath.dirname(one.path)}".endswith(f"/{folder}")
            and posixpath.basename(one.path).startswith(start)
            and (one.path if "." in after else posixpath.splitext(one.path)[0]).endswith(after)
            and not posixpath.basename(one.path).startswith("__")
        )
        return told("modules", f"{before}…{after}", meant, options)
    if len(after) < FIXED or not after[0].isupper():
        return None
    classes = tuple(
        (one.name, Place(path, one.start, one.end, one.qualname))
        for path, other in scan.repo.files.items()
        if other.role is Role.SOURCE
        for one in other.facts.classes
        if between(one.name, before, after)
    )
    return told("classes", f"{before}…{after}", classes, options)


def between(name: str, before: str, after: str) -> bool:
    return name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)


def told(what: str, pattern: str, meant: tuple[tuple[str, Place], ...], options: Options) -> Lookup | None:
    if len({name for name, _ in meant}) < options.min_matches:
        return None
    verb = "called" if what == "functions" else "loaded"
    return Lookup(what, f"{what} named `{pattern}` are {verb} by a computed name", Severity.LOW, meant)


def report(file: File, call: Call, symbol: str, lookup: Lookup, importers: int) -> Finding:
    signals = [Signal("call", Category.SYNTAX, 75, lookup.what)]
    meant = sorted({name for name, _ in lookup.meant})
    which, why = "", "No search and no import shows what is reached from here."
    if meant:
        signals.append(
            Signal("names", Category.GRAPH, 80, f"{len(meant)} {lookup.kind} in reach have such a name")
        )
        which = (
            f" {len(meant)} are in reach: {', '.join(meant[:3])}{' and others' if len(meant) > 3 else ''}."
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
            **(
                {"names": Measure(tuple(meant[:MOST_RELATED])), "count": Measure(len(meant))} if meant else {}
            ),
        },
        related=tuple(Related(place, "can be meant") for _, place in lookup.meant[:MOST_RELATED]),
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
    in_each_file=(WRITTEN,),
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
