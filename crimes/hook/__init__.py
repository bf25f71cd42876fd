"""The hook of coding agents: what the last scan knows of a file, told at the moment it is edited.

Standard library only. It reads the cache and nothing else: it never scans, and it never asks git.
"""
