"""Reads the spreadsheets that bird clubs send in."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

from fieldnotes.records import Certainty, InvalidRecord, Observer, Place, Sighting, checked


def read_club_csv(text: str, observer: Observer, prefix: str) -> tuple[list[Sighting], list[str]]:
    """The sightings that can be used, and a line for each that cannot."""
    good: list[Sighting] = []
    bad: list[str] = []
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        species = (row.get("species") or row.get("art") or "").strip().lower()
        if not species:
            if any(value.strip() for value in row.values() if value):
                bad.append(f"line {number}: no species")
            continue
        raw_count = (row.get("count") or "1").strip()
        certainty = Certainty.SURE
        if raw_count.endswith("?"):
            certainty = Certainty.GUESS
            raw_count = raw_count[:-1]
        elif raw_count.startswith("~"):
            certainty = Certainty.LIKELY
            raw_count = raw_count[1:]
        if not raw_count.isdigit():
            bad.append(f"line {number}: count {raw_count!r}")
            continue
        place = None
        if row.get("lat") and row.get("lon"):
            place = Place(float(row["lat"].replace(",", ".")), float(row["lon"].replace(",", ".")))
        elif row.get("position"):
            parts = row["position"].split(";" if ";" in row["position"] else ",")
            if len(parts) == 2:
                place = Place(float(parts[0]), float(parts[1]))
        if place is None:
            bad.append(f"line {number}: no place")
            continue
        day = row.get("date") or ""
        if "." in day:
            parts = day.split(".")
            if len(parts) == 3:
                day = "-".join(reversed([part.zfill(2) for part in parts]))
        try:
            seen_at = datetime.fromisoformat(day).replace(tzinfo=UTC)
            sighting = Sighting(
                f"{prefix}-{number}", observer, species, int(raw_count), place, seen_at, certainty
            )
            good.append(checked(sighting))
        except InvalidRecord as error:
            bad += [f"line {number}: {problem}" for problem in error.problems]
        except ValueError:
            bad.append(f"line {number}: date {day!r}")
    return good, bad
