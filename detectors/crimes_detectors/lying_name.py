"""A function named like a query changes its argument, the state of its object, or files.

It looks at functions called `get…`, `find…`, `is…`, `has…`, `check…` or `validate…` that assign to an attribute of a parameter, that answer
yes or no and change public attributes of their object on the way, or that remove or write files.

## Why it matters

Callers trust the name: they call it twice, in another order, or drop a call whose result nobody uses, and each of these changes the program.

## What to do

Rename the function after what it does, or move the change into a function of its own. Where it computes a new value, return that and let
the caller assign it.

## Before

```python
def check_voucher(voucher, order):
    if voucher.expired:
        order.voucher = None
        return 0
    return voucher.amount

price = order.price - check_voucher(voucher, order)
```

## After

```python
def voucher_amount(voucher):
    return 0 if voucher.expired else voucher.amount

def drop_expired_voucher(order):
    if order.voucher.expired:
        order.voucher = None

price = order.price - voucher_amount(order.voucher)
drop_expired_voucher(order)
```

## What it accepts

- Names that say both: `get_or_create`, `validate_and_set`, `check_out`; a `check` or `validate` that returns nothing and records its outcome.
- Cached results: private attributes, caches, anything set where it was missing; iterators that look ahead.
- Parameters that are there to be filled: a context, a result, an accumulator, the state of a visitor, a pointer (`->`); copies of a
  parameter; values that are put back.
- Documentation that says what is changed.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from crimes.api import (
    ANY,
    SYMBOLS,
    Category,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Function,
    Measure,
    NoOptions,
    Pass,
    Role,
    Severity,
    Signal,
    Symbol,
    at_function,
    count,
    regex,
)

_LOOKAHEAD = regex(r"_*has_?(?:next|more)", re.IGNORECASE)  # looks ahead, and caches what it saw
_QUESTION = regex(r"_*(?:get|find|is|has|check|validate)(?:_(?=[a-z])|(?=[A-Z]))")
_CHECK_VERB = regex(
    r"_*(?:check|validate)"
)  # without a result these are actions: they check and record the outcome
_YES_OR_NO = regex(r"_*(?:is|has)(?:_|[A-Z])")
# The rest of a name that announces a change.
_NAMES_A_DEED = regex(
    r"(?:^|_)(?:or|and)_|(?:Or|And)[A-Z]|_(?:if|to|into|out|in)$|(?:creat|updat|set|sav|mark|fix|delet|remov|refresh|reset|assign|appl|"
    r"populat|fill|add|pop|lock|consum|next|init|load|register|normali[sz]|record|enqueue|start|ensure|sync|inject|clean|migrat)(?:e|es|ed|ing|y|_|$|[A-Z])",
)
_OWN_OBJECT = frozenset({"self", "this", "cls", "$this", "super"})
# Parameters that are meant to be written to.
_OUTPUT_NAME = regex(
    r"^_*(?:ctx|context|cx|state|result|results|res|ret|out|output|acc|accumulator|memo|cache|session|request|req|response|event|evt|e|ev|frm|form|"
    r"args|ns|namespace|config|env|environ|builder|visitor|scope|stats|summary|report|buffer|buf|target|dest|dst|kwargs|attrs|store|"
    r"el|elem|element|node|canvas|img|image|input|self|this|that|me|app|client|conn|connection|logger|errors?|err|info|data|values?|obj|item|params|props)$"
    r"|(?:_|[a-z](?=[A-Z]))(?:ctx|[cC]ontext|[sS]tate|[rR]esults?|[oO]ut|[cC]ache|[bB]uilder|[eE]rr(?:or)?s?|[sS]tats|[eE]l|[eE]lement|[nN]ode|[cC]onfig)$"
)
_CACHE_NAME = regex(
    r"(?i)^_|cache|memo|lazy|last|loaded|checked|validated|error|warned|seen|current|state|status|pending|promise|next|init"
)
# Setters, and functions that a framework calls, not by their name.
_CALLED_BY_FRAMEWORK = regex(
    r"(?i)\.(?:setter|get|post|put|patch|delete|head|route|websocket|command|task|on)\b|validator|validates?\b|hook|fixture"
)
_TEST_CASE_BASE = regex(r"Test(?:Case|Suite)?$")  # a test beside the source
_FILE_CALL = regex(
    r"os\.(?:remove|unlink|rename|replace|rmdir)|shutil\.(?:rmtree|move)|(?:fs|fs-extra)\.(?:writeFile|rm|rmdir|unlink|rename)Sync"
)
_STATED_CHANGE = regex(
    r"(?i)\b(?:in[- ]?place|mutat|modif|side[- ]?effect|updates?\b|sets?\b|fills?\b|populates?|stores?\b|assigns?\b|creates?\b|removes?\b|"
    r"deletes?\b|normali[sz]es?|defaults?\b|fix(?:es)?\b|also\b|and (?:add|mark|save|write|reset|clear)|overrid|replaces?\b|adjusts?)"
)


class Deed(Struct, frozen=True):
    """A change that the function's name does not announce: the place it writes to, and whose that is."""

    place: str
    whose: str


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    symbols = scan[SYMBOLS]
    reported: list[tuple[File, Function, list[Deed]]] = []
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE or any(
            _TEST_CASE_BASE.search(base) for class_ in file.facts.classes for base in class_.bases
        ):
            continue
        questions = {
            index: function
            for index, function in enumerate(file.facts.functions)
            if _is_question(function) and not (function.in_test or function.is_test)
        }
        if not questions:
            continue
        deeds = {index: _deeds(file, function) for index, function in questions.items() if function.writes}
        for call in file.facts.calls:
            if call.function in questions and _FILE_CALL.fullmatch(
                symbols.external_name(file.path, call.target) or ""
            ):
                deeds.setdefault(call.function, []).append(
                    Deed(symbols.external_name(file.path, call.target), "files")
                )
        if not any(deeds.values()):
            continue
        text = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
        charged: set[tuple[int, str]] = set()  # an attribute that several functions change is one problem
        for index in sorted(deeds):
            function = questions[index]
            real = [deed for deed in deeds[index] if _is_deed(function, deed, text)]
            fresh = real and (function.class_index, real[0].place) not in charged
            if fresh and not _is_documented(file, function):
                charged.update((function.class_index, deed.place) for deed in real)
                reported.append((file, function, real))
    callers = (
        symbols.callers([Symbol(file.path, function.qualname) for file, function, _ in reported])
        if reported
        else {}
    )
    for file, function, deeds_of in reported:
        yield _report(file, function, deeds_of, len(callers.get(Symbol(file.path, function.qualname), ())))


