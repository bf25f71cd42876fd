"""Everything that can go wrong in a way a user should read about.

CrimesError                 exit code 2, one clear message, no traceback
├── UsageError              a wrong argument, path or finding id
├── ConfigError             crimes.toml or [tool.crimes] is wrong; all faults at once
└── EnvironmentFault        git, a cache directory, a detector package: the machine, not the user
WorkFailed                  an unexpected error in a worker process, as the command that waits for it sees it
Unavailable                 an analysis cannot be made here (no git, say): detectors that need it are skipped
"""

from __future__ import annotations


class CrimesError(Exception):
    """An expected failure with a message fit for a person; the command ends with exit code 2."""


class UsageError(CrimesError):
    """The command line asked for something that is not there."""


class ConfigError(CrimesError):
    """The configuration is wrong; `problems` holds every fault found, not only the first.

    `whole_file` says that the one problem is about the file itself: the message is then one sentence.
    """

    def __init__(self, source: str, problems: tuple[str, ...], *, whole_file: bool = False) -> None:
        self.source = source
        self.problems = problems
        lines = "\n".join(f"  - {problem}" for problem in problems)
        super().__init__(
            f"{source} {problems[0]}" if whole_file else f"{source} is not a valid configuration:\n{lines}"
        )


class EnvironmentFault(CrimesError):
    """The machine lacks something the command needs."""


class Unavailable(Exception):
    """An analysis has nothing to work on; the reason is shown beside every detector it skips."""


class WorkFailed(Exception):
    """An unexpected error in a worker: the name of its class, and the traceback it had there."""

    def __init__(self, name: str, message: str, trace: str) -> None:
        super().__init__(message)
        self.name = name
        self.trace = trace
