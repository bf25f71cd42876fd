"""What tells coding agents about crimes: a skill, a block in AGENTS.md, hook settings; written, and removed again."""
