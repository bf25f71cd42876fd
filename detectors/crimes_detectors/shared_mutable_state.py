"""Several functions change a module-level value, and no lock guards it.

It looks at names bound at module level that at least three functions assign to, or whose entries they add and remove; two are enough if one
of them belongs to a class.

## Why it matters

What each of these functions does depends on which of the others ran before, in which request, thread or test. None of that shows where
they are called.

## What to do

Pass the value as a parameter, or keep it in an object with a known lifetime. If it has to be shared, put all writes behind one
function, with a lock where there are threads.

## Before

```python
pending = []

def submit(order):
    pending.append(order)

def cancel(order):
    pending.remove(order)

def ship_all():
    while pending:
        ship(pending.pop())
```

## After

```python
class Shipments:
    def __init__(self):
        self._pending = []

    def submit(self, order):
        self._pending.append(order)

    def cancel(self, order):
        self._pending.remove(order)

    def ship_all(self):
        while self._pending:
            ship(self._pending.pop())
```

## What it accepts

- Caches, registries, counters of names, and other tables that are only added to: one kind of write, or a name that says so.
- A value that is created when first needed (`if client is None`), and functions that set it up, replace or reset it.
- Writes in functions that hold a lock, and names of locks, context variables and thread-local values.
- What C calls static at the top of a file: there it is how a file keeps something to itself.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from crimes.api import (
    ANY,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Function,
    Measure,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    Statement,
    count,
    option,
    quoted_names,
    regex,
)

_MUTATING_METHOD = regex(
    r"(?:append|appendleft|extend|insert|push|unshift|splice|pop|popleft|popitem|shift|remove|discard|delete|clear|add|set|update|"
    r"setdefault|sort|reverse|put|putIfAbsent|enqueue|dequeue)"
)
_ADDING = "append|appendleft|extend|insert|push|unshift|add|set|update|setdefault|put|putIfAbsent|enqueue"
_CONTAINER = regex(
    r"=\s*(?:\[|\{|new\s+(?:Weak)?(?:Map|Set|Array)\b|(?:\w+\.)?(?:dict|list|set|defaultdict|OrderedDict|deque|Counter|make|"
    r"(?:Hash|LinkedHash|Tree|Concurrent\w*)?(?:Map|Set)|ArrayList|mutable\w+Of)\b\s*[(<\[])"
)
_INTENDED_NAME = regex(
    r"cache|memo|regist|handler|plugin|hook|listener|callback|factor|loader|lock|mutex|semaphore|local|context|logger|metric|"
    r"stats|singleton|instance|intern|warned|seen|converter|serializer|adapter|backend|provider|extension|mapping|known|subscri|"
    r"observer|patched|mock",
    re.IGNORECASE,
)
_SETUP_NAME = regex(
    r"^_*(?:set|reset|clear|close|shut_?down|stop|dispose|clean|tear|init|config|install|uninstall|set_?up|enable|disable|load|"
    r"reload|register|unregister|use|override|restore|patch|monkey|destroy|flush|invalidate|activate|deactivate|populate|"
    r"subscribe|unsubscribe|on|off|add|remove|start|connect|disconnect|main|create|ensure|mount|unmount|before|after|temporar|rewire|with)",
    re.IGNORECASE,
)
_LOCKED = regex(r"(?i)\bwith\s+[\w.]*lock|lock\(\)|\bsynchronized\b|\.acquire\(|mutex|\batomic|@synchronized")
_HEAD = regex(r"[^.\[\->]+")
_NOT_SHARED = regex(r"^static\s|ContextVar|threading\.local|ThreadLocal|AsyncLocalStorage|Queue\(|Lock\(")
_MAX_RELATED = 5
_MAX_NAMED = 4


@dataclass(frozen=True)
class Options:
    min_writers: int = option(
        3, "Report values that at least this many functions change; two are enough if one is in a class."
    )


class Write(Struct, frozen=True):
    """A function that changes a value of its module, and the outermost function or class around it."""

    function: Function
    owner: str
    in_class: bool
    rebinds: bool


class State(Struct, frozen=True):
    """A value of a module and the functions that change it."""

    statement: Statement
    writers: tuple[Write, ...]

    @property
    def owners(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(write.owner for write in self.writers))


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    for file in scan.repo.files.values():
        # A name in an embedded component belongs to one component.
        if file.role is not Role.SOURCE or file.embedded or file.facts.errors:
            continue  # after a syntax error, a local may seem to be the module's
        assigned = (statement for statement in reversed(file.facts.statements) if statement.kind == "assign")
        named = {statement.name: statement for statement in assigned if statement.name.strip("_")}
        by_name = _writes_by_name(file, named) if named else {}
        candidates = {name: writes for name, writes in by_name.items() if _is_shared(writes, options)}
        if not candidates:
            continue
        lines = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
        states = []
        for name, writes in candidates.items():
            writers = tuple(write for write in writes if _is_real_write(name, write, lines))
            if _is_shared(writers, options) and _is_state(named[name], writers, lines):
                states.append(State(named[name], writers))
        if states:
            yield _report(
                file, sorted(states, key=lambda state: (-len(state.owners), state.statement.line)), options
            )


def _is_shared(writes: Sequence[Write], options: Options) -> bool:
    """Whether the writers are many, or belong to different classes."""
    owners = {write.owner for write in writes}
    classes = {write.owner for write in writes if write.in_class}
    return len(owners) >= options.min_writers or (len(classes) > 0 and len(owners) > 1)


def _writes_by_name(file: File, named: Mapping[str, Statement]) -> dict[str, list[Write]]:
    """By name: the functions that may change a value of the module."""
    functions = file.facts.functions
    by_name: dict[str, dict[int, bool]] = {}  # by name and function: whether it rebinds the name
    for index, function in enumerate(functions):
        for place in function.writes:
            name = _HEAD.match(place)
            if name is not None and name.group() in named:
                by_function = by_name.setdefault(name.group(), {})
                by_function[index] = by_function.get(index, False) or name.group() == place
    for call in file.facts.calls:
        head, dot, method = call.target.partition(".")
        if dot and call.function >= 0 and head in named and _MUTATING_METHOD.fullmatch(method):
            by_name.setdefault(head, {}).setdefault(call.function, False)
    return {
        name: [_write_of(file, index, rebinds) for index, rebinds in sorted(by_function.items())]
        for name, by_function in by_name.items()
        if len(by_function) > 1 and not _INTENDED_NAME.search(name)
    }


def _write_of(file: File, index: int, rebinds: bool) -> Write:
    functions = file.facts.functions
    outermost = functions[index]
    while outermost.parent >= 0:
        outermost = functions[outermost.parent]
    in_class = outermost.class_index >= 0
    owner = file.facts.classes[outermost.class_index].qualname if in_class else outermost.qualname
    return Write(functions[index], owner, in_class, rebinds)


def _is_real_write(name: str, write: Write, lines: list[str]) -> bool:
    """Whether the function changes the module's value, other than to set it up, cache or lock it."""
    function = write.function
    if function.in_test or function.is_test or _SETUP_NAME.match(function.name):
        return False
    if any(param.name == name for param in function.params):
        return False
    body = "\n".join(lines[function.start - 1 : function.end])
    word = re.escape(name)
    if _LOCKED.search(body):
        return False
    if write.rebinds:
        outer = re.search(rf"\b(?:global|nonlocal)\b[^\n]*\b{word}\b", body)
        bare = re.search(
            rf"^[ \t]*{word}\s*(?:[-+*/|&]|\?\?|\|\|)?=(?!=)|{word}(?:\+\+|--)|(?:\+\+|--){word}", body, re.M
        )
        declared = re.search(
            rf"\b(?:let|const|var|val|auto)\s+[^\n=;]*\b{word}\b|\b{word}\s*:=|\b\w+\s+{word}\s*=", body
        )
        if not outer and (declared or not bare or re.search(r"^\s*(?:async\s+)?def\s", body)):
            return False
    elif re.search(
        rf"^\s*(?:(?:let|const|var|val)\s+)?{word}\s*(?::[^=\n]*)?=(?!=)|\bfor\s+[^\n]*\b{word}\b\s+in\b|\bas\s+{word}\b",
        body,
        re.M,
    ):
        return False  # a local of the same name
    lazy = rf"(?:if|unless)\b[^\n]*(?:\b{word}\s+is\s+None|!\s*{word}\b|not\s+{word}\b|{word}\s*===?\s*(?:null|undefined|nil)|{word}\s*==\s*nil)|{word}\s*(?:\?\?|\|\|)=|{word}\s*=\s*{word}\s*(?:\|\||\?\?|or\b)"
    if not write.rebinds and re.search(rf"\b{word}(?:\[[^\]]+\]\s*=(?!=)|\.set\()", body):
        lazy += rf"|\bin\s+{word}\b(?!\s*[.(])|\b{word}(?:\.get|\.has)\("  # a cache
    return re.search(lazy, body) is None


