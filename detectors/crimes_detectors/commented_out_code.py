"""Five or more consecutive lines of code are commented out.

It reports consecutive comment lines of production source that parse as the file's language without an error once the comment
signs are removed, with statements on at least two of them. A file is reported once; the other places are listed.

## Why it matters

Searches and agents take commented-out code for code that runs, and nobody knows whether it is older or newer than its surroundings.
An agent may follow it as a pattern, keep it up to date, or bring it back.

## What to do

Delete it; git keeps the old version. If it has to stay, say in words next to it why, and what has to happen before it comes back.

## Before

```python
def total(prices):
    # result = 0
    # for price in prices:
    #     if price.discount:
    #         price = price.reduced()
    #     result += price.amount
    # return result
    return sum(price.amount for price in prices)

def average(prices):
    return total(prices) / len(prices)
```

## After

```python
def total(prices):
    # Discounts are taken off when a price is stored.
    return sum(price.amount for price in prices)

def average(prices):
    return total(prices) / len(prices)
```

## What it accepts

- Comments with a line of prose among the code that says what it is for.
- Documentation and examples.
- Entries of a list that are switched off one by one.
- Tests, scripts and generated files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crimes.api import (
    ANY,
    Category,
    Commented,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Measure,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    option,
)

MAX_RELATED = 5


@dataclass(frozen=True)
class Options:
    min_lines: int = option(5, "Report at least this many consecutive commented-out lines.")
    min_statements: int = option(2, "How many of them have to start a statement.")


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE or not file.facts.commented:
            continue
        blocks = [
            block
            for block in file.facts.commented
            if line_count(block) >= options.min_lines
            and block.statements >= options.min_statements
            and not in_test(file, block)
        ]
        if blocks:
            yield report(file, blocks, options)


def line_count(block: Commented) -> int:
    return block.end - block.line + 1


def in_test(file: File, block: Commented) -> bool:
    """Whether the block is in a test, or only tests follow it."""
    inside = [function for function in file.facts.functions if function.start <= block.line <= function.end]
    after = [function.in_test for function in file.facts.functions if function.start > block.end]
    return any(function.in_test or function.is_test for function in inside) or (bool(after) and all(after))


def report(file: File, blocks: list[Commented], options: Options) -> Finding:
    longest = max(blocks, key=lambda block: (line_count(block), -block.line))
    others = [block for block in blocks if block is not longest][:MAX_RELATED]
    total = sum(map(line_count, blocks))
    places = "" if len(blocks) == 1 else f" in {len(blocks)} places"
    return Finding(
        Place(file.path, longest.line, longest.end),
        Severity.LOW,
        f"{total} lines of code are commented out{places}.",
        (Signal("grammar", Category.SYNTAX, 85, "parses as code of the file's language without an error"),),
        evidence={
            "lines": Measure(total, options.min_lines),
            "statements": Measure(sum(block.statements for block in blocks), options.min_statements),
            "places": Measure(len(blocks)),
        },
        related=tuple(
            Related(Place(file.path, block.line, block.end), "more commented-out code") for block in others
        ),
    )


DETECTOR = Detector(
    id="commented_out_code",
    title="Commented-out code",
    category="agents",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    options=Options,
    default=False,
    detect=detect,
    examples=(
        Example(
            "a commented-out function in Python",
            {
                "shop/cart.py": "def total(prices):\n    return sum(prices)\n\n\n# def discount(prices, share):\n#     if share > 1:\n"
                "#         raise ValueError(share)\n#     off = sum(prices) * share\n#     return sum(prices) - off\n",
            },
            ("shop/cart.py:5",),
            severity=Severity.LOW,
        ),
        Example(
            "a commented-out earlier version in TypeScript",
            {
                "src/cart.ts": "export function total(prices: number[]) {\n  // let sum = 0;\n  // for (const price of prices) {\n"
                "  //   sum += price;\n  // }\n  // return sum;\n  return prices.length;\n}\n",
            },
            ("src/cart.ts:2",),
        ),
        Example(
            "a block comment in PHP",
            {
                "src/Cart.php": "<?php\nclass Cart {\n    /*\n    public function total($prices) {\n        $sum = 0;\n"
                "        foreach ($prices as $price) {\n            $sum += $price;\n        }\n        return $sum;\n    }\n    */\n}\n",
            },
            ("src/Cart.php:3",),
        ),
        Example(
            "one finding for a file with two places",
            {
                "src/cart.js": "export const a = 1;\n// b = 1;\n// c = b + 1;\n// d(c);\n// e(d);\n// f(e);\nexport const g = 1;\n"
                "// if (h) {\n//   i(h);\n//   j(i);\n//   k(j);\n//   l(k);\n// }\n",
            },
            ("src/cart.js:8",),
        ),
        Example(
            "silent on prose",
            {
                "shop/cart.py": "# The total is the sum of all prices; a discount (if any)\n# is taken off afterwards, because the tax office\n"
                "# wants to see both numbers: the full one, and the\n# reduced one (see the handbook). Rounding is done\n# once, at the end.\nTAX = 1\n",
            },
        ),
        Example(
            "silent when a line says what it is for",
            {
                "shop/cart.py": "# Turn this on to see every price that is added up here:\n# import logging\n# logging.basicConfig(level=10)\n"
                "# log = logging.getLogger('cart')\n# log.debug('on')\n# log.debug('really')\nTAX = 1\n",
            },
        ),
        Example(
            "silent on four lines",
            {"shop/cart.py": "# a = 1\n# b = a + 1\n# c = b + 1\n# print(c)\nTAX = 1\n"},
        ),
        Example(
            "silent on documentation and examples",
            {
                "src/cart.ts": "/**\n * const cart = new Cart();\n * cart.add(1);\n * cart.add(2);\n * cart.add(3);\n * cart.total();\n */\n"
                "export class Cart {}\n",
                "shop/cart.py": "# Example:\n# cart = Cart()\n# cart.add(1)\n# cart.add(2)\n# cart.total()\nTAX = 1\n",
            },
        ),
        Example(
            "silent on entries of a list",
            {
                "shop/cart.py": "ALL = [\n    # Card(1),\n    # Cash(2),\n    # Bill(3),\n    # Gift(4),\n    # Debt(5),\n    Coin(6),\n]\n"
            },
        ),
        Example(
            "silent in tests",
            {
                "tests/test_cart.py": "def test_total():\n    # a = 1\n    # b = a + 1\n    # c = b + 1\n    # print(c)\n    # print(b)\n    assert True\n"
            },
        ),
    ),
)
