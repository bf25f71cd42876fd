"""The same logic is duplicated in two or more places, apart from names and literals.

Blocks of lines are found by their shape, then compared token by token: keywords and operators have to be the same, and a name
has to be renamed to the same other name throughout.

## Why it matters

A fix to one copy leaves the bug in the others, and nothing in the code says that they exist.

## What to do

Extract a shared function and pass the differences as parameters. If the copies have to stay, name the other one in a
comment at each of them.

## Before

```python
# sales.py
def total_sales(rows, limit):
    total = 0
    for row in rows:
        if row.kind == "sale":
            total += row.price * (1 - row.discount)
    return min(total, limit)

# refunds.py
def total_refunds(rows, limit):
    total = 0
    for row in rows:
        if row.kind == "refund":
            total += row.price * (1 - row.discount)
    return min(total, limit)
```

## After

```python
# totals.py
def total_of(kind, rows, limit):
    total = 0
    for row in rows:
        if row.kind == kind:
            total += row.price * (1 - row.discount)
    return min(total, limit)

# sales.py
total_sales = partial(total_of, "sale")

# refunds.py
total_refunds = partial(total_of, "refund")
```

## What it accepts

- Blocks of fewer than 12 lines after the parameter list or 90 tokens, and blocks without decisions: declarations, tables, markup.
- Lines that only look alike: most of their names differ, or one name corresponds to several.
- In Java, one routine for each primitive type: no type parameter can replace them.
- A tree that is duplicated on purpose: many files with the same names in two parallel folders.
- Versions and platforms kept side by side: paths that differ in a version number or in the name of a system only.
- Blocks within one function stay at low severity: whoever edits one sees the other.
- A comment at a copy that names the other file lowers the severity: whoever edits it is told.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from msgspec import Struct

from crimes.api import (
    ANY,
    CLONES,
    DECISION_KEYWORDS,
    HISTORY,
    TOKEN,
    Category,
    CloneClass,
    Copy,
    Detector,
    Effort,
    Example,
    Finding,
    History,
    Measure,
    Pass,
    Place,
    Related,
    Severity,
    Signal,
    code_lines,
    function_phrase,
    option,
    regex,
    same_names,
)

_BRACKET = regex(r"[()]")
_PRIMITIVES = frozenset(["boolean", "byte", "char", "short", "int", "long", "float", "double"])
_VERSION = regex(r"(?:(?<![a-z])v)?\d+")
_NAMED_VERSION = regex(r"(?<![a-z])v\d+")
_PATH_WORD = regex(r"[a-z]+|\d+|/")
_SYSTEMS = frozenset({
    "windows", "win", "linux", "unix", "posix", "darwin", "mac", "macos", "osx", "apple", "ios", "android",
    "freebsd", "openbsd", "netbsd", "bsd", "solaris", "wasm", "wasi", "arm",
})  # fmt: skip
_CALL_STYLES = frozenset({"async", "sync", "blocking", "suspend", "suspending"})
_PATH_PART = regex(r"[A-Za-z]\d[a-z]+|[A-Z]?[a-z]+\d*|[A-Z]+\d*(?![a-z])|\d+|/")
_MIN_MIRRORED_RUNS = 10  # from here on, two parallel folders are one tree kept twice
_MAX_REPRESENTATIVES = 8
_NEARLY_ALL_PERCENT = 80
_MAX_PAIRED_FILES = 10
_MAX_LISTED_RUNS = 5
_MAX_HEAD_LINES = 60


@dataclass(frozen=True)
class Options:
    min_lines: int = option(30, "Report a block with one duplicate from this many lines of code on.")
    min_lines_many: int = option(
        12, "Report a block with several duplicates from this many lines of code on."
    )
    min_tokens: int = option(90, "Report duplicated blocks of at least this many tokens.")
    min_decisions: int = option(2, "How many branches, loops or handlers a block has to contain.")
    min_same_names: int = option(
        60, "The smallest share of names that are the same in the copies, in percent."
    )


class CloneGroup(Struct, frozen=True):
    """Copies that are the same up to consistent renaming; `same` is the percentage of names that are equal."""

    copies: tuple[Copy, ...]
    lines: int
    tokens: int
    same: int

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted({copy.path for copy in self.copies}))


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    history = scan.get(HISTORY)
    texts: dict[str, list[str]] = {}
    least = min(options.min_lines, options.min_lines_many)
    classes = [clone for clone in scan[CLONES].classes if clone.lines >= least]
    mirrors = Counter(mirror for clone in classes if (mirror := _mirror(clone.copies)) is not None)
    by_files: dict[tuple[str, ...], list[CloneGroup]] = {}
    for clone in classes:
        mirror = _mirror(clone.copies)
        if mirror is None or mirrors[mirror] < _MIN_MIRRORED_RUNS:
            for group in _verified_groups(scan, clone, texts, options):
                by_files.setdefault(group.files, []).append(group)
    for runs in by_files.values():
        yield _report(scan, runs, history, options)


def _mirror(copies: tuple[Copy, ...]) -> tuple[str, str] | None:
    """For two copies in parallel folders: the parts of the paths before the common ending."""
    if len(copies) != 2:
        return None
    first, second = (copy.path.split("/") for copy in copies)
    tail = 0
    while tail < min(len(first), len(second)) and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return ("/".join(first[:-tail]), "/".join(second[:-tail])) if tail and first != second else None


def _verified_groups(
    scan: Pass, clone: CloneClass, texts: dict[str, list[str]], options: Options
) -> Iterator[CloneGroup]:
    """The copies of a clone class, in groups that agree token by token."""
    groups: list[tuple[list[str], list[Copy], list[int]]] = []
    for copy in clone.copies:
        tokens = _tokens(scan, copy, texts)
        per_primitive = scan.repo.files[copy.path].traits.one_per_primitive
        for first, copies, shares in groups[:_MAX_REPRESENTATIVES]:
            same = same_names(first, tokens)
            if same >= options.min_same_names and not (per_primitive and differ_in_primitive(first, tokens)):
                copies.append(copy)
                shares.append(same)
                break
        else:
            groups.append((tokens, [copy], []))
    for first, copies, shares in groups:
        if not shares or len(first) < options.min_tokens or are_variants([copy.path for copy in copies]):
            continue
        decisions = sum(token in DECISION_KEYWORDS for token in first)
        body = _body_lines(scan, copies[0], clone.lines, texts[copies[0].path])
        least = options.min_lines_many if len(copies) > 2 else options.min_lines
        if decisions >= options.min_decisions and body >= least:
            yield CloneGroup(tuple(copies), clone.lines, len(first), min(shares))


def differ_in_primitive(first: list[str], second: list[str]) -> bool:
    """Whether two runs work on different primitive types, or on arrays of which at least one is primitive."""
    return any(
        a != b and ({a, b} <= _PRIMITIVES or (after == "[" and not _PRIMITIVES.isdisjoint((a, b))))
        for a, b, after in zip(first, second, [*first[1:], ""], strict=True)
    )


def are_variants(paths: Sequence[str]) -> bool:
    """Whether several paths are the same apart from version numbers, names of systems, `async`, or one word that names the
    folder and the file alike: `guava/GuavaFactory` and `java8/Java8Factory` are parallel on purpose."""
    if len(set(paths)) < 2:
        return False
    if len({_without_variant(path) for path in paths}) == 1:
        return True
    first, *others = ([*map(str.lower, _PATH_PART.findall(path))] for path in paths)
    return all(_differs_in_a_repeated_word(first, other) for other in others)


def _differs_in_a_repeated_word(first: list[str], second: list[str]) -> bool:
    if len(first) != len(second):
        return False
    pairs = list(zip(first, second, strict=True))
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    name = pairs[len(first) - first[::-1].index("/") :] if "/" in first else pairs
    shared = [a for a, b in name[:-1] if a == b]  # the last word is the extension
    return bool(shared) and len(differing) > 1 and len(set(differing)) == 1


def _without_variant(path: str) -> tuple[str, ...]:
    """The words of a path, versions and systems left out: `rx2/await.kt` and `rx3/await.kt` have the same.

    A number in the name of a file is a version only after a `v`.
    """
    folder, _, name = path.lower().rpartition("/")
    for number in _VERSION.findall(folder):
        name = name.replace(number, "")  # a version of the folder is one in the name, too
    words = _PATH_WORD.findall(f"{_VERSION.sub('', folder)}/{_NAMED_VERSION.sub('', name)}")
    return tuple(word for word in words if word not in _SYSTEMS and word not in _CALL_STYLES)


def _body_lines(scan: Pass, copy: Copy, lines: int, text: list[str]) -> int:
    """How many of a run's lines of code follow the parameter list."""
    function = scan.repo.files[copy.path].facts.functions[copy.function]
    head = "\n".join(text[function.start - 1 : function.end][:_MAX_HEAD_LINES])
    name = re.search(rf"\b{re.escape(function.name)}\b[^(\n]*\(", head)
    depth, head_end = 1, len(head)
    for bracket in _BRACKET.finditer(head, name.end()) if name else ():
        depth += 1 if bracket[0] == "(" else -1
        if not depth:
            head_end = bracket.end()
            break
    last = function.start + head.count("\n", 0, head_end) if name else 0
    return lines - max(last - copy.start + 1, 0)


