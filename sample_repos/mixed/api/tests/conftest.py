from datetime import UTC, datetime

import pytest

from fieldnotes.records import Observer, Place, Sighting


@pytest.fixture
def sighting():
    observer = Observer("o1", "Runa", region="north")
    return Sighting("s1", observer, "parmaj", 2, Place(52.52, 13.4), datetime(2026, 4, 1, 8, tzinfo=UTC))
