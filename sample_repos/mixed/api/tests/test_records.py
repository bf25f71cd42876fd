from dataclasses import replace

import pytest

from fieldnotes.records import InvalidRecord, Place, checked


def test_a_good_sighting_passes(sighting):
    assert checked(sighting) is sighting


def test_all_problems_are_named_at_once(sighting):
    broken = replace(sighting, count=0, place=Place(91, 0))
    with pytest.raises(InvalidRecord) as caught:
        checked(broken)
    assert len(caught.value.problems) == 2
