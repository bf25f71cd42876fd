"""What customers are told."""
