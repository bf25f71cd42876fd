"""What a sighting is, and the rules every part of the service agrees on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

SPECIES_CODE_LENGTH = 6
MAX_COUNT = 5000
EDITABLE_FOR = timedelta(days=14)
PROTECTED = frozenset({"aquchr", "bubbub", "cicnig", "falper", "gyrrus"})


class Certainty(StrEnum):
    SURE = "sure"
    LIKELY = "likely"
    GUESS = "guess"


class Status(StrEnum):
    NEW = "new"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    REMOVED = "removed"


class InvalidRecord(ValueError):
    """A record breaks a rule; `problems` names each of them."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Place:
    latitude: float
    longitude: float

    def problems(self) -> list[str]:
        found = []
        if not -90 <= self.latitude <= 90:
            found.append(f"latitude {self.latitude} is outside of -90 to 90")
        if not -180 <= self.longitude <= 180:
            found.append(f"longitude {self.longitude} is outside of -180 to 180")
        return found


@dataclass(frozen=True)
class Observer:
    id: str
    name: str
    trusted: bool = False
    region: str = ""


@dataclass(frozen=True)
class Sighting:
    id: str
    observer: Observer
    species: str
    count: int
    place: Place
    seen_at: datetime
    certainty: Certainty = Certainty.SURE
    status: Status = Status.NEW
    note: str = ""
    photos: tuple[str, ...] = field(default=())

    @property
    def is_protected(self) -> bool:
        return self.species in PROTECTED

    @property
    def is_public(self) -> bool:
        return self.status in (Status.NEW, Status.CONFIRMED)

    @property
    def weight(self) -> int:
        """How much this sighting counts in statistics."""
        if self.status is Status.CONFIRMED:
            return 4
        if self.certainty is Certainty.GUESS:
            return 1
        return 3 if self.observer.trusted else 2

    def editable_by(self, observer: Observer, now: datetime) -> bool:
        return observer.id == self.observer.id and now - self.seen_at <= EDITABLE_FOR

    def problems(self) -> list[str]:
        found = self.place.problems()
        if len(self.species) != SPECIES_CODE_LENGTH or not self.species.islower():
            found.append(f"{self.species!r} is not a species code")
        if not 1 <= self.count <= MAX_COUNT:
            found.append(f"count {self.count} is outside of 1 to {MAX_COUNT}")
        if self.seen_at.tzinfo is None:
            found.append("seen_at has no zone")
        return found


def checked(sighting: Sighting) -> Sighting:
    """The sighting itself when it breaks no rule."""
    problems = sighting.problems()
    if problems:
        raise InvalidRecord(problems)
    return sighting


def confirmed(sighting: Sighting) -> Sighting:
    return replace(sighting, status=Status.CONFIRMED)


def disputed(sighting: Sighting, reason: str) -> Sighting:
    note = f"{sighting.note}\nDisputed: {reason}".strip()
    return replace(sighting, status=Status.DISPUTED, note=note)


def newest_first(sightings: Iterable[Sighting]) -> list[Sighting]:
    return sorted(sightings, key=lambda sighting: (sighting.seen_at, sighting.id), reverse=True)
