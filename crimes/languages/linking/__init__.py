"""From imports as written to the files they mean."""
