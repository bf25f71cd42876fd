"""A ranking of files made at an earlier commit, checked against the fixes that followed."""
