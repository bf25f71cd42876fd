"""A class combines several responsibilities that have nothing to do with each other.

It is large, and its methods fall into groups: within a group they share attributes or call each other, between groups
they share nothing.

## Why it matters

Whoever changes one responsibility has to read past the others, and the name of the class does not say which methods an edit affects.

## What to do

Move the smaller group of methods, with the attributes only it uses, into a class of its own. Let the first class hold an instance of it.

## Before

```python
class Shop:
    def __init__(self, orders, rates, mailer, subscribers):
        self.orders, self.rates = orders, rates
        self.mailer, self.subscribers = mailer, subscribers

    def total(self):
        return sum(order.price * self.rates[order.currency] for order in self.orders)

    def send_newsletter(self, text):
        self.mailer.send(text, to=self.subscribers)

    def unsubscribe(self, address):
        self.subscribers.remove(address)
```

## After

```python
class Shop:
    def __init__(self, orders, rates):
        self.orders, self.rates = orders, rates

    def total(self):
        return sum(order.price * self.rates[order.currency] for order in self.orders)

class Newsletter:
    def __init__(self, mailer, subscribers):
        self.mailer, self.subscribers = mailer, subscribers

    def send(self, text):
        self.mailer.send(text, to=self.subscribers)

    def unsubscribe(self, address):
        self.subscribers.remove(address)
```

## What it accepts

- A large class whose methods work on the same attributes: it does one thing at length.
- Methods that use neither an attribute nor another method: they are functions, not a second responsibility.
- Constructors and the methods Python calls by itself (`__eq__`): they touch everything and connect nothing.
- Groups of a few short methods beside the main one, overloads of one method, and groups around a single attribute.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct

from crimes.api import (
    ANY,
    Category,
    Class,
    Detector,
    Effort,
    Example,
    File,
    Finding,
    Function,
    Measure,
    Pass,
    Place,
    Role,
    Severity,
    Signal,
    option,
)

_CONSTRUCTORS = frozenset({"constructor", "initialize", "init", "new", "setup", "setUp", "__construct"})
_MAX_NAMED = 4  # methods or attributes of a group, in a fact


@dataclass(frozen=True)
class Options:
    min_methods: int = option(20, "Report a class with at least this many methods.")
    min_lines: int = option(300, "Report a class with at least this many lines of code.")
    min_group_methods: int = option(5, "How many methods make a group.")
    min_group_attributes: int = option(2, "How many attributes a group needs for itself.")
    min_group_lines: int = option(60, "How many lines of code the methods of a group need in total.")


class Group(Struct, frozen=True):
    """Methods that share attributes or call each other, and the attributes."""

    methods: tuple[Function, ...]
    attributes: tuple[str, ...]

    @property
    def lines(self) -> int:
        return sum(method.logic_lines for method in self.methods)

    @property
    def names(self) -> list[str]:
        """Names of the methods, longest method first."""
        return [method.name for method in sorted(self.methods, key=lambda method: -method.logic_lines)]

    def __str__(self) -> str:
        return f"{len(self.methods)} methods ({_listed(self.names)}) on {_listed(self.attributes)}"

    def item(self) -> dict[str, int | float | str]:
        """The group as values."""
        return {
            "methods": len(self.methods),
            "logic_lines": self.lines,
            "method_names": ", ".join(self.names),
            "attribute_names": ", ".join(self.attributes),
        }


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE:
            continue
        for owner in file.facts.classes:
            if len(owner.methods) < options.min_methods or owner.logic_lines < options.min_lines:
                continue
            methods = [file.facts.functions[index] for index in owner.methods]
            if any(method.in_test or method.is_test for method in methods):
                continue
            large = [
                group
                for group in groups(methods, _called(file, owner))
                if len({method.name for method in group.methods}) >= options.min_group_methods
                and len(group.attributes) >= options.min_group_attributes
                and group.lines >= options.min_group_lines
            ]
            if len(large) > 1:
                yield _report(file, owner, large, options)


def _called(file: File, owner: Class) -> set[str]:
    """Names that the methods call on their own object, inherited ones included: these are not data."""
    own = set(owner.methods)
    targets = (call.dotted.split(".") for call in file.facts.calls if call.function in own)
    return {parts[1] for parts in targets if len(parts) == 2}


def groups(methods: list[Function], called: set[str]) -> list[Group]:
    """Methods connected by a shared attribute or a call, largest group first."""
    ordinary = [method for method in methods if not _is_special(method.name)]
    no_data = {method.name for method in methods} | called
    parent: dict[str, str] = {}  # a union-find over the names of methods and attributes

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for method in ordinary:
        for attribute in method.attributes:
            if not _is_special(attribute):
                parent[find(attribute)] = find(method.name)
    members: dict[str, list[Function]] = {}
    for method in ordinary:
        members.setdefault(find(method.name), []).append(method)
    result = []
    for group in members.values():
        data = {name for method in group for name in method.attributes if _is_data(name, no_data)}
        result.append(Group(tuple(group), tuple(sorted(data))))
    return sorted(result, key=lambda group: (-group.lines, group.methods[0].start))


def _is_data(name: str, no_data: set[str]) -> bool:
    return name not in no_data and not _is_special(name)


def _is_special(name: str) -> bool:
    return name in _CONSTRUCTORS or (name.startswith("__") and name.endswith("__"))


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMED
    return ", ".join(f"`{name}`" for name in names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _report(file: File, owner: Class, large: list[Group], options: Options) -> Finding:
    severe = len(owner.methods) >= 2 * options.min_methods and owner.logic_lines >= 2 * options.min_lines
    first, second = large[:2]
    largest = "" if len(large) == 2 else "the largest are "
    return Finding(
        Place(file.path, owner.start, owner.end, owner.qualname),
        Severity.HIGH if severe else Severity.MEDIUM,
        f"`{owner.name}` has {len(owner.methods)} methods in {owner.logic_lines} lines of code, in {len(large)} groups that share "
        f"no attribute: {largest}{first}; {second}.",
        signals=(
            Signal(
                "god_class",
                Category.SYNTAX,
                80,
                f"no attribute and no call connects the {len(large)} groups",
            ),
        ),
        evidence={
            "methods": Measure(len(owner.methods), options.min_methods),
            "logic_lines": Measure(owner.logic_lines, options.min_lines),
            "groups": Measure(
                tuple(str(group) for group in large), items=tuple(group.item() for group in large)
            ),
        },
    )


def _python(groups: int, shared: str = "") -> str:
    rows = ["class Shop:", "    def __init__(self):"]
    rows += [f"        self.a{group} = self.b{group} = None" for group in range(groups)]
    for number in range(24):
        group = number % groups
        rows += [f"    def step_{number}(self, x):", f"        self.a{group} = x{shared}"]
        rows += [f"        x.add({line}, self.b{group})" for line in range(12)]
    return "\n".join(rows) + "\n"


def _typescript(groups: int) -> str:
    rows = ["export class Shop {"]
    for number in range(24):
        group = number % groups
        rows += [f"  step{number}(x: Order) {{", f"    this.a{group} = x;"]
        rows += [f"    x.add({line}, this.b{group});" for line in range(12)]
        rows += ["  }"]
    return "\n".join([*rows, "}"]) + "\n"


DETECTOR = Detector(
    id="god_class",
    title="Class with unrelated responsibilities",
    category="structure",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    options=Options,
    effort=Effort.DAYS,
    detect=detect,
    default=False,
    examples=(
        Example("two groups in Python", {"shop.py": _python(2)}, ("shop.py:1",), severity=Severity.MEDIUM),
        Example("two groups in TypeScript", {"src/shop.ts": _typescript(2)}, ("src/shop.ts:1",)),
        Example("silent on a long class with one responsibility", {"shop.py": _python(1)}),
        Example("silent when an attribute connects the groups", {"shop.py": _python(2, " or self.log")}),
        Example(
            "silent on methods that delegate to one attribute each",
            {"shop.py": _python(2).replace(", self.b", ", x.b").replace("= self.b", "= x.b")},
        ),
        Example("silent in a test", {"tests/test_shop.py": _python(2)}),
        Example(
            "silent on functions that use nothing of their class",
            {
                "tools.py": "class Tools:\n"
                + "".join(
                    f"    def tool_{number}(self, x):\n"
                    + "".join(f"        x.add({line})\n" for line in range(15))
                    for number in range(24)
                )
            },
        ),
        Example(
            "silent on a few short methods beside the main group",
            {
                "shop.py": _python(1)
                + "".join(f"    def label_{n}(self):\n        return self.label\n\n" for n in range(4))
            },
        ),
    ),
)
