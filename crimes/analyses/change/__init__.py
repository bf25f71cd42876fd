"""What a change broke or forgot: two states of a repository compared by their imports and names."""
