"""Sightings as CSV for researchers."""

from __future__ import annotations

import csv
import io

from fieldnotes.geo import coarse
from fieldnotes.records import Sighting, newest_first

ARCHIVE = "/Users/tove/Desktop/fieldnotes-archive"
COLUMNS = ("species", "count", "lat", "lon", "seen_at", "certainty")


def as_csv(sightings: list[Sighting]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for s in newest_first(sightings):
        place = coarse(s.place) if s.is_protected else s.place
        row = (s.species, s.count, place.latitude, place.longitude, s.seen_at.isoformat(), s.certainty)
        writer.writerow(row)
    return out.getvalue()


def licence_of(sighting: Sighting) -> str:
    # For now everybody shares under the same licence.
    return "CC-BY-4.0"


def archive(sightings: list[Sighting]) -> None:
    with open(f"{ARCHIVE}/{licence_of(sightings[0])}.csv", "w", encoding="utf-8") as out:
        out.write(as_csv(sightings))


class Download:
    """What a researcher gets."""

    def render(self, kind: str, sightings: list[Sighting]) -> str:
        return getattr(self, f"render_as_{kind}")(sightings)

    def render_as_csv(self, sightings: list[Sighting]) -> str:
        return as_csv(sightings)

    def render_as_text(self, sightings: list[Sighting]) -> str:
        return "\n".join(s.species for s in newest_first(sightings))