def _tokens(scan: Pass, copy: Copy, texts: dict[str, list[str]]) -> list[str]:
    if copy.path not in texts:
        lines = code_lines(scan.repo.files[copy.path].facts, scan.repo.read(copy.path))
        texts[copy.path] = lines
    return TOKEN.findall("\n".join(texts[copy.path][copy.start - 1 : copy.end]))


def _report(scan: Pass, runs: list[CloneGroup], history: History | None, options: Options) -> Finding:
    """One finding for all runs that the same files share, placed at the largest."""
    group, *further = runs
    first, *others = group.copies
    symbols = [_symbol(scan, copy) for copy in group.copies]
    is_one_function = len({(copy.path, copy.function) for copy in group.copies}) == 1
    severity = Severity.LOW if is_one_function else Severity.MEDIUM
    acknowledged = _is_acknowledged(scan, group)
    notes: tuple[str, ...] = ()
    if acknowledged:
        lowered = ": severity lowered one step" if severity is Severity.MEDIUM else ""
        severity, notes = Severity.LOW, (f"A comment at one copy names another{lowered}.",)
    return Finding(
        Place(first.path, first.start, first.end, symbols[0]),
        severity,
        f"{group.lines} lines of {_phrase(scan, first)} are duplicated in {_place_text(scan, group)}{_more_text(group, further)}.",
        signals=tuple(_signals(group, history)),
        evidence={
            "lines": Measure(group.lines, options.min_lines_many if others[1:] else options.min_lines),
            "tokens": Measure(group.tokens, options.min_tokens),
            "copies": Measure(len(group.copies)),
            "same_names_percent": Measure(group.same, options.min_same_names),
            "further_runs": Measure(len(further)),
        },
        related=(
            *(_related(scan, copy, "the same lines, apart from names") for copy in others),
            *(
                _related(scan, copy, f"another block of {run.lines} duplicated lines")
                for run in further[:_MAX_LISTED_RUNS]
                for copy in run.copies
            ),
        ),
        notes=notes,
        why="A fix to one copy leaves the bug in the others." if acknowledged else "",
    )


