"""Frames of code: which lines they show, and which they mark."""

from __future__ import annotations

import pytest

from crimes.model.report import Lines, MeasureOut
from crimes.render.code_frame import frame
from crimes.render.lines import plain, terminal
from crimes.workflows.explanation import blamed_lines
from tests.kit.reports import crime

SOURCE = tuple(f"text {number}" for number in range(1, 401))


def rows(first: int, last: int, **options: object) -> list[str]:
    return plain(frame(SOURCE, first, last, **options)).splitlines()  # type: ignore[arg-type]


def marked(shown: list[str]) -> list[int]:
    return [int(row.split()[0]) for row in shown if " > " in row]


def test_frame_marks_the_first_line_of_the_place_without_mark() -> None:
    assert rows(10, 11, window=(9, 12)) == [
        "   9   text 9",
        "  10 > text 10",
        "  11 | text 11",
        "  12   text 12",
    ]


def test_frame_marks_only_the_blamed_lines() -> None:
    assert marked(rows(10, 20, mark=(14,))) == [14]


def test_long_frame_never_leaves_out_the_blamed_lines() -> None:
    shown = rows(10, 300, mark=(150,))
    assert marked(shown) == [150]
    numbers = [int(row.split()[0]) for row in shown if "text" in row]
    assert {9, 10, 11, 149, 150, 151} <= set(numbers)
    assert len(numbers) <= 30
    assert sum("lines not shown" in row for row in shown) == 2


def test_frame_is_empty_beyond_the_end_of_the_source() -> None:
    assert rows(401, 402) == []
    assert rows(0, 2) == []


def test_terminal_cuts_code_at_its_edge_and_a_pipe_does_not() -> None:
    long = ("word " * 45,)
    assert [len(row) for row in terminal(frame(long, 1, 1), 60, color=False).splitlines()] == [60]
    assert len(plain(frame(long, 1, 1))) > 200
    assert len(plain(frame(("x" * 5_000,), 1, 1))) < 260


@pytest.mark.parametrize(
    ("measure", "line"),
    [
        (MeasureOut("see items", items=({"keyword": "for", "line": 23, "cost": 9},)), 23),
        (MeasureOut("see items", items=({"line": 900},)), 10),  # outside of the finding
        (MeasureOut(()), 10),
    ],
)
def test_blamed_line_is_that_of_the_heaviest_branch(measure: MeasureOut, line: int) -> None:
    assert blamed_lines(crime(lines=Lines(10, 60), evidence={"heaviest_branches": measure}))[0] == line


def test_blamed_line_is_the_first_without_branches() -> None:
    assert blamed_lines(crime(lines=Lines(10, 60), evidence={})) == (10,)
