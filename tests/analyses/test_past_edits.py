"""What edit risk weighs of a file's past, and the year of it in twelve parts."""

from __future__ import annotations

from crimes.analyses.history.past_edits import NO_EDITS, counted_commit, past_edits

DAY = 86_400


def test_a_year_is_shown_in_twelve_parts_and_adds_up_to_its_totals() -> None:
    edits = past_edits(
        [
            counted_commit("Ada", 0, is_fix=True),
            counted_commit("Ada", 3 * DAY, is_fix=False),
            counted_commit("", 4 * DAY, is_fix=True),  # a bot
            counted_commit("Bob", 364 * DAY, is_fix=True),
            counted_commit("Bob", 366 * DAY, is_fix=True),  # before the year
        ]
    )
    assert edits.commits_by_month == (1, *[0] * 10, 2)
    assert edits.fixes_by_month == (1, *[0] * 10, 1)
    assert (edits.commits_365d, edits.fixes_365d) == (sum(edits.commits_by_month), sum(edits.fixes_by_month))


def test_a_file_without_commits_of_people_has_no_months() -> None:
    assert past_edits([]) == NO_EDITS
    assert past_edits([counted_commit("", DAY, is_fix=False)]).commits_by_month == ()


def test_a_commit_from_the_future_counts_in_the_last_month() -> None:
    assert past_edits([counted_commit("Ada", -5 * DAY, is_fix=False)]).commits_by_month[-1] == 1
