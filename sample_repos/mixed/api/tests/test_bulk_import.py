from fieldnotes.bulk_import import read_club_csv
from fieldnotes.records import Certainty, Observer

CLUB = Observer("club", "Bird club")


def test_reads_german_headers_and_dates():
    good, bad = read_club_csv("art,count,position,date\nParmaj,~3,52.5;13.4,1.4.2026\n", CLUB, "c")
    assert bad == []
    assert (good[0].count, good[0].certainty) == (3, Certainty.LIKELY)


def test_names_the_lines_it_cannot_use():
    good, bad = read_club_csv("species,count,date\nparmaj,many,2026-04-01\n", CLUB, "c")
    assert (good, bad) == ([], ["line 2: count 'many'"])
