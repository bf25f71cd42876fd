"""The past of a repository from git: commits, fixes, files that change together."""