def _is_question(function: Function) -> bool:
    match = _QUESTION.match(function.name)
    if (
        match is None
        or _LOOKAHEAD.match(function.name)
        or _NAMES_A_DEED.search(function.name[match.end() :])
        or function.is_anonymous
    ):
        return False
    if _CHECK_VERB.match(function.name) and not function.returns_value:
        return False
    return not any(_CALLED_BY_FRAMEWORK.search(name) for name in function.decorators)


def _deeds(file: File, function: Function) -> list[Deed]:
    params = {param.name for param in function.params}
    yes_or_no = _YES_OR_NO.match(function.name) is not None and _in_class(file, function)
    deeds = []
    for place in function.writes:
        head, dot, rest = place.partition(".")
        if not dot or "[" in place:
            continue
        if head in _OWN_OBJECT:
            if yes_or_no and not _CACHE_NAME.search(rest):
                deeds.append(Deed(place, "own"))
        elif head in params and not (
            _OUTPUT_NAME.search(head) or _CACHE_NAME.search(rest.rpartition(".")[2])
        ):
            deeds.append(Deed(place, "handed"))
    return deeds


def _in_class(file: File, function: Function) -> bool:
    """Whether it is in a class: functions of a plain object may be called under another name."""
    while function.class_index < 0 and function.parent >= 0:
        function = file.facts.functions[function.parent]
    return function.class_index >= 0


def _is_deed(function: Function, deed: Deed, text: list[str]) -> bool:
    """Whether it is a real change: not a cached result, and not made to a copy."""
    body = "\n".join(text[function.start - 1 : function.end])
    if deed.whose == "files":  # its own temporary file is no change
        return re.search(r"(?i)te?mp|test|\bopen\(|partial|lock", body) is None
    head = re.escape(deed.place.replace("->", ".").partition(".")[0])
    if deed.whose == "handed" and re.search(
        rf"(?<![\w.]){head}\s*=(?!=)|\b(?:for|with|as)\b[^\n]*\b{head}\b\s*(?:in\b|:|of\b)",
        body.split("\n", 1)[-1],
    ):
        return False
    place = re.escape(deed.place)
    missing = rf"(?:if|unless|when)\b[^\n]*(?:{place}\s+is\s+None|!\s*{place}\b|not\s+{place}\b|{place}\s*={{2,3}}\s*(?:null|undefined|nil|0|\"\"|\'\')|{place}\s*<=?\s*0)"
    caches = rf"\breturn\s+{place}\s*;?$|{place}\s*(?:\?\?|\|\|)=|\(\s*{place}\s*=[^=]|{place}\s*=\s*(?:{place}\s*(?:\|\||\?\?|or)\s|cast\()|hasattr\(|=\s*{place}\s*=(?!=)|=\s*{place}\s*;?\s*$"
    return not re.search(f"{missing}|{caches}", body, re.MULTILINE)


