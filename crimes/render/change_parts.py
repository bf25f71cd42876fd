"""What a change broke or forgot, explained part by part."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.change import Level
from crimes.model.wording import count
from crimes.render.blocks import Block, Item, Paragraph, Part, Verbatim
from crimes.workflows.explanation import ExplainedChange

LEVEL_STYLE = {Level.BROKEN: "bad", Level.LOOK: "warn"}
_MAX_PLACES = 100
_EFFECTS = {
    Level.BROKEN: "While it is there, `crimes check` and `crimes diff` exit with 1.",
    Level.LOOK: "None: it fails no check and no gate, and may be right as it is.",
}


def change_parts(change: ExplainedChange, place: str = "") -> Iterator[Part]:
    """The parts of the explanation in order; `place` is what other commands need to find the repository."""
    yield Part("What it means", (Paragraph(_sentence(change)),))
    item = change.item
    if item is not None:
        if item.fix:
            yield Part("What to do", (Paragraph(item.fix),))
        if shown := tuple(_places(change)):
            yield Part("Places", shown)
        yield Part("Effect", (Paragraph(_EFFECTS[item.level]),))
        yield Part("To ignore it", (Verbatim(f'crimes ignore {item.id}{place} --reason "why"'),))
    yield Part("Page", (Verbatim(change.docs),))


def _sentence(change: ExplainedChange) -> str:
    return f"`crimes check` and `crimes diff` report {change.kind} when {change.meaning}."


def _places(change: ExplainedChange) -> Iterator[Block]:
    places = change.item.places if change.item else ()
    for spot in places[:_MAX_PLACES]:
        line = f":{spot.line}" if spot.line else ""
        yield Item(f"{spot.file}{line}{f'  {spot.name}' if spot.name else ''}")
    if len(places) > _MAX_PLACES:
        yield Item(f"and {count(len(places) - _MAX_PLACES, 'more place')}")
