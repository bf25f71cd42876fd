"""Copies of code: groups that agree token by token, the regions they make up, what excuses them, and what history says of them."""
