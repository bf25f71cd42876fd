"""The command line: arguments and exit codes, one file a command. Heavy imports stay inside command bodies: `--help` must be quick."""
