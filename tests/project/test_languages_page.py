"""The page about languages has the present table, and every language with a grammar is in it."""

from __future__ import annotations

from benchmarks.languages.table import PAGE, measurements, page
from crimes.languages import by_id

TEXT = PAGE.read_text("utf-8")
# These have benchmarks of their own, and families share a measurement.
ELSEWHERE = {"astro", "javascript", "markdown", "notebook", "python", "svelte", "tsx", "typescript", "vue"}


def test_languages_page_is_up_to_date() -> None:
    assert page(TEXT) == TEXT, "run `python benchmarks/languages/table.py --write`"


def test_every_language_is_measured() -> None:
    measured = {measurement["language"] for measurement in measurements()}
    assert set(by_id) - ELSEWHERE <= measured
    for measurement in measurements():
        assert measurement["resolved"] >= 0.97 * measurement["internal_imports"], measurement["language"]
        assert len(measurement["blast_radius"]) == 5, measurement["language"]
        assert measurement["findings_read"]["total"] >= 20, measurement["language"]
        if measurement["parsed_without_error"] < 0.99 * measurement["files"]:
            assert measurement["errors"], f"{measurement['language']}: what the grammar cannot read is said"
