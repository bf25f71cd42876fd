from fieldnotes.export import as_csv


def test_export_of_protected_species(sighting):
    as_csv([sighting])
