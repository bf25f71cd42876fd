"""What `crimes init` writes: settings that fit the repository, and the workflow of a CI host."""
