"""How far a scan can be trusted."""