def _place_text(scan: Pass, group: CloneGroup) -> str:
    """Where the second copy is: a function of the same file, or another file."""
    first, second = group.copies[:2]
    if second.path != first.path:
        return f"{second.path} (line {second.start})"
    is_elsewhere = _symbol(scan, second) != _symbol(scan, first)
    return f"{_phrase(scan, second) if is_elsewhere else 'the same file'} (line {second.start})"


def _more_text(group: CloneGroup, further: list[CloneGroup]) -> str:
    """How many more copies there are, and how many more blocks the same files share."""
    places, blocks = len(group.copies) - 2, len(further)
    text = f", and in {places} more {'place' if places == 1 else 'places'}" if places else ""
    if blocks:
        where = "between these files" if len(group.files) > 1 else "in this file"
        text += f", with {blocks} more duplicated {'block' if blocks == 1 else 'blocks'} {where}"
    return text


def _related(scan: Pass, copy: Copy, note: str) -> Related:
    return Related(Place(copy.path, copy.start, copy.end, _symbol(scan, copy)), note)


def _symbol(scan: Pass, copy: Copy) -> str:
    return scan.repo.files[copy.path].facts.functions[copy.function].qualname


def _phrase(scan: Pass, copy: Copy) -> str:
    functions = scan.repo.files[copy.path].facts.functions
    return function_phrase(functions, functions[copy.function], qualified=True)


