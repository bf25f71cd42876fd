"""Findings over time: which is which in two scans, and what people decided about them."""
