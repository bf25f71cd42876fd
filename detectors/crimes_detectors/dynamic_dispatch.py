"""Code is called, loaded or defined through a name that is built at run time.

It looks at source files that others import. It reports a method that is looked up by a name made of a fixed part and a computed part
(`"visit_" + kind`), where at least two functions in reach have such a name; modules and classes of the repository that are loaded
that way; and definitions that are composed as text and executed. Calls are resolved: a function of the repository that happens to be called
`eval` does not count.

## Why it matters

A search for callers does not lead here, so renaming or deleting a target breaks a call that only fails at run time. The import
graph has no edge for it either.

## What to do

Replace the computed name with a table that maps each name to its function, module or class. Where the names have to stay open, list them
in a comment at the call and check them when the program starts.

## Before

```python
class Events:
    def handle(self, event):
        return getattr(self, f"on_{event.kind}")(event)

    def on_paid(self, event): ...

    def on_refunded(self, event): ...
```

## After

```python
class Events:
    def handle(self, event):
        handlers = {"paid": self.on_paid, "refunded": self.on_refunded}
        return handlers[event.kind](event)

    def on_paid(self, event): ...

    def on_refunded(self, event): ...
```

## What it does not report

- Names that are written out.
- Names and code that come from elsewhere as a whole, such as a setting, a plugin or user input.
- Attributes that are only read by such a name.
- Functions that a decorator registers.
- Loading at module level, and classes found by an ending alone (`name + "Controller"`): users of the code name theirs by the same rule.
- Tests and scripts, and files that nobody imports.
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
    Kind,
    Measure,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    function_subject,
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
_HOLE = r"(?:\{[^{}\"']*\}|\$\{[^{}]*\}|#\{[^{}]*\}|%s|\$\w++)"
# A name that is partly written out: f"visit_{kind}", `on${Kind}`, "visit_" + kind, kind . "_handler".
COMPOSED = regex(
    rf"[fF]?[\"'`](?P<before>[\w./@-]*){_HOLE}(?P<after>[\w./-]*)[\"'`]|[\"'](?P<prefix>[\w./@-]+)[\"'](?:\s*\+|\s*\.(?=\s*\$)|\s\.\s)\s*[\w$(]"
    r"|[\w$)\]](?:\s*\+\s*|\s\.\s)[\"'](?P<suffix>[\w./-]+)[\"']",
    within=500,
)
MEMBER = regex(rf"(?:\[|->\{{)\s*(?:{COMPOSED.pattern})[^\]\}}]*[\]\}}]\s*(?:\?\.)?\(", within=500)
# Text with holes that holds a definition: no search finds what it defines.
COMPOSED_CODE = regex(
    rf"\s*+\(\s*+(?:[rR]?[fF])?[\"'`]++(?=[^\n]*(?:{_HOLE}|[\"']\s*[+%]))[^\n]*?\b(?:def|class|function)\b",
    within=300,
)
FIRST_ARGUMENT = regex(r"\s*+\(\s*+([A-Za-z_$][\w$]*+)\s*+[,)]")
SECOND_ARGUMENT = regex(r"\s*+\(\s*+[\w.$]++\s*+,\s*+([A-Za-z_$][\w$]*+)\s*+[,)]")
NO_LOOKUP = regex(r"\s*\(\s*(?:\$|sys\.modules|[\"']?(?:which|sudo)\b)")  # a shell command, names of a module
MAX_LINES_BACK = 4  # where the name may have been composed
PLAIN_DECORATOR = regex(
    r"@?(?:staticmethod|classmethod|property|cached_property|override|Override|\w*typing\w*)\b"
)
OWN_RECEIVER = regex(r"\s*+\(?\s*+(?:self|cls|this|type\(self\))\s*+,")
MIN_PREFIX_CHARS = 3
MIN_FIXED_CHARS = 4  # of a name, outside the holes
COMMON_PARTS = frozenset(
    {"get", "set", "get_", "set_", "is_", "has_", "_id", "test", "test_", "self", "name", "_name", "attr_"}
)
MAX_RELATED = 5
MAX_NAMED = 3  # targets, in a fact
MAX_LINE_CHARS = 400  # nobody writes longer lines by hand


@dataclass(frozen=True)
class Options:
    min_matches: int = option(
        2, "Report a composed name that fits at least this many functions, modules or classes."
    )


class ComputedCall(Struct, frozen=True, array_like=True):
    """A call by a partly composed name or of composed code, judged from its own file alone."""

    call: int  # its index
    does: str  # defines, calls, calls own, loads
    before: str = ""  # the fixed parts of the name
    after: str = ""


class Lookup(Struct, frozen=True):
    """What a call does by a computed name. `identity` is part of the fingerprint: its words must not change."""

    kind: str
    identity: str
    reason: str
    severity: Severity
    name: str  # of the function that runs text, or the pattern of the names
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
            if lookup and (symbol, lookup.identity) not in seen:
                seen.add((symbol, lookup.identity))
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
    before, after = fixed_parts(match)
    if call.function < 0 or not before:
        return None  # a file that loads its own parts, or any class of a kind: users name theirs by the same rule
    return ComputedCall(index, "loads", before, after)


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
        runner = last_part(call.target)
        identity = f"`{runner}` defines something by code that is put together of text"
        return Lookup(
            "defines",
            identity,
            f"`{runner}` runs a definition that is composed as text",
            Severity.MEDIUM,
            runner,
        )
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
    identity = f"{what} named `{pattern}` are {verb} by a computed name"
    reason = f"{what} named `{pattern}` are {verb} by a name built at run time"
    return Lookup(what, identity, reason, Severity.LOW, pattern, targets)


def report(file: File, call: Call, symbol: str, lookup: Lookup, importers: int) -> Finding:
    signals = [Signal("call", Category.SYNTAX, 75, lookup.reason)]
    names = sorted({name for name, _ in lookup.targets})
    if names:
        signals.append(
            Signal("names", Category.GRAPH, 80, f"{len(names)} {lookup.kind} in reach have such a name")
        )
    else:
        files = "1 file imports" if importers == 1 else f"{importers} files import"
        # It is about the file: of this call it says nothing, so it is shown and does not count.
        signals.append(Signal("importers", Category.GRAPH, 60, f"{files} this one", file.path))
    return Finding(
        Place(file.path, call.line, call.line, symbol),
        lookup.severity,
        fact(subject_of(file, call), lookup, names),
        tuple(signals),
        evidence={
            "kind": Measure(lookup.kind),
            "importers": Measure(importers),
            **({"names": Measure(tuple(names[:MAX_RELATED])), "count": Measure(len(names))} if names else {}),
        },
        related=tuple(Related(place, "possible target") for _, place in lookup.targets[:MAX_RELATED]),
        discriminator=lookup.identity,
        why="" if names else "No search finds what is defined here, and no import leads to it.",
        fix="" if names else "Write the definitions out, or build them with closures instead of text.",
        short=f"reaches {len(names)} {lookup.kind} by a computed name" if names else "runs composed code",
    )


def subject_of(file: File, call: Call) -> str:
    """The function around a call, at the beginning of a sentence."""
    functions = file.facts.functions
    return (
        function_subject(functions, functions[call.function])
        if call.function >= 0
        else "Code at module level"
    )


def fact(subject: str, lookup: Lookup, names: list[str]) -> str:
    """One sentence: who calls, loads or defines what, and what the name can mean."""
    if not names:
        return f"{subject} composes a definition as text and runs it with `{lookup.name}`."
    verb = "calls" if lookup.kind == "functions" else "loads"
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return (
        f"{subject} {verb} {len(names)} {lookup.kind} named `{lookup.name}` by a name built at run time: "
        f"{', '.join(names[:MAX_NAMED])}{more}."
    )


DETECTOR = Detector(
    id="dynamic_dispatch",
    title="Call by a name built at run time",
    category="agents",
    kind=Kind.PLACE,
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
            "methods that are looked up by part of their name in Python",
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
            "a function that is composed as text",
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
            "silent on a function of the repository with such a name",
            {
                "src/run.ts": "function exec(command: string) {\n  return command;\n}\n\nexport function run(command: string) {\n  return exec(command + '!');\n}\n",
                "src/app.ts": "import { run } from './run';\n\nrun('a');\n",
            },
        ),
        Example(
            "silent on a method with such a name",
            {
                "src/match.ts": "export function first(pattern: RegExp, text: string) {\n  return pattern.exec(text);\n}\n",
                "src/app.ts": "import { first } from './match';\n\nfirst(/a/, 'a');\n",
            },
        ),
    ),
)
