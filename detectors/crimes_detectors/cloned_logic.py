"""The same logic is duplicated, and commits had to edit several copies; or a long block is duplicated word for word.

Blocks of lines are found by their shape, then compared token by token: keywords and operators have to be the same, and names may
differ if they are renamed consistently. Blocks that overlap or follow one another are one copied region, and one finding.

A region is reported if commits of the last three years had to make the same edit in several copies. How many depends on its length in lines of code:

- 40 lines or more: one commit; the copies may be in one file, if they are far apart;
- 30 lines or more, in different files: two commits;
- 12 lines or more, in different files: three commits.

An edit that reached another copy in a later commit counts too; if there is one, two edits are enough at any length. The commits are listed as evidence. Two kinds of regions
in different files are reported without such commits: blocks of 50 lines or more that are verbatim, unless nobody changed the files in three
years; and regions of 30 lines or more in files that changed together in three commits in the past year. A region of 30 lines or more to which none of this applies has
low confidence, and is shown only with `--verbose`.

The severity is medium for a region of 70 lines or more that was edited twice, and for one of 40 lines or more that was edited three times or
whose edit reached another copy late. It is also medium if the files share ten or more other blocks. It is low otherwise, for copies that sit next to
each other (in one function, or at most 60 lines apart in one file), for copies that no commit of the past two years edited together, and for a copy in a template, which has
to work on its own.

## Why it matters

Whoever edits one copy has to know about the others and repeat the edit there.

## What to do

Extract a shared function and pass the differences as parameters. If the copies have to stay, mention the others in a
comment at each.

## Before

```python
# sales.py, shortened
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

## What it does not report

- Copies that nobody had to edit together, apart from the two kinds above: long verbatim blocks, and files that keep changing together.
- Blocks shorter than 12 lines (parameter lists not counted) or 90 tokens, and blocks without decisions: declarations, tables, markup.
- Lines that only look alike: most of their names differ, or one name corresponds to several.
- Edits that say nothing about the copies: those of a commit that changed more than 30 files, of a commit that made the same edit elsewhere in
  the file too, of a clean-up, of the 14 days after the copy was written, and of the last 14 days.
- Two copies in one function, or at most 60 lines apart in one file, with a single edit: whoever edits one sees the other.
- Mirrors: functions that differ in words like `read` and `write`, `bytes` and `str`, and asynchronous twins.
- Versions, migrations and platforms kept side by side, and code compiled under different conditions.
- Copies with a comment that names the other file or function, says that there is another copy, or says not to change it: whoever edits it is told.
- Deprecated functions, and methods such as `equals` that look alike everywhere.
- In Java, one routine for each primitive type: no type parameter can replace them.
- Bundles: files assembled from three or more others, which share nearly every block with exactly one of them.
- A tree that is duplicated on purpose: many files with the same names in two parallel folders.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations, pairwise
from typing import Any

from msgspec.structs import replace

from crimes.api import (
    ANY,
    CLONES,
    PAST_EDITS,
    Category,
    CloneGroup,
    Commit,
    Copy,
    Detector,
    Effort,
    Example,
    Finding,
    Limits,
    Measure,
    Pass,
    PastEdits,
    Place,
    Region,
    Related,
    Severity,
    SharedEdit,
    Signal,
    SourceLines,
    components,
    count,
    distinct_edits,
    excuse,
    function_phrase,
    option,
    quotable_subject,
    regex,
    regions_of,
    shared_edits,
    shared_lines,
    verified_groups,
)

_MIN_MIRRORED_RUNS = 10  # from here on, two parallel folders are one tree kept twice
_NEARLY_ALL_PERCENT = 80
_MIN_BUNDLED_FILES = 3  # from here on, a file is assembled from those it shares blocks with
_MAX_PAIRED_FILES = 10
_MAX_LISTED_REGIONS = 5
_MAX_LISTED_COMMITS = 5
_MAX_SUBJECT_CHARS = 60
_MIN_FILE_COPY_RUNS = 10  # further blocks that two files share: one is a copy of the other
_TEMPLATE = regex(r"(^|/)(templates?|starters?|boilerplates?|scaffold(s|ing)?)/")
_MIN_LARGE_LINES, _MIN_LARGE_EDITS = 70, 2  # of a region that is medium
# Readers called two shared edits of fewer lines the pattern of a package, and a shared function worse than the copies.
_MIN_LASTING_LINES, _MIN_SHORT_EDITS = 30, 3
_MIN_MEDIUM_LINES, _MIN_MEDIUM_EDITS = 40, 3  # of a smaller one
_MIN_DOUBTFUL_LINES = 30  # of a block that needs more evidence
_MAX_NEAR_LINES = 60  # between two copies that whoever edits one sees together
_MIN_UNTOUCHED_DAYS = 1000  # of history without a commit to any of the copies
_LATELY = timedelta(days=730)  # without an edit of several copies, nobody is in a hurry
_AFTER_A_VALUE = frozenset({"(", ".", ":"})


@dataclass(frozen=True)
class Options:
    min_lines: int = option(
        12,
        "Report a block of at least this many lines of code if three commits edited it in several files; two are enough from 30 lines.",
    )
    min_large_lines: int = option(
        40, "Report a block of at least this many lines of code if one commit edited several copies."
    )
    min_verbatim_lines: int = option(
        50,
        "Report a block of at least this many lines that is verbatim in different files, even if no commit edited several copies.",
    )
    min_tokens: int = option(90, "Report duplicated blocks of at least this many tokens.")
    min_decisions: int = option(2, "How many branches, loops or handlers a block has to contain.")
    min_same_names: int = option(
        60, "The smallest share of names that are the same in the copies, in percent."
    )


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    source = SourceLines(scan)
    regions = regions_of(_without_bundles([*_groups(scan, options, source)]), source)
    past = scan.get(PAST_EDITS)
    edits = shared_edits(regions, past, source) if past else {}
    for numbers in components(len(regions), _sharing(regions)):
        own = [regions[number] for number in numbers]
        shared = distinct_edits(list(_counted(own[0], edits.get(numbers[0], ()))))
        if _is_edited_twice(own[0], shared, options) or _is_long(own[0], past, options):
            limit = _lines_limit(own[0], shared, options)
            yield _report(scan, own, shared, source, options, limit)
        elif own[0].lines >= _MIN_DOUBTFUL_LINES and len(own[0].files) > 1:
            finding = _report(scan, own, shared, source, options, _MIN_DOUBTFUL_LINES)
            yield replace(finding, signals=_doubt(own[0]))


def _groups(scan: Pass, options: Options, source: SourceLines) -> Iterator[CloneGroup]:
    """Copies that agree token by token and that nothing excuses."""
    limits = Limits(options.min_lines, options.min_tokens, options.min_decisions, options.min_same_names)
    classes = [clone for clone in scan[CLONES].classes if clone.lines >= options.min_lines]
    mirrors = Counter(mirror for clone in classes if (mirror := _mirror(clone.copies)) is not None)
    for clone in classes:
        mirror = _mirror(clone.copies)
        if mirror is None or mirrors[mirror] < _MIN_MIRRORED_RUNS:
            for group in verified_groups(scan, clone, source, limits):
                if not excuse(scan, group, source):
                    yield group


def _without_bundles(groups: list[CloneGroup]) -> list[CloneGroup]:
    """The groups that do not pair a file with one it was assembled from."""
    shared: dict[str, list[set[str]]] = {}  # the other files of each verbatim block, by file
    for group in groups:
        paths = {copy.path for copy in group.copies}
        for path in paths if group.verbatim and len(paths) > 1 else ():
            shared.setdefault(path, []).append(paths - {path})
    bundles = {path for path, others in shared.items() if _is_assembled(others)}
    return [group for group in groups if not _pairs_any(group, bundles)]


def _is_assembled(others: Sequence[set[str]]) -> bool:
    """Whether a file shares blocks with several others, and nearly every block with one of them alone."""
    sources = [paths for paths in others if len(paths) == 1]
    is_nearly_all = len(sources) * 100 >= len(others) * _NEARLY_ALL_PERCENT
    return is_nearly_all and len(set().union(*sources)) >= _MIN_BUNDLED_FILES


def _pairs_any(group: CloneGroup, paths: set[str]) -> bool:
    """Whether it is a pair of files, one of them among the paths."""
    own = {copy.path for copy in group.copies}
    return len(own) == 2 and not own.isdisjoint(paths)


def _mirror(copies: tuple[Copy, ...]) -> tuple[str, str] | None:
    """For two copies in parallel folders: the parts of the paths before the common ending."""
    if len(copies) != 2:
        return None
    first, second = (copy.path.split("/") for copy in copies)
    tail = 0
    while tail < min(len(first), len(second)) and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return ("/".join(first[:-tail]), "/".join(second[:-tail])) if tail and first != second else None


def _sharing(regions: Sequence[Region]) -> Iterator[tuple[int, int]]:
    """Pairs of regions that belong to one finding: two files share both, or two functions of one file."""
    seen: dict[object, int] = {}
    for number, region in enumerate(regions):
        if len(region.files) > 1:
            keys: list[object] = [*combinations(region.files[:_MAX_PAIRED_FILES], 2)]
        else:
            functions = sorted(region.functions)[:_MAX_PAIRED_FILES]
            keys = [*combinations(functions, 2), *(functions if len(functions) == 1 else ())]
        for key in keys:
            yield seen.setdefault(key, number), number


def _is_edited_twice(region: Region, shared: Sequence[SharedEdit], options: Options) -> bool:
    """Whether commits had to edit several copies: often, or once where much is copied. One file shows all its copies."""
    if region.lines >= options.min_large_lines:
        return bool(shared)
    wanted = _MIN_SHORT_EDITS if region.lines < _MIN_LASTING_LINES else 2
    is_often = len(shared) >= wanted or any(edit.later for edit in shared)
    return len(shared) > 1 and is_often and len(region.files) > 1


def _lines_limit(region: Region, shared: Sequence[SharedEdit], options: Options) -> int:
    """The number of lines from which a region with as many edits is reported."""
    if not shared:
        return options.min_verbatim_lines
    if not shared[1:] or len(region.files) == 1:
        return options.min_large_lines
    is_often = len(shared) >= _MIN_SHORT_EDITS or any(edit.later for edit in shared)
    return options.min_lines if is_often else min(_MIN_LASTING_LINES, options.min_large_lines)


def _counted(region: Region, shared: Sequence[SharedEdit]) -> Sequence[SharedEdit]:
    """The edits, if they are enough: of two copies that are seen together, one edit of both says little."""
    return shared if shared[1:] or region.copies[2:] or not _is_near(region) else ()


def _is_near(region: Region) -> bool:
    """Whether whoever edits one copy sees the others: all are in one function, or close to each other in one file."""
    if len(region.files) > 1:
        return False
    places = sorted(region.copies, key=lambda copy: copy.start)
    return len(region.functions) == 1 or all(
        second.start - first.end <= _MAX_NEAR_LINES for first, second in pairwise(places)
    )


def _stands_alone(region: Region) -> bool:
    """Whether a copy is in a template, which whoever starts from it takes along by itself."""
    return any(_TEMPLATE.search(path) for path in region.files)


def _is_settled(shared: Sequence[SharedEdit], past: PastEdits | None) -> bool:
    """Whether commits edited copies together, but none has lately."""
    if past is None or not shared:
        return False
    newest = max((edit.later or edit.first).when for edit in shared)
    return past.history.reference_time - newest > _LATELY


def _is_long(region: Region, past: PastEdits | None, options: Options) -> bool:
    """Whether a region is long and verbatim, in different files; with a full history also whether somebody works on it."""
    if len(region.files) < 2 or region.verbatim_lines < options.min_verbatim_lines:
        return False
    if past is None:
        return True
    history = past.history
    age = history.reference_time - (history.first_commit or history.reference_time)
    is_young = age.days < _MIN_UNTOUCHED_DAYS  # a file without commits is a new one then
    return is_young or any(
        path not in history.files or history.files[path].commits_3y for path in region.files
    )


def _report(
    scan: Pass,
    regions: list[Region],
    shared: list[SharedEdit],
    source: SourceLines,
    options: Options,
    lines_limit: int,
) -> Finding:
    """One finding for all regions that the same files share, placed at the largest."""
    region, *further = regions
    group = region.groups[0]
    first, *others = region.copies
    return Finding(
        Place(first.path, first.start, first.end, _symbol(scan, first)),
        Severity.LOW
        if _is_near(region) or _stands_alone(region) or _is_settled(shared, scan.get(PAST_EDITS))
        else severity_of(
            region.lines,
            shared,
            further_runs=len(further) if len(region.files) > 1 else 0,
        ),
        f"{region.lines} lines of {_phrase(scan, first)} are duplicated in {_place_text(scan, region)}"
        f"{_more_text(region, further)}{_history_text(region, shared)}.",
        signals=tuple(_signals(group, shared)),
        evidence={
            "lines": Measure(region.lines, lines_limit),
            "tokens": Measure(group.tokens, options.min_tokens),
            "copies": Measure(len(region.copies)),
            "same_names_percent": Measure(group.same, options.min_same_names),
            "further_runs": Measure(len(further)),
            "shared_edits": _edits_measure(shared),
        },
        related=(
            *(_related(scan, copy, _same_lines_text(copy, region, source)) for copy in others),
            *(
                _related(scan, copy, f"another block of {other.lines} duplicated lines")
                for other in further[:_MAX_LISTED_REGIONS]
                for copy in other.copies
            ),
        ),
        why="" if shared else "A fix to one copy leaves the bug in the others.",
        fix=_fix(scan, region, source),
    )


def _same_lines_text(copy: Copy, region: Region, source: SourceLines) -> str:
    lines = count(shared_lines(copy, region.groups, source), "line")
    return f"{lines}, the same apart from names"


def severity_of(lines: int, shared: Sequence[SharedEdit], *, further_runs: int) -> Severity:
    """Medium where much has to be edited twice: a large region, one edited often or late, or a copy of a whole file."""
    if further_runs >= _MIN_FILE_COPY_RUNS:
        return Severity.MEDIUM
    if lines >= _MIN_LARGE_LINES:
        is_medium = len(shared) >= _MIN_LARGE_EDITS
    else:
        is_often = len(shared) >= _MIN_MEDIUM_EDITS or any(edit.later for edit in shared)
        is_medium = lines >= _MIN_MEDIUM_LINES and is_often
    return Severity.MEDIUM if is_medium else Severity.LOW


def _edits_measure(shared: list[SharedEdit]) -> Measure:
    """The commits that edited several copies, as text and as values."""
    commits = [commit for edit in shared for commit in (edit.first, edit.later) if commit]
    listed = commits[: 2 * _MAX_LISTED_COMMITS]
    return Measure(
        tuple(
            f"{commit.sha[:9]} {commit.when.date()} {quotable_subject(commit.subject, _MAX_SUBJECT_CHARS)}"
            for commit in listed
        ),
        items=tuple(
            {"sha": commit.sha, "date": commit.when.date().isoformat(), "subject": commit.subject}
            for commit in listed
        ),
    )


def _history_text(region: Region, shared: list[SharedEdit]) -> str:
    """What commits did to the copies."""
    together = [edit for edit in shared if edit.later is None]
    late = [edit for edit in shared if edit.later]
    text = ""
    if together:
        oldest = min(edit.first.when for edit in together)
        copies, total = max(edit.copies for edit in together), len(region.copies)
        every = "both copies" if total == 2 else f"all {total} copies"
        # Not "2 of the 3": another copy may be shorter, or newer than the edit.
        places = every if copies >= total else f"{copies} copies"
        times = (
            f"{count(len(together), 'commit')} since {oldest:%Y-%m}"
            if together[1:]
            else f"a commit on {oldest.date()}"
        )
        text = f"; {times} made the same edit in {places}"
    if late and late[0].later:
        text += f"; an edit of {late[0].first.when.date()} reached another copy only on {late[0].later.when.date()}"
    return text


def _fix(scan: Pass, region: Region, source: SourceLines) -> str:
    """What to do, as far as the types in the block allow it; empty where the general words fit."""
    if not region.groups[0].verbatim:
        return ""
    if scan.repo.files[region.copies[0].path].traits.macros:
        return "Extract a shared function; a macro, if the copies mean different types by the same names."
    return "Extract a shared function."


def _place_text(scan: Pass, region: Region) -> str:
    """Where the second copy is: a function of the same file, or another file."""
    first, second = region.copies[:2]
    if second.path != first.path:
        return f"{second.path} (line {second.start})"
    is_elsewhere = _symbol(scan, second) != _symbol(scan, first)
    return f"{_phrase(scan, second) if is_elsewhere else 'the same file'} (line {second.start})"


def _more_text(region: Region, further: list[Region]) -> str:
    """How many more copies there are, and how many more blocks the same files share."""
    places, blocks = len(region.copies) - 2, len(further)
    text = f", and in {places} more {'place' if places == 1 else 'places'}" if places else ""
    if blocks:
        if len(region.files) == 1:
            sharing = "the file has"
        else:
            sharing = "the two files share" if len(region.files) == 2 else "these files share"
        text += f"; {sharing} {count(blocks, 'more duplicated block')}"
    return text


def _related(scan: Pass, copy: Copy, note: str) -> Related:
    return Related(Place(copy.path, copy.start, copy.end, _symbol(scan, copy)), note)


def _symbol(scan: Pass, copy: Copy) -> str:
    return scan.repo.files[copy.path].facts.functions[copy.function].qualname


def _phrase(scan: Pass, copy: Copy) -> str:
    functions = scan.repo.files[copy.path].facts.functions
    return function_phrase(functions, functions[copy.function], qualified=True)


def _doubt(region: Region) -> tuple[Signal, ...]:
    reason = f"the same shape, but fewer than two commits edited these {region.lines} lines in several files"
    return (Signal("not edited together", Category.SYNTAX, 45, reason),)


def _changed_together(scan: Pass, finding: Finding) -> Iterator[Signal]:
    """Evidence for a finding in doubt: commits changed the files of two copies together."""
    past, first = scan.get(PAST_EDITS), finding.place.path
    others = sorted({near.place.path for near in finding.related} - {first})
    pairs = [(min(first, other), max(first, other)) for other in others]
    commits = max((past.history.together.get(pair, 0) for pair in pairs), default=0) if past else 0
    if commits:
        reason = f"{count(commits, 'commit')} of the last year changed the files of two copies together"
        yield Signal("files change together", Category.HISTORY, 75, reason)


def _signals(group: CloneGroup, shared: list[SharedEdit]) -> Iterator[Signal]:
    same = group.same
    reason = (
        "identical token by token"
        if group.verbatim
        else f"renamed consistently, with {same}% of the names the same"
    )
    if same >= _NEARLY_ALL_PERCENT:
        yield Signal("same names", Category.SYNTAX, 88, reason)
    else:
        yield Signal("renamed", Category.SYNTAX, 80, reason)
    if shared:
        reason = f"{count(len(shared), 'edit')} in the last three years had to be made in several copies"
        source, value = ("shared edits", 85) if shared[1:] else ("shared edit", 75)
        yield Signal(source, Category.HISTORY, value, reason)


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


# What the copies look like, and what they looked like before each of two edits.
_EDITS = (
    ("price - price * row.discount.share", "price - row.discount.share"),
    (" row.discount.active", " row.discount.shown"),
    ("price + price * tax.share", "price + tax.share"),
)
_SUBJECTS = (
    "Discounts are a share of the price",
    "Only active discounts count",
    "Taxes are a share of the price",
)


def _state(
    files: Mapping[str, str], undone: int, edits: Sequence[tuple[str, str]] = _EDITS
) -> dict[str, str]:
    """The files as they were before the last of the edits."""
    state = dict(files)
    for now, before in edits[:undone]:
        state = {path: text.replace(now, before) for path, text in state.items()}
    return state


def _edited(
    title: str,
    files: Mapping[str, str],
    finds: tuple[str, ...] = (),
    edits: Sequence[tuple[str, str]] = _EDITS,
    subjects: Sequence[str] = _SUBJECTS,
    **fields: Any,
) -> Example:
    """An example whose copies were edited together by one commit for each of the edits."""
    days = {"written": 300, "edited": 200, **fields.pop("days", {})}
    history = [Commit("Add totals", _state(files, len(edits), edits), days_ago=days["written"])]
    for undone in reversed(range(len(edits))):
        days_ago = days["edited"] - 50 * (len(edits) - 1 - undone)
        history.append(Commit(subjects[undone], _state(files, undone, edits), days_ago=days_ago))
    return Example(title, {"notes.txt": "done"}, finds, history=tuple(history), **fields)


_PYTHON = {f"{name}s.py": _COPIED.format(name=name) for name in ("refund", "sale")}

# Steps that are not alike, to make the copied function longer.
_PARTS = (
    "        if row.gift and price > row.floor:\n            price = row.floor\n",
    "        for coupon in row.coupons:\n            if coupon.valid:\n                price = coupon.use(price, row)\n",
    "        while price > row.ceiling:\n            price = price - row.step\n",
    "        try:\n            row.check(price)\n        except ValueError:\n            price = row.last_price\n",
    "        region = row.region or rows.region\n        if region in rows.closed:\n            continue\n",
    "        weight = sum(part.weight for part in row.parts)\n        if weight > region.max_weight:\n            price += region.fee * weight\n",
    "        stamps = row.stamps + region.stamps\n        for stamp in sorted(stamps):\n            stamp.cancel(row)\n",
    "        match row.pack:\n            case 'box':\n                price += row.box.price\n            case 'bag':\n                price += 1\n",
    "        if not row.paid and row.due < rows.today:\n            price = price + row.fine\n            row.remind(price)\n",
    "        shelf = row.shelf\n        while shelf.parent:\n            shelf = shelf.parent\n        shelf.note(row)\n",
)


def _long(name: str, times: int) -> str:
    """The copied function with 35 more lines, or twice as many that differ."""
    added = "".join(_PARTS)
    more = re.sub(
        r"\b(gift|coupons?|ceiling|check|closed|weight|stamps?|pack|fine|shelf)\b",
        r"late_\1",
        "".join(_PARTS[::-1]),
    )
    added += more if times > 1 else ""
    return _COPIED.format(name=name).replace("        if row.discount", f"{added}        if row.discount", 1)


_STEPS = {"sale": "", "gift": "        log(total, rows)\n", "loan": "        rows[0].sort(key=len)\n"}
_MODULES = {
    f"src/{name}.py": _COPIED.format(name=name)
    .replace("        if row.discount", f"{step}        if row.discount")
    .replace("        total = total", f"{step}        total = total")
    for name, step in _STEPS.items()
}

# What a comment has to say to settle a finding in doubt.
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
    wants=(PAST_EDITS,),
    deferred=(_changed_together,),
    examples=(
        _edited(
            "two copies that three commits edited together",
            _PYTHON,
            ("refunds.py:2",),
            severity=Severity.LOW,
        ),
        _edited(
            "silent on small copies that two commits edited together",
            _PYTHON,
            edits=_EDITS[:2],
        ),
        _edited(
            "silent on small copies that one commit edited together",
            _PYTHON,
            edits=_EDITS[:1],
        ),
        Example(
            "an edit that reached the second copy later",
            {"notes.txt": "done"},
            ("refunds.py:2",),
            options={"min_large_lines": 12},
            history=(
                Commit("Add totals", _state(_PYTHON, 1), days_ago=300),
                Commit("Fix discounts above the price", {"sales.py": _PYTHON["sales.py"]}, days_ago=200),
                Commit("Fix discounts of refunds", {"refunds.py": _PYTHON["refunds.py"]}, days_ago=100),
            ),
            severity=Severity.LOW,
        ),
        _edited(
            "three copies in TypeScript that commits edited together",
            {f"src/{name}.ts": _SCRIPT.format(name=name) for name in ("gifts", "refunds", "sales")},
            ("src/gifts.ts:2",),
            severity=Severity.LOW,
        ),
        Example(
            "a long block that is verbatim in two files, without history",
            {"sales.py": _COPIED.format(name="sale"), "web/sales.py": _COPIED.format(name="sale")},
            ("sales.py:2",),
            options={"min_verbatim_lines": 15},
            severity=Severity.LOW,
        ),
        _edited(
            "long copies in two files that three commits edited together are medium",
            {f"{name}s.py": _long(name, 1) for name in ("refund", "sale")},
            ("refunds.py:2",),
            severity=Severity.MEDIUM,
        ),
        _edited(
            "low if the last such commit is more than two years old",
            {f"{name}s.py": _long(name, 1) for name in ("refund", "sale")},
            ("refunds.py:2",),
            days={"written": 1000, "edited": 900},
            severity=Severity.LOW,
        ),
        _edited(
            "low if they are next to each other",
            {"sales.py": _long("refund", 1) + _long("sale", 1)},
            ("sales.py:2",),
            severity=Severity.LOW,
        ),
        Example(
            "low for a copy in a template, which has to work on its own",
            {"sales.py": _long("sale", 2), "templates/shop/sales.py": _long("sale", 2)},
            ("sales.py:2",),
            severity=Severity.LOW,
        ),
        Example(
            "low for a copy that no commit had to edit too",
            {"sales.py": _long("sale", 2), "web/sales.py": _long("sale", 2)},
            ("sales.py:2",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on a bundle and the modules it was assembled from",
            {**_MODULES, "src/all.py": "".join(_MODULES.values())},
            options={"min_verbatim_lines": 15},
        ),
        Example(
            "a file that shares blocks with two others",
            {**_MODULES, "src/all.py": "".join([*_MODULES.values()][:2])},
            ("src/all.py:2", "src/all.py:18"),
            options={"min_verbatim_lines": 15},
        ),
        _edited(
            "silent on blocks within one function, which whoever edits one sees",
            {"sales.py": "def total_all(rows, sale, limit):\n" + _body(_COPIED.format(name="sale")) * 3},
        ),
        Example("silent on copies that nobody edited", _PYTHON),
        _edited(
            "silent when the copies were edited while they were written",
            _PYTHON,
            days={"written": 300, "edited": 295},
            edits=_EDITS[:1],
        ),
        _edited(
            "silent on an edit of the last days, which may be under review",
            _PYTHON,
            days={"edited": 5},
            edits=_EDITS[:1],
        ),
        _edited(
            "silent on edits that only clean up",
            _PYTHON,
            subjects=("refactor: one way to count", "Fix lint warnings", "style: shorter lines"),
        ),
        _edited(
            "silent on two copies close to each other that were edited together once",
            {"totals.py": _COPIED.format(name="sale") + _COPIED.format(name="gift")},
            edits=_EDITS[:1],
        ),
        _edited(
            "silent where a comment names the other copy",
            {
                "gifts.py": "# Keep in step with total_sale in sales.py\n" + _COPIED.format(name="gift"),
                "sales.py": _COPIED.format(name="sale"),
            },
        ),
        _edited(
            "silent on a deprecated copy",
            {
                "gifts.py": "# Deprecated: use sales.py\n" + _COPIED.format(name="gift"),
                "sales.py": _COPIED.format(name="sale"),
            },
        ),
        _edited(
            "silent on mirrors",
            {f"{name}.py": _COPIED.format(name=name) for name in ("read", "write")},
        ),
        _edited(
            "silent on an asynchronous twin",
            {
                "sales.py": _COPIED.format(name="sale"),
                "later.py": _COPIED.format(name="order").replace("\ndef", "\nasync def"),
            },
        ),
        _edited(
            "silent when the lines only look alike",
            {"sales.py": _COPIED.format(name="sale"), "other.py": _renamed(_COPIED.format(name="refund"))},
        ),
        _edited(
            "silent when another keyword decides",
            {
                "sales.py": _COPIED.format(name="sale"),
                "refunds.py": _COPIED.format(name="refund").replace("continue", "break"),
            },
        ),
        _edited(
            "silent on a long list of parameters",
            {"a.py": _PARAMETERS.format(name="low"), "b.py": _PARAMETERS.format(name="high")},
            edits=((".add(p, p3)", ".add(p)"),),
        ),
        _edited(
            "silent on declarations",
            {"a.py": _TABLE.format(name="low"), "b.py": _TABLE.format(name="high")},
            edits=(("rows.add_3", "rows.put_3"),),
        ),
        _edited(
            "silent on one routine for each primitive type in Java",
            {
                f"{kind.title()}s.java": f"class {kind.title()}s {{{_SHIFT.format(kind=kind)}}}\n"
                for kind in ("long", "Object")
            },
            edits=(("swap(array, start, start + rest, offset)", "swap(array, start, rest, offset)"),),
        ),
        _edited(
            "one routine for two classes in Java",
            {
                f"{kind}s.java": f"class {kind}s {{{_SHIFT.format(kind=kind)}}}\n"
                for kind in ("String", "Price")
            },
            ("Prices.java:2",),
            edits=(("swap(array, start, start + rest, offset)", "swap(array, start, rest, offset)"),),
            options={"min_large_lines": 12},
        ),
        _edited(
            "silent on one reader for each primitive type in Java",
            {
                f"{name}Reader.java": f"class {name}Reader {{{_NEXT.format(name=name, kind=kind)}}}\n"
                for name, kind in (("Int", "int"), ("Long", "long"))
            },
            edits=(('"no digits at " + position()', '"no digits"'),),
        ),
        _edited(
            "silent on two versions kept side by side",
            {f"shop/api/{version}/sales.py": _COPIED.format(name="sale") for version in ("v1", "v2")},
        ),
        _edited(
            "silent on two platforms kept side by side",
            {f"shop/sales_{system}.py": _COPIED.format(name="sale") for system in ("linux", "windows")},
        ),
        _edited(
            "silent on a tree that is duplicated on purpose",
            {
                f"{tree}/part{n}.py": _COPIED.format(name="sale").replace("row", f"row{n}{'.x' * n}")
                for n in range(10)
                for tree in ("desktop", "mobile")
            },
            edits=((".share\n        for tax", ".rate\n        for tax"),),
        ),
        _edited(
            "silent in tests",
            {f"tests/test_{name}.py": _COPIED.format(name=name) for name in ("sale", "refund")},
        ),
    ),
)
