"""Records as JSON, both ways. The client has the same shapes in its own language."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fieldnotes.geo import coarse
from fieldnotes.records import Certainty, Observer, Place, Sighting, checked


def sighting_out(sighting: Sighting, reader: Observer | None) -> dict[str, Any]:
    own = reader is not None and reader.id == sighting.observer.id
    place = sighting.place if own or not sighting.is_protected else coarse(sighting.place)
    return {
        "id": sighting.id,
        "observer": sighting.observer.name,
        "species": sighting.species,
        "count": sighting.count,
        "lat": place.latitude,
        "lon": place.longitude,
        "seenAt": sighting.seen_at.isoformat(),
        "certainty": sighting.certainty,
        "status": sighting.status,
        "note": sighting.note,
        "photos": list(sighting.photos),
    }


def sighting_in(body: dict[str, Any], id: str, observer: Observer) -> Sighting:
    return checked(
        Sighting(
            id=id,
            observer=observer,
            species=body["species"],
            count=int(body["count"]),
            place=Place(float(body["lat"]), float(body["lon"])),
            seen_at=datetime.fromisoformat(body["seenAt"]),
            certainty=Certainty(body.get("certainty", "sure")),
            note=body.get("note", ""),
            photos=tuple(body.get("photos", ())),
        )
    )
