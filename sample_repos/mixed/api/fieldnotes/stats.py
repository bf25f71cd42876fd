"""Counts by species and month."""

from __future__ import annotations

from collections import Counter

from fieldnotes.records import Sighting


def by_species(sightings: list[Sighting]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for sighting in sightings:
        if sighting.is_public:
            counts[sighting.species] += sighting.weight
    return counts


def by_month(sightings: list[Sighting]) -> Counter[str]:
    return Counter(sighting.seen_at.strftime("%Y-%m") for sighting in sightings if sighting.is_public)
