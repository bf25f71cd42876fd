"""Places on the map."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt

from fieldnotes.records import Place

EARTH_KM = 6371.0


def coarse(place: Place) -> Place:
    """Where it was to about ten kilometres, for protected species."""
    return Place(round(place.latitude, 1), round(place.longitude, 1))


def distance_km(a: Place, b: Place) -> float:
    lat_a, lat_b = radians(a.latitude), radians(b.latitude)
    half_lat = (lat_b - lat_a) / 2
    half_lon = radians(b.longitude - a.longitude) / 2
    h = sin(half_lat) ** 2 + cos(lat_a) * cos(lat_b) * sin(half_lon) ** 2
    # Not sure why two equal places sometimes give a hair more than 1 here.
    return 2 * EARTH_KM * asin(sqrt(h))
