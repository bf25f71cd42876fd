"""Tests of several files together: which there are, and which of them the test commands leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from crimes.workflows.briefing.command import runs_all_of
from crimes.workflows.briefing.record import Briefing


def tests_of(briefings: Iterable[Briefing]) -> tuple[str, ...]:
    """Test files that import one of the files or bear its name."""
    return tuple(
        dict.fromkeys(
            test
            for briefing in briefings
            for test in (*briefing.tests.importing, *briefing.tests.by_name)
            if test
        )
    )


def tests_not_run(
    commands: Sequence[str],
    tests: Sequence[str],
    commands_of: Callable[[Sequence[str]], Mapping[str, str]],
) -> tuple[str, ...]:
    """The tests that none of the commands runs.

    `commands_of` returns the command that runs each test alone: another command runs it too if it runs all of that. A test
    without one counts as not run.
    """
    if not commands:
        return tuple(tests)
    alone = commands_of(tests)
    return tuple(test for test in tests if not alone.get(test) or not runs_all_of(commands, alone[test]))
