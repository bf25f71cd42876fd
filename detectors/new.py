"""Starts a new detector: `python detectors/new.py god_file`.

What it writes has the shape the catalogue test asks for; the logic, the words and the examples are yours.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "crimes_detectors"

TEMPLATE = '''\
"""One plain sentence that says what it finds.

## Why it matters

One sentence that says what goes wrong in the next edit because of it. More may follow.

## What to do

One sentence that names the smallest change which removes it. More may follow.

## Before

```python
def draw(left, top, right, bottom, color):
    ...


draw(0, 0, 80, 25, "red")
```

## After

```python
def draw(box, color):
    ...


draw(Box(0, 0, 80, 25), "red")
```

## What it accepts

- Each idiom it leaves alone, with a silent example below.
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
