"""A function has more paths than a reader can keep in mind.

It reports a function whose own cognitive complexity reaches the limit, or that is long and branches a lot. Nested
functions are judged separately, and conditions inside markup do not count.

## Why it matters

The more paths a function has, the more likely an edit to one of them breaks another that nobody checked.

## What to do

Split it into functions named after what each of them decides. Return early instead of nesting.

## Before

```python
def price(order, user):
    total = 0
    for item in order.items:
        if item.active:
            if item.discount and not item.expired:
                if user.member or item.discount.public:
                    total += item.price * (1 - item.discount.share)
                else:
                    total += item.price
            else:
                total += item.price
    return total
```

## After

```python
def price(order, user):
    return sum(item_price(item, user) for item in order.items if item.active)

def item_price(item, user):
    if not has_discount(item, user):
        return item.price
    return item.price * (1 - item.discount.share)

def has_discount(item, user):
    if not item.discount or item.expired:
        return False
    return user.member or item.discount.public
```

## What it accepts

- A long literal, a table or a tree of markup: lines of data are not lines of code. A body that is mostly data may choose
  between values, as long as nothing branches inside a branch.
- A flat `match` or `switch`: cases count only when something branches inside them.
- A table of registrations: many calls to the same function make a long body, not a complex one.
- A long list of parameters: from seven on they are not counted as lines of code.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from crimes.api import (
    ANY,
    HISTORY,
    TOTALS,
    Category,
    Commit,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    Finding,
    Function,
    History,
    Measure,
    Pass,
    Role,
    Severity,
    Signal,
    at_function,
    option,
)

_MAX_PARAMS_ON_A_LINE = 6
_MIN_REGISTRATIONS = 10
_MIN_FIXES = 3
# Moving the heaviest branch helps if it holds a fair share of the complexity, and is not nearly the whole function.
_MIN_MOVED_PERCENT, _MAX_MOVED_PERCENT = 20, 80
_MIN_NESTED_LEVELS = 2
_DISPATCH_KEYWORDS = frozenset({"switch", "match", "case", "when", "select"})


@dataclass(frozen=True)
class Options:
    max_cognitive: int = option(25, "Report a function with at least this cognitive complexity.")
    severe_cognitive: int = option(50, "From this cognitive complexity on the severity is high.")
    max_lines: int = option(
        80, "Report a function with at least this many lines of code if it also branches."
    )
    min_cyclomatic: int = option(
        10, "Report a long function only if its cyclomatic complexity is at least this."
    )


def _severity(function: Function, lines: int, options: Options) -> Severity:
    if function.cognitive_own >= options.severe_cognitive:
        return Severity.HIGH
    half_over = 3 * options.max_cognitive <= 2 * function.cognitive_own
    return Severity.MEDIUM if half_over or 3 * options.max_lines <= 2 * lines else Severity.LOW


def _is_declarative(function: Function) -> bool:
    """Whether it is mostly data, with conditions that only choose between values."""
    heaviest = max((branch.cost for branch in function.branches), default=0)
    return function.nesting <= 1 and heaviest <= 1 and 2 * function.literal_lines >= function.logic_lines


def _is_registration(file: File, index: int) -> bool:
    """Whether the function mostly calls one other function, over and over."""
    called = [call.dotted.rpartition(".")[2] for call in file.facts.calls if call.function == index]
    most = max(Counter(called).values(), default=0)
    return most >= _MIN_REGISTRATIONS and 2 * most >= len(called)


def _logic_lines(function: Function) -> int:
    """Lines of code, without literals and without a parameter list that spans lines."""
    param_lines = len(function.params) if len(function.params) > _MAX_PARAMS_ON_A_LINE else 0
    return max(function.logic_lines - function.literal_lines - param_lines, 0)


def _fact(function: Function, lines: int) -> str:
    """The complexity, the length, and the share of the heaviest branch."""
    name = function.qualname if function.is_anonymous else function.name
    total = function.cognitive_own
    share = ""
    if function.branches:
        heaviest = function.branches[0]
        cost = "all" if heaviest.cost == total else heaviest.cost
        share = f", {cost} of it in the `{heaviest.keyword}` at line {heaviest.line}"
    unit = "line" if lines == 1 else "lines"
    return f"`{name}` has cognitive complexity {total} in {lines} {unit} of code{share}."


def _fix(function: Function) -> str:
    """Advice that fits the shape of the function; empty if the general advice does."""
    total = function.cognitive_own
    if not function.branches:
        return "Name the parts of the condition: put each into a variable or a small function."
    heaviest = function.branches[0]
    if function.nesting < _MIN_NESTED_LEVELS or 100 * heaviest.cost < _MIN_MOVED_PERCENT * total:
        return ""  # flat, or spread over many branches: moving one of them changes little
    where = f"the `{heaviest.keyword}` at line {heaviest.line}"
    if heaviest.keyword in _DISPATCH_KEYWORDS:
        return f"Move the cases of {where} that branch themselves into functions of their own."
    if 100 * heaviest.cost > _MAX_MOVED_PERCENT * total:
        return f"Extract the blocks inside {where} into functions, and return early instead of nesting."
    return f"Move {where} into a function named after what it does, and return early instead of nesting."


def _signals(file: File, function: Function, all_agree: bool, history: History | None) -> Iterator[Signal]:
    """The measures; and the file's fixes, if at least half of the file is this function."""
    reason = "complexity, length and branching agree" if all_agree else "measured on the syntax tree"
    yield Signal("god_function", Category.SYNTAX, 88 if all_agree else 80, reason)
    past = history.files.get(file.path) if history else None
    fixes = len(past.fixes) if past else 0
    if history and fixes >= _MIN_FIXES and 2 * function.logic_lines >= file.facts.logic_lines:
        reason = (
            f"{fixes} fixes in the year before {history.reference_time.date()}, "
            "and this function is at least half of the file"
        )
        yield Signal("god_function", Category.HISTORY, 75, reason)


