"""A function that production code calls is only a stub.

It reports a function of production code that production code calls, and whose whole body is an error that says "not implemented", or nothing
or a constant together with words that admit it: "for now", "placeholder", "stub", "TODO", "in a real implementation".

It is off by default, because in older code such a step is often left empty on purpose. Turn it on where code is generated or written in
large steps, and a stub may be taken for finished work.

## Why it matters

Callers trust the name and the signature, and rely on work that was never done. A constant passes through tests and into data. An agent that extends the callers builds on something that was never there.

## What to do

Implement the function, or remove it together with its calls. Where it has to stay, let it fail loudly and let the callers know that it can.

## Before

```python
# shop/fraud.py
def fraud_score(order):
    # For now every order is fine.
    return 0

# shop/checkout.py
def accept(order):
    return fraud_score(order) < 5
```

## After

```python
# shop/fraud.py
def fraud_score(order):
    score = 3 if order.country != order.card.country else 0
    return score + 2 * order.failed_payments

# shop/checkout.py
def accept(order):
    return fraud_score(order) < 5
```

## What it accepts

- Abstract methods, protocols, interfaces and overloads.
- Methods of a class that others in the repository are derived from, or whose documentation leaves them to subclasses.
- Functions that say in their name, or in that of their class, that they do nothing (`noop`, `Null…`, `Fake…`).
- Stubs for other platforms, and for what could not be imported.
- Functions that a decorator names, to register what is called in their place.
- Constants without such words, as in error classes and properties.
- Tests and test doubles.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

from msgspec import Struct

from crimes.api import (
    ANY,
    NAMES,
    SYMBOLS,
    CallSite,
    Category,
    Comment,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    FileFacts,
    Finding,
    Function,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    Symbol,
    at_function,
    count,
    cut_at_word,
    per_file,
    regex,
)

MAX_LINES = 14  # of code, with the signature
MAX_CALLS = 1  # the error that is raised
MAX_RELATED = 5
EXPECTED_PATH = regex(
    r"(^|/)(testing|test[-_]?(utils?|helpers?|support)|mocks?|__mocks__|fixtures?|fakes?|stubs?|stor(ies|ybook)|polyfills?|shims?)(/|\.)"
    r"|[-_.](stubs?|mocks?|fakes?|unsupported|fallback|shim|noop|windows|linux|darwin|other|unix|posix|win32|wasm|js|desktop|android|ios|jvm|native|macos|web)\.\w+$|\.pyi$|\.d\.ts$",
    re.IGNORECASE,
)
STAND_IN_NAME = regex(
    r"(?i:no_?op|null|fake|mock|stub|dummy|placeholder|empty|default|void|unimplemented|not_?implemented)"
)
OPEN_CLASS = regex(
    r"(?i:^abc$|abcmeta|protocol|interface|abstract|mixin|typeddict|namedtuple|enum)|(?:^|[a-z_])Base(?:$|[A-Z_])|^Base|^I[A-Z][a-z]|Mixin$"
)
OPEN_METHOD = regex(r"(?i:abstract|overload|override|protocol|virtual|deprecated|hook|optional)")
INTENDED = regex(
    r"(?i:sub-?class|overrid|inherit|implement(?:ed (?:by|in)|ers?|ors?)\b|must implement|derived|abstract|deprecated|no longer|only (?:on|for)"
    r"|support|no-?op|nothing to do|intentional|by design|on purpose|compat|disabled|instead|please use|package-(?:protected|private)|visibility|\brenamed?\b)"
)
ADMITS = regex(
    r"(?i:\bfor now\b|\bplace-?holder|\bstub(?:bed)?\b|\bnot (?:yet )?(?:been )?implemented|\bunimplemented|\bto-?do\b|\bfixme\b"
    r"|\bimplement (?:this|me|it|later|the actual|the real|properly)\b|\bactual(?:ly)? implement|\breal implementation\b|\bin (?:a )?(?:real|production)\b"
    r"|\bwould (?:be|call|query|fetch|need|use|check|implement)\b.*\bhere\b|\bdummy\b|\bmock(?:ed)? (?:data|value|response|result|implementation)|\bsimulate[sd]?\b"
    r"|\bhard-?coded\b|\btemporar(?:y|ily)\b|\bwip\b|\bimplemented (?:yet|later|soon)\b)"
)
_UNFINISHED_TEXT = (
    r"[^\n]{0,200}?(?i:not (?:yet )?(?:been )?implemented|unimplemented|implement me|\btodo\b)[^\n]{0,200}"
)
NOT_IMPLEMENTED = regex(
    r"(?:raise|throw)\s+(?:new\s+)?[\w.]*(?:NotImplemented|Unimplemented|NotYetImplemented)\w*(?:\(.*\))?"
    rf"|(?:raise|throw)\s+(?:new\s+)?[\w.]+[\s(,]+[\"'`]{_UNFINISHED_TEXT}"
    r"|(?:todo|unimplemented)!\s*\(.*\)|TODO\(.*\)"
    rf"|(?:panic!?|fatalError|abort|preconditionFailure|sys\.error|error)\s*\([\"'`]{_UNFINISHED_TEXT}"
    rf"|return\s+(?:\w+,\s*)?(?:errors\.New|fmt\.Errorf|Err|Promise\.reject)\((?:new \w+\()?[\"'`]{_UNFINISHED_TEXT}",
    re.DOTALL,
)
MAY_BE_UNFINISHED = regex(r"(?i:implement|todo)")  # quick test before the patterns above
_PLAIN = r"-?\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'|`[^`$]*`|[Tt]rue|[Ff]alse|None|null|nil|undefined|NULL|nullptr"
_LITERAL = rf"(?:{_PLAIN}|[\[{{(](?:{_PLAIN}|\w+\s*:|[\s,:\[\]{{}}()])*+[\]}})])"
CONSTANT = regex(
    rf"(?:return\s+)?(?:(?:Ok|Some|Promise\.resolve|Right)\()?{_LITERAL}\)?(?:\s*,\s*(?:{_PLAIN}))?"
)
EMPTY_BODIES = frozenset({"", "pass", "...", "return"})
MAX_BODY_CHARS = 2000
MAX_COMMENT_CHARS = 4000
MAX_QUOTE_CHARS = 120
MAX_COMMENTS_ABOVE = 50


class Stub(Struct, frozen=True):
    """A function that does nothing yet, what it does instead, and the comment that admits it."""

    file: File
    function: Function
    does: str
    admits: str


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding | Excused]:
    symbols, names = scan[SYMBOLS], scan[NAMES]
    stubs: dict[Symbol, Stub] = {}
    for path, candidates in scan[CANDIDATES].items():
        file = scan.repo.files[path]
        if not EXPECTED_PATH.search(path):
            lines = names.text(path).split("\n")
            for function in (file.facts.functions[index] for index in candidates):
                stub = stub_of(file, function, lines)
                if stub is not None and function.name not in named_by_decorators(lines):
                    stubs[Symbol(file.path, function.qualname)] = stub
    if not stubs:
        return
    extended = base_class_names(scan)
    callers = symbols.callers(stubs)
    for symbol, stub in stubs.items():
        sites = [site for site in callers.get(symbol, ()) if is_production_call(scan, symbol, site)]
        owner = (
            stub.file.facts.classes[stub.function.class_index].name if stub.function.class_index >= 0 else ""
        )
        if sites and (owner in extended or is_overridden_beside(stub, sites)):
            yield Excused(
                at_function(stub.file, stub.function),
                f"other classes are derived from {owner} and implement it",
            )
        elif sites:
            yield report(stub, sites)
        else:
            yield Excused(
                at_function(stub.file, stub.function),
                "it is a stub, and no production code calls it by name",
            )


def candidates_in(facts: FileFacts) -> tuple[int, ...]:
    """Indices of short functions without branches and calls that nothing marks as intended."""
    calls = Counter(call.function for call in facts.calls)
    parents = {function.parent for function in facts.functions}
    definitions = Counter(function.qualname for function in facts.functions)  # two: one per platform
    rebinds_globals = any(call.target == "globals" for call in facts.calls)  # it may replace functions
    return tuple(
        index
        for index, function in enumerate(facts.functions)
        if function.cyclomatic == 1
        and function.logic_lines <= MAX_LINES
        and not function.writes
        and calls[index] <= MAX_CALLS
        and index not in parents
        and definitions[function.qualname] == 1
        and not (rebinds_globals and function.class_index < 0)
        and may_be_stub(facts, function)
        and not INTENDED.search(comment_text(facts, function))
    )


CANDIDATES = per_file("placeholder_code.candidates", tuple[int, ...], candidates_in, frozenset({Role.SOURCE}))


def named_by_decorators(lines: list[str]) -> set[str]:
    """Functions that dispatch to registered ones: `@overload(area)`, `@area.register`."""
    decorators = (line for line in lines if line.lstrip().startswith("@"))
    return {name for line in decorators for name in re.findall(r"\w+", line)}


def may_be_stub(facts: FileFacts, function: Function) -> bool:
    """Whether no name or decorator says that it is meant to do nothing."""
    if function.is_anonymous or function.in_test or function.is_test or STAND_IN_NAME.search(function.name):
        return False
    if re.search(r"NoReturn|Never|^never$|^!$|Nothing", function.result):
        return False  # it is meant to fail
    if any(map(OPEN_METHOD.search, function.decorators)):
        return False
    handlers = (handler for handler in facts.handlers if handler.function < 0)
    if any(handler.start <= function.start <= handler.end for handler in handlers):
        return False  # it replaces a failed import
    if function.class_index < 0:
        return True
    owner = facts.classes[function.class_index]
    if STAND_IN_NAME.search(owner.name) or any(map(OPEN_METHOD.search, owner.decorators)):
        return False
    return not any(OPEN_CLASS.search(name) for name in (owner.name, *owner.bases))


def stub_of(file: File, function: Function, lines: list[str]) -> Stub | None:
    """The stub that a function is; None if it is a real implementation."""
    comments_text = comment_text(file.facts, function)
    code = "\n".join(lines[function.start - 1 : function.end])
    admits = ADMITS.search(comments_text)
    if admits is None and not MAY_BE_UNFINISHED.search(code):
        return None
    for comment in comments_of(file.facts.comments, function)[1]:
        code = code.replace(comment.text, "", 1)
    body = body_of(code.strip())
    if body is None:
        return None
    if NOT_IMPLEMENTED.fullmatch(body):
        return (
            None
            if INTENDED.search(body)
            else Stub(file, function, "only reports that it is not implemented", "")
        )
    if admits is None:
        return None
    if body in EMPTY_BODIES:
        return Stub(file, function, "does nothing", sentence(comments_text, admits))
    return (
        Stub(file, function, "returns a constant", sentence(comments_text, admits))
        if CONSTANT.fullmatch(body)
        else None
    )


def comment_text(facts: FileFacts, function: Function) -> str:
    """The text of the comments above and inside a function."""
    before, inside = comments_of(facts.comments, function)
    return "\n".join(comment.text for comment in (*before, *inside))[:MAX_COMMENT_CHARS]


def comments_of(comments: tuple[Comment, ...], function: Function) -> tuple[list[Comment], list[Comment]]:
    """The comments right above a function, and those inside it. `comments` are in file order."""
    first = bisect_left(comments, function.start, key=lambda comment: comment.line)
    beyond = bisect_right(comments, function.end, first, key=lambda comment: comment.line)
    before = reversed(comments[max(first - MAX_COMMENTS_ABOVE, 0) : first])
    above = takewhile(lambda comment: comment.end == function.start - 1, before)
    inside = [comment for comment in comments[first:beyond] if comment.end <= function.end]
    return [comment for comment in above if comment.own_line][::-1], inside


def body_of(code: str) -> str | None:
    """The body of a function without a final semicolon; None if it cannot be cut out."""
    if len(code) > MAX_BODY_CHARS:
        return None
    code = code.rstrip("; \n")
    if code.endswith("}"):
        depth = 0
        for position in range(len(code) - 1, -1, -1):
            depth += (code[position] == "}") - (code[position] == "{")
            if depth == 0:
                return code[position + 1 : -1].strip().rstrip(";").rstrip()
        return None
    if re.search(r"\bend$", code):
        return code.partition("\n")[2].removesuffix("end").strip()
    depth = 0
    for position, char in enumerate(code):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and char in ":=" and re.match(r":[ \t]*(?:\n|\S|$)|=>?[ \t\n]+(?!=)", code[position:]):
            return code[position:].lstrip(":=>").strip()
    return None


def sentence(text: str, admits: re.Match[str]) -> str:
    """The line of the comment that admits it."""
    start = text.rfind("\n", 0, admits.start()) + 1
    line = text[start:].partition("\n")[0]
    return cut_at_word(" ".join(line.strip(" \t/*#-\"'").split()), MAX_QUOTE_CHARS)


def base_class_names(scan: Pass) -> set[str]:
    """Names of all base classes: their stubs are for subclasses to implement."""
    return {
        re.split(r"[\[<(]", base)[0].rpartition(".")[2].rpartition(":")[2]
        for file in scan.repo.files.values()
        for owner in file.facts.classes
        for base in owner.bases
    }


def is_production_call(scan: Pass, symbol: Symbol, site: CallSite) -> bool:
    """Whether a call is in production code, and not in the function itself."""
    file = scan.repo.files[site.path]
    if file.role is not Role.SOURCE:
        return False
    caller = file.facts.functions[site.call.function] if site.call.function >= 0 else None
    if caller is None:
        return True
    return not (
        caller.in_test or caller.is_test or (site.path == symbol.path and caller.qualname == symbol.qualname)
    )


def is_overridden_beside(stub: Stub, sites: list[CallSite]) -> bool:
    """Whether it is only called on its own object, and another class of the file has a method of that name.

    Classes created in functions inherit from each other without naming the base.
    """
    methods = (function for function in stub.file.facts.functions if function.class_index >= 0)
    namesakes = sum(method.name == stub.function.name for method in methods)
    return namesakes > 1 and all(re.match(r"(?:self|this)\.", site.call.target) for site in sites)


def report(stub: Stub, sites: list[CallSite]) -> Finding:
    function = stub.function
    admitted = f" (“{stub.admits.rstrip('.')}”)" if stub.admits else ""
    signals = [
        Signal("body", Category.SYNTAX, 80, f"its whole body {stub.does}"),
        Signal("callers", Category.GRAPH, 75, f"{count(len(sites), 'call')} by name"),
    ]
    if stub.admits:
        signals.append(Signal("comment", Category.DOCS, 75, f"“{stub.admits}”"))
    return Finding(
        at_function(stub.file, function),
        Severity.MEDIUM,
        f"`{function.name}` {stub.does}{admitted}, and {count(len(sites), 'call')} in production code "
        f"{'relies' if len(sites) == 1 else 'rely'} on it.",
        tuple(signals),
        evidence={"callers": Measure(len(sites)), "body": Measure(stub.does)},
        related=tuple(
            Related(Place(site.path, site.call.line, site.call.line), "calls it")
            for site in sites[:MAX_RELATED]
        ),
    )


DETECTOR = Detector(
    id="placeholder_code",
    title="Stub called by production code",
    category="agents",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.HOURS,
    needs=(SYMBOLS, NAMES),
    in_each_file=(CANDIDATES,),
    detect=detect,
    default=False,
    examples=(
        Example(
            "a constant result that admits it, in Python",
            {
                "shop/fraud.py": "def score(order):\n    # For now every order is fine.\n    return 0\n",
                "shop/checkout.py": "from shop.fraud import score\n\n\ndef accept(order):\n    return score(order) < 5\n",
            },
            ("shop/fraud.py:1",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "an error instead of the work, in TypeScript",
            {
                "src/refund.ts": "export function refund(order: string): void {\n  throw new Error('Not implemented');\n}\n",
                "src/orders.ts": "import { refund } from './refund';\n\nexport function cancel(order: string) {\n  refund(order);\n}\n",
            },
            ("src/refund.ts:1",),
        ),
        Example(
            "a macro instead of the work, in Rust",
            {
                "src/main.rs": 'fn tax(total: u64) -> u64 {\n    todo!()\n}\n\nfn main() {\n    println!("{}", tax(3));\n}\n',
            },
            ("src/main.rs:1",),
        ),
        Example(
            "an empty body with a TODO",
            {
                "shop/stock.py": "def reserve(item):\n    pass  # TODO: talk to the warehouse\n\n\ndef buy(item):\n    reserve(item)\n",
            },
            ("shop/stock.py:1",),
        ),
        Example(
            "silent when nobody calls it",
            {"shop/fraud.py": "def score(order):\n    # For now every order is fine.\n    return 0\n"},
        ),
        Example(
            "silent on a constant without such words",
            {
                "shop/limits.py": "def limit():\n    # The gateway refuses more.\n    return 20\n\n\ndef fits(n):\n    return n < limit()\n"
            },
        ),
        Example(
            "silent on methods for subclasses",
            {
                "shop/pay.py": "class Payment:\n    def send(self):\n        raise NotImplementedError\n\n    def pay(self):\n        self.send()\n\n\n"
                "class Card(Payment):\n    def send(self):\n        print('card')\n",
                "shop/ship.py": 'class Shipment:\n    def send(self):\n        """Left to subclasses."""\n        raise NotImplementedError\n\n'
                "    def go(self):\n        self.send()\n",
            },
        ),
        Example(
            "silent on a method that another class in the file implements",
            {
                "shop/pay.py": "def made(base):\n    class Payment(base):\n        def pay(self):\n            self.send()\n\n"
                "        def send(self):\n            raise NotImplementedError\n\n    return Payment\n\n\ndef card(base):\n"
                "    class Card(made(base)):\n        def send(self):\n            print('card')\n\n    return Card\n",
            },
        ),
        Example(
            "silent on abstract methods and protocols",
            {
                "shop/pay.py": "from abc import ABC, abstractmethod\n\n\nclass Payment(ABC):\n    @abstractmethod\n    def send(self):\n"
                "        raise NotImplementedError\n\n    def pay(self):\n        self.send()\n",
            },
        ),
        Example(
            "silent when the name says that it does nothing",
            {
                "src/log.ts": "export class NullLogger {\n  write(): void {\n    // for now nothing\n  }\n  flush() {\n    this.write();\n  }\n}\n",
            },
        ),
        Example(
            "silent on a stub for what could not be imported",
            {
                "shop/net.py": "try:\n    from fetcher import fetch\nexcept ImportError:\n\n    def fetch(url):\n"
                "        raise NotImplementedError('no fetcher')\n\n\ndef page(url):\n    return fetch(url)\n",
            },
        ),
        Example(
            "silent in a module that writes its own names",
            {
                "shop/net.py": "from copied import copy_into\n\n\ndef name():\n    raise NotImplementedError\n\n\ncopy_into(globals())\n\n\n"
                "def full():\n    return name()\n",
            },
        ),
        Example(
            "silent where the note is about something else",
            {
                "src/main/java/Stats.java": "class Stats {\n    // TODO: was package-protected\n    static void refresh() {\n    }\n\n"
                "    static void read() {\n        refresh();\n    }\n}\n",
            },
        ),
        Example(
            "silent on a stub for another platform",
            {
                "shop/Address.desktop.kt": 'fun address(): String {\n    // TODO the port may change\n    return "http://127.0.0.1:8088"\n}\n',
                "shop/Use.kt": "fun use() = println(address())\n",
                "shop/lock_windows.py": "def lock(path):\n    raise NotImplementedError('not implemented')\n",
                "shop/use.py": "from shop.lock_windows import lock\n\n\ndef use():\n    lock('a')\n",
            },
        ),
        Example(
            "silent on a function that others are registered for",
            {
                "shop/area.py": "from jit import overload\n\n\ndef area(shape):\n    raise NotImplementedError\n\n\n@overload(area)\n"
                "def area_of(shape):\n    return shape.width\n\n\ndef total(shapes):\n    return sum(area(one) for one in shapes)\n",
            },
        ),
        Example(
            "silent when only tests call it",
            {
                "shop/fraud.py": "def score(order):\n    # For now every order is fine.\n    return 0\n",
                "tests/test_fraud.py": "from shop.fraud import score\n\n\ndef test_score():\n    assert score(1) == 0\n",
            },
        ),
    ),
)
