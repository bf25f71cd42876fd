from dataclasses import replace

from fieldnotes.schemas import sighting_out


def test_protected_species_get_a_coarse_place(sighting):
    out = sighting_out(replace(sighting, species="bubbub"), reader=None)
    assert (out["lat"], out["lon"]) == (52.5, 13.4)


def test_the_observer_sees_the_exact_place(sighting):
    eagle_owl = replace(sighting, species="bubbub")
    assert sighting_out(eagle_owl, sighting.observer)["lat"] == 52.52
