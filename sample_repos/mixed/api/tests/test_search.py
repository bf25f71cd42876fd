from fieldnotes.records import Place, disputed
from fieldnotes.search import near


def test_disputed_sightings_are_not_found(sighting):
    here = Place(52.5, 13.4)
    assert near([sighting], here, km=5) == [sighting]
    assert near([disputed(sighting, "a sparrow")], here, km=5) == []
