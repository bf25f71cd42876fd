"""Which sightings a reader asked for."""

from __future__ import annotations

from fieldnotes.geo import distance_km
from fieldnotes.records import Place, Sighting, newest_first


def near(sightings: list[Sighting], place: Place, km: float) -> list[Sighting]:
    return newest_first(s for s in sightings if s.is_public and distance_km(s.place, place) <= km)


def of_species(sightings: list[Sighting], species: str) -> list[Sighting]:
    return newest_first(s for s in sightings if s.is_public and s.species == species)
