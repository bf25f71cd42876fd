"""A function nests its control flow so deeply that no condition can be read on its own.

It counts the `if`, loop, `try`, `with` and `switch` statements around the deepest line of a function, not counting nested functions.

## Why it matters

What the innermost line does depends on every condition around it, and an edit there has to keep all of them in mind. The `else`
that belongs to one of them may be a screen away.

## What to do

Return or continue early when a condition fails, or extract the innermost block into a function.

## Before

```python
def first_open(shops, day):
    for shop in shops:
        if shop.active:
            for hours in shop.hours:
                if hours.day == day:
                    if hours.open or hours.always:
                        return shop
    return None
```

## After

```python
def first_open(shops, day):
    for shop in shops:
        if shop.active and is_open(shop, day):
            return shop
    return None

def is_open(shop, day):
    hours_of_day = (hours for hours in shop.hours if hours.day == day)
    return any(hours.open or hours.always for hours in hours_of_day)
```

## What it accepts

- A function of fewer than 30 lines of code: it is read at a glance.
- Depth without decisions: a lock, a `try` around everything, a loop in a loop.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crimes.api import (
    ANY,
    Category,
    Detector,
    Effort,
    Example,
    Finding,
    Function,
    Measure,
    Pass,
    Role,
    Severity,
    Signal,
    at_function,
    option,
)


@dataclass(frozen=True)
class Options:
    max_nesting: int = option(5, "Report a function whose control flow is nested at least this deep.")
    min_lines: int = option(30, "Leave out functions with fewer lines of code: they are read at a glance.")
    min_cognitive: int = option(20, "Leave out functions with less cognitive complexity: they decide little.")
    severe_nesting: int = option(7, "From this depth on the severity is medium.")


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE:
            continue
        for function in file.facts.functions:
            if function.nesting < options.max_nesting or function.logic_lines < options.min_lines:
                continue
            if function.cognitive_own < options.min_cognitive or function.in_test or function.is_test:
                continue
            yield Finding(
                at_function(file, function),
                Severity.MEDIUM if function.nesting >= options.severe_nesting else Severity.LOW,
                f"`{function.name}` nests control flow {function.nesting} levels deep{_place_text(function)}.",
                signals=(Signal("deep_nesting", Category.SYNTAX, 80, "counted on the syntax tree"),),
                evidence={
                    "nesting": Measure(function.nesting, options.max_nesting),
                    "cognitive_complexity": Measure(function.cognitive_own, options.min_cognitive),
                    "logic_lines": Measure(function.logic_lines, options.min_lines),
                },
            )


def _place_text(function: Function) -> str:
    return f" in {function.logic_lines} lines of code"


_FILLING = "".join(f"    shops.note({number})\n" for number in range(30))
_PYTHON = f"""
def first_open(shops, day):
{_FILLING}
    for shop in shops:
        if shop.active:
            for hours in shop.hours:
                if hours.day == day:
                    if hours.open and hours.staff or hours.always:
                        return shop
                    elif shop.late and hours.late:
                        return shop
                    elif shop.early or hours.early:
                        return None
    return None
"""

_TYPESCRIPT = """
export function firstOpen(shops: Shop[], day: Day): Shop | null {
FILLING
  for (const shop of shops) {
    if (shop.active) {
      for (const hours of shop.hours) {
        if (hours.day === day) {
          if (hours.open && hours.staff || hours.always) {
            return shop;
          } else if (shop.late && hours.late) {
            return shop;
          } else if (shop.early || hours.early) {
            return null;
          }
        }
      }
    }
  }
  return null;
}
""".replace("FILLING", _FILLING)

DETECTOR = Detector(
    id="deep_nesting",
    title="Deeply nested control flow",
    category="structure",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    default=False,
    subsumed_by="god_function",
    examples=(
        Example("five deep in Python", {"shops.py": _PYTHON}, ("shops.py:2",), severity=Severity.LOW),
        Example("five deep in TypeScript", {"src/shops.ts": _TYPESCRIPT}, ("src/shops.ts:2",)),
        Example(
            "seven deep",
            {
                "deep.py": "def deep(x, shops):\n"
                + _FILLING
                + "".join(f"{'    ' * n}if x > {n}:\n" for n in range(1, 8))
                + f"{'    ' * 8}return x\n"
            },
            ("deep.py:1",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent on early exits",
            {
                "shops.py": f"def first_open(shops, day):\n{_FILLING}    for shop in shops:\n        if not shop.active:\n            continue\n"
                "        for hours in shop.hours:\n            if hours.day == day and hours.open:\n                return shop\n"
            },
        ),
        Example("silent on a function that is read at a glance", {"shops.py": _PYTHON.replace(_FILLING, "")}),
        Example(
            "silent on a lock around loops",
            {
                "shops.py": f"def first_open(shops, days):\n{_FILLING}    with shops.lock:\n        try:\n            for shop in shops:\n"
                "                for day in days:\n                    if shop.open(day):\n                        return shop\n"
                "        finally:\n            shops.done()\n"
            },
        ),
        Example("silent in a test", {"tests/test_shops.py": _PYTHON}),
        Example(
            "silent on a chain of alternatives",
            {
                "codes.py": f"def name(code, shops):\n{_FILLING}    if code == 0:\n        return 0\n"
                + "".join(f"    elif code == {n}:\n        return 'code {n}'\n" for n in range(1, 12))
            },
        ),
    ),
)
