"""What strangers can put into comparisons, baselines, hotspots and trends does nothing to a terminal."""

from __future__ import annotations

import msgspec
import pytest

from crimes.model.report import Ignore, Tool
from crimes.render import baseline, hotspots, triage
from crimes.render import comparison as comparison_view
from crimes.render import trend as trend_view
from crimes.render.lines import Line, plain, terminal
from crimes.tracking.baseline import SCHEMA_VERSION, BaselineCheck
from crimes.tracking.identity import identity_of
from crimes.workflows.comparison import State, compare_reports
from crimes.workflows.hotspots import HotFunction, rank_files, with_functions
from crimes.workflows.rank_changes import rank_changes
from crimes.workflows.trend import build_trend, point_of
from tests.kit.hostile_text import HOSTILE, is_clean, tainted_finding
from tests.kit.reports import ranked_files, report


def views(text: str) -> list[list[Line]]:
    made = tainted_finding(text)
    ignore = Ignore(text, "comment", (text,), text, text, text, "used", 1, text)
    now = report(made, repository=text, warnings=(text,), ignores=(ignore,))
    before = report(tainted_finding(text + "2"), repository=text)
    base, head = State(text, "a" * 40), State(text, "b" * 40)
    held = compare_reports(before, now, {}, base, head, [text])
    ranked = msgspec.structs.replace(now, edit_risk=ranked_files(made.file, *"abcd"))
    held = msgspec.structs.replace(
        held,
        rank_changes=rank_changes(before.edit_risk, ranked.edit_risk, {made.file}, {}),
    )
    assert held.rank_changes
    moved = compare_reports(
        report(msgspec.structs.replace(tainted_finding(text + "2"), code="c0de")),
        report(msgspec.structs.replace(made, code="c0de")),
        {},
        base,
        head,
    )
    assert (len(held.new), len(held.fixed), len(moved.moved)) == (1, 1, 1)
    tool = Tool("crimes", text)
    check = BaselineCheck(
        SCHEMA_VERSION, tool, text, text, text, 0, (made,), (identity_of(made),), {text: text}, (text,)
    )
    spots = with_functions(
        rank_files(msgspec.structs.replace(now, edit_risk=ranked_files(made.file, history_limited=text))),
        {made.file: (HotFunction(text, 1, 9, 4, 1),)},
    )
    past = build_trend([point_of(now)], text, 2)
    return [
        *(
            list(comparison_view.lines(comparison, terminal=at, all=True, columns=1_000))
            for comparison in (held, moved)
            for at in (True, False)
        ),
        list(comparison_view.verdict_lines(held, why=True)),
        list(baseline.lines(check)),
        *(list(hotspots.lines(spots, terminal=at)) for at in (True, False)),
        *(list(trend_view.lines(past, last=5, terminal=at)) for at in (True, False)),
        [*triage.question(made, 1, 2), *triage.decisions_left(1)],
    ]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_neither_escapes_nor_adds_lines_in_any_view(text: str) -> None:
    for shown, harmless in zip(views(text), views("x"), strict=True):
        assert is_clean(plain(shown))
        assert is_clean(terminal(shown, 100, color=False))
        assert len(plain(shown).splitlines()) == len(plain(harmless).splitlines())
