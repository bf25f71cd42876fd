"""A few lines of source with their numbers, the blamed ones marked with `>`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from crimes.model.lazy_regex import regex
from crimes.model.report import Crime
from crimes.model.wording import count
from crimes.render.lines import Line, Span, line

_MAX_LINES = 30  # of code in a frame
_TAIL_LINES = 8  # of those, kept from the end when something is left out
_LINES_AROUND_MARK = 2  # kept on both sides of a marked line, however long the rest is
_HEAVIEST = "heaviest_branches"
_AT_LINE = regex(r"\bline (\d+)")


def frame(
    source_lines: Sequence[str],
    first: int,
    last: int,
    mark: Collection[int] = (),
    *,
    around: int = 3,
    indent: int = 2,
) -> Iterator[Line]:
    """Lines `first` to `last` (1-based) and `around` more on both sides; nothing if the source is shorter than `first`.

    `mark` holds the numbers of the blamed lines; without it all from `first` to `last` are. In a long frame lines are left
    out, never marked ones of `mark`. A terminal cuts code at its right edge.
    """
    total = len(source_lines)
    if not 1 <= first <= total:
        return
    last = min(max(first, last), total)
    numbers = range(max(1, first - around), min(total, last + around) + 1)
    blamed = frozenset(mark) or range(first, last + 1)
    width = len(str(numbers[-1]))
    previous = numbers[0] - 1
    for number in _kept(numbers, mark):
        if number > previous + 1:
            gap = f"... {count(number - previous - 1, 'line')} not shown ..."
            yield line(Span(f"{'':{width}}   {gap}", "dim"), indent=indent, cut=True)
        previous = number
        marked = number in blamed
        yield line(
            Span(f"{number:>{width}} ", "dim"),
            Span(">" if marked else " ", "mark"),
            " ",
            Span(source_lines[number - 1].expandtabs(4), "" if marked else "dim"),
            indent=indent,
            cut=True,
        )


def blamed_line(crime: Crime) -> int:
    """The line to look at: that of the heaviest branch where the finding names one, else its first."""
    measure = crime.evidence.get(_HEAVIEST)
    if measure is not None:
        branch = measure.items[0].get("line") if measure.items else None
        if not isinstance(branch, int):
            text = measure.value[0] if isinstance(measure.value, tuple | list) and measure.value else ""
            match = _AT_LINE.search(str(text))
            branch = int(match[1]) if match else 0
        if crime.lines.start <= branch <= crime.lines.end:
            return branch
    return crime.lines.start


def _kept(numbers: range, mark: Collection[int]) -> list[int]:
    """The lines to show: all of a short frame; else its head and tail, and those around marked lines."""
    if len(numbers) <= _MAX_LINES + 1:  # a gap of one line would save nothing
        return list(numbers)
    near = {
        number
        for blamed in mark
        for number in range(blamed - _LINES_AROUND_MARK, blamed + _LINES_AROUND_MARK + 1)
        if number in numbers
    }
    head = max(_MAX_LINES - _TAIL_LINES - len(near), _LINES_AROUND_MARK)
    kept = sorted({*numbers[:head], *numbers[-_TAIL_LINES:], *near})
    gaps = (after - 1 for before, after in pairwise(kept) if after == before + 2)
    return sorted({*kept, *gaps})
