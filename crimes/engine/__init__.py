"""The straight line: a folder in, a report out."""
