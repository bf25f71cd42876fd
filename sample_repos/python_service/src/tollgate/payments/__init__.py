"""Charges, refunds, and what the provider tells us about them."""