def _is_state(statement: Statement, writers: Sequence[Write], lines: list[str]) -> bool:
    """Whether it is a container, or a name that is rebound; not an object whose own methods write to it."""
    if _NOT_SHARED.search(lines[statement.line - 1]):
        return False
    if any(statement.line <= write.function.start <= statement.end for write in writers):
        return False
    if _only_grows(statement.name, writers, lines):
        return False
    if any(write.rebinds for write in writers):
        return True
    return _CONTAINER.search(lines[statement.line - 1]) is not None


def _only_grows(name: str, writers: Sequence[Write], lines: list[str]) -> bool:
    """Whether the writers only add entries or count up, as to a table, a log or a counter."""
    word = re.escape(name)
    takes_back = re.compile(
        rf"\b{word}(?:\.(?!(?:{_ADDING})\b)(?:{_MUTATING_METHOD.pattern})\(|\[:\]\s*=|\s*=(?!=)|\s*(?!\+)[-*/|&]=|--|\.\w+\s*=(?!=))"
        rf"|\bdel(?:ete)?\s+{word}\b|--{word}\b"
    )
    bodies = ("\n".join(lines[write.function.start - 1 : write.function.end]) for write in writers)
    return not any(map(takes_back.search, bodies))


def _report(file: File, states: list[State], options: Options) -> Finding:
    first, others = states[0], [state.statement.name for state in states[1:]]
    name, owners = first.statement.name, first.owners
    in_class = {write.in_class for write in first.writers}
    writing = "functions and classes" if len(in_class) > 1 else "classes" if True in in_class else "functions"
    named = quoted_names(owners, _MAX_NAMED)
    concurrent = any(write.function.is_async for write in first.writers)
    return Finding(
        Place(file.path, first.statement.line, first.statement.end, name),
        Severity.MEDIUM if concurrent or len(owners) > options.min_writers else Severity.LOW,
        f"{len(owners)} {writing} change the module-level value `{name}` without a lock: {named}"
        + (
            f"; {count(len(others), 'more value')} of this file {'is' if len(others) == 1 else 'are'} shared the same way."
            if others
            else "."
        ),
        signals=(
            Signal(
                "shared_mutable_state",
                Category.SYNTAX,
                80,
                f"{len(owners)} {writing} write to it without a lock",
            ),
        ),
        evidence={
            "writers": Measure(len(owners), options.min_writers),
            "functions": Measure(
                tuple(dict.fromkeys(write.function.qualname for write in first.writers))[:8]
            ),
            **({"other_values": Measure(tuple(others))} if others else {}),
        },
        related=tuple(
            Related(
                Place(file.path, write.function.start, write.function.end, write.function.qualname),
                f"changes `{name}`",
            )
            for write in first.writers[:_MAX_RELATED]
        ),
    )


