"""The code of a finding with line numbers and a mark at the lines it is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from crimes.model.wording import count
from crimes.render.lines import Line, Span, line

_LINES_AROUND = 3  # before and after the finding
_HEAD_LINES = 2  # of a long finding, when another line of it is marked
_LINES_AFTER_MARK = 6
_MAX_LINES = 30
_MAX_LINE_CHARS = 240  # where no terminal cuts it


def frame(
    source_lines: Sequence[str],
    first: int,
    last: int,
    mark: Collection[int] | None = None,
    *,
    window: tuple[int, int] | None = None,
    indent: int = 2,
) -> Iterator[Line]:
    """The code in lines `first` to `last` (1-based) with a few more on both sides, or the lines of a `window` around it.

    Nothing if the source is shorter.

    `>` marks the lines in `mark` (else the first one), `|` the others of the finding. A long finding shows its beginning and what
    is around the marked lines. A terminal cuts code at its right edge.
    """
    total = len(source_lines)
    if not 1 <= first <= total:
        return
    last = min(max(last, first), total)
    marked = [number for number in mark or () if first <= number <= last] or [first]
    start, end = window or (first - _LINES_AROUND, last + _LINES_AROUND)
    numbers = _shown_numbers(range(max(1, start), min(total, end) + 1), first, last, marked)
    width = len(str(max(*numbers, last)))
    previous = numbers[0] - 1
    for number in numbers:
        yield from _gap(number - previous - 1, width, indent)
        previous = number
        inside = first <= number <= last
        sign = ">" if number in marked else "|" if inside else " "
        yield line(
            Span(f"{number:>{width}} ", "dim"),
            Span(sign, "mark" if sign == ">" else "dim"),
            " ",
            Span(_cut(source_lines[number - 1].expandtabs(4)), "" if inside else "dim"),
            indent=indent,
            cut=True,
        )
    yield from _gap(last - previous, width, indent)


def _shown_numbers(numbers: range, first: int, last: int, marked: Sequence[int]) -> list[int]:
    """The lines to show: all when they are few, else the beginning and windows around marks, up to the limit."""
    if len(numbers) <= _MAX_LINES:
        return list(numbers)
    if set(marked) == {first}:
        return list(numbers[:_MAX_LINES])
    shown = set(range(max(1, first - 1), first + _HEAD_LINES))
    for number in marked:
        window = {
            near for near in range(number - _LINES_AROUND, number + _LINES_AFTER_MARK + 1) if near in numbers
        }
        if len(shown | window) <= _MAX_LINES:
            shown |= window
    # A gap of one line takes as much room as the line.
    shown.update(number for number in range(first, last) if {number - 1, number + 1} <= shown)
    return sorted(shown)


def _gap(left_out: int, width: int, indent: int) -> Iterator[Line]:
    if left_out > 0:
        yield line(
            Span(f"{'':{width}}   ... {count(left_out, 'line')} not shown ...", "dim"),
            indent=indent,
            cut=True,
        )


def _cut(code: str) -> str:
    return code if len(code) <= _MAX_LINE_CHARS else f"{code[: _MAX_LINE_CHARS - 3]}..."
