"""Starts a new detector: `python detectors/new.py my_id`.

What it writes passes every check as it is. Replace the logic, the texts and the examples with your own.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "crimes_detectors"

TEMPLATE = '''\
"""A function takes more parameters than callers can tell apart.

## Why it matters

Callers mix up parameters in a long row, and nothing fails until the values are used.

## What to do

Group parameters that belong together into one object, or split the function.

## Before

```python
def ship(name, street, city, postcode, country, weight, express, insured, gift):
    label = print_label(name, street, city, postcode, country)
    return book(label, weight, express, insured, gift)

ship("Ada", "Main St 1", "Springfield", "12345", "US", 2, True, False, True)
```

## After

```python
def ship(address, parcel, *, express=False, insured=False):
    return book(print_label(address), parcel, express, insured)

home = Address("Ada", "Main St 1", "Springfield", "12345", "US")

ship(home, Parcel(weight=2, gift=True), express=True)
```

## What it does not report

- Functions with at most `max_parameters` parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crimes.api import (
    Category,
    Detector,
    Effort,
    Example,
    Finding,
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
    max_parameters: int = option(8, "Report functions with more parameters than this.")


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    for file in scan.files(Role.SOURCE):
        for function in file.facts.functions:
            count = len(function.params)
            if count > options.max_parameters:
                yield Finding(
                    at_function(file, function),
                    Severity.LOW,
                    f"`{function.name}` takes {count} parameters.",
                    signals=(Signal("parameters", Category.SYNTAX, 80, f"{count} parameters"),),
                    evidence={"parameters": Measure(count, options.max_parameters)},
                )


DETECTOR = Detector(
    id="%(id)s",
    title="%(title)s",
    category="structure",
    doc=__doc__ or "",
    # ANY, once tests/language_examples has examples of it in every language.
    languages=("python", "typescript"),
    max_severity=Severity.LOW,
    effort=Effort.HOURS,
    options=Options,
    detect=detect,
    # On, once people who did not write it have judged what it reports: benchmarks/precision.
    default=False,
    examples=(
        Example(
            "a function with too many parameters",
            {"a.py": "def f(a, b, c):\\n    return a\\n", "b.ts": "function f(a, b, c) {\\n  return;\\n}\\n"},
            finds=("a.py:1", "b.ts:1"),
            options={"max_parameters": 2},
        ),
        Example("silent under the limit", {"a.py": "def f(a):\\n    return a\\n"}),
    ),
)
'''


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", arguments[0]):
        print("usage: python detectors/new.py an_id_in_lower_case", file=sys.stderr)
        return 2
    path = FOLDER / f"{arguments[0]}.py"
    if path.exists():
        print(f"{path.name} exists already", file=sys.stderr)
        return 2
    title = arguments[0].replace("_", " ").capitalize()
    path.write_text(TEMPLATE % {"id": arguments[0], "title": title}, encoding="utf-8")
    print(f"detectors/crimes_detectors/{path.name} is in the catalogue; now `make docs test`")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
