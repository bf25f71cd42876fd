"""A function holds more paths than a reader can keep in mind.

It reports a function whose own cognitive complexity reaches the limit, or that is long and branches a lot. Nested
functions are judged by themselves, and conditions inside markup do not count.

## Why it matters

Whoever edits one branch has to know what all the others assume. The more there are, the likelier an edit breaks one
that nobody looked at.

## What to do

Give the heaviest branch a function of its own, with a name that says what it decides. Leave early instead of nesting.

## What it accepts

- A long literal, a table or a tree of markup: lines of data are not lines of logic.
- A flat `match` or `switch`: arms count only when something branches inside them.
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
    max_cognitive: int = option(25, "Report a function from this cognitive complexity on.")
    severe_cognitive: int = option(50, "From here on the severity is high.")
    max_lines: int = option(80, "Report a function from this many logic lines on, when it also branches.")
    min_cyclomatic: int = option(10, "How much a long function has to branch to be reported.")


def _severity(function: Function, lines: int, options: Options) -> Severity:
    if function.cognitive_own >= options.severe_cognitive:
        return Severity.HIGH
    half_over = 3 * options.max_cognitive <= 2 * function.cognitive_own
    return Severity.MEDIUM if half_over or 3 * options.max_lines <= 2 * lines else Severity.LOW


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE:
            continue
        for function in file.facts.functions:
            lines = function.logic_lines - function.literal_lines
            branching = function.cyclomatic - function.cases
            complex_ = function.cognitive_own >= options.max_cognitive
            long = lines >= options.max_lines and branching >= options.min_cyclomatic
            if not complex_ and not long:
                continue
            facts = (complex_, lines >= options.max_lines, branching >= options.min_cyclomatic)
            heaviest = tuple(f"{b.keyword} at line {b.line}: {b.cost}" for b in function.branches)
            name = function.qualname if function.is_anonymous else function.name
            where = "".join(
                f", most of it in the `{b.keyword}` at line {b.line}" for b in function.branches[:1]
            )
            yield Finding(
                at_function(file, function),
                _severity(function, lines, options),
                f"`{name}` has cognitive complexity {function.cognitive_own} in {lines} logic lines{where}. "
                "An edit to one path has to hold for all the others. Move the heaviest branch into a function of its own.",
                signals=(
                    Signal(
                        "god_function",
                        Category.SYNTAX,
                        88 if all(facts) else 80,
                        "complexity, length and branching agree"
                        if all(facts)
                        else "measured on the syntax tree",
                    ),
                ),
                evidence={
                    "cognitive_complexity": Measure(function.cognitive_own, options.max_cognitive),
                    "cognitive_with_nested_functions": Measure(function.cognitive),
                    "cyclomatic_complexity": Measure(function.cyclomatic, options.min_cyclomatic),
                    "logic_lines": Measure(lines, options.max_lines),
                    "nesting": Measure(function.nesting),
                    "heaviest_branches": Measure(heaviest),
                },
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
    examples=(
        Example("deep decisions in Python", {"router.py": _PYTHON}, ("router.py:2",)),
        Example(
            "conditions without a single structure",
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
