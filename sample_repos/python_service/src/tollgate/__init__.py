"""Subscription billing."""

__version__ = "2.8.0"
