"""A fix changed one copy of some code, and another copy still has the lines it replaced.

Functions that look alike are compared with the fix commits of their files in the last three years. A finding needs proof: the new lines
of the fix are still in one function, and the old ones, with the lines around them, are in the other.

It is off by default: of ten findings judged blind, four were right and worth acting on; the others lack a fix that cannot apply to them, or have it in
a function they call. Turn it on to look for copies that a fix did not reach, and read each finding against the fix.

## Why it matters

The fault that was fixed in one copy is probably still in the other.

## What to do

Apply the fix to this copy too, or say in a comment why it does not apply. Then extract a shared function, so that the next
fix reaches both.

## Before

```python
# header.py, since "Fix quotes in values"
def header(name, values):
    check(name)
    text = ", ".join(quote(value) for value in values)
    return name + ": " + text

# trailer.py
def trailer(name, values):
    check(name)
    text = ", ".join(value for value in values)
    return name + ": " + text
```

## After

```python
# field.py
def field(name, values):
    check(name)
    text = ", ".join(quote(value) for value in values)
    return name + ": " + text

# header.py and trailer.py
from field import field
```

## What it does not report

- Copies that differ, but not by a fix: other commits give each copy what it needs.
- A fix that reached every copy, in one commit or in several.
- A fix that was reverted or rewritten since.
- A comment at the old lines, or right above them: it is taken as the reason why they stay.
- An edit that only renames variables, or only adds an argument to a call.
- Functions that only look alike: the old lines and those around them have to be the same up to names.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crimes.api import (
    ANY,
    DRIFTS,
    HISTORY,
    Category,
    Commit,
    Detector,
    Drift,
    Effort,
    Example,
    Excused,
    Finding,
    FunctionRef,
    History,
    Measure,
    Pass,
    Place,
    Related,
    Severity,
    Signal,
    count,
    cut_at_word,
    function_phrase,
    option,
    quotable_subject,
    states_reason,
)

MAX_SUBJECT_CHARS = 60
MAX_CODE_CHARS = 70
MAX_LISTED_LINES = 8


@dataclass(frozen=True)
class Options:
    min_similar: int = option(
        55, "The smallest share of lines that have the same shape in both functions, in percent."
    )
    high_days: int = option(
        365, "The severity is high when lines that a fix replaced at most this many days ago still stand."
    )


def detect(scan: Pass, options: Options) -> Iterator[Finding | Excused]:
    history = scan[HISTORY]
    parts: dict[tuple[str, FunctionRef], list[Drift]] = {}
    for drift in scan[DRIFTS]:
        if drift.similar_percent < options.min_similar:
            continue
        if states_reason(scan.repo.files[drift.lacking.path], drift.lacking_lines[0]):
            reason = f"a comment there may say why the fix {drift.fix.sha} of its copy does not apply"
            yield Excused(_place(scan, drift, lacking=True), reason)
        else:
            parts.setdefault((drift.fix.sha, drift.lacking), []).append(drift)
    by_fix: dict[tuple[str, str], list[list[Drift]]] = {}
    for drifts in parts.values():
        nearest = max(drifts, key=lambda drift: drift.similar_percent)
        own = [drift for drift in drifts if drift.fixed == nearest.fixed]
        by_fix.setdefault((nearest.fix.sha, nearest.fixed.path), []).append(own)
    for copies in by_fix.values():
        yield _report(scan, copies, history, options)


def _report(scan: Pass, copies: list[list[Drift]], history: History, options: Options) -> Finding:
    """One finding for all copies that lack the same fix, placed at the most similar one."""
    copies = sorted(
        copies, key=lambda drifts: (-drifts[0].similar_percent, drifts[0].lacking, drifts[0].lacking_lines)
    )
    drifts, *others = copies
    first = next((drift for drift in drifts if drift.removes), drifts[0])
    fix, is_replaced = first.fix, first.removes and first.adds
    is_recent = (history.reference_time - fix.when).days <= options.high_days
    subject = quotable_subject(fix.subject, MAX_SUBJECT_CHARS)
    return Finding(
        _place(scan, first, lacking=True),
        Severity.HIGH if is_replaced and (is_recent or others) else Severity.MEDIUM,
        f"{_subject(scan, first.lacking)} lacks the fix of {fix.when.date()} (“{subject}”) that {_copy_text(scan, first)} has: "
        f"{_difference_text(scan, first)}{_more_text(len(others))}.",
        signals=(
            Signal(
                "replaced lines" if is_replaced else "fix",
                Category.HISTORY,
                80 if is_replaced else 70,
                f"{fix.sha} changed these lines in the other copy",
            ),
            Signal(
                "near copy" if first.similar_percent >= 70 else "similar shape",
                Category.SYNTAX,
                85 if first.similar_percent >= 70 else 75,
                f"{first.similar_percent}% of the lines of both functions have the same shape",
            ),
        ),
        evidence={
            "similar_percent": Measure(first.similar_percent),
            "copies": Measure(len(copies)),
            "fix": Measure(
                f"{fix.sha} {fix.subject[:100]}",
                items=({"sha": fix.sha, "date": fix.when.date().isoformat(), "subject": fix.subject},),
            ),
            "differing_lines": _differing_lines(scan, drifts),
        },
        related=(
            Related(_place(scan, first, lacking=False), "the copy that has the fix"),
            *(
                Related(_place(scan, other[0], lacking=True), "another copy that lacks the fix")
                for other in others
            ),
        ),
        discriminator=fix.sha,
    )


def _place(scan: Pass, drift: Drift, *, lacking: bool) -> Place:
    function = drift.lacking if lacking else drift.fixed
    start, end = drift.lacking_lines if lacking else drift.fixed_lines
    return Place(function.path, start, end, _symbol(scan, function))


def _symbol(scan: Pass, function: FunctionRef) -> str:
    return scan.repo.files[function.path].facts.functions[function.function].qualname


def _phrase(scan: Pass, function: FunctionRef) -> str:
    functions = scan.repo.files[function.path].facts.functions
    return function_phrase(functions, functions[function.function], qualified=True)


def _subject(scan: Pass, function: FunctionRef) -> str:
    phrase = _phrase(scan, function)
    return phrase[0].upper() + phrase[1:]


def _copy_text(scan: Pass, drift: Drift) -> str:
    """The fixed copy: another function, named by its file where that is another one."""
    line = drift.fixed_lines[0]
    if drift.fixed.path == drift.lacking.path:
        return f"{_phrase(scan, drift.fixed)} (line {line})"
    return f"its copy in {drift.fixed.path} (line {line})"


def _difference_text(scan: Pass, drift: Drift) -> str:
    """What the copy has and should not have, or lacks."""
    line = drift.lacking_lines[0]
    if drift.removes:
        return f"line {line} still reads `{_first_code(scan, drift.lacking.path, drift.lacking_lines)}`"
    return f"`{_first_code(scan, drift.fixed.path, drift.fixed_lines)}` is missing before line {line}"


def _more_text(others: int) -> str:
    return (
        f", and {count(others, 'more copy', 'more copies')} {'lacks' if others == 1 else 'lack'} it"
        if others
        else ""
    )


def _first_code(scan: Pass, path: str, lines: tuple[int, int]) -> str:
    texts = _texts(scan, path, lines)
    return cut_at_word(texts[0][1].replace("`", "'"), MAX_CODE_CHARS) if texts else ""


def _texts(scan: Pass, path: str, lines: tuple[int, int]) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    text = scan.repo.read(path).decode("utf-8", "replace").split("\n")
    numbered = enumerate(text[lines[0] - 1 : lines[1]], lines[0])
    return [(number, line.strip()) for number, line in numbered if line.strip()][:MAX_LISTED_LINES]


def _differing_lines(scan: Pass, drifts: list[Drift]) -> Measure:
    """The lines before the fix in the one copy, and after it in the other."""
    sides = []
    for drift in drifts:
        if drift.removes:
            sides.append((drift.lacking.path, drift.lacking_lines))
        if drift.adds:
            sides.append((drift.fixed.path, drift.fixed_lines))
    rows = [(path, number, text) for path, lines in sides for number, text in _texts(scan, path, lines)]
    return Measure(
        tuple(f"{path}:{number} {text}" for path, number, text in rows),
        items=tuple({"file": path, "line": number, "has": text} for path, number, text in rows),
    )


_HEADER = """def write_{name}(out, {name}, limit):
    size = 0
    for key, values in {name}.items():
        if not values:
            continue
        text = ", ".join({quoted} for value in values)
        if len(text) > limit:
            raise ValueError("too long: " + key)
        out.write(key + ": " + text)
        size = size + len(text)
    if size > limit:
        raise ValueError("too long: {name}")
    out.write("end")
    return size
