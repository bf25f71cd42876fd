"""Reviewers confirm or dispute what others saw."""

from __future__ import annotations

from fieldnotes.records import Observer, Sighting, confirmed, disputed
from fieldnotes.store import Store


class NotAllowed(PermissionError):
    """Only trusted observers of the same region review."""


def review(store: Store, reviewer: Observer, sighting: Sighting, accept: bool, reason: str = "") -> Sighting:
    if not reviewer.trusted or reviewer.region != sighting.observer.region:
        raise NotAllowed(reviewer.id)
    result = confirmed(sighting) if accept else disputed(sighting, reason)
    store.put(result)
    return result
