"""What an edit to a symbol reaches: who calls it, what else breaks with it, which tests run it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crimes.model.sanitize import safe
from crimes.model.wording import count, dependents_text
from crimes.render.brief_commands import test_command_rows
from crimes.render.brief_rows import call_rows, name_row
from crimes.render.fitting import BYTES_PER_TOKEN, Row, Sentence, code_span, fit, page
from crimes.workflows.briefing.target import symbols_asked_for

if TYPE_CHECKING:
    from crimes.workflows.briefing.record import Briefing, CallSite, Reference

_SHARES = {"Names": 0.2, "Keep in step": 0.4, "Tests": 0.4, "Not known": 0.0}
_MAX_HEAD_BYTES = 400


def markdown(briefing: Briefing, budget: int) -> str:
    """The impact of the part that a briefing is about, of at most `budget` tokens."""
    fitted = fit(list(_rows(briefing)), _SHARES, budget * BYTES_PER_TOKEN - _MAX_HEAD_BYTES)
    left = sum(fitted.left_out.values())
    end = f"{count(left, 'more place')} not shown." if left else ""
    trust = f"\nTrust: {safe(briefing.trust)}" if briefing.trust else ""
    return page(f"# Impact of {code_span(f'{briefing.file}:{briefing.focus}')}{trust}", fitted.sections, end)


def breaking_files(briefing: Briefing) -> tuple[str, ...]:
    """The files that name the symbol, those of code first."""
    places: list[CallSite | Reference] = [*briefing.calls, *briefing.references]
    return tuple(dict.fromkeys(place.file for place in sorted(places, key=lambda place: place.test)))


def _rows(briefing: Briefing) -> Iterator[Row]:
    yield from (name_row(symbol) for symbol in symbols_asked_for(briefing) if symbol.signature)
    yield Row("Keep in step", "notes", "", (Sentence(summary(briefing)),), needed=True)
    yield from call_rows(briefing)
    yield from test_command_rows(briefing)
    yield from (Row("Not known", "limits", "", (Sentence(text),)) for text in briefing.limits)


def summary(briefing: Briefing) -> str:
    """How much breaks when the symbol is renamed, and how much depends on its file."""
    files = breaking_files(briefing)
    calls, others = len(briefing.calls), len(briefing.references)
    parts = [count(calls, "call")] if calls else []
    parts += [count(others, "other reference")] if others else []
    reach = dependents_text(briefing.importers.possible, briefing.importers.direct)
    if not parts:
        return f"no call or import of it is known; its file: {reach}"
    return f"a rename breaks {' and '.join(parts)} in {count(len(files), 'file')}; its file: {reach}"
