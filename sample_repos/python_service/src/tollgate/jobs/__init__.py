"""What runs at night."""
