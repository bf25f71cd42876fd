"""The machine: git, processes, files that are safe to touch, folders of the user."""
