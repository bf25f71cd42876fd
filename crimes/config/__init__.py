"""Settings: what they can be, and reading them."""
