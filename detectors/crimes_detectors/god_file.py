"""A file combines several parts that have nothing to do with each other.

It is large, and its functions and classes fall into groups: within a group they refer to each other, between groups nothing
refers to anything.

## Why it matters

Whoever changes one part has to read past the others, and edits to unrelated parts collide in one file.

## What to do

Move one group into a file of its own, and re-export the names that other files import.

## Before

```text
shop.py, 1,240 lines of code in 3 groups
    parse_order, parse_item, OrderReader
        480 lines of code, refer only to each other
    send_mail, Mailer, retry_mail
        410 lines of code, refer only to each other
    draw_invoice, InvoicePage
        350 lines of code, refer only to each other
```

## After

```text
orders.py, 480 lines of code
    parse_order, parse_item, OrderReader
mail.py, 410 lines of code
    send_mail, Mailer, retry_mail
invoices.py, 350 lines of code
    draw_invoice, InvoicePage
```

## What it accepts

- A large file whose parts need each other.
- A file about one thing, or a collection of similar things: half of its definitions share a base, a decorator, or a word in
  their name.
- A few small definitions beside the main part.
- Definitions that share a constant or a variable of the file belong together, unless a quarter of the file uses it.
- Declaration files (`.pyi`, `.d.ts`): they contain no logic.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
    Measure,
    Pass,
    Role,
    Severity,
    Signal,
    at_file,
    option,
    regex,
)

_WORD = regex(r"[^\W\d]\w*")
_NAME_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+")  # camel case or underscores
_MAX_NAMED = 3  # definitions of a group, in a fact
_MAX_GROUPS_SHOWN = 3


@dataclass(frozen=True)
class Options:
    min_lines: int = option(800, "Report a file with at least this many lines of code.")
    min_groups: int = option(3, "How many groups the file has to fall into.")
    min_group_lines: int = option(100, "How many lines of code a group needs in total.")


class Definition(Struct, frozen=True):
    """A function or class at the top of a file, with its lines."""

    name: str
    start: int
    end: int
    lines: int  # of code
    kinds: frozenset[str]  # bases, decorators and words of its name


Group = tuple[Definition, ...]


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE or file.facts.logic_lines < options.min_lines or file.declares:
            continue
        definitions = top_level_definitions(file)
        if are_alike(definitions):
            continue
        lines = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
        large = [
            group
            for group in groups(definitions, lines, frozenset(file.facts.definitions))
            if sum(definition.lines for definition in group) >= options.min_group_lines
        ]
        if len(large) >= options.min_groups:
            yield _report(file, large, options)


def top_level_definitions(file: File) -> list[Definition]:
    """The outermost functions and classes, without tests; methods defined outside their class have its name."""
    facts = file.facts
    definitions = []
    for class_ in facts.classes:
        if "." not in class_.qualname:
            kinds = _kinds(class_.name, (*class_.bases, *class_.decorators))
            definitions.append(Definition(class_.name, class_.start, class_.end, class_.logic_lines, kinds))
    for function in facts.functions:
        if function.parent < 0 and not function.is_anonymous and not function.in_test:
            name, kinds = function.qualname.partition(".")[0], _kinds(function.qualname, function.decorators)
            definitions.append(Definition(name, function.start, function.end, function.logic_lines, kinds))
    outermost: list[Definition] = []
    for definition in sorted(definitions, key=lambda definition: (definition.start, -definition.end)):
        if not outermost or definition.start > outermost[-1].end:
            outermost.append(definition)
    return outermost


def _kinds(qualname: str, others: tuple[str, ...]) -> frozenset[str]:
    name, _, method = qualname.partition(".")
    words = () if method else (part.lower().removesuffix("s") for part in _NAME_WORD.findall(name))
    return frozenset((*words, *others))


def are_alike(definitions: list[Definition]) -> bool:
    """Whether half of the definitions share a kind: the file is a collection."""
    counts = Counter(kind for definition in definitions for kind in definition.kinds)
    return 2 * max(counts.values(), default=0) >= len(definitions)


def groups(definitions: list[Definition], lines: list[str], bound: frozenset[str]) -> list[Group]:
    """Definitions connected by naming each other, or a variable that few of them name; largest first."""
    bodies = ("\n".join(lines[definition.start - 1 : definition.end]) for definition in definitions)
    words = [set(_WORD.findall(body)) for body in bodies]
    counts = Counter(word for used in words for word in used & bound)
    joining = {word for word, count in counts.items() if 4 * count <= len(definitions)}
    joining.update(definition.name for definition in definitions)
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for definition, used in zip(definitions, words, strict=True):
        for word in used & joining:
            parent[find(word)] = find(definition.name)
    members: dict[str, list[Definition]] = {}
    for definition in definitions:
        members.setdefault(find(definition.name), []).append(definition)
    result = [tuple(group) for group in members.values()]
    return sorted(result, key=lambda group: (-sum(definition.lines for definition in group), group[0].start))


def _report(file: File, large: list[Group], options: Options) -> Finding:
    lines = file.facts.logic_lines
    descriptions = tuple(_describe(group) for group in large)
    largest = "" if len(large) <= _MAX_GROUPS_SHOWN else "the largest are "
    return Finding(
        at_file(file),
        Severity.HIGH if lines >= 2 * options.min_lines else Severity.MEDIUM,
        f"The file has {lines} lines of code in {len(large)} groups of definitions that do not refer to each other: "
        f"{largest}{'; '.join(descriptions[:_MAX_GROUPS_SHOWN])}.",
        signals=(
            Signal(
                "god_file",
                Category.SYNTAX,
                80,
                f"no definition refers from one of the {len(large)} groups to another",
            ),
        ),
        evidence={
            "logic_lines": Measure(lines, options.min_lines),
            "groups": Measure(len(large), options.min_groups),
            "definitions": Measure(descriptions, items=tuple(_item(group) for group in large)),
        },
    )


def _describe(group: Group) -> str:
    names = [f"`{name}`" for name in _names(group)]
    more = len(names) - _MAX_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f"{', '.join(names[:_MAX_NAMED])}{rest} ({_line_count(group)} lines of code)"


def _item(group: Group) -> dict[str, int | float | str]:
    """The group as values."""
    return {
        "names": ", ".join(_names(group)),
        "definitions": len(group),
        "logic_lines": _line_count(group),
    }


def _names(group: Group) -> list[str]:
    """Names of the definitions, longest definition first."""
    largest = sorted(group, key=lambda definition: (-definition.lines, definition.start))
    return list(dict.fromkeys(definition.name for definition in largest))


def _line_count(group: Group) -> int:
    return sum(definition.lines for definition in group)


def _part(language: str, groups: int) -> str:
    """A file of many definitions, each naming the next one of its group."""
    words = ("parse", "send", "draw", "store")
    rows = []
    for number in range(28):
        word = words[number % groups]
        if language == "python":
            rows += [f"def item{number}_{word}_{number}(x):"]
            rows += [f"    x.add({line})" for line in range(30)]
            rows += [f"    return item{number + groups}_{word}_{number + groups}(x)", ""]
        else:
            rows += [f"export function item{number}_{word}_{number}(x: Order) {{"]
            rows += [f"  x.add({line});" for line in range(30)]
            rows += [f"  return item{number + groups}_{word}_{number + groups}(x);", "}", ""]
    return "\n".join(rows)


_ALIKE = "\n".join(
    f"class Thing{number}View(View):\n" + "".join(f"    field_{line} = Field()\n" for line in range(220))
    for number in range(4)
)

DETECTOR = Detector(
    id="god_file",
    title="File with unrelated parts",
    category="structure",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    default=False,
    examples=(
        Example("three groups in Python", {"shop.py": _part("python", 3)}, ("shop.py:1",)),
        Example("three groups in TypeScript", {"src/shop.ts": _part("typescript", 3)}, ("src/shop.ts:1",)),
        Example("silent when the parts need each other", {"shop.py": _part("python", 1)}),
        Example("silent on a collection of similar things", {"views.py": _ALIKE}),
        Example(
            "silent when the groups share a variable",
            {"shop.py": "STATE = {}\n\n" + _part("python", 3).replace("x.add(0)", "x.add(STATE)", 4)},
        ),
        Example(
            "silent on small definitions beside the main part",
            {
                "shop.py": _part("python", 1)
                + "\n".join(f"def extra_{n}_of{n}():\n    return {n}\n" for n in range(9))
            },
        ),
        Example("silent on declarations", {"shop.pyi": _part("python", 3)}),
        Example("silent in a test", {"tests/test_shop.py": _part("python", 3)}),
    ),
)