"""
_SCRIPT = """export function write{name}(out: Out, rows: Row[], limit: number): number {{
  let size = 0;
  for (const row of rows) {{
    if (!row.values) {{
      continue;
    }}
{guard}    const text = row.values.join(", ");
    out.write(row.key + ": " + text);
    size = size + text.length;
    if (size > limit) {{
      throw new Error("too long: {name}");
    }}
  }}
  out.end(size);
  return size;
}}
"""


def _header(name: str, quoted: str = "value") -> str:
    return _HEADER.format(name=name, quoted=quoted)


def _script(name: str, guard: str = "") -> str:
    return _SCRIPT.format(name=name, guard=guard)


def _history(
    *commits: tuple[str, dict[str, str]], names: tuple[str, ...] = ("header", "trailer")
) -> tuple[Commit, ...]:
    """Copies that are written at once, then commits of a subject and what they change."""
    return (
        Commit("Write fields", {f"{name}.py": _header(name) for name in names}, days_ago=200),
        *(
            Commit(subject, dict(files), days_ago=100 - 10 * number)
            for number, (subject, files) in enumerate(commits)
        ),
    )


_FIX = "Fix quotes in values"
_GUARD = '    if (row.key.includes("\\n")) {\n      throw new Error(row.key);\n    }\n'

DETECTOR = Detector(
    id="drifted_copy",
    title="Copy without the fix",
    category="duplication",
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.HIGH,
    default=False,
    effort=Effort.MINUTES,
    detect=detect,
    needs=(HISTORY, DRIFTS),
    options=Options,
    examples=(
        Example(
            "a fix that reached one of two copies",
            {"notes.txt": "done"},
            ("trailer.py:6",),
            history=_history((_FIX, {"header.py": _header("header", "quote(value)")})),
            severity=Severity.HIGH,
        ),
        Example(
            "a fix that reached two of four copies is one finding",
            {"notes.txt": "done"},
            ("cookie.py:6",),
            history=_history(
                (_FIX, {f"{name}.py": _header(name, "quote(value)") for name in ("header", "prefix")}),
                names=("cookie", "header", "prefix", "trailer"),
            ),
            severity=Severity.HIGH,
        ),
        Example(
            "an old fix of one of two copies",
            {"notes.txt": "done"},
            ("trailer.py:6",),
            history=(
                Commit(
                    "Write fields",
                    {f"{name}.py": _header(name) for name in ("header", "trailer")},
                    days_ago=800,
                ),
                Commit(_FIX, {"header.py": _header("header", "quote(value)")}, days_ago=700),
            ),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a newer copy made from before the fix",
            {"trailer.py": _header("trailer")},
            ("trailer.py:6",),
            history=(
                Commit("Write headers", {"header.py": _header("header")}, days_ago=90),
                Commit(_FIX, {"header.py": _header("header", "quote(value)")}, days_ago=60),
            ),
        ),
        Example(
            "a check in TypeScript that is missing in the other copy",
            {"notes.txt": "done"},
            ("src/trailer.ts:7",),
            history=(
                Commit(
                    "Write fields",
                    {"src/header.ts": _script("Header"), "src/trailer.ts": _script("Trailer")},
                    days_ago=90,
                ),
                Commit(
                    "fix: refuse line breaks in keys",
                    {"src/header.ts": _script("Header", _GUARD)},
                    days_ago=60,
                ),
            ),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent on copies that never were fixed apart",
            {"notes.txt": "done"},
            history=_history(("Quote values in headers", {"header.py": _header("header", "quote(value)")})),
        ),
        Example(
            "silent on a fix that reached all copies at once",
            {"notes.txt": "done"},
            history=_history(
                (_FIX, {f"{name}.py": _header(name, "quote(value)") for name in ("header", "trailer")})
            ),
        ),
        Example(
            "silent on a fix that reached the other copy later",
            {"notes.txt": "done"},
            history=_history(
                (_FIX, {"header.py": _header("header", "quote(value)")}),
                ("Quote values in trailers too", {"trailer.py": _header("trailer", "quote(value)")}),
            ),
        ),
        Example(
            "silent where a comment says why the lines stay",
            {"notes.txt": "done"},
            history=_history(
                (_FIX, {"header.py": _header("header", "quote(value)")}),
                (
                    "Say why trailers are not quoted",
                    {
                        "trailer.py": _header("trailer").replace(
                            "        text =", "        # Trailers arrive quoted already.\n        text ="
                        )
                    },
                ),
            ),
        ),
        Example(
            "silent on variables that were renamed",
            {"notes.txt": "done"},
            history=_history(
                ("Fix misleading name of the size", {"header.py": _header("header").replace("size", "total")})
            ),
        ),
        Example(
            "silent on a fix that was reverted",
            {"notes.txt": "done"},
            history=_history(
                (_FIX, {"header.py": _header("header", "quote(value)")}),
                (f'Revert "{_FIX}"', {"header.py": _header("header")}),
            ),
        ),
        Example(
            "silent on an argument that one call needs",
            {"notes.txt": "done"},
            history=tuple(
                Commit(
                    subject,
                    {
                        f"{name}.py": _header(name).replace(
                            'out.write("end")',
                            'out.write(\n        "end",\n'
                            + ("        flush=True,\n" if name == fixed else "")
                            + "        size=size,\n    )",
                        )
                        for name in ("header", "trailer")
                    },
                    days_ago=days_ago,
                )
                for subject, fixed, days_ago in (
                    ("Write fields", "", 90),
                    ("Fix headers that arrive late", "header", 60),
                )
            ),
        ),
        Example(
            "silent on functions that only look alike",
            {"notes.txt": "done"},
            history=(
                Commit(
                    "Write fields",
                    {
                        "header.py": _header("header"),
                        "trailer.py": _header("trailer")
                        .replace("out.write", "log.send")
                        .replace("join", "cut"),
                    },
                    days_ago=90,
                ),
                Commit(_FIX, {"header.py": _header("header", "quote(value)")}, days_ago=60),
            ),
        ),
        Example(
            "silent in tests",
            {"notes.txt": "done"},
            history=(
                Commit(
                    "Test fields",
                    {f"tests/test_{name}.py": _header(name) for name in ("header", "trailer")},
                    days_ago=90,
                ),
                Commit(_FIX, {"tests/test_header.py": _header("header", "quote(value)")}, days_ago=60),
            ),
        ),
    ),
)