def _branch_items(function: Function) -> tuple[dict[str, int | float | str], ...]:
    return tuple(
        {"keyword": branch.keyword, "line": branch.line, "cost": branch.cost} for branch in function.branches
    )


def detect(scan: Pass, options: Options) -> Iterator[Finding | Excused]:
    history = scan.get(HISTORY)
    for path, totals in scan[TOTALS].items():
        file = scan.repo.files[path]
        if file.role is not Role.SOURCE:
            continue
        if totals.hardest < options.max_cognitive and totals.longest < options.max_lines:
            continue
        for index, function in enumerate(file.facts.functions):
            if function.in_test:
                continue
            lines = _logic_lines(function)
            branching = function.cyclomatic - function.cases
            complex_ = function.cognitive_own >= options.max_cognitive
            long = lines >= options.max_lines and branching >= options.min_cyclomatic
            if not complex_ and not long:
                continue
            if _is_declarative(function):
                yield Excused(
                    at_function(file, function), "its body is mostly data: a literal, markup or a flat match"
                )
                continue
            if not complex_ and _is_registration(file, index):
                yield Excused(
                    at_function(file, function),
                    "it mostly calls one function over and over, as a table of registrations does",
                )
                continue
            facts = (complex_, lines >= options.max_lines, branching >= options.min_cyclomatic)
            heaviest = tuple(f"{b.keyword} at line {b.line}: {b.cost}" for b in function.branches)
            yield Finding(
                at_function(file, function),
                _severity(function, lines, options),
                _fact(function, lines),
                signals=tuple(_signals(file, function, all(facts), history)),
                evidence={
                    "cognitive_complexity": Measure(function.cognitive_own, options.max_cognitive),
                    "cognitive_with_nested_functions": Measure(function.cognitive),
                    "cyclomatic_complexity": Measure(function.cyclomatic, options.min_cyclomatic),
                    "logic_lines": Measure(lines, options.max_lines),
                    "literal_lines": Measure(function.literal_lines),
                    "nesting": Measure(function.nesting),
                    "heaviest_branches": Measure(heaviest, items=_branch_items(function)),
                },
                fix=_fix(function),
            )


