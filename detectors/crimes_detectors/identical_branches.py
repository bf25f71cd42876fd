"""A condition makes no difference: the code does exactly the same thing either way.

It compares an `else` with the branch before it, and the two values of a conditional expression, as written.

## Why it matters

Either one branch was copied and never changed, or the condition is left over from an earlier version; a reader cannot tell which.

## What to do

Change the branch that was meant to differ, or drop the condition and keep one copy.

## Before

```python
def label(order):
    if order.is_gift:
        text = render("gift.txt", order)
        return text.strip()
    elif order.is_express:
        text = render("plain.txt", order)
        return text.strip()
    else:
        text = render("plain.txt", order)
        return text.strip()
```

## After

```python
def label(order):
    if order.is_gift:
        text = render("gift.txt", order)
    else:
        text = render("plain.txt", order)
    return text.strip()
```

## What it does not report

- Branches that are alike in a chain where their conditions still decide something: the order of the cases may matter to readers.
- A small branch before an equal `else`, below other branches: it names a case for the reader. So do several branches that equal
  the `else`.
- Branches that a comment explains.
- Conditions that bind or narrow a name, as in `if let` or `instanceof`: the same words mean something else in each branch.
- Conditions with side effects, such as reading the next token.
- Cases of a `switch` or `match` that do the same.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from crimes.api import (
    ANY,
    Category,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    Finding,
    Measure,
    Pass,
    Place,
    Related,
    Repeat,
    Role,
    Severity,
    Signal,
    cut_at_word,
    may_act,
    option,
    states_reason,
)

_MAX_VALUE_CHARS = 60
_KINDS = frozenset({"branch", "value"})


@dataclass(frozen=True)
class Options:
    min_else_tokens: int = option(
        16,
        "Report an `else` of at least this many tokens that repeats the branch before it, below other branches.",
    )


def _is_reported(repeat: Repeat, options: Options) -> bool:
    if repeat.kind == "value":
        return True
    if may_act(repeat.text):
        return False
    is_table = repeat.alike > 2
    return repeat.alike == repeat.arms or (repeat.tokens >= options.min_else_tokens and not is_table)


def detect(scan: Pass, options: Options) -> Iterator[Finding | Excused]:
    for file in scan.files(Role.SOURCE):
        numbers: Counter[str] = Counter()
        for repeat in file.facts.repeats:
            if repeat.kind not in _KINDS or not _is_reported(repeat, options):
                continue
            function = file.facts.functions[repeat.function] if repeat.function >= 0 else None
            if function is not None and (function.in_test or function.is_test):
                continue
            place = Place(file.path, repeat.line, repeat.end, function.qualname if function else "")
            if _is_explained(file, repeat):
                yield Excused(place, "a comment says why the branches are alike")
                continue
            numbers[place.symbol] += 1
            yield _report(file, repeat, place, numbers[place.symbol])


def _is_explained(file: File, repeat: Repeat) -> bool:
    """Whether a comment stands at one of the arms; above the first of a chain it is about the whole chain."""
    lines = [repeat.line] if repeat.alike == repeat.arms else [repeat.first, repeat.line]
    return any(states_reason(file, line) for line in lines)


def _report(file: File, repeat: Repeat, place: Place, number: int) -> Finding:
    return Finding(
        place,
        Severity.LOW,
        _fact(repeat),
        signals=(Signal("same tokens", Category.SYNTAX, 92, "the branches are the same, token by token"),),
        evidence={
            "tokens": Measure(repeat.tokens),
            "arms_alike": Measure(repeat.alike),
            "arms": Measure(repeat.arms),
        },
        related=()
        if repeat.first == repeat.line
        else (Related(Place(file.path, repeat.first, repeat.first, place.symbol), "the branch it repeats"),),
        discriminator=str(number),
    )


def _fact(repeat: Repeat) -> str:
    if repeat.kind == "value":
        return f"Both values of a conditional expression are `{cut_at_word(repeat.text, _MAX_VALUE_CHARS)}`, so the condition makes no difference."
    if repeat.alike == repeat.arms:
        branches = "Both branches" if repeat.arms == 2 else f"All {repeat.arms} branches"
        conditions = "condition makes" if repeat.arms == 2 else "conditions make"
        return f"{branches} of this `if` do the same thing, so the {conditions} no difference."
    return f"This `else` does the same thing as the branch before it (line {repeat.first}), so that condition makes no difference."


_SAME_PYTHON = """def price(order):
    if order.member:
        total = sum(order.lines)
        return total
    else:
        total = sum(order.lines)
        return total
