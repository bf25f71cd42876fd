"""A function is too tangled to hold in your head.

It measures cognitive complexity and discounts code that reads straight through, so length or many flat cases alone do not count. Anonymous functions
count toward the enclosing one; an anonymous function that holds most of the complexity is reported itself. `crimes explain ID` lists the
discounts with their numbers.

The severity is medium if the function had one of these in the past three years:

- two fixes among at least five commits, at a complexity of 160 or more;
- eight fixes, at any complexity.

A fix is a commit whose subject says so.

Otherwise it is low. It is also low if a comment tells a linter to accept the complexity: somebody decided to keep it.
It is never high: a tangled function is work to plan, not a reason to block a merge. In a repository with less than a year of history
the complexity alone decides, and the severity is medium at 160 or more.

A function that hardly ever changes has low confidence, and is shown only with `--verbose`. To be shown without it, a function over a year old must have changed
(not only in comments and white space) in the past two years, and must have had one of these in the past three:

- two fixes among at least four commits, or one fix among at least eight, at a complexity of 60 or more;
- three fixes, if it is reported for its length (a complexity of 50 or more in 120 lines or more).

A newer function, or one in a newer file, needs a complexity of 80 or more, or the same fixes. Any function is shown if a comment in it or right above it calls it
too complex or unfinished, such as `TODO` or a linter's `too-many-branches`, and five commits changed it in those three years.
Commits in the last 30 days, by bots, or to more than 30 files do not count; such large commits usually import, move or reformat code.

## Why it matters

When branches depend on each other, an edit to one can break another that nobody checked.

## What to do

Split it into smaller functions, each named for what it does. Return early instead of nesting.

## Before

```python
def price(order, user):  # shortened: what is reported is far more complex
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

## What it does not report

- Flat dispatch: `switch`, `match`, and chains of `else if` whose conditions name the same thing. The whole chain counts as one
  branch and adds no nesting. A case with a complexity of at most 5 adds nothing. Four or more consecutive `if`s that test the same thing
  add no nesting either.
- Guards: an `if` without `else` that contains no further decision and exits, such as `if err != nil { return err }`, the checks at the top of a
  function, or `continue` in a loop.
- Small steps: four or more consecutive branches that each do one small thing (a complexity of up to 2), as in emitters and visitors.
- Simple ternaries: a `?:` that only chooses between two values.
- Nested functions with a name: they are read on their own, without the nesting around them. Four or more of them are a module
  inside a function, and each is judged alone.
- Flat functions: nested less than four deep, or two thirds of the complexity discounted, or fewer than 20 points of complexity per 100 lines of code, literals not counted.
- Conditions inside markup, and functions that are mostly data. Limits on lines do not count parameters or literals.
- `main`: start-up, which runs once and in order.
- Tests, scripts, examples, generated, minified and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from crimes.api import (
    ANY,
    FUNCTION_EDITS,
    HISTORY,
    TOTALS,
    Branch,
    Category,
    Commit,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    Finding,
    Function,
    FunctionEdits,
    FunctionPast,
    History,
    Measure,
    Pass,
    Role,
    Severity,
    Signal,
    Tangle,
    admitted_in_a_comment,
    at_function,
    count,
    edit_period,
    function_subject,
    option,
    quotable_subject,
    regex,
)

_MAX_LISTED_FIXES, _MAX_SUBJECT_CHARS = 5, 60
# Of three years. Readers called a tangle that two or three commits changed stable, however large it was.
_MIN_FIXES, _MIN_EDITS = 2, 4
_MIN_MEDIUM_EDITS = 5  # of a very large one with two fixes
_MIN_ADMITTED_EDITS = 5  # of one that a comment calls too complex
_MIN_SEVERAL_FIXES = 3  # bring back one that is reported for its length, and confirm any
_MIN_OFTEN_EDITS = 8  # with one fix among them
_QUIET_VALUE = 45  # under 50 a finding is hidden
_MIN_HISTORY = timedelta(days=365)
_RECENT = timedelta(days=730)
_MIN_NAMED_PERCENT, _MAX_NAMED_PERCENT = 20, 70
# Mostly straight: less than a third of the complexity is left, or less than 1 for five lines outside literals.
_MAX_TIMES_PUBLISHED, _MAX_TIMES_LINES = 3, 5
_MAX_TIMES_LONG_LINES = 3  # a long function with little complexity has at least 1 for three such lines
_MAX_COMPLEXITY_OF_A_LINE = 5  # more is minified code
_CASES = frozenset({"case", "default", "when", "in", "arm"})
_ENTRY_NAMES = frozenset({"main", "Main"})
# How linters are told to accept a function as it is.
_WAIVED = regex(
    r"(nolint|noqa|disable|allow|ignore|suppress|nosonar)\b.{0,120}(C901|PLR09|gocyclo|gocognit|cyclop\b|funlen|nestif|complex|too[-_ ]many|max-(statements|depth|lines)"
    r"|metrics/|S3776|NPath)",
    re.IGNORECASE,
)
_WAIVED_NOTE = "a comment tells a linter to accept its complexity: lowered one step"
_REPORTED_APART = "nested functions reported on their own"


@dataclass(frozen=True)
class Options:
    max_cognitive: int = option(
        60,
        "Report a function with at least this cognitive complexity after the discounts; one with less than 30 before them is never reported.",
    )
    long_cognitive: int = option(50, "Report a long function with at least this cognitive complexity.")
    long_lines: int = option(
        120, "A function with at least this many lines is long, without its signature and literals."
    )
    medium_cognitive: int = option(
        160,
        "At this cognitive complexity or more, two fixes in three years make the severity medium.",
    )
    medium_fixes: int = option(
        8,
        "At any complexity, this many fixes in three years make the severity medium.",
    )
    new_cognitive: int = option(
        80,
        "A function that is younger than a year is reported from this cognitive complexity on, without any fixes.",
    )
    min_nesting: int = option(
        4,
        "A function with fewer levels of nesting is flat, and not reported.",
    )


@dataclass(frozen=True)
class _Knot:
    """A function that is tangled, without the nested functions that are reported on their own."""

    function: Function
    tangle: Tangle
    left: int  # complexity that counts
    arms: tuple[Branch, ...]

    def is_flat(self, options: Options) -> bool:
        """Whether it nests little, or mostly reads in a straight line."""
        left, tangle = self.left, self.tangle
        is_straight = _MAX_TIMES_PUBLISHED * left < tangle.published or _MAX_TIMES_LINES * left < tangle.lines
        return is_straight or tangle.nesting < options.min_nesting


def _is_reported(knot: _Knot, options: Options) -> bool:
    lines = knot.tangle.lines
    if knot.left > _MAX_COMPLEXITY_OF_A_LINE * lines:
        return False
    if knot.is_flat(options):
        return False
    is_long = options.long_lines <= lines <= _MAX_TIMES_LONG_LINES * knot.left
    return knot.left >= options.max_cognitive or (is_long and knot.left >= options.long_cognitive)


def _knots(functions: tuple[Function, ...], options: Options) -> list[_Knot]:
    """The tangled functions of a file. Inner ones come first, and do not count for the functions around them."""
    knots: list[_Knot] = []
    taken: dict[int, int] = {}  # index of a function -> complexity of what is reported inside it
    for index in range(len(functions) - 1, -1, -1):
        function = functions[index]
        tangle = function.tangle
        if tangle is None or function.in_test or function.name in _ENTRY_NAMES:
            continue
        inside = [knot.function for knot in knots if function.start <= knot.function.start <= function.end]
        arms = tuple(
            arm for arm in tangle.arms if not any(inner.start <= arm.line <= inner.end for inner in inside)
        )
        knot = _Knot(function, tangle, max(tangle.cost - taken.get(index, 0), 0), arms)
        reported = _is_reported(knot, options) and not _is_declarative(function)
        if reported:
            knots.append(knot)
        share = tangle.share_of_outer if reported else min(taken.get(index, 0), tangle.share_of_outer)
        taken[function.parent] = taken.get(function.parent, 0) + share
    return knots[::-1]


def _is_declarative(function: Function) -> bool:
    """Whether it is mostly data, with conditions that only choose between values."""
    return function.nesting <= 1 and 2 * function.literal_lines >= function.logic_lines


def _complexity_limit(knot: _Knot, options: Options) -> int:
    """The complexity from which this function is reported: a long one is earlier."""
    is_by_length = knot.left < options.max_cognitive
    return options.long_cognitive if is_by_length else options.max_cognitive


def _severity(knot: _Knot, past: FunctionPast | None, options: Options) -> Severity:
    """Medium if fixes keep changing the function, the fewer the larger it is; by complexity alone where that is unknown.

    Never high: readers called every tangle work to plan, however large it was.
    """
    is_large = knot.left >= options.medium_cognitive
    if past is None:
        return Severity.MEDIUM if is_large else Severity.LOW
    is_large_and_repaired = (
        is_large and len(past.fixes) >= _MIN_FIXES and len(past.edits) >= _MIN_MEDIUM_EDITS
    )
    is_medium = is_large_and_repaired or len(past.fixes) >= options.medium_fixes
    return Severity.MEDIUM if is_medium else Severity.LOW


def _index(file: File, knot: _Knot) -> int:
    return file.facts.functions.index(knot.function)


_Knots = Sequence[tuple[File, Sequence[_Knot]]]


class _Past:
    """The edits of each function, where the history is long enough to tell."""

    def __init__(self, history: History | None, edits: FunctionEdits | None, knots: _Knots) -> None:
        self._history = history if history and _is_long(history) else None
        self._edits = (
            edits.of({file.path: [_index(file, knot) for knot in found] for file, found in knots})
            if edits and self._history
            else None
        )

    def of(self, file: File, knot: _Knot) -> FunctionPast | None:
        """The edits of a function in three years; None where the repository is younger than one."""
        if self._edits is None or self._history is None or file.path not in self._history.files:
            return None
        past = self._edits.get(file.path)
        return past.functions.get(_index(file, knot)) if past else None

    def reason_to_hide(self, file: File, knot: _Knot, options: Options) -> str:
        """Why a tangle did no harm lately: nobody changed it, or hardly anybody had to repair it. Empty otherwise."""
        past = self.of(file, knot)
        if past is None or self._history is None:
            return ""
        is_young = self._is_young(file) or self._is_recent(past.written)
        if is_young and knot.left >= options.new_cognitive:
            return ""
        if not is_young and not any(
            edit.when >= self._history.reference_time - _RECENT for edit in past.edits
        ):
            return f"its behaviour has not changed in the two years before {self.until}"
        fixes, edits = len(past.fixes), len(past.edits)
        if knot.left < options.max_cognitive:
            is_repaired = fixes >= _MIN_SEVERAL_FIXES
        else:
            is_often = fixes >= 1 and edits >= _MIN_OFTEN_EDITS
            is_repaired = is_often or (fixes >= _MIN_FIXES and edits >= _MIN_EDITS)
        if is_repaired:
            return ""
        if is_young:
            return f"its complexity is less than {options.new_cognitive}, and it is new"
        number = (
            f"only {count(edits, 'commit')}, {count(fixes, 'fix', 'fixes')} among them,"
            if fixes
            else "no fix"
        )
        return f"{number} changed it {self.period}"

    def _is_young(self, file: File) -> bool:
        """Whether an ordinary commit added the file in the past year: not an import of many files."""
        past = self._edits.get(file.path) if self._edits else None
        return past is not None and self._is_recent(past.created)

    def _is_recent(self, when: datetime | None) -> bool:
        """Whether something was written in the past year."""
        if when is None or self._history is None:
            return False
        return self._history.reference_time - when < _MIN_HISTORY

    @property
    def period(self) -> str:
        return edit_period(self._history) if self._history else ""

    @property
    def until(self) -> str:
        return str(self._history.reference_time.date()) if self._history else ""


def _is_long(history: History) -> bool:
    first = history.first_commit
    return not history.limited and first is not None and history.reference_time - first >= _MIN_HISTORY


def _named_arm(knot: _Knot) -> Branch | None:
    """The heaviest arm, if it holds a fair share of the complexity and is not nearly the whole function."""
    fair = (
        arm
        for arm in knot.arms
        if _MIN_NAMED_PERCENT * knot.left <= 100 * arm.cost <= _MAX_NAMED_PERCENT * knot.left
    )
    return next(fair, None)


def _arm_text(arm: Branch) -> str:
    if arm.keyword == "arm":
        return f"the arm at line {arm.line}"  # of a match, a switch or a `when`: it begins with a pattern, not with a word
    if arm.is_function and arm.keyword != "closure":
        return f"`{arm.keyword}` at line {arm.line}"
    word = arm.keyword if arm.is_function else f"`{arm.keyword}`"
    return f"the {word} at line {arm.line}"


def _discounts(knot: _Knot) -> list[tuple[str, int, int]]:
    """What does not count, most first: the reason, the complexity, and the number of places."""
    discounts = [(discount.reason, discount.cost, discount.places) for discount in knot.tangle.discounts]
    apart = knot.tangle.cost - knot.left
    if apart:
        discounts.append((_REPORTED_APART, apart, 0))
    return sorted(discounts, key=lambda discount: (-discount[1], discount[0]))


def _fact(file: File, knot: _Knot, past: FunctionPast | None, period: str) -> str:
    """The complexity that counts, the length, the nesting, and what changed it; the rest is in the evidence."""
    tangle = knot.tangle
    name = function_subject(file.facts.functions, knot.function)
    size = f"{name} has a cognitive complexity of {knot.left} in {count(tangle.code_lines, 'line')} of code, nested {tangle.nesting} deep"
    if past is None or not past.edits:
        return f"{size}."
    return f"{size}; {_edits_text(past)} {period}."


def _edits_text(past: FunctionPast) -> str:
    """How many commits changed a function, and how many of them were fixes."""
    edits, fixes = len(past.edits), len(past.fixes)
    if fixes == edits:
        return f"changed by {count(fixes, 'fix', 'fixes')}"
    of_them = f", {fixes} of them {'a fix' if fixes == 1 else 'fixes'}," if fixes else ""
    return f"changed by {count(edits, 'commit')}{of_them}"


def _fix(knot: _Knot) -> str:
    """Advice that names the heaviest arm; empty if none is worth moving."""
    arm = _named_arm(knot)
    if arm is None:
        return ""
    share = f"it holds {arm.cost} of the {knot.left} points of complexity"
    if arm.is_function:
        return f"Move {_arm_text(arm)} out of the function, and pass it what it needs: {share}."
    body = "the body of " if arm.keyword in _CASES else ""
    return f"Extract {body}{_arm_text(arm)} into a function of its own: {share}."


def _signals(
    knot: _Knot, past: FunctionPast | None, reason_to_hide: str, period: str, options: Options
) -> Iterator[Signal]:
    """The measures, and the fixes that changed the function."""
    if reason_to_hide:
        yield Signal(
            "quiet", Category.SYNTAX, _QUIET_VALUE, f"complex and deeply nested, but {reason_to_hide}"
        )
        return
    all_agree = knot.tangle.lines >= options.long_lines
    if all_agree:
        yield Signal("tangled and long", Category.SYNTAX, 88, "complex, deeply nested and long")
    else:
        yield Signal("tangled", Category.SYNTAX, 80, "complex and deeply nested")
    if past and len(past.fixes) >= _MIN_SEVERAL_FIXES:
        yield Signal("fixes", Category.HISTORY, 75, f"{len(past.fixes)} fixes changed it {period}")


def _edit_evidence(past: FunctionPast | None, options: Options) -> dict[str, Measure]:
    if past is None:
        return {}
    latest = [
        (fix.sha[:7], quotable_subject(fix.subject, _MAX_SUBJECT_CHARS))
        for fix in past.fixes[:_MAX_LISTED_FIXES]
    ]
    return {
        "edits_3y": Measure(len(past.edits)),
        "fixes_3y": Measure(len(past.fixes)),
        "latest_fixes": Measure(
            tuple(f"{sha} {subject}" for sha, subject in latest),
            items=tuple({"sha": sha, "subject": subject} for sha, subject in latest),
        ),
    }


def _evidence(knot: _Knot, past: FunctionPast | None, options: Options) -> dict[str, Measure]:
    tangle, discounts = knot.tangle, _discounts(knot)
    arms = knot.arms if _named_arm(knot) is not None else ()
    return {
        "complexity_before_discounts": Measure(tangle.published),
        "discounts": Measure(
            tuple(f"{reason}: {cost}" for reason, cost, _ in discounts),
            items=tuple(
                {"reason": reason, "cost": cost, "places": places} for reason, cost, places in discounts
            ),
        ),
        "complexity_after_discounts": Measure(knot.left, _complexity_limit(knot, options)),
        "nesting": Measure(tangle.nesting, options.min_nesting),
        "lines_of_code": Measure(tangle.code_lines),
        "lines_without_literals": Measure(tangle.lines, options.long_lines),
        "heaviest_branches": Measure(
            tuple(f"{arm.keyword} at line {arm.line}: {arm.cost}" for arm in arms),
            items=tuple({"keyword": arm.keyword, "line": arm.line, "cost": arm.cost} for arm in arms),
        ),
        **_edit_evidence(past, options),
    }


def _is_waived(file: File, function: Function) -> bool:
    """Whether a comment in its first lines or right above it tells a linter to accept its complexity."""
    start = function.start
    near = (
        comment for comment in file.facts.comments if start - 3 <= comment.end and comment.line <= start + 2
    )
    return any(_WAIVED.search(comment.text) for comment in near)


def detect(scan: Pass, options: Options) -> Iterator[Finding | Excused]:
    least = min(options.max_cognitive, options.long_cognitive)
    files = [scan.repo.files[path] for path, totals in scan[TOTALS].items() if totals.most_tangled >= least]
    knots = [(file, _knots(file.facts.functions, options)) for file in files if file.role is Role.SOURCE]
    pasts = _Past(scan.get(HISTORY), scan.get(FUNCTION_EDITS), knots)
    for file, found in knots:
        for function in file.facts.functions:
            if function.tangle and function.tangle.cost >= least and _is_declarative(function):
                yield Excused(at_function(file, function), "its body is mostly data: a literal or markup")
        for knot in found:
            past, hiding = pasts.of(file, knot), pasts.reason_to_hide(file, knot, options)
            severity, notes = _severity(knot, past, options), tuple[str, ...]()
            if severity is not Severity.LOW and _is_waived(file, knot.function):
                severity, notes = Severity.LOW, (_WAIVED_NOTE,)
            yield Finding(
                at_function(file, knot.function),
                severity,
                _fact(file, knot, past, pasts.period),
                signals=tuple(_signals(knot, past, hiding, pasts.period, options)),
                evidence=_evidence(knot, past, options),
                notes=notes,
                fix=_fix(knot),
            )


_PYTHON = """
def route(request, rules, user):
    for rule in rules:
        if rule.active:
            for step in rule.steps:
                if step.kind == "allow" and user or step.open:
                    if step.until and step.until < request.time:
                        rule.expired = step
                    elif step.once:
                        rule.used = step
                        if user.admin and rule.strict:
                            rule.admin = step
                    else:
                        while step.parent:
                            if step.parent.blocked:
                                rule.blocked = step
                                for guest in step.parent.guests:
                                    if guest.active or guest.invited and user:
                                        rule.guests.add(guest)
                                    else:
                                        rule.waiting.add(guest)
                            step = step.parent
                elif step.kind == "deny":
                    if not rule.strict:
                        rule.denied = step
    return rules
