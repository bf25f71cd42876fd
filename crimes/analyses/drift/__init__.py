"""Copies that a fix did not reach: similar functions, the fixes of their files, and the proof."""