_PYTHON = """
def route(request, rules, user):
    for rule in rules:
        if rule.active:
            for step in rule.steps:
                if step.kind == "allow" and user or step.open:
                    if step.until and step.until < request.time:
                        continue
                    elif step.once:
                        return step
                    else:
                        while step.parent:
                            if step.parent.blocked:
                                return None
                            step = step.parent
                elif step.kind == "deny":
                    return None
    return rules
"""

_TYPESCRIPT = """
export function route(request: Request, rules: Rule[]): Step | null {
  for (const rule of rules) {
    if (rule.active) {
      for (const step of rule.steps) {
        if (step.kind === "allow" && request.user || step.open) {
          if (step.until && step.until < request.time) {
            continue;
          } else if (step.once) {
            return step;
          } else {
            while (step.parent) {
              if (step.parent.blocked) {
                return null;
              }
            }
          }
        } else if (step.kind === "deny") {
          return null;
        }
      }
    }
  }
  return null;
}
"""

DETECTOR = Detector(
    id="god_function",
    title="Function with too many paths",
    category="structure",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    wants=(HISTORY,),
    needs=(TOTALS,),
    examples=(
        Example("deep decisions in Python", {"router.py": _PYTHON}, ("router.py:2",)),
        Example(
            "a file that is one function, fixed again and again",
            {"router.py": _PYTHON},
            ("router.py:2",),
            history=tuple(
                Commit(f"Fix rule {n}", {"router.py": f"{_PYTHON}# {n}\n"}, days_ago=60 - n) for n in range(3)
            ),
        ),
        Example(
            "one large condition without a branch",
            {
                "src/rights.ts": "export const allowed = (u: User): boolean => {\n  return "
                + "\n    || ".join(f"(u.a{n} && u.b{n} && !u.c{n})" for n in range(26))
                + ";\n};\n"
            },
            ("src/rights.ts:1",),
        ),
        Example("deep decisions in TypeScript", {"src/router.ts": _TYPESCRIPT}, ("src/router.ts:2",)),
        Example(
            "silent on a flat match with many arms",
            {
                "codes.py": "def name(code):\n    match code:\n"
                + "".join(f"        case {n}:\n            return 'code {n}'\n" for n in range(60))
            },
        ),
        Example(
            "silent on a table",
            {
                "table.ts": "export function table() {\n  return {\n"
                + "".join(f"    key{n}: {n},\n" for n in range(120))
                + "  };\n}\n"
            },
        ),
        Example(
            "silent on data that is chosen by flat conditions",
            {
                "menu.py": "def separators(language):\n"
                + "".join(
                    f"    if language == 'l{n}':\n        return [\n            'a{n}',\n            'b{n}',\n"
                    f"            'c{n}',\n        ]\n"
                    for n in range(30)
                )
            },
        ),
        Example(
            "silent on a table of registrations",
            {
                "src/events.ts": "export function listen(app: App) {\n"
                + "".join(
                    f"  if (app.f{n}) {{\n    app.on(\n      app.f{n},\n      app.g{n},\n    );\n  }}\n"
                    for n in range(16)
                )
                + "}\n"
            },
        ),
        Example(
            "silent on a long list of parameters",
            {
                "query.py": "def query(\n"
                + "".join(f"    p{n},\n" for n in range(50))
                + "):\n    found = []\n"
                + "".join(
                    f"    if p{n}:\n        found.append(p{n} + 1)\n        p{n}()\n" for n in range(12)
                )
                + "    return found\n"
            },
        ),
        Example("silent in a test", {"tests/test_router.py": _PYTHON}),
        Example(
            "silent on many small nested functions",
            {
                "hooks.py": "def hooks():\n"
                + "".join(
                    f"    def hook_{n}(x):\n        for y in x:\n            if y:\n                return y\n"
                    for n in range(12)
                )
                + "    return locals()\n"
            },
        ),
    ),
)
