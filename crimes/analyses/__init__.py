"""Shared analyses: one token each, computed once per scan."""
