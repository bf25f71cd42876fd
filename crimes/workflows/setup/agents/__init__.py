"""What tells coding agents of crimes: a skill, a block in AGENTS.md, hook settings; written, and taken back."""