def _signals(group: CloneGroup, history: History | None) -> Iterator[Signal]:
    same = group.same
    reason = (
        "identical token by token"
        if same == 100
        else f"renamed consistently, with {same}% of the names the same"
    )
    yield Signal("cloned_logic", Category.SYNTAX, 88 if same >= _NEARLY_ALL_PERCENT else 80, reason)
    pairs = combinations(group.files[:_MAX_PAIRED_FILES], 2)
    together = max((history.together.get(pair, 0) for pair in pairs), default=0) if history else 0
    if history and together:
        date = history.reference_time.date()
        reason = f"its files changed together in {together} commits in the year before {date}"
        yield Signal("cloned_logic", Category.HISTORY, 75, reason)


def _is_acknowledged(scan: Pass, group: CloneGroup) -> bool:
    """Whether a comment in or right before a copy names the file or the function of another."""
    names = {copy: {copy.path.rpartition("/")[2], _own_name(scan, copy)} for copy in group.copies}
    owners = Counter(name for own in names.values() for name in own if len(name) > 4)
    for copy, own in names.items():
        facts = scan.repo.files[copy.path].facts
        start = facts.functions[copy.function].start - 5
        for comment in facts.comments:
            # Word by word: searching each comment for each of thousands of names takes too long.
            if start <= comment.line <= copy.end and any(
                owners[word] > (word in own) and word != _own_name(scan, copy)
                for word in _words(comment.text)
            ):
                return True
    return False


def _own_name(scan: Pass, copy: Copy) -> str:
    return _symbol(scan, copy).rpartition(".")[2]


def _words(text: str) -> set[str]:
    """Words that may name a file or a function: `rates.py`, `Cart.total` and its parts."""
    whole = {word.strip(".-") for word in re.findall(r"[\w$.-]+", text)}
    return whole | {part for word in whole for part in word.split(".")}


_COPIED = """
def total_{name}(rows, {name}, limit):
    total = 0
    for row in rows:
        if row.kind != "{name}":
            continue
        price = row.price * row.amount
        if row.discount and row.discount.active:
            price = price - price * row.discount.share
        for tax in row.taxes:
            if tax.applies({name}):
                price = price + price * tax.share
        total = total + price
        if total > limit:
            raise ValueError("too much: " + str(total))
    return total
"""
_PARAMETERS = (
    "def query_{name}(\n" + "".join(f"    p{n}: int{' | str' * (n % 8)},\n" for n in range(16)) + "):\n"
)
_PARAMETERS += "    if p1:\n        for p in p2:\n            p0.add(p, p3)\n"
_SCRIPT = """
export function total{name}(rows: Row[], {name}: Kind, limit: number) {{
  let total = 0;
  for (const row of rows) {{
    if (row.kind !== "{name}") {{
      continue;
    }}
    let price = row.price * row.amount;
    if (row.discount && row.discount.active) {{
      price = price - price * row.discount.share;
    }}
    for (const tax of row.taxes) {{
      if (tax.applies({name})) {{
        price = price + price * tax.share;
      }}
    }}
    total = total + price;
  }}
  return total;
}}
"""
_TABLE = "def table_{name}(rows):\n" + "".join(
    f"    rows.add_{n % 8}({{name}}={n}, low={n}.5, high=({n}, {n * 2}), kind=rows.{'x' * (n + 1)})\n"
    for n in range(16)
)

_SHIFT = """
    static void shift(final {kind}[] array, int start, int end, int offset) {{
        if (array == null || start >= array.length - 1 || end <= 0) {{
            return;
        }}
        int n = end - start;
        if (n <= 1) {{
            return;
        }}
        while (n > 1 && offset > 0) {{
            final int rest = n - offset;
            if (offset > rest) {{
                swap(array, start, start + n - rest, rest);
                n = offset;
                offset -= rest;
            }} else {{
                swap(array, start, start + rest, offset);
                n = rest;
            }}
        }}
    }}
"""

_NEXT = """
    public {kind} next{name}() throws IOException {{
        Token token = peek();
        if (token != Token.NUMBER && token != Token.STRING) {{
            throw new IllegalStateException("expected a number but was " + token);
        }}
        {kind} result = 0;
        int digits = 0;
        while (hasDigit() && digits < MAX_DIGITS) {{
            result = result * 10 + digit();
            digits++;
        }}
        if (digits == 0) {{
            throw new NumberFormatException("no digits at " + position());
        }}
        pop();
        if (stackSize > 0) {{
            pathIndices[stackSize - 1]++;
        }}
        return result;
    }}
"""


