"""Invoice numbers without gaps: one series a year."""

from __future__ import annotations

from tollgate.storage import Database


def next_number(database: Database, year: int) -> str:
    return f"{year}-{database.take_number(year):06d}"
