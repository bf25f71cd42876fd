"""Statements in texts, and whether something beside them supports them."""
