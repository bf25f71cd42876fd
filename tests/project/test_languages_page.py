"""The page about languages has the present table, and every language with a grammar is in it."""

from __future__ import annotations

from benchmarks.languages.table import PAGE, measurements, page
from crimes.languages import by_id

TEXT = PAGE.read_text("utf-8")
# These have benchmarks of their own, and families share a measurement.
ELSEWHERE = {"astro", "javascript", "markdown", "notebook", "python", "svelte", "tsx", "typescript", "vue"}


def test_the_table_is_fresh() -> None:
    assert page(TEXT) == TEXT, "run `python benchmarks/languages/table.py --write`"


def test_every_language_is_measured() -> None:
    measured = {one["language"] for one in measurements()}
    assert set(by_id) - ELSEWHERE <= measured
    for one in measurements():
        assert one["resolved"] >= 0.97 * one["internal_imports"], one["language"]
        assert len(one["blast_radius"]) == 5, one["language"]
        assert one["findings_read"]["total"] >= 20, one["language"]
        if one["parsed_without_error"] < 0.99 * one["files"]:
            assert one["errors"], f"{one['language']}: what the grammar cannot read is said"