def _is_documented(file: File, function: Function) -> bool:
    """Whether the function's documentation mentions the change."""
    return any(
        _STATED_CHANGE.search(comment.text)
        for comment in file.facts.comments
        if (comment.own_line and comment.end in (function.start - 1, function.start - 2))
        or (comment.doc and function.start <= comment.line <= function.start + len(function.params) + 4)
    )


def _report(file: File, function: Function, deeds: list[Deed], calls: int) -> Finding:
    first = deeds[0]
    what = {
        "own": f"changes `{first.place}`",
        "handed": f"changes `{first.place}`, an attribute of its argument",
        "files": f"calls `{first.place}`",
    }[first.whose]
    signals = [Signal("lying_name", Category.SYNTAX, 75, f"the name promises a query, the body {what}")]
    if calls:
        signals.append(Signal("lying_name", Category.GRAPH, 75, f"{count(calls, 'call')} by that name"))
    return Finding(
        at_function(file, function),
        Severity.MEDIUM,
        f"`{function.name}` is named like a query but {what}"
        + (f" ({count(len(deeds) - 1, 'more change')} besides)" if len(deeds) > 1 else "")
        + (f"; {count(calls, 'call uses', 'calls use')} it." if calls else "."),
        signals=tuple(signals),
        evidence={
            "changes": Measure(tuple(dict.fromkeys(deed.place for deed in deeds))),
            "calls": Measure(calls),
        },
    )


DETECTOR = Detector(
    id="lying_name",
    title="Query that changes something",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    detect=detect,
    default=False,
    needs=(SYMBOLS,),
    examples=(
        Example(
            "a check that changes its argument, in Python",
            {
                "vouchers.py": "def check_voucher(voucher, order):\n    if voucher.expired:\n        order.voucher = None\n        return 0\n    return voucher.amount\n\n\n"
                "def total(voucher, order):\n    return order.price - check_voucher(voucher, order)\n"
            },
            ("vouchers.py:1",),
        ),
        Example(
            "a question that changes its object, in TypeScript",
            {
                "src/form.ts": "export class Form {\n  name = '';\n  hasNewName(typed: string) {\n    if (typed !== this.name) {\n      this.name = typed;\n"
                "      return true;\n    }\n    return false;\n  }\n}\n"
            },
            ("src/form.ts:3",),
        ),
        Example(
            "a search that removes files",
            {
                "drafts.py": "import os\n\n\ndef find_drafts(folder, old):\n    for name in old:\n        os.remove(f'{folder}/{name}')\n    return folder\n"
            },
            ("drafts.py:4",),
        ),
        Example(
            "silent when the name says it",
            {
                "vouchers.py": "def get_or_create_number(order):\n    order.number = 1\n    return order.number\n\n\ndef validate_and_set(order, price):\n"
                "    order.price = price\n    return True\n"
            },
        ),
        Example(
            "silent when it caches its result",
            {
                "orders.py": "class Order:\n    def is_paid(self):\n        self._asked = True\n        if self.paid is None:\n            self.paid = sum(self.lines) > 0\n        return self.paid\n\n\n"
                "def get_total(order):\n    if order.total is None:\n        order.total = sum(order.lines)\n    return order.total\n"
            },
        ),
        Example(
            "silent on a parameter that is there to be filled, and on a copy",
            {
                "pages.py": "import copy\n\n\ndef get_page(context, page):\n    context.title = page.title\n    page = copy.copy(page)\n    page.seen_by = context.user\n    return page\n"
            },
        ),
        Example(
            "silent when the documentation says what changes",
            {
                "lines.py": 'def find_match(line, foods):\n    """Sets the food of the line to the one that fits best."""\n    line.food = foods[0]\n    return line\n'
            },
        ),
        Example(
            "silent on a setter",
            {
                "users.py": "class User:\n    @property\n    def is_owner(self):\n        return self.role == 1\n\n    @is_owner.setter\n    def is_owner(self, value):\n        self.role = 1 if value else 2\n"
            },
        ),
        Example(
            "silent in a test",
            {
                "tests/test_orders.py": "def check_order(order):\n    order.price = 1\n    assert order.total == 1\n"
            },
        ),
    ),
)
