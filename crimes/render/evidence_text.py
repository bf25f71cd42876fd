"""The evidence of a finding in words: what was measured, the value, and the limit it is held against."""

from __future__ import annotations

from crimes.model.report import MeasureOut

_PERCENT = "_percent"
_PERIODS = {"_90d": "90 days", "_365d": "year", "_3y": "three years"}

# Keys of the JSON that do not read as English once their underscores are spaces.
_LABELS = {
    "absent": "missing from the lockfile",
    "arms": "branches",
    "arms_alike": "branches alike",
    "bare_calls": "calls with bare booleans",
    "caught_before": "already caught as",
    "checked": "dependencies compared",
    "cognitive": "cognitive complexity",
    "complexity_after_discounts": "cognitive complexity after discounts",
    "complexity_before_discounts": "cognitive complexity before discounts",
    "commits_together": "commits that changed them together",
    "count": "in all",
    "cuts_that_break_all": "imports to cut so that no cycle is left",
    "direct_importers": "source files that import it",
    "drifted": "dependencies that differ",
    "edits_3y": "commits that changed it",  # the fact names the days in which they are counted
    "first_line": "first tested at line",
    "fixes_3y": "fixes among them",
    "flag_names": "their names",
    "flags": "boolean parameters",
    "forbidden": "locked at a version that is not allowed",
    "further_runs": "more duplicated blocks",
    "guarded_calls": "calls it covers",
    "handler_does": "what the handler does",
    "hardest_function": "complexity of its hardest function",
    "hardest_lines_known": "lines of that function with coverage data",
    "hardest_lines_run": "lines of that function that ran",
    "helper_depth": "levels of helper functions searched",
    "imported_layer": "layer that it imports",
    "imported_neighbours": "imported files in its folder",
    "importers": "files that import it",
    "imports_in_cycles": "imports in the cycle",
    "imports_used_on_load": "imports used while loading",
    "latest_fixes": "latest fixes counted",
    "lines_known": "lines with coverage data",
    "lines_run": "lines that ran",
    "locked": "in the lockfile",
    "logic_lines": "lines of code",
    "logic_lines_in_functions": "lines of code in functions",
    "median_of_its_size": "median of files of its size",
    "near": "similar name",
    "older_fixes": "fixes in the two years before",
    "not_counted": "commits not counted as fixes",
    "same_names_percent": "names in common",
    "share_percent": "share of the commits to the one that changes less",
    "shared_edits": "commits that edited several copies",
    "shown_cycle": "one way round",
    "similar_percent": "similarity",
    "spelled": "what they spell",
    "transitive_importers": "files that load it, directly or through others",
    "writes_by_name": "calls that write, by their names",
}


# Where a limit is not simply that of what is reported: how to name it.
_LIMIT_PHRASES = {
    "fixes_365d": "normally reported at {} or more",
    "lines_without_literals": "long at {} or more",
}


def evidence_label(key: str, day: str) -> str:
    """What a measure is, in words; the key of the JSON where that reads as such. Commits are counted back from `day`."""
    if key in _LABELS:
        return _LABELS[key]
    for ending, period in _PERIODS.items():
        if key.endswith(ending):
            what = key.removesuffix(ending).replace("_", " ")
            return f"{what} in the {period} before {day or 'the last commit'}"
    return key.removesuffix(_PERCENT).replace("_", " ")


def evidence_value(key: str, measure: MeasureOut) -> str:
    """The value, and the limit it is held against; a detector may ask for more than one."""
    value, limit = measure.value, measure.limit
    if isinstance(value, tuple | list):
        return ", ".join(value)
    if isinstance(value, str):
        return value
    unit = "%" if key.endswith(_PERCENT) else ""
    if not limit:
        return f"{value:,}{unit}"
    number = f"{limit:,}{unit}"
    if key == "lines_without_literals" or (value < limit and key in _LIMIT_PHRASES):
        held_against = _LIMIT_PHRASES[key].format(number)
    else:
        held_against = f"limit {number}" if value >= limit else f"below the limit of {number}"
    return f"{value:,}{unit} ({held_against})"
