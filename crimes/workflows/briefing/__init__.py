"""The briefing before an edit: all that is known of one file, and what follows from it."""