"""

DETECTOR = Detector(
    id="identical_branches",
    title="Identical branches",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    options=Options,
    detect=detect,
    examples=(
        Example(
            "an if and its else, in Python",
            {"price.py": _SAME_PYTHON},
            ("price.py:5",),
            severity=Severity.LOW,
        ),
        Example(
            "an if and its else, in TypeScript",
            {
                "src/price.ts": "export function price(order: Order) {\n  if (order.member) {\n    return total(order.lines);\n"
                "  } else {\n    return total(order.lines);\n  }\n}\n"
            },
            ("src/price.ts:4",),
            severity=Severity.LOW,
        ),
        Example(
            "both values of a conditional expression",
            {
                "a.py": "def f(order):\n    return order.total if order.member else order.total\n",
                "b.js": "export const f = (order) => {\n  return order.member ? order.total : order.total;\n};\n",
            },
            ("a.py:2", "b.js:2"),
            severity=Severity.LOW,
        ),
        Example(
            "an else that repeats the arm before it",
            {
                "ship.py": "def ship(order):\n    if order.gift:\n        wrap(order)\n    elif order.fast:\n        send(order, order.address, order.carrier, days=1, track=True)\n"
                "    else:\n        send(order, order.address, order.carrier, days=1, track=True)\n"
            },
            ("ship.py:6",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on arms in a chain whose conditions decide",
            {
                "ship.py": "def ship(order):\n    if order.gift:\n        send(order)\n    elif order.fast:\n        rush(order)\n"
                "    elif order.heavy:\n        send(order)\n    else:\n        hold(order)\n"
            },
        ),
        Example(
            "silent on a small arm before an equal else",
            {
                "skip.py": "def kinds(rows):\n    for row in rows:\n        if row.file:\n            keep(row)\n"
                "        elif row.link:\n            continue\n        else:\n            continue\n"
            },
        ),
        Example(
            "silent on a table in which several arms equal the else",
            {
                "ship.py": "def ship(order):\n    if order.gift:\n        wrap(order)\n"
                + "".join(
                    f"    {head}:\n        send(order, order.address, order.carrier, days=1, track=True)\n"
                    for head in ("elif order.fast", "elif order.heavy", "else")
                )
            },
        ),
        Example(
            "silent where a comment explains it",
            {
                "ship.py": "def ship(order):\n    if order.gift:\n        wrap(order)\n    # Fast orders get their own carrier in May.\n"
                "    elif order.fast:\n        send(order, order.address, order.carrier, days=1, track=True)\n    else:\n        send(order, order.address, order.carrier, days=1, track=True)\n"
            },
        ),
        Example(
            "silent where a remark says what makes it necessary",
            {
                "rate.ts": "export function rate(shop: Shop, strict = false) {\n  // XXX: needed for the overloads of read\n"
                "  return strict ? shop.read(shop.name, strict) : shop.read(shop.name, strict);\n}\n",
            },
        ),
        Example(
            "silent where the condition narrows a name",
            {
                "area.ts": "export function area(shape: Shape) {\n  if (shape instanceof Square) {\n    return shape.area();\n"
                "  } else {\n    return shape.area();\n  }\n}\n"
            },
        ),
        Example(
            "silent where the condition reads on",
            {
                "read.js": "export function read(input) {\n  if (input.eat('a')) {\n    return input.rest(1);\n  } else {\n"
                "    return input.rest(1);\n  }\n}\n"
            },
        ),
        Example(
            "silent on an empty branch before an else, in Ruby",
            {
                "lib/stock.rb": "def restock(item)\n  if item.gone?\n    # nothing is left\n  else\n    item.count += 1\n  end\nend\n\n"
                "def move(item)\n  if item.gone?\n  else\n    item.count += 1\n  end\nend\n"
            },
        ),
        Example(
            "an if and its else, in Ruby",
            {
                "lib/stock.rb": "def restock(item)\n  if item.gone?\n    item.count += 1\n  else\n    item.count += 1\n  end\nend\n"
            },
            ("lib/stock.rb:4",),
        ),
        Example(
            "silent on cases that share one body",
            {
                "code.js": "export function name(code) {\n  switch (code) {\n    case 1:\n    case 2:\n      return low(code);\n"
                "    default:\n      return high(code);\n  }\n}\n"
            },
        ),
        Example("silent in a test", {"tests/test_price.py": _SAME_PYTHON}),
    ),
)
