"""The detectors that come with crimes: one a file."""
