"""What to post on a pull request: another reviewer's records, and crimes' own findings, scored and sorted out.

record ─► reading ─► checks (against the diff) ─► table (points) ─► policy (inline, summary, audit, drop) ─► Review
"""
