"""Photos of sightings, copied from wherever the observer keeps them."""

from __future__ import annotations

import urllib.request
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

FOLDER = Path("photos")
FOLDER.mkdir(parents=True, exist_ok=True)


@dataclass
class Photo:
    sighting: str
    path: Path
    stored_at: datetime


async def keep(sighting: str, address: str) -> Photo:
    """A copy of the photo at an address."""
    with urllib.request.urlopen(address) as answer:
        content = answer.read()
    path = FOLDER / f"{sighting}.jpg"
    path.write_bytes(content)
    return filed(sighting, path)


def filed(sighting: str, path: Path) -> Photo:
    return Photo(sighting, path, stored_at=datetime.now())
