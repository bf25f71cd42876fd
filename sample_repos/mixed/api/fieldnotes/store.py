"""Sightings in one file, one JSON object a line."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from fieldnotes.encode import encode
from fieldnotes.records import Certainty, Observer, Place, Sighting, Status


class Store:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._sightings: dict[str, Sighting] = {}
        with suppress(FileNotFoundError):
            for line in path.read_text(encoding="utf-8").splitlines():
                sighting = _from_row(json.loads(line))
                self._sightings[sighting.id] = sighting

    def all(self) -> list[Sighting]:
        return list(self._sightings.values())

    def get(self, id: str) -> Sighting | None:
        return self._sightings.get(id)

    def put(self, sighting: Sighting) -> None:
        self._sightings[sighting.id] = sighting
        with self._path.open("ab") as file:
            file.write(encode(_to_row(sighting)) + b"\n")


def _to_row(sighting: Sighting) -> dict[str, Any]:
    return {
        "id": sighting.id,
        "observer": vars(sighting.observer),
        "species": sighting.species,
        "count": sighting.count,
        "place": [sighting.place.latitude, sighting.place.longitude],
        "seen_at": sighting.seen_at.isoformat(),
        "certainty": sighting.certainty,
        "status": sighting.status,
        "note": sighting.note,
        "photos": list(sighting.photos),
    }


def _from_row(row: dict[str, Any]) -> Sighting:
    return Sighting(
        id=row["id"],
        observer=Observer(**row["observer"]),
        species=row["species"],
        count=row["count"],
        place=Place(*row["place"]),
        seen_at=datetime.fromisoformat(row["seen_at"]),
        certainty=Certainty(row["certainty"]),
        status=Status(row["status"]),
        note=row["note"],
        photos=tuple(row["photos"]),
    )