DETECTOR = Detector(
    id="shared_mutable_state",
    title="Shared mutable state",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.HOURS,
    options=Options,
    detect=detect,
    default=False,
    examples=(
        Example(
            "a position that three functions move, in Python",
            {
                "viewer.py": "position = 0\n\n\ndef scroll(lines):\n    global position\n    position += lines\n\n\ndef jump(line):\n    global position\n"
                "    position = line\n\n\ndef search(text, word):\n    global position\n    position = text.find(word)\n"
            },
            ("viewer.py:1",),
            severity=Severity.LOW,
        ),
        Example(
            "a list that three functions work on, in TypeScript",
            {
                "src/queue.ts": "const waiting: Job[] = [];\n\nexport async function submit(job: Job) {\n  waiting.push(job);\n}\n\n"
                "export function cancel(id: number) {\n  waiting.splice(id, 1);\n}\n\nexport function take() {\n  return waiting.shift();\n}\n"
            },
            ("src/queue.ts:1",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "two classes that share a module-level list",
            {
                "finders.py": "searched = []\n\n\nclass Folders:\n    def find(self, path):\n        searched.append(path)\n\n\n"
                "class Archives:\n    def find(self, path):\n        searched.clear()\n"
            },
            ("finders.py:1",),
        ),
        Example(
            "silent on two functions of one module",
            {
                "viewer.py": "position = 0\n\n\ndef scroll(lines):\n    global position\n    position += lines\n\n\ndef jump(line):\n    global position\n"
                "    position = line\n"
            },
        ),
        Example(
            "silent on a registry and a cache",
            {
                "kinds.py": "handlers = {}\nsizes = {}\n\n\ndef one(name, handler):\n    handlers[name] = handler\n\n\ndef two(name, handler):\n"
                "    handlers[name] = handler\n\n\ndef three(name, handler):\n    handlers[name] = handler\n\n\ndef size(name):\n    if name not in sizes:\n"
                "        sizes[name] = len(name)\n    return sizes[name]\n\n\ndef sizes_of(names):\n    for name in names:\n        if name not in sizes:\n"
                "            sizes[name] = len(name)\n\n\ndef longest(names):\n    return max(sizes.get(name) or 0 for name in names)\n"
            },
        ),
        Example(
            "silent on a value that is created when first needed, set and reset",
            {
                "client.py": "client = None\n\n\ndef ask(url):\n    global client\n    if client is None:\n        client = object()\n    return client\n\n\n"
                "def set_client(value):\n    global client\n    client = value\n\n\ndef reset():\n    global client\n    client = None\n"
            },
        ),
        Example(
            "silent behind a lock",
            {
                "jobs.py": "import threading\n\nguard = threading.Lock()\nwaiting = []\n\n\ndef submit(job):\n    with guard_lock():\n        waiting.append(job)\n\n\n"
                "def cancel(job):\n    with guard_lock():\n        waiting.remove(job)\n\n\ndef take():\n    with guard_lock():\n        return waiting.pop()\n"
            },
        ),
        Example(
            "silent on locals of the same name",
            {
                "totals.py": "total = 0\n\n\ndef a(rows):\n    total = sum(rows)\n    return total\n\n\ndef b(rows):\n    total = max(rows)\n    return total\n\n\n"
                "def c(rows):\n    total = min(rows)\n    return total\n",
                "src/totals.ts": "let total = 0;\nexport function a(rows: number[]) {\n  let total = rows[0];\n  total = 1;\n  return total;\n}\n"
                "export function b(rows: number[]) {\n  let total = rows[1];\n  total = 2;\n  return total;\n}\n"
                "export function c(rows: number[]) {\n  let total = rows[2];\n  total = 3;\n  return total;\n}\n",
            },
        ),
        Example(
            "silent in a component, where each has its own",
            {
                "src/Counter.svelte": "<script>\n  let count = 0;\n  function up() {\n    count += 1;\n  }\n  function down() {\n    count -= 1;\n  }\n"
                "  function double() {\n    count *= 2;\n  }\n</script>\n<button on:click={up}>{count}</button>\n"
            },
        ),
    ),
)
