"""From signals to confidence, from evidence to scores, from both to gates."""
