"""The code of a finding with line numbers and a mark at the lines it is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from crimes.model.wording import count
from crimes.render.lines import Line, Span, line

_LINES_AROUND = 3  # before and after the finding
_HEAD_LINES = 2  # of a long finding, when another line of it is marked
_LINES_AFTER_MARK = 6
_MAX_LINES = 30
_MAX_LINE_CHARS = 240


def frame(
    source_lines: Sequence[str], first: int, last: int, mark: Collection[int] | None = None
) -> Iterator[Line]:
    """The code in lines `first` to `last`, with a few around it.

    `>` marks the lines in `mark` (else the first one), `|` the others of the finding. A long finding shows its beginning and what is around the marked lines.
    """
    last = min(max(last, first), len(source_lines))
    marked = [number for number in mark or () if first <= number <= last] or [first]
    numbers = _shown_numbers(len(source_lines), first, last, marked)
    width = len(str(max(*numbers, last)))
    previous = numbers[0] - 1
    for number in numbers:
        yield from _gap(number - previous - 1, width)
        previous = number
        inside = first <= number <= last
        sign = ">" if number in marked else "|" if inside else " "
        style = "mark" if sign == ">" else "dim"
        code = Span(_cut(source_lines[number - 1].expandtabs(4)), "" if inside else "dim")
        yield line(Span(f"{number:>{width}} ", "dim"), Span(sign, style), " ", code, indent=2, fixed=True)
    yield from _gap(last - previous, width)


def _shown_numbers(total: int, first: int, last: int, marked: Sequence[int]) -> list[int]:
    """The lines to show: all when they are few, else the beginning and windows around marks, up to the limit."""
    start, end = max(1, first - _LINES_AROUND), min(total, last + _LINES_AROUND)
    if end - start < _MAX_LINES:
        return list(range(start, end + 1))
    if set(marked) == {first}:
        return list(range(start, start + _MAX_LINES))
    shown = set(range(max(1, first - 1), first + _HEAD_LINES))
    for number in marked:
        window = range(max(start, number - _LINES_AROUND), min(end, number + _LINES_AFTER_MARK) + 1)
        if len(shown | set(window)) <= _MAX_LINES:
            shown.update(window)
    # A gap of one line takes as much room as the line.
    shown.update(number for number in range(first, last) if {number - 1, number + 1} <= shown)
    return sorted(shown)


def _gap(left_out: int, width: int) -> Iterator[Line]:
    if left_out > 0:
        yield line(Span(f"{'':{width}}   ... {count(left_out, 'line')} not shown ...", "dim"), indent=2)


def _cut(code: str) -> str:
    return code if len(code) <= _MAX_LINE_CHARS else f"{code[: _MAX_LINE_CHARS - 3]}..."
