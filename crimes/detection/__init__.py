"""What a detector is, which there are, and what one is given."""
