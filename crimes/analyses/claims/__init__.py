"""Statements in texts, and whether anything beside them supports them."""
