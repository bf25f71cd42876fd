"""From usage to a numbered invoice."""
