"""Frames of code: which lines they show, and which they mark."""

from __future__ import annotations

import pytest

from crimes.model.report import Lines, MeasureOut
from crimes.render.code_frame import blamed_line, frame
from crimes.render.lines import plain, terminal
from tests.kit.reports import crime

SOURCE = tuple(f"text {number}" for number in range(1, 401))


def rows(first: int, last: int, **options: object) -> list[str]:
    return plain(frame(SOURCE, first, last, **options)).splitlines()  # type: ignore[arg-type]


def marked(shown: list[str]) -> list[int]:
    return [int(row.split()[0]) for row in shown if " > " in row]


def test_frame_marks_every_line_of_the_place_without_mark() -> None:
    assert rows(10, 11, around=1) == ["   9   text 9", "  10 > text 10", "  11 > text 11", "  12   text 12"]


def test_frame_marks_only_the_blamed_line() -> None:
    assert marked(rows(10, 20, mark=(14,))) == [14]


def test_long_frame_never_leaves_out_the_blamed_line() -> None:
    shown = rows(10, 300, mark=(150,))
    assert marked(shown) == [150]
    assert [row.split()[0] for row in shown if "text" in row][17:22] == ["148", "149", "150", "151", "152"]
    assert sum("lines not shown" in row for row in shown) == 2


def test_frame_is_empty_beyond_the_end_of_the_source() -> None:
    assert rows(401, 402) == []
    assert rows(0, 2) == []


def test_terminal_cuts_code_at_its_edge_and_a_pipe_does_not() -> None:
    long = ("word " * 50,)
    assert [len(row) for row in terminal(frame(long, 1, 1), 60, color=False).splitlines()] == [60]
    assert len(plain(frame(long, 1, 1))) > 200


@pytest.mark.parametrize(
    ("measure", "line"),
    [
        (MeasureOut(("for at line 22: 9", "if at line 30: 4")), 22),
        (MeasureOut("see items", items=({"keyword": "for", "line": 23, "cost": 9},)), 23),
        (MeasureOut(("for at line 900: 9",)), 10),  # outside of the finding
        (MeasureOut(()), 10),
    ],
)
def test_blamed_line_is_that_of_the_heaviest_branch(measure: MeasureOut, line: int) -> None:
    assert blamed_line(crime(lines=Lines(10, 60), evidence={"heaviest_branches": measure})) == line


def test_blamed_line_is_the_first_without_branches() -> None:
    assert blamed_line(crime(lines=Lines(10, 60), evidence={})) == 10
