"""Tables for the accountants."""