"""

_TYPESCRIPT = """
export function route(request: Request, rules: Rule[]): Rule[] {
  for (const rule of rules) {
    if (rule.active) {
      for (let step of rule.steps) {
        if (step.kind === "allow" && request.user || step.open) {
          if (step.until && step.until < request.time) {
            rule.expired = step;
          } else if (step.once) {
            rule.used = step;
            if (request.user.admin && rule.strict) {
              rule.admin = step;
            }
          } else {
            while (step.parent) {
              if (step.parent.blocked) {
                rule.blocked = step;
                step.parent.guests.forEach((guest) => {
                  if (guest.active || guest.invited && request.user) {
                    rule.guests.add(guest);
                  } else {
                    rule.waiting.add(guest);
                  }
                });
              }
              step = step.parent;
            }
          }
        } else if (step.kind === "deny") {
          if (!rule.strict) {
            rule.denied = step;
            if (step.parent || request.user) {
              rule.appeals.add(step);
            }
          }
        }
      }
    }
  }
  return rules;
}
"""

_GO_GUARD = "\tif err := load(%d); err != nil {\n\t\treturn err\n\t}\n"
_INNER = "".join(f"    {line}\n" for line in _PYTHON.strip().splitlines())

_LINES = (
    "rule.used = step",
    "rule.blocked = step",
    "rule.denied = step",
    "rule.admin = step",
    "rule.expired = step",
)


def _versions() -> list[str]:
    """`_PYTHON` with all these lines wrong, then with one after the other repaired."""
    versions = [_PYTHON]
    for line in _LINES:
        versions.insert(0, versions[0].replace(line, line.replace("step", "None")))
    return versions


def _repairs(change: Callable[[str], str] = str) -> tuple[Commit, ...]:
    """A commit that adds the function, and five that repair a line of it each."""
    return tuple(
        Commit(
            f"Fix the rule, part {number}" if number else "Add routes",
            {"router.py": change(text)},
            days_ago=200 - 10 * number if number else 730,
        )
        for number, text in enumerate(_versions())
    )


# What a comment has to say to settle a finding in doubt.
# Words, and the names by which linters are told to let a function be.
_ADMITTED = (
    r"C901|PLR09|too[- ]complex|complexity|too[-_ ]many[-_ ](branches|statements|lines|locals)|refactor|simplif|convoluted|spaghetti|unwieldy"
    r"|(?<![\w/.-])(todo|fixme|hack|xxx(?=\s*+(?:[:!(]|$)))(?!\w|[/.-]\w)|gocyclo|gocognit|cyclop\b|funlen|nestif|disable[- :].{0,80}metrics/|max-(statements|depth|lines)|S3776|NPath"
)

_admitted = admitted_in_a_comment(_ADMITTED)


def _admitted_and_alive(scan: Pass, finding: Finding) -> Iterable[Signal]:
    """A comment that admits it, in a function that people still change: readers called an old remark in untouched code noise."""
    edits = finding.evidence.get("edits_3y")
    if isinstance(edits, Measure) and isinstance(edits.value, int) and edits.value < _MIN_ADMITTED_EDITS:
        return ()
    return _admitted(scan, finding)


DETECTOR = Detector(
    id="god_function",
    title="Function too tangled to hold in your head",
    category="structure",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    wants=(HISTORY, FUNCTION_EDITS),
    needs=(TOTALS,),
    deferred=(_admitted_and_alive,),
    examples=(
        Example("deep decisions in Python", {"router.py": _PYTHON}, ("router.py:2",)),
        Example(
            "a function that was fixed again and again",
            {"router.py": _PYTHON},
            ("router.py:2",),
            options={"medium_cognitive": 60},
            history=_repairs(),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent on a function that was hardly changed: two commits in three years, one of them a fix",
            {"notes.txt": "done"},
            history=(
                Commit("Add routes", {"router.py": _versions()[-2]}, days_ago=900),
                Commit("Fix the rule", {"router.py": _versions()[-1]}, days_ago=200),
            ),
        ),
        Example(
            "low where a comment tells a linter to accept it, however often it was fixed",
            {"notes.txt": "done"},
            ("router.py:2",),
            options={"medium_cognitive": 60},
            history=_repairs(lambda text: text.replace("user):\n", "user):  # noqa: C901\n", 1)),
            severity=Severity.LOW,
        ),
        Example(
            "silent on the entry point",
            {"notes.txt": "done"},
            history=_repairs(lambda text: text.replace("def route(", "def main(")),
        ),
        Example(
            "silent in a new file, unless it is very complex",
            {"notes.txt": "done"},
            history=(
                Commit("Add notes", {"notes.txt": "begun"}, days_ago=900),
                Commit("Add routes", {"router.py": _PYTHON}, days_ago=100),
            ),
        ),
        Example(
            "silent on an old remark in a function that hardly anybody changed in three years",
            {"notes.txt": "done"},
            history=(
                Commit("Add routes", {"router.py": f"# TODO: simplify\n{_PYTHON}"}, days_ago=900),
                Commit("Reword", {"router.py": f"# TODO: simplify this\n{_PYTHON}"}, days_ago=500),
                Commit("Add notes", {"notes.txt": "begun"}, days_ago=200),
            ),
        ),
        Example(
            "deep decisions in TypeScript, part of them in a closure",
            {"src/router.ts": _TYPESCRIPT},
            ("src/router.ts:2",),
        ),
        Example(
            "the nested function that is the tangle, not the function around it",
            {
                "router.py": f"def router(config):\n    if config.strict:\n        config.lock()\n{_INNER}    return route\n"
            },
            ("router.py:4",),
        ),
        Example(
            "silent on a flat match with many arms",
            {
                "codes.py": "def name(code):\n    match code:\n"
                + "".join(
                    f"        case {n}:\n            if code.long:\n                return 'code {n}'\n            else:\n"
                    f"                return '{n}'\n"
                    for n in range(60)
                )
            },
        ),
        Example(
            "silent on a chain of else-if on one subject",
            {
                "src/keys.ts": "export function press(view: View, key: string) {\n  if (key === 'a') {\n    view.a();\n  }"
                + "".join(
                    f" else if (key === 'k{n}') {{\n    if (view.open) {{\n      view.close({n});\n    }}\n  }}"
                    for n in range(40)
                )
                + "\n}\n"
            },
        ),
        Example(
            "silent on a ladder of error checks in Go",
            {
                "go.mod": "module a.b/c\n\ngo 1.22\n",
                "load.go": "package load\n\nfunc All(keys []int) error {\n\tfor range keys {\n"
                + "".join(_GO_GUARD % n for n in range(70))
                + "\t}\n\treturn nil\n}\n",
            },
        ),
        Example(
            "silent on a list of checks that raise",
            {
                "order.py": "def check(order):\n"
                + "".join(
                    f"    if order.f{n} is None or order.f{n} < {n}:\n        raise ValueError('field {n}')\n"
                    for n in range(40)
                )
            },
        ),
        Example(
            "silent on an emitter: many branches that each write one thing",
            {
                "page.py": "def write(out, page):\n    for part in page:\n"
                + "".join(
                    f"        if part.has_{n}:\n            out.write(part.text_{n})\n" for n in range(40)
                )
            },
        ),
        Example(
            "silent on a visitor: each kind of node does a little",
            {
                "visit.py": "def visit(node, out):\n"
                + "".join(
                    f"    if isinstance(node, Node{n}):\n        for child in node.children:\n            if child:\n"
                    "                out.add(child)\n"
                    for n in range(14)
                )
            },
        ),
        Example(
            "silent on values that are chosen",
            {
                "src/label.ts": "export function label(items: Item[]) {\n  for (const item of items) {\n"
                + "".join(f"    item.l{n} = item.a{n} ? item.b{n} : item.c{n};\n" for n in range(40))
                + "  }\n}\n"
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
                    for n in range(70)
                )
            },
        ),
        Example(
            "silent on a table of registrations",
            {
                "src/events.ts": "export function listen(app: App) {\n"
                + "".join(
                    f"  if (app.f{n}) {{\n    app.on(\n      app.f{n},\n      app.g{n},\n    );\n  }}\n"
                    for n in range(70)
                )
                + "}\n"
            },
        ),
        Example(
            "silent on a signature full of documentation",
            {
                "query.py": "def query(\n"
                + "".join(f"    p{n}: str = option(help='the parameter {n}'),\n" for n in range(150))
                + "):\n"
                + "".join(f"{'    ' * n}if p{n}:\n{'    ' * (n + 1)}p{n}()\n" for n in range(1, 11))
            },
        ),
        Example("silent in a test", {"tests/test_router.py": _PYTHON}),
        Example(
            "silent on a module inside a function",
            {
                "hooks.py": "def hooks():\n"
                + "".join(
                    f"    def hook_{n}(x):\n        for y in x:\n            if y:\n                return y\n"
                    for n in range(30)
                )
                + "    return locals()\n"
            },
        ),
    ),
)
