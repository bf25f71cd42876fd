"""Unverified statements in text: which phrases make them, what stands beside them, and how doubtful that leaves them.

A leaf: text and settings in, claims out. Whether a path or a symbol exists is asked of a function handed in.
"""
