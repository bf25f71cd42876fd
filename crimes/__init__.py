"""A crime-scene investigator for code repositories."""

__version__ = "0.1.0"
