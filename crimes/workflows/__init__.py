"""What a user asks for: everything a command does besides arguments and exit codes."""
