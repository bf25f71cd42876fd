"""The hook of coding agents: what the last scan knows about a file, at the moment it is edited.

Standard library only. It reads the cache and nothing else: it never scans and never runs git.
"""
