"""What git tells of the past: commits, fixes, files that change together."""