def _body(text: str) -> str:
    """The lines of a function after its head."""
    return "".join(f"{line}\n" for line in text.split("\n")[2:-1])


def _renamed(text: str) -> str:
    """The same lines with other names for nearly everything."""
    return re.sub(
        r"\b(row|rows|price|total|tax|taxes|discount|share|amount|active|applies|kind|limit)\b",
        r"\1_of",
        text,
    )


def _example(title: str, files: Mapping[str, str], finds: tuple[str, ...] = (), **fields: Any) -> Example:
    """An example whose blocks may be shorter than what is reported by default."""
    options = {"min_lines": 12, **fields.pop("options", {})}
    return Example(title, files, finds, options=options, **fields)


DETECTOR = Detector(
    id="cloned_logic",
    title="Duplicated logic",
    category="duplication",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    options=Options,
    effort=Effort.HOURS,
    detect=detect,
    needs=(CLONES,),
    wants=(HISTORY,),
    examples=(
        _example(
            "two copies in Python",
            {"sales.py": _COPIED.format(name="sale"), "refunds.py": _COPIED.format(name="refund")},
            ("refunds.py:2",),
            severity=Severity.MEDIUM,
        ),
        _example(
            "three copies in TypeScript",
            {f"src/{name}.ts": _SCRIPT.format(name=name) for name in ("gifts", "refunds", "sales")},
            ("src/gifts.ts:2",),
            severity=Severity.MEDIUM,
        ),
        _example(
            "three copies, one with a comment that names another",
            {
                "gifts.py": "# Keep in step with total_sale in sales.py\n" + _COPIED.format(name="gift"),
                "refunds.py": _COPIED.format(name="refund"),
                "sales.py": _COPIED.format(name="sale"),
            },
            ("gifts.py:3",),
            severity=Severity.LOW,
        ),
        _example(
            "silent when the lines only look alike",
            {"sales.py": _COPIED.format(name="sale"), "other.py": _renamed(_COPIED.format(name="refund"))},
        ),
        _example(
            "silent when another keyword decides",
            {
                "sales.py": _COPIED.format(name="sale"),
                "refunds.py": _COPIED.format(name="refund").replace("continue", "break"),
            },
        ),
        _example(
            "silent on a long list of parameters",
            {"a.py": _PARAMETERS.format(name="low"), "b.py": _PARAMETERS.format(name="high")},
        ),
        _example(
            "silent on declarations",
            {"a.py": _TABLE.format(name="low"), "b.py": _TABLE.format(name="high")},
        ),
        _example(
            "two copies in Java that differ in the type of an array",
            {
                "Arrays.java": f"class Arrays {{{_SHIFT.format(kind='String')}{_SHIFT.format(kind='Integer')}}}\n"
            },
            ("Arrays.java:2",),
        ),
        _example(
            "silent on one routine for each primitive type in Java",
            {"Arrays.java": f"class Arrays {{{_SHIFT.format(kind='long')}{_SHIFT.format(kind='Object')}}}\n"},
        ),
        _example(
            "silent on one reader for each primitive type in Java",
            {
                "Reader.java": f"class Reader {{{_NEXT.format(name='Int', kind='int')}{_NEXT.format(name='Long', kind='long')}}}\n"
            },
        ),
        _example(
            "silent on two versions kept side by side",
            {f"shop/api/{version}/sales.py": _COPIED.format(name="sale") for version in ("v1", "v2")},
        ),
        _example(
            "silent on two platforms kept side by side",
            {f"shop/sales_{system}.py": _COPIED.format(name="sale") for system in ("linux", "windows")},
        ),
        _example(
            "three blocks within one function",
            {"sales.py": "def total_all(rows, sale, limit):\n" + _body(_COPIED.format(name="sale")) * 3},
            ("sales.py:2",),
            severity=Severity.LOW,
        ),
        _example(
            "silent on a tree that is duplicated on purpose",
            {
                f"{tree}/part{n}.py": _COPIED.format(name="sale").replace("row", f"row{n}{'.x' * n}")
                for n in range(10)
                for tree in ("desktop", "mobile")
            },
        ),
        _example(
            "silent in tests",
            {
                "tests/test_a.py": _COPIED.format(name="sale"),
                "tests/test_b.py": _COPIED.format(name="refund"),
            },
        ),
    ),
)
